#' Precision, recall, F measure, success and R-precision
#'
#' Specifies a metric of the relevant documents among the top `k`. Without a cut-off, precision, recall and F use the
#' whole list (set precision and so on).
#'
#' @param relevant The lowest grade that counts as relevant; default 1. For a relevance that is not graded,
#'   see [ranking_data()], give any number.
#' @param beta The weight of recall relative to precision, above 0; default 1, F1. Larger values
#'   emphasise recall.
#' @inheritParams metric_ndcg
#'
#' @details
#' \deqn{\mathrm{P@}k = \frac{c_k}{k}, \quad \mathrm{recall@}k = \frac{c_k}{R},
#'   \quad \mathrm{Rprec} = \frac{c_R}{R}, \quad \mathrm{success@}k = [c_k > 0], \quad
#'   F_\beta\mathrm{@}k = \frac{(1 + \beta^2) c_k}{k + \beta^2 R}}{
#'   P@k = c_k / k,  recall@k = c_k / R,  Rprec = c_R / R,  success@k = [c_k > 0],
#'   F_beta@k = (1 + beta^2) c_k / (k + beta^2 R)}
#' where \eqn{c_k} is the number of relevant documents among the top
#' \eqn{\min(k,n)}{min(k, n)} of n, and R the number of all relevant documents. For the whole list, and
#' for a list shorter than `k` with `short_lists = "shrink"`, k is n. The F measure is the weighted
#' harmonic mean of precision and recall. Success is also called hit rate. All are from 0 to 1. A query
#' is empty if R = 0. Cost per query: O(n log n).
#'
#' @inherit metric_ndcg return
#' @inheritSection metric_ndcg Conditions
#' @references Manning, Raghavan and Schuetze (2008). Introduction to
#'   Information Retrieval, chapter 8. \doi{10.1017/CBO9780511809071}. The F measure: van
#'   Rijsbergen (1979). Information Retrieval, chapter 7.
#' @seealso [metric_judged()], the fraction of the top documents that were judged.
#' @examples
#' metric_precision(10)
#' metric_recall(100, relevant = 2)
#' metric_success(c(1, 5, 10))
#' metric_f_measure()
#' metric_r_precision(convention = "trec_eval")
#' @export
metric_precision <- function(k = Inf, relevant = 1, empty = 0, short_lists = "pad",
                      ties = "order", single_precision = "none", convention = NULL) {
  new_metric("precision", k)
}

#' @rdname metric_precision
#' @export
metric_recall <- function(k = Inf, relevant = 1, empty = 0, short_lists = "pad",
                   ties = "order", single_precision = "none", convention = NULL) {
  new_metric("recall", k)
}

#' @rdname metric_precision
#' @export
metric_r_precision <- function(relevant = 1, empty = 0, ties = "order",
                        single_precision = "none", convention = NULL) {
  new_metric("r_precision")
}

#' @rdname metric_precision
#' @export
metric_f_measure <- function(k = Inf, beta = 1, relevant = 1, empty = 0, short_lists = "pad",
                      ties = "order", single_precision = "none", convention = NULL) {
  new_metric("f_measure", k)
}

#' @rdname metric_precision
#' @export
metric_success <- function(k = Inf, relevant = 1, empty = 0, short_lists = "pad", ties = "order",
                    single_precision = "none", convention = NULL) {
  new_metric("success", k)
}
