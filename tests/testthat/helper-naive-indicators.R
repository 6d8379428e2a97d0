# SmoothRank's soft indicators and its smooth NDCG, written down as the paper has them: sums over
# documents i and places j, for any order of documents that tie.

naive_indicators <- function(f, sigma, order = base::order(-f)) {
  m <- length(f)
  h <- matrix(0, m, m)
  for (j in seq_len(m)) {
    e <- exp(-(f - f[order[j]])^2 / sigma)
    h[, j] <- e / sum(e)
  }
  h
}

naive_smooth_ndcg <- function(f, grades, sigma, k = Inf, order = base::order(-f)) {
  gains <- 2^grades - 1
  discounts <- (seq_along(f) <= k) / log2(seq_along(f) + 1)
  ideal <- sum(sort(gains, decreasing = TRUE) * discounts)
  if (ideal == 0) {
    return(NA_real_)
  }
  sum(outer(gains, discounts) * naive_indicators(f, sigma, order)) / ideal
}

# The derivative of every h_ij by every f_p, by (10) as checklists restore it; `order` fixed.
naive_indicator_slopes <- function(f, sigma, order = base::order(-f)) {
  m <- length(f)
  h <- naive_indicators(f, sigma, order)
  slopes <- array(0, c(m, m, m))
  for (j in seq_len(m)) {
    anchor <- order[j]
    away <- f - f[anchor]
    for (i in seq_len(m)) {
      for (p in seq_len(m)) {
        own <- away[i] * ((i == p) - (p == anchor))
        all <- away[p] * h[p, j] - (p == anchor) * sum(away * h[, j])
        slopes[i, j, p] <- -2 / sigma * h[i, j] * (own - all)
      }
    }
  }
  slopes
}
