# Error rates of tests over queries and trainings, and coverage of intervals over data sets, by simulation.
# Writes bench/variance.md.
#
#   CORES=2 Rscript bench/variance.R [repetitions]
#
# `repetitions` (2,000) draws of each row, by CORES processes. The level is .05, and intervals are of 95 %.
#
# 1. Two seeds of one algorithm, as variance_parts() models them: the tests of queries, of queries and
#    trainings by differences, and of queries and trainings ranker by ranker.
# 2. Two seeds of gbrt(query_fraction = 0.5) on simulated data.
# 3. Coverage of the intervals of compare_over_datasets() for few data sets.

library(rankmix)
source("bench/common.R")

repetitions <- as.integer(c(commandArgs(trailingOnly = TRUE), "2000")[1L])
internal <- asNamespace("rankmix")


# The tests of one pair. `a` and `b` are queries x trainings of two rankers.
tested <- function(a, b, fold = NULL) {
  n <- nrow(a)
  values <- aperm(array(c(a, b), c(dim(a), 2L)), c(1L, 3L, 2L))
  p <- function(values) internal$t_test_p(internal$training_moments(values, NULL, fold), n)
  c(single = p(a[, 1L, drop = FALSE] - b[, 1L, drop = FALSE]), queries = p(cbind(rowMeans(a - b))),
    differences = p(a - b), rankers = p(values)) <= 0.05
}

# Two seeds of one algorithm on 100 queries: the standard deviations of a query's difference, of a training
# and of the rest. `training` is 0 to twice the standard error over queries.
seeds <- unlist(lapply(c(1, 5), function(folds) {
  lapply(c(0, 0.02), function(training) {
    lapply(c(2, 3, 5), function(trainings) {
      fold <- rep_len(seq_len(folds), 100L)
      ranker <- function() {
        rnorm(100, 0, 0.07) + matrix(rnorm(folds * trainings, 0, training), folds)[fold, , drop = FALSE] +
          rnorm(100 * trainings, 0, 0.07)
      }
      found <- simulate(function(i) tested(ranker(), ranker(), if (folds > 1) fold))
      list(text = table_row(folds, training, trainings, apply(found, 2L, rate_of)), rate = mean(found[, "rankers"]))
    })
  }) |> unlist(recursive = FALSE)
}), recursive = FALSE)

# On each data set there are six trainings, three for each ranker.
trained <- simulate(function(i) {
  simulation <- simulate_ranking(140, documents = 10, features = 8, seed = i)
  data <- simulation$data
  train <- data[1:60]
  test <- data[61:140]
  values <- vapply(1:6, function(seed) {
    spec <- gbrt(trees = 20, num_leaves = 8, query_fraction = 0.5, min_data_in_leaf = 5)
    model <- fit(spec, train, seed = seed, threads = 1)
    evaluate(predict(model, test, threads = 1), test, metric_ndcg(10), threads = 1)$value
  }, numeric(80))
  values <- values[!is.nan(rowSums(values)), ]
  values[is.na(values)] <- 0
  parts <- internal$training_moments(aperm(array(values, c(nrow(values), 3L, 2L)), c(1L, 3L, 2L)))$parts
  c(tested(values[, 1:3], values[, 4:6]), training = parts[["training"]] / sum(parts))
}, min(repetitions, 400L))

# Data sets of different precision. `between` is the standard deviation of the difference between data sets.
coverage <- unlist(lapply(c(3, 5, 10), function(sets) {
  lapply(c(0, 0.02, 0.05), function(between) {
    found <- simulate(function(i) {
      se <- runif(sets, 0.008, 0.03)
      difference <- rnorm(sets, 0, sqrt(between^2 + se^2))
      table <- data.frame(dataset = seq_len(sets), difference = difference, se = se)
      intervals <- c("hartung-knapp", "truncated", "normal")
      pairs <- lapply(stats::setNames(nm = intervals), function(interval) {
        internal$pool_effects(table, 0.05, "REML", interval)
      })
      covers <- vapply(pairs, function(pair) pair$lower <= 0 && 0 <= pair$upper, NA)
      pair <- pairs[["hartung-knapp"]]
      new <- rnorm(1, 0, between)
      c(covers, new = pair$predicted_lower <= new && new <= pair$predicted_upper)
    })
    list(text = table_row(sets, between, apply(found, 2L, rate_of)), rate = mean(found[, "hartung-knapp"]))
  })
}), recursive = FALSE)

texts <- function(rows) vapply(rows, `[[`, "", "text")
rates <- function(rows) vapply(rows, `[[`, 0, "rate")
writeLines(c(
  "# Tests over trainings, and intervals over data sets", "",
  sprintf("Written by `Rscript bench/variance.R %d`: %d draws per row, so that a rate of .05 has a standard",
          repetitions, repetitions),
  sprintf("error of %.3f. rankmix %s, %s.", sqrt(0.05 * 0.95 / repetitions),
          utils::packageVersion("rankmix"), R.version.string), "",
  "## Two seeds of one algorithm", "",
  "Rates of rejections at .05, on 100 queries. Both rankers are equally good on average over trainings.",
  "`sd` is the standard deviation of a training's mean in a fold. The standard error over queries is .012 to",
  ".014. `one training` and `queries` are t tests over queries, of one training and of means over trainings.",
  "`by differences` pairs the trainings of both rankers by number, and uses the mean squares of their differences. `by ranker` is",
  "the method of variance_parts(): the sum of the mean squares of both rankers.", "",
  markdown_table(c("folds", "sd", "trainings", "one training", "queries", "by differences", "by ranker"), texts(seeds)),
  "With two trainings in one fold, differences have one degree of freedom between trainings, and the test",
  "rejects too often. The trainings of both rankers together have two degrees of freedom.", "",
  "## Two seeds of `gbrt(query_fraction = 0.5)`", "",
  sprintf("%d simulated data sets with 60 training and 80 test queries; three trainings of each of two rankers.",
          nrow(trained)),
  sprintf("Training contributes %.0f %% of the variance of the mean difference, on average over the data sets.",
          100 * mean(trained[, "training"], na.rm = TRUE)), "",
  markdown_table(c("one training", "queries", "by differences", "by ranker"),
           table_row(apply(trained[, 1:4], 2L, rate_of))),
  "On each of these queries, both rankers are equally good on average over trainings. The tests over trainings are then cautious.", "",
  "## Few data sets", "",
  "How often the 95 % interval contains the true difference. `between` is the standard deviation of",
  "differences between data sets; standard errors are .008 to .03. `new` is the interval of the difference on",
  "a new data set. It is too short where the variance between data sets is estimated from few of them.", "",
  markdown_table(c("data sets", "between", "Hartung-Knapp", "truncated", "normal", "new"), texts(coverage))
), "bench/variance.md")

source("bench/common.R")
# A rate varies by chance.
noise <- 3 * sqrt(0.06 * 0.94 / repetitions)
hold_targets(c(`type I error by ranker` = all(rates(seeds) < 0.06 + noise),
               `coverage of Hartung-Knapp` = all(rates(coverage) > 0.94 - noise)))
