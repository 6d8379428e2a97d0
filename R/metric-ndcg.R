#' Normalised discounted cumulative gain
#'
#' A metric as a value, for [evaluate()], [fit()] and [tune_and_mix()].
#'
#' @param k Cut-off: only the top `k` documents count. `Inf` for the whole list.
#' @param empty The value of a query that has no relevant document: a number
#'   from 0 to 1, or `"drop"` to leave such queries out. Tools disagree:
#'   RankLib counts 0, the Yahoo! challenge 1, gdeval drops them.
#'
#' @details
#' \deqn{\mathrm{NDCG@}k = \frac{\sum_{i=1}^{\min(k,n)} (2^{r_i} - 1) / \log_2(1 + i)}
#'   {\mathrm{IDCG@}k}}{
#'   NDCG@k = sum_(i <= min(k, n)) (2^r_i - 1) / log2(1 + i) / IDCG@k}
#' where \eqn{r_i} is the grade of the document at rank i of n and IDCG@k the
#' numerator of the best ranking. Unitless, from 0 to 1. Documents with equal
#' scores keep the order of the input. A list shorter than `k` is scored by the
#' documents it has. Cost per query: O(n log k).
#'
#' @return A value of class `rankmix_metric`.
#' @references Jarvelin and Kekalainen (2002). Cumulated gain-based evaluation
#'   of IR techniques. \doi{10.1145/582415.582418}
#' @examples
#' ndcg(10)
#' ndcg(10, empty = 1)
#' @export
ndcg <- function(k = Inf, empty = 0) {
  check_count(k, "k", infinite = TRUE)
  if (!identical(empty, "drop")) {
    check_empty(empty)
  }
  new_metric("ndcg", k = k, empty = empty)
}

check_empty <- function(empty, call = rlang::caller_env()) {
  good <- is.numeric(empty) && length(empty) == 1L && !is.na(empty) &&
    empty >= 0 && empty <= 1
  if (!good) {
    stop_input(
      "argument",
      sprintf("`empty` must be a number from 0 to 1 or \"drop\", not %s.",
              show_value(empty)),
      remedy = "It is the value of a query without a relevant document.",
      call = call
    )
  }
}
