#' Expected reciprocal rank
#'
#' A metric as a value, for [evaluate()], [fit()] and [tune_and_mix()].
#'
#' @param k Cut-off: only the top `k` documents count. `Inf` for the whole list.
#' @param max_grade The highest grade of the scale. `NULL` takes the highest
#'   grade of the data that are evaluated; give it to compare values across data
#'   sets, because a part of the data may lack the top grade.
#'
#' @details
#' \deqn{\mathrm{ERR@}k = \sum_{i=1}^{\min(k,n)} \frac{R_i}{i}
#'   \prod_{j<i} (1 - R_j), \quad R_i = \frac{2^{r_i} - 1}{2^{g}}}{
#'   ERR@k = sum_(i <= min(k, n)) R_i / i * prod_(j < i) (1 - R_j),
#'   R_i = (2^r_i - 1) / 2^g}
#' where \eqn{r_i} is the grade at rank i of n and g is `max_grade`. Unitless,
#' from 0 to below 1. Documents with equal scores keep the order of the input. A
#' query without a relevant document has ERR 0. Cost per query: O(n log k).
#'
#' @return A value of class `rankmix_metric`.
#' @references Chapelle, Metzler, Zhang and Grinspan (2009). Expected reciprocal
#'   rank for graded relevance. \doi{10.1145/1645953.1646033}
#' @examples
#' err()
#' err(10, max_grade = 4)
#' @export
err <- function(k = Inf, max_grade = NULL) {
  check_count(k, "k", infinite = TRUE)
  if (!is.null(max_grade)) {
    check_count(max_grade, "max_grade", max = 30)
  }
  metric <- new_metric("err", k = k)
  metric["max_grade"] <- list(max_grade)
  metric
}

#' @export
resolve_metric.rankmix_err <- function(metric, data) {
  highest <- max(data$relevance)
  if (is.null(metric$max_grade)) {
    metric$max_grade <- max(1L, highest)
  } else if (highest > metric$max_grade) {
    stop_input(
      "argument",
      sprintf("The data have the grade %d, above `max_grade = %d`.", highest,
              as.integer(metric$max_grade)),
      remedy = "Give the highest grade of the scale, or NULL.",
      call = NULL
    )
  }
  metric
}
