#' Reciprocal rank
#'
#' Specifies the reciprocal rank of the first relevant document. Its mean over queries is known as MRR.
#'
#' @param single_precision The values that are rounded to single precision, as some tools do. `"none"` (the
#'   default); `"scores"`, which are rounded before they are compared; or `"value"`, the value of each query.
#' @inheritParams metric_precision
#'
#' @details The value is 1 / i for the first rank i with a relevant document, or 0 if no relevant document is in the top
#' `k`. Unitless, from 0 to 1. A query is empty if no document is relevant. Cost per query: O(n log n).
#'
#' @inherit metric_ndcg return
#' @inheritSection metric_ndcg Conditions
#' @references Voorhees (1999). The TREC-8 question answering track report.
#' @examples
#' metric_reciprocal_rank()
#' metric_reciprocal_rank(10, ties = "average")
#' @export
metric_reciprocal_rank <- function(k = Inf, relevant = 1, empty = 0, short_lists = "pad",
                            ties = "order", single_precision = "none",
                            convention = NULL) {
  new_metric("reciprocal_rank", k)
}
