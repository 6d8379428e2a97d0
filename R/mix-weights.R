# Exponential weights of members, and scaling of their scores, for mixture() and mix(). Members are
# a list of score vectors. `omega` has the mean metric of each.

# pi_m, shifted by the largest exponent to avoid overflow; 0 for members that are
# not above the threshold. An infinite c selects the best member alone, the first in a tie.
exponential_weights <- function(c, omega, threshold = -Inf, prior = 1) {
  weights <- if (is.finite(c)) {
    prior * exp(c * (omega - max(omega)))
  } else {
    as.numeric(seq_along(omega) == which.max(omega))
  }
  weights[omega <= threshold] <- 0
  weights / sum(weights)
}

# The prior weights of members: equal for all groups, and equal within a group.
prior_weights <- function(group) {
  first <- match(group, group)
  weights <- 1 / tabulate(first)[first]
  weights / sum(weights)
}

# The group of each member for a prior: its specification, its family, or the member itself.
prior_groups <- function(prior, specification, family) {
  switch(prior, specification = specification, family = family, member = seq_along(family))
}

# The metric of the mixture for each threshold and c, thresholds x c. NA if a threshold leaves no
# member. The members above a threshold are the first in order of omega, so one cumulative sum gives
# the mixtures of all thresholds.
mixture_values <- function(scores, omega, data, metric, c, threshold, threads, prior = 1) {
  order <- order(-omega)
  counts <- vapply(threshold, function(least) sum(omega > least), integer(1))
  ends <- sort(unique(counts[counts > 0L]))
  values <- matrix(NA_real_, length(threshold), length(c))
  for (i in seq_along(c)) {
    weights <- exponential_weights(c[i], omega, prior = prior)[order]
    mixed <- mix_first(scores, order - 1L, weights, ends, threads)
    means <- metric_means(metric, mixed, data, threads)
    values[, i] <- means[match(counts, ends)]
  }
  values
}

default_c <- c(0, 1, 2, 5, 10, 20, 50, 100, 150, 200)

check_c <- function(c, call = rlang::caller_env()) {
  if (!is.numeric(c) || length(c) == 0L || anyNA(c) || any(c < 0 | (c > 200 & c < Inf))) {
    stop_input("argument",
               sprintf("`c` must be numbers from 0 to 200, or Inf, not %s.",
                       show_value(c)),
               call = call)
  }
  sort(unique(c))
}

check_threshold <- function(threshold, call = rlang::caller_env()) {
  if (!is.numeric(threshold) || length(threshold) == 0L || anyNA(threshold) ||
        any(threshold == Inf)) {
    stop_input("argument",
               sprintf("`threshold` must be numbers, or -Inf, not %s.",
                       show_value(threshold)), call = call)
  }
  sort(unique(threshold))
}

# For each T at least one member must be above the lowest threshold.
check_some_member <- function(stages, threshold, call = rlang::caller_env()) {
  best <- max(vapply(stages, function(stage) max(stage$omega), 0))
  if (best <= threshold[1L]) {
    stop_input("argument", "No member is above `threshold`.",
               sprintf("The best has %s on the validation data, the lowest threshold is %s.",
                       format(best, digits = 4), format(threshold[1L])),
               "Lower `threshold`; -Inf keeps all members.", call = call)
  }
}

# A function from the scores of a member on the validation data to its scaled scores: unchanged, divided by
# their standard deviation (the `scale` that the member keeps), or standardised query by query.
member_scaling <- function(standardize, data, threads) {
  if (identical(standardize, "query")) {
    return(function(scores) {
      list(scores = standardized_by_query(scores, data, threads), scale = 1)
    })
  }
  function(scores) {
    scale <- if (standardize) spread_scale(scores) else 1
    list(scores = if (scale == 1) scores else scores * scale, scale = scale)
  }
}

spread_scale <- function(scores) {
  spread <- stats::sd(scores)
  if (is.finite(spread) && spread > 0) 1 / spread else 1
}

# Scores minus the mean of their query, divided by its standard deviation; 0 if that is 0.
standardized_by_query <- function(scores, data, threads) {
  standardize_features(cbind(scores), data$order, data$offsets, threads)[, 1L]
}
