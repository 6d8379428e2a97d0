#' The values that trec_eval prints for all queries
#'
#' Computes one value for each metric from the values of the queries, as trec_eval does in its lines `all`.
#' Use it for `gm_map`, `gm_bpref` and the counts of [metric_trec()], which trec_eval does not average.
#'
#' @param x The evaluation, made by [evaluate()].
#'
#' @return A data frame with one row for each metric and ranker:
#'   * `ranker`: the ranker, if the evaluation has this column;
#'   * `metric`: the name; `value`: the value;
#'   * `summary`: `"geometric mean"`, `"sum"` or `"mean"`;
#'   * `queries`: the number of queries that count.
#'
#' @details
#' The geometric mean over n queries is
#' \deqn{\exp\left(\frac{1}{n} \sum_q \log \max(v_q, 0.00001)\right)}{exp(1/n sum_q log(max(v_q, 0.00001)))}
#' where \eqn{v_q} is average precision for `gm_map`, and bpref for `gm_bpref`. A query with a value near 0
#' lowers the geometric mean much more than the arithmetic mean. Counts, such as `num_ret`, are summed.
#' Other metrics have the mean of `summary()`, without queries with `NaN`, and with `NA` as 0.
#'
#' A query without relevant documents counts in the geometric mean with 0.00001.
#'
#' @section Conditions: `rankmix_error_argument`: `x` is not an evaluation, or has query weights.
#'   `rankmix_error_column`: a column is missing.
#' @references Robertson (2006). On GMAP: and other transformations. Proceedings of CIKM 2006.
#' @seealso [metric_trec()] for the measures.
#' @examples
#' data <- ranking_data(cbind(bm25 = c(3, 1, 2, 5, 4)), relevance = c(0, 1, 2, 0, 1),
#'                      query = c(1, 1, 1, 2, 2))
#' found <- evaluate(data$x[, "bm25"], data, c("map", "gm_map", "num_rel_ret"))
#' trec_summary(found)
#' @export
trec_summary <- function(x) {
  check_all_given()
  check_class(x, "x", "rankmix_evaluation", "`evaluate()`")
  lacking <- setdiff(c("query", "metric", "value"), names(x))
  if (length(lacking) > 0L) {
    stop_input("column", sprintf("The evaluation has no column %s.", enumerate(lacking)))
  }
  if (!is.null(x[["weight"]])) {
    stop_input("argument", "The evaluation has query weights, which trec_eval does not support.",
               remedy = "Use `summary()`, which supports weights.")
  }
  table <- as.data.frame(x)
  keys <- intersect(c("ranker", "metric"), names(table))
  group <- group_numbers(table, keys)
  values <- split(table$value, factor(group, unique(group)))
  rows <- table[!duplicated(group), keys, drop = FALSE]
  kind <- trec_summary_kinds(rows$metric, attr(x, "shown"))
  rows$value <- as.double(unlist(Map(function(v, how) {
    switch(how, sum = sum(v), exp = exp(mean(v)), mean = value_moments(v, NULL)$mean)
  }, values, kind)))
  rows$summary <- c(sum = "sum", exp = "geometric mean", mean = "mean")[kind]
  rows$queries <- vapply(values, function(v) sum(!is.nan(v)), 0L)
  row.names(rows) <- NULL
  data.frame(lapply(rows, unname))
}

# "mean", "sum" or "exp" for each metric of an evaluation. `shown` has texts such as "mine = gm_map" for
# metrics with a name of the user. Metrics that this package does not have are averaged.
trec_summary_kinds <- function(names, shown) {
  vapply(names, function(name) {
    text <- if (name %in% names(shown)) shown[[name]] else name
    own <- paste(name, "= ")
    if (startsWith(text, own)) text <- substring(text, nchar(own) + 1L)
    measure <- tryCatch(trec_measure_of_text(text, NULL), rankmix_error = function(e) NULL)
    if (is.null(measure)) "mean" else trec_measures[[measure$name]]$all
  }, "", USE.NAMES = FALSE)
}
