# The time of m5p() and of its bagging. Writes bench/m5p.md.
#
#   Rscript bench/m5p.R
#
# 240,000 documents x 136 features, 5 grades (bench/simulate.R); the metric on 24,000 other documents is also
# printed, for information only.

library(rankmix)
source("bench/common.R")
source("bench/simulate.R")

all <- simulate_web(264000)
part_of <- function(rows) ranking_data(all$x[rows, ], all$grade[rows], all$query[rows])
web <- part_of(seq_len(240000))
held_out <- part_of(seq(240001, 264000))
rm(all)

measure <- function(name, spec, threads = 2L) {
  gc(FALSE)
  model <- NULL
  fitted <- system.time({
    model <- fit(spec, web, seed = 1, threads = threads, verbose = FALSE)
  })[["elapsed"]]
  predicted <- system.time(scores <- predict(model, web, threads = threads))[["elapsed"]]
  result <- list(
    name = name, fit = fitted, predict = predicted,
    leaves = if (is.null(model$members)) glance(model)$leaves else NA,
    ndcg = summary(evaluate(predict(model, held_out), held_out, metric_ndcg(10)))$mean,
    threads = threads
  )
  cat(sprintf("%s: %.2f s\n", name, fitted))
  result
}

large <- measure("`m5p(256)`, two threads", m5p(256))
bagged <- measure("`bagging(m5p(256))`: 100 of 10 %", bagging(m5p(256)))
rows <- list(
  large,
  measure("the same, one thread", m5p(256), 1L),
  measure("`m5p(4)`", m5p(4)),
  measure("`m5p(256, max_bin = Inf)`", m5p(256, max_bin = Inf)),
  bagged,
  measure("`bagging(m5p(4))`: 100 of 10 %", bagging(m5p(4))),
  measure("`bagging(linear_ranker(penalty = 0.01))`: 100 of 10 %", bagging(linear_ranker(penalty = 0.01))),
  measure("a forest: 100 `gbrt(trees = 1, learning_rate = 1, num_leaves = 500)`, 30 % of the features",
          bagging(gbrt(trees = 1, learning_rate = 1, num_leaves = 500), fraction = 1, feature_fraction = 0.3))
)
line_of <- function(row) {
  sprintf("| %s | %.2f | %.2f | %s | %.4f |", row$name, row$fit, row$predict,
          if (is.na(row$leaves)) "" else format(row$leaves, big.mark = ","), row$ndcg)
}
lines <- c(
  "# The time of regression trees with linear models", "",
  "Written by `Rscript bench/m5p.R`: seconds for training on 240,000 documents x 136 features and",
  "for predictions of the same documents, on two threads unless one is stated. NDCG@10 is on other documents.",
  sprintf("rankmix %s, %s.", packageVersion("rankmix"), R.version.string), "",
  "| | training, s | prediction, s | leaves | NDCG@10 |", "|---|---|---|---|---|",
  vapply(rows, line_of, "")
)
writeLines(lines, "bench/m5p.md")
cat(lines, sep = "\n")
hold_targets(c("m5p(256) in 20 s" = large$fit < 20, "100 of 10 % in 3 minutes" = bagged$fit < 180))
