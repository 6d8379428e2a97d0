# The main job: read, train, calibrate, mix, compare. Called by `make demo`.
#
#   Rscript tools/demo.R [folder with train.txt, vali.txt and test.txt]
#
# Prints NDCG@10 and ERR on the test part, and which rankers may be the best. Writes to demo/ the
# mixture (mixture.rds), its test scores (scores.txt), a plot (rankers.png) and the comparison as a
# page (report.html).

suppressPackageStartupMessages(library(rankmix))

folder <- commandArgs(trailingOnly = TRUE)
if (length(folder) == 0L) {
  folder <- system.file("extdata", package = "rankmix", mustWork = TRUE)
}
started <- proc.time()[["elapsed"]]
fold <- read_folds(folder)[[1L]]
cat("Training data: ")
print(fold$train)

set.seed(1)
metrics <- list(metric_ndcg(10), metric_err(max_grade = max(fold$train$relevance)))
mixture <- tune_and_mix(fold$train, fold$valid, metric = metrics[[1L]])
print(mixture)

# The heaviest member alone, and rankers without mixtures.
members <- function(data) predict(mixture, data, type = "member")
best_member <- which.max(mixture$members$value)
rankers <- list(
  mixture = mixture,
  `one calibrated model` = function(data) members(data)[, best_member],
  `boosted trees` = gbrt(trees = 300, num_leaves = 8),
  `best feature` = best_feature(metrics[[1L]])
)
benchmark <- benchmark_rankers(rankers, fold, metrics, patience = 50, seed = 1)
cat("\nOn the test part, mean +- standard error over queries:\n")
print(benchmark)
cat("A query without a relevant document counts 0; ties keep the file's order.\n\n")
compared <- compare_rankers(benchmark, seed = 1)
print(compared)

dir.create("demo", showWarnings = FALSE)
saveRDS(mixture, "demo/mixture.rds")
scores <- predict(mixture, fold$test)
writeLines(format(scores, digits = 17, trim = TRUE), "demo/scores.txt")
ggplot2::ggsave("demo/rankers.png", ggplot2::autoplot(mixture), width = 9,
                height = 9, dpi = 120, bg = "white")
wrote <- c("demo/mixture.rds", "demo/scores.txt", "demo/rankers.png")
if (rmarkdown::pandoc_available("1.12.3")) {
  report(benchmark, "demo/report.html", title = "The rankers of the demo",
         comparison = compared)
  wrote <- c(wrote, "demo/report.html")
} else {
  cat("Without pandoc there is no report.\n")
}
cat(sprintf("\nWrote %s; %.1f s.\n", paste(wrote, collapse = ", "),
            proc.time()[["elapsed"]] - started))
