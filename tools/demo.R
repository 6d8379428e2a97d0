# The main job: read, train, calibrate, mix, evaluate. Called by `make demo`.
#
#   Rscript tools/demo.R [folder with train.txt, vali.txt and test.txt]
#
# Prints NDCG@10 and ERR on the test part, and writes to demo/ the mixture
# (mixture.rds), its test scores (scores.txt) and a plot (members.png).

suppressPackageStartupMessages(library(rankmix))
source("bench/common.R")

folder <- commandArgs(trailingOnly = TRUE)
if (length(folder) == 0L) {
  folder <- system.file("extdata", package = "rankmix", mustWork = TRUE)
}
started <- proc.time()[["elapsed"]]
fold <- read_folds(folder)[[1L]]
cat("Training data: ")
print(fold$train)

set.seed(1)
metrics <- list(ndcg(10), err(max_grade = max(fold$train$relevance)))
mixture <- tune_and_mix(
  fold$train, fold$valid,
  classifiers = list(adaboost_mh(tree(8), rounds = 500),
                     adaboost_mh(tree(16), rounds = 500),
                     adaboost_mh(stump(), rounds = 500)),
  metric = metrics[[1L]]
)
print(mixture)

members <- predict(mixture, fold$test, type = "member")
scores <- predict(mixture, fold$test)
rankers <- list(
  best_feature_scores(fold, metrics[[1L]])$scores,
  members[, which.max(mixture$members$value)],
  scores
)
names(rankers) <- c("best single feature", "best single calibrated model",
                    "mixture")
cat("\nOn the test part, mean +- standard error over queries:\n")
for (name in names(rankers)) {
  table <- summary(evaluate(rankers[[name]], fold$test, metrics))
  cat(sprintf("%-29s NDCG@10 %.4f +- %.4f   ERR %.4f +- %.4f\n", name,
              table$mean[1L], table$se[1L], table$mean[2L], table$se[2L]))
}
cat("A query without a relevant document counts 0; ties keep the file's order.\n")

dir.create("demo", showWarnings = FALSE)
saveRDS(mixture, "demo/mixture.rds")
writeLines(format(scores, digits = 17, trim = TRUE), "demo/scores.txt")
ggplot2::ggsave("demo/members.png", ggplot2::autoplot(mixture), width = 9,
                height = 9, dpi = 120, bg = "white")
cat(sprintf("\nWrote demo/mixture.rds, demo/scores.txt and demo/members.png; %.1f s.\n",
            proc.time()[["elapsed"]] - started))
