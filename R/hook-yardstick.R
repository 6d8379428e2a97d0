#' Compute a metric from vectors
#'
#' `metric_vec()` computes the mean of a metric over queries from vectors of grades, scores and queries. Use
#' it for documents without features, or for packages such as yardstick that need a function of vectors.
#'
#' @param metric The metric, such as `"precision@10"` or `metric_ndcg(10)`, with one cut-off.
#' @param truth The relevance: grades 0, 1, 2, ... or other numbers, see [ranking_data()].
#' @param estimate The scores, higher for documents that should come first.
#' @param query The query of each document, in any order: numbers, strings or a factor, or
#'   several of these as a list or data frame.
#' @param ... Must be empty.
#' @param na_rm Whether documents without a grade or score are left out. With the default `FALSE` the
#'   value is `NA` if there is such a document.
#' @param case_weights The weights of the queries, one number per document, equal within a query. The
#'   default `NULL` is equal weights.
#'
#' @details The function `numeric_metric_summarizer()` of yardstick accepts `metric_vec()`, with metric and
#'   query as options: `yardstick::numeric_metric_summarizer("ndcg", metric_vec, data, grade, score,
#'   fn_options = list(metric = "ndcg@10", query = data$day))`.
#' @return One number, equal to the mean from `summary()` of [evaluate()].
#' @section Conditions: `rankmix_error_length`: the vectors have different lengths.
#'   `rankmix_error_argument`: not a metric, or several cut-offs. Also the errors of [ranking_data()] for
#'   grades, scores and queries.
#' @examples
#' metric_vec("ndcg@2", truth = c(1, 0, 2, 0, 1), estimate = c(0.2, 0.3, 0.9, 0.1, 0.8),
#'            query = c("a", "a", "a", "b", "b"))
#' @export
metric_vec <- function(metric, truth, estimate, query, ..., na_rm = FALSE, case_weights = NULL) {
  check_no_others(...)
  check_all_given()
  metric <- read_metric(metric)
  check_flag(na_rm, "na_rm")
  mean_of_vectors(metric, truth, estimate, query, case_weights, na_rm)
}

# The mean of a metric over queries, for vectors of grades and scores.
mean_of_vectors <- function(metric, truth, estimate, query, weight = NULL, na_rm = FALSE,
                            call = rlang::caller_env()) {
  query <- single_query(query, length(truth), call)
  lengths <- c(truth = length(truth), estimate = length(estimate), query = length(query),
               case_weights = if (!is.null(weight)) length(weight))
  other <- which(lengths != lengths[1L])[1L]
  if (!is.na(other)) {
    stop_input("length", "The arguments must describe the same documents.",
               sprintf("`truth` has length %d, `%s` has length %d.", lengths[1L],
                       names(lengths)[other], lengths[other]),
               "Give one of each for each document.", call = call)
  }
  unknown <- is.na(truth) | is.na(estimate)
  if (any(unknown)) {
    if (!na_rm) {
      return(NA_real_)
    }
    kept <- which(!unknown)
    return(mean_of_vectors(metric, truth[kept], estimate[kept], query[kept], weight[kept],
                           call = call))
  }
  query <- check_ids(query, "query", call)
  ids <- unique(query)
  rows <- match(query, ids)
  if (!is.null(weight)) weight <- query_weights(as.double(weight), rows, ids, call)
  data <- new_ranking_data(matrix(0, length(rows), 1L), check_relevance(truth, call), rows, ids, NULL,
                           weight, feature_schema("none", TRUE), 1L, call)
  metric_meter(metric, data, 1L)(check_scores(estimate, data, call = call))
}
