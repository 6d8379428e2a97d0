#' Aggregate rankings by ranks alone
#'
#' Makes one ranking of several, query by query, from the order of the documents only: a
#' baseline for [mix()], which uses the scores and knows which ranker is good. Rankers that
#' retrieved different documents are fused by [fuse()].
#'
#' @param rankers A named list of what ranks the documents, as [evaluate()] takes it, or a
#'   data frame or matrix with a column of scores for each ranker.
#' @param data Ranking data, made by [ranking_data()] or [read_letor()]; the grades are not
#'   used.
#' @param method `"borda"`, `"mc1"`, `"mc2"`, `"mc3"`, `"mc4"` or `"borda_chain"`.
#' @param damping Probability, above 0 and at most 1, that a Markov chain goes on with any
#'   document instead.
#' @param threads Number of threads; results do not depend on it.
#'
#' @details
#' With m rankers and n documents of a query:
#'
#' * `borda`: the Borda count of document i is the mean over rankers of the number of
#'   documents ranked below it, those tied with it counting a half.
#' * `mc1`: from i uniformly to one of all documents that some ranker ranks as high as i or
#'   higher, each as often as there are such rankers.
#' * `mc2`: a ranker is drawn, then one of the documents it ranks as high as i or higher.
#' * `mc3`: a ranker and a document are drawn; there if the ranker ranks it above i.
#' * `mc4`: a document is drawn; there if more than half of the rankers rank it above i.
#' * `borda_chain`: a document j is drawn; there with probability
#'   \eqn{B_j / (B_i + B_j)}{B_j / (B_i + B_j)} of Borda counts.
#'
#' Chains stay where they do not move. The score of a document is n times its share of the
#' stationary distribution, so 1 on average.
#' Equal scores are ties. Cost of a query: O(m n log n) for Borda, O(m n^2 + n^3) for chains.
#'
#' @return One score a row of `data`, higher is more relevant.
#' @section Conditions: `rankmix_error_scores`: scores of the wrong length, or missing.
#' @references Dwork, Kumar, Naor and Sivakumar (2001). Rank aggregation methods for the
#'   web. \doi{10.1145/371920.372165}
#'
#'   Busa-Fekete, Kegl, Elteto and Szarvas (2011). Ranking by calibrated AdaBoost, section
#'   2.4.
#' @seealso [pair_chain()], a chain whose transitions are learned from held-out grades.
#' @examples
#' train <- read_letor(system.file("extdata", "train.txt.gz", package = "rankmix"))
#' test <- read_letor(system.file("extdata", "test.txt.gz", package = "rankmix"))
#' rankers <- list(ridge = fit(linear_ranker(penalty = 0.1), train, threads = 1),
#'                 trees = fit(gbrt(50), train, threads = 1), feature = fit(best_feature(), train))
#' evaluate(aggregate_ranks(rankers, test, "mc4", threads = 1), test, metric_ndcg(10))
#' @export
aggregate_ranks <- function(rankers, data, method = "borda", damping = 0.05,
                            threads = NULL) {
  check_all_given()
  threads <- check_threads(threads)
  check_ranking_data(data, judged = FALSE)
  check_choice(method, "method", c("borda", "mc1", "mc2", "mc3", "mc4", "borda_chain"))
  check_number(damping, "damping", 0, 1, open_min = TRUE)
  scores <- score_columns(rankers, data, threads)
  scores <- if (is.list(scores)) do.call(cbind, scores) else cbind(scores)
  aggregate_scores(unname(scores), data$order, data$offsets, method, damping, threads)
}
