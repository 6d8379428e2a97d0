# Outer bounds of the difference of two rankings, for average precision and ERR. For these metrics, the
# highest difference is hard to find: the contribution of a relevant document depends on the documents above.
# The bounds hold for every grade of the unjudged documents, but may not be reached.

# The bound of M(a) - M(b) for each query. `high` and `low` have the highest M(a) and the lowest M(b),
# `values` the differences of queries without unjudged documents.
outer_bound <- function(rules, judged, ranks, high, low, values) {
  bound <- values
  for (rows in unname(rows_with_unjudged(judged))) {
    q <- judged$query[rows[1L]]
    bound[q] <- high[q] - low[q]
    if (rules$name == "average_precision") {
      bound[q] <- min(bound[q], precision_bound(query_ranks(rows, judged, ranks), rules))
    }
  }
  bound
}

# With x = 1 for relevant documents, the sum of precisions is
#   sum_i x_i / r_i + sum_(i < j) x_i x_j / max(r_i, r_j).
# A positive coefficient q of a pair of unjudged documents is at most q (x_i + x_j) / 2, a negative one at
# most 0. So the difference is at most a sum over documents, for each number m of relevant documents.
precision_bound <- function(own, rules) {
  hit <- own$grades >= rules$relevant
  known_a <- own$judged_a[hit]
  known_b <- own$judged_b[hit]
  k <- rules$k
  # 0 for documents that are not retrieved, whose rank is Inf.
  pair_weight <- function(x, y) outer(x, y, function(x, y) {
    below <- y > x
    x[below] <- y[below]
    weight <- 1 / x
    weight[x > k] <- 0
    weight
  })
  pairs <- function(a, b, other_a, other_b) pair_weight(a, other_a) - pair_weight(b, other_b)
  among_known <- pairs(known_a, known_b, known_a, known_b)
  base <- sum(among_known[lower.tri(among_known, diag = TRUE)])
  among <- pairs(own$a, own$b, own$a, own$b)
  alone <- diag(among)
  diag(among) <- 0
  weight <- alone + rowSums(pairs(own$a, own$b, known_a, known_b)) + rowSums(among * (among > 0)) / 2
  sums <- base + c(0, cumsum(sort(weight, decreasing = TRUE)))
  relevant <- length(known_a) + seq_along(sums) - 1
  divisor <- if (rules$denominator == "cutoff") pmin(relevant, k) else relevant
  max(ifelse(relevant > 0, sums / pmax(divisor, 1), 0))
}
