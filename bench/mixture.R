# The time of tune_and_mix() on a real fold and on a large simulated set, and its calibrators compared with
# slow ones. Writes bench/mixture.md.
#
#   Rscript bench/mixture.R [library of an older build]
#
# - MQ2008, fold 1: adaboost_mh(base_tree(8)) and adaboost_mh(base_stump()) with all 22 calibrators, on two
#   threads, in a separate process: shortest time and median of five. With the library of an older build, the
#   older build is timed too, twice.
# - The validation metric of each member, compared with the metric of the same member calibrated by R's own
#   functions (bench/slow-calibrators.R). Both use the same parts of cross-fitting.
# - 240,000 documents x 136 features: the time of training, and the time of calibration and weighting.
# Fails where MQ2008 takes more than 3 seconds, where the rank correlation of validation values is
# below .99, or where calibrating 240,000 documents takes longer than training on them.

arguments <- commandArgs(trailingOnly = TRUE)
real <- function() {
  fold <- file.path(Sys.getenv("RANKMIX_DATA", "../shared/data"), "MQ2008", "Fold1")
  lapply(c(train = "train.txt", valid = "vali.txt"), function(name) read_letor(file.path(fold, name)))
}
defaults <- function() list(adaboost_mh(base_tree(8)), adaboost_mh(base_stump()))

# Runs in a child process: the seconds of the whole call.
if (length(arguments) > 0L && arguments[1L] == "--measure") {
  library(rankmix, lib.loc = if (nzchar(arguments[2L])) arguments[2L])
  parts <- real()
  fit(adaboost_mh(base_stump(), 2), parts$train, threads = 2, verbose = FALSE)  # starts the threads
  cat(system.time(tune_and_mix(parts$train, parts$valid, defaults(), all_calibrators(), seed = 1,
                               threads = 2, verbose = FALSE))[["elapsed"]], "\n")
  quit()
}

library(rankmix)
source("bench/common.R")
source("bench/simulate.R")
source("bench/slow-calibrators.R")

child <- function(library) {
  out <- system2(file.path(R.home("bin"), "Rscript"),
                 c("bench/mixture.R", "--measure", shQuote(library)), stdout = TRUE)
  as.numeric(out[length(out)])
}
old <- arguments[1L]
turns <- vapply(1:5, function(turn) {
  c(new = child(""), old = if (is.na(old) || turn > 2L) NA else child(old))
}, numeric(2))

parts <- real()
mixture <- tune_and_mix(parts$train, parts$valid, defaults(), all_calibrators(), seed = 1,
                        threads = 2, verbose = FALSE)
calibrators <- all_calibrators()
features <- rankmix:::features_of_models(mixture$models, parts$valid, 2L)
slow <- vapply(seq_len(nrow(mixture$members)), function(m) {
  model <- mixture$models[[mixture$members$model[m]]]
  method <- calibrators[[match(mixture$members$calibrator[m], vapply(calibrators, format, ""))]]
  rounds <- min(mixture$rounds, rankmix:::rounds_used(model))
  f <- rankmix:::discriminant_slice(
    rankmix:::calibrator_input(model, features[[mixture$members$model[m]]], rounds, 2L), 1L
  )
  scores <- slow_crossfit(method, f, parts$valid, rankmix:::discriminant_range(model, rounds))
  summary(evaluate(scores, parts$valid, mixture$metric))$mean
}, 0)
networks <- grepl("network", mixture$members$calibrator)
correlation <- function(which) {
  cor(mixture$members$value[which], slow[which], method = "spearman")
}

made <- simulate_web(240000)
queries <- unique(made$query)
held <- made$query %in% queries[seq_along(queries) %% 6L == 0L]
part <- function(rows) ranking_data(made$x[rows, ], made$grade[rows], made$query[rows])
large <- list(train = part(!held), valid = part(held))
training <- system.time(models <- lapply(defaults(), fit, large$train, seed = 1, threads = 2,
                                         verbose = FALSE))[["elapsed"]]
calibrating <- system.time(tune_and_mix(large$train, large$valid, models, all_calibrators(),
                                        seed = 1, threads = 2, verbose = FALSE))[["elapsed"]]

times <- function(seconds) {
  sprintf("%.2f | %.2f", min(seconds, na.rm = TRUE), median(seconds, na.rm = TRUE))
}
lines <- c(
  "# Time of tune_and_mix()", "",
  "Written by `Rscript bench/mixture.R`: tune_and_mix() with adaboost_mh(base_tree(8)) and",
  "adaboost_mh(base_stump()), 1000 rounds, and all 22 calibrators, on two threads.",
  sprintf("rankmix %s, %s.", packageVersion("rankmix"), R.version.string), "",
  sprintf("MQ2008, fold 1 (%d training and %d validation documents): seconds of five calls, each in a",
          nrow(parts$train), nrow(parts$valid)),
  "separate process:", "", "| build | least | median |", "|---|---|---|",
  sprintf("| this one | %s |", times(turns["new", ])),
  if (!is.na(old)) sprintf("| the older one | %s |", times(turns["old", ])),
  "", sprintf("Validation NDCG@10 of the %d members, compared with calibrators written in R",
              nrow(mixture$members)),
  sprintf("(bench/slow-calibrators.R): rank correlation %.4f.", correlation(TRUE)),
  sprintf("NDCG@10 of the members calibrated by networks: %s by Levenberg and Marquardt, %s by nnet().",
          paste(sprintf("%.4f", mixture$members$value[networks]), collapse = ", "),
          paste(sprintf("%.4f", slow[networks]), collapse = ", ")), "",
  sprintf("240,000 simulated documents x 136 features, of which %s are validation documents. Training takes",
          format(sum(held), big.mark = ",")),
  sprintf("%.1f s, calibration and weighting %.1f s.", training, calibrating)
)
writeLines(lines, "bench/mixture.md")
cat(lines, sep = "\n")
hold_targets(c("3 s" = min(turns["new", ]) <= 3, "rank correlation" = correlation(TRUE) >= 0.99,
               "calibration" = calibrating < training))
