#' Are probabilities of relevance right?
#'
#' Compares predicted probabilities with observed relevance, across queries and within queries. Use it on test queries
#' after [calibrate()], before you use the probabilities for thresholds or expected values.
#'
#' @param model The probabilities: a ranker whose [predict()] has `type = "prob"`, such as one from [calibrate()].
#'   Probabilities of grades are added up. Or probabilities in the row order of `data`, or a function of `data`.
#' @param data The judged test queries, made by [ranking_data()]. The ranker must be neither trained nor calibrated on
#'   them.
#' @param relevant The lowest relevance that counts as relevant; default 1.
#' @param bins Number of groups of documents of about equal size, default 10. More bins show more
#'   detail and have more noise.
#' @param level The confidence level of the intervals, default 0.95.
#' @param resamples Number of bootstrap samples of queries, default 1000.
#' @param seed The seed of the samples; by default drawn from R's generator.
#' @param threads Number of threads. Results do not depend on it.
#' @param ... Must be empty.
#' @param x The result of `calibration_error()`.
#' @param what The table: `"bins"` (the default) or `"errors"`.
#'
#' @return A value of class `rankmix_calibration_error`. `tidy()` returns one of two data frames. Both have a column
#'   `scale` with `"across"` and `"within"`.
#'
#'   `"bins"`: the number of the `bin` and of its `documents`, the mean `predicted` probability, the `observed` fraction
#'   of relevant documents, and its interval `lower` and `upper`. With scale `"within"`, `predicted` and `observed` are
#'   differences to the mean of the query.
#'
#'   `"errors"`: the expected calibration `error` with its interval `lower` and `upper`, the error `by_chance` that
#'   right probabilities would have, and the `p_value` of the hypothesis that the probabilities are right. `glance()`
#'   returns these as one row, in columns such as `across_error`.
#'
#'   [autoplot.rankmix_calibration_error()] draws the reliability diagram.
#' @examples
#' train <- read_letor(system.file("extdata", "train.txt.gz", package = "rankmix"))
#' valid <- read_letor(system.file("extdata", "vali.txt.gz", package = "rankmix"))
#' test <- read_letor(system.file("extdata", "test.txt.gz", package = "rankmix"))
#' model <- fit(gbrt(trees = 50), train, threads = 1)
#' model <- calibrate(model, valid, calibrator_probability(), threads = 1)
#' found <- calibration_error(model, test, resamples = 200, seed = 1)
#' found
#' head(tidy(found), 3)
#'
#' @details
#' **Across queries.** Documents of all queries are grouped by predicted probability. With the weight
#' \eqn{w_b}{w_b} of bin b, its mean prediction \eqn{p_b}{p_b} and its observed fraction \eqn{y_b}{y_b}:
#' \deqn{\mathrm{error} = \sum_b w_b |y_b - p_b|.}{error = sum_b w_b |y_b - p_b|.}
#'
#' **Within queries.** The mean prediction of the query is subtracted from each prediction, and the fraction of relevant
#' documents of the query from each relevance. The error within queries shows whether differences of probabilities are
#' right in a list. Probabilities can be right within queries and wrong across queries. This happens if no feature shows
#' how many relevant documents a query has. Queries of one document are left out. If all queries have one document, the
#' error within queries is `NA`.
#'
#' **Intervals.** Queries are sampled with replacement, because documents of a query are dependent. The bins are the
#' same in all samples. The interval of the error is the error plus and minus the `level` quantile of \eqn{\sum_b |c_b^*
#' - c_b|}{sum_b |c*_b - c_b|}, with \eqn{c_b = w_b (y_b - p_b)}{c_b = w_b (y_b - p_b)} and the sample's
#' \eqn{c_b^*}{c*_b}. The interval covers the true error of these bins with a probability of about `level` or more, also
#' if the true error is 0. If the lower limit is 0, the probabilities may be right. `by_chance` is the mean of this sum
#' over the samples. The error is never 0 on finite data: compare it with `by_chance`. In simulations of right
#' probabilities and 30 or more queries, 95 % intervals contained the error 0 in 91 to 96 %.
#'
#' **Intervals of bins.** Queries are clusters. With the sum \eqn{u_q}{u_q} of weighted deviations of query q in a bin
#' and its fraction \eqn{h_q}{h_q} of the sum W of weights, the variance is \eqn{v = \sum_q u_q^2 / (1 - h_q) / W^2}{v =
#' sum_q u_q^2 / (1 - h_q) / W^2}. The degrees of freedom are \eqn{1 / \sum_q h_q^2 - 1}{1 / sum_q h_q^2 - 1}. Within
#' queries, the interval is Student's t. Across queries, it is Wilson's interval of a fraction y of \eqn{y (1 - y) /
#' v}{y (1 - y) / v} documents, with a quantile of t (Korn and Graubard). In simulations of 10 to 200 queries, these
#' intervals covered 95 to 97 % across queries and 93 to 95 % within. With very unequal weights they covered 91 %.
#'
#' **Weights.** Weights of queries and documents are used in all means. Queries and documents of weight 0 are left
#' out.
#'
#' **Ties and undefined cases.** Equal predictions are in one bin, so there may be fewer bins. With one query intervals
#' and p-values are `NA`. In a bin where all or no documents are relevant, each query counts as one document. Within
#' queries, a bin with fewer than two effective queries has no interval.
#'
#' @section Conditions:
#' * `rankmix_error_argument`: a number out of range; another `relevant` than in the calibration.
#' * `rankmix_error_probability`: numbers below 0 or above 1.
#' * `rankmix_error_calibration`: a ranker without probabilities.
#' @section Cost: O(n b r) for n queries, b bins and r resamples.
#' @references Naeini, Cooper and Hauskrecht (2015), Obtaining well calibrated probabilities using Bayesian binning,
#'   *AAAI*. Broecker and Smith (2007), \doi{10.1175/WAF993.1}. Korn and Graubard (1998), Confidence intervals for
#'   proportions with small expected number of positive counts, *Survey Methodology* 24.
#' @seealso [calibrate()]. [reliability()] has another meaning: it is about the number of queries.
#' @export
calibration_error <- function(model, data, relevant = 1, bins = 10, level = 0.95, resamples = 1000, seed = NULL,
                              threads = NULL, ...) {
  check_no_others(...)
  check_given(missing(model), "model", "Give a ranker with probabilities, see `calibrate()`.")
  check_given(missing(data), "data")
  check_number(relevant, "relevant", -Inf, Inf)
  check_count(bins, "bins", min = 1, max = 1000)
  check_confidence(level)
  check_count(resamples, "resamples", min = 100, max = 1e6)
  seed <- check_seed(seed)
  threads <- check_threads(threads)
  check_ranking_data(data, binned = TRUE)
  call <- rlang::current_env()
  observed <- as.numeric(is_relevant(data, relevant, call))
  predicted <- relevance_probabilities(model, data, relevant, threads, call)
  weight <- unscaled_weights(data)
  if (is.null(weight)) weight <- rep(1, length(observed))
  # Documents of weight 0 would change the bins and the bootstrap of queries.
  across <- lapply(list(predicted = predicted, observed = observed, weight = weight, query = data$query),
                   `[`, weight > 0)
  views <- list(across = across, within = do.call(centred_by_query, across))
  limits <- list(across = fraction_limits, within = difference_limits)
  found <- Map(function(view, limits) binned_calibration(view, bins, level, resamples, seed, limits), views, limits)
  structure(list(bins = bind_named(lapply(found, `[[`, "bins"), "scale"),
                 errors = bind_named(lapply(found, `[[`, "error"), "scale"),
                 relevant = relevant, level = level, queries = length(unique(across$query)),
                 documents = length(across$query)),
            class = "rankmix_calibration_error")
}

#' @rdname calibration_error
#' @export
tidy.rankmix_calibration_error <- function(x, what = "bins", ...) {
  check_no_others(...)
  x[[check_choice(what, "what", c("bins", "errors"))]]
}

#' @rdname calibration_error
#' @export
glance.rankmix_calibration_error <- function(x, ...) {
  check_no_others(...)
  values <- unlist(lapply(seq_len(nrow(x$errors)), function(i) as.list(x$errors[i, -1L])), recursive = FALSE)
  names(values) <- paste(rep(x$errors$scale, each = ncol(x$errors) - 1L), names(values), sep = "_")
  list2DF(c(values, list(queries = x$queries, documents = x$documents)))
}

#' @export
print.rankmix_calibration_error <- function(x, ...) {
  say(sprintf("<rankmix_calibration_error> %s, %s", counted(x$queries, "query", "queries"),
              counted(x$documents, "document")))
  chance <- sprintf("; by chance %.4f; %s", x$errors$by_chance, show_p(x$errors$p_value, rep(FALSE, nrow(x$errors))))
  say(sprintf("  %s queries  %s%s", x$errors$scale, show_error(x$errors), ifelse(is.na(x$errors$p_value), "", chance)))
  say(sprintf("[ ]: %s %% interval of the expected calibration error, by bootstrap of queries",
              plain_number(100 * x$level)))
  say("p: if the probabilities were right")
  invisible(x)
}

show_error <- function(errors) {
  ifelse(is.na(errors$lower), sprintf("%.4f [no interval]", errors$error),
         sprintf("%.4f [%.4f, %.4f]", errors$error, errors$lower, errors$upper))
}
