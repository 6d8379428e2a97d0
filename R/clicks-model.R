#' Click models
#'
#' Fits a model of how users examine and click a list. Use it to estimate examination by position, for
#' [evaluate_clicks()], and to predict clicks on other lists.
#'
#' @param log The click log, made by [click_log()].
#' @param model The model, see Details.
#'   * `"pbm"`, the default: the position-based model;
#'   * `"cascade"`: the cascade model;
#'   * `"dbn"`: the dynamic Bayesian model;
#'   * `"ubm"`: the user browsing model;
#'   * `"dcm"`: the dependent click model.
#' @param prior Two pseudo-counts above 0: clicks and missing clicks that are added to the counts of each
#'   probability. The default `c(0.01, 0.01)` shrinks little, so that examination has little bias. Larger
#'   values predict better if documents are shown a few times only. `c(1, 1)` is the mean under a uniform
#'   prior, Beta(1, 1).
#' @param tolerance The tolerance; default 1e-6. Fitting stops when the examination parameters change by less.
#' @param iterations Number of iterations, at most; default 500.
#' @param level The confidence level of intervals; default 0.95.
#' @param resamples Number of bootstrap samples of sessions, for standard errors. The default 0 draws none.
#'   Then only `"pbm"` and `"ubm"` have standard errors, from the observed information.
#' @param seed The seed of the bootstrap. By default R's generator draws one.
#' @param threads Number of threads. Results do not depend on it.
#' @param object,x The click model.
#' @param ... Must be empty.
#'
#' @return A value of class `rankmix_click_model` with these fields, among others.
#'   * `pairs`: a data frame with the `attraction` of each query-document pair. `"dbn"` adds `satisfaction`.
#'   * `parameters`: a data frame with the parameters of positions. `estimate`, standard error `se`, and
#'     interval `lower`, `upper`.
#'   * `log_likelihood`: the log-likelihood of the click log, without the prior. `converged`, `iterations`.
#'
#'   `tidy()` returns `parameters`, `glance()` a row, and `logLik()` the log-likelihood.
#' @examples
#' judged <- simulate_ranking(30, seed = 1)$data
#' log <- simulate_clicks(judged, sessions = 200, depth = 5, seed = 2, output = "log")
#' model <- click_model(log, "pbm")
#' model
#' examination(model)
#' click_perplexity(model, log)
#' if (requireNamespace("ggplot2", quietly = TRUE)) ggplot2::autoplot(model)
#'
#' @details
#' **Models.** Each pair of query and document d has an attraction \eqn{a_d}{a_d}: the probability of a click
#' if it is examined. The models differ in the probability of examination.
#' * `"pbm"`: position k is examined with probability \eqn{\gamma_k}{g_k}. \eqn{\gamma_1 = 1}{g_1 = 1},
#'   because only the products of examination and attraction can be estimated.
#' * `"ubm"`: the probability depends on position k and on the position r of the previous click, 0 if there
#'   is none. The probability of k = 1 is 1.
#' * `"cascade"`: the user goes from the top down and stops at the first click. Clicks below it are not used.
#' * `"dcm"`: after a click at position k the user continues with probability \eqn{\lambda_k}{lambda_k}.
#'   Without a click the user always continues.
#' * `"dbn"`: after a click the user is satisfied with probability \eqn{s_d}{s_d} and stops. Other users continue with
#'   probability \eqn{\gamma}{gamma}.
#'
#' **Fitting.** The models `"pbm"`, `"ubm"`, `"dbn"` and `"dcm"` are fitted by expectation-maximisation, with
#' the exact likelihood. `"cascade"` has a closed form. The prior adds \eqn{\alpha \log p + \beta \log(1 -
#' p)}{alpha log p + beta log(1 - p)} to the log-likelihood for each probability p.
#'
#' **Bias.** If documents are shown only a few times, the examination is biased, because the prior moves each
#' attraction towards 0.5. In a simulation, attractions were about 0.2. With 50 showings per document, the
#' examination was too low by 26 % with `c(1, 1)`, by 5 % with `c(0.1, 0.1)`, and by 2 % with the default.
#' With 5 showings, the errors were -54 %, -13 % and +18 %.
#' [examination_from_swaps()] has no such bias.
#'
#' **Standard errors.** For `"pbm"` and `"ubm"`, standard errors come from the observed information. The
#' attractions are eliminated by Schur's complement, so that their uncertainty is included. With `resamples`
#' above 0 all models use the bootstrap over sessions. Intervals are normal on the logit scale.
#'
#' **Identification.** `"pbm"` and `"ubm"` need documents that are shown at several positions. If positions
#' are not linked by common documents, a warning names them. The ratio of their examinations then comes from
#' the prior alone.
#'
#' **Undefined cases.** A parameter without data has the estimate `NA`, such as the continuation after the
#' last position. The log-likelihood of
#' `"cascade"` is `-Inf` if a session has two clicks.
#'
#' @section Conditions:
#' * `rankmix_error_argument`: an invalid argument, or a log of another class.
#' * `rankmix_error_position`: more positions than the model supports: 1000, and 50 for `"ubm"`.
#' * `rankmix_warning_identification`: positions without common documents.
#' * `rankmix_warning_convergence`: fitting stopped at `iterations`.
#' @references Chuklin, Markov and de Rijke (2015). *Click Models for Web Search*.
#'   \doi{10.2200/S00654ED1V01Y201507ICR043}
#'
#'   Richardson, Dominowska and Ragno (2007), \doi{10.1145/1242572.1242643}. Craswell, Zoeter, Taylor and
#'   Ramsey (2008), \doi{10.1145/1341531.1341545}. Chapelle and Zhang (2009),
#'   \doi{10.1145/1526709.1526711}. Dupret and Piwowarski (2008), \doi{10.1145/1390334.1390392}. Guo, Liu
#'   and Wang (2009), \doi{10.1145/1498759.1498818}.
#' @seealso [predict.rankmix_click_model()], [click_perplexity()], [examination()].
#' @export
click_model <- function(log, model = c("pbm", "cascade", "dbn", "ubm", "dcm"), prior = c(0.01, 0.01),
                        tolerance = 1e-6, iterations = 500, level = 0.95, resamples = 0, seed = NULL,
                        threads = NULL, ...) {
  check_no_others(...)
  check_given(missing(log), "log", "Make it by `click_log()`.")
  check_click_log(log)
  model <- check_first_choice(model, "model", names(click_models))
  check_prior(prior)
  check_number(tolerance, "tolerance", 0, 1, open_min = TRUE)
  check_count(iterations, "iterations", max = 1e6)
  check_count(resamples, "resamples", min = 0, max = 1e5)
  check_confidence(level)
  threads <- check_threads(threads)
  check_log_depth(log, model)
  settings <- list(model = model, prior = as.double(prior), tolerance = tolerance,
                   iterations = iterations, resamples = resamples, level = level, threads = threads)
  fit <- fit_clicks(log, settings)
  found <- new_click_model(fit, log, settings)
  if (resamples > 0) {
    seed <- check_seed(seed)
    found$bootstrap <- with_seed(seed, bootstrap_clicks(found, log, settings))
  }
  found$parameters <- click_parameters(found, fit)
  warn_click_fit(found, fit)
  found
}

# Title, and the number of positions that the core supports.
click_models <- list(
  pbm = list(title = "position-based model", depth = 1000L),
  cascade = list(title = "cascade model", depth = 1e5),
  dbn = list(title = "dynamic Bayesian model", depth = 1e5),
  ubm = list(title = "user browsing model", depth = 50L),
  dcm = list(title = "dependent click model", depth = 1000L)
)

check_prior <- function(prior, call = rlang::caller_env()) {
  good <- is_plain_number(prior) && length(prior) == 2L && all(is.finite(prior) & prior > 0)
  if (!good) {
    stop_input("argument", sprintf("`prior` must be two numbers above 0, not %s.", show_value(prior)),
               remedy = "The default is `c(0.01, 0.01)`.", call = call)
  }
}

check_log_depth <- function(log, model, call = rlang::caller_env()) {
  limit <- click_models[[model]]$depth
  if (log$depth > limit) {
    stop_input("position", sprintf("The %s supports %d positions.", click_models[[model]]$title, limit),
               sprintf("The log has %d.", log$depth), "Leave out the rows of lower positions.", call = call)
  }
}

# `copies` has the number of times that each session counts; NULL counts each session once. `fixed` has the
# examination probabilities, if they are known.
fit_clicks <- function(log, settings, copies = NULL, fixed = NULL) {
  fit_click_model(log[c("starts", "pair", "clicked", "pairs", "depth")], settings$model,
                  if (is.null(copies)) integer() else as.integer(copies),
                  if (is.null(fixed)) numeric() else as.double(fixed), settings$prior, settings$tolerance,
                  settings$iterations, settings$threads)
}

new_click_model <- function(fit, log, settings) {
  pairs <- log$pairs
  pairs$shown <- tabulate(log$pair + 1L, nrow(pairs))
  pairs$attraction <- fit$attraction
  if (settings$model == "dbn") pairs$satisfaction <- fit$satisfaction
  more <- settings$model == "cascade" && any(session_clicks(log) > 1L)
  structure(list(model = settings$model, pairs = pairs, position = fit$position, depth = log$depth,
                 sessions = log_sessions(log), shown_at = shown_by_position(log),
                 log_likelihood = if (more) -Inf else fit$log_likelihood,
                 converged = fit$converged, iterations = fit$iterations, settings = settings),
            class = "rankmix_click_model")
}

# Number of sessions that reach each position.
shown_by_position <- function(log) rev(cumsum(rev(tabulate(diff(log$starts), log$depth))))

session_clicks <- function(log) {
  clicks <- c(0L, cumsum(log$clicked))
  clicks[log$starts[-1L] + 1L] - clicks[log$starts[-length(log$starts)] + 1L]
}

# A matrix with a column for each bootstrap sample: parameters, then mean examination by position.
bootstrap_clicks <- function(model, log, settings) {
  n <- log_sessions(log)
  vapply(seq_len(settings$resamples), function(i) {
    fit <- fit_clicks(log, settings, tabulate(sample.int(n, n, TRUE), n))
    drawn <- replace(model, c("position", "log_likelihood"), list(fit$position, fit$log_likelihood))
    drawn$pairs$attraction <- fit$attraction
    if (model$model == "dbn") drawn$pairs$satisfaction <- fit$satisfaction
    c(fit$position, mean_examination(drawn, log))
  }, numeric(length(model$position) + log$depth))
}

# The parameters of positions -------------------------------------------------------------------

click_parameters <- function(model, fit) {
  names <- parameter_names(model$model, model$depth, length(model$position))
  if (nrow(names) == 0L) {
    return(cbind(names, estimate = numeric(), se = numeric(), lower = numeric(), upper = numeric()))
  }
  shown <- fit$shown > 0
  estimate <- ifelse(shown, fit$position, NA_real_)
  se <- if (!is.null(model$bootstrap)) {
    apply(model$bootstrap[seq_along(estimate), , drop = FALSE], 1L, stats::sd)
  } else if (is.null(fit$information)) {
    rep(NA_real_, length(estimate))
  } else {
    information_se(matrix(fit$information, length(estimate)), shown)
  }
  se[is.na(estimate)] <- NA_real_
  cbind(names, estimate = estimate, se = se, logit_interval(estimate, se, model$settings$level))
}

parameter_names <- function(model, depth, count) {
  k <- seq_len(depth)
  switch(model,
         pbm = data.frame(parameter = "examination", position = k),
         ubm = data.frame(parameter = "examination", position = rep(k, k), previous = sequence(k) - 1L),
         dcm = data.frame(parameter = "continuation", position = k),
         dbn = data.frame(parameter = "continuation", position = NA_integer_),
         cascade = data.frame(parameter = character(), position = integer()))
}

# Standard errors of the contexts that were shown. The first context is fixed.
information_se <- function(information, shown) {
  se <- rep(NA_real_, nrow(information))
  se[1L] <- 0
  free <- setdiff(which(shown), 1L)
  if (length(free) > 0L) {
    inverse <- tryCatch(chol2inv(chol(information[free, free, drop = FALSE])), error = function(e) NULL)
    if (!is.null(inverse)) se[free] <- sqrt(diag(inverse))
  }
  se
}

logit_interval <- function(estimate, se, level) {
  half <- stats::qnorm((1 + level) / 2) * se / (estimate * (1 - estimate))
  certain <- !is.na(se) & se == 0
  data.frame(lower = ifelse(certain, estimate, stats::plogis(stats::qlogis(estimate) - half)),
             upper = ifelse(certain, estimate, stats::plogis(stats::qlogis(estimate) + half)))
}

# Warnings --------------------------------------------------------------------------------------

warn_click_fit <- function(model, fit) {
  if (!fit$converged) {
    warn_input("convergence", sprintf("The %s has not converged.", click_models[[model$model]]$title),
               sprintf("Fitting stopped after %s.", counted(fit$iterations, "iteration")),
               "Increase `iterations` or `tolerance`.")
  }
  apart <- unique(model$parameters$position[fit$shown > 0 & fit$linked == 0L])
  if (length(apart) > 0L) {
    warn_input("identification",
               sprintf("No document links position 1 to the %s %s.",
                       if (length(apart) == 1L) "position" else "positions", enumerate(apart)),
               c("So their examination is determined by the prior.",
                 if (model$model == "ubm") "In this model it also depends on the previous click."),
               "Show documents at several positions, such as by randomised swaps.")
  }
}

# Methods -------------------------------------------------------------------------------------

#' @export
tidy.rankmix_click_model <- function(x, ...) x$parameters

#' @export
glance.rankmix_click_model <- function(x, ...) {
  data.frame(model = x$model, sessions = x$sessions, pairs = nrow(x$pairs), positions = x$depth,
             log_likelihood = x$log_likelihood, iterations = x$iterations, converged = x$converged)
}

#' @rdname click_model
#' @importFrom stats logLik
#' @export
logLik.rankmix_click_model <- function(object, ...) {
  check_no_others(...)
  free <- nrow(object$pairs) * if (object$model == "dbn") 2L else 1L
  positions <- sum(!is.na(object$parameters$estimate)) - object$model %in% c("pbm", "ubm")
  structure(object$log_likelihood, df = free + positions, nobs = object$sessions, class = "logLik")
}

#' @rdname click_model
#' @export
print.rankmix_click_model <- function(x, ...) {
  say(sprintf("<rankmix_click_model> %s (%s)", click_models[[x$model]]$title, x$model))
  say(sprintf("%s, %s, %s", counted(x$sessions, "session"), counted(nrow(x$pairs), "query-document pair"),
              counted(x$depth, "position")))
  say(sprintf("Log-likelihood %s%s; %s%s", number_text(x$log_likelihood, digits = 8L),
              if (x$log_likelihood == -Inf) " (sessions have two clicks)" else "",
              counted(x$iterations, "iteration"), if (x$converged) "" else ", not converged"))
  known <- x$parameters[!is.na(x$parameters$estimate), ]
  rows <- utils::head(known, 10L)
  if (nrow(rows) > 0L) print_parameters(rows, x)
  rest <- nrow(known) - nrow(rows)
  if (rest > 0L) say(sprintf("  ... and %d more, see `tidy()`", rest))
  invisible(x)
}

print_parameters <- function(rows, model) {
  shown <- rows[intersect(c("parameter", "position", "previous"), names(rows))]
  shown$estimate <- sprintf("%.3f", rows$estimate)
  if (!all(is.na(rows$se))) {
    shown$interval <- sprintf("[%.3f, %.3f]", rows$lower, rows$upper)
    say(sprintf("[ ]: %s %% intervals, %s", plain_number(100 * model$settings$level),
                if (is.null(model$bootstrap)) "observed information" else "bootstrap over sessions"))
  }
  with_points(print(shown, row.names = FALSE))
}
