#' Rank-biased precision
#'
#' Specifies RBP, for a user who continues to the next document with a fixed probability.
#'
#' @param persistence The probability p that the user continues from one rank to the next, above 0 and
#'   below 1; default 0.8. Larger values give lower ranks more weight.
#' @inheritParams metric_precision
#'
#' @details
#' \deqn{\mathrm{RBP@}k = (1 - p) \sum_{i \le \min(k,n),\, r_i\ \mathrm{relevant}}
#'   p^{i-1}}{
#'   RBP@k = (1 - p) sum_(i <= min(k, n), r_i relevant) p^(i - 1)}
#' Unitless, from 0 to below 1. A query is empty if no document is relevant.
#' Cost per query: O(n log n).
#'
#' @inherit metric_ndcg return
#' @inheritSection metric_ndcg Conditions
#' @references Moffat and Zobel (2008). Rank-biased precision for measurement of
#'   retrieval effectiveness. \doi{10.1145/1416950.1416952}
#' @examples
#' metric_rbp()
#' metric_rbp(persistence = 0.95, relevant = 2)
#' @export
metric_rbp <- function(k = Inf, persistence = 0.8, relevant = 1, empty = 0,
                short_lists = "pad", ties = "order", single_precision = "none",
                convention = NULL) {
  new_metric("rbp", k)
}
