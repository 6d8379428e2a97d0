#' Aggregate rankings by ranks alone
#'
#' Combines several rankings into one, query by query, from the order of the documents only: a baseline for [mix()],
#' which uses scores and weights the better rankers more. If rankers retrieved different documents, use [fuse()].
#'
#' @param rankers The named list of rankers, as for [evaluate()], or a data frame or matrix with a column of
#'   scores for each ranker.
#' @param data The ranking data, made by [ranking_data()] or [read_letor()]. Grades are not used.
#' @param method The method: `"borda"` (the default), `"mc1"`, `"mc2"`, `"mc3"`, `"mc4"` or `"borda_chain"`.
#' @param damping The probability that a Markov chain jumps to a random document instead of making a step,
#' in (0, 1]; default 0.05.
#' @param threads Number of threads. Results do not depend on it.
#'
#' @return One score per row of `data`, higher is more relevant.
#' @examples
#' train <- read_letor(system.file("extdata", "train.txt.gz", package = "rankmix"))
#' test <- read_letor(system.file("extdata", "test.txt.gz", package = "rankmix"))
#' rankers <- list(ridge = fit(linear_ranker(penalty = 0.1), train, threads = 1),
#'                 trees = fit(gbrt(50), train, threads = 1), feature = fit(best_feature(), train))
#' evaluate(aggregate_ranks(rankers, test, "mc4", threads = 1), test, metric_ndcg(10))
#'
#' @details
#' With m rankers and n documents of a query:
#'
#' * `borda`: the Borda count of document i is the mean over rankers of the number of
#'   documents ranked below it. Ties count a half.
#' * `mc1`: all pairs of a ranker and a document that the ranker ranks at least as high as i are equally probable.
#'   A pair is drawn, and the chain moves from i to its document.
#' * `mc2`: a ranker is drawn, then one of the documents that this ranker ranks as high as i or higher. The
#'   chain moves to this document.
#' * `mc3`: a ranker and a document are drawn. The chain moves to the document if the ranker ranks it above i.
#' * `mc4`: a document is drawn. The chain moves to the document if more than half of the rankers rank it above i.
#' * `borda_chain`: a document j is drawn. The chain moves to j with probability \eqn{B_j / (B_i + B_j)}{B_j /
#'   (B_i + B_j)}. B is the Borda count.
#'
#' If the drawn document is not accepted, the chain stays at i. The score of a document is n times its probability in
#' the stationary distribution, so the mean score is 1. Equal scores are ties. Cost of a query: O(m n log n) for Borda,
#' O(m n^2 + n^3) for chains.
#'
#' @section Conditions: `rankmix_error_scores`: scores of the wrong length, or missing. `rankmix_warning_pairs`: a chain
#'   on a query of more than 5,000 documents, which takes long.
#' @references Dwork, Kumar, Naor and Sivakumar (2001). Rank aggregation methods for the
#'   web. \doi{10.1145/371920.372165}
#'
#'   Busa-Fekete, Kegl, Elteto and Szarvas (2011). Ranking by calibrated AdaBoost, section
#'   2.4.
#' @seealso [pair_chain()], a chain whose transitions are learned from validation grades.
#' @export
aggregate_ranks <- function(rankers, data, method = "borda", damping = 0.05,
                            threads = NULL) {
  check_all_given()
  threads <- check_threads(threads)
  check_ranking_data(data, judged = FALSE)
  check_choice(method, "method", c("borda", "mc1", "mc2", "mc3", "mc4", "borda_chain"))
  check_number(damping, "damping", 0, 1, open_min = TRUE)
  scores <- score_columns(rankers, data, threads)
  check_cost_of_chain(method, diff(data$offsets))
  scores <- if (is.list(scores)) do.call(cbind, scores) else cbind(scores)
  aggregate_scores(unname(scores), data$order, data$offsets, method, damping, threads)
}

# A chain takes n^3 steps for n documents.
check_cost_of_chain <- function(method, sizes, call = rlang::caller_env()) {
  name <- sprintf("`method = \"%s\"`", method)
  remedy <- "Use `method = \"borda\"`, or give only the first documents of each query."
  if (method %in% c("mc3", "mc4", "borda_chain")) check_products_of_documents(name, sizes, remedy, call)
  if (method != "borda") warn_all_pairs(name, sizes, remedy, max(sizes))
}
