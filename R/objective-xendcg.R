#' Cross-entropy of randomised gains (XE-NDCG)
#'
#' An objective of [gbrt()] and [network_ranker()]: like [loss_softmax()], with gains that are randomly
#' reduced anew in each round. With this reduction, the objective is a bound of NDCG.
#'
#' @details With scores \eqn{f}{f}, grades \eqn{g}{g} and query weights \eqn{w_q}{w_q}, or 1, the
#'   objective of a round is
#'   \deqn{-\sum_q w_q \sum_{i \in q} t_i \log p_i, \quad p_i = \frac{e^{f_i}}{\sum_j e^{f_j}},
#'     \quad t_i = \frac{2^{g_i} - u_i}{\sum_j (2^{g_j} - u_j)},}{
#'     - sum over queries q of w_q sum_i t_i log p_i, p_i = exp(f_i) / sum_j exp(f_j),
#'     t_i = (2^g_i - u_i) / sum_j (2^g_j - u_j),}
#'   with numbers \eqn{u}{u} uniform on \[0, 1). The gradient is \eqn{p_i - t_i}{p_i - t_i}. The hessian is
#'   the second derivative, \eqn{p_i (1 - p_i)}{p_i (1 - p_i)}. Over many rounds, the mean of t is its expected value.
#'
#'   Random numbers depend on the seed, the round, and the scores and grades of the query. The model is
#'   thus invariant to the order of rows and queries. Documents that tie in score and grade, as all documents of a
#'   grade do before the first tree, share the mean of \eqn{t}{t}. A query with a single grade has no effect. The
#'   objective does not change if a constant is added to all scores of a query. Weights of documents multiply the
#'   gradient and the hessian of their document. If the relevance is not graded, see [ranking_data()], it takes the
#'   place of \eqn{2^g - 1}{2^g - 1}.
#' @return A value of class `rankmix_objective`.
#' @references Bruch (2021). An alternative cross entropy loss for learning-to-rank.
#'   \doi{10.1145/3442381.3449794}
#' @seealso [loss_softmax()], [loss_lambda()]
#' @examples
#' gbrt(trees = 100, objective = loss_xendcg(), lambda_l2 = 1)
#' @export
loss_xendcg <- function() {
  new_objective("xendcg")
}
