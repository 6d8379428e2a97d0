# Tests of paired differences, one a query: what compare_rankers() makes of two rankers
# on the queries of one fold, or of all.
#
# Defined where the usual tests are not: with one query, or where all differences are 0,
# nothing speaks for a difference and every p-value is 1. Where all differences are the
# same and not 0, Student's t is infinite: the p-value is then that of the sign flips,
# 2^(1 - n).

paired_tests <- function(difference, weight, resamples, seed, threads) {
  counts <- if (is.null(weight)) rep(TRUE, length(difference)) else weight > 0
  difference <- difference[counts]
  weight <- weight[counts]
  moments <- summarise_values(difference, weight, 0.95)
  list(
    queries = length(difference),
    difference = moments$mean,
    se = moments$se,
    p_t = t_test_p(difference, moments),
    p_wilcoxon = wilcoxon_p(difference, weight),
    p_randomization = randomization_p(difference, weight, resamples, seed, threads)
  )
}

t_test_p <- function(difference, moments) {
  n <- length(difference)
  if (n < 2L || all(difference == 0)) {
    return(1)
  }
  if (has_no_spread(moments$mean, moments$se)) {
    return(2^(1 - n))
  }
  2 * stats::pt(-abs(moments$mean / moments$se), n - 1L)
}

# All differences are the same, but for rounding: what t.test() calls essentially constant.
has_no_spread <- function(mean, se) {
  is.na(se) | se < 10 * .Machine$double.eps * abs(mean) | (se == 0 & mean == 0)
}

# Cohen's d_z.
effect_size <- function(difference, weight) {
  moments <- summarise_values(difference, weight, 0.95)
  if (has_no_spread(moments$mean, moments$se)) {
    return(NA_real_)
  }
  n <- length(difference)
  if (is.null(weight)) weight <- rep(1, n)
  variance <- n / (n - 1) * sum(weight * (difference - moments$mean)^2) / sum(weight)
  moments$mean / sqrt(variance)
}

# Signed ranks know no weights.
wilcoxon_p <- function(difference, weight) {
  if (!is.null(weight) && length(unique(weight)) > 1L) {
    return(NA_real_)
  }
  if (all(difference == 0)) {
    return(1)
  }
  # It warns of ties and zeros, for which it uses the normal approximation.
  suppressWarnings(stats::wilcox.test(difference)$p.value)
}

randomization_p <- function(difference, weight, resamples, seed, threads) {
  if (!is.null(weight)) {
    difference <- difference * weight
  }
  sign_flip_test(as.double(difference), resamples, seed, threads)$p
}

# The bias-corrected and accelerated interval of the mean difference (Efron 1987,
# doi:10.1080/01621459.1987.10478410).
bootstrap_interval <- function(difference, weight, level, resamples, seed, threads) {
  n <- length(difference)
  moments <- summarise_values(difference, weight, level)
  mean <- moments$mean
  if (has_no_spread(mean, moments$se)) {
    return(c(lower = mean, upper = mean))
  }
  means <- bootstrap_means(difference, as.double(weight), resamples, seed, threads)
  # Half of those that are equal: means of few queries take few values.
  below <- (sum(means < mean) + 0.5 * sum(means == mean)) / resamples
  bias <- stats::qnorm(min(max(below, 0.5 / resamples), 1 - 0.5 / resamples))
  # The influence of a query on the mean; its cube is what the jackknife estimates.
  influence <- (if (is.null(weight)) 1 else weight) * (difference - mean)
  acceleration <- sum(influence^3) / (6 * sum(influence^2)^1.5)
  z <- bias + stats::qnorm(c((1 - level) / 2, (1 + level) / 2))
  at <- stats::pnorm(bias + z / (1 - acceleration * z))
  stats::setNames(stats::quantile(means, at, names = FALSE, type = 6), c("lower", "upper"))
}

# The shape of the differences: Shapiro and Wilk's p-value; NA where it is not defined,
# for fewer than 3 or more than 5000 queries, or equal ones.
normality_p <- function(difference) {
  n <- length(difference)
  if (n < 3L || n > 5000L || all(difference == difference[1L])) {
    return(NA_real_)
  }
  stats::shapiro.test(difference)$p.value
}
