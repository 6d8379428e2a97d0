#' The fraction of judged documents
#'
#' Specifies the fraction of the top documents that have a judgement, relevant or not. A low value
#' means that other metrics of a run are unreliable, because they count documents without a
#' judgement as not relevant.
#'
#' @inheritParams metric_ndcg
#'
#' @details
#' \deqn{\mathrm{judged@}k = \frac{1}{k} \sum_{i=1}^{\min(k,n)} [\mathrm{document}\ i\
#'   \mathrm{was\ judged}]}{judged@k = (judged documents among the top min(k, n)) / k}
#' for a list of n documents. For the whole list, and for a list shorter than k with
#' `short_lists = "shrink"`, k is n. Unitless, from 0 to 1. No query is empty. In [ranking_data()]
#' with grades, all documents are judged. A run ([read_run()]) may have documents that are not
#' judged. The `unj` of trec_eval is 1 minus this value, except for lists shorter than k, which
#' trec_eval fills up with judged documents. Cost per query: O(n log n).
#'
#' @inherit metric_ndcg return
#' @inheritSection metric_ndcg Conditions
#' @references MacAvaney, Macdonald and Ounis (2022). Streamlining evaluation with
#'   ir-measures. \doi{10.1007/978-3-030-99739-7_38}
#' @examples
#' qrels <- as_qrels(data.frame(query = 1, document = c("a", "b"), relevance = 1:0))
#' run <- as_run(data.frame(query = 1, document = c("a", "c", "b"), score = 3:1))
#' evaluate(run, qrels, metric_judged(c(1, 2, 3)))$value
#' @export
metric_judged <- function(k = Inf, short_lists = "pad", ties = "order", single_precision = "none",
                   convention = NULL) {
  new_metric("judged", k)
}
