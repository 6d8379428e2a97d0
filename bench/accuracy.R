# Accuracy on the official folds of MQ2008 or OHSUMED, or on MSLR-sample: calibrated and
# mixed AdaBoost.MH and multi-class SVM as in tune-and-mix, lightgbm's lambdarank and the
# best single feature. Everything is trained on train.txt and tuned on vali.txt. Writes
# bench/accuracy.md, bench/accuracy-ohsumed.md or bench/accuracy-mslr.md.
#
#   Rscript bench/accuracy.R [OHSUMED | MSLR-sample] [--again]
#
# RANKMIX_DATA names the data folder. With --again the report is written anew from the values
# that an earlier run left in .build, about an hour's work.

library(rankmix)
source("bench/common.R")
need_package("lightgbm")

arguments <- commandArgs(trailingOnly = TRUE)
again <- "--again" %in% arguments
collection <- c(setdiff(arguments, "--again"), "MQ2008")[1L]
values_file <- sprintf(".build/accuracy-%s.rds", collection)
report <- c(MQ2008 = "bench/accuracy.md", OHSUMED = "bench/accuracy-ohsumed.md",
            `MSLR-sample` = "bench/accuracy-mslr.md")[[collection]]
max_grade <- if (collection == "MSLR-sample") 4 else 2
metrics <- list(ndcg(10, empty = 1), err(max_grade = max_grade))
# The papers' base learners and costs.
boosted <- lapply(list(tree(8), tree(64), product(3), product(10)), adaboost_mh,
                  rounds = 500)
svms <- mcsvm(10^(-6:1), bias = FALSE, scale = if (collection == "MSLR-sample") "standard" else "none")
calibrators <- all_calibrators()
three <- list(naive(), cpc(), rbc())
stages_of_rounds <- c(10, 50, 200, 500)
grid_c <- c(0, 1, 2, 5, 10, 20, 50, 100, 150, 200)

read_parts <- function(fold) {
  folder <- if (fold == 0) collection else file.path(collection, paste0("Fold", fold))
  parts <- c(train = "train.txt", valid = "vali.txt", test = "test.txt")
  lapply(parts, function(file) read_letor(file.path(data_folder(), folder, file)))
}

# Scores of all members on the held-out and the test part, for a number of rounds.
member_scores <- function(parts, classifiers, rounds) {
  grid <- expand.grid(method = seq_along(calibrators), model = seq_along(classifiers))
  members <- Map(function(method, model) {
    classifier <- classifiers[[model]]
    calibrated <- calibrate(classifier, parts$valid, calibrators[[method]],
                            rounds = min(rounds, classifier$best_rounds), threads = 1)
    list(valid = predict(calibrated, parts$valid, threads = 1),
         test = predict(calibrated, parts$test, threads = 1))
  }, grid$method, grid$model)
  list(valid = lapply(members, `[[`, "valid"), test = lapply(members, `[[`, "test"),
       method = grid$method, model = grid$model, rounds = rounds)
}

# The mixture of some members with the number of rounds that is best on the held-out part.
mix_best <- function(stages, valid, keep, c) {
  mixtures <- lapply(stages, function(stage) {
    chosen <- stage$valid[keep]
    names(chosen) <- seq_along(chosen)
    mix(chosen, valid, metrics[[1L]], c = c, threads = 1)
  })
  best <- which.max(vapply(mixtures, `[[`, 0, "value"))
  weights <- mixtures[[best]]$members$weight
  list(scores = Reduce(`+`, Map(`*`, stages[[best]]$test[keep], weights)),
       rounds = stages[[best]]$rounds, c = mixtures[[best]]$c)
}

# What tune_and_mix() makes of classifiers: it weighs and tunes by calibrators that have not
# seen the query.
cross_fitted <- function(parts, classifiers, calibrators, grid_rounds, ...) {
  mixture <- suppressWarnings(tune_and_mix(
    parts$train, parts$valid, classifiers, calibrators, metrics[[1L]],
    weigh = weighing(c = grid_c, rounds = grid_rounds), ..., seed = 1, threads = 1,
    verbose = FALSE
  ))
  list(scores = suppressWarnings(predict(mixture, parts$test, threads = 1)),
       rounds = mixture$rounds, c = mixture$c)
}

# Scores on the test part of the ways to combine the same classifiers.
combined <- function(parts, classifiers, label, grid_rounds) {
  # Discriminants of an SVM have no bound: some are beyond that of the training data.
  stages <- suppressWarnings(lapply(grid_rounds, member_scores, parts = parts,
                                    classifiers = classifiers))
  kind <- vapply(calibrators, `[[`, "", "name")[stages[[1L]]$method]
  all <- rep(TRUE, length(kind))
  ways <- list(OneBest = mix_best(stages, parts$valid, all, Inf),
               EXP = mix_best(stages, parts$valid, all, grid_c),
               EXP.CPC = mix_best(stages, parts$valid, kind == "cpc", grid_c),
               EXP.RBC = mix_best(stages, parts$valid, kind == "rbc", grid_c))
  ways$`EXP, cross-fitted` <- cross_fitted(parts, classifiers, calibrators, grid_rounds)
  ways$`EXP, three calibrators` <- cross_fitted(parts, classifiers, three, grid_rounds)
  names(ways) <- paste(label, names(ways), sep = "+")
  message(paste(sprintf("%s: T = %g, c = %g", names(ways), vapply(ways, `[[`, 0, "rounds"),
                        vapply(ways, `[[`, 0, "c")), collapse = "; "))
  used <- Find(function(stage) stage$rounds == ways[[2L]]$rounds, stages)
  list(scores = lapply(ways, `[[`, "scores"), stage = used)
}

# The test metric of members with gains as they are and normalised by query, in pairs.
normalised_pairs <- function(stage, test, fold) {
  labels <- vapply(calibrators, format, "")[stage$method]
  plain <- which(grepl("^rbc", labels) & !grepl("normalize", labels))
  with <- match(paste(stage$model[plain], sub("\\)$", ", normalize = TRUE)", labels[plain])),
                paste(stage$model, labels))
  value <- function(members) {
    scores <- stage$test[members]
    names(scores) <- seq_along(scores)
    summary(evaluate(scores, test, metrics[[1L]], threads = 1))$mean
  }
  data.frame(fold = fold, plain = value(plain), normalised = value(with))
}

run_fold <- function(fold) {
  parts <- read_parts(fold)
  message(sprintf("%s %s", collection, format(fold)))
  ab <- combined(parts, lapply(boosted, fit, parts$train, seed = 1, threads = 1,
                               verbose = FALSE), "AB", stages_of_rounds)
  svm <- combined(parts, unclass(fit(svms, parts$train, threads = 1, verbose = FALSE)),
                  "SVM", 1)
  # Specifications that differ in grouping and features, for which mixing is meant.
  many <- cross_fitted(parts, boosted, three, stages_of_rounds,
                       grid = member_grid(groupings = c("identity", "binary", "three"),
                                          features = c("original", "standardized")))
  message(sprintf("24 classifiers: T = %g, c = %g", many$rounds, many$c))
  lambdarank <- lambdarank_scores(parts)
  feature <- predict(fit(best_feature(metrics[[1L]]), parts$train), parts$test)
  scores <- c(ab$scores, svm$scores, list(`AB+EXP, 24 classifiers` = many$scores,
                                          `lightgbm lambdarank` = lambdarank$scores,
                                          `best feature` = feature))
  values <- as.data.frame(evaluate(scores, parts$test, metrics, threads = 1))
  list(values = cbind(fold = fold, values),
       pairs = rbind(normalised_pairs(ab$stage, parts$test, fold),
                     normalised_pairs(svm$stage, parts$test, fold)))
}

folds <- if (collection == "MSLR-sample") 0 else 1:5  # 0: there are no folds
if (!again) {
  runs <- lapply(folds, run_fold)
  measured <- lapply(c(results = "values", pairs = "pairs"), function(name) {
    do.call(rbind, lapply(runs, `[[`, name))
  })
  dir.create(".build", showWarnings = FALSE)
  saveRDS(measured, values_file)
}
measured <- readRDS(values_file)
results <- measured$results
pairs <- measured$pairs
results$key <- paste(results$fold, results$query)
rankers <- unique(results$ranker)
names <- unique(results$metric)

# Means over folds of the fold means, as the papers report them, and the standard
# error of the mean over all queries.
values_of <- function(ranker, metric) {
  part <- results[results$ranker == ranker & results$metric == metric, ]
  part[order(part$key), ]
}
mean_row <- function(ranker, metric) {
  part <- values_of(ranker, metric)
  by_fold <- tapply(part$value, part$fold, mean)
  sprintf("| %s | %.4f | %.4f | %s |", ranker, mean(by_fold),
          sd(part$value) / sqrt(nrow(part)), paste(sprintf("%.4f", by_fold), collapse = " | "))
}
# All pairs of rankers, by paired t tests in each fold, combined by Fisher.
evaluated <- results[setdiff(names(results), "key")]
if (length(folds) == 1L) evaluated$fold <- NULL
compared <- compare_rankers(structure(evaluated, class = c("rankmix_evaluation", "data.frame")),
                            seed = 1)$pairs
# One ranker minus another; `adjusted` is Holm's over the questions of a metric.
claim_pair <- function(claim, metric) {
  row <- compared[compared$metric == metric & compared$a %in% claim[2:3] &
                    compared$b %in% claim[2:3], ]
  sign <- if (row$a == claim[2L]) 1 else -1
  sides <- sort(sign * c(row$lower, row$upper))
  data.frame(difference = sign * row$difference, lower = sides[1L], upper = sides[2L],
             p = row$p_t)
}
claim_rows <- function(metric) {
  found <- do.call(rbind, lapply(claims, claim_pair, metric))
  show <- function(p) format.pval(p, digits = 2, eps = 1e-4)
  sprintf("| %s | %s | %s | %s | %+.4f | [%+.4f, %+.4f] | %s | %s |",
          vapply(claims, `[`, "", 1L), vapply(claims, `[`, "", 2L), vapply(claims, `[`, "", 3L),
          metric, found$difference, found$lower, found$upper,
          vapply(found$p, show, ""), vapply(stats::p.adjust(found$p, "holm"), show, ""))
}
claims <- list(
  c("mixing helps AdaBoost", "AB+EXP", "AB+OneBest"),
  c("mixing helps the SVM", "SVM+EXP", "SVM+OneBest"),
  c("cross-fitting helps AdaBoost", "AB+EXP, cross-fitted", "AB+EXP"),
  c("cross-fitting helps the SVM", "SVM+EXP, cross-fitted", "SVM+EXP"),
  c("cross-fitted mixture against one best", "AB+EXP, cross-fitted", "AB+OneBest"),
  c("22 calibrators against three", "AB+EXP, cross-fitted", "AB+EXP, three calibrators"),
  c("24 classifiers against four", "AB+EXP, 24 classifiers", "AB+EXP, three calibrators"),
  c("all calibrators against CPC", "AB+EXP", "AB+EXP.CPC"),
  c("all calibrators against RBC", "AB+EXP", "AB+EXP.RBC"),
  c("mixture against lambdarank", "AB+EXP", "lightgbm lambdarank"),
  c("cross-fitted mixture against lambdarank", "AB+EXP, cross-fitted", "lightgbm lambdarank"),
  c("three calibrators against lambdarank", "AB+EXP, three calibrators",
    "lightgbm lambdarank"),
  c("24 classifiers against lambdarank", "AB+EXP, 24 classifiers", "lightgbm lambdarank"),
  c("24 classifiers against the best feature", "AB+EXP, 24 classifiers", "best feature")
)
helped <- mean(pairs$normalised > pairs$plain)
gain <- t.test(pairs$normalised, pairs$plain, paired = TRUE)

columns <- if (length(folds) > 1L) paste0("Fold", folds) else "test"
lines <- c(
  paste("# Accuracy on", collection),
  "",
  sprintf("Written by `Rscript bench/accuracy.R %s`: trained on train.txt, tuned on vali.txt,",
          collection),
  sprintf("measured on test.txt (%d queries in all). A query without a relevant document has",
          length(unique(results$key))),
  "NDCG 1 and ERR 0.",
  sprintf("rankmix %s, lightgbm %s, %s.", packageVersion("rankmix"),
          packageVersion("lightgbm"), R.version.string),
  "",
  "AB are adaboost_mh() with tree(8), tree(64), product(3) and product(10), up to 500",
  sprintf("rounds; SVM is %s. Both with all", format(svms)),
  sprintf("%d calibrators: OneBest is the best member on vali.txt, EXP the mixture, EXP.CPC and",
          length(calibrators)),
  "EXP.RBC those of cpc() or rbc() alone; T (10, 50, 200, 500) and c tuned on vali.txt. As in",
  "the paper, calibrators are fitted to the documents that tune the mixture; `cross-fitted` is",
  "what tune_and_mix() does by default: members are weighed, and T and c chosen, by calibrators",
  "fitted to the other half of the queries. `three calibrators` the same with naive(), cpc() and",
  "rbc() alone; `24 classifiers` with these three, and each of the four base learners on three",
  "groupings of grades and two sets of features (original, standardised by query).",
  "The best feature is the one that ranks train.txt best. lightgbm has 15 leaves,",
  "learning rate 0.05, at least 50 documents a leaf, and stops early after 50 rounds",
  "without a better NDCG@10 on vali.txt.",
  unlist(lapply(names, function(metric) {
    c("", paste("##", metric), "",
      sprintf("| ranker | mean%s | standard error | %s |",
              if (length(folds) > 1L) " of folds" else "", paste(columns, collapse = " | ")),
      paste0(strrep("|---", 3L + length(columns)), "|"),
      vapply(rankers, mean_row, character(1), metric = metric))
  })),
  "",
  "## One ranker minus another",
  "",
  sprintf("By `compare_rankers()`: paired t tests%s; bootstrap intervals over all queries; Holm's",
          if (length(folds) > 1L) " in each fold, combined by Fisher" else ""),
  "adjustment over the questions of a metric.",
  "",
  "| question | ranker | against | metric | mean difference | 95 % interval | p | adjusted |",
  "|---|---|---|---|---|---|---|---|",
  unlist(lapply(names, claim_rows)),
  "",
  sprintf("Normalising gains by query: of %d pairs of regression-calibrated members, %.0f %% have a",
          nrow(pairs), 100 * helped),
  sprintf("higher test %s with normalised gains; the mean difference is %+.4f, 95 %% interval [%+.4f,",
          names[1L], unname(gain$estimate), gain$conf.int[1L]),
  sprintf("%+.4f] over pairs (which are not independent).", gain$conf.int[2L])
)
writeLines(lines, report)
cat(lines, sep = "\n")
