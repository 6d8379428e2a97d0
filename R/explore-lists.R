# The contents of the page of explore_queries(): values of queries, and the first documents of each ranker.

# `values` is a matrix of queries x rankers, and `means` has their means. `ranks` is a matrix of rows x rankers.
# `rows` are the rows that some list shows, query by query.
explorer_contents <- function(scores, data, metric, depth, threads, call = rlang::caller_env()) {
  metrics <- settle_metrics(metric, data$relevance)
  judged <- judged_documents(data)
  values <- metric_matrix(metrics, scores, judged, threads, call)
  warn_ties(metrics, list(list(scores = scores, judged = judged, rankers = names(scores))), threads)
  means <- query_means(values, as.double(scaled_weights(judged$weight)))
  # NA counts as 0. NaN leaves the query out.
  values[is.na(values) & !is.nan(values)] <- 0
  ranks <- ranks_by_metric(scores, judged, metrics, call)
  by_query <- judged$order + 1L
  shown <- rowSums(ranks <= depth) > 0
  list(metric = names(metrics), ties = ranking_rule(metrics[[1L]])$ties, rankers = names(scores), depth = depth,
       values = values, means = means, documents = diff(judged$offsets), relevant = relevant_documents(judged),
       weighted = !is.null(judged$weight), scores = scores, ranks = ranks, rows = by_query[shown[by_query]])
}

# The ranks that the metric uses. A metric that averages ties has no single ranking: ties are in row order.
ranks_by_metric <- function(scores, judged, metrics, call) {
  rule <- ranking_rule(metrics[[1L]])
  ties <- if (identical(rule$ties, "average")) "order" else rule$ties
  positions <- document_positions(metrics, scores, judged, call)
  place <- sequence(diff(judged$offsets))
  ranks <- vapply(scores, function(column) {
    rows <- ranked_rows(column, core_grades(judged), positions, judged$order, judged$offsets, ties,
                        rule$single_precision)
    replace(integer(length(rows)), rows, place)
  }, integer(length(place)))
  matrix(ranks, length(place), dimnames = list(NULL, names(scores)))
}

# The queries whose values differ most between any two rankers, the largest difference first.
changed_queries <- function(values, count) {
  range <- apply(values, 1L, function(own) if (anyNA(own)) -Inf else max(own) - min(own))
  utils::head(order(-range), count)
}
