#' Binary preference
#'
#' Specifies bpref, for incomplete judgements: documents without a judgement do not affect the value.
#'
#' @inheritParams metric_precision
#'
#' @details
#' \deqn{\mathrm{bpref} = \frac{1}{R} \sum_{r}
#'   \left(1 - \frac{\min(n_r, R)}{\min(N, R)}\right)}{
#'   bpref = 1/R sum_r (1 - min(n_r, R) / min(N, R))}
#' The sum is over the retrieved relevant documents r. \eqn{n_r} is the number of judged irrelevant
#' documents above r. R and N are the numbers of relevant and irrelevant judged documents of the
#' query. The term is 1 if \eqn{n_r} is 0. Unitless, from 0 to 1. A query is empty if R = 0. Cost per
#' query: O(n log n).
#'
#' @inherit metric_ndcg return
#' @inheritSection metric_ndcg Conditions
#' @references Buckley and Voorhees (2004). Retrieval evaluation with incomplete
#'   information. \doi{10.1145/1008992.1009000}, in the form of trec_eval.
#' @examples
#' metric_bpref()
#' metric_bpref(relevant = 2)
#' @export
metric_bpref <- function(relevant = 1, empty = 0, ties = "order", single_precision = "none",
                  convention = NULL) {
  new_metric("bpref")
}
