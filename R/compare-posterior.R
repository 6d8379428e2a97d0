# Bayesian answers about the mean difference of two rankers: the probabilities that it is below -M, between
# -M and M (the region of practical equivalence), or above M, and a Bayes factor.

rope_columns <- c("prob_worse", "prob_rope", "prob_better")

# With the prior 1 / sigma, (delta - mean) / se has Student's distribution. Without a spread the mean
# decides. One query gives no posterior.
reference_rope <- function(sides, n) {
  if (n < 2L || is.na(sides$difference$se)) {
    return(rep(list(NA_real_), 3L))
  }
  worse <- below_zero(sides$above)
  better <- below_zero(sides$below)
  list(worse, max(0, 1 - worse - better), better)
}

# The posterior probability that the mean of a side is negative.
below_zero <- function(side) {
  if (side$flat) as.numeric(side$mean < 0) else stats::pt(-side$mean / side$se, side$df)
}

# The Bayesian bootstrap (Rubin 1981): Dirichlet weights of the queries, within strata. The draws are the
# same for all rankers, so that the difference of two means is the mean difference.
bootstrap_rope <- function(paired, pairs, settings) {
  if (nrow(paired$values) < 2L) {
    return(rep(list(rep(NA_real_, nrow(pairs))), 3L))
  }
  means <- with_seed(settings$seed, posterior_means(paired, settings$resamples))
  rows <- Map(function(a, b) {
    low <- if (settings$relative_margin) (1 - settings$margin) * means[, b] else means[, b] - settings$margin
    high <- if (settings$relative_margin) (1 + settings$margin) * means[, b] else means[, b] + settings$margin
    c(mean(means[, a] < low), mean(means[, a] >= low & means[, a] <= high), mean(means[, a] > high))
  }, pairs$a, pairs$b)
  as.data.frame(do.call(rbind, unname(rows)))
}

# `draws` x rankers: draws of the mean of each ranker.
posterior_means <- function(paired, draws) {
  values <- paired$values
  weight <- if (is.null(paired$weight)) rep(1, nrow(values)) else paired$weight
  means <- matrix(0, draws, ncol(values), dimnames = list(NULL, colnames(values)))
  for (rows in split(seq_len(nrow(values)), joined_strata(paired$fold, nrow(values)))) {
    size <- max(1L, floor(max_drawn_weights / length(rows)))
    for (from in seq(1L, draws, by = size)) {
      chunk <- from:min(draws, from + size - 1L)
      drawn <- matrix(stats::rexp(length(chunk) * length(rows)), length(chunk)) *
        rep(weight[rows], each = length(chunk))
      own <- drawn %*% values[rows, , drop = FALSE] / rowSums(drawn)
      means[chunk, ] <- means[chunk, ] + own * sum(weight[rows]) / sum(weight)
    }
  }
  means
}

# Number of weights in memory at a time.
max_drawn_weights <- 2e6

# The Bayes factor of "there is a difference" against "there is none": Cauchy prior of the effect with scale
# r (Rouder et al. 2009, doi:10.3758/PBR.16.2.225).
jzs_bayes_factor <- function(moments, n, r = sqrt(2) / 2) {
  if (n < 2L || moments$flat || moments$df < 1) {
    return(NA_real_)
  }
  t <- moments$mean / moments$se
  df <- moments$df
  size <- df + 1
  log_null <- -(df + 1) / 2 * log1p(t^2 / df)
  ratio <- function(g) {
    spread <- 1 + size * r^2 * g
    exp(-0.5 * log(spread) - (df + 1) / 2 * log1p(t^2 / (spread * df)) - log_null -
          0.5 * log(2 * pi) - 1.5 * log(g) - 1 / (2 * g))
  }
  # g from 0 to Inf becomes u from 0 to 1.
  inner <- function(u) ratio(u / (1 - u)) / (1 - u)^2
  tryCatch(stats::integrate(inner, 0, 1, rel.tol = 1e-8, subdivisions = 500L)$value,
           error = function(e) NA_real_)
}
