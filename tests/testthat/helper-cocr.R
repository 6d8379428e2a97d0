# A slow cocr(): each subproblem is trained separately.

naive_cost <- function(cost, K) {
  costs <- matrix(0, K + 1, K + 1)
  for (y in 0:K) {
    for (k in 0:K) {
      costs[y + 1, k + 1] <- switch(cost, absolute = abs(y - k), squared = (y - k)^2,
                                    oerr = (2^y - 2^k)^2)
    }
  }
  costs
}

# documents x subproblems
naive_subproblem_weights <- function(costs, relevance) {
  K <- ncol(costs) - 1
  w <- matrix(0, length(relevance), K)
  for (n in seq_along(relevance)) {
    for (k in seq_len(K)) {
      w[n, k] <- abs(costs[relevance[n] + 1, k + 1] - costs[relevance[n] + 1, k])
    }
  }
  w
}

# A model of `base` for each subproblem.
naive_cocr_parts <- function(base, data, costs, weight = NULL) {
  w <- naive_subproblem_weights(costs, data$relevance)
  if (!is.null(weight)) w <- w * weight
  lapply(seq_len(ncol(w)), function(k) {
    task <- rankmix:::part_task(rankmix:::new_task(data, 1, 1), data$relevance >= k, w[, k])
    rankmix:::entry_of(base)$train(base, task)
  })
}

complete_simulation <- function(queries, seed, features = 6) {
  all <- simulate_ranking(queries, features = features, seed = seed)$data
  x <- all$x
  x[is.na(x)] <- 0
  # No feature is constant, so that lm() has all coefficients.
  ranking_data(x[, apply(x, 2, sd) > 0], all$relevance, all$query)
}
