# The recipe of Busa-Fekete et al. 2013: four base learners, 10,000 rounds, on the folds of
# MQ2008 and OHSUMED. Writes bench/recipe.md.
#
#   Rscript bench/recipe.R [folds, such as 1 or 1,3]
#
# All five folds take about half an hour on two cores.
#
# Validation NDCG@10 (an empty query counts 1, as in the paper) of naive calibration at the number of rounds
# with the best validation value among 10, 20, 50, ..., 10,000. Needs
# RANKMIX_DATA.

library(rankmix)
source("bench/common.R")

metric <- metric_ndcg(10, empty = 1)
arguments <- commandArgs(trailingOnly = TRUE)
numbers <- if (length(arguments) == 0L) 1:5 else as.integer(strsplit(arguments, ",")[[1L]])
learners <- list(base_tree(8), base_tree(64), base_product(3), base_product(10))

one_fold <- function(fold, base) {
  parts <- read_folds(fold)[[1L]]
  model <- fit(adaboost_mh(base, rounds = 10000), parts$train, validation = parts$valid,
               metric = metric, seed = 1, threads = 1, verbose = FALSE)
  c(value = summary(evaluate(model, parts$test, metric))$mean, rounds = model$best_rounds,
    done = length(model$alpha))
}
cases <- expand.grid(number = numbers, base = seq_along(learners), set = c("MQ2008", "OHSUMED"),
                     stringsAsFactors = FALSE)
# The data are small: two fits side by side are faster than two threads for each.
found <- parallel::mclapply(seq_len(nrow(cases)), function(i) {
  fold <- data_folder(cases$set[i], paste0("Fold", cases$number[i]))
  one_fold(fold, learners[[cases$base[i]]])
}, mc.cores = if (.Platform$OS.type == "windows") 1L else 2L, mc.preschedule = FALSE)
found <- do.call(rbind, found)
one_line <- function(rows) {
  sprintf("| %s | %s | %.4f | %s | %s |", cases$set[rows[1L]],
          format(learners[[cases$base[rows[1L]]]]), mean(found[rows, "value"]),
          paste(found[rows, "rounds"], collapse = ", "),
          paste(unique(range(found[rows, "done"])), collapse = " to "))
}
lines <- c(
  "# The paper's recipe, 10,000 rounds", "",
  sprintf("Written by `Rscript bench/recipe.R`: NDCG@10 (empty = 1) on the test part of fold %s,",
          paste(numbers, collapse = ", ")),
  "averaged over the folds. The table also shows the number of rounds that the validation parts chose, and",
  "the number of trained rounds, which is smaller if no edge was left.",
  sprintf("rankmix %s, %s.", packageVersion("rankmix"), R.version.string), "",
  "| data | base learner | NDCG@10 | rounds chosen | rounds trained |",
  "|---|---|---|---|---|",
  tapply(seq_len(nrow(cases)), list(cases$base, cases$set), one_line)
)
writeLines(lines, "bench/recipe.md")
