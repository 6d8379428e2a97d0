# Time of prediction against lightgbm. Writes bench/predict.md.
#
#   Rscript bench/predict.R
#
# 1000 regression trees of 64 leaves, 120,000 documents x 136 features, on one thread and
# on two: documents in seconds of predict(), medians of 5 runs in turn. Both predict on the
# same matrix of doubles with a model of their own, trained on 60,000 documents. Fails where
# gbrt() is not 6 times as fast.

library(rankmix)
source("bench/common.R")
source("bench/simulate.R")
need_package("lightgbm")

trees <- 1000L
data <- simulate_web(180000)
train <- seq_len(60000)
test <- data$x[-train, ]
ranking <- ranking_of(data, train)
model <- fit(gbrt(trees = trees, num_leaves = 64), ranking, seed = 1, verbose = FALSE)
classifier <- fit(adaboost_mh(base_tree(64), rounds = trees), ranking, seed = 1, verbose = FALSE)
peer <- lightgbm_regression(data, train, trees, 64L)

measure <- function(threads) {
  runs <- list(
    gbrt = function() predict(model, test, threads = threads),
    lightgbm = function() predict(peer, test, params = list(num_threads = threads)),
    adaboost = function() predict(classifier, test, type = "raw", threads = threads)
  )
  for (run in runs) run()  # warms up
  times <- vapply(1:5, function(i) vapply(runs, function(run) seconds_of(run()), 0), numeric(3))
  ratio <- times["lightgbm", ] / times["gbrt", ]
  per_second <- function(name) {
    format(round(nrow(test) / median(times[name, ]), -2), big.mark = ",", scientific = FALSE)
  }
  line <- sprintf("| %d | %s | %s | %.1f (%.1f to %.1f) | %s |", threads, per_second("gbrt"),
                  per_second("lightgbm"), median(ratio), min(ratio), max(ratio),
                  per_second("adaboost"))
  list(line = line, held = setNames(median(ratio) >= 6, paste("threads:", threads)))
}
results <- lapply(1:2, measure)

lines <- c(
  "# Time of prediction", "",
  sprintf("Written by `Rscript bench/predict.R`: %s trees of 64 leaves, %s documents x 136", trees,
          format(nrow(test), big.mark = ",")),
  "features. The table shows documents per second, medians of 5 alternating runs. `ratio` is the time of lightgbm divided by",
  "the time of gbrt(), run by run: median (range). adaboost_mh(base_tree(64)) has five outputs.",
  sprintf("rankmix %s, lightgbm %s, %s.", packageVersion("rankmix"),
          packageVersion("lightgbm"), R.version.string), "",
  "| threads | gbrt() | lightgbm | ratio | adaboost_mh() |", "|---|---|---|---|---|",
  vapply(results, `[[`, "", "line")
)
writeLines(lines, "bench/predict.md")
cat(lines, sep = "\n")
hold_targets(unlist(lapply(results, `[[`, "held")))
