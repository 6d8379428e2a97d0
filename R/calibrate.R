# A calibrator turns the discriminants of a classifier into scores, the expected
# gain of a document. A new one is a file calibrate-<name>.R with a constructor
# and methods for
#   fit_calibrator(method, f, relevance, weight, range, threads)  plain data
#   calibrated_scores(fitted, f, threads)                         one number a document
# `f` is documents x grades, `weight` a number a document or NULL, `range` a bound of
# |f|. A calibrator that gives
# probabilities also has a method for calibrated_probabilities().

fit_calibrator <- function(method, f, relevance, weight, range, threads) {
  UseMethod("fit_calibrator")
}

calibrated_scores <- function(fitted, f, threads) {
  UseMethod("calibrated_scores")
}

# By way of probabilities: sum_l z_l p_l.
#' @export
calibrated_scores.default <- function(fitted, f, threads) {
  expected_gain(calibrated_probabilities(fitted, f, threads))
}

calibrated_probabilities <- function(fitted, f, threads) {
  UseMethod("calibrated_probabilities")
}

#' @export
calibrated_probabilities.default <- function(fitted, f, threads) {
  stop_input("argument",
             sprintf("%s gives no probabilities.", format(fitted$method)),
             remedy = "Use `naive()` or `cpc()`.", call = NULL)
}

# The gain 2^g - 1 of grades.
exponential_gain <- function(grades) {
  2^grades - 1
}

expected_gain <- function(probabilities) {
  weighted_columns(probabilities,
                   exponential_gain(seq_len(ncol(probabilities)) - 1))
}

# sum_l weights[l] x[, l], added up column by column: the order of %*% depends
# on the BLAS.
weighted_columns <- function(x, weights) {
  sum <- numeric(nrow(x))
  for (l in seq_len(ncol(x))) {
    sum <- sum + weights[l] * x[, l]
  }
  names(sum) <- NULL  # a single row would have that of its column
  sum
}

new_calibrator <- function(name, ...) {
  structure(list(name = name, ...),
            class = c(paste0("rankmix_", name), "rankmix_calibrator"))
}

# A fitted calibrator dispatches on the name of its method.
new_fitted <- function(method, ...) {
  structure(list(method = method, ...),
            class = c(paste0("rankmix_fitted_", method$name), "rankmix_fitted"))
}

#' @export
format.rankmix_calibrator <- function(x, ...) {
  parameters <- setdiff(names(x), "name")
  values <- vapply(parameters, function(p) show_value(x[[p]]), character(1))
  sprintf("%s(%s)", x$name, paste(values, collapse = ", "))
}

#' @export
print.rankmix_calibrator <- function(x, ...) {
  cat("<calibrator> ", format(x), "\n", sep = "")
  invisible(x)
}

#' All calibrators of the package
#'
#' @return A list of calibrators with their default arguments: [naive()],
#'   [cpc()] and [rbc()].
#' @examples
#' all_calibrators()
#' @export
all_calibrators <- function() {
  list(naive(), cpc(), rbc())
}

#' Calibrate a classifier on held-out data
#'
#' @param classifier A classifier trained by [fit()].
#' @param data Held-out data, made by [ranking_data()] or [read_letor()].
#' @param method A calibrator, such as `cpc("log_sigmoid")`.
#' @param rounds How many rounds of the classifier to use.
#' @param threads Number of threads; results do not depend on it.
#'
#' @return A ranker, for [predict()] and [evaluate()]. `predict()` gives the
#'   expected gain as `"score"`; `"prob"` (for [naive()] and [cpc()]) the
#'   probability of each grade, documents x grades; `"rank"` the rank within the
#'   query.
#' @section Conditions: `rankmix_error_grade`: the data have a grade above those
#'   of the classifier.
#' @examples
#' train <- read_letor(system.file("extdata", "train.txt.gz", package = "rankmix"))
#' valid <- read_letor(system.file("extdata", "vali.txt.gz", package = "rankmix"))
#' model <- fit(adaboost_mh(tree(4), rounds = 20), train, threads = 1)
#' calibrate(model, valid, cpc("log_sigmoid"), threads = 1)
#' @export
calibrate <- function(classifier, data, method,
                      rounds = classifier$best_rounds, threads = NULL) {
  threads <- check_threads(threads)
  check_class(classifier, "classifier", "rankmix_classifier", "`fit()`")
  check_class(data, "data", "ranking_data", "`ranking_data()`")
  check_class(method, "method", "rankmix_calibrator",
              "`naive()`, `cpc()` or `rbc()`")
  check_count(rounds, "rounds", min = 0, max = rounds_used(classifier))
  check_known_grades(data, classifier$classes)
  x <- match_features(data, classifier, threads)
  f <- discriminant_slice(discriminants(classifier, x, rounds, threads), 1L)
  range <- discriminant_range(classifier, rounds)
  structure(
    list(
      classifier = classifier, rounds = rounds,
      fitted = fit_calibrator(method, f, data$relevance, row_weights(data), range,
                              threads)
    ),
    class = c("rankmix_calibrated", "rankmix_ranker")
  )
}

check_known_grades <- function(data, classes, call = rlang::caller_env()) {
  highest <- max(data$relevance)
  if (highest >= classes) {
    stop_input(
      "grade",
      sprintf("The data have the grade %d, the classifier knows 0 to %d.",
              highest, classes - 1L),
      remedy = "Calibrate on data with the grades of the training data.",
      call = call
    )
  }
}

#' @export
predict.rankmix_calibrated <- function(object, newdata,
                                       type = c("score", "rank", "prob"),
                                       threads = NULL, ...) {
  rlang::check_dots_empty()
  type <- check_choice(type[1L], "type", c("score", "rank", "prob"))
  threads <- check_threads(threads)
  f <- predict(object$classifier, newdata, type = "raw",
               rounds = object$rounds, threads = threads)
  switch(
    type,
    prob = name_grades(calibrated_probabilities(object$fitted, f, threads)),
    score = calibrated_scores(object$fitted, f, threads),
    rank = rank_within_queries(calibrated_scores(object$fitted, f, threads),
                               newdata)
  )
}

#' @export
print.rankmix_calibrated <- function(x, ...) {
  cat("<calibrated classifier> ", format(x$classifier$spec), ", ", x$rounds,
      " rounds\n", sep = "")
  cat("Calibrator: ", format(x$fitted$method), "\n", sep = "")
  parameters <- unlist(x$fitted[setdiff(names(x$fitted), "method")])
  cat("Fitted: ", paste(names(parameters), signif(parameters, 4), sep = " = ",
                        collapse = ", "), "\n", sep = "")
  invisible(x)
}
