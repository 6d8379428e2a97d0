# Tests of paired differences between two rankers: one difference for each query of one fold, or of
# all folds.
# // The undefined cases of the usual tests have values. With one query, or if all differences are
# 0, every p-value is 1. If all differences are equal and not 0, Student's t is infinite, and the
# p-value is the one of the sign flips, 2^(1 - n).

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

# `fold` numbers the strata of the t test; NULL is one stratum.
paired_tests <- function(difference, weight, fold, settings) {
  counts <- if (is.null(weight)) rep(TRUE, length(difference)) else weight > 0
  difference <- difference[counts]
  weight <- weight[counts]
  moments <- stratified_moments(difference, weight, fold[counts])
  signed <- signed_rank_test(difference, weight)
  flips <- randomization_test(difference, weight, settings)
  list(
    queries = length(difference), n_effective = moments$n_effective,
    difference = moments$mean, se = moments$se, df = moments$df,
    p_t = t_test_p(difference, moments), p_wilcoxon = signed$p,
    pseudo_median = signed$pseudo_median, approximate = signed$approximate,
    p_randomization = flips$p, p_floor = flips$floor
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
  2 * stats::pt(-abs(moments$mean / moments$se), moments$df)
}

# TRUE if all differences are equal up to rounding. t.test() then fails with "data are essentially
# constant".
has_no_spread <- function(mean, se) {
  is.na(se) | se < 10 * .Machine$double.eps * abs(mean) | (se == 0 & mean == 0)
}

# The mean, its standard error and its degrees of freedom. The means of strata may differ, so only
# the spread within strata counts:
#   se^2 = sum_f (W_f / W)^2 se_f^2,  df = se^4 / sum_f [(W_f / W)^2 se_f^2]^2 / df_f (Satterthwaite).
# W_f is the weight of stratum f, or its number of queries.
stratified_moments <- function(difference, weight, fold = NULL) {
  all <- summarise_values(difference, weight, 0.95)
  moments <- list(mean = all$mean, se = all$se, n_effective = all$n_effective,
                  df = all$n_effective - 1)
  strata <- split(seq_along(difference), joined_strata(fold, length(difference)))
  if (length(strata) < 2L) {
    return(moments)
  }
  parts <- do.call(rbind, lapply(strata, function(rows) {
    own <- summarise_values(difference[rows], weight[rows], 0.95)
    data.frame(size = if (is.null(weight)) length(rows) else sum(weight[rows]), se = own$se,
               df = own$n_effective - 1)
  }))
  squares <- (parts$size / sum(parts$size) * parts$se)^2
  moments$se <- sqrt(sum(squares))
  moments$df <- if (moments$se == 0) all$n_effective - nrow(parts) else {
    sum(squares)^2 / sum(squares^2 / parts$df)
  }
  moments
}

# The spread within a fold of one query is unknown. All such folds form one stratum. A single such
# fold joins the first of the other folds.
joined_strata <- function(fold, count) {
  if (is.null(fold)) {
    return(rep(1L, count))
  }
  stratum <- match(fold, unique(fold))
  single <- tabulate(stratum)[stratum] == 1L
  if (sum(single) == 1L && !all(single)) {
    stratum[single] <- stratum[!single][1L]
  } else {
    stratum[single] <- 0L
  }
  stratum
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

# Wilcoxon's signed-rank test, without weights. Zeros are left out, and ties share the mean of their
# ranks. For up to `max_exact_ranks` differences the p-value uses the exact distribution of the sum
# of positive ranks over all signs; for more differences, the normal approximation.
signed_rank_test <- function(difference, weight) {
  unknown <- list(p = NA_real_, pseudo_median = NA_real_, approximate = FALSE)
  if (!is.null(weight) && length(unique(weight)) > 1L) {
    return(unknown)
  }
  nonzero <- difference[difference != 0]
  if (length(nonzero) == 0L) {
    return(list(p = 1, pseudo_median = 0, approximate = FALSE))
  }
  exact <- length(nonzero) <= max_exact_ranks
  p <- if (exact) exact_signed_rank_p(nonzero) else {
    suppressWarnings(stats::wilcox.test(nonzero, exact = FALSE)$p.value)
  }
  list(p = p, pseudo_median = pseudo_median(difference), approximate = !exact)
}

max_exact_ranks <- 50L

# Doubled ranks are whole numbers, so the distribution is a table. The table is convolved with one
# rank after the other. O(n^3) for n differences.
exact_signed_rank_p <- function(nonzero) {
  doubled <- as.integer(round(2 * rank(abs(nonzero))))
  probability <- c(1, numeric(sum(doubled)))
  for (rank in doubled) {
    shifted <- c(numeric(rank), probability[seq_len(length(probability) - rank)])
    probability <- (probability + shifted) / 2
  }
  observed <- sum(doubled[nonzero > 0])
  below <- sum(probability[seq_len(observed + 1L)])
  above <- sum(probability[(observed + 1L):length(probability)])
  min(1, 2 * min(below, above))
}

# The median of the means of all pairs of differences, including each difference with itself (Hodges
# and Lehmann).
pseudo_median <- function(difference) {
  n <- length(difference)
  if (n <= max_listed_pairs) {
    sums <- outer(difference, difference, `+`)
    return(stats::median(sums[upper.tri(sums, diag = TRUE)]) / 2)
  }
  # For many pairs the median is found by bisection. Each step counts the sums up to a number on the
  # sorted differences.
  sorted <- sort(difference)
  half <- n * (n + 1) / 4
  counted <- function(limit) {
    below <- findInterval(limit - sorted, sorted)
    (sum(below) + sum(2 * sorted <= limit)) / 2
  }
  ends <- 2 * range(sorted)
  for (step in 1:100) {
    middle <- mean(ends)
    if (counted(middle) < half) ends[1L] <- middle else ends[2L] <- middle
  }
  mean(ends) / 2
}

max_listed_pairs <- 1000L

# The sign-flip test. Returns `p`, and `floor`, the smallest p-value that it can give.
randomization_test <- function(difference, weight, settings) {
  changed <- sum(difference != 0 & (if (is.null(weight)) TRUE else weight > 0))
  exact <- changed <= max_enumerated_flips
  list(p = randomization_p(difference, weight, settings),
       floor = if (changed == 0L) 1 else if (exact) 2^(1 - changed) else 1 / (settings$resamples + 1))
}

# Up to this number of differences the core uses all patterns.
max_enumerated_flips <- 20L

randomization_p <- function(difference, weight, settings) {
  if (!is.null(weight)) {
    difference <- difference * weight
  }
  sign_flip_test(as.double(difference), settings$resamples, settings$seed, settings$threads)$p
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
