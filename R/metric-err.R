#' Expected reciprocal rank
#'
#' Specifies ERR, for graded relevance and a user who stops at the first satisfying document.
#'
#' @param max_grade The highest grade of the scale. The default `NULL` uses the highest grade of the
#'   evaluated data. Set `max_grade` to compare values across data sets, because some data sets may lack the top grade.
#' @inheritParams metric_ndcg
#'
#' @details
#' \deqn{\mathrm{ERR@}k = \sum_{i=1}^{\min(k,n)} \frac{R_i}{i}
#'   \prod_{j<i} (1 - R_j), \quad R_i = \frac{2^{r_i} - 1}{2^{g}}}{
#'   ERR@k = sum_(i <= min(k, n)) R_i / i * prod_(j < i) (1 - R_j),
#'   R_i = (2^r_i - 1) / 2^g}
#' where \eqn{r_i} is the grade at rank i of n and g is `max_grade`. Unitless, from 0 to below 1. A
#' query is empty if all grades are 0. Cost per query: O(n log n). With averaged ties each tie also
#' costs the number of its relevant documents times the number of ranks that a user reaches with a
#' non-negligible probability.
#'
#' @inherit metric_ndcg return
#' @section Conditions: The conditions of [metric_ndcg()]. Also `rankmix_error_grade`: the data have a
#'   grade above `max_grade`.
#' @references Chapelle, Metzler, Zhang and Grinspan (2009). Expected reciprocal
#'   rank for graded relevance. \doi{10.1145/1645953.1646033}
#' @examples
#' metric_err()
#' metric_err(10, max_grade = 4)
#' @export
metric_err <- function(k = Inf, max_grade = NULL, empty = 0, short_lists = "pad",
                ties = "order", single_precision = "none", convention = NULL) {
  new_metric("err", k)
}

#' @export
settle_metric.rankmix_err <- function(metric, relevance) {
  check_graded(list(relevance = relevance), "err", NULL)
  given <- metric_rules(metric)$max_grade
  highest <- max(relevance)
  if (is.null(given)) {
    metric$set$max_grade <- max(1, highest)
  } else if (highest > given) {
    stop_input(
      "grade",
      sprintf("The data have the grade %d, above the `max_grade` %d of %s.",
              highest, as.integer(given), format(metric)),
      remedy = "Give the highest grade of the scale as `max_grade`, or NULL.",
      call = NULL
    )
  }
  metric
}
