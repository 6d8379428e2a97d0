# Evaluates the metric of mixtures, query by query, to find and choose weights. The evaluator holds the
# settled metric and the validation queries. A subset of the queries is selected by query weights,
# with 0 for all others.

new_evaluator <- function(metric, data, threads, call = rlang::caller_env()) {
  metric <- choosing_metric(metric)
  judged <- judged_documents(data)
  metrics <- list(settle_metric(metric, judged$relevance))
  weights <- scaled_weights(judged$weight)
  spec <- unlist(metric_specs(metrics, judged, call), recursive = FALSE)
  list(
    metric = metric, metrics = metrics, custom = is_custom(metrics), judged = judged,
    threads = threads, data = data,
    weights = if (is.null(weights)) rep(1, length(judged$query_ids)) else as.double(weights),
    held = list(spec = spec, relevance = if (is.null(spec$levels)) core_grades(judged) else spec$levels,
                positions = integer(), order = judged$order,
                offsets = judged$offsets),
    # Queries whose documents have different grades. The metric of any other query is the same in
    # every order, so comparisons of means can skip it.
    informative = seq_along(judged$query_ids) %in% differing_queries(data),
    call = call
  )
}

# Adds the positions by which documents break ties for these members, if documents have ids.
with_positions <- function(evaluator, scores) {
  if (ranks_by_document(evaluator$metrics)) {
    evaluator$held$positions <- document_positions(evaluator$metrics, scores, evaluator$judged, evaluator$call)
  }
  evaluator
}

# Queries x candidates. Weights are members x candidates. NaN if a query does not count
# or has weight 0, else a number (0 if it counts without a value). NA for a candidate whose
# weights are not finite.
evaluate_weights <- function(evaluator, scores, weights, query_weights = evaluator$weights) {
  lacking <- !is.finite(colSums(weights))
  weights[, lacking] <- 0
  values <- if (evaluator$custom) {
    mixed <- lapply(seq_len(ncol(weights)), function(k) mixed_scores(scores, weights[, k]))
    found <- metric_matrix(evaluator$metrics, mixed, evaluator$judged, evaluator$threads, evaluator$call,
                           positions = evaluator$held$positions)
    found[query_weights <= 0, ] <- NaN
    found
  } else {
    candidate_values(scores, weights, evaluator$held, query_weights, evaluator$threads)
  }
  values[is.na(values) & !is.nan(values)] <- 0
  values[, lacking] <- NA_real_
  values
}

mixed_scores <- function(scores, weights) {
  Reduce(`+`, Map(`*`, scores, weights))
}

# The means over queries.
mean_values <- function(values, query_weights) {
  means <- query_means(values, query_weights)
  means[colSums(is.na(values) & !is.nan(values)) > 0] <- NA_real_
  means
}

# The metric of each member alone: queries x members.
member_values <- function(evaluator, scores) {
  evaluate_weights(evaluator, scores, diag(length(scores)))
}
