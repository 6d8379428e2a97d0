# Tests of paired differences between two rankers: one difference for each query of one fold, or of
# all folds.
#
# Results are also defined in cases where the usual tests are undefined. With one query, or if all differences
# are
# 0, every p-value is 1. If all differences are equal and not 0, Student's t is infinite, and the p-value is
# the p-value of the sign flips, 2^(1 - n).

# a - b without rounding noise. Metric values that are equal in theory, such as .3 - .2 and .2 - .1,
# differ in their last bits. All tests, wins and ties use these differences.
snapped_difference <- function(a, b) {
  difference <- a - b
  difference[abs(difference) < snap_tolerance * pmax(abs(a), abs(b))] <- 0
  signif(difference, snap_digits)
}

# Number of significant digits. Metrics are computed to about 15.
snap_digits <- 12L
snap_tolerance <- 1e-12

# `fold` numbers the strata of the t test; NULL is one stratum. `flips` has the result of the sign
# flips, see joint_flips().
paired_tests <- function(difference, weight, fold, flips, settings) {
  moments <- stratified_moments(difference, weight, fold)
  signed <- signed_rank_test(difference, weight, settings$alternative)
  list(
    queries = length(difference), n_effective = moments$n_effective,
    difference = moments$mean, se = moments$se, df = moments$df,
    p_t = t_test_p(moments, length(difference), settings$alternative), p_wilcoxon = signed$p,
    pseudo_median = signed$pseudo_median, approximate = signed$approximate,
    p_randomization = flips$p, p_floor = flips$floor
  )
}

# `n` is the number of queries.
t_test_p <- function(moments, n, alternative = "two.sided") {
  if (n < 2L) {
    return(1)
  }
  if (has_no_spread(moments$mean, moments$se)) {
    favours <- moments$mean != 0 &&
      (alternative == "two.sided" || (moments$mean > 0) == (alternative == "greater"))
    return(if (!favours) 1 else if (alternative == "two.sided") 2^(1 - n) else 2^-n)
  }
  t <- moments$mean / moments$se
  switch(alternative, two.sided = 2 * stats::pt(-abs(t), moments$df),
         greater = stats::pt(-t, moments$df), less = stats::pt(t, moments$df))
}

# TRUE if all differences are equal up to rounding. t.test() then fails with "data are essentially
# constant".
has_no_spread <- function(mean, se) {
  is.na(se) | se < 10 * .Machine$double.eps * abs(mean) | (se == 0 & mean == 0)
}

# The mean, its standard error and its degrees of freedom. The means of strata may differ, so only
# the spread within strata counts:
#   se^2 = sum_f (W_f / W)^2 se_f^2,  df = se^4 / sum_f [(W_f / W)^2 se_f^2]^2 / df_f (Satterthwaite).
# W_f is the weight of stratum f, or its number of queries. `summed` as in value_moments().
stratified_moments <- function(difference, weight, fold = NULL, summed = FALSE) {
  all <- value_moments(difference, weight, summed)
  moments <- list(mean = all$mean, se = all$se, n_effective = all$n_effective,
                  df = all$n_effective - 1)
  if (is.null(fold)) {
    return(moments)
  }
  strata <- split(seq_along(difference), joined_strata(fold, length(difference)))
  if (length(strata) < 2L) {
    return(moments)
  }
  parts <- vapply(strata, function(rows) {
    own <- value_moments(difference[rows], weight[rows], summed = TRUE)
    c(size = if (is.null(weight)) length(rows) else sum(weight[rows]), se = own$se,
      df = own$n_effective - 1)
  }, numeric(3))
  squares <- (parts["size", ] / sum(parts["size", ]) * parts["se", ])^2
  moments$se <- sqrt(sum(squares))
  moments$df <- if (moments$se == 0) all$n_effective - ncol(parts) else {
    sum(squares)^2 / sum(squares^2 / parts["df", ])
  }
  moments
}

# The spread within a fold of one query is unknown. All such folds form one stratum. A single such
# fold joins the largest of the other folds. Of equally large folds, the first by name is used, so that the order of
# queries does not matter.
joined_strata <- function(fold, count) {
  if (is.null(fold)) {
    return(rep(1L, count))
  }
  stratum <- match(fold, unique(fold))
  single <- tabulate(stratum)[stratum] == 1L
  if (sum(single) == 1L && !all(single)) {
    size <- tabulate(stratum)
    name <- as.character(unique(fold))
    stratum[single] <- order(-size, name, method = "radix")[1L]
  } else {
    stratum[single] <- 0L
  }
  stratum
}

# Cohen's d_z.
effect_size <- function(difference, weight) {
  moments <- value_moments(difference, weight)
  if (has_no_spread(moments$mean, moments$se)) {
    return(NA_real_)
  }
  n <- length(difference)
  if (is.null(weight)) weight <- rep(1, n)
  variance <- n / (n - 1) * sum(weight * (difference - moments$mean)^2) / sum(weight)
  moments$mean / sqrt(variance)
}

# Wilcoxon's signed-rank test, without weights. Zeros are left out, and ties share the mean of their
# ranks. For up to `max_exact_ranks` differences the p-value uses the exact distribution of the sum
# of positive ranks over all signs; for more differences, the normal approximation.
signed_rank_test <- function(difference, weight, alternative = "two.sided") {
  if (!is.null(weight) && length(unique(weight)) > 1L) {
    return(list(p = NA_real_, pseudo_median = NA_real_, approximate = FALSE))
  }
  ranks <- signed_ranks(difference, max_exact_ranks)
  p <- if (ranks$count == 0) 1 else if (ranks$exact) {
    switch(alternative, two.sided = 2 * min(ranks$below, ranks$above), greater = ranks$above,
           less = ranks$below)
  } else {
    normal_signed_rank_p(ranks, alternative)
  }
  list(p = min(1, p), pseudo_median = ranks$pseudo_median, approximate = !ranks$exact)
}

max_exact_ranks <- 50L

# The normal approximation with corrections for ties and continuity, as in stats::wilcox.test().
normal_signed_rank_p <- function(ranks, alternative) {
  n <- ranks$count
  away <- ranks$positive - n * (n + 1) / 4
  correction <- switch(alternative, two.sided = sign(away) / 2, greater = 0.5, less = -0.5)
  z <- (away - correction) / sqrt(n * (n + 1) * (2 * n + 1) / 24 - ranks$ties / 48)
  switch(alternative, two.sided = 2 * min(stats::pnorm(z), stats::pnorm(-z)),
         greater = stats::pnorm(-z), less = stats::pnorm(z))
}

# The sign flips of one pair.
randomization_p <- function(difference, weight, settings, alternative = settings$alternative) {
  joint_sign_flips(cbind(difference, 0), as.double(weight), integer(), cbind(0L, 1L, 1L),
                   match(alternative, alternatives) - 1L, settings$level, settings$resamples,
                   settings$seed, settings$threads)$marginal
}

# The shape of the differences: the p-value of Shapiro and Wilk. NA if undefined: for fewer than 3 or more
# than 5000 differences, and if all are equal.
normality_p <- function(difference) {
  n <- length(difference)
  if (n < 3L || n > 5000L || all(difference == difference[1L])) {
    return(NA_real_)
  }
  stats::shapiro.test(difference)$p.value
}
