# Probabilities of relevance from the scores of any ranker. Both regressions use the core's code for gains: a relevant
# document has the grade 1, so its gain is 1. Platt's smoothed targets t become two documents, one relevant with the
# weight t and one not relevant with the weight 1 - t. The likelihood of these two documents is the same.

#' Calibration of scores to probabilities of relevance
#'
#' Specifies a calibrator that turns the score of any ranker into the probability that the document is
#' relevant. Use it with [calibrate()] if a score must mean the same in all queries, such as for a threshold
#' ([cut_list()]).
#'
#' @param model The regression of relevance on the score. `"platt"` (the default) is a logistic regression with
#'   two numbers, for few validation queries. `"isotonic"` is any nondecreasing function, and needs some thousands of
#'   documents.
#' @param relevant The lowest relevance that counts as relevant; default 1. For grades, `relevant` is above 0.
#'
#' @return A value of class `rankmix_calibrator`.
#' @examples
#' calibrator_probability()
#' calibrator_probability("isotonic", relevant = 2)
#'
#' train <- read_letor(system.file("extdata", "train.txt.gz", package = "rankmix"))
#' valid <- read_letor(system.file("extdata", "vali.txt.gz", package = "rankmix"))
#' model <- calibrate(fit(gbrt(trees = 50), train, threads = 1), valid, calibrator_probability())
#' head(predict(model, valid, type = "prob"))
#'
#' @details
#' **Platt scaling.** The probability of a document with score s is
#' \deqn{p(s) = 1 / (1 + e^{-a - b s}).}{p(s) = 1 / (1 + exp(-a - b s)).}
#' a and b minimise the log loss over the validation documents of all queries. With \eqn{N_+}{N+} relevant and
#' \eqn{N_-}{N-} other documents, the targets are \eqn{(N_+ + 1) / (N_+ + 2)}{(N+ + 1) / (N+ + 2)} and
#' \eqn{1 / (N_- + 2)}{1 / (N- + 2)}, not 1 and 0. So a and b are finite, and p is strictly between 0 and 1.
#'
#' **Isotonic regression.** p is the nondecreasing function with the least squares. The function is linear between
#' documents, and constant below the lowest and above the highest score. At these ends, p can be exactly 0 or 1.
#'
#' Without weights, every document counts once, so long queries count more. A document or query of weight w
#' counts as w copies. Both regressions use all queries together. Neither regression can correct scores that mean
#' different things in different queries. [calibration_error()] shows this.
#'
#' **Ties and undefined cases.** Equal scores have equal probabilities. If all scores are equal, the
#' probability is the fraction of relevant documents. With `"platt"`, the probability is then the mean target. Only
#' [calibrate()] supports this calibrator. [tune_and_mix()] and [evaluate_ppi()] give an error.
#'
#' @section Conditions:
#' * `rankmix_error_argument`: an unknown model, or `relevant` is not a number.
#' * `rankmix_error_scores`: from [calibrate()], scores that are not finite.
#' * Warnings of [calibrate()]. `rankmix_warning_grade`: all or no documents are relevant.
#'   `rankmix_warning_constant`: all scores are equal. `rankmix_warning_calibration`: the probability does not rise
#'   with the score.
#' @references Platt (1999), Probabilistic outputs for support vector machines, *Advances in Large Margin
#'   Classifiers*. Zadrozny and Elkan (2002), \doi{10.1145/775047.775151}.
#' @export
calibrator_probability <- function(model = "platt", relevant = 1) {
  check_choice(model, "model", c("platt", "isotonic"))
  check_number(relevant, "relevant", -Inf, Inf)
  new_calibrator("probability", model = model, relevant = if (relevant != 1) relevant)
}

is_probability <- function(method) inherits(method, "rankmix_probability")

is_calibrated <- function(model) inherits(model, c("rankmix_calibrated", "rankmix_probability_model"))

# The ranker that was calibrated, or NULL if scores were calibrated. Other models are returned unchanged.
calibrated_ranker <- function(model) {
  if (inherits(model, "rankmix_calibrated")) model$classifier else
    if (inherits(model, "rankmix_probability_model")) model$ranker else model
}

lowest_relevant <- function(method) if (is.null(method$relevant)) 1 else method$relevant

# The calibrated ranker. `...`: the ranker and its rounds, if there is one.
new_probability_model <- function(scores, data, method, threads, ..., call = rlang::caller_env()) {
  relevant <- is_relevant(data, lowest_relevant(method), call)
  if (any(!is.finite(scores))) {
    stop_input("scores", "Scores must be finite to be calibrated.",
               sprintf("The score of row %d is %s.", which(!is.finite(scores))[1L],
                       format(scores[!is.finite(scores)][1L])), call = call)
  }
  # Weights must not be scaled, because targets depend on the number of copies.
  weight <- as.double(unscaled_weights(data))
  fitted <- regress_relevance(method, scores, relevant, weight, threads)
  warn_probability(fitted, scores, relevant)
  rows <- in_groups(probability_of(fitted, scores, threads), as.numeric(relevant), weight)
  structure(list(..., method = method, fitted = fitted, queries = length(data$query_ids), reliability = rows),
            class = c("rankmix_probability_model", "rankmix_ranker"))
}

regress_relevance <- function(method, scores, relevant, weight, threads) {
  if (length(weight) == 0L) weight <- rep(1, length(scores))
  if (method$model == "isotonic") {
    return(fit_calibrator(calibrator_rbc("isotonic"), cbind(scores), one_query(relevant, weight), NULL, threads))
  }
  target <- ifelse(relevant, smoothed_target(sum(weight[relevant])), 1 - smoothed_target(sum(weight[!relevant])))
  held <- one_query(rep(c(TRUE, FALSE), each = length(scores)), c(weight * target, weight * (1 - target)))
  fit_calibrator(calibrator_rbc("logistic"), cbind(c(scores, scores)), held, NULL, threads)
}

# The mean of Bayes' posterior of the probability that a document has its own label, with a uniform prior.
smoothed_target <- function(count) (count + 1) / (count + 2)

# The calibration data in the form of held_out(), with the relevance 0 or 1. The regressions do not use the queries.
one_query <- function(relevant, weight) {
  n <- length(relevant)
  list(relevance = as.integer(relevant), weight = weight, query = rep(1L, n), order = seq_len(n) - 1L,
       offsets = c(0L, n), ideal = 1)
}

# The regression gives values in [0, 1], up to rounding.
probability_of <- function(fitted, scores, threads) {
  pmin(pmax(calibrated_scores(fitted, cbind(scores), threads), 0), 1)
}

warn_probability <- function(fitted, scores, relevant) {
  if (all(relevant) || !any(relevant)) {
    warn_input("grade", sprintf("%s document of the calibration data is relevant.",
                                if (any(relevant)) "Every" else "No"),
               remedy = "Set the lowest relevant value: `calibrator_probability(relevant = 2)`.")
  } else if (all(scores == scores[1L])) {
    warn_input("constant", "All documents have the same score, so their probabilities are equal.",
               remedy = "Is the ranker trained, and on features that vary?")
  } else if (isTRUE(fitted$beta[2L] <= 0)) {
    warn_input("calibration", "The probability of relevance does not rise with the score.",
               sprintf("Its coefficient is %s.", number_text(fitted$beta[2L], digits = 3)),
               "Does a higher score mean more relevant? Compare `evaluate(ranker, data, \"ndcg@10\")` with chance.")
  } else if (isTRUE(length(fitted$value) > 0L && all(fitted$value == fitted$value[1L]))) {
    warn_input("calibration", "The probability of relevance does not rise with the score.",
               "All documents have the same probability.",
               "Does a higher score mean more relevant? Compare `evaluate(ranker, data, \"ndcg@10\")` with chance.")
  }
}

#' @export
predict.rankmix_probability_model <- function(object, newdata, type = c("score", "rank", "prob"),
                                              threads = NULL, ...) {
  check_no_others(...)
  check_given(missing(newdata), "newdata")
  type <- check_first_choice(type, "type", c("score", "rank", "prob"))
  threads <- check_threads(threads)
  call <- rlang::current_env()
  if (is.null(object$ranker)) {
    if (type == "rank") {
      stop_input("argument", "Scores have no queries, so there are no ranks.", remedy = "Take the scores.")
    }
    if (!is.atomic(newdata)) {
      stop_input("scores", sprintf("`newdata` must be scores, not %s.", show_value(newdata)),
                 "Scores were calibrated, not a ranker.", "Calibrate the ranker itself.")
    }
    scores <- check_run_scores(newdata, call)
  } else {
    scores <- scores_before(object, newdata, threads, call)
  }
  switch(type, score = scores, prob = probability_of(object$fitted, scores, threads),
         rank = rank_within_queries(scores, newdata, call, object))
}

# The scores of the ranker that was calibrated, after the rounds that were calibrated.
scores_before <- function(object, newdata, threads, call) {
  if (!is.null(object$rounds)) {
    return(predict(object$ranker, newdata, rounds = object$rounds, threads = threads))
  }
  scores <- scores_of(object$ranker, newdata, threads, call)
  # The rows of a source are known only after it was read.
  if (inherits(object$ranker, "rankmix_ranker")) scores else check_scores(scores, newdata, call = call)
}

#' @rdname calibrate
#' @export
tidy.rankmix_probability_model <- function(x, ...) x$reliability

#' @rdname calibrate
#' @export
glance.rankmix_probability_model <- function(x, ...) {
  data.frame(calibrator = format(x$method), relevant = lowest_relevant(x$method), queries = x$queries,
             documents = sum(x$reliability$documents))
}

#' @export
print.rankmix_probability_model <- function(x, ...) {
  say(if (is.null(x$ranker)) "<calibrated scores>" else {
    paste("<calibrated ranker>", if (is.function(x$ranker)) "a function" else ranker_text(x$ranker))
  })
  say(sprintf("Calibrator: %s, on %s", format(x$method), counted(x$queries, "query", "queries")))
  say(if (is.null(x$fitted$beta)) {
    sprintf("Fitted: probabilities from %s to %s", number_text(x$fitted$value[1L], digits = 3),
            number_text(max(x$fitted$value), digits = 3))
  } else {
    sprintf("Fitted: intercept = %s, coefficient = %s", number_text(x$fitted$beta[1L], digits = 4),
            number_text(x$fitted$beta[2L], digits = 4))
  })
  invisible(x)
}

# predict() of a ranker without probabilities names calibrate() for `type = "prob"`.
check_score_type <- function(type, choices, call = rlang::caller_env()) {
  if (identical(type, "prob")) {
    stop_input("calibration", "The ranker gives scores and no probabilities.",
               remedy = paste("Calibrate it on queries that it was not trained on:",
                              "`calibrate(model, data, calibrator_probability())`."), call = call)
  }
  check_choice(type, "type", choices, call)
}
