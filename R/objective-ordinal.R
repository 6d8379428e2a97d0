#' Ordinal regression of grades
#'
#' An objective of [gbrt()] and [network_ranker()]: cumulative logistic regression (proportional odds). The
#' probability of grade k or higher increases with the score. Each grade has its own threshold.
#'
#' @details With scores \eqn{f}{f} and query weights \eqn{w_q}{w_q}, or 1, the objective is
#'   \deqn{-\sum_q w_q \sum_{i \in q} \log P(g_i \mid f_i), \quad P(g \ge k \mid f) = \frac{1}{1 +
#'     e^{\theta_k - f}},}{
#'     - sum over queries q of w_q sum over i in q of log P(g_i | f_i),
#'     P(g >= k | f) = 1 / (1 + exp(theta_k - f)),}
#'   with a threshold \eqn{\theta_k}{theta_k} for each grade k of the training data except the lowest.
#'   Before each tree (or epoch) Newton's method sets the thresholds to their maximum-likelihood values
#'   at the current scores. Before the first tree they are the logits of the fractions of lower
#'   grades. Gradients and hessians (the second derivatives by the score) use these thresholds. So the
#'   thresholds do not depend on the learning rate. Scores start at 0. Probabilities do not change if a
#'   constant is added to all scores and thresholds. With a single grade nothing can be learned.
#'
#'   A model of [gbrt()] has `thresholds`, a matrix with a row for each tree (the thresholds before
#'   that tree) and a named column for each grade. `plogis(score - threshold)` is the probability of
#'   the grade or a higher one.
#'
#'   Cost of an evaluation: some passes over the documents, with a few exponentials each.
#' @return A value of class `rankmix_objective`.
#' @references McCullagh (1980). Regression models for ordinal data.
#'   \doi{10.1111/j.2517-6161.1980.tb01109.x}
#' @seealso [cocr()], which has a regression for each grade
#' @examples
#' train <- read_letor(system.file("extdata", "train.txt.gz", package = "rankmix"))
#' model <- fit(gbrt(trees = 30, objective = loss_ordinal()), train, threads = 1)
#' thresholds <- model$thresholds[30, ]
#' # The probability of grade 2 or more
#' head(plogis(predict(model, train) - thresholds["2"]))
#' @export
loss_ordinal <- function() {
  new_objective("ordinal")
}

# The core's states are grade, threshold, grade, threshold, ...
thresholds_of <- function(states) {
  grades <- unique(states[c(TRUE, FALSE)])
  matrix(states[c(FALSE, TRUE)], ncol = length(grades), byrow = TRUE,
         dimnames = list(NULL, format(grades, trim = TRUE)))
}
