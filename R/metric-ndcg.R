#' Discounted cumulative gain, plain and normalised
#'
#' Metrics as values, for [evaluate()], [fit()], [tune_and_mix()] and
#' [convention_report()]: `metric_dcg()`, `metric_ndcg()`, and `metric_mean_ndcg()`, the mean of NDCG
#' over the cut-offs 1 to `k`.
#'
#' @param k Cut-off: only the top `k` documents count. `Inf` for the whole list. Several
#'   cut-offs give a list of metrics.
#' @param gain The gain of a grade r: `"exponential"`, \eqn{2^r - 1};
#'   `"linear"`, r; or a vector with the gains of the grades 0, 1, 2, ....
#' @param discount The weight of rank i: `"log2"`, \eqn{1 / \log_2(i + 1)}{1 / log2(i + 1)};
#'   `"log"`, \eqn{1 / \ln(i + 1)}{1 / ln(i + 1)}; `"letor"`, 1 for the ranks 1 and 2 and
#'   \eqn{1 / \log_2 i}{1 / log2(i)} below; `"reciprocal"`, 1/i; `"none"`, 1; a vector with
#'   the weights of the ranks 1, 2, ..., 0 beyond its end; or a function that
#'   gives the weights of a vector of ranks. `metric_ndcg()` and `metric_mean_ndcg()` want
#'   weights that do not increase, so that the best ranking has the highest gains
#'   on top.
#' @param empty The value of an empty query, one without a relevant document: a
#'   number from 0 to 1, or `"drop"` to leave such queries out of everything.
#' @param short_lists What a list of fewer than `k` documents is worth: `"pad"`, as if
#'   it were filled up with documents that are not relevant; `"shrink"`, the
#'   cut-off becomes its length (which makes a difference for [metric_precision()], and
#'   in runs that lack judged documents); `"zero"`, 0; `"undefined"`, no value, but the query counts in the
#'   mean as 0; `"drop"`, no value, and it does not count. Judged before `empty`.
#' @param ties How documents with equal scores are ranked: `"order"`, in the
#'   order of the rows; `"average"`, in every order alike, so that the value is
#'   the expectation, in closed form; `"best"` and `"worst"`, higher or lower
#'   grades first; `"document"`, by decreasing document id, compared byte by
#'   byte.
#' @param single_precision What is rounded to single precision, as some tools do:
#'   `"none"`, or the `"scores"` before they are compared.
#' @param convention The tool whose rules all other arguments follow unless they
#'   are set too; see [conventions].
#'
#' @details
#' \deqn{\mathrm{DCG@}k = \sum_{i=1}^{\min(k,n)} g(r_i)\, d(i), \quad
#'   \mathrm{NDCG@}k = \frac{\mathrm{DCG@}k}{\mathrm{IDCG@}k}, \quad
#'   \mathrm{meanNDCG@}k = \frac{1}{m} \sum_{j=1}^{m} \mathrm{NDCG@}j}{
#'   DCG@k = sum_(i <= min(k, n)) g(r_i) d(i),  NDCG@k = DCG@k / IDCG@k,
#'   meanNDCG@k = 1/m sum_(j <= m) NDCG@j}
#' where \eqn{r_i} is the grade of the document at rank i of n, g the gain, d the
#' discount, IDCG@k the DCG@k of the best ranking and m = min(k, n). NDCG and
#' mean NDCG are unitless, from 0 to 1; DCG is in units of gain. A query is
#' empty where no document has a gain, or none that the discount lets through. Cost per query: O(n log n).
#'
#' @return A value of class `rankmix_metric`. It prints as what [as_metric()]
#'   reads. For several cut-offs a list of such values, of class `rankmix_metrics`, for
#'   [evaluate()] and other functions that take several metrics; `c()` puts lists together.
#' @section Conditions: `rankmix_error_argument`: an argument that is not one of
#'   the above. `rankmix_error_convention`: a convention that is not known, or
#'   whose tool does not have the metric. When evaluating, `rankmix_error_grade`:
#'   the data have a grade beyond the end of `gain`, or that the tool does not
#'   know; `rankmix_error_document`: ties are broken by documents without ids.
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
