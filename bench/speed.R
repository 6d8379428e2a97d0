# Time of a boosting round against lightgbm, in one run on the same data.
# Writes bench/speed.md.
#
#   Rscript bench/speed.R
#
# One round of adaboost_mh(tree(8)) against one iteration of lightgbm's multiclass
# objective with num_leaves = 8 (which grows one tree a class): 240,000 documents,
# 136 features, 5 grades, 255 bins, 2 threads. A round's time is the difference
# between a long and a short fit over the difference in rounds, so that reading,
# binning and set-up do not count. The two alternate; ratios are taken pair by pair.

library(rankmix)
source("bench/common.R")
source("bench/simulate.R")
need_package("lightgbm")

short <- 5L
long <- 25L
repeats <- 5L
threads <- 2L

data <- simulate_web()
ranking <- ranking_data(data$x, data$grade, data$query, threads = threads)

per_round <- function(run) {
  seconds <- vapply(c(short, long), function(rounds) {
    gc(FALSE)
    system.time(run(rounds))[["elapsed"]]
  }, numeric(1))
  1000 * diff(seconds) / (long - short)
}

rankmix_round <- function(leaves) {
  per_round(function(rounds) {
    fit(adaboost_mh(tree(leaves), rounds = rounds), ranking, seed = 1,
        threads = threads, verbose = FALSE)
  })
}

# A constructed data set serves all fits.
lightgbm_data <- lightgbm::lgb.Dataset(
  data$x, label = data$grade,
  params = list(max_bin = 255L, num_threads = threads, verbose = -1L)
)
lightgbm_data$construct()

lightgbm_round <- function(leaves, layout) {
  params <- list(objective = "multiclass", num_class = 5L, num_leaves = leaves,
                 max_bin = 255L, num_threads = threads, learning_rate = 0.1,
                 verbose = -1L)
  params[[layout]] <- TRUE
  per_round(function(rounds) {
    lightgbm::lgb.train(params, lightgbm_data, nrounds = rounds, verbose = -1L)
  })
}

measure <- function(leaves) {
  rankmix_round(leaves)  # warms up
  times <- lapply(seq_len(repeats), function(i) {
    data.frame(rankmix = rankmix_round(leaves),
               row_wise = lightgbm_round(leaves, "force_row_wise"),
               col_wise = lightgbm_round(leaves, "force_col_wise"))
  })
  times <- do.call(rbind, times)
  ratio <- pmin(times$row_wise, times$col_wise) / times$rankmix
  sprintf("| tree(%d) | %.1f | %.1f | %.1f | %.2f (%.2f to %.2f) |", leaves,
          median(times$rankmix), median(times$row_wise), median(times$col_wise),
          median(ratio), min(ratio), max(ratio))
}

rows <- vapply(c(8L, 64L), measure, character(1))
lines <- c(
  "# Time of a boosting round", "",
  "Written by `Rscript bench/speed.R`: AdaBoost.MH against lightgbm's multiclass",
  "objective with as many leaves, 240,000 documents x 136 features, 5 grades, 255",
  sprintf("bins, %d threads. Milliseconds a round, medians of %d runs in turn; the", threads, repeats),
  "ratio is lightgbm's faster layout over rankmix, pair by pair: median (range).",
  sprintf("rankmix %s, lightgbm %s, %s.", packageVersion("rankmix"),
          packageVersion("lightgbm"), R.version.string),
  "",
  "| base learner | rankmix | lightgbm, row-wise | lightgbm, col-wise | ratio |",
  "|---|---|---|---|---|", rows
)
writeLines(lines, "bench/speed.md")
cat(lines, sep = "\n")
