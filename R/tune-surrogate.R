# The surrogate of tune_ranker(): a Gaussian process that predicts the metric of untried settings.
#
# Problem: propose the settings whose training is most likely to improve on the best.
# Input: points of the unit cube, the fraction of the training queries, and the mean metric of each training.
# Algorithm: a constant mean and the Matern kernel with smoothness 5/2, whose inputs are the settings and the
# logarithm of the fraction. So trainings on few queries help to predict trainings on all queries. Scale, length
# scales and noise maximise the posterior density, with log-normal priors, because there are few points. The
# proposal has the largest expected improvement at the fraction 1. Several proposals are made one by one. For
# the next proposal, the predicted metric of each proposal is used as its value. Reference: Snoek, Larochelle
# and Adams (2012), Practical Bayesian optimization of machine learning algorithms; Swersky, Snoek and Adams
# (2013), Multi-task Bayesian optimization. Cost: n^3 for n trainings, some 100 times; n is at most
# `max_surrogate_points`.

max_surrogate_points <- 150L

matern_kernel <- function(a, b, length_scales) {
  scaled_a <- sweep(a, 2L, length_scales, "/")
  scaled_b <- sweep(b, 2L, length_scales, "/")
  squares <- outer(rowSums(scaled_a^2), rowSums(scaled_b^2), "+") - 2 * tcrossprod(scaled_a, scaled_b)
  r <- sqrt(5 * pmax(squares, 0))
  (1 + r + r^2 / 3) * exp(-r)
}

# Minus the log posterior density of the parameters: logarithms of the length scales and of the fraction of the
# variance that is noise. Mean and variance have closed forms.
surrogate_loss <- function(parameters, x, y) {
  fitted <- surrogate_at(parameters, x, y)
  if (is.null(fitted)) {
    return(1e10)
  }
  d <- ncol(x)
  prior <- sum((parameters[seq_len(d)] - log(0.5))^2) / 2 + (parameters[d + 1L] - log(0.1))^2 / 8
  length(y) / 2 * log(fitted$variance) + sum(log(diag(fitted$root))) + prior
}

surrogate_at <- function(parameters, x, y) {
  d <- ncol(x)
  kernel <- matern_kernel(x, x, exp(parameters[seq_len(d)]))
  diag(kernel) <- diag(kernel) + exp(parameters[d + 1L]) + 1e-8
  root <- tryCatch(chol(kernel), error = function(e) NULL)
  if (is.null(root)) {
    return(NULL)
  }
  solve_kernel <- function(b) backsolve(root, forwardsolve(root, b, upper.tri = TRUE, transpose = TRUE))
  ones <- solve_kernel(rep(1, length(y)))
  mean <- sum(ones * y) / sum(ones)
  weights <- solve_kernel(y - mean)
  variance <- max(sum((y - mean) * weights) / length(y), 1e-16)
  list(x = x, length_scales = exp(parameters[seq_len(d)]), root = root, mean = mean, weights = weights,
       variance = variance)
}

# `x` has a row for each training, the last column is the logarithm of the fraction, scaled to [0, 1].
surrogate_parameters <- function(x, y) {
  start <- c(rep(log(0.5), ncol(x)), log(0.1))
  found <- stats::optim(start, surrogate_loss, x = x, y = y, method = "L-BFGS-B",
                        lower = c(rep(log(0.05), ncol(x)), log(1e-4)), upper = c(rep(log(20), ncol(x)), log(10)),
                        control = list(maxit = 50L))
  found$par
}

# Mean and standard deviation of the metric without noise.
predict_surrogate <- function(fitted, x) {
  cross <- matern_kernel(x, fitted$x, fitted$length_scales)
  v <- forwardsolve(fitted$root, t(cross), upper.tri = TRUE, transpose = TRUE)
  list(mean = fitted$mean + drop(cross %*% fitted$weights),
       sd = sqrt(pmax(fitted$variance * (1 - colSums(v^2)), 0)))
}

expected_improvement <- function(predicted, best) {
  gap <- predicted$mean - best
  z <- gap / predicted$sd
  value <- gap * stats::pnorm(z) + predicted$sd * stats::dnorm(z)
  ifelse(predicted$sd > 0, value, pmax(gap, 0))
}

# Random points, and points near the best: half of their coordinates are moved.
points_to_rate <- function(best, count) {
  d <- length(best)
  far <- matrix(stats::runif(count * d), count)
  moved <- matrix(stats::runif(count * d) < 0.5, count)
  near <- pmin(pmax(rep(best, each = count) + moved * stats::rnorm(count * d, sd = 0.1), 0), 1)
  rbind(far, matrix(near, count))
}

# `count` proposals as rows. `points`, `fraction` and `value` describe the trainings so far.
propose_points <- function(points, fraction, value, count) {
  kept <- utils::tail(order(fraction, value), max_surrogate_points)
  scale <- min(log(fraction))
  level <- if (scale == 0) rep(1, length(fraction)) else 1 - log(fraction) / scale
  x <- cbind(points, level)[kept, , drop = FALSE]
  y <- value[kept]
  parameters <- surrogate_parameters(x, y)
  best <- which.max(ifelse(level[kept] == max(level), y, -Inf))
  rated <- points_to_rate(x[best, -ncol(x)], 500L)
  proposals <- matrix(0, 0L, ncol(points))
  for (i in seq_len(count)) {
    fitted <- surrogate_at(parameters, x, y)
    at_one <- predict_surrogate(fitted, cbind(x[, -ncol(x), drop = FALSE], 1))
    predicted <- predict_surrogate(fitted, cbind(rated, 1))
    chosen <- which.max(expected_improvement(predicted, max(at_one$mean)))
    proposals <- rbind(proposals, rated[chosen, ])
    x <- rbind(x, c(rated[chosen, ], 1))
    y <- c(y, predicted$mean[chosen])
    rated <- rated[-chosen, , drop = FALSE]
  }
  unname(proposals)
}
