# Values of diversity metrics for one query, as ndeval computes them.
#
# Input: two logical matrices with a row for each document and a column for each subtopic that has a relevant
# document. TRUE marks relevance. `ranked` has the documents of the list, in order, and `judged` all judged
# documents with decreasing ids. Cost: the greedy ideal is quadratic in the relevant documents.

diversity_value <- function(metric, ranked, judged) {
  if (ncol(judged) == 0L) {
    return(0)
  }
  diversity_values[[metric$name]](ranked, judged, metric$set)
}

# The gain of each document: subtopics that were covered above count less.
novelty_gains <- function(ranked, alpha) {
  gains <- numeric(nrow(ranked))
  left <- rep(1, ncol(ranked))
  for (i in which(rowSums(ranked) > 0)) {
    covered <- ranked[i, ]
    gains[i] <- sum(left[covered])
    left[covered] <- left[covered] * (1 - alpha)
  }
  gains
}

# The judged documents in the greedy order. Of equal gains the first row wins, which has the highest id.
greedy_ideal <- function(judged, alpha) {
  rows <- which(rowSums(judged) > 0)
  left <- rep(1, ncol(judged))
  order <- integer(length(rows))
  for (rank in seq_along(order)) {
    gains <- numeric(length(rows))
    # Gains are added in the order of the subtopics, so that equal sums are equal numbers.
    for (s in seq_along(left)) gains <- gains + judged[rows, s] * left[s]
    best <- which.max(gains)
    order[rank] <- rows[best]
    covered <- judged[rows[best], ]
    left[covered] <- left[covered] * (1 - alpha)
    rows <- rows[-best]
  }
  judged[order, , drop = FALSE]
}

discounted <- function(gains, discounts) {
  n <- min(length(gains), length(discounts))
  sum(gains[seq_len(n)] * discounts[seq_len(n)])
}

# The gains of documents that are relevant to all subtopics.
perfect_gains <- function(judged, k, alpha) ncol(judged) * (1 - alpha)^(seq_len(k) - 1)

# The discounted gain, divided by the value of perfect documents, or of the ideal ranking.
by_perfect <- function(ranked, judged, set, discounts) {
  discounted(novelty_gains(ranked, set$alpha), discounts) /
    discounted(perfect_gains(judged, set$k, set$alpha), discounts)
}

by_ideal <- function(ranked, judged, set, discounts) {
  discounted(novelty_gains(ranked, set$alpha), discounts) /
    discounted(novelty_gains(greedy_ideal(judged, set$alpha), set$alpha), discounts)
}

log_discounts <- function(k) 1 / log2(seq_len(k) + 1)

persistent_sum <- function(documents, set) {
  gains <- novelty_gains(documents, set$alpha)
  sum(gains * set$beta^(seq_along(gains) - 1))
}

diversity_values <- list(
  alpha_ndcg = function(ranked, judged, set) by_ideal(ranked, judged, set, log_discounts(set$k)),
  alpha_dcg = function(ranked, judged, set) by_perfect(ranked, judged, set, log_discounts(set$k)),
  err_ia = function(ranked, judged, set) by_perfect(ranked, judged, set, 1 / seq_len(set$k)),
  nerr_ia = function(ranked, judged, set) by_ideal(ranked, judged, set, 1 / seq_len(set$k)),
  nrbp = function(ranked, judged, set) {
    persistent_sum(ranked, set) * (1 - (1 - set$alpha) * set$beta) / ncol(judged)
  },
  nnrbp = function(ranked, judged, set) {
    persistent_sum(ranked, set) / persistent_sum(greedy_ideal(judged, set$alpha), set)
  },
  precision_ia = function(ranked, judged, set) {
    sum(utils::head(ranked, set$k)) / (set$k * ncol(judged))
  },
  map_ia = function(ranked, judged, set) {
    mean(vapply(seq_len(ncol(judged)), function(s) {
      at <- which(ranked[, s])
      sum(seq_along(at) / at) / sum(judged[, s])
    }, 0))
  },
  strec = function(ranked, judged, set) mean(colSums(utils::head(ranked, set$k)) > 0)
)
