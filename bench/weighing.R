# Which way of weighing members holds on other queries? Mixtures weighed in several ways,
# compared on validation queries that neither trained nor weighed them. Writes
# bench/weighing.md.
#
#   Rscript bench/weighing.R
#
# Members are trained on train.txt of each fold of MQ2008 and OHSUMED. The queries of vali.txt
# are halved: a mixture is calibrated and weighed on one half and ranks the other, then the
# other way round. Test parts are not read. T is 100 for all, so that only weights differ.
# Needs RANKMIX_DATA; about ten minutes.

library(rankmix)
source("bench/common.R")

metric <- ndcg(10)
rankers <- list(adaboost_mh(tree(8), 200), adaboost_mh(stump(), 200), gbrt(100, leaves = 8),
                linear(penalty = c(1, 100, 10000)))
ways <- list(
  `exponential, the default` = weighing(),
  `equal weights` = weighing(0),
  `the best member` = weighing(members = "one_best"),
  `c by one standard error` = weighing(choose = "one_se", repeats = 5),
  `selection` = weighing(method = "selection"),
  `ascent` = weighing(method = "ascent"),
  `ascent, one standard error` = weighing(method = "ascent", choose = "one_se")
)
scales <- list(plain = FALSE, `by query` = "query")

read_part <- function(collection, fold, name) {
  read_letor(file.path(data_folder(collection, paste0("Fold", fold)), name))
}

# The metric of each query of `other` by each way: queries x ways x scales.
one_half <- function(models, tune, other) {
  values <- lapply(scales, function(scale) {
    vapply(ways, function(way) {
      way$standardize <- scale
      way$rounds <- 100L
      mixture <- suppressWarnings(tune_and_mix(tune, tune, models, fast_calibrators(), metric,
                                               weigh = way, seed = 1, verbose = FALSE))
      evaluate(mixture, other, metric)$value
    }, numeric(length(other$query_ids)))
  })
  array(unlist(values), c(dim(values[[1L]]), length(scales)))
}

one_fold <- function(collection, fold) {
  train <- read_part(collection, fold, "train.txt")
  valid <- read_part(collection, fold, "vali.txt")
  models <- lapply(rankers, fit, train, seed = 1, verbose = FALSE)
  halves <- split_parts(split_queries(valid, 0.5, seed = 1), valid)
  first <- one_half(models, halves$train, halves$test)
  second <- one_half(models, halves$test, halves$train)
  message(collection, " fold ", fold)
  lapply(seq_along(scales), function(s) rbind(first[, , s], second[, , s]))
}

folds <- expand.grid(fold = 1:5, collection = c("MQ2008", "OHSUMED"), stringsAsFactors = FALSE)
results <- Map(one_fold, folds$collection, folds$fold)
values_of <- function(rows, scale) {
  values <- do.call(rbind, lapply(results[rows], `[[`, scale))
  values[!is.nan(values[, 1L]), ]
}

row_text <- function(way, scale, rows) {
  values <- values_of(rows, scale)[, way]
  base <- values_of(rows, 1L)[, 1L]
  test <- if (all(values == base)) c(0, 0) else stats::t.test(values - base)$conf.int
  sprintf("%.4f | %+.4f (%+.4f to %+.4f)", mean(values), mean(values - base), test[1L], test[2L])
}
everything <- seq_len(nrow(folds))
parts <- list(MQ2008 = which(folds$collection == "MQ2008"),
              OHSUMED = which(folds$collection == "OHSUMED"), both = everything)
tables <- lapply(names(parts), function(part) {
  rows <- unlist(lapply(seq_along(scales), function(scale) {
    vapply(seq_along(ways), function(way) {
      sprintf("| %s | %s | %s |", names(ways)[way], names(scales)[scale],
              row_text(way, scale, parts[[part]]))
    }, "")
  }))
  c("", sprintf("## %s: %d queries", part, nrow(values_of(parts[[part]], 1L))), "",
    "| weights | scores | NDCG@10 | less the default (95 % interval) |", "|---|---|---|---|", rows)
})
writeLines(c(
  "# Ways of weighing members", "",
  "Made by `bench/weighing.R`. Members: `adaboost_mh(tree(8))`, `adaboost_mh(stump())`, `gbrt()` and",
  "three penalties of `linear()`, each with `fast_calibrators()`, weighed on one half of the validation",
  "queries of each fold and measured on the other. Queries without relevant documents do not count.",
  unlist(tables)
), "bench/weighing.md")
