#' Squared error within queries (QueryRMSE)
#'
#' An objective of [gbrt()], [linear_ranker()] and [network_ranker()]: squared error after the mean error
#' of each query is removed. Use it instead of [loss_squared()] if the level of grades differs between
#' queries. A ranking needs only differences within queries.
#'
#' @param target The target whose differences are learned: `"grade"`, or `"gain"`, 2^grade - 1. The
#'   default `NULL` is the gain for [linear_ranker()] and the grade for other rankers.
#'
#' @details With errors \eqn{e_i = f_i - y_i}{e_i = f_i - y_i} of the scores from the targets and query
#'   weights \eqn{w_q}{w_q}, or 1, the objective is
#'   \deqn{\frac12 \sum_q w_q \sum_{i \in q} (e_i - \bar e_q)^2,}{
#'     1/2 sum over queries q of w_q sum over i in q of (e_i - mean of e in q)^2,}
#'   the squared error with the best constant of each query. The hessian of a document is \eqn{1 - 1/n}{1
#'   - 1/n} in a query of n documents. A query of one document has no effect. The objective does not
#'     change if a constant is added to all scores of a query.
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
