#' Average precision
#'
#' A metric as a value; its mean over queries is known as MAP.
#'
#' @param denominator What the sum is divided by: `"relevant"`, the number R of
#'   relevant documents; `"cutoff"`, min(R, k), so that a perfect ranking has 1
#'   whatever the cut-off.
#' @param ties As for [metric_ndcg()], and `"together"`: tied documents are retrieved
#'   in one step, and each relevant one has the precision at its end, as where
#'   a curve is drawn through thresholds of the score. Needs the whole list.
#' @inheritParams metric_precision
#'
#' @details
#' \deqn{\mathrm{AP@}k = \frac{1}{D} \sum_{i \le \min(k,n),\, r_i\ \mathrm{relevant}}
#'   \frac{c_i}{i}}{
#'   AP@k = 1/D sum_(i <= min(k, n), r_i relevant) c_i / i}
#' where \eqn{c_i} is the number of relevant documents among the top i of n and
#' D the `denominator`. Unitless, from 0 to 1. A query is empty where R = 0.
#' Cost per query: O(n log n).
#'
#' @inherit metric_ndcg return
#' @inheritSection metric_ndcg Conditions
#' @references Ties: McSherry and Najork (2008).
#'   \doi{10.1007/978-3-540-78646-7_38}
#' @examples
#' metric_average_precision()
#' metric_average_precision(relevant = 2, ties = "average")
#' @export
metric_average_precision <- function(k = Inf, relevant = 1, denominator = "relevant",
                              empty = 0, short_lists = "pad", ties = "order",
                              single_precision = "none", convention = NULL) {
  new_metric("average_precision", k)
}
