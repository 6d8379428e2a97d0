# Tests of two rankers against a margin M: is a at most M worse than b, and do they differ by less than M?
#
# Two one-sided tests (Schuirmann 1987, doi:10.1007/BF01068419). Both reject at level alpha if and only
# if the 1 - 2 alpha interval of the difference is between -M and M. A relative margin r tests
# v_a - (1 - r) v_b and v_a - (1 + r) v_b. These are differences again, so no ratio is tested.

# The pairs of one metric with the columns of equivalence. `paired` comes from paired_values(). Of
# `settings` it uses `margin`, `relative_margin`, `level`, `adjust`, `resamples` and `seed`; also
# `margin_method` ("t" or "flips") and `prior` ("reference" or "bootstrap"), if given.
add_equivalence <- function(pairs, paired, settings) {
  settings <- margin_settings(settings)
  if (settings$relative_margin) check_positive_means(paired, unique(pairs$b))
  rows <- Map(function(a, b) margin_pair(paired, a, b, settings), pairs$a, pairs$b)
  columns <- as.data.frame(do.call(rbind, unname(rows)))
  if (settings$prior == "bootstrap") {
    columns[rope_columns] <- bootstrap_rope(paired, pairs, settings)
  }
  method <- margin_adjustment(settings)
  columns$p_noninferior_adjusted <- stats::p.adjust(columns$p_noninferior, method)
  columns$p_equivalent_adjusted <- stats::p.adjust(columns$p_equivalent, method)
  pairs[names(columns)] <- columns
  pairs
}

margin_settings <- function(settings) {
  defaults <- list(relative_margin = FALSE, margin_method = "t", prior = "reference", variance = "queries")
  settings <- c(settings, defaults[setdiff(names(defaults), names(settings))])
  if (is.null(settings$threads)) settings$threads <- check_threads(NULL)
  settings
}

# Joint sign flips cover differences, not margins. So Holm's method is used in place of every method that
# controls the family-wise error.
margin_adjustment <- function(settings) {
  switch(settings$adjust, none = "none", BH = "BH", "holm")
}

check_positive_means <- function(paired, rankers, call = rlang::caller_env()) {
  means <- query_means(paired$values, as.double(paired$weight))
  bad <- rankers[means[match(rankers, colnames(paired$values))] <= 0]
  if (length(bad) > 0L) {
    stop_input("values", "A relative margin needs rankers with a positive mean.",
               sprintf("The mean of %s is not positive.", enumerate(bad)),
               "Give an absolute margin: `relative = FALSE`.", call = call)
  }
}

# The sides of the test: `above` is the excess of the difference over -M, `below` its shortfall to M. Each has
# `mean`, `se`, `df`, `flat` (whether its spread is unknown) and `values` of the queries. Equivalence means
# that both means are positive.
margin_pair <- function(paired, a, b, settings) {
  sides <- if (settings$relative_margin) {
    relative_sides(paired, a, b, settings)
  } else {
    absolute_sides(paired, a, b, settings)
  }
  n <- nrow(paired$values)
  p <- vapply(sides[c("above", "below")], function(side) {
    if (settings$margin_method == "t") upper_tail_p(side, n) else {
      upper_flips_p(side, paired$weight, settings)
    }
  }, 0)
  c(margin = settings$margin,
    relative_difference = if (settings$relative_margin) sides$relative else NA_real_,
    tost_lower = sides$interval[["lower"]], tost_upper = sides$interval[["upper"]],
    p_noninferior = p[["above"]], p_equivalent = max(p),
    stats::setNames(unlist(reference_rope(sides, n)), rope_columns),
    bayes_factor = jzs_bayes_factor(sides$difference, n))
}

absolute_sides <- function(paired, a, b, settings) {
  difference <- snapped_difference(paired$values[, a], paired$values[, b])
  moments <- pair_moments(paired, a, b, settings)[c("mean", "se", "df")]
  flat <- has_no_spread(moments$mean, moments$se)
  side <- function(sign) {
    list(mean = settings$margin + sign * moments$mean, se = moments$se, df = moments$df, flat = flat,
         values = settings$margin + sign * difference)
  }
  list(difference = c(moments, flat = flat), above = side(1), below = side(-1),
       interval = tost_interval(difference, paired$weight, moments, flat, settings))
}

tost_interval <- function(difference, weight, moments, flat, settings) {
  if (all(difference == 0) && length(difference) > 1L) {
    return(c(lower = 0, upper = 0))
  }
  if (flat) {
    return(c(lower = NA_real_, upper = NA_real_))
  }
  if (settings$margin_method == "flips") {
    settings$level <- 2 * settings$level
    return(flips_interval(difference, weight, settings$level, settings))
  }
  t_interval(moments, 1 - 2 * settings$level)
}

# The standard error of v_a - rho v_b is the root of a quadratic in rho, also with weights and strata. Three
# values of rho determine it. For every rho, the degrees of freedom of the difference are used. So the
# interval and the tests agree.
relative_sides <- function(paired, a, b, settings) {
  of <- function(values) stratified_moments(values, paired$weight, paired$fold)
  first <- of(paired$values[, a])
  second <- of(paired$values[, b])
  difference <- snapped_difference(paired$values[, a], paired$values[, b])
  moments <- of(difference)
  flat <- has_no_spread(moments$mean, moments$se)
  covariance <- (first$se^2 + second$se^2 - moments$se^2) / 2
  side <- function(sign) {
    rho <- 1 - sign * settings$margin
    own <- sign * snapped_difference(paired$values[, a], rho * paired$values[, b])
    own_moments <- of(own)
    list(mean = own_moments$mean, se = own_moments$se, df = moments$df,
         flat = has_no_spread(first$mean + rho * second$mean, own_moments$se), values = own)
  }
  list(difference = c(moments, flat = flat), above = side(1), below = side(-1),
       relative = first$mean / second$mean - 1,
       interval = ratio_interval(first, second, covariance, moments$df, settings$level) - 1)
}

# Fieller's interval of the ratio of two means: all rho for which mean_a - rho mean_b differs from 0 by at
# most q standard errors. NA if the interval is unbounded, because the mean of b is near 0.
ratio_interval <- function(first, second, covariance, df, level) {
  unknown <- c(lower = NA_real_, upper = NA_real_)
  if (is.na(first$se) || is.na(second$se) || df < 1) {
    return(unknown)
  }
  q <- stats::qt(1 - level, df)
  square <- second$mean^2 - q^2 * second$se^2
  if (square <= 0) {
    return(unknown)
  }
  linear <- first$mean * second$mean - q^2 * covariance
  root <- sqrt(max(0, linear^2 - square * (first$mean^2 - q^2 * first$se^2)))
  c(lower = (linear - root) / square, upper = (linear + root) / square)
}

# The p-value against "the mean is at most 0". With one query, the p-value is 1. If the values do not vary,
# the sign of the mean decides, with the p-value of the sign flips.
upper_tail_p <- function(side, n) {
  if (n < 2L) {
    return(1)
  }
  if (side$flat) {
    return(if (side$mean > 0) 2^-n else 1)
  }
  stats::pt(side$mean / side$se, side$df, lower.tail = FALSE)
}

upper_flips_p <- function(side, weight, settings) {
  if (length(side$values) < 2L) {
    return(1)
  }
  randomization_p(side$values, weight, settings, "greater")
}

# Verdicts -----------------------------------------------------------------------------------

margin_verdicts <- c("better", "better, but practically equivalent", "equivalent", "undecided",
                     "worse, but practically equivalent", "worse")

# The verdict about a in each pair. It follows from the p-values and directions of the comparison, and from
# the columns of add_equivalence() if they exist.
verdict_of <- function(pairs, settings) {
  p <- pairs$p_adjusted
  decided <- !is.na(p) & p <= settings$level & pairs$difference != 0 & !undirected(pairs, settings)
  p_equivalent <- pairs$p_equivalent_adjusted
  equivalent <- !is.null(p_equivalent) & !is.na(p_equivalent) & p_equivalent <= settings$level
  if (length(equivalent) == 0L) equivalent <- rep(FALSE, nrow(pairs))
  direction <- ifelse(pairs$difference > 0, "better", "worse")
  as.character(ifelse(decided, paste0(direction, ifelse(equivalent, ", but practically equivalent", "")),
                      ifelse(equivalent, "equivalent", "undecided")))
}

# Whether the comparison reports neither ranker as worse, because folds differ in both directions, or signed
# ranks contradict the means.
undirected <- function(pairs, settings) {
  both <- pairs$both_directions
  if (settings$test == "wilcoxon") both | !ranks_agree(pairs$pseudo_median, pairs$difference) else both
}
