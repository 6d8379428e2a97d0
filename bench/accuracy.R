# Accuracy on the official folds of MQ2008: the mixture, its best single member,
# lightgbm's lambdarank and the best single feature. Everything is trained on
# train.txt and tuned on vali.txt. Writes bench/accuracy.md.
#
#   Rscript bench/accuracy.R          (RANKMIX_DATA names the data folder)

library(rankmix)
source("bench/common.R")
need_package("lightgbm")

metrics <- list(ndcg(10, empty = 1), err(max_grade = 2))
classifiers <- list(adaboost_mh(tree(8), rounds = 500),
                    adaboost_mh(tree(16), rounds = 500),
                    adaboost_mh(stump(), rounds = 500))

evaluate_ranker <- function(ranker, scores, data, fold) {
  values <- evaluate(scores, data, metrics)
  cbind(data.frame(ranker = ranker, fold = fold),
        as.data.frame(values)[c("query", "metric", "value")])
}

run_fold <- function(number) {
  fold <- read_fold(data_folder("MQ2008", paste0("Fold", number)))
  started <- proc.time()[["elapsed"]]
  mixture <- tune_and_mix(fold$train, fold$valid, classifiers,
                          metric = metrics[[1L]], seed = 1, threads = 2)
  seconds <- proc.time()[["elapsed"]] - started
  members <- predict(mixture, fold$test, type = "member")
  lambdarank <- lambdarank_scores(fold)
  feature <- best_feature_scores(fold, metrics[[1L]])
  message(sprintf("Fold %d: T = %d, c = %g, %.1f s; lambdarank %d rounds; %s",
                  number, mixture$rounds, mixture$c, seconds,
                  lambdarank$rounds, feature$feature))
  scores <- list(
    mixture = predict(mixture, fold$test),
    `best member` = members[, which.max(mixture$members$value)],
    `lightgbm lambdarank` = lambdarank$scores,
    `best feature` = feature$scores
  )
  do.call(rbind, Map(evaluate_ranker, names(scores), scores,
                     MoreArgs = list(data = fold$test, fold = number)))
}

results <- do.call(rbind, lapply(1:5, run_fold))
results$key <- paste(results$fold, results$query)

# Means over folds of the fold means, as the papers report them, and the standard
# error of the mean over all queries.
mean_row <- function(ranker, metric) {
  part <- results[results$ranker == ranker & results$metric == metric, ]
  folds <- tapply(part$value, part$fold, mean)
  sprintf("%.4f | %.4f | %s", mean(folds), sd(part$value) / sqrt(nrow(part)),
          paste(sprintf("%.4f", folds), collapse = " | "))
}

# Paired over queries: the mixture minus another ranker.
paired_row <- function(other, metric) {
  pick <- function(ranker) {
    part <- results[results$ranker == ranker & results$metric == metric, ]
    part$value[order(part$key)]
  }
  test <- t.test(pick("mixture"), pick(other), paired = TRUE)
  sprintf("| %s | %s | %+.4f | [%+.4f, %+.4f] | %.4f |", other, metric,
          unname(test$estimate), test$conf.int[1L], test$conf.int[2L],
          test$p.value)
}

rankers <- unique(results$ranker)
names <- vapply(metrics, format, character(1))
lines <- c(
  "# Accuracy on MQ2008",
  "",
  paste("Written by `Rscript bench/accuracy.R`: official folds, trained on",
        "train.txt, tuned on vali.txt,"),
  paste("measured on test.txt (784 queries in all). A query without a relevant",
        "document has NDCG 1 and ERR 0."),
  sprintf("rankmix %s, lightgbm %s, %s.", packageVersion("rankmix"),
          packageVersion("lightgbm"), R.version.string),
  "",
  paste("The mixture holds", paste(vapply(classifiers, format, ""),
                                   collapse = ", "),
        "with all calibrators;"),
  "the best member is the one with the highest metric on vali.txt; lightgbm has",
  "15 leaves, learning rate 0.05, at least 50 documents a leaf, and stops early",
  "after 50 rounds without a better NDCG@10 on vali.txt.",
  unlist(lapply(names, function(metric) {
    c("", paste("##", metric), "",
      "| ranker | mean of folds | standard error | Fold1 | Fold2 | Fold3 | Fold4 | Fold5 |",
      "|---|---|---|---|---|---|---|---|",
      sprintf("| %s | %s |", rankers,
              vapply(rankers, mean_row, character(1), metric = metric)))
  })),
  "",
  "## The mixture minus another ranker, paired t test over queries",
  "",
  "| against | metric | mean difference | 95 % interval | p |",
  "|---|---|---|---|---|",
  unlist(lapply(names, function(metric) {
    vapply(setdiff(rankers, "mixture"), paired_row, character(1),
           metric = metric)
  }))
)
writeLines(lines, "bench/accuracy.md")
cat(lines, sep = "\n")
