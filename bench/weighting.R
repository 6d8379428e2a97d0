# Which method of weighting members is best on new queries? Mixtures by several weighting methods are compared
# on queries that neither trained nor weighted them. Writes bench/weighting.md.
#
#   Rscript bench/weighting.R
#
# Members are trained on train.txt of each fold of MQ2008 and OHSUMED. The queries of vali.txt
# are halved: a mixture is calibrated and weighted on one half and ranks the other, then the
# other way round. Test parts are not read. The methods are also compared on simulated data sets of three
# sizes, where additional queries are ranked. T is 100 for all, so that only weights differ.
# Needs RANKMIX_DATA; about half an hour of one thread.

library(rankmix)
source("bench/common.R")

metric <- metric_ndcg(10)
rankers <- list(adaboost_mh(base_tree(8), 200), adaboost_mh(base_stump(), 200), gbrt(200),
                gbrt(200, objective = loss_softmax()), linear_ranker(), mcsvm(10^(-5:0)))
paper <- function(...) mix_weights(..., choose = "best", prior = "member")
families <- function(...) mix_weights(..., prior = "family")
methods <- list(
  `exponential, as in the paper` = paper(),
  `prior by family` = families(choose = "best"),
  `averaged over c` = mix_weights(prior = "member"),
  `prior by family, averaged over c` = families(),
  `the same, by query` = families(standardize = "query"),
  `prior by family, c by one standard error` = families(choose = "one_se"),
  `equal weights` = paper(0),
  `equal weights of families` = families(0),
  `the best member` = families(Inf),
  `selection` = families(method = "selection", choose = "best"),
  `selection, averaged` = families(method = "selection"),
  `ascent` = mix_weights(method = "ascent", choose = "best", prior = "member"),
  `ascent, averaged, prior by family` = families(method = "ascent")
)

# The metric of each query of `other` by each method: queries x methods.
weighted <- function(models, tune, other) {
  vapply(methods, function(method) {
    method$rounds <- 100L
    mixture <- suppressWarnings(tune_and_mix(tune, tune, models, fast_calibrators(), metric,
                                             weights = method, seed = 1, threads = 1, verbose = FALSE))
    evaluate(suppressWarnings(predict(mixture, other, threads = 1)), other, metric,
             threads = 1)$value
  }, numeric(length(other$query_ids)))
}
trained <- function(train) {
  suppressWarnings(lapply(rankers, fit, train, seed = 1, threads = 1, verbose = FALSE))
}
read_part <- function(collection, fold, name) {
  read_letor(file.path(data_folder(collection, paste0("Fold", fold)), name))
}
one_fold <- function(collection, fold) {
  models <- trained(read_part(collection, fold, "train.txt"))
  valid <- read_part(collection, fold, "vali.txt")
  halves <- split_parts(split_queries(valid, 0.5, seed = 1), valid)
  rbind(weighted(models, halves$train, halves$test), weighted(models, halves$test, halves$train))
}
one_simulated <- function(queries, seed) {
  made <- simulate_ranking(queries + queries %/% 3 + 200, seed = seed)$data
  models <- trained(made[seq_len(queries)])
  weighted(models, made[queries + seq_len(queries %/% 3)], made[queries + queries %/% 3 + 1:200])
}

run <- function(what, number) {
  message(what, " ", number)
  values <- if (is.numeric(what)) one_simulated(what, number) else one_fold(what, number)
  values[!is.nan(values[, 1L]), ]
}
together <- function(what, numbers) do.call(rbind, lapply(numbers, function(n) run(what, n)))
results <- list(MQ2008 = together("MQ2008", 1:5), OHSUMED = together("OHSUMED", 1:5),
                `20 simulated sets of 60 training and 20 tuning queries` = together(60, 1:20),
                `10 simulated sets of 180 and 60` = together(180, 101:110),
                `2 simulated sets of 1000 and 333` = together(1000, 201:202))

tables <- lapply(names(results), function(name) {
  values <- results[[name]]
  rows <- vapply(names(methods), function(method) {
    change <- values[, method] - values[, 1L]
    interval <- if (all(change == 0)) c(0, 0) else stats::t.test(change)$conf.int
    sprintf("| %s | %.4f | %+.4f (%+.4f to %+.4f) |", method, mean(values[, method]), mean(change),
            interval[1L], interval[2L])
  }, "")
  c("", sprintf("## %s: %d queries", name, nrow(values)), "",
    "| weights | NDCG@10 | minus the weights of the paper (95 % interval) |", "|---|---|---|", rows)
})
writeLines(c(
  "# Weighting methods for members", "",
  "Made by `bench/weighting.R`. The members are six rankers of 200 rounds, each with `fast_calibrators()` and T = 100. On MQ2008",
  "and OHSUMED the weights are found on one half of the validation queries of each fold, and measured on the other half. Queries",
  "without relevant documents do not count.",
  unlist(tables)
), "bench/weighting.md")
