# Accuracy on the official folds of MQ2008 or OHSUMED, on MSLR-sample, or on simulated data. Compared are each
# member alone, and mixtures of some and of all members by several weighting methods. Also the rows of tables
# 2 and 3 of Tune and mix (2013) with the rankers of these tables, lightgbm's lambdarank, and the best single
# feature. Writes bench/accuracy.md or bench/accuracy-<collection>.md.
#
#   Rscript bench/accuracy.R [OHSUMED | MSLR-sample | simulated] [--again]
#
# Members are trained on train.txt once per fold. All choices use vali.txt. The chosen models rank test.txt
# once. RANKMIX_DATA names the data folder. With --again, scores that an earlier run saved in .build are used,
# and their folds are not trained again. One thread.

library(rankmix)
source("bench/common.R")
source("bench/section_73.R")
peer <- requireNamespace("lightgbm", quietly = TRUE)  # without lightgbm, its rows are left out

arguments <- commandArgs(trailingOnly = TRUE)
again <- "--again" %in% arguments
collection <- c(setdiff(arguments, "--again"), "MQ2008")[1L]
letor <- collection %in% c("MQ2008", "OHSUMED")
ending <- c(MQ2008 = "", OHSUMED = "-ohsumed", `MSLR-sample` = "-mslr", simulated = "-simulated")
metrics <- list(metric_ndcg(10, empty = 1), metric_err(max_grade = if (letor) 2 else 4))
tried_rounds <- c(10, 50, 200)

specs <- list(
  `AB tree(8)` = adaboost_mh(base_tree(8), 200), `AB stump()` = adaboost_mh(base_stump(), 200),
  # The paper has no bias, and features of LETOR are standardised by query already.
  SVM = mcsvm(10^(-4:0), bias = FALSE, scale = if (letor) "none" else "standard"),
  gbrt = gbrt(200), `gbrt softmax` = gbrt(200, objective = loss_softmax()), ridge = linear_ranker()
)
one_score <- c("gbrt", "gbrt softmax", "ridge")
# The paper's other base learners beside base_tree(8). They are used only in the rows of the paper's tables.
papers <- lapply(list(`tree(64)` = base_tree(64), `product(3)` = base_product(3), `product(10)` = base_product(10)),
                 adaboost_mh, rounds = 200)
# All calibrators except the slowest ones.
calibrators <- Filter(function(method) !grepl("network|gaussian|soft_ndcg|degree = [45]", format(method)),
                      all_calibrators())

read_parts <- function(fold) {
  if (collection == "simulated") {
    data <- simulate_ranking(2000, seed = 1)$data
    outer <- split_parts(split_queries(data, 0.7, seed = 1), data)
    inner <- split_parts(split_queries(outer$train, 1000 / 1400, seed = 2), outer$train)
    return(list(train = inner$train, valid = inner$test, test = outer$test))
  }
  folder <- if (letor) file.path(collection, paste0("Fold", fold)) else collection
  lapply(c(train = "train.txt", valid = "vali.txt", test = "test.txt"), function(file) {
    read_letor(file.path(data_folder(folder), file))
  })
}

# The mixtures of a fold, named as in the report.
fold_mixtures <- function(parts, models) {
  mixture <- function(rankers, calibrations = fast_calibrators(), rounds = tried_rounds,
                      holdout = mix_holdout(), weights = mix_weights, ...) {
    suppressWarnings(tune_and_mix(parts$train, parts$valid, unname(rankers), calibrations, metrics[[1L]],
                                  weights = weights(rounds = rounds, ...), holdout = holdout,
                                  seed = 1, threads = 1, verbose = FALSE))
  }
  paper <- function(...) mix_weights(..., choose = "best", prior = "member")
  kinds <- c(all = "EXP", one_best = "OneBest", cpc = "EXP.CPC", rbc = "EXP.RBC")
  of_kinds <- function(label, rankers, calibrations = fast_calibrators(), weighting = mix_weights) {
    made <- lapply(names(kinds), function(kind) {
      if (kind == "cpc") rankers <- rankers[setdiff(names(rankers), one_score)]
      mixture(rankers, calibrations, weights = weighting, members = kind)
    })
    stats::setNames(made, paste0(label, "+", kinds))
  }
  alone <- lapply(names(specs), function(name) {
    mixture(models[name], if (name %in% one_score) list(calibrator_rbc()) else list(calibrator_naive()), members = "one_best")
  })
  everything <- models[names(specs)]
  all <- of_kinds("all", everything)
  # The weighting methods differ only in the weights.
  same_rounds <- all[[1L]]$rounds
  c(stats::setNames(alone, names(specs)),
    of_kinds("AB", models[c("AB base_tree(8)", names(papers))], calibrators, paper),
    of_kinds("SVM", models["SVM"], calibrators, paper),
    list(`two AB+EXP` = mixture(models[1:2]),
         `four+EXP` = mixture(models[c("AB base_tree(8)", "AB base_stump()", "gbrt", "ridge")])),
    all,
    list(`all+EXP of the paper` = mixture(everything, weights = paper),
         `all+EXP by query` = mixture(everything, standardize = "query"),
         `all+selection` = mixture(everything, rounds = same_rounds, method = "selection", bags = 1,
                                   repeats = 1),
         `all+ascent` = mixture(everything, rounds = same_rounds, method = "ascent", repeats = 1),
         `all+EXP, split` = mixture(specs, holdout = mix_holdout(method = "split")),
         `all+EXP, same` = mixture(everything, holdout = mix_holdout(method = "same"))))
}

test_mean <- function(scores, test) {
  summary(evaluate(list(a = scores), test, metrics[[1L]], threads = 1))$mean
}

# The test metric of mixtures of the k members with the best validation metric. Weights stay the same.
by_members <- function(mixture, test, fold) {
  order <- order(-mixture$members$value)
  scores <- suppressWarnings(predict(mixture, test, type = "member", threads = 1))[, order]
  weights <- mixture$members$weight[order]
  counts <- unique(c(1, 2, 5, 10, 20, 50, 100, length(order)))
  counts <- counts[counts <= length(order)]
  data.frame(fold = fold, members = counts, value = vapply(counts, function(k) {
    test_mean(drop(scores[, seq_len(k), drop = FALSE] %*% weights[seq_len(k)]), test)
  }, 0))
}

# As the paper's figure 4: regressions of the gains as they are, and normalised by query.
normalised_pairs <- function(models, parts, rounds, fold) {
  at <- expand.grid(model = seq_along(models), kind = c("linear", "logistic", "network", "polynomial"),
                    stringsAsFactors = FALSE)
  value <- function(normalize) {
    unlist(Map(function(model, kind) {
      fitted <- suppressWarnings(calibrate(models[[model]], parts$valid, calibrator_rbc(kind, normalize = normalize),
                                           rounds = rounds, threads = 1))
      test_mean(suppressWarnings(predict(fitted, parts$test, threads = 1)), parts$test)
    }, at$model, at$kind))
  }
  data.frame(fold = fold, regression = at$kind, plain = value(FALSE), normalised = value(TRUE))
}

run_fold <- function(fold) {
  kept <- sprintf(".build/accuracy-%s-%d.rds", collection, fold)
  parts <- read_parts(fold)
  if (!again || !file.exists(kept)) {
    models <- lapply(c(specs, papers), fit, parts$train, seed = 1, threads = 1, verbose = FALSE)
    mixtures <- fold_mixtures(parts, models)
    fields <- lapply(c(rounds = "rounds", c = "c", value = "value"), function(field) {
      vapply(mixtures, function(mixture) as.numeric(mixture[[field]]), 0)
    })
    saveRDS(list(
      scores = lapply(mixtures, function(m) suppressWarnings(predict(m, parts$test, threads = 1))),
      chosen = data.frame(fold = fold, ranker = names(mixtures), fields, row.names = NULL),
      tuning = cbind(fold = fold, mixtures[["all+EXP"]]$tuning),
      members = by_members(mixtures[["all+EXP"]], parts$test, fold),
      pairs = normalised_pairs(models[c("AB base_tree(8)", names(papers))], parts,
                               mixtures[["AB+EXP"]]$rounds, fold)
    ), kept)
  }
  run <- readRDS(kept)
  if (is.null(run$section_73)) {
    run$section_73 <- section_73_run(parts, metrics[[1L]])
    saveRDS(run, kept)
  }
  run$scores <- c(run$scores, lapply(run$section_73, `[[`, "scores"))
  run$scores$`best feature` <- predict(fit(best_feature(metrics[[1L]]), parts$train), parts$test)
  if (peer) run$scores$`lightgbm lambdarank` <- lambdarank_scores(parts, threads = 1L)$scores
  run$values <- cbind(fold = fold, as.data.frame(evaluate(run$scores, parts$test, metrics, threads = 1)))
  message(sprintf("%s %s", collection, format(fold)))
  run
}

folds <- if (letor) 1:5 else 0L  # 0: there are no folds
dir.create(".build", showWarnings = FALSE)
runs <- lapply(folds, run_fold)
bound <- function(name) do.call(rbind, lapply(runs, `[[`, name))
results <- bound("values")
rankers <- unique(results$ranker)

baselines <- setdiff(names(section_73), "AdaRank.NDCG, LETOR")
question <- function(text, ranker, against) data.frame(question = text, ranker = ranker, against = against)
questions <- rbind(
  question("all against each member", "all+EXP", names(specs)),
  question("all against others", "all+EXP", c("two AB+EXP", "AB+EXP", "SVM+EXP", "four+EXP",
                                              "lightgbm lambdarank", "best feature")),
  question("other weighting", c("all+EXP of the paper", "all+EXP by query", "all+selection", "all+ascent"),
           "all+EXP"),
  question("holding out otherwise", paste0("all+EXP, ", c("split", "same")), "all+EXP"),
  question("mixture against its best member", paste0(c("AB", "SVM", "all"), "+EXP"), paste0(c("AB", "SVM", "all"), "+OneBest")),
  question("CPC against RBC", paste0(c("AB", "SVM", "all"), "+EXP.CPC"), paste0(c("AB", "SVM", "all"), "+EXP.RBC")),
  question("best member against other rankers", rep(c("AB+OneBest", "SVM+OneBest"), each = 3),
           c("lightgbm lambdarank", "ridge", "best feature")),
  question("one best against its counterpart", c("AB+OneBest", "SVM+OneBest"), c("RankBoost", "RankSVM")),
  question("the paper's mixtures against rankers of section 7.3", rep(c("AB+EXP", "SVM+EXP"), each = length(baselines)),
           baselines),
  question("mixture of all members against rankers of section 7.3", "all+EXP", baselines),
  question("value of queries shorter than the cut, in training", "AdaRank.NDCG", "AdaRank.NDCG, LETOR")
)

questions <- questions[questions$against %in% rankers, ]

# The p values are of compare_rankers(). `adjusted` is the p value after Holm's correction over the questions
# of a metric.
answers <- do.call(rbind, Map(function(ranker, against) {
  pair <- results[results$ranker %in% c(ranker, against), ]
  if (!letor) pair$fold <- NULL
  found <- compare_rankers(structure(pair, class = c("rankmix_evaluation", "data.frame")), seed = 1,
                           combine = "fisher", interval = "bca")$pairs
  turned <- found$a != ranker
  data.frame(metric = found$metric, difference = ifelse(turned, -1, 1) * found$difference,
             lower = ifelse(turned, -found$upper, found$lower),
             upper = ifelse(turned, -found$lower, found$upper), p = found$p_t)
}, questions$ranker, questions$against))
answers <- cbind(questions[rep(seq_len(nrow(questions)), each = length(metrics)), ], answers)
answers$adjusted <- stats::ave(answers$p, answers$metric, FUN = function(p) stats::p.adjust(p, "holm"))
chosen <- bound("chosen")
saveRDS(list(values = results, answers = answers, chosen = chosen, tuning = bound("tuning"),
             members = bound("members"), pairs = bound("pairs"), scores = lapply(runs, `[[`, "scores")),
        sprintf(".build/accuracy-%s.rds", collection))

table_lines <- function(header, rows) {
  c("", paste0("| ", paste(header, collapse = " | "), " |"),
    paste0(strrep("|---", length(header)), "|"), paste0("| ", rows, " |"))
}
metric_lines <- function(metric) {
  part <- results[results$metric == metric, ]
  by_fold <- tapply(part$value, list(factor(part$ranker, rankers), part$fold), mean)
  error <- tapply(part$value, factor(part$ranker, rankers), function(v) sd(v) / sqrt(length(v)))
  columns <- c(if (letor) "mean of folds" else "mean", "standard error", if (letor) paste0("Fold", folds))
  cells <- cbind(rowMeans(by_fold), error, if (letor) by_fold)
  c("", paste("##", metric),
    table_lines(c("ranker", columns), paste(rankers, apply(cells, 1L, function(row) {
      paste(sprintf("%.4f", row), collapse = " | ")
    }), sep = " | ")))
}
show_p <- function(p) vapply(p, format.pval, "", digits = 2, eps = 1e-4)
pairs <- bound("pairs")
gain <- t.test(pairs$normalised, pairs$plain, paired = TRUE)
path <- tapply(bound("members")$value, bound("members")$members, mean)
queries <- sum(results$ranker == rankers[1L]) / length(metrics)
main <- unique(results$metric)[1L]

lines <- c(
  paste("# Accuracy on", if (letor || collection != "simulated") collection else "simulated data"), "",
  if (collection == "simulated") {
    c("Written by `Rscript bench/accuracy.R simulated`: simulate_ranking(2000, seed = 1), of which 1,000",
      sprintf("queries train, 400 tune and %d measure.", queries))
  } else {
    c(sprintf("Written by `Rscript bench/accuracy.R %s`: trained on train.txt, tuned on vali.txt,", collection),
      sprintf("measured on test.txt (%d queries in all).", queries))
  },
  "A query without a relevant document has NDCG 1 and ERR 0.",
  sprintf("rankmix %s, %s; %s.", packageVersion("rankmix"), R.version.string,
          if (peer) paste("lightgbm", packageVersion("lightgbm")) else "lightgbm was not installed"), "",
  sprintf("Members: %s.", toString(sprintf("%s is `%s`", names(specs), vapply(specs, format, "")))),
  sprintf("AdaBoost.MH has 200 rounds. For each ranker alone, rounds (%s) and costs are chosen on the validation part.", toString(tried_rounds)),
  "Each mixture uses `fast_calibrators()`. `two AB` mixes the first two members, `four` these two, gbrt and ridge, and",
  "`all` all of them. `EXP` has exponential weights with the defaults of `mix_weights()`. `of the paper` has one c, and",
  "equal prior weights of members. `EXP.CPC` and `EXP.RBC` use only members with `calibrator_cpc()` or `calibrator_rbc()`.",
  "`OneBest` is the best member. With `by query`, scores are standardised in each query first. Selection (one bag) and",
  "ascent, see `?mix_weights`, have the T of `all+EXP` and one repeat of cross-validation. Calibrators are cross-fitted, the",
  "default, with two exceptions. `split` is the protocol of the paper: 80 % of the training queries train, the others",
  "calibrate, and the validation part finds the weights. `same` calibrates and finds the weights on the same documents.",
  "AB+ and SVM+ are the rows of tables 2 and 3 of the paper: adaboost_mh() with base_tree(8), base_tree(64), base_product(3)",
  sprintf("and base_product(10), and the SVM, each with %d calibrators (all but networks, Gaussian", length(calibrators)),
  "processes and soft NDCG), with the weights of the paper. RankSVM to coordinate ascent are the rankers of its",
  "section 7.3, chosen on the validation part (`bench/section_73.R`). `AdaRank.NDCG, LETOR` is trained by the rules of",
  "LETOR 4.0: a query with fewer than ten documents has the value 0. The best feature is chosen on the training part.",
  if (peer) c("lightgbm has 15 leaves, learning rate 0.05, at least 50 documents a leaf, and stops early after",
              "50 rounds without a better NDCG@10 on the validation part."),
  unlist(lapply(unique(results$metric), metric_lines)),
  "", "## One ranker minus another", "",
  sprintf("By `compare_rankers()`: paired t tests%s; bootstrap intervals over all queries; Holm's",
          if (letor) " in each fold, combined by Fisher" else ""),
  sprintf("adjustment over the %d questions of a metric.", nrow(questions)),
  table_lines(c("question", "ranker", "against", "metric", "difference", "95 % interval", "p", "adjusted"),
              with(answers[order(match(answers$metric, unique(answers$metric))), ],
                   sprintf("%s | %s | %s | %s | %+.4f | [%+.4f, %+.4f] | %s | %s", question, ranker, against,
                           metric, difference, lower, upper, show_p(p), show_p(adjusted)))),
  "", "## What was chosen on the validation part",
  table_lines(c("mixture", "T", "c"), vapply(grep("EXP", unique(chosen$ranker), value = TRUE), function(name) {
    row <- chosen[chosen$ranker == name, ]
    paste(name, toString(row$rounds), toString(row$c), sep = " | ")
  }, "")),
  "", sprintf("Test %s of mixtures of the k members of all+EXP with the highest validation metric, with their weights:", main),
  table_lines(paste("k =", names(path)), paste(sprintf("%.4f", path), collapse = " | ")),
  "", sprintf("Normalising gains by query, equation (21) of the paper: of %d pairs of calibrated members, %.0f %% have a higher test",
              nrow(pairs), 100 * mean(pairs$normalised > pairs$plain)),
  sprintf("%s with normalised gains; the mean difference is %+.4f, 95 %% interval [%+.4f, %+.4f] over", main,
          unname(gain$estimate), gain$conf.int[1L], gain$conf.int[2L]),
  "pairs (which are not independent)."
)
writeLines(lines, sprintf("bench/accuracy%s.md", ending[[collection]]))
cat(lines, sep = "\n")
