# Comparisons of rankers: the time of resampling, and how often tests reject if the rankers do not differ.
# Writes bench/compare.md.
#
#   Rscript bench/compare.R [repetitions]
#
# 1. Sign flips and bootstrap of 10,000 queries with 10,000 resamples, and compare_rankers()
#    with both and the other tests, on two threads and on one. All pairs of 50 rankers on 5,000 queries,
#    and of 40 rankers on 50 topics (the size of TREC-3).
# 2. Under a null hypothesis, `repetitions` (2,000) times: values of two rankers for 200 queries, with the
#    same distribution. The values of one query are correlated. They have ties and bounds, as NDCG has them.
#    The fraction of p values of at most 5 % of each test, over all queries and, with Fisher's and Stouffer's
#    combination, over 5 folds of 40 queries.

library(rankmix)

repetitions <- as.integer(c(commandArgs(trailingOnly = TRUE), "2000")[1L])
seconds <- function(code) system.time(code)[["elapsed"]]
best_of <- function(times, code) {
  call <- substitute(code)
  frame <- parent.frame()
  min(vapply(seq_len(times), function(i) seconds(eval(call, frame)), 0))
}

evaluation <- function(values, fold = NULL) {
  table <- data.frame(query = seq_along(values), documents = 10L, metric = "ndcg@10",
                      value = values)
  if (!is.null(fold)) table$fold <- fold
  structure(table, class = c("rankmix_evaluation", "data.frame"))
}

many_values <- function(queries, rankers) {
  set.seed(2)
  difficulty <- runif(queries, 0, 0.6)
  values <- vapply(seq_len(rankers), function(j) {
    round(pmax(0, difficulty + rnorm(queries, 0.005 * j, 0.1)), 4)
  }, numeric(queries))
  colnames(values) <- paste0("s", seq_len(rankers))
  values
}

set.seed(1)
a <- runif(10000)
b <- a + rnorm(10000, 0.001, 0.1)
timed <- lapply(c(2L, 1L), function(threads) {
  c(flips = best_of(3, rankmix:::joint_sign_flips(cbind(a, b), numeric(), integer(), cbind(0L, 1L, 1L), 0L,
                                                  0.05, 10000, 1, threads)),
    bootstrap = best_of(3, rankmix:::bootstrap_means(a - b, numeric(), 10000, 1, threads)),
    all = best_of(3, compare_rankers(a = evaluation(a), b = evaluation(b), resamples = 10000,
                                     seed = 1, threads = threads)),
    large = seconds(compare_rankers(many_values(5000, 50), seed = 1, threads = threads)),
    trec = best_of(2, compare_rankers(many_values(50, 40), seed = 1, threads = threads)))
})

# Values of a query share its difficulty; a third are ties, and all are in [0, 1].
null_values <- function(n) {
  difficulty <- rnorm(n)
  value <- function() pmin(1, pmax(0, round(0.5 + 0.25 * difficulty + rnorm(n, 0, 0.2), 2)))
  a <- value()
  b <- value()
  tied <- runif(n) < 1 / 3
  b[tied] <- a[tied]
  list(a = a, b = b)
}

# The peak memory of the process so far, in MB, on Linux.
peak_memory <- function() {
  status <- tryCatch(readLines("/proc/self/status"), error = function(e) "VmHWM: NA")
  as.numeric(gsub("\\D", "", grep("^VmHWM", status, value = TRUE))) / 1024
}

fold <- rep(1:5, each = 40)
p_values <- function(values, ..., fold = NULL) {
  compared <- compare_rankers(a = evaluation(values$a, fold), b = evaluation(values$b, fold), interval = "t",
                              resamples = 999, seed = sample.int(1e6, 1), threads = 1, ...)
  unlist(tidy(compared)[c("p_t", "p_wilcoxon", "p_randomization")])
}
rejected <- Reduce(`+`, lapply(seq_len(repetitions), function(i) {
  values <- null_values(200)
  rbind(`all 200 queries` = p_values(values),
        `5 folds, Fisher` = p_values(values, fold = fold, combine = "fisher"),
        `5 folds, Stouffer` = p_values(values, fold = fold, combine = "stouffer")) <= 0.05
}))
fractions <- 100 * rejected / repetitions
covered <- mean(vapply(seq_len(repetitions), function(i) {
  values <- null_values(200)
  pair <- tidy(compare_rankers(a = evaluation(values$a), b = evaluation(values$b),
                               interval = "bca", resamples = 999, seed = i, threads = 1))
  pair$lower <= 0 && 0 <= pair$upper
}, NA))

row <- function(name, what) {
  sprintf("| %s | %.3f | %.3f |", what, timed[[1L]][[name]], timed[[2L]][[name]])
}
lines <- c(
  "# Comparisons of rankers", "",
  sprintf("Written by `Rscript bench/compare.R %d`. rankmix %s, %s.", repetitions,
          packageVersion("rankmix"), R.version.string), "",
  "## Time", "",
  "Seconds for 10,000 queries and 10,000 resamples, the best of three.", "",
  "| what | 2 threads | 1 thread |", "|---|---|---|",
  row("flips", "sign flips"), row("bootstrap", "bootstrap"),
  row("all", "`compare_rankers()` of two rankers, all tests"),
  row("large", "`compare_rankers()`, all pairs of 50 rankers, 5,000 queries (once)"),
  row("trec", "`compare_rankers()`, all pairs of 40 rankers, 50 queries (best of two)"), "",
  sprintf("The process used at most %.0f MB.", peak_memory()), "",
  "## How often tests reject without a difference", "",
  sprintf("Percentage of %s simulated comparisons with p <= 0.05 (an exact test", format(repetitions, big.mark = ",")),
  sprintf("has 5, with a standard error of %.1f).", 100 * sqrt(0.05 * 0.95 / repetitions)), "",
  "| | t | Wilcoxon | sign flips |", "|---|---|---|---|",
  sprintf("| %s | %.2f | %.2f | %.2f |", rownames(fractions), fractions[, 1L], fractions[, 2L],
          fractions[, 3L]), "",
  sprintf("The 95 %% bootstrap interval contains 0 in %.1f %% of the comparisons.", 100 * covered)
)
writeLines(lines, "bench/compare.md")
cat(lines, sep = "\n")
stopifnot(fractions >= 3, fractions <= 7, timed[[1L]]["flips"] + timed[[1L]]["bootstrap"] < 2,
          timed[[1L]]["large"] < 20, timed[[1L]]["trec"] < 5, peak_memory() < 1000)
