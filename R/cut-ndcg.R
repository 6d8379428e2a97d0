# NDCG of lists that are cut at a threshold.
#
# A cut list is the top of the ranking by the scale of the threshold. Without a cut-off, its DCG is a sum over its
# documents, and a document has the same rank in every list that keeps it. Gains are not negative. So NDCG never falls
# when a list grows, as the risk control of cut-risk.R needs. The complete list has a loss, too, unless it is ideal.

# The part of each document in the NDCG of its query: gain by discount, divided by the ideal DCG. Tied documents have
# their mean discount, which gives the mean over their orders. 0 in queries without a gain.
ndcg_parts <- function(values, data, call) {
  if (any(data$relevance < 0)) {
    stop_input("grade", "NDCG needs relevance that is not negative.",
               remedy = "Raise all values, or require precision or recall.", call = call)
  }
  # As in metric_ndcg(): gains of grades are exponential, other gains are the relevance itself.
  gain <- if (is_graded(data)) 2^data$relevance - 1 else data$relevance
  weights <- discounts_of_ranks("log2", seq_len(max(tabulate(data$query))))
  # Sums in this order do not depend on the order of rows.
  by <- order(data$query, -gain)
  ideal <- tabulate_sums(data$query[by], (gain * tied_rank_weights(gain, data$query, weights))[by],
                         length(data$query_ids))[data$query]
  ifelse(ideal > 0, gain * tied_rank_weights(values, data$query, weights) / ideal, 0)
}
