# Intervals of a mean difference. Each interval belongs to a test: it contains the differences that
# the test does not reject.

interval_methods <- c("t", "flips", "bca")

# The interval that belongs to a test. The signed-rank test has no interval of the mean.
interval_of_test <- function(test, adjust) {
  if (test == "randomization" && adjust != "maxt") "flips" else "t"
}

# NA if the spread is unknown: for one query, or if all differences are equal and not 0.
difference_interval <- function(difference, weight, moments, settings) {
  if (all(difference == 0) && length(difference) > 1L) {
    return(c(lower = 0, upper = 0))
  }
  if (length(difference) < 2L || has_no_spread(moments$mean, moments$se)) {
    return(c(lower = NA_real_, upper = NA_real_))
  }
  level <- 1 - settings$level
  # A one-sided interval is half of a two-sided one of level 1 - 2 alpha.
  if (settings$alternative != "two.sided") level <- 1 - 2 * settings$level
  both <- switch(settings$interval,
                 t = t_interval(moments, level),
                 flips = flips_interval(difference, weight, 1 - level, settings),
                 bca = bootstrap_interval(difference, weight, level, settings$resamples,
                                          settings$seed, settings$threads))
  if (anyNA(both)) {
    return(both)
  }
  switch(settings$alternative, two.sided = both, greater = replace(both, 2L, Inf),
         less = replace(both, 1L, -Inf))
}

# With fewer than two queries of equal weight the spread is unknown.
t_interval <- function(moments, level) {
  if (moments$df < 1) {
    return(c(lower = NA_real_, upper = NA_real_))
  }
  half <- stats::qt((1 + level) / 2, moments$df) * moments$se
  c(lower = moments$mean - half, upper = moments$mean + half)
}

# The numbers m for which the sign flips of d - m do not reject. NA if there are too few patterns for the
# level.
flips_interval <- function(difference, weight, level, settings) {
  ends <- flip_interval(difference, as.double(weight), level, settings$resamples, settings$seed,
                        settings$threads)
  if (!all(is.finite(ends))) ends <- c(NA_real_, NA_real_)
  stats::setNames(ends, c("lower", "upper"))
}

# The bias-corrected and accelerated interval of the mean difference (Efron 1987,
# doi:10.1080/01621459.1987.10478410).
bootstrap_interval <- function(difference, weight, level, resamples, seed, threads) {
  # Powers of very large or small weights would overflow or become 0.
  weight <- scaled_weights(weight)
  moments <- summarise_values(difference, weight, level)
  mean <- moments$mean
  if (has_no_spread(mean, moments$se)) {
    return(c(lower = mean, upper = mean))
  }
  means <- bootstrap_means(difference, as.double(weight), resamples, seed, threads)
  # A tie counts as one half, because means of few queries have few distinct values.
  below <- (sum(means < mean) + 0.5 * sum(means == mean)) / resamples
  bias <- stats::qnorm(min(max(below, 0.5 / resamples), 1 - 0.5 / resamples))
  # The influence of each query on the mean. The skewness of the influences estimates the
  # acceleration of the interval.
  influence <- (if (is.null(weight)) 1 else weight) * (difference - mean)
  acceleration <- sum(influence^3) / (6 * sum(influence^2)^1.5)
  z <- bias + stats::qnorm(c((1 - level) / 2, (1 + level) / 2))
  at <- stats::pnorm(bias + z / (1 - acceleration * z))
  stats::setNames(stats::quantile(means, at, names = FALSE, type = 6), c("lower", "upper"))
}
