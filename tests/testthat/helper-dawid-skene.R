# A plain EM of Dawid and Skene: loops over documents, assessors and grades. `votes` is a matrix of documents x
# assessors. Returns the log-likelihood after each iteration, and the last estimates.
naive_dawid_skene <- function(votes, k, iterations, alpha = matrix(0, k, k)) {
  n <- nrow(votes)
  posterior <- t(apply(votes, 1L, function(row) {
    counts <- tabulate(row[!is.na(row)] + 1L, k) + 0.01
    counts / sum(counts)
  }))
  loglik <- numeric()
  for (i in seq_len(iterations)) {
    p <- colMeans(posterior)
    pi <- array(alpha, c(k, k, ncol(votes)))
    for (a in seq_len(ncol(votes))) {
      for (d in seq_len(n)) {
        if (!is.na(votes[d, a])) {
          pi[, votes[d, a] + 1L, a] <- pi[, votes[d, a] + 1L, a] + posterior[d, ]
        }
      }
      pi[, , a] <- pi[, , a] / rowSums(pi[, , a])
    }
    total <- 0
    for (d in seq_len(n)) {
      joint <- p
      for (a in seq_len(ncol(votes))) {
        if (!is.na(votes[d, a])) joint <- joint * pi[, votes[d, a] + 1L, a]
      }
      total <- total + log(sum(joint))
      posterior[d, ] <- joint / sum(joint)
    }
    loglik <- c(loglik, total)
  }
  list(loglik = loglik, posterior = posterior, pi = pi, p = p)
}

# Votes of assessors with known errors.
drawn_votes <- function(n = 60, seed = 1, missing = 0.2) {
  withr::with_seed(seed, {
    true <- sample(0:2, n, TRUE, c(0.5, 0.3, 0.2))
    errs <- function(rate, up) {
      pmin(pmax(true + (stats::runif(n) < rate) * ifelse(stats::runif(n) < up, 1, -1), 0), 2)
    }
    votes <- cbind(anna = errs(0.1, 0.5), ben = errs(0.25, 0.5), llm = errs(0.5, 0.9))
    votes[cbind(sample(n, missing * n), 2L)] <- NA
    list(true = true, votes = votes)
  })
}
