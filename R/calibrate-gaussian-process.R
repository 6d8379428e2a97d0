# The Gaussian process of rbc(). Prior: a constant mean, the covariance
# s^2 exp(-|x - x'|^2 / (2 length^2)) of standardised discriminants x, and independent noise
# of variance noise s^2, divided by the weight of a document.

most_exact <- 2000L
most_kernels <- 256L
most_likelihood <- 256L
most_candidates <- 4096L

fit_gaussian_process <- function(f, z, weight, threads) {
  scale <- standard_scale(f)
  weight <- if (length(weight) > 0L) weight else rep(1, length(z))
  used <- weight > 0
  f <- f[used, , drop = FALSE]
  weight <- weight[used]
  mean <- sum(weight * z[used]) / sum(weight)
  y <- z[used] - mean
  sample <- regular_sample(f, y, most_likelihood)
  prior <- likely_prior(standardise(f[sample, , drop = FALSE], scale), y[sample],
                        weight[sample])
  basis <- list(centers = f, scale = scale$factor / prior$length)
  if (nrow(f) <= most_exact) {
    covariance <- kernel_matrix(standardise(f, scale), prior$length)
    diag(covariance) <- diag(covariance) + prior$noise / weight
    root <- chol(covariance)
    coefficients <- backsolve(root, backsolve(root, y, transpose = TRUE))
  } else {
    basis$centers <- kernel_centers(f, y, scale, prior)
    equations <- regression_equations(basis, f, y, weight, threads)
    x <- standardise(basis$centers, scale)
    coefficients <- solve_equations(equations$gram + prior$noise *
                                      kernel_matrix(x, prior$length), equations$right)
  }
  list(mean = mean, length = prior$length, noise = prior$noise, basis = basis,
       coefficients = as.vector(coefficients))
}

# The length and the share of noise with the largest likelihood, s^2 being the best for
# them; within limits, as grades may be all noise or none. Documents of a query are more
# alike than the prior knows, which would make lengths too short: hence half a standard
# deviation at least.
likely_prior <- function(x, y, weight) {
  if (all(y == y[1L])) {
    return(list(length = 1, noise = 1))
  }
  squares <- as.matrix(stats::dist(x))^2
  n <- length(y)
  negative_log_likelihood <- function(theta) {
    covariance <- exp(-squares / (2 * exp(2 * theta[1L])))
    diag(covariance) <- diag(covariance) + exp(theta[2L]) / weight
    root <- chol(covariance)
    variance <- sum(backsolve(root, y, transpose = TRUE)^2) / n
    n / 2 * log(variance) + sum(log(diag(root)))
  }
  best <- stats::nlminb(c(log(2), 0), negative_log_likelihood,
                        lower = log(c(0.5, 1e-3)), upper = log(c(100, 1e3)))
  list(length = exp(best$par[1L]), noise = exp(best$par[2L]))
}

kernel_matrix <- function(x, length) {
  exp(-as.matrix(stats::dist(x))^2 / (2 * length^2))
}

# Pivoted Cholesky factors of the covariance of candidates: each step takes the one whose
# variance, given those before, is largest.
kernel_centers <- function(f, y, scale, prior) {
  candidates <- regular_sample(f, y, most_candidates)
  x <- standardise(f[candidates, , drop = FALSE], scale) / prior$length
  left <- rep(1, nrow(x))
  factors <- matrix(0, nrow(x), most_kernels)
  chosen <- integer()
  while (length(chosen) < most_kernels) {
    pivot <- which.max(left)
    if (left[pivot] < 1e-8) {
      break
    }
    m <- length(chosen)
    covariance <- exp(-rowSums(sweep(x, 2L, x[pivot, ])^2) / 2)
    done <- factors[, seq_len(m), drop = FALSE]
    column <- (covariance - drop(done %*% done[pivot, ])) / sqrt(left[pivot])
    factors[, m + 1L] <- column
    left <- pmax(left - column^2, 0)
    left[pivot] <- 0
    chosen <- c(chosen, pivot)
  }
  f[candidates[chosen], , drop = FALSE]
}
