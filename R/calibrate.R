# A calibrator turns the discriminants of a classifier, or the score of another ranker, into the expected gain of
# a document. The core fits many of them at a time and returns named numbers, from which it can restore them. `f`
# is documents x grades, or documents x 1 if one_score_suffices(). `held` comes from held_out(), `range` is a
# bound of |f|.

# A list of fitted calibrators for each input, `list(f =, range =, methods =)`.
fit_calibrators <- function(inputs, held, threads, progress = NULL) {
  for (input in inputs) lapply(input$methods, check_monomials, ncol(input$f))
  fitted <- calibrators_fit(core_inputs(inputs), held, threads, progress)
  Map(function(input, numbers) Map(new_fitted, input$methods, numbers), inputs, fitted)
}

# For each input a list of out-of-fold scores, one for each method: queries are assigned to `parts`
# folds, and no calibrator is fitted on the queries that it scores.
crossfit_scores <- function(inputs, held, parts, threads, progress = NULL) {
  for (input in inputs) lapply(input$methods, check_monomials, ncol(input$f))
  calibrators_crossfit(core_inputs(inputs), held, parts, threads, progress)
}

fit_calibrator <- function(method, f, held, range, threads) {
  fit_calibrators(list(calibrator_inputs(f, range, list(method))), held, threads)[[1L]][[1L]]
}

# Only classifiers have a range, and only classifiers need one.
calibrator_inputs <- function(f, range, methods) {
  list(f = f, range = if (is.null(range)) 0 else range, methods = methods)
}

# The inputs as the core needs them. A network starts from the same weights each time.
core_inputs <- function(inputs) {
  lapply(inputs, function(input) {
    networks <- vapply(input$methods, function(m) identical(m$model, "network"), NA)
    input$methods[networks] <- lapply(input$methods[networks], function(method) {
      c(method, list(start = network_start(ncol(input$f))))
    })
    input
  })
}

network_units <- 5L
network_start <- function(inputs) {
  with_seed(1, stats::runif((inputs + 2L) * network_units + 1L, -0.5, 0.5))
}

calibrated_scores <- function(fitted, f, threads) {
  calibrators_scores(list(fitted), f, threads)[[1L]]
}

# A regression supports any number of columns. Other calibrators compare the discriminants of grades.
one_score_suffices <- function(method) method$name == "rbc"

# The input of calibrators for a model, after each number of rounds in `rounds`. An array of finite numbers:
# documents x grades x rounds for a classifier, documents x 1 x rounds for another ranker.
calibrator_input <- function(model, x, rounds, threads) {
  UseMethod("calibrator_input")
}

#' @export
calibrator_input.rankmix_classifier <- function(model, x, rounds, threads) {
  discriminants(model, x, rounds, threads)
}

#' @export
calibrator_input.rankmix_ranker <- function(model, x, rounds, threads) {
  f <- discriminants(model, x, rounds, threads)
  scores <- double(dim(f)[1L] * length(rounds))
  dim(scores) <- c(dim(f)[1L], 1L, length(rounds))
  for (stage in seq_along(rounds)) {
    scores[, 1L, stage] <- sum_scores(model, discriminant_slice(f, stage), rounds[stage])
  }
  scores
}

calibrated_probabilities <- function(fitted, f, threads) {
  UseMethod("calibrated_probabilities")
}

#' @export
calibrated_probabilities.default <- function(fitted, f, threads) {
  stop_input("argument",
             sprintf("%s gives no probabilities.", format(fitted$method)),
             remedy = "Use `calibrator_naive()` or `calibrator_cpc()`.", call = NULL)
}

# The validation data as calibrators need them: the grade and weight of each document, the number of copies that weight
# 1 stands for (`unit`), the query of each document, and the ideal DCG of each query.
held_out <- function(data, threads) {
  # Calibrators need grades. For other relevance, this function is called only to divide queries by their content.
  dcg <- if (is_graded(data)) metric_dcg() else metric_dcg(gain = abs)
  ideal <- metric_matrix(settle_metrics(check_metrics(dcg, NULL), data$relevance),
                         as.double(data$relevance), judged_documents(data), threads)[, 1L]
  ideal[is.na(ideal)] <- 0
  list(relevance = core_grades(data), weight = as.double(row_weights(data)),
       unit = largest_copies(unscaled_weights(data)), query = data$query, order = data$order,
       offsets = data$offsets, ideal = ideal)
}

# The gain 2^g - 1 of grades.
exponential_gain <- function(grades) {
  2^grades - 1
}

# The gains of the first `count` grades, from 0 on.
gains_of_grades <- function(count) exponential_gain(seq_len(count) - 1)

expected_gain <- function(probabilities) {
  weighted_columns(probabilities,
                   gains_of_grades(ncol(probabilities)))
}

# sum_l weights[l] x[, l], added up column by column: the order of %*% depends
# on the BLAS.
weighted_columns <- function(x, weights) {
  mix_scores(x, cbind(weights), 1L)[, 1L]
}

new_calibrator <- function(name, ...) {
  structure(Filter(Negate(is.null), list(name = name, ...)),
            class = c(paste0("rankmix_", name), "rankmix_calibrator"))
}

# A fitted calibrator dispatches on the name of its method.
new_fitted <- function(method, numbers) {
  if (!is.null(numbers$converged)) numbers$converged <- numbers$converged == 1
  structure(c(list(method = method), numbers),
            class = c(paste0("rankmix_fitted_", method$name), "rankmix_fitted"))
}

# All parameters except the first one are shown with their names.
#' @export
format.rankmix_calibrator <- function(x, ...) {
  parameters <- setdiff(names(x), "name")
  values <- vapply(parameters, function(p) show_value(x[[p]]), character(1))
  named <- seq_along(parameters) > 1L
  values[named] <- paste(parameters[named], "=", values[named])
  sprintf("%s(%s)", component_name("calibrator", x$name), paste(values, collapse = ", "))
}

#' @export
print.rankmix_calibrator <- function(x, ...) {
  say("<calibrator> ", format(x))
  invisible(x)
}

#' All calibrators of the package, and the fast calibrators
#'
#' Lists of calibrators for [tune_and_mix()]: all, or ten that take a fraction of the time.
#'
#' @param normalize The gains that regressions fit: `FALSE` for plain gains, `TRUE` for gains divided by
#'   the ideal DCG of their query. By default, the list has each regression with both values.
#' @details In mixtures of two boosters, an earlier set of fast calibrators changed NDCG@10 by -0.0007 (95 % interval
#'   -0.0042 to 0.0028, `bench/fast-calibrators.md`). Mixtures were tuned on 10 to 79 queries.
#'
#' @return A list of calibrators. `all_calibrators()` has 22 by default: [calibrator_naive()],
#'   [calibrator_cpc()] with each target, and [calibrator_rbc()] with each regression (polynomials of degree
#'   2 to 5) and each value of `normalize`. `fast_calibrators()` has 10: [calibrator_naive()],
#'   [calibrator_cpc()] with `"log_sigmoid"`, and [calibrator_rbc()] with linear and logistic regression
#'   and polynomials of degree 2 and 3, each with both values of `normalize`.
#' @examples
#' all_calibrators()
#' all_calibrators(normalize = FALSE)
#' fast_calibrators()
#' @export
all_calibrators <- function(normalize = c(FALSE, TRUE)) {
  if (!is.logical(normalize) || length(normalize) == 0L || anyNA(normalize)) {
    stop_input("argument",
               sprintf("`normalize` must be FALSE, TRUE or both, not %s.",
                       show_value(normalize)))
  }
  regressions <- lapply(unique(normalize), function(n) {
    c(list(calibrator_rbc("linear", normalize = n), calibrator_rbc("logistic", normalize = n)),
      lapply(2:5, function(d) calibrator_rbc("polynomial", degree = d, normalize = n)),
      list(calibrator_rbc("network", normalize = n), calibrator_rbc("gaussian_process", normalize = n)))
  })
  c(list(calibrator_naive()), lapply(cpc_targets, calibrator_cpc), do.call(c, regressions))
}

#' @rdname all_calibrators
#' @export
fast_calibrators <- function() {
  c(list(calibrator_naive(), calibrator_cpc("log_sigmoid")),
    unlist(lapply(c(FALSE, TRUE), function(n) {
      list(calibrator_rbc("linear", normalize = n), calibrator_rbc("logistic", normalize = n),
           calibrator_rbc("polynomial", degree = 2, normalize = n),
           calibrator_rbc("polynomial", degree = 3, normalize = n))
    }), recursive = FALSE))
}

#' Calibrate a ranker on validation data
#'
#' Fits a calibrator. [calibrator_probability()] turns the score of any ranker into a probability of relevance.
#' Other calibrators turn the discriminants of a classifier into grade probabilities or expected gains, and
#' so into scores for ranking.
#'
#' @param model A classifier trained by [fit()]. Or a matrix of discriminants, such as raw
#'   predictions of another package, with a row for each row of `data` and a column for each grade 0, 1,
#'   .... For [calibrator_probability()] any ranker, function or scores, as in [evaluate()].
#' @param data The validation data, made by [ranking_data()] or [read_letor()]. The ranker must not be trained
#'   on them.
#' @param method The calibrator, such as `calibrator_probability()` or `calibrator_cpc("log_sigmoid")`.
#' @param rounds Number of rounds of the classifier to use; default the best number.
#' @param threads Number of threads. Results do not depend on it.
#' @param ... Must be empty.
#' @param x A calibrated classifier or ranker, from `calibrate()`.
#'
#' @return A ranker, for [predict()] and [evaluate()].
#'
#'   With [calibrator_probability()], `predict(type = "prob")` gives a vector with the probability that each
#'   document is relevant. `"score"` and `"rank"` are the ranker's scores and ranks, so the ranking does not change. If
#'   `model` was a vector of scores, `newdata` is a vector of scores. [calibration_error()] measures and
#'   draws the errors of the probabilities.
#'
#'   With other calibrators `predict()` gives the expected gain as `"score"` and the rank within the query as
#'   `"rank"`. With [calibrator_naive()] or [calibrator_cpc()], `"prob"` is a matrix of the probabilities of
#'   grades, documents x grades. If `model` was a matrix, `newdata`
#'   is a matrix of discriminants, and there are no ranks. `tidy()` gives the reliability, weighted means in ten
#'   groups of documents, `glance()` a one-row description. `autoplot()` draws the reliability, see
#'   [autoplot.rankmix_calibrated()].
#' @section Conditions: `rankmix_error_grade`: the data have a grade above all grades of the classifier.
#'   `rankmix_error_discriminants`: the matrix has another number of rows than the data, a single column, or values that
#'   are missing or not finite. `rankmix_error_calibration`, from `predict(type = "prob")`: a ranker that is not
#'   calibrated. `rankmix_error_scores`: scores that are missing or not finite.
#'   `rankmix_warning_calibration`: the probability of relevance does not rise with the score.
#'   `rankmix_warning_grade`: a grade has no document. The probability of this grade is then extrapolated from other
#'   grades. `rankmix_warning_constant`: all documents have the same discriminants. `rankmix_warning_range`, from
#'   `predict()` with [calibrator_naive()]: discriminants beyond the bound were clipped to it.
#' @examples
#' train <- read_letor(system.file("extdata", "train.txt.gz", package = "rankmix"))
#' valid <- read_letor(system.file("extdata", "vali.txt.gz", package = "rankmix"))
#' model <- fit(adaboost_mh(base_tree(4), rounds = 20), train, threads = 1)
#' calibrate(model, valid, calibrator_cpc("log_sigmoid"), threads = 1)
#'
#' # Discriminants from elsewhere
#' f <- predict(model, valid, type = "raw", threads = 1)
#' calibrated <- calibrate(f, valid, calibrator_rbc("polynomial", degree = 2), threads = 1)
#' evaluate(predict(calibrated, f), valid, metric_ndcg(10))
#'
#' # Probabilities of relevance of any ranker
#' trees <- fit(gbrt(trees = 50), train, threads = 1)
#' trees <- calibrate(trees, valid, calibrator_probability())
#' head(predict(trees, valid, type = "prob"))
#' @export
calibrate <- function(model, data, method, ...) {
  check_given(missing(model), "model",
              "Give a ranker that `fit()` trained, or a matrix of discriminants.")
  UseMethod("calibrate")
}

#' @rdname calibrate
#' @export
calibrate.rankmix_classifier <- function(model, data, method, rounds = model$best_rounds, threads = NULL, ...) {
  check_no_others(...)
  check_all_given()
  threads <- check_threads(threads)
  check_ranking_data(data, binned = TRUE)
  check_count(rounds, "rounds", min = 0, max = rounds_used(model))
  if (is_probability(method)) {
    scores <- predict(model, data, rounds = rounds, threads = threads)
    return(new_probability_model(scores, data, method, threads, ranker = model, rounds = rounds))
  }
  check_known_grades(data, model$classes)
  x <- match_features(data, model, threads)
  f <- discriminant_slice(discriminants(model, x, rounds, threads), 1L)
  new_calibrated(f, data, method, discriminant_range(model, rounds), threads,
                 classifier = model, rounds = rounds)
}

#' @rdname calibrate
#' @export
calibrate.default <- function(model, data, method, threads = NULL, ...) {
  check_no_others(...)
  check_all_given()
  threads <- check_threads(threads)
  check_ranking_data(data, binned = TRUE)
  if (is_probability(method)) {
    scores <- check_scores(scores_of(model, data, threads, rlang::current_env()), data)
    return(new_probability_model(scores, data, method, threads,
                                 ranker = if (!is.atomic(model)) model))
  }
  check_calibrator(method)
  if (!is.matrix(model) && !is.data.frame(model)) {
    refuse_scores(model, method)
  }
  f <- check_discriminants(model)
  if (nrow(f) != nrow(data)) {
    stop_input("discriminants",
               sprintf("The matrix has %d rows, the data have %d.", nrow(f),
                       nrow(data)),
               remedy = "Give a row of discriminants for each row of the data.")
  }
  check_known_grades(data, ncol(f))
  new_calibrated(f, data, method, largest_magnitude(f, data), threads)
}

# Documents of weight 0 do not count.
largest_magnitude <- function(f, data) {
  weight <- unscaled_weights(data)
  max(abs(if (is.null(weight)) f else f[weight > 0, , drop = FALSE]))
}

# Calibrators of discriminants cannot use one score. Rankers, functions and plain scores have only one score.
refuse_scores <- function(ranker, method, call = rlang::caller_env()) {
  if (inherits(ranker, "rankmix_ranker") || is.function(ranker) || is_plain_number(ranker)) {
    named <- if (inherits(ranker, "rankmix_ranker")) ranker_text(ranker) else "model"
    stop_input("argument", sprintf("`%s` needs a score of each grade.", format(method)),
               sprintf("`%s` gives one score per document.", named), "Use `calibrator_probability()`.", call = call)
  }
  stop_input("argument",
             sprintf("`model` must be a ranker, scores, or a matrix of discriminants, not %s.",
                     show_value(ranker)), call = call)
}

check_calibrator <- function(method, call = rlang::caller_env()) {
  check_class(method, "method", "rankmix_calibrator",
              "`calibrator_probability()`, `calibrator_naive()`, `calibrator_cpc()` or `calibrator_rbc()`", call)
}

# Plain doubles, a column for each grade.
check_discriminants <- function(f, classes = NULL, call = rlang::caller_env()) {
  if (is.data.frame(f)) {
    f <- value_matrix(f)
  }
  if (!is.matrix(f) || !is_plain_number(f) || ncol(f) < 2L ||
        !is.null(classes) && ncol(f) != classes) {
    stop_input("discriminants",
               sprintf("Discriminants must be a matrix of numbers with %s, not %s.",
                       if (is.null(classes)) {
                         "a column for each grade, at least 2"
                       } else {
                         sprintf("%d columns, one for each grade", classes)
                       }, show_value(f)), call = call)
  }
  f <- matrix(as.double(f), nrow(f))
  bad <- which(!is.finite(f))
  if (length(bad) > 0L) {
    stop_input("discriminants",
               sprintf("%s discriminants are missing or not finite.",
                       plain_number(length(bad))),
               sprintf("The first is in row %d.", min((bad - 1L) %% nrow(f)) + 1L),
               "Give a finite number for each document and grade.", call = call)
  }
  f
}

# `...`: the classifier and its rounds, if there is one.
new_calibrated <- function(f, data, method, range, threads, ...,
                           call = rlang::caller_env()) {
  check_calibrator(method, call)
  if (identical(method$target, "soft_ndcg") && !is.null(data$document_weight)) {
    stop_input("weights", sprintf("`%s` does not support weights of documents.", format(method)),
               "Its target is a metric, which has weights of queries.",
               paste("Use another target, such as `calibrator_cpc(\"log_sigmoid\")`, or leave",
                     "`document_weight` out."),
               call = call)
  }
  warn_calibration(f, data)
  held <- held_out(data, threads)
  fitted <- fit_calibrator(method, f, held, range, threads)
  structure(
    list(..., fitted = fitted, classes = ncol(f),
         discriminants = range(f),
         reliability = calibration_reliability(fitted, f, held, threads)),
    class = c("rankmix_calibrated", "rankmix_ranker")
  )
}

warn_calibration <- function(f, data) {
  warn_missing_grades(data, ncol(f))
  if (all(apply(f, 2L, function(column) all(column == column[1L])))) {
    warn_input("constant",
               "All documents have the same discriminants, so their scores are equal.",
               remedy = "Is the classifier trained, and on features that vary?")
  }
}

warn_missing_grades <- function(data, classes) {
  missing <- setdiff(seq_len(classes) - 1L, data$relevance)
  if (length(missing) > 0L) {
    warn_input("grade",
               sprintf("No document of the calibration data has the grade %s.",
                       paste(missing, collapse = ", ")),
               sprintf("The classifier has the grades 0 to %d.", classes - 1L),
               "Calibrate on more data, or group grades by `grouping`.")
  }
}

check_known_grades <- function(data, classes, call = rlang::caller_env()) {
  check_graded(data, "A calibrator", call)
  highest <- max(data$relevance)
  if (highest >= classes) {
    stop_input(
      "grade",
      sprintf("The data have the grade %d, the classifier has 0 to %d.",
              highest, classes - 1L),
      remedy = "Calibrate on data with the grades of the training data.",
      call = call
    )
  }
}

#' @rdname calibrate
#' @export
tidy.rankmix_calibrated <- function(x, ...) x$reliability

#' @rdname calibrate
#' @export
glance.rankmix_calibrated <- function(x, ...) {
  data.frame(calibrator = format(x$fitted$method),
             rounds = if (is.null(x$rounds)) NA_integer_ else x$rounds, grades = x$classes)
}

#' @export
predict.rankmix_calibrated <- function(object, newdata,
                                       type = c("score", "rank", "prob"),
                                       threads = NULL, ...) {
  check_no_others(...)
  check_given(missing(newdata), "newdata")
  type <- check_first_choice(type, "type", c("score", "rank", "prob"))
  threads <- check_threads(threads)
  if (is.null(object$classifier)) {
    if (type == "rank") {
      stop_input("argument", "Discriminants have no queries, so there are no ranks.",
                 remedy = "Take the scores.")
    }
    f <- check_discriminants(newdata, object$classes)
  } else {
    f <- predict(object$classifier, newdata, type = "raw",
                 rounds = object$rounds, threads = threads)
  }
  asking_model(object, {
    warn_range(object$fitted, f)
    switch(
      type,
      prob = name_grades(calibrated_probabilities(object$fitted, f, threads)),
      score = calibrated_scores(object$fitted, f, threads),
      rank = rank_within_queries(calibrated_scores(object$fitted, f, threads), newdata,
                                 model = object)
    )
  })
}

#' @export
print.rankmix_calibrated <- function(x, ...) {
  if (is.null(x$classifier)) {
    say("<calibrated discriminants> of ", x$classes, " grades")
  } else {
    say("<calibrated classifier> ", format(x$classifier$spec), ", ", x$rounds, " rounds")
  }
  say("Calibrator: ", format(x$fitted$method))
  numbers <- Filter(function(part) is.atomic(part) && length(part) <= 6L,
                    unclass(x$fitted))
  # A polynomial has too many coefficients to print.
  if (length(numbers) > 0L) {
    say("Fitted: ", paste(names(unlist(numbers)), signif(unlist(numbers), 4), sep = " = ",
                          collapse = ", "))
  }
  invisible(x)
}
