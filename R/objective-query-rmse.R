#' Squared error within queries
#'
#' An objective of [gbrt()], [linear_ranker()] and [network_ranker()]: squared error less what a number that is
#' added to all scores of a query would mend.
#'
#' @param target What scores are to differ by: `"grade"` or `"gain"`, 2^grade - 1. `NULL` leaves
#'   it to the learner: [linear_ranker()] takes the gain, others the grade.
#'
#' @details With errors \eqn{e_i = f_i - y_i}{e_i = f_i - y_i} of the scores from the targets, and
#'   weights \eqn{w_q}{w_q} of queries, or 1, the objective is
#'   \deqn{\frac12 \sum_q w_q \sum_{i \in q} (e_i - \bar e_q)^2,}{
#'     1/2 sum over queries q of w_q sum over i in q of (e_i - mean of e in q)^2,}
#'   the squared error with the best constant of each query. It asks for the differences within
#'   queries alone, as a ranking does: where queries differ in level, [loss_squared()] spends its trees
#'   on that. The curvature of a document is \eqn{1 - 1/n}{1 - 1/n} in a query of n, the second
#'   derivative. A query of one document has no part. Scores have no level: a number that is
#'   added to all of a query changes nothing.
#' @return A value of class `rankmix_objective`.
#' @references Prokhorenkova, Gusev, Vorobev, Dorogush and Gulin (2018). CatBoost: unbiased
#'   boosting with categorical features. arXiv 1706.09516 (its QueryRMSE)
#' @seealso [loss_squared()]
#' @examples
#' gbrt(trees = 100, objective = loss_query_rmse())
#' @export
loss_query_rmse <- function(target = NULL) {
  if (!is.null(target)) check_choice(target, "target", c("grade", "gain"))
  new_objective("query_rmse", target = target)
}
