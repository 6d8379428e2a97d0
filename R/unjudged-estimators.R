# Estimators of metrics from a sample of judgements, for evaluate_sampled(). Each gets one query:
#   rank         the rank of each document of the pool, Inf if it is not retrieved
#   relevance    the grade of each, NA if it is not judged
#   stratum      numbers of the strata 1, 2, ..., of each document of the pool
#   probability  the probability of being judged, for the judged documents
# Documents outside of the pool are not relevant. They are not listed, but occupy ranks.

# Added to the numbers of documents, so that a precision without any judged document above is 1/2. trec_eval
# uses the same number.
inference_epsilon <- 0.00001

# Yilmaz and Aslam (2006), as trec_eval computes it. `above` counts the documents of the pool above.
inferred_ap <- function(own, settings) {
  own$stratum <- rep(1L, length(own$rank))
  relevant <- sum(own$relevance >= settings$relevant, na.rm = TRUE)
  if (relevant == 0) {
    return(c(value = 0, se = NA))
  }
  at <- relevant_ranks(own, settings)
  c(value = sum(expected_precisions(own, at, settings)) / relevant, se = NA)
}

# Yilmaz, Kanoulas and Aslam (2008).
extended_inferred_ap <- function(own, settings) {
  scale <- stratum_scale(own)
  relevant <- judged_relevant(own, settings)
  total <- sum(scale[own$stratum[relevant]])
  if (total == 0) {
    return(c(value = 0, se = NA))
  }
  at <- relevant_ranks(own, settings)
  weight <- scale[own$stratum[at]]
  c(value = sum(weight * expected_precisions(own, at, settings)) / total, se = NA)
}

judged_relevant <- function(own, settings) which(own$relevance >= settings$relevant)

# The judged relevant documents that are retrieved, best first.
relevant_ranks <- function(own, settings) {
  at <- judged_relevant(own, settings)
  at <- at[is.finite(own$rank[at])]
  at[order(own$rank[at])]
}

# For each stratum, the number of documents that one judged document represents.
stratum_scale <- function(own) {
  strata <- max(own$stratum, 0L)
  tabulate(own$stratum, strata) / tabulate(own$stratum[!is.na(own$relevance)], strata)
}

# The expected precision at each of the documents `at`, at rank k. The document itself adds 1 / k. The
# documents above it add, for each stratum, their number times the fraction of relevant documents among the
# judged ones, divided by k.
expected_precisions <- function(own, at, settings) {
  ordered <- order(own$rank)
  rank <- own$rank[ordered]
  k <- own$rank[at]
  # Documents with a lower rank.
  above <- findInterval(k, rank, left.open = TRUE) + 1L
  inside <- numeric(length(at))
  for (s in unique(own$stratum)) {
    member <- own$stratum[ordered] == s
    counts <- function(which) c(0, cumsum(member & which))[above]
    grade <- own$relevance[ordered]
    all <- counts(TRUE)
    relevant <- counts(!is.na(grade) & grade >= settings$relevant)
    judged <- counts(!is.na(grade))
    inside <- inside + all * (relevant + inference_epsilon) / (judged + 2 * inference_epsilon)
  }
  # `inside` is 0 at rank 1.
  (1 + inside) / k
}

# DCG over the judged documents, each weighted by the number of documents that it represents.
inferred_ndcg <- function(own, settings) {
  scale <- stratum_scale(own)
  judged <- which(own$relevance > 0)
  weight <- scale[own$stratum[judged]]
  gain <- settings$gain(own$relevance[judged])
  rank <- own$rank[judged]
  counted <- rank <= settings$k & is.finite(rank)
  dcg <- sum((weight * gain / log2(1 + rank))[counted])
  ideal <- ideal_of_counts(gain, weight, settings$k)
  c(value = if (ideal > 0) dcg / ideal else 0, se = NA)
}

# The DCG of the best ranking of fractional numbers of documents: `weight` documents have each `gain`. A
# document that lies partly at one rank and partly at the next has parts of both discounts.
ideal_of_counts <- function(gain, weight, k) {
  best <- order(-gain)
  ends <- pmin(cumsum(weight[best]), k)
  size <- ceiling(max(ends, 0))
  sums <- c(0, cumsum(1 / log2(1 + seq_len(size))), 0)
  whole <- floor(ends)
  # The fraction of a rank that remains after the last whole rank.
  reached <- sums[whole + 1] + (ends - whole) / log2(2 + whole)
  sum(gain[best] * diff(c(0, reached)))
}

# Aslam and Pavlu (2007), where a document has the weight 1 / probability in its own precision, too. The
# expectation of its squared weight is 1 / probability instead of 1, so the estimate is too high.
stat_ap <- function(own, settings) weighted_ap(own, settings, own_weight = TRUE)

# Like stat_ap(), but a document has the weight 1 in its own precision. For independent draws the numerator is
# unbiased.
stat_ap_corrected <- function(own, settings) weighted_ap(own, settings, own_weight = FALSE)

# The standard error is of the sampling of documents, by linearisation: a relevant document changes the sum by
# its own precision and by the precision of all relevant documents below. With strata, the variance formula is
# for stratified samples without replacement, otherwise for independent draws (Horvitz and Thompson).
weighted_ap <- function(own, settings, own_weight) {
  weight <- if (is.null(own$probability)) stratum_scale(own)[own$stratum] else 1 / own$probability
  relevant <- judged_relevant(own, settings)
  total <- sum(weight[relevant])
  if (total == 0) {
    return(c(value = 0, se = NA))
  }
  ordered <- relevant[order(own$rank[relevant])]
  rank <- own$rank[ordered]
  weight_at <- weight[ordered]
  self <- if (own_weight) weight_at else rep(1, length(rank))
  precision <- (cumsum(weight_at) - weight_at + self) / rank
  value <- sum(weight_at * precision) / total
  added <- weight_at / rank
  below <- rev(cumsum(rev(added))) - (if (own_weight) 0 else added)
  change <- numeric(length(own$rank))
  change[ordered] <- (precision + below - value) / total
  c(value = value, se = sqrt(sampling_variance(own, change)))
}

sampling_variance <- function(own, change) {
  judged <- !is.na(own$relevance)
  if (!is.null(own$probability)) {
    p <- own$probability[judged]
    return(sum((1 - p) / p^2 * change[judged]^2))
  }
  parts <- vapply(unique(own$stratum), function(s) {
    documents <- sum(own$stratum == s)
    values <- change[judged & own$stratum == s]
    n <- length(values)
    if (n == documents) 0 else documents^2 * (1 - n / documents) * stats::var(values) / n
  }, 0)
  sum(parts)
}

sampled_estimators <- list(infap = inferred_ap, xinfap = extended_inferred_ap, infndcg = inferred_ndcg,
                           statap = stat_ap, statap_corrected = stat_ap_corrected)
