# Accuracy on the official folds of MQ2008: mixtures, the best single member,
# lightgbm's lambdarank and the best single feature. Everything is trained on
# train.txt and tuned on vali.txt. Writes bench/accuracy.md.
#
#   Rscript bench/accuracy.R          (RANKMIX_DATA names the data folder)

library(rankmix)
source("bench/common.R")
need_package("lightgbm")

metrics <- list(ndcg(10, empty = 1), err(max_grade = 2))
learners <- list(tree(8), tree(16), stump())
plain <- lapply(learners, adaboost_mh, rounds = 500)
# The same learners, perturbed in every way that adaboost_mh() offers: all
# combinations of both weightings, two numbers of bins and two feature shares.
settings <- expand.grid(learner = seq_along(learners),
                        weights = c("relevance", "uniform"), bins = c(255, 31),
                        feature_share = c(1, 0.3), stringsAsFactors = FALSE)
diverse <- Map(function(learner, weights, bins, feature_share) {
  adaboost_mh(learners[[learner]], rounds = 500, weights = weights, bins = bins,
              feature_share = feature_share)
}, settings$learner, settings$weights, settings$bins, settings$feature_share)

evaluate_ranker <- function(ranker, scores, data, fold) {
  values <- evaluate(scores, data, metrics)
  cbind(data.frame(ranker = ranker, fold = fold),
        as.data.frame(values)[c("query", "metric", "value")])
}

run_fold <- function(number) {
  fold <- read_fold(data_folder("MQ2008", paste0("Fold", number)))
  mixtures <- lapply(list(diverse = diverse, plain = plain), function(members) {
    started <- proc.time()[["elapsed"]]
    mixture <- tune_and_mix(fold$train, fold$valid, members,
                            metric = metrics[[1L]], seed = 1, threads = 2)
    message(sprintf("Fold %d: %d classifiers, T = %d, c = %g, %.1f s", number,
                    length(members), mixture$rounds, mixture$c,
                    proc.time()[["elapsed"]] - started))
    mixture
  })
  members <- predict(mixtures$diverse, fold$test, type = "member")
  lambdarank <- lambdarank_scores(fold)
  feature <- best_feature_scores(fold, metrics[[1L]])
  message(sprintf("Fold %d: lambdarank %d rounds, best feature %s", number,
                  lambdarank$rounds, feature$feature))
  scores <- list(
    predict(mixtures$diverse, fold$test), predict(mixtures$plain, fold$test),
    members[, which.max(mixtures$diverse$members$value)],
    lambdarank$scores, feature$scores
  )
  names(scores) <- c("mixture of 24", "mixture of 3", "best member of 24",
                     "lightgbm lambdarank", "best feature")
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

# Paired over queries: one ranker minus another.
paired_row <- function(ranker, other, metric) {
  pick <- function(name) {
    part <- results[results$ranker == name & results$metric == metric, ]
    part$value[order(part$key)]
  }
  test <- t.test(pick(ranker), pick(other), paired = TRUE)
  sprintf("| %s | %s | %s | %+.4f | [%+.4f, %+.4f] | %.4f |", ranker, other,
          metric, unname(test$estimate), test$conf.int[1L], test$conf.int[2L],
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
  "The mixture of 3 holds adaboost_mh() with tree(8), tree(16) and stump(), up to 500",
  "rounds, with all calibrators. The mixture of 24 holds the same three in every",
  "combination of weights (relevance, uniform), bins (255, 31) and feature_share (1,",
  "0.3). The best member is the one of the 24 x 3 with the highest metric on vali.txt.",
  "The best feature is the one that ranks train.txt best. lightgbm has 15 leaves,",
  "learning rate 0.05, at least 50 documents a leaf, and stops early after 50 rounds",
  "without a better NDCG@10 on vali.txt.",
  unlist(lapply(names, function(metric) {
    c("", paste("##", metric), "",
      "| ranker | mean of folds | standard error | Fold1 | Fold2 | Fold3 | Fold4 | Fold5 |",
      "|---|---|---|---|---|---|---|---|",
      sprintf("| %s | %s |", rankers,
              vapply(rankers, mean_row, character(1), metric = metric)))
  })),
  "",
  "## One ranker minus another, paired t test over the queries of all folds",
  "",
  "| ranker | against | metric | mean difference | 95 % interval | p |",
  "|---|---|---|---|---|---|",
  unlist(lapply(names, function(metric) {
    c(vapply(rankers[-1L], paired_row, character(1), ranker = rankers[1L],
             metric = metric),
      vapply(rankers[4:5], paired_row, character(1), ranker = rankers[2L],
             metric = metric),
      paired_row(rankers[4L], rankers[5L], metric))
  }))
)
writeLines(lines, "bench/accuracy.md")
cat(lines, sep = "\n")
