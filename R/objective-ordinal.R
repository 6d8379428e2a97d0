#' Proportional odds of grades
#'
#' An objective of [gbrt()] and [network_ranker()], cumulative logistic regression: the higher the score,
#' the likelier is a grade of k or more, for each k, with a threshold of its own.
#'
#' @details With scores \eqn{f}{f} and weights \eqn{w_q}{w_q} of queries, or 1, the objective is
#'   \deqn{-\sum_q w_q \sum_{i \in q} \log P(g_i \mid f_i), \quad P(g \ge k \mid f) = \frac{1}{1 +
#'     e^{\theta_k - f}},}{
#'     - sum over queries q of w_q sum over i in q of log P(g_i | f_i),
#'     P(g >= k | f) = 1 / (1 + exp(theta_k - f)),}
#'   with a threshold \eqn{\theta_k}{theta_k} for each grade k that there is in the training data but
#'   the lowest. Before each tree (or epoch) the thresholds become those of the largest likelihood
#'   at the scores as they are, by Newton's method from the last ones: before the first they are
#'   the logits of the shares of lower grades. Slopes and curvatures, the second derivative by the
#'   score, are those with these thresholds. So they are fitted as closely as the trees
#'   are, whatever the step. Scores start at 0; a number added to all scores and thresholds changes
#'   nothing. Where there is one grade only, nothing can be learned.
#'
#'   A model of [gbrt()] has them as `thresholds`, a matrix with a row for each tree, those before
#'   it, and a column for each grade, which names it. So `plogis(score - threshold)` is the
#'   probability of the grade or a higher one.
#'
#'   Cost of an evaluation: some passes over the documents, a few exponentials each.
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

# The core's are grade, threshold, grade, threshold, ...
thresholds_of <- function(states) {
  grades <- unique(states[c(TRUE, FALSE)])
  matrix(states[c(FALSE, TRUE)], ncol = length(grades), byrow = TRUE,
         dimnames = list(NULL, format(grades, trim = TRUE)))
}
