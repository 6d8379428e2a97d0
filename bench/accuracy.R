# Accuracy on the official folds of MQ2008 (or OHSUMED): mixtures, the best single member,
# lightgbm's lambdarank and the best single feature. Everything is trained on
# train.txt and tuned on vali.txt. Writes bench/accuracy.md, and for OHSUMED
# bench/accuracy-ohsumed.md.
#
#   Rscript bench/accuracy.R [OHSUMED]     (RANKMIX_DATA names the data folder)

library(rankmix)
source("bench/common.R")
need_package("lightgbm")

collection <- c(commandArgs(trailingOnly = TRUE), "MQ2008")[1L]
report <- if (collection == "MQ2008") {
  "bench/accuracy.md"
} else {
  paste0("bench/accuracy-", tolower(collection), ".md")
}

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

# Draws of features are a matter of luck: what depends on them is run with several
# seeds, and a query's value is the mean over the seeds.
seeds <- 1:3

evaluate_ranker <- function(ranker, scores, data, fold) {
  values <- evaluate(scores, data, metrics)
  cbind(data.frame(ranker = ranker, fold = fold),
        as.data.frame(values)[c("query", "metric", "value")])
}

fit_mixture <- function(fold, number, classifiers, seed, calibrators = all_calibrators()) {
  started <- proc.time()[["elapsed"]]
  mixture <- tune_and_mix(fold$train, fold$valid, classifiers, calibrators,
                          metric = metrics[[1L]], seed = seed, threads = 2)
  message(sprintf("Fold %d, seed %d: %d classifiers, T = %d, c = %g, %.1f s",
                  number, seed, length(classifiers), mixture$rounds, mixture$c,
                  proc.time()[["elapsed"]] - started))
  mixture
}

# Scores on the test part, one column a seed.
mixture_scores <- function(fold, number, classifiers, seeds, ...) {
  lapply(seeds, function(seed) {
    mixture <- fit_mixture(fold, number, classifiers, seed, ...)
    members <- predict(mixture, fold$test, type = "member")
    list(mixture = predict(mixture, fold$test),
         member = members[, which.max(mixture$members$value)])
  })
}

run_fold <- function(number) {
  fold <- read_folds(data_folder(collection, paste0("Fold", number)))[[1L]]
  many <- mixture_scores(fold, number, diverse, seeds)
  few <- mixture_scores(fold, number, plain, seeds[1L])
  svm <- mcsvm(10^(-6:1))  # draws nothing
  svms <- lapply(list(all_calibrators(), cpc(), rbc()), function(calibrators) {
    mixture_scores(fold, number, svm, seeds[1L], calibrators)[[1L]]
  })
  lambdarank <- lambdarank_scores(fold)
  feature <- best_feature_scores(fold, metrics[[1L]])
  message(sprintf("Fold %d: lambdarank %d rounds, best feature %s", number,
                  lambdarank$rounds, feature$feature))
  runs <- c(
    lapply(many, function(run) list("mixture of 24", run$mixture)),
    list(list("mixture of 3", few[[1L]]$mixture)),
    lapply(many, function(run) list("best member of 24", run$member)),
    list(list("lightgbm lambdarank", lambdarank$scores),
         list("best feature", feature$scores),
         list("SVM+EXP", svms[[1L]]$mixture), list("SVM+OneBest", svms[[1L]]$member),
         list("SVM+EXP.CPC", svms[[2L]]$mixture), list("SVM+EXP.RBC", svms[[3L]]$mixture))
  )
  rows <- lapply(runs, function(run) {
    evaluate_ranker(run[[1L]], run[[2L]], fold$test, number)
  })
  do.call(rbind, rows)
}

runs <- do.call(rbind, lapply(1:5, run_fold))
rankers <- unique(runs$ranker)
results <- aggregate(value ~ ranker + fold + query + metric, runs, mean)
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
  sprintf("| %s | %s | %s | %+.4f | [%+.4f, %+.4f] | %s |", ranker, other,
          metric, unname(test$estimate), test$conf.int[1L], test$conf.int[2L],
          format.pval(test$p.value, digits = 2, eps = 1e-4))
}

names <- vapply(metrics, format, character(1))
lines <- c(
  paste("# Accuracy on", collection),
  "",
  sprintf("Written by `Rscript bench/accuracy.R %s`: official folds, trained on",
          collection),
  sprintf("train.txt, tuned on vali.txt, measured on test.txt (%d queries in all). A",
          length(unique(results$key))),
  "query without a relevant document has NDCG 1 and ERR 0.",
  sprintf("rankmix %s, lightgbm %s, %s.", packageVersion("rankmix"),
          packageVersion("lightgbm"), R.version.string),
  "",
  "The mixture of 3 holds adaboost_mh() with tree(8), tree(16) and stump(), up to 500",
  "rounds, with all calibrators. The mixture of 24 holds the same three in every",
  "combination of weights (relevance, uniform), bins (255, 31) and feature_share (1,",
  sprintf("0.3), averaged query by query over %d seeds. The best member", length(seeds)),
  "is the one of the 24 x 3 with the highest metric on vali.txt.",
  "The SVM rows mix mcsvm(cost = 10^(-6:1)) with all calibrators (EXP), cpc() alone, rbc()",
  "alone, or take the best single member (OneBest).",
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
  "The p values are not corrected for the number of comparisons.",
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
writeLines(lines, report)
cat(lines, sep = "\n")
