#' A metric for several cut-offs, by convention
#'
#' Evaluates rankers at each of several cut-offs by the rules of several tools. Figure 2 of Busa-Fekete et
#' al. (2013) has such curves. Use it to see whether the choice of cut-off or tool changes which ranker is
#' better.
#'
#' @param scores The scores or rankers, as for [evaluate()].
#' @param data The judged data, made by [ranking_data()] or [read_letor()].
#' @param metric The metric, which must have a cut-off, such as `metric_ndcg(10)`, or its text.
#' @param cutoffs The cut-offs, whole numbers; default 1 to 10.
#' @param conventions The names of [conventions]; default `"letor3"`, `"letor4"`, `"mslr"`, `"yahoo"`,
#'   `"trec_eval"` and `"lightgbm"`. Conventions that do not apply to the metric or the data are left out.
#' @param threads Number of threads. Results do not depend on it.
#'
#' @return A data frame of class `rankmix_cutoffs` with a row for each ranker, convention
#'   and cut-off: `ranker`, `convention`, `cutoff` and the `mean` over queries. The attribute `left_out`
#'   has the conventions left out and the reasons. `autoplot()` draws the curves.
#' @examples
#' data <- read_letor(system.file("extdata", "test.txt.gz", package = "rankmix"))
#' curves <- cutoff_curves(list(first = data$x[, 1], second = data$x[, 2]), data, metric_ndcg(10))
#' head(curves)
#' @section Conditions:
#' * `rankmix_error_argument`: the metric has no cut-off, or has a convention already; a cut-off is
#'   not a whole number.
#' * `rankmix_error_convention`: no convention applies.
#' * the conditions of [evaluate()].
#' @references Busa-Fekete, Kegl, Elteto and Szarvas (2013), figure 2,
#'   \doi{10.1007/s10994-013-5360-9}.
#' @export
cutoff_curves <- function(scores, data, metric = metric_ndcg(10), cutoffs = 1:10,
                          conventions = c("letor3", "letor4", "mslr", "yahoo", "trec_eval",
                                          "lightgbm"),
                          threads = NULL) {
  check_all_given()
  threads <- check_threads(threads)
  check_ranking_data(data, binned = TRUE)
  metric <- read_metric(metric)
  if (is.null(metric$k) || !is.finite(metric$k) || inherits(metric, "rankmix_custom")) {
    stop_input("argument", sprintf("`metric` must have a cut-off, unlike %s.", format(metric)),
               remedy = "For example `metric_ndcg(10)`.")
  }
  if (!is_plain_number(cutoffs) || length(cutoffs) == 0L) {
    stop_input("argument", sprintf("`cutoffs` must be whole numbers, not %s.",
                                   show_value(cutoffs)))
  }
  for (k in cutoffs) check_count(k, "cutoffs")
  cutoffs <- sort(unique(cutoffs))
  columns <- score_columns(scores, data, threads)
  if (!is.list(columns)) {
    columns <- list(scores = columns)
  }
  reports <- lapply(cutoffs, function(k) {
    metric$k <- k
    convention_report(columns, data, metric, conventions, threads)
  })
  rows <- Map(function(report, k) {
    cbind(report$table[c("ranker", "convention", "mean")], cutoff = k)
  }, reports, cutoffs)
  table <- do.call(rbind, rows)[c("ranker", "convention", "cutoff", "mean")]
  structure(table, class = c("rankmix_cutoffs", "data.frame"), metric = metric,
            queries = length(data$query_ids), left_out = reports[[1L]]$left_out)
}
