#' Cross-entropy of drawn gains
#'
#' An objective of [gbrt()] and [network_ranker()], XE-NDCG: like [loss_softmax()], with gains that are drawn
#' a little lower anew each round, which makes it a bound of NDCG.
#'
#' @details With scores \eqn{f}{f}, grades \eqn{g}{g} and weights \eqn{w_q}{w_q} of queries, or 1,
#'   the objective of a round is
#'   \deqn{-\sum_q w_q \sum_{i \in q} t_i \log p_i, \quad p_i = \frac{e^{f_i}}{\sum_j e^{f_j}},
#'     \quad t_i = \frac{2^{g_i} - u_i}{\sum_j (2^{g_j} - u_j)},}{
#'     - sum over queries q of w_q sum_i t_i log p_i, p_i = exp(f_i) / sum_j exp(f_j),
#'     t_i = (2^g_i - u_i) / sum_j (2^g_j - u_j),}
#'   with numbers \eqn{u}{u} uniform on \[0, 1). The slope is \eqn{p_i - t_i}{p_i - t_i}, the
#'   curvature the second derivative, \eqn{p_i (1 - p_i)}{p_i (1 - p_i)}; means over many rounds are
#'   those of the expected \eqn{t}{t}.
#'
#'   What is drawn depends on the seed, the round, and the scores and grades of the query: the
#'   order of rows and queries changes nothing. Documents that tie in score and grade, as many do
#'   before the first tree, have the mean of \eqn{t}{t} over their orders. A query of one grade has
#'   no part. A number that is added to all scores of a query changes nothing.
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
