#' Predict clicks
#'
#' Computes the probability of a click, or of examination, for each row of a click log.
#'
#' @param object,model The click model, made by [click_model()].
#' @param newdata,log The click log, made by [click_log()].
#' @param examination Whether to return the probability of examination. The default `FALSE` returns the
#'   probability of a click.
#' @param threads Number of threads. Results do not depend on it.
#' @param ... Must be empty.
#'
#' @details Predictions depend on the shown lists alone, not on the clicks of `newdata`. The prediction of the
#'   user browsing model is the mean over the possible clicks at higher positions. Query-document pairs that are not in
#'   the log of the model get the mean attraction over all rows of this log.
#'
#'   **Perplexity** of position k is \eqn{2^{-m}}{2^-m} with the mean m over sessions of
#'   \eqn{c \log_2 p + (1 - c) \log_2(1 - p)}{c log2(p) + (1 - c) log2(1 - p)}, for the click c and its
#'   predicted probability p. The perplexity is 1 for perfect predictions, and 2 for predictions of 1/2. The
#'   log-likelihood uses the probability of each click given the clicks above in its session.
#' @return `predict()`: a numeric vector with an element for each row of `as.data.frame(newdata)`.
#'
#'   `click_perplexity()`: a data frame with a row for each position, and a last row for all positions, with
#'   the position `NA`. Its columns are the number of rows `shown`, `log_likelihood`, and `perplexity`. The
#'   perplexity of the last row is the mean over positions.
#' @section Conditions: `rankmix_error_argument`: `newdata` is not a click log. `rankmix_error_position`:
#'   `newdata` has a position that the log of the model did not have.
#' @references Dupret and Piwowarski (2008), \doi{10.1145/1390334.1390392}.
#' @examples
#' judged <- simulate_ranking(30, seed = 1)$data
#' log <- simulate_clicks(judged, sessions = 100, depth = 5, seed = 2, output = "log")
#' new <- simulate_clicks(judged, sessions = 20, depth = 5, seed = 3, output = "log")
#' model <- click_model(log)
#' head(predict(model, new))
#' click_perplexity(model, new)
#' @export
predict.rankmix_click_model <- function(object, newdata, examination = FALSE, threads = NULL, ...) {
  check_no_others(...)
  check_given(missing(newdata), "newdata", "Give a click log.")
  check_click_log(newdata, "newdata")
  check_flag(examination, "examination")
  rows <- click_rows(object, newdata, check_threads(threads))
  if (examination) rows$examination else rows$click
}

#' @rdname predict.rankmix_click_model
#' @export
click_perplexity <- function(model, log, threads = NULL) {
  check_given(missing(model), "model", "Make it by `click_model()`.")
  check_click_model(model, "model")
  check_given(missing(log), "log", "Make it by `click_log()`.")
  check_click_log(log)
  rows <- click_rows(model, log, check_threads(threads))
  position <- factor(log_positions(log), seq_len(log$depth))
  clicked <- log$clicked == 1L
  bits <- tapply(log2(ifelse(clicked, rows$click, 1 - rows$click)), position, mean)
  likelihood <- tapply(log(ifelse(clicked, rows$conditional, 1 - rows$conditional)), position, sum)
  perplexity <- as.vector(2^-bits)
  data.frame(position = c(seq_len(log$depth), NA), shown = c(tabulate(position), length(position)),
             log_likelihood = c(as.vector(likelihood), sum(likelihood)),
             perplexity = c(perplexity, mean(perplexity)))
}

check_click_model <- function(model, name, call = rlang::caller_env()) {
  check_class(model, name, "rankmix_click_model", "`click_model()`", call)
}

# `click`, `examination` and `conditional` (given the clicks above) of each row.
click_rows <- function(model, log, threads, call = rlang::caller_env()) {
  unseen <- which(model$shown_at[seq_len(log$depth)] %in% c(0L, NA))
  if (length(unseen) > 0L) {
    stop_input("position", sprintf("The click model has no estimate for position %d.", unseen[1L]),
               sprintf("Its log has the positions 1 to %d.", model$depth),
               "Fit it to a log with all positions.", call = call)
  }
  at <- match_shown(log$pairs, model$pairs)
  take <- function(column) {
    if (is.null(column)) {
      return(numeric())
    }
    values <- column[at]
    replace(values, is.na(at), stats::weighted.mean(column, model$pairs$shown))
  }
  predict_clicks(log[c("starts", "pair", "clicked", "pairs", "depth")], model$model,
                 take(model$pairs$attraction), take(model$pairs$satisfaction), model$position, threads)
}

# The row of `table` with the same query and document, or NA.
match_shown <- function(pairs, table) {
  if (identical(pairs$query, table$query) && identical(pairs$document, table$document)) {
    return(seq_along(pairs$query))
  }
  texts <- function(column) id_text(column)
  queries <- unique(texts(table$query))
  documents <- unique(texts(table$document))
  key <- function(x) {
    match(texts(x$query), queries) * (length(documents) + 1) + match(texts(x$document), documents)
  }
  match(key(pairs), key(table), incomparables = NA)
}

#' Examination by position
#'
#' Returns the probability that users examine each position, from a click model. Use it as the propensity of
#' [evaluate_clicks()].
#'
#' @param model The click model, made by [click_model()].
#' @param log The click log with the lists over which to average. Not used for `"pbm"`.
#' @param ... Must be empty.
#' @details For `"pbm"`, the probabilities are parameters of the model. In other models, examination depends on the
#'   documents and clicks at higher positions. The result then is the mean of the predicted examination over the
#'   sessions of `log`. So these models need `log`.
#' @return A data frame: `position`, `estimate`, `se`, `lower`, `upper`. The standard errors of models other
#'   than `"pbm"` come from the bootstrap, or are `NA`. The bootstrap averages over the log of the model.
#' @section Conditions: `rankmix_error_argument`: not a click model, or no `log` where it is needed.
#' @seealso [examination_from_swaps()], which needs no model of attraction.
#' @examples
#' judged <- simulate_ranking(30, seed = 1)$data
#' log <- simulate_clicks(judged, sessions = 100, depth = 5, seed = 2, output = "log")
#' examination(click_model(log, "pbm"))
#' examination(click_model(log, "cascade"), log)
#' @export
examination <- function(model, log = NULL, ...) {
  check_no_others(...)
  check_given(missing(model), "model", "Make it by `click_model()`.")
  check_click_model(model, "model")
  if (model$model == "pbm") {
    return(model$parameters[c("position", "estimate", "se", "lower", "upper")])
  }
  if (is.null(log)) {
    stop_input("argument", sprintf("Examination of the %s needs `log`.", click_models[[model$model]]$title),
               "It depends on the documents and clicks above.", "Give the log of the model.")
  }
  check_click_log(log)
  estimate <- mean_examination(model, log)
  drawn <- model$bootstrap[-seq_along(model$position), , drop = FALSE]
  se <- if (is.null(drawn) || nrow(drawn) != length(estimate)) NA_real_ else apply(drawn, 1L, stats::sd)
  data.frame(position = seq_along(estimate), estimate = estimate, se = se,
             logit_interval(estimate, se, model$settings$level))
}

mean_examination <- function(model, log) {
  rows <- click_rows(model, log, model$settings$threads)
  as.vector(tapply(rows$examination, factor(log_positions(log), seq_len(log$depth)), mean))
}
