#' Discounted cumulative gain, plain and normalised
#'
#' Specifies DCG, NDCG or mean NDCG. NDCG is the usual metric for graded relevance. `metric_mean_ndcg()`
#' is the mean of NDCG over the cut-offs 1 to `k`.
#'
#' @param k The cut-off: only the top `k` documents count. The default `Inf` uses the whole list.
#'   Several cut-offs give a list of metrics.
#' @param gain The gain of a grade r. `"exponential"` (the default): \eqn{2^r - 1}. `"linear"`: r. Or a vector
#'   with the gains of the grades 0, 1, 2, .... Or a function of a vector of grades. For a relevance that is
#'   not graded, see [ranking_data()], the default is `"linear"`, and vectors are refused.
#' @param discount The weight of rank i. `"log2"` (the default): \eqn{1 / \log_2(i + 1)}{1 / log2(i + 1)}.
#'   `"log"`: \eqn{1 / \ln(i + 1)}{1 / ln(i + 1)}. `"letor"`: 1 for the ranks 1 and 2,
#'   \eqn{1 / \log_2 i}{1 / log2(i)} below. `"reciprocal"`: 1/i. `"none"`: 1. Or a vector with the weights of
#'   the ranks 1, 2, .... Ranks beyond its end have weight 0. Or a function of a vector of ranks. Weights of
#'   `metric_ndcg()` and `metric_mean_ndcg()` must not increase with the rank.
#' @param empty The value of an empty query, which has no relevant document. A number from 0 to 1, or
#'   `"drop"` to leave such queries out of the mean. Default 0.
#' @param short_lists The rule for a list of fewer than `k` documents, applied before `empty`. `"pad"`
#'   (the default): irrelevant documents fill the list. `"shrink"`: the cut-off becomes the length of the
#'   list. This differs from `"pad"` for [metric_precision()], and in runs that lack judged documents.
#'   `"zero"`: the value is 0. `"undefined"`: no value, but the query counts in the mean as 0. `"drop"`: no
#'   value, and the query does not count.
#' @param ties The order of documents with equal scores. `"order"` (the default): row order. `"average"`: the
#'   exact expected value over all orders. `"best"` and `"worst"`: higher or lower grades first.
#'   `"document"`: decreasing document id, compared byte by byte.
#' @param single_precision The values that are rounded to single precision, as some tools do. `"none"` (the
#' default), or `"scores"`. Scores are rounded before they are compared.
#' @param convention The tool whose rules apply to all arguments that are not set; see
#'   [conventions]. The default `NULL` uses the defaults above.
#'
#' @details
#' \deqn{\mathrm{DCG@}k = \sum_{i=1}^{\min(k,n)} g(r_i)\, d(i), \quad
#'   \mathrm{NDCG@}k = \frac{\mathrm{DCG@}k}{\mathrm{IDCG@}k}, \quad
#'   \mathrm{meanNDCG@}k = \frac{1}{m} \sum_{j=1}^{m} \mathrm{NDCG@}j}{
#'   DCG@k = sum_(i <= min(k, n)) g(r_i) d(i),  NDCG@k = DCG@k / IDCG@k,
#'   meanNDCG@k = 1/m sum_(j <= m) NDCG@j}
#' with the grade \eqn{r_i} of the document at rank i of n, the gain g and the discount d. IDCG@k is the
#' DCG@k of the best ranking, and m = min(k, n). NDCG and mean NDCG are unitless, from 0 to 1. DCG is in
#' units of gain. A query is empty if no document has a gain, or if the discounts of all gains are 0. Cost
#' per query: O(n log n).
#'
#' @return A value of class `rankmix_metric`. The metric prints as the text that [as_metric()] reads. Several
#'   cut-offs give a list of class `rankmix_metrics`, for functions that accept several metrics. `c()`
#'   joins such lists.
#' @section Conditions: `rankmix_error_argument`: an invalid argument. `rankmix_error_convention`: an
#'   unknown convention, or a convention whose tool lacks the metric. From evaluation, `rankmix_error_grade`:
#'   a grade beyond the end of `gain`, a grade that the tool does not support, or a relevance for which the
#'   metric has no gain or no threshold; `rankmix_error_document`: ties are broken by document, but documents
#'   have no ids.
#' @references Jarvelin and Kekalainen (2002). Cumulated gain-based evaluation
#'   of IR techniques. \doi{10.1145/582415.582418}. The exponential gain: Burges
#'   et al. (2005). Learning to rank using gradient descent.
#'   \doi{10.1145/1102351.1102363}. Ties: McSherry and Najork (2008). Computing
#'   information retrieval performance measures efficiently in the presence of
#'   tied scores. \doi{10.1007/978-3-540-78646-7_38}
#' @examples
#' metric_ndcg(10)
#' metric_ndcg(10, empty = 1)
#' c(metric_ndcg(c(1, 3, 10)), metric_precision(5))
#' metric_ndcg(10, convention = "trec_eval")
#' metric_ndcg(10, gain = sqrt)
#' metric_dcg(5, gain = c(0, 1, 3), discount = function(rank) 1 / sqrt(rank))
#' @export
metric_ndcg <- function(k = Inf, gain = "exponential", discount = "log2", empty = 0,
                 short_lists = "pad", ties = "order", single_precision = "none",
                 convention = NULL) {
  new_metric("ndcg", k)
}

#' @rdname metric_ndcg
#' @export
metric_mean_ndcg <- function(k = Inf, gain = "exponential", discount = "log2",
                      empty = 0, short_lists = "pad", ties = "order", single_precision = "none",
                      convention = NULL) {
  new_metric("mean_ndcg", k)
}

#' @rdname metric_ndcg
#' @export
metric_dcg <- function(k = Inf, gain = "exponential", discount = "log2", empty = 0,
                short_lists = "pad", ties = "order", single_precision = "none",
                convention = NULL) {
  new_metric("dcg", k)
}
