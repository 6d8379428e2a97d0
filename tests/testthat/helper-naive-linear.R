# Linear models of objectives, with every pair listed.

# Weighted means 0 and standard deviations 1 over all documents; constant features become 0.
naive_standard <- function(x, weight = rep(1, nrow(x))) {
  fraction <- weight / sum(weight)
  scale <- apply(x, 2, function(v) sqrt(sum(fraction * (v - sum(fraction * v))^2)))
  used <- scale > 1e-10
  z <- sweep(sweep(x, 2, colSums(fraction * x)), 2, ifelse(used, scale, Inf), "/")
  list(z = z, scale = ifelse(used, scale, 0))
}

# All pairs of different grades of a query: rows of the better and of the worse document, and the
# pair's weight.
naive_pairs <- function(data, pairs, query_weight = rep(1, length(data$query_ids))) {
  do.call(rbind, lapply(seq_along(data$query_ids), function(q) {
    rows <- which(data$query == q)
    both <- expand.grid(upper = rows, lower = rows)
    both <- both[data$relevance[both$upper] > data$relevance[both$lower], ]
    if (nrow(both) == 0L) {
      return(NULL)
    }
    both$weight <- query_weight[q] / (if (pairs == "query") nrow(both) else 1)
    both
  }))
}

naive_pair_loss <- function(d, loss) {
  switch(loss, hinge = pmax(0, 1 - d), squared_hinge = pmax(0, 1 - d)^2,
         logistic = log(1 + exp(-d)))
}

# 1/2 |v|^2 + cost * the sum over pairs, of weights v of standardised features.
naive_rank_objective <- function(v, z, pairs, cost, loss) {
  f <- drop(z %*% v)
  d <- f[pairs$upper] - f[pairs$lower]
  sum(v^2) / 2 + cost * sum(pairs$weight * naive_pair_loss(d, loss))
}

# The cross-entropy of a query's softmax, each query once.
naive_listnet <- function(v, z, data) {
  f <- drop(z %*% v)
  sum(vapply(split(seq_along(f), data$query), function(rows) {
    gain <- 2^data$relevance[rows] - 1
    if (sum(gain) == 0) {
      return(0)
    }
    -sum(gain / sum(gain) * (f[rows] - log(sum(exp(f[rows])))))
  }, 0))
}
