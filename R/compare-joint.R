# Sign flips of all rankers together: see src/core/compare/joint_flips.h.

# The tests of all pairs from one set of sign patterns. Returns
#   flips: the sign flips of all queries, see joint_flips();
#   p_adjusted, half: the adjusted p-values, and half of the width of the simultaneous intervals in
#     standard errors (maxT) or units of the metric (Tukey); NULL for other adjustments;
#   best: for each ranker the p-value of "this ranker is the best". NULL for other tests.
joint_tests <- function(paired, names, settings) {
  strata <- joined_paired_strata(paired)
  flips <- joint_flips(paired, names, settings, strata)
  if (needs_more_patterns(flips, settings)) {
    settings$resamples <- affordable_patterns(paired, settings)
    flips <- joint_flips(paired, names, settings, strata)
  }
  all <- list(flips = flips)
  if (settings$adjust == "maxt") {
    all$p_adjusted <- step_down_p(flips)
    all$half <- flips$critical
    all$best <- flips$best
  } else if (settings$adjust == "tukey") {
    all <- c(all, tukey(paired$values, names, settings))
  }
  all
}

# The strata of the standard error, numbered from 0. NULL for a single stratum.
joined_paired_strata <- function(paired) {
  strata <- joined_strata(paired$fold, nrow(paired$values))
  strata <- match(strata, unique(strata)) - 1L
  if (any(strata > 0L)) strata
}

# The sign flips of the queries of `paired`. Pairs have few differences that are not 0 if both rankers are
# alike on most queries. Then all patterns of the pair are used.
joint_flips <- function(paired, names, settings, strata = NULL) {
  rankers <- colnames(paired$values)
  # Squares of very large or small weights would overflow or become 0.
  found <- joint_sign_flips(paired$values, as.double(scaled_weights(paired$weight)), as.integer(strata),
                            joint_pairs(rankers, names), match(settings$alternative, alternatives) - 1L,
                            settings$level, settings$resamples, settings$seed, settings$threads)
  own <- seq_along(names)
  of_pairs <- c("changed", "statistic", "marginal", "single", "stepped")
  found[of_pairs] <- lapply(found[of_pairs], `[`, own)
  found$directed <- switch(settings$alternative, two.sided = abs(found$statistic),
                           greater = found$statistic, less = -found$statistic)
  found$best <- stats::setNames(found$best, rankers)
  sides <- if (settings$alternative == "two.sided") 2 else 1
  changed <- found$changed
  few <- changed <= max_enumerated_flips & length(names) * 2^changed <= max_enumerated_work
  found$floor <- ifelse(changed == 0, 1, ifelse(few | found$exact, pmin(1, sides * 2^-changed),
                                                1 / found$patterns))
  if (!found$exact) {
    found$marginal[few] <- vapply(names[few], function(pair) {
      randomization_p(snapped_difference(paired$values[, pair[1L]], paired$values[, pair[2L]]),
                      paired$weight, settings)
    }, 0)
  }
  found
}

# Up to this number of differences, and of patterns times pairs, the core uses all patterns.
max_enumerated_flips <- 20L
max_enumerated_work <- 2^24

alternatives <- c("two.sided", "greater", "less")

flips_of_pair <- function(flips, i) list(p = flips$marginal[i], floor = flips$floor[i])

# The pairs of the core: columns from 0, and whether the pair is of the family. All pairs of rankers are
# needed to find the best.
joint_pairs <- function(rankers, names) {
  all <- utils::combn(rankers, 2L, simplify = FALSE)
  key <- function(pairs) vapply(pairs, function(pair) paste(sort(pair), collapse = "\r"), "")
  others <- all[!key(all) %in% key(names)]
  both <- do.call(rbind, c(names, others))
  cbind(match(both[, 1L], rankers) - 1L, match(both[, 2L], rankers) - 1L,
        rep(c(1L, 0L), c(length(names), length(others))))
}

# The step-down p-values: none is smaller than the p-value of a pair with a larger statistic.
step_down_p <- function(flips) {
  p <- flips$stepped
  # If statistics are equal, the core uses the larger family for the later pair.
  order <- rev(order(flips$directed))
  p[order] <- cummax(p[order])
  p
}

# The smallest p-value of R random sign patterns is 1 / (R + 1). This p-value times the number of pairs
# must be below the level. maxT does not need more patterns for more pairs.
needs_more_patterns <- function(flips, settings) {
  at_floor <- !flips$exact & flips$marginal <= flips$floor * (1 + 1e-9) &
    flips$floor == 1 / flips$patterns
  settings$test == "randomization" && settings$adjust %in% c("holm", "BH") && any(at_floor) &&
    settings$resamples < ceiling(20 * settings$family / settings$level)
}

affordable_patterns <- function(paired, settings) {
  wanted <- ceiling(20 * settings$family / settings$level)
  affordable <- floor(max_flips / length(paired$values))
  max(settings$resamples, min(wanted, affordable))
}

# Limit of the number of signs times rankers, about two seconds on one thread.
max_flips <- 4e9

# The columns of the adjustment: `p_adjusted`, `sim_lower` and `sim_upper`.
simultaneous <- function(pairs, joint, settings) {
  pairs$p_adjusted <- switch(settings$adjust, maxt = , tukey = joint$p_adjusted, holm = pairs$p_holm,
                             BH = pairs$p_bh, none = pairs[[paste0("p_", settings$test)]])
  half <- switch(settings$adjust, maxt = joint$half * pairs$se, tukey = joint$half, NA_real_)
  half <- rep_len(half, nrow(pairs))
  equal <- pairs$ties == 1 & pairs$queries > 1L
  half[!equal & (!is.finite(half) | has_no_spread(pairs$difference, pairs$se))] <- NA_real_
  half[equal & settings$adjust %in% c("maxt", "tukey")] <- 0
  pairs$sim_lower <- if (settings$alternative == "less") {
    ifelse(is.na(half), NA_real_, -Inf)
  } else snapped_end(pairs$difference, -half)
  pairs$sim_upper <- if (settings$alternative == "greater") {
    ifelse(is.na(half), NA_real_, Inf)
  } else snapped_end(pairs$difference, half)
  pairs
}

# An end of an interval. If the quantile is the statistic of the pair itself, the end is 0, and the pair is undecided.
# Rounding noise must not put 0 outside of the interval.
snapped_end <- function(difference, half) {
  end <- difference + half
  end[!is.na(end) & abs(end) < snap_tolerance * abs(difference)] <- 0
  end
}

# Tukey's honestly significant difference. With sign flips as the test, the values of each query are
# permuted (Carterette 2012). With other tests, Tukey's p-values come from the two-way analysis of variance,
# with queries as blocks.
tukey <- function(values, names, settings) {
  # Rankers whose means differ by rounding noise only are equal, as in the tests of pairs.
  difference <- vapply(names, function(pair) mean(snapped_difference(values[, pair[1L]], values[, pair[2L]])), 0)
  if (settings$test == "randomization") {
    ranges <- permuted_ranges(values, settings$resamples, settings$seed, settings$threads)
    reached <- vapply(abs(difference), function(d) sum(ranges >= d * (1 - 1e-9)), 0)
    allowed <- floor(settings$level * (length(ranges) + 1))
    half <- if (allowed < 1) Inf else sort(ranges, decreasing = TRUE)[allowed]
    return(list(p_adjusted = (1 + reached) / (length(ranges) + 1), half = half))
  }
  n <- nrow(values)
  k <- ncol(values)
  mean_square <- if (n < 2L) 0 else crossed_squares(values)[["rest"]]
  if (mean_square == 0) {
    # Tukey's statistic is infinite, so the p-values of the t tests are adjusted.
    p <- vapply(difference, function(d) t_test_p(list(mean = d, se = 0, df = n - 1), n), 0)
    return(list(p_adjusted = stats::p.adjust(p, "holm"), half = NA_real_))
  }
  unit <- sqrt(mean_square / n)
  df <- (n - 1) * (k - 1)
  # For two rankers, Tukey's test is the paired t test. ptukey() needs two degrees of freedom.
  if (k == 2L) {
    return(list(p_adjusted = 2 * stats::pt(-abs(difference) / (sqrt(2) * unit), df),
                half = stats::qt(1 - settings$level / 2, df) * sqrt(2) * unit))
  }
  list(p_adjusted = stats::ptukey(abs(difference) / unit, k, df, lower.tail = FALSE),
       half = stats::qtukey(1 - settings$level, k, df) * unit)
}
