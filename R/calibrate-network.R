# The network of rbc(): five logistic units and a linear one.

network_units <- 5L
most_network_documents <- 20000L

fit_network <- function(f, z, weight) {
  rows <- regular_sample(f, z, most_network_documents)
  scale <- standard_scale(f)
  size <- max(abs(z))
  if (size == 0) {
    size <- 1
  }
  inputs <- ncol(f)
  count <- (inputs + 2L) * network_units + 1L
  start <- with_seed(1, stats::runif(count, -0.5, 0.5))
  fit <- nnet::nnet(
    standardise(f[rows, , drop = FALSE], scale), z[rows] / size,
    weights = if (length(weight) > 0L) weight[rows] else rep(1, length(rows)),
    size = network_units, Wts = start, linout = TRUE, decay = 1e-3, maxit = 200,
    trace = FALSE
  )
  # Only the weights are kept: the value of nnet() holds the data.
  hidden <- seq_len((inputs + 1L) * network_units)
  list(scale = scale, size = size,
       hidden = matrix(fit$wts[hidden], inputs + 1L), output = fit$wts[-hidden],
       converged = fit$convergence == 0L)
}

network_values <- function(fit, f) {
  x <- standardise(f, fit$scale)
  sums <- mix_scores(x, fit$hidden[-1L, , drop = FALSE], 1L)
  units <- stats::plogis(rep(fit$hidden[1L, ], each = nrow(f)) + sums)
  fit$size * (fit$output[1L] + weighted_columns(units, fit$output[-1L]))
}
