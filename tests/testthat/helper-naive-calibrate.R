# Slow reference implementations of calibration and aggregation.

naive_sigmoid_probabilities <- function(f, a, b) {
  s <- 1 / (1 + exp(-a * (f - b)))
  s / rowSums(s)
}

# Each target by its formula. `held` is the result of held_out().
naive_target <- function(target, f, held, a, b, exponent = 2, sigma = 0.01) {
  p <- naive_sigmoid_probabilities(f, a, b)
  own <- cbind(seq_along(held$relevance), held$relevance + 1)
  weight <- if (length(held$weight) > 0L) held$weight else rep(1, nrow(f))
  l <- matrix(seq_len(ncol(f)) - 1, nrow(f), ncol(f), byrow = TRUE)
  switch(
    target,
    log_sigmoid = sum(-weight * log(p[own])),
    entropy_weighted = sum(-weight * log(p[own]) * rowSums(-p * log(p))^exponent),
    expected_loss = sum(weight * rowSums((l - held$relevance)^2 * p)),
    expected_label_loss = sum(weight * (rowSums(l * p) - held$relevance)^2),
    soft_ndcg = sum(vapply(unique(held$query), function(q) {
      rows <- held$order[held$query[held$order + 1] == q] + 1
      weight[rows[1]] * naive_soft_ndcg(drop(p[rows, , drop = FALSE] %*% (2^(seq_len(ncol(f)) - 1) - 1)),
                                        2^held$relevance[rows] - 1, sigma)
    }, numeric(1)))
  )
}

naive_soft_ndcg <- function(v, z, sigma) {
  ideal <- sum(sort(z, decreasing = TRUE) / log2(seq_along(z) + 1))
  if (ideal == 0) {
    return(0)
  }
  e <- exp(-outer(v, v, "-")^2 / sigma)
  h <- e / rowSums(e)
  sorted <- order(-v)
  -sum(drop(h[sorted, , drop = FALSE] %*% z) / log2(seq_along(z) + 1)) / ideal
}

# The input of calibrators: documents in queries of `size`, with shuffled rows.
held_part <- function(grades, size = 20, weight = numeric()) {
  query <- sample(rep_len(seq_len(ceiling(length(grades) / size)), length(grades)))
  data <- ranking_data(cbind(0 * grades), grades, query)
  held <- rankmix:::held_out(data, 1L)
  held$weight <- as.double(weight)
  held
}

# The stationary distribution of a Markov chain, by many steps.
naive_stationary <- function(moves, damping) {
  n <- nrow(moves)
  chain <- (1 - damping) * moves + damping / n
  fraction <- rep(1 / n, n)
  for (step in 1:5000) fraction <- drop(fraction %*% chain)
  n * fraction
}

# `scores` is documents x rankers of one query.
naive_aggregate <- function(scores, method, damping) {
  n <- nrow(scores)
  m <- ncol(scores)
  counts <- apply(scores, 2, function(s) {
    vapply(s, function(x) sum(s < x) + (sum(s == x) - 1) / 2, numeric(1))
  })
  borda <- rowMeans(matrix(counts, n))
  if (method == "borda") {
    return(borda)
  }
  moves <- matrix(0, n, n)
  for (i in seq_len(n)) {
    for (j in seq_len(n)) {
      above <- sum(scores[j, ] > scores[i, ])
      moves[i, j] <- switch(
        method,
        mc1 = sum(scores[j, ] >= scores[i, ]) / sum(t(scores) >= scores[i, ]),
        mc2 = mean((scores[j, ] >= scores[i, ]) / colSums(t(t(scores) >= scores[i, ]))),
        mc3 = above / m / n,
        mc4 = (above > m / 2) / n,
        borda_chain = if (i != j && borda[i] + borda[j] > 0) {
          borda[j] / (borda[i] + borda[j]) / n
        } else 0
      )
    }
  }
  diag(moves) <- diag(moves) + 1 - rowSums(moves)
  naive_stationary(moves, damping)
}
