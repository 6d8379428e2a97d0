#' Average precision
#'
#' Specifies average precision, for binary relevance. Its mean over queries is known as MAP.
#'
#' @param denominator The number by which the sum is divided. `"relevant"`, the default: the number R of
#'   relevant documents. `"cutoff"`: min(R, k), so that a perfect ranking has the value 1 at every cut-off.
#' @param ties The order of documents with equal scores, as in [metric_ndcg()]; default `"order"`.
#' `"together"` is also possible: tied documents are retrieved in one step. Each relevant document of a tie
#' then has the precision at the end of the tie, as in a precision-recall curve. `"together"` needs the
#' whole list.
#' @inheritParams metric_precision
#'
#' @details
#' \deqn{\mathrm{AP@}k = \frac{1}{D} \sum_{i \le \min(k,n),\, r_i\ \mathrm{relevant}}
#'   \frac{c_i}{i}}{
#'   AP@k = 1/D sum_(i <= min(k, n), r_i relevant) c_i / i}
#' where \eqn{c_i} is the number of relevant documents among the top i of n and
#' D the `denominator`. Unitless, from 0 to 1. A query is empty if R = 0.
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
