# What tuning gained over the default settings.
#
# Problem: the value of the best of many candidates is optimistic on the queries on which it was chosen. There
# are two estimates. The bootstrap resamples the validation queries: the best candidate of a resample is
# compared with the default on the queries that are not in it. The bootstrap needs no training, but repeats only
# the last choice, not the search. The nested estimate repeats the whole search on each outer fold, and compares
# on its test queries. Reference: Tsamardinos, Greasidou and Borboudakis (2018), Bootstrapping the out-of-sample
# predictions for efficient and accurate cross-validation, Machine Learning 107.

gain_resamples <- 1000L

# `values` has a column for each candidate, column `default` is the default.
bootstrap_gain <- function(values, default, weight, level, seed) {
  n <- nrow(values)
  if (is.null(weight)) weight <- rep(1, n)
  gains <- with_seed(seed, vapply(seq_len(gain_resamples), function(b) {
    counts <- tabulate(sample.int(n, replace = TRUE), n)
    out <- weight * (counts == 0L)
    if (sum(out) == 0) {
      return(NA_real_)
    }
    best <- which.max(colSums(values * (weight * counts)))
    sum(out * (values[, best] - values[, default])) / sum(out)
  }, 0))
  gains <- gains[!is.na(gains)]
  if (length(gains) == 0L) {
    return(gain_row(NA_real_, NA_real_, NA_real_, level, "bootstrap"))
  }
  bounds <- unname(stats::quantile(gains, c(1 - level, 1 + level) / 2))
  gain_row(mean(gains), bounds[1L], bounds[2L], level, "bootstrap")
}

gain_row <- function(gain, lower, upper, level, method) {
  data.frame(gain = gain, lower = lower, upper = upper, level = level, method = method)
}

# Repeats the search on outer folds. The models of the folds differ, so the interval uses the variance between
# the means of folds, not only between queries (bench/tuning.md).
nested_gain <- function(search_on, data, outer, metric, level, seed, threads) {
  splits <- tuning_splits(data, NULL, outer, derived_seed(seed, "outer"))
  gains <- vapply(seq_along(splits), function(f) {
    test <- data[splits[[f]]$valid]
    found <- search_on(data[splits[[f]]$train], derived_seed(seed, "outer", f))
    means <- vapply(found[c("model", "default_model")], function(model) {
      values <- evaluate(predict(model, test, threads = threads), test, metric, threads = threads)
      value_moments(values$value, test$weight)$mean
    }, 0)
    snapped_difference(means[[1L]], means[[2L]])
  }, 0)
  size <- function(part) vapply(splits, function(split) length(split[[part]]), 0L)
  found <- resampled_t(gains, size("train"), size("valid"), level = 1 - level)
  gain_row(found$difference, found$lower, found$upper, level, sprintf("nested, %d folds", outer))
}
