# Which members a mixture should have, on validation queries that neither trained, calibrated
# nor weighed them: the default of tune_and_mix() was chosen by it. Writes bench/members.md.
#
#   Rscript bench/members.R
#
# Members are trained on train.txt of each fold of MQ2008 and OHSUMED; the queries of vali.txt
# are halved: a mixture is tuned on one half and ranks the other, then the other way round. Test
# parts are not read. And on three simulated data sets of 1,500 queries, 1,000 of which train.
# Needs RANKMIX_DATA; about half an hour.

library(rankmix)
source("bench/common.R")

metric <- ndcg(10)
rankers <- list(trees = adaboost_mh(tree(8)), stumps = adaboost_mh(stump()), gbrt = gbrt(),
                softmax = gbrt(objective = softmax()), ridge = linear(), svm = mcsvm(10^(-5:0)),
                ranksvm = ranksvm(), rankboost = rankboost(), small = gbrt(leaves = 8),
                listnet = listnet(), ranknet = ranknet(hidden = c(64, 32)))
six <- c("trees", "stumps", "gbrt", "softmax", "ridge", "svm")
sets <- list(
  `AdaBoost.MH` = c("trees", "stumps"),
  `AdaBoost.MH, boosted trees` = c("trees", "stumps", "gbrt"),
  `AdaBoost.MH, ridge` = c("trees", "stumps", "ridge"),
  `AdaBoost.MH, boosted trees, ridge` = c("trees", "stumps", "gbrt", "ridge"),
  `AdaBoost.MH, boosted trees, softmax, ridge` = c("trees", "stumps", "gbrt", "softmax", "ridge"),
  `AdaBoost.MH, boosted trees, ridge, SVM` = c("trees", "stumps", "gbrt", "ridge", "svm"),
  `all six` = six,
  `all six, RankSVM` = c(six, "ranksvm"),
  `all six, RankBoost` = c(six, "rankboost"),
  `all six, trees of 8 leaves` = c(six, "small"),
  `all six, ListNet` = c(six, "listnet"),
  `all six, RankNet` = c(six, "ranknet"),
  `all six, RankSVM, RankBoost` = c(six, "ranksvm", "rankboost"),
  `all six, RankSVM, RankBoost, trees of 8 leaves` = c(six, "ranksvm", "rankboost", "small"),
  `all eleven` = names(rankers)
)
reference <- "all six"

read_fold <- function(collection, fold) {
  lapply(c(train = "train.txt", valid = "vali.txt"), function(name) {
    read_letor(file.path(data_folder(collection, paste0("Fold", fold)), name))
  })
}
simulated <- function(seed) {
  made <- simulate_ranking(1500, seed = seed)$data
  list(train = made[1:1000], valid = made[1001:1500])
}
parts <- c(lapply(1:5, function(fold) c("MQ2008", fold)), lapply(1:5, function(fold) c("OHSUMED", fold)),
           lapply(1:3, function(seed) c("simulated", seed)))

# The metric of each query of `other`: by mixtures of the sets, and by each ranker alone, with
# the rounds, or the step of a path, that `tune` chooses.
one_half <- function(train, models, tune, other) {
  mixtures <- vapply(sets, function(set) {
    mixture <- suppressWarnings(tune_and_mix(train, tune, models[set], metric = metric, seed = 1,
                                             verbose = FALSE))
    evaluate(suppressWarnings(predict(mixture, other)), other, metric)$value
  }, numeric(length(other$query_ids)))
  single <- vapply(models, function(model) {
    mixture <- suppressWarnings(tune_and_mix(train, tune, list(model),
                                             if (inherits(model, "rankmix_classifier")) list(naive())
                                             else list(rbc()),
                                             metric = metric, weigh = weighing(members = "one_best"),
                                             seed = 1, verbose = FALSE))
    evaluate(suppressWarnings(predict(mixture, other)), other, metric)$value
  }, numeric(length(other$query_ids)))
  colnames(single) <- sprintf("%s alone", vapply(rankers, format, ""))
  cbind(mixtures, single)
}

results <- lapply(parts, function(part) {
  message(toString(part))
  data <- if (part[1L] == "simulated") simulated(as.integer(part[2L])) else read_fold(part[1L], part[2L])
  models <- lapply(rankers, fit, data$train, seed = 1, verbose = FALSE)
  halves <- split_parts(split_queries(data$valid, 0.5, seed = 1), data$valid)
  values <- rbind(one_half(data$train, models, halves$train, halves$test),
                  one_half(data$train, models, halves$test, halves$train))
  values[!is.nan(values[, 1L]), ]
})
collection <- vapply(parts, `[`, "", 1L)

tables <- lapply(unique(collection), function(name) {
  values <- do.call(rbind, results[collection == name])
  rows <- vapply(colnames(values), function(set) {
    change <- values[, set] - values[, reference]
    test <- if (set == reference) c(0, 0) else stats::t.test(change)$conf.int
    sprintf("| %s | %.4f | %+.4f (%+.4f to %+.4f) |", set, mean(values[, set]), mean(change),
            test[1L], test[2L])
  }, "")
  c("", sprintf("## %s: %d queries", name, nrow(values)), "",
    sprintf("| members | NDCG@10 | less that of %s (95 %% interval) |", reference), "|---|---|---|", rows)
})
lines <- c(
  "# Members of a mixture", "",
  "Written by `Rscript bench/members.R`: mixtures with the defaults of tune_and_mix(), tuned on one",
  "half of the validation queries of each fold and measured on the other, both ways round; rankers",
  "alone with the rounds, or the step of their path, that the tuning half chooses. Queries without",
  sprintf("relevant documents do not count. rankmix %s, %s.", packageVersion("rankmix"), R.version.string),
  unlist(tables)
)
writeLines(lines, "bench/members.md")
cat(lines, sep = "\n")
