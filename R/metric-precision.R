#' Precision, recall, F measure, success and R-precision
#'
#' Metrics as values that count the relevant documents among the top ones. Those of the whole
#' list are set precision, set recall and set F.
#'
#' @param relevant The lowest grade that counts as relevant.
#' @param beta How many times as much recall counts as precision, above 0. F1 has 1.
#' @inheritParams ndcg
#'
#' @details
#' \deqn{\mathrm{P@}k = \frac{c_k}{k}, \quad \mathrm{recall@}k = \frac{c_k}{R},
#'   \quad \mathrm{Rprec} = \frac{c_R}{R}, \quad \mathrm{success@}k = [c_k > 0], \quad
#'   F_\beta\mathrm{@}k = \frac{(1 + \beta^2) c_k}{k + \beta^2 R}}{
#'   P@k = c_k / k,  recall@k = c_k / R,  Rprec = c_R / R,  success@k = [c_k > 0],
#'   F_beta@k = (1 + beta^2) c_k / (k + beta^2 R)}
#' where \eqn{c_k} is the number of relevant documents among the top
#' \eqn{\min(k,n)}{min(k, n)} of n and R the number of all relevant ones. Of the whole list,
#' and of a list shorter than `k` with `short = "shrink"`, k is n. The F measure is the
#' harmonic mean of precision and recall; success is also called hit rate. Unitless, from 0 to 1. A query is empty where R = 0. Cost
#' per query: O(n log n).
#'
#' @inherit ndcg return
#' @inheritSection ndcg Conditions
#' @references Manning, Raghavan and Schuetze (2008). Introduction to
#'   Information Retrieval, chapter 8. \doi{10.1017/CBO9780511809071}. The F measure: van
#'   Rijsbergen (1979). Information Retrieval, chapter 7.
#' @seealso [judged()]: how many of the top documents were judged at all.
#' @examples
#' precision(10)
#' recall(100, relevant = 2)
#' success(c(1, 5, 10))
#' f_measure()
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

#' @rdname precision
#' @export
f_measure <- function(k = Inf, beta = 1, relevant = 1, empty = 0, short = "pad",
                      ties = "order", single = "none", convention = NULL) {
  new_metric("f_measure", k)
}

#' @rdname precision
#' @export
success <- function(k = Inf, relevant = 1, empty = 0, short = "pad", ties = "order",
                    single = "none", convention = NULL) {
  new_metric("success", k)
}
