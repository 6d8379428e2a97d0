# Smooth metrics and their derivatives, directly by the formulas: O(m^3) for a query of m documents.

# h[i, r]: the weight of document i in the soft gain at rank r. `d` is the order of the documents, which
# decides ties.
naive_indicators <- function(f, sigma, d = order(-f)) {
  e <- exp(-outer(f, f[d], "-")^2 / sigma)
  sweep(e, 2, colSums(e), "/")
}

# The metric of one query as a function of the gain at each rank.
naive_rule <- function(metric, grades, z, q) {
  m <- length(q)
  k <- min(metric$k, m)
  top <- seq_len(k)
  relevant <- sum(grades >= 1)
  log2s <- 1 / log2(1 + seq_len(m))
  switch(metric$name,
    ndcg = sum(q[top] * log2s[top]) / sum(sort(z, decreasing = TRUE)[top] * log2s[top]),
    dcg = sum(q[top] * log2s[top]),
    mean_ndcg = mean(cumsum(q * log2s)[top] /
                       cumsum(sort(z, decreasing = TRUE) * log2s)[top]),
    precision = sum(q[top]) / (if (is.finite(metric$k)) metric$k else m),
    recall = sum(q[top]) / relevant,
    average_precision = sum((q * cumsum(q) / seq_len(m))[top]) / relevant,
    reciprocal_rank = , err = sum((q / seq_len(m) * cumprod(1 - c(0, q[-m])))[top]),
    success = 1 - prod(1 - q[top])
  )
}

naive_metric_gains <- function(metric, grades, highest) {
  switch(metric$name,
    ndcg = , dcg = , mean_ndcg = 2^grades - 1,
    err = (2^grades - 1) / 2^highest,
    as.numeric(grades >= 1)
  )
}

naive_smooth_query <- function(metric, sigma, f, grades, highest, form = "places") {
  if (all(grades == 0)) {
    return(0)
  }
  if (form == "logistic") {
    l <- as.numeric(grades >= 1)
    p <- 1 / (1 + exp(outer(f, f, "-") / sigma))
    diag(p) <- 0
    return(sum(l * (l + p %*% l) / (1 + rowSums(p))) / sum(l))
  }
  z <- naive_metric_gains(metric, grades, highest)
  naive_rule(metric, grades, z, drop(z %*% naive_indicators(f, sigma)))
}

# Whether the documents of each query differ in gain. Other queries are ignored.
that_count <- function(metric, data) {
  gains <- naive_metric_gains(metric, data$relevance, max(data$relevance))
  vapply(seq_along(data$query_ids), function(q) {
    length(unique(gains[data$query == q])) > 1L
  }, NA)
}

# The smooth metric of each query.
naive_smooth <- function(objective, f, data) {
  form <- if (is.null(objective$form)) "places" else objective$form
  that_count(objective$metric, data) * vapply(seq_along(data$query_ids), function(q) {
    rows <- which(data$query == q)
    naive_smooth_query(objective$metric, objective$sigma, f[rows], data$relevance[rows],
                       max(data$relevance), form)
  }, 0)
}

# The gradient of a sum over ranks, by the derivatives of h in the paper, (10): O(m^3).
naive_smooth_gradient <- function(a, c, f, sigma) {
  m <- length(f)
  d <- order(-f)
  h <- naive_indicators(f, sigma)
  gradients <- numeric(m)
  for (p in seq_len(m)) {
    for (j in seq_along(c)) {
      g <- f[d[j]]
      own <- as.numeric(p == d[j])
      dh <- -2 / sigma * h[, j] * ((f - g) * ((seq_len(m) == p) - own) -
                                     ((f[p] - g) * h[p, j] - own * sum((f - g) * h[, j])))
      gradients[p] <- gradients[p] + c[j] * sum(a * dh)
    }
  }
  gradients
}
