# The weights of members, for mixture() and mix(). Members are a list of score
# vectors, omega their means of the metric.

# pi_m, shifted by the largest exponent so that nothing overflows; 0 for members that are
# not above the threshold. An infinite c takes the best member alone, the first of several.
exponential_weights <- function(c, omega, threshold = -Inf) {
  weights <- if (is.finite(c)) {
    exp(c * (omega - max(omega)))
  } else {
    as.numeric(seq_along(omega) == which.max(omega))
  }
  weights[omega <= threshold] <- 0
  weights / sum(weights)
}

# The metric of the mixture for each threshold and c, thresholds x c; NA where a threshold
# leaves no member. The members above a threshold are the first ones by omega: one sum
# over the members gives the mixtures of all thresholds.
mixture_values <- function(scores, omega, data, metric, c, threshold, threads) {
  order <- order(-omega)
  counts <- vapply(threshold, function(least) sum(omega > least), integer(1))
  ends <- sort(unique(counts[counts > 0L]))
  values <- matrix(NA_real_, length(threshold), length(c))
  for (i in seq_along(c)) {
    weights <- exponential_weights(c[i], omega)[order]
    mixed <- mix_first(scores, order - 1L, weights, ends, threads)
    means <- metric_means(metric, mixed, data, threads)
    values[, i] <- means[match(counts, ends)]
  }
  values
}

# The first of the best, in the order of the grid: the smallest T, for it the smallest c,
# then the lowest threshold.
tuning_table <- function(values, rounds, c, threshold) {
  data.frame(rounds = rep(rounds, each = length(c) * length(threshold)),
             c = rep(rep(c, each = length(threshold)), length(rounds)),
             threshold = rep(threshold, length(rounds) * length(c)),
             value = unlist(lapply(values, as.vector)))
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

check_some_member <- function(omega, threshold, call = rlang::caller_env()) {
  if (max(omega) <= threshold[1L]) {
    stop_input("argument", "No member is above `threshold`.",
               sprintf("The best has %s on the held-out data, the lowest threshold is %s.",
                       format(max(omega), digits = 4), format(threshold[1L])),
               "Lower `threshold`; -Inf keeps all members.", call = call)
  }
}

# Scores as they are, or divided by their standard deviation on the held-out data.
member_scale <- function(scores, standardize) {
  if (!standardize) {
    return(rep(1, length(scores)))
  }
  vapply(scores, function(score) {
    spread <- stats::sd(score)
    if (is.finite(spread) && spread > 0) 1 / spread else 1
  }, numeric(1))
}
