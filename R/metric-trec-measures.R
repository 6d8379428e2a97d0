# The measures of metric_trec(), by the rules of trec_eval 10.0. They are not used for training, so they are
# computed in R, query by query.
#
# An entry has the function of a query and the parameters, the names of the `parameters`, whether the
# measure depends on what counts as `relevant`, and what trec_eval prints for `all` queries: the "mean",
# the "sum", or "exp", the exponential of the mean.

# `grades` has the grades of the ranked documents, in order. `all` has the grades of all documents of the query.
# `pooled` is TRUE for ranked documents that have a line in the judgements. NULL: all of them.
trec_value <- function(metric, grades, all, pooled = NULL) {
  query <- list(
    grades = grades, n = length(grades), relevant = grades >= metric$relevant,
    known = sum(all >= metric$relevant), all = all,
    pooled = if (is.null(pooled)) rep(TRUE, length(grades)) else pooled
  )
  trec_measures[[metric$name]]$value(query, metric$set)
}

# 0 / 0 is 0: there is nothing to retrieve, or nothing was retrieved.
ratio <- function(a, b) if (b == 0) 0 else a / b

interpolated_precision <- function(relevant, known, recalls) {
  if (!any(relevant)) {
    return(numeric(length(recalls)))
  }
  hits <- cumsum(relevant)
  best <- rev(cummax(rev(hits / seq_along(hits))))
  counts <- floor(recalls * known + 0.5)
  value <- best[match(pmax(counts, 1), hits)]
  value[counts == 0] <- best[1L]
  ifelse(is.na(value), 0, value)
}

# The sum of the precisions at the relevant documents.
precision_sum <- function(query) {
  at <- which(query$relevant)
  sum(seq_along(at) / at)
}

inferred_precision <- function(query, set) {
  if (!any(query$relevant)) {
    return(0)
  }
  epsilon <- 0.00001
  at <- which(query$relevant)
  hits <- seq_along(at) - 1
  judged <- cumsum(query$grades >= 0)[at] - 1
  pooled <- cumsum(query$pooled)[at] - 1
  precision <- (hits + epsilon) / (judged + 2 * epsilon)
  # 1 / (j + 1) + j / (j + 1) * (pooled / j) * precision, for j documents above; j cancels in the second term.
  sum(ifelse(at == 1L, 1, (1 + pooled * precision) / at)) / query$known
}

binary_preference <- function(query) {
  worse <- query$grades >= 0 & !query$relevant
  above <- cumsum(worse)[query$relevant]
  others <- sum(query$all >= 0) - query$known
  lost <- ifelse(above == 0, 0, pmin(above, query$known) / min(others, query$known))
  ratio(sum(1 - lost), query$known)
}

# The logarithm, because the exponential of its mean over queries is a geometric mean. The floor is the same as
# in trec_eval.
floored_log <- function(value) log(max(value, 0.00001))

ideal_grades <- function(query) sort(query$all[query$all > 0], decreasing = TRUE)

# The first n numbers, filled up with zeros.
padded <- function(x, n) c(x, numeric(max(0, n - length(x))))[seq_len(n)]

normalized_gain <- function(query, set) {
  gain <- pmax(query$grades, 0)
  ideal <- pmax(padded(ideal_grades(query), query$n), 1)
  found <- gain > 0
  ratio(sum(gain[found] / log2(2 + cumsum(ideal) - cumsum(gain))[found]), sum(ideal_grades(query)))
}

# DCG with linear gain at the ranks from 1 on, for the list and for the ideal one.
linear_dcg <- function(grades) cumsum(pmax(grades, 0) / log2(seq_along(grades) + 1))

ndcg_at_relevant <- function(query, set) {
  positive <- ideal_grades(query)
  if (length(positive) == 0L || query$n == 0L) {
    return(0)
  }
  dcg <- linear_dcg(query$grades)
  best <- linear_dcg(padded(positive, max(query$n, length(positive))))
  found <- which(query$grades > 0)
  missed <- length(positive) - length(found)
  (sum(dcg[found] / best[found]) + missed * dcg[query$n] / best[length(best)]) / length(positive)
}

ndcg_at_drops <- function(query, set) {
  if (query$known == 0 || query$n == 0L) {
    return(0)
  }
  positive <- ideal_grades(query)
  drops <- c(which(diff(positive) != 0), length(positive))
  if (query$n > length(positive) + 1L) drops <- c(drops, query$n)
  dcg <- linear_dcg(query$grades)
  best <- linear_dcg(positive)
  mean(dcg[pmin(drops, query$n)] / best[pmin(drops, length(best))])
}

precision_at_multiple <- function(query, set) {
  rank <- trunc(set$multiple * query$known + 0.9)
  ratio(sum(utils::head(query$relevant, rank)), rank)
}

# The numbers of documents that are relevant and retrieved, retrieved, relevant, or neither.
set_utility <- function(query, set) {
  if (query$n == 0L) {
    return(0)
  }
  found <- sum(query$relevant)
  counts <- c(found, query$n - found, query$known - found)
  rest <- if (set$weights[4L] == 0) 0 else set$collection - sum(counts)
  sum(set$weights * c(counts, rest))
}

unjudged_residual <- function(query, set) {
  unjudged <- which(query$grades < 0)
  if (length(unjudged) == 0L) {
    return(0)
  }
  set$persistence^query$n + (1 - set$persistence) * sum(set$persistence^(unjudged - 1))
}

trec_entry <- function(value, parameters = character(), relevant = TRUE, all = "mean") {
  list(value = value, parameters = parameters, relevant = relevant, all = all)
}

trec_measures <- list(
  iprec_at_recall = trec_entry(function(query, set) {
    interpolated_precision(query$relevant, query$known, set$recall)
  }, "recall"),
  "11pt_avg" = trec_entry(function(query, set) {
    mean(interpolated_precision(query$relevant, query$known, 0:10 / 10))
  }),
  relative_P = trec_entry(function(query, set) {
    ratio(sum(utils::head(query$relevant, set$k)), min(set$k, query$known))
  }, "k"),
  Rprec_mult = trec_entry(precision_at_multiple, "multiple"),
  set_map = trec_entry(function(query, set) ratio(sum(query$relevant)^2, query$n * query$known)),
  set_relative_P = trec_entry(function(query, set) ratio(sum(query$relevant), min(query$n, query$known))),
  utility = trec_entry(set_utility, c("weights", "collection")),
  gm_map = trec_entry(function(query, set) floored_log(ratio(precision_sum(query), query$known)),
                        all = "exp"),
  gm_bpref = trec_entry(function(query, set) floored_log(binary_preference(query)), all = "exp"),
  infAP = trec_entry(inferred_precision),
  yaap = trec_entry(function(query, set) {
    log((1 + precision_sum(query)) / (1 + query$known - precision_sum(query)))
  }),
  binG = trec_entry(function(query, set) {
    others <- cumsum(!query$relevant)[query$relevant]
    ratio(sum(1 / log2(2 + others)), query$known)
  }),
  G = trec_entry(normalized_gain, relevant = FALSE),
  ndcg_rel = trec_entry(ndcg_at_relevant, relevant = FALSE),
  Rndcg = trec_entry(ndcg_at_drops),
  num_q = trec_entry(function(query, set) 1, relevant = FALSE, all = "sum"),
  num_ret = trec_entry(function(query, set) as.double(query$n), relevant = FALSE, all = "sum"),
  num_rel = trec_entry(function(query, set) as.double(query$known), all = "sum"),
  num_rel_ret = trec_entry(function(query, set) as.double(sum(query$relevant)), all = "sum"),
  num_nonrel_judged_ret = trec_entry(function(query, set) {
    as.double(sum(query$grades >= 0 & !query$relevant))
  }, all = "sum"),
  unj = trec_entry(function(query, set) sum(utils::head(query$grades, set$k) < 0) / set$k, "k",
                     relevant = FALSE),
  rbp_resid = trec_entry(unjudged_residual, "persistence", relevant = FALSE)
)
