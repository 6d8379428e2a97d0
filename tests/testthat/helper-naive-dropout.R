# Boosting with dropout, in plain doubles. A round reduces only the weights of dropped trees. So the weights
# of a model after each number of rounds show which trees were dropped.

# The weight of each tree after r rounds, by the formula, and the trees that the last round dropped.
naive_dropout <- function(model, rounds) {
  weights <- numeric()
  dropped <- list()
  for (r in seq_len(rounds)) {
    weighted <- rankmix:::gbrt_weights(unclass(model$spec), model$seed, r)
    out <- which(weighted[seq_len(r - 1L)] < weights * (1 - 1e-12))
    k <- length(out)
    step <- model$spec$learning_rate
    weights[out] <- weights[out] * k / (k + step)
    weights[r] <- if (k == 0L) step else step / (k + step)
    dropped[[r]] <- out
  }
  list(weights = weights, dropped = dropped)
}

# Checks the trees of a model. Returns the largest of two kinds of differences: between the gain of the first
# split and the best gain, and between leaf values and mean residuals. The residuals are of the model without
# the dropped trees.
replay_dropout <- function(model, data, least) {
  n <- nrow(data$x)
  thresholds <- lapply(seq_len(ncol(data$x)), function(j) naive_thresholds(data$x[, j]))
  rounds <- rankmix:::rounds_used(model)
  h <- matrix(0, n, rounds)
  shortfall <- 0
  for (r in seq_len(rounds)) {
    alone <- rankmix:::some_rounds(model$forest, r - 1L, r)
    h[, r] <- rankmix:::forest_predict(alone, 1, data$x, 1L, 1L)[, 1L, 1L]
    before <- naive_dropout(model, r - 1L)$weights
    before[naive_dropout(model, r)$dropped[[r]]] <- 0
    residual <- data$relevance - mean(data$relevance) -
      drop(h[, seq_len(r - 1L), drop = FALSE] %*% before)
    # Leaves with equal values are one group here.
    means <- stats::ave(residual, h[, r])
    best <- naive_best_drop(data$x, residual, rep(TRUE, n), thresholds, least)
    shortfall <- max(shortfall, abs(means - h[, r]), abs(best[1L] / n - alone$gain[1L]))
  }
  list(shortfall = shortfall,
       f = mean(data$relevance) + drop(h %*% naive_dropout(model, rounds)$weights))
}

# The best split of these documents alone, by its feature, threshold and gain.
naive_best_drop <- function(x, r, at, thresholds, least = 1) {
  best <- c(0, NA, NA)
  node_score <- function(rows) if (any(rows)) sum(r[rows])^2 / sum(rows) else 0
  for (f in seq_len(ncol(x))) {
    for (t in thresholds[[f]]) {
      left <- at & x[, f] <= t
      drop <- node_score(left) + node_score(at & !left) - node_score(at)
      if (min(sum(left), sum(at & !left)) >= least && drop > best[1] + 1e-9) best <- c(drop, f, t)
    }
  }
  best
}
