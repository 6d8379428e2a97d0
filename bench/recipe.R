# The recipe of Busa-Fekete et al. 2013: four base learners, 10,000 rounds, on the folds of
# MQ2008 and OHSUMED. Writes bench/recipe.md.
#
#   Rscript bench/recipe.R
#
# Held-out NDCG@10 (an empty query counts 1, as in the paper) of naive calibration at the
# number of rounds that the validation part chooses among 10, 20, 50, ..., 10,000. Needs RANKMIX_DATA.

library(rankmix)
source("bench/common.R")

metric <- ndcg(10, empty = 1)
learners <- list(tree(8), tree(64), product(3), product(10))

one_fold <- function(fold, base) {
  parts <- read_folds(fold)[[1L]]
  model <- fit(adaboost_mh(base, rounds = 10000), parts$train, validation = parts$valid,
               metric = metric, seed = 1, verbose = FALSE)
  c(value = summary(evaluate(model, parts$test, metric))$mean, rounds = model$best_rounds,
    done = length(model$alpha))
}
one_line <- function(set, base) {
  folds <- data_folder(set, paste0("Fold", 1:5))
  found <- vapply(folds, one_fold, numeric(3), base = base)
  line <- sprintf("| %s | %s | %.4f (%.4f) | %s | %s |", set, format(base),
                  mean(found["value", ]), sd(found["value", ]) / sqrt(5),
                  paste(found["rounds", ], collapse = ", "),
                  paste(unique(range(found["done", ])), collapse = " to "))
  cat(line, "\n")
  line
}
cases <- expand.grid(base = seq_along(learners), set = c("MQ2008", "OHSUMED"),
                     stringsAsFactors = FALSE)
lines <- c(
  "# The paper's recipe, 10,000 rounds", "",
  "Written by `Rscript bench/recipe.R`: NDCG@10 (empty = 1) on the test parts of the five",
  "folds, mean and standard error over folds, the rounds that the validation parts chose, the",
  "rounds trained (fewer where no edge was left).",
  sprintf("rankmix %s, %s.", packageVersion("rankmix"), R.version.string), "",
  "| data | base learner | NDCG@10 | rounds chosen | rounds trained |",
  "|---|---|---|---|---|",
  mapply(function(base, set) one_line(set, learners[[base]]), cases$base, cases$set)
)
writeLines(lines, "bench/recipe.md")
