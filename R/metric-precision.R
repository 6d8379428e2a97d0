#' Precision, recall and R-precision
#'
#' Metrics as values that count the relevant documents among the top ones.
#'
#' @param relevant The lowest grade that counts as relevant.
#' @inheritParams ndcg
#'
#' @details
#' \deqn{\mathrm{P@}k = \frac{c_k}{k}, \quad \mathrm{recall@}k = \frac{c_k}{R},
#'   \quad \mathrm{Rprec} = \frac{c_R}{R}}{
#'   P@k = c_k / k,  recall@k = c_k / R,  Rprec = c_R / R}
#' where \eqn{c_k} is the number of relevant documents among the top
#' \eqn{\min(k,n)}{min(k, n)} of n and R the number of all relevant ones. `precision()` of
#' the whole list divides by n, and so it does for a list shorter than `k` with
#' `short = "shrink"`. Unitless, from 0 to 1. A query is empty where R = 0. Cost
#' per query: O(n log n).
#'
#' @inherit ndcg return
#' @inheritSection ndcg Conditions
#' @references Manning, Raghavan and Schuetze (2008). Introduction to
#'   Information Retrieval, chapter 8. \doi{10.1017/CBO9780511809071}
#' @examples
#' precision(10)
#' recall(100, relevant = 2)
#' r_precision(convention = "trec_eval")
#' @export
precision <- function(k = Inf, relevant = 1, empty = 0, short = "pad",
                      ties = "order", single = "none", convention = NULL) {
  new_metric("precision", k)
}

#' @rdname precision
#' @export
recall <- function(k = Inf, relevant = 1, empty = 0, short = "pad",
                   ties = "order", single = "none", convention = NULL) {
  new_metric("recall", k)
}

#' @rdname precision
#' @export
r_precision <- function(relevant = 1, empty = 0, ties = "order",
                        single = "none", convention = NULL) {
  new_metric("r_precision")
}
