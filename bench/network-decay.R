# Which weight decay should calibrator_rbc("network") have? Compares decays on queries that calibrated nothing.
# The default was chosen by this comparison. Writes bench/network-decay.md.
#
#   Rscript bench/network-decay.R
#
# adaboost_mh(base_tree(8)) and adaboost_mh(base_stump()), 100 rounds, are trained on train.txt of each fold of
# MQ2008 and OHSUMED and on five simulated data sets; the queries of vali.txt are halved: a
# network is fitted on one half and ranks the other, and the other way round. Test parts are not
# read. Needs RANKMIX_DATA; two minutes, one thread.

library(rankmix)
source("bench/common.R")

metric <- metric_ndcg(10)
decays <- c(0.001, 0.01, 0.1, 1, 10)
networks <- function(normalize) {
  lapply(decays, function(decay) calibrator_rbc("network", normalize = normalize, weight_decay = decay))
}
methods <- c(networks(FALSE), networks(TRUE), list(calibrator_rbc("linear"), calibrator_rbc("logistic")))
collections <- c("MQ2008", "OHSUMED", "simulated")

read_part <- function(collection, fold) {
  if (collection == "simulated") {
    made <- simulate_ranking(700, seed = 100 + fold)$data
    return(list(train = made[1:500], valid = made[501:700]))
  }
  lapply(c(train = "train.txt", valid = "vali.txt"), function(file) {
    read_letor(file.path(data_folder(collection, paste0("Fold", fold)), file))
  })
}
# The metric of each query of the other half, by method.
across <- function(model, fitted_on, other) {
  found <- vapply(methods, function(method) {
    calibrated <- suppressWarnings(calibrate(model, fitted_on, method, threads = 1))
    evaluate(suppressWarnings(predict(calibrated, other, threads = 1)), other, metric)$value
  }, numeric(length(other$query_ids)))
  found[!is.nan(found[, 1L]), ]
}
values_of <- function(collection) {
  do.call(rbind, lapply(1:5, function(fold) {
    parts <- read_part(collection, fold)
    halves <- split_parts(split_queries(parts$valid, 0.5, seed = 1), parts$valid)
    do.call(rbind, lapply(list(base_tree(8), base_stump()), function(base) {
      model <- fit(adaboost_mh(base, 100), parts$train, seed = 1, threads = 1, verbose = FALSE)
      rbind(across(model, halves$train, halves$test), across(model, halves$test, halves$train))
    }))
  }))
}
means <- vapply(collections, function(collection) colMeans(values_of(collection)),
                double(length(methods)))
shown <- c(sprintf("network, decay %s%s", rep(vapply(decays, format, "", scientific = FALSE), 2),
                   rep(c("", ", normalized"), each = length(decays))),
           vapply(utils::tail(methods, 2), format, ""))
lines <- c(
  "# The weight decay of networks that calibrate", "",
  "Written by `Rscript bench/network-decay.R`: NDCG@10 of one calibrated classifier, AdaBoost.MH with",
  "trees and with stumps, 100 rounds. The calibrator is fitted on one half of the validation queries of each fold and",
  sprintf("measured on the other half, in both directions. rankmix %s, %s.", packageVersion("rankmix"),
          R.version.string), "",
  paste0("| calibrator | ", paste(collections, collapse = " | "), " |"), "|---|---|---|---|",
  sprintf("| %s | %s |", shown, apply(means, 1L, function(row) paste(sprintf("%.4f", row), collapse = " | ")))
)
writeLines(lines, "bench/network-decay.md")
cat(lines, sep = "\n")
