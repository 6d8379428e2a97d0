# Time of training and evaluation on one long query. Writes bench/long-lists.md.
#
#   Rscript bench/long-lists.R
#
# One query of 1,000, 10,000 and 100,000 documents, 5 grades and 10 features, one thread. Each ranker
# trains with few rounds in a process of its own, which ends after `limit` seconds. The exponent compares
# the last two sizes: n log n has about 1.1, and all pairs have 2.

source("bench/common.R")
limit <- 20
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
  boosted(loss_ordinal()), quote(lambdamart(5, num_leaves = 8)),
  boosted(loss_lambda("ndcg@10", pairs = 5)), boosted(loss_lambda("ndcg", truncation = 1e6)),
  boosted(loss_lambda("map")), boosted(loss_lambda("err")), boosted(loss_smooth("ndcg@10")),
  boosted(loss_smooth("ndcg")), boosted(loss_smooth("map")), quote(yetirank(5, max_depth = 3)),
  quote(yetirank(5, max_depth = 3, setup = "equal")),
  quote(rankboost(5)), quote(adarank(rounds = 5, repeats = 1)),
  quote(coordinate_ascent(restarts = 1, iterations = 2)),
  quote(smoothrank(start = linear_ranker(penalty = 0.1), penalty = 0.1, schedule = c(8, 1))),
  quote(best_feature()), quote(adaboost_mh(base_tree(8), rounds = 5)), quote(mcsvm(0.1)),
  quote(m5p()), quote(network_ranker(loss_pairwise(), hidden = 8, epochs = 2)),
  quote(network_ranker(loss_lambda(), hidden = 8, epochs = 2))
)
metrics <- setdiff(rankmix:::metric_names(), character())

# Runs in a child process: prints the seconds of the processor.
measure <- function(what, documents) {
  library(rankmix)
  data <- long_list(documents)
  if (what == "metrics") {
    model <- fit(best_feature(), data, seed = 1, threads = 1)
    for (metric in metrics) {
      seconds <- system.time(evaluate(model, data, metric, threads = 1))[["user.self"]]
      cat(metric, seconds, "\n")
    }
  } else {
    spec <- eval(fits[[as.integer(what)]])
    cat(system.time(fit(spec, data, seed = 1, threads = 1, verbose = FALSE))[["user.self"]], "\n")
  }
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
seconds_of_fit <- function(i, documents) {
  output <- child(i, documents)
  if (is.null(attr(output, "status"))) as.numeric(utils::tail(output, 1L)) else NA
}
only <- Sys.getenv("ONLY")
chosen <- seq_along(fits)
if (nzchar(only)) chosen <- grep(only, vapply(fits, deparse1, ""))
table <- t(vapply(chosen, function(i) {
  seconds <- rep(NA_real_, length(sizes))
  for (k in seq_along(sizes)) {
    if (k > 1L && (is.na(seconds[k - 1L]) || seconds[k - 1L] > limit)) break
    seconds[k] <- seconds_of_fit(i, sizes[k])
  }
  cat(deparse1(fits[[i]]), seconds, "\n")
  seconds
}, numeric(length(sizes))))
