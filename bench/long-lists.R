# Time of training, fusion and evaluation on one long query. Writes bench/long-lists.md.
#
#   Rscript bench/long-lists.R
#
# One query of 1,000, 10,000 and 100,000 documents, for functions of scores up to a million, with 5 grades, 10 features
# and one thread. Each ranker trains with few rounds in a separate process, which is stopped after `limit` seconds. The script
# fails if a call without a warning of pairs takes longer than `target` seconds of the processor.

source("bench/common.R")
limit <- 40
target <- 30
sizes <- c(1e3, 1e4, 1e5)
call_sizes <- c(1e4, 1e5, 1e6)

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

# Functions of three lists of scores, `scores`, of which the last has many ties.
calls <- list(
  quote(evaluate(scores, data, c("ndcg@10", "map", "err@10"), threads = 1)),
  quote(fuse(scores, data, "rrf", threads = 1)), quote(fuse(scores, data, fuse_comb_sum(), threads = 1)),
  quote(fuse(scores, data, fuse_condorcet(), threads = 1)), quote(aggregate_ranks(scores, data, threads = 1)),
  quote(aggregate_ranks(scores, data, "mc1", threads = 1)),
  quote(aggregate_ranks(scores, data, "mc4", threads = 1)),
  quote(ranking_agreement(scores$a, scores$b, data, threads = 1)),
  quote(ranking_agreement(scores$a, scores$c, data, how = "tau_ap", threads = 1)),
  quote(ranking_agreement(scores$a, scores$c, data, how = "rbo", threads = 1))
)
cases <- c(fits, calls)

# Runs in a child process: prints the seconds of the processor.
measure <- function(what, documents) {
  library(rankmix)
  data <- long_list(documents)
  case <- cases[[as.integer(what)]]
  scores <- list(a = data$x[, 1], b = data$x[, 1] + data$x[, 2], c = round(data$x[, 1]))
  is_fit <- as.integer(what) <= length(fits)
  spec <- if (is_fit) eval(case)
  seconds <- withCallingHandlers(
    system.time(if (is_fit) fit(spec, data, seed = 1, threads = 1, verbose = FALSE) else eval(case))[["user.self"]],
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
# Processor seconds, NA if the limit was reached, whether the call warned of the number of pairs, and whether it was
# an error, such as one of memory.
run <- function(i, documents) {
  output <- child(i, documents)
  status <- attr(output, "status")
  list(seconds = if (is.null(status)) as.numeric(utils::tail(output, 1L)) else NA, warns = "warns" %in% output,
       refused = identical(as.integer(status), 1L))
}
run_sizes <- function(i, sizes) {
  row <- list(texts = rep(sprintf("above %d", limit), length(sizes)), warns = FALSE, seconds = NA)
  for (k in seq_along(sizes)) {
    done <- run(i, sizes[k])
    row$seconds <- done$seconds
    row$warns <- row$warns || done$warns || done$refused
    if (!is.na(done$seconds)) row$texts[k] <- sprintf("%.2f", done$seconds)
    if (done$refused) row$texts[seq.int(k, length(sizes))] <- "an error"
    # A quadratic cost would take a hundred times the last time.
    if (is.na(done$seconds) || done$seconds > limit) break
  }
  message(deparse1(cases[[i]]), " ", toString(row$texts))
  row$last <- k == length(sizes)
  row
}
table_of <- function(rows, cases, sizes) {
  c(paste0("| call | ", paste(format(sizes, big.mark = ",", scientific = FALSE, trim = TRUE), collapse = " | "), " |"),
    "|---|---|---|---|",
    sprintf("| `%s`%s | %s |", vapply(cases, deparse1, ""), ifelse(vapply(rows, `[[`, NA, "warns"), " *", ""),
            vapply(rows, function(row) paste(row$texts, collapse = " | "), "")))
}
of_fits <- lapply(seq_along(fits), run_sizes, sizes)
of_calls <- lapply(length(fits) + seq_along(calls), run_sizes, call_sizes)
lines <- c(
  "# Time on one long query", "",
  "Written by `Rscript bench/long-lists.R`: seconds of the processor on one query, with 5 grades, 10 features and one",
  "thread. Calls marked by a star warn of the number of pairs before they begin, or report that they would take too",
  sprintf("much memory. rankmix %s, %s.", packageVersion("rankmix"), R.version.string), "",
  "## Training, with few rounds", "", table_of(of_fits, fits, sizes), "",
  "## Functions of the scores of three rankers", "", table_of(of_calls, calls, call_sizes)
)
writeLines(lines, "bench/long-lists.md")
met <- function(row) row$warns || row$last && !is.na(row$seconds) && row$seconds < target
hold_targets(stats::setNames(vapply(c(of_fits, of_calls), met, NA), vapply(cases, deparse1, "")))
