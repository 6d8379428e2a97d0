#' Metrics of vectors
#'
#' Each metric as a function of grades, scores and queries, one number each document, as the vector
#' functions of the package yardstick are: the mean over queries, which is that of [evaluate()].
#'
#' @param truth The grades: whole numbers 0, 1, 2, ...; see [ranking_data()].
#' @param estimate The scores, higher for more relevant.
#' @param query The query of each document, in any order: numbers, strings or a factor, or
#'   several of these as a list or data frame.
#' @param ... Settings of the metric, such as `k = 10` or `convention = "trec_eval"`: those of the
#'   function without `_vec`.
#' @param na_rm Whether documents without a grade or score are left out. If not, the value is `NA`
#'   where there is one.
#' @param case_weights Weights of the queries, one number a document, or `NULL`.
#'
#' @details yardstick has other functions of the names `average_precision_vec()`, `precision_vec()`
#'   and `recall_vec()`: of classes, without queries. Where both packages are attached, the one that
#'   was attached last masks those of the other; `rankmix::precision_vec()` always is this one.
#'
#'   yardstick's summarizer of numeric metrics takes these functions with the query as an option:
#'   `yardstick::numeric_metric_summarizer("ndcg", ndcg_vec, data, grade, score, fn_options =
#'   list(query = data$day))`.
#' @return One number, as the mean of `summary()` of [evaluate()].
#' @section Conditions: those of [ranking_data()] and of the metrics; `rankmix_error_length`:
#'   arguments of different lengths; `rankmix_error_argument`: several cut-offs.
#' @examples
#' ndcg_vec(c(1, 0, 2, 0, 1), c(0.2, 0.3, 0.9, 0.1, 0.8), query = c("a", "a", "a", "b", "b"))
#' @name metric_vectors
NULL

vector_metric <- function(name) {
  force(name)
  function(truth, estimate, query, ..., na_rm = FALSE, case_weights = NULL) {
    check_all_given()
    metric <- do.call(name, list(...))
    if (!inherits(metric, "rankmix_metric")) {
      stop_input("argument", "One cut-off gives one number.", remedy = "Give `k` as one number.")
    }
    check_flag(na_rm, "na_rm")
    mean_of_vectors(metric, truth, estimate, query, case_weights, na_rm)
  }
}

# The mean of a metric over queries that have no features.
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
  data <- new_ranking_data(matrix(0, length(rows), 1L), check_grades(truth, call), rows, ids, NULL,
                           weight, feature_schema("none", TRUE), 1L, call)
  metric_meter(metric, data, 1L)(check_scores(estimate, data, call = call))
}

#' @rdname metric_vectors
#' @export
ndcg_vec <- vector_metric("ndcg")

#' @rdname metric_vectors
#' @export
mean_ndcg_vec <- vector_metric("mean_ndcg")

#' @rdname metric_vectors
#' @export
dcg_vec <- vector_metric("dcg")

#' @rdname metric_vectors
#' @export
err_vec <- vector_metric("err")

#' @rdname metric_vectors
#' @export
average_precision_vec <- vector_metric("average_precision")

#' @rdname metric_vectors
#' @export
reciprocal_rank_vec <- vector_metric("reciprocal_rank")

#' @rdname metric_vectors
#' @export
precision_vec <- vector_metric("precision")

#' @rdname metric_vectors
#' @export
recall_vec <- vector_metric("recall")

#' @rdname metric_vectors
#' @export
r_precision_vec <- vector_metric("r_precision")

#' @rdname metric_vectors
#' @export
f_measure_vec <- vector_metric("f_measure")

#' @rdname metric_vectors
#' @export
success_vec <- vector_metric("success")

#' @rdname metric_vectors
#' @export
bpref_vec <- vector_metric("bpref")

#' @rdname metric_vectors
#' @export
rbp_vec <- vector_metric("rbp")
