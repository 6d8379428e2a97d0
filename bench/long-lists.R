# Time of training and evaluation on one long query. Writes bench/long-lists.md.
#
#   Rscript bench/long-lists.R
#
# One query of 1,000, 10,000 and 100,000 documents, 5 grades and 10 features, one thread. Each ranker trains
# with few rounds in a separate process, which is stopped after `limit` seconds. The script fails if a ranker
# without a warning of pairs takes longer than `target` seconds of the processor.

source("bench/common.R")
limit <- 40
target <- 30
sizes <- c(1e3, 1e4, 1e5)

long_list <- function(documents) {
  set.seed(1)
  x <- matrix(rnorm(documents * 10), documents)
  utility <- x[, 1] + 0.5 * x[, 2]^2 + rnorm(documents)
  grade <- findInterval(utility, quantile(utility, c(0.5, 0.8, 0.93, 0.98)))
  rankmix::ranking_data(x, grade, rep(1, documents), threads = 1)
}

boosted <- function(...) bquote(gbrt(5, num_leaves = 8, objective = .(substitute(...))))
fits <- list(
  quote(linear_ranker(penalty = 0.1)), quote(ranksvm(0.1)), quote(ranksvm(0.1, "hinge")),
  quote(linear_ranker(loss_pairwise(), penalty = 0.1)), quote(linear_ranker(loss_softmax(), penalty = 0.1)),
  boosted(loss_squared()), boosted(loss_pairwise()), boosted(loss_pairwise("squared_hinge")),
  boosted(loss_softmax()), boosted(loss_xendcg()), boosted(loss_list_mle()), boosted(loss_query_rmse()),
  boosted(loss_ordinal()), quote(lambdamart(trees = 5, num_leaves = 8)),
  boosted(loss_lambda("ndcg@10", pairs = 5)), boosted(loss_lambda("ndcg", truncation = 1e6)),
  boosted(loss_lambda("map")), boosted(loss_lambda("err")), boosted(loss_smooth("ndcg@10")),
  boosted(loss_smooth("ndcg", warmup = 2)), boosted(loss_smooth("map", form = "logistic", warmup = 2)),
  quote(yetirank(2, max_depth = 3)),
  quote(yetirank(2, max_depth = 3, setup = "equal")),
  quote(rankboost(5)), quote(adarank(rounds = 5, repeats = 1)),
  quote(coordinate_ascent(restarts = 1, iterations = 2)),
  quote(coordinate_ascent(restarts = 1, iterations = 2, search = "ranklib")),
  quote(smoothrank(metric_ndcg(10), start = linear_ranker(penalty = 0.1), penalty = 0.1, schedule = c(8, 1))),
  quote(best_feature()), quote(adaboost_mh(base_tree(8), rounds = 5)), quote(mcsvm(0.1)),
  quote(m5p()), quote(network_ranker(loss_pairwise(), hidden = 8, epochs = 2)),
  quote(network_ranker(loss_lambda(), hidden = 8, epochs = 2))
)

# Runs in a child process: prints the seconds of the processor.
measure <- function(what, documents) {
  library(rankmix)
  data <- long_list(documents)
  spec <- eval(fits[[as.integer(what)]])
  seconds <- withCallingHandlers(
    system.time(fit(spec, data, seed = 1, threads = 1, verbose = FALSE))[["user.self"]],
    rankmix_warning_pairs = function(w) {
      cat("warns\n")
      rlang::cnd_muffle(w)
    }
  )
  cat(seconds, "\n")
}

arguments <- commandArgs(trailingOnly = TRUE)
if (length(arguments) == 2L) {
  measure(arguments[1L], as.numeric(arguments[2L]))
  quit()
}
child <- function(what, documents) {
  suppressWarnings(system2("timeout", c(limit + 3, file.path(R.home("bin"), "Rscript"), "bench/long-lists.R",
                                        what, documents), stdout = TRUE, stderr = FALSE))
}
# Processor seconds, NA if the limit was reached, and whether training warned of the number of pairs.
run <- function(i, documents) {
  output <- child(i, documents)
  list(seconds = if (is.null(attr(output, "status"))) as.numeric(utils::tail(output, 1L)) else NA,
       warns = "warns" %in% output)
}
rows <- lapply(seq_along(fits), function(i) {
  row <- list(seconds = rep(NA_real_, length(sizes)), warns = FALSE)
  for (k in seq_along(sizes)) {
    # A ranker of quadratic cost would take a hundred times the last time.
    if (k > 1L && (is.na(row$seconds[k - 1L]) || row$seconds[k - 1L] > limit)) break
    done <- run(i, sizes[k])
    row$seconds[k] <- done$seconds
    row$warns <- row$warns || done$warns
  }
  message(deparse1(fits[[i]]), " ", toString(row$seconds))
  row
})
seconds <- t(vapply(rows, `[[`, numeric(length(sizes)), "seconds"))
warns <- vapply(rows, `[[`, NA, "warns")
texts <- ifelse(is.na(seconds), sprintf("above %d", limit), sprintf("%.2f", seconds))
lines <- c(
  "# Time of training on one long query", "",
  "Written by `Rscript bench/long-lists.R`: seconds of the processor on one query of 1,000, 10,000 and 100,000",
  "documents, with 5 grades, 10 features and one thread. Few rounds each. Rankers marked by a star warn of the",
  sprintf("number of pairs before they train. rankmix %s, %s.", packageVersion("rankmix"), R.version.string), "",
  "| ranker | 1,000 | 10,000 | 100,000 |", "|---|---|---|---|",
  sprintf("| `%s`%s | %s | %s | %s |", vapply(fits, deparse1, ""), ifelse(warns, " *", ""), texts[, 1],
          texts[, 2], texts[, 3])
)
writeLines(lines, "bench/long-lists.md")
hold_targets(stats::setNames(warns | seconds[, 3] < target & !is.na(seconds[, 3]), vapply(fits, deparse1, "")))
