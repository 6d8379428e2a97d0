# The value that a document adds at its rank, for metrics that are sums over documents. `rules` is the result of
# metric_rules(), with the name of the metric, its cut-off and the table of discounts.

# The cut-off of a list of n documents.
cutoff_of <- function(rules, n) {
  if (identical(rules$short_lists, "shrink")) min(rules$k, n) else rules$k
}

# The value that a relevant document at each rank of a list of n documents adds; for DCG the value
# that a gain of 1 adds.
rank_weights <- function(rules, rank, n) {
  k <- cutoff_of(rules, n)
  weight <- switch(rules$name,
                   precision = 1 / (if (is.finite(k)) k else n),
                   rbp = (1 - rules$persistence) * rules$persistence^(rank - 1),
                   dcg = , ndcg = discounts_of_ranks(rules$discount, rank))
  ifelse(rank <= k & is.finite(rank), weight, 0)
}

discounts_of_ranks <- function(discount, rank) {
  if (is_plain_number(discount)) {
    return(c(discount, 0)[pmin(rank, length(discount) + 1)])
  }
  switch(discount, log2 = 1 / log2(rank + 1), log = 1 / log(rank + 1),
         letor = 1 / log2(pmax(rank, 2)))
}

# The weight of the rank of each document in its query. `weights` has the weight of each rank. Tied documents get the
# mean weight of the ranks that they share.
tied_rank_weights <- function(score, query, weights) {
  order <- order(query, -score, method = "radix")
  sorted <- query[order]
  rank <- seq_along(order) - match(sorted, sorted) + 1L
  tied <- cumsum(c(TRUE, changes(sorted) | changes(score[order])))
  lambda <- weights[rank]
  lambda <- (rowsum(lambda, tied) / tabulate(tied))[tied]
  replace(numeric(length(order)), order, lambda)
}
