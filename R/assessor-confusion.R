#' Confusion matrix of an assessor, for training
#'
#' Computes the probabilities of the true grade for each assigned grade, from a model of assessors. [yetirank()]
#' needs these probabilities. Use it if the training grades are uncertain.
#'
#' @param model The model, made by [dawid_skene()].
#' @param assessor The name of the assessor whose grades are in the training data. The default `NULL` is for the
#'   most probable grades, `model$documents$grade`.
#' @return A matrix for `yetirank(confusion = )`: rows are the assigned grades, columns are the true grades, both
#'   from 0. Rows sum to 1.
#' @details
#' The matrix of an assessor is \eqn{P(k \mid j) = p_k \pi_{kj} / \sum_l p_l \pi_{lj}}{P(k | j) = p[k] pi[k, j] /
#' sum_l p[l] pi[l, j]}. For the most probable grades, row j of the matrix has the mean probabilities of the
#' documents with grade j. A grade that never occurs counts as always right.
#' @section Conditions: `rankmix_error_argument`: an unknown assessor; no model.
#' @examples
#' set.seed(1)
#' true <- sample(0:2, 200, TRUE)
#' votes <- cbind(anna = true, llm = pmin(true + rbinom(200, 1, 0.4), 2), ben = true)
#' model <- dawid_skene(votes)
#' round(assessor_confusion(model, "llm"), 2)
#' yetirank(setup = "yetirank", confusion = assessor_confusion(model))
#' @export
assessor_confusion <- function(model, assessor = NULL) {
  check_given(missing(model), "model", "Make it by `dawid_skene()`.")
  check_class(model, "model", "rankmix_dawid_skene", "`dawid_skene()`")
  k <- length(model$prevalence)
  joint <- if (is.null(assessor)) {
    rowsum(rbind(model$probability, matrix(0, k, k)), c(model$documents$grade, seq_len(k) - 1L))
  } else {
    check_choice(assessor, "assessor", model$assessors$assessor)
    t(model$confusion[, , assessor] * model$prevalence)
  }
  unseen <- rowSums(joint) == 0
  joint[unseen, ] <- diag(k)[unseen, ]
  grades <- names(model$prevalence)
  matrix(joint / rowSums(joint), k, dimnames = list(judged = grades, true = grades))
}
