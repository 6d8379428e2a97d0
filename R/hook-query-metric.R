#' Ranking metrics for yardstick
#'
#' `query_metrics()` makes a metric set of the package yardstick, for `fit_resamples()` and `tune_grid()` of tune, or
#' for a data frame of predictions. `query_metric()` makes one metric, to combine it with others by `metric_set()`.
#'
#' @param ... The metrics, such as `"ndcg@10"` or `metric_err()`. A metric may have several cut-offs. Names (optional)
#'   become the names in results.
#' @param metric The metric, with one cut-off.
#' @param query The name of the query column in the data frame of predictions. With the default `NULL` the truth must
#'   carry its queries, see [query_truth()]. In functions of tune, the truth carries them if the workflow has
#'   [query_blueprint()].
#' @param name The name of the metric in results. The default `NULL` is the text of the metric, such as `ndcg@10`.
#'
#' @details `select_best()` finds a metric only if its names in the results and in the metric set are equal.
#'   `query_metrics()` sets both names. With `metric_set()`, give the metric the name of its variable:
#'   `ndcg_10 <- query_metric("ndcg@10", name = "ndcg_10")`, then `metric_set(ndcg_10, rmse)`.
#'
#'   Tied scores are ranked in row order. To choose settings, use the mean over all orders instead:
#'   `metric_ndcg(10, ties = "average")`.
#'
#'   For a grouped data frame, the result has a row for each group: the mean over the queries of the group. Case weights
#'   are weights of queries, equal within a query. tune passes frequency weights to metrics, but not importance weights.
#' @return `query_metrics()`: a metric set. `query_metric()`: a metric function of class `numeric_metric`, with the
#'   arguments `data`, `truth`, `estimate`, `na_rm` and `case_weights`. Higher is better. Values are the means over
#'   queries of [evaluate()]. With `na_rm = TRUE`, the default of yardstick, documents without a grade or score are left
#'   out.
#' @section Conditions: `rankmix_error_query`: neither the truth nor the data frame has the query.
#'   `rankmix_error_argument`: not a metric. `rankmix_error_column`: there is no such column.
#' @section Use:
#' ```r
#' scored <- augment(model, test)
#' query_metrics("ndcg@10", "err", query = "query")(scored, relevance, .score)
#' ```
#' @seealso [parsnip_engine] for resampling, [metric_vec()] for vectors.
#' @examples
#' if (rlang::is_installed("yardstick")) {
#'   frame <- data.frame(grade = c(1, 0, 2, 0), score = c(0.2, 0.3, 0.9, 0.1), day = c(1, 1, 2, 2))
#'   query_metrics("ndcg@10", query = "day")(frame, grade, score)
#' }
#' @export
query_metrics <- function(..., query = NULL) {
  if (...length() == 0L) {
    stop_input("argument", "No metric is given.", remedy = "For example `query_metrics(\"ndcg@10\")`.")
  }
  rlang::check_installed("yardstick", "for `query_metrics()`.")
  metrics <- check_metrics(list(...))
  made <- Map(query_metric, metrics, list(query), names(metrics))
  rlang::inject(of_package("yardstick", "metric_set", "for `query_metrics()`.")(!!!made))
}

#' @rdname query_metrics
#' @export
query_metric <- function(metric, query = NULL, name = NULL) {
  check_given(missing(metric), "metric", "For example `\"ndcg@10\"`.")
  metric <- read_metric(metric)
  if (!is.null(query)) check_text(query, "query")
  if (is.null(name)) name <- format(metric) else check_text(name, "name")
  summarize <- of_package("yardstick", "numeric_metric_summarizer", "for `query_metric()`.")
  value <- function(truth, estimate, case_weights, na_rm) {
    if (is.null(queries_of_truth(truth))) stop_no_query()
    mean_of_vectors(metric, plain_truth(truth), estimate, queries_of_truth(truth),
                    if (!is.null(case_weights)) as.double(case_weights), na_rm)
  }
  compute <- function(data, truth, estimate, na_rm = TRUE, case_weights = NULL, ...) {
    truth <- rlang::enquo(truth)
    if (!is.null(query)) data <- with_query_truth(data, truth, query)
    found <- summarize(name, value, data, !!truth, !!rlang::enquo(estimate), na_rm = na_rm,
                       case_weights = !!rlang::enquo(case_weights))
    # yardstick treats a truth of an unknown class as a problem with two classes.
    found$.estimator <- rep("standard", nrow(found))
    found
  }
  of_package("yardstick", "new_numeric_metric")(compute, direction = "maximize")
}

# The data frame, whose column of the truth carries the queries. Groups of the data frame are kept.
with_query_truth <- function(data, truth, query) {
  column <- names(of_package("tidyselect", "eval_select")(truth, data))
  if (!query %in% names(data)) {
    stop_input("column", sprintf("The predictions have no column `%s`.", query),
               sprintf("The columns are %s.", enumerate(names(data), 10L)), did_you_mean(query, names(data)),
               call = NULL)
  }
  if (is.null(queries_of_truth(data[[column]]))) data[[column]] <- query_truth(data[[column]], data[[query]])
  data
}

stop_no_query <- function() {
  stop_input("query", "The metric cannot find the queries of the documents.",
             remedy = paste("In a workflow: `add_recipe(recipe, blueprint = query_blueprint())`. For a data frame:",
                            "`query_metrics(\"ndcg@10\", query = \"day\")`."), call = NULL)
}
