#' Evaluate rankers with machine grades and few human grades
#'
#' Estimates the means of metrics that complete human grades would give. A machine graded all queries, and
#' humans graded some of them. The machine is a large language model or any other assessor. This is
#' prediction-powered inference: the human grades correct the machine, so that its errors cause no bias. The
#' intervals are shorter than intervals from human grades alone.
#'
#' @param x The rankers or scores to evaluate, as in [evaluate()]. Leave it out if `human` and `machine` are
#'   evaluations.
#' @param data The documents, made by [ranking_data()]. Grades of `data` are not used.
#' @param metrics The metric or metrics, as in [evaluate()]. Every query must have a value.
#' @param human The human grades in row order, `NA` for documents of queries that no human judged. Humans must
#'   grade all documents of a query or none. Or an evaluation of the rankers under human grades, made by
#'   [evaluate()] or [as_evaluation()].
#' @param machine The judgement of the machine, one of:
#'   * one finite number per row, such as its grade or a score that is higher for more relevant documents;
#'   * a matrix of probabilities of the grades 0, 1, ..., documents x grades;
#'   * an evaluation of the rankers under machine grades, with all queries of `human`.
#' @param calibrator How numbers of the machine become probabilities of human grades. By default isotonic
#'   regression, which corrects a strict or mild machine and assumes no form. Any `calibrator_rbc()` is
#'   possible. `NULL` uses whole numbers as grades, which is faster.
#' @param lambda The weight of the machine values. `"optimal"` (the default) minimises the standard error. Or a
#' number: 1 gives the mean under machine grades plus a correction, and 0 ignores the machine.
#' @param interval The intervals: `"t"` (the default) or `"bootstrap"` (studentised, over queries). The
#' bootstrap is better for skewed values, but slower.
#' @param level The level of the intervals, above 0 and below 1; default 0.95.
#' @param adjust The adjustment of p-values over the pairs of a metric: `"holm"` (the default), `"BH"` or
#'   `"none"`.
#' @param draws Number of sampled sets of grades for probabilities; default 10. With more sets, the machine
#' values are less noisy. The estimates are unbiased for any number.
#' @param folds Number of folds of queries for the calibrator; default 5. A query is always graded by a
#' calibrator that was fitted on other queries.
#' @param resamples Number of resamples of the bootstrap, and of sign patterns of the test of `p_bias`;
#'   default 2000.
#' @param seed The seed of folds, draws and resamples. By default R's generator draws one.
#' @param threads Number of threads. Results do not depend on it.
#' @param ... Not used.
#'
#' @return A value of class `rankmix_ppi` with `rankers`, `pairs`, `settings`, and the `values` of queries.
#'   `tidy()` returns `rankers`, `tidy(what = "pairs")` returns `pairs`. A row of `rankers`:
#'   * `metric`, `ranker`, `mean`: the estimated mean under human grades;
#'   * `se`, `lower`, `upper`, `df`: its standard error, interval and degrees of freedom;
#'   * `lambda`: the weight of the machine values;
#'   * `human_mean`, `human_se`, `human_lower`, `human_upper`: the estimate from human grades alone;
#'   * `machine_mean`: the mean under machine grades alone;
#'   * `bias`: the mean of machine values minus human values;
#'   * `queries`, `human_queries`: the numbers of all queries and of queries with human grades;
#'   * `equivalent_queries`: the number of human queries with the same standard error without the machine.
#'
#'   A row of `pairs` has the rankers `a` and `b`. `difference` and the other columns describe the differences of a and
#'   b. `p` and `p_adjusted` are the p-values of a t test. `p_bias` is the adjusted p-value of the hypothesis that the
#'   machine errs equally for a and b.
#' @examples
#' simulation <- simulate_ranking(300, seed = 1)
#' data <- simulation$data
#' # A machine that is too mild and errs, and humans for 60 of 300 queries.
#' set.seed(2)
#' machine <- pmin(data$relevance + rbinom(nrow(data), 1, 0.4), 4)
#' human <- ifelse(data$query <= 60, data$relevance, NA)
#' scores <- list(good = predict(simulation$truth, data), weak = data$x[, "signal1"])
#' found <- evaluate_ppi(scores, data, "ndcg@10", human = human, machine = machine, seed = 1)
#' found
#' tidy(found, what = "pairs")[c("a", "b", "difference", "lower", "upper", "p")]
#'
#' @details
#' **Formula.** \eqn{y_q} is the value of query q under human grades, \eqn{f_q} under machine grades. N is the
#' number of all queries, and n the number of queries with human grades. The estimate is \deqn{\hat\theta =
#' \lambda \frac 1 N \sum_{q \le N} f_q + \frac 1 n \sum_{q \le n} (y_q - \lambda f_q).}{
#'   theta = lambda mean_N(f) + mean_n(y - lambda f).}
#' For `lambda = 1`, the estimate is the mean under machine grades plus the mean correction. The optimal
#' \eqn{\lambda} is the coefficient of the regression of y on f over the queries with human grades. Then the
#' estimate is the regression estimator of double sampling, with \deqn{s^2 = \frac{\sum (y_q -
#' \hat\theta_q)^2}{n - 2} \left(\frac 1 n + \frac{(\bar f_n - \bar f_N)^2}{
#'   \sum_{q \le n} (f_q - \bar f_n)^2}\right) + \lambda^2 \frac{s_f^2}{N},}{
#'   s^2 = s_e^2 (1/n + (mean_n(f) - mean_N(f))^2 / sum_n (f - mean_n(f))^2) + lambda^2 s_f^2 / N,}
#' where the first factor is the residual variance and \eqn{s_f^2} the variance of f. The interval is Student's
#' t with Satterthwaite's degrees of freedom. PPI++ uses normal intervals without the second term in the
#' parentheses. Normal intervals are too short for few human queries (see `bench/ppi.md`).
#'
#' If `lambda` is a number, queries with and without human grades are treated as two independent samples, as in
#' the original method. The interval then uses a quantile of t instead of the normal quantile.
#'
#' **Pairs.** The same estimator is applied to the differences of two rankers, with a separate \eqn{\lambda} for
#' each pair.
#'
#' **Probabilities.** With numbers and a calibrator, the probability that the grade is at least k is
#' calibrated for each k on the human grades, by cross-fitting over `folds`. The machine value of a query is
#' the mean of the metric over `draws` sampled sets of grades, an estimate of its expectation.
#'
#' **Assumption.** The queries with human grades must be a random sample of all queries. If they were selected,
#' for example by frequency, the estimates are biased. Draw the queries by [sample()].
#'
#' **Different errors.** A machine may favour a ranker, for example one that uses the same model. Random errors
#' of the machine lower the metric of the better ranker more. In both cases, a comparison by machine grades
#' alone is wrong. The estimates here stay unbiased. Joint sign flips of \eqn{f_q - y_q} test whether the
#' machine errs differently for two rankers. A warning names the pair.
#'
#' **Weights and undefined cases.** A query of weight 2 counts as two copies, and n is the effective number of queries
#' (Kish). If all queries have human grades, the machine is not used. If the machine values are all equal, \eqn{\lambda}
#' is 0. If the standard error of a difference is 0, its p-value is the p-value of sign flips, \eqn{2^{1 - n}}{2^(1 -
#' n)}.
#'
#' **Coverage.** In simulations, 95 % intervals covered 93 to 96 % with 50 or more human queries, and 89 to 97 %
#' with 20. Coverage is lowest if the machine makes large errors in few queries.
#'
#' @section Conditions:
#' * `rankmix_error_argument`: grades or probabilities of the wrong size or kind; different rankers or no common
#'   metric in two evaluations.
#' * `rankmix_error_grade`: a query with human grades for some documents only; grades that are not whole
#'   numbers.
#' * `rankmix_error_queries`: fewer than three queries with human grades; human queries without machine grades;
#'   evaluations with folds.
#' * `rankmix_error_values`: a metric that leaves queries out of the mean.
#' * `rankmix_warning_machine`: the machine errs differently for two rankers.
#' @references Angelopoulos et al. (2023), Prediction-powered inference, \doi{10.1126/science.adi6000}.
#'   Angelopoulos, Duchi and Zrnic (2023), PPI++, \doi{10.48550/arXiv.2311.01453}. Oosterhuis et al. (2024),
#'   Reliable confidence intervals for information retrieval evaluation using generative A.I.,
#'   \doi{10.1145/3637528.3671883}. Cochran (1977), *Sampling Techniques*, section 12.7.
#' @seealso [queries_needed()] with `machine` plans the number of human queries.
#' @export
evaluate_ppi <- function(x = NULL, data = NULL, metrics = NULL, human, machine,
                         calibrator = calibrator_rbc("isotonic"), lambda = "optimal",
                         interval = c("t", "bootstrap"), level = 0.95, adjust = c("holm", "BH", "none"),
                         draws = 10, folds = 5, resamples = 2000, seed = NULL, threads = NULL, ...) {
  check_no_others(...)
  check_given(missing(human), "human", if (inherits(x, "rankmix_evaluation")) {
    "Evaluations are named: `evaluate_ppi(human = , machine = )`."
  } else {
    "Give the human grades, NA for documents without one."
  })
  check_given(missing(machine), "machine", "Give the grades of the machine for all documents.")
  settings <- list(calibrator = check_ppi_calibrator(calibrator), lambda = check_lambda(lambda),
                   interval = check_first_choice(interval, "interval", c("t", "bootstrap")),
                   level = check_confidence(level),
                   adjust = check_first_choice(adjust, "adjust", c("holm", "BH", "none")),
                   draws = check_count(draws, "draws"), folds = check_count(folds, "folds", min = 2),
                   resamples = check_count(resamples, "resamples", min = 100, max = 1e6),
                   seed = check_seed(seed), threads = check_threads(threads))
  values <- if (inherits(human, "rankmix_evaluation")) {
    if (!is.null(x) || !is.null(data)) {
      stop_input("argument", "`human` is an evaluation, so `x` and `data` are not used.",
                 remedy = "Leave them out, or give grades as `human` and `machine`.")
    }
    values_of_evaluations(human, machine, rlang::current_env())
  } else {
    check_given(is.null(x), "x", "Give the rankers or scores.")
    check_given(is.null(data), "data", "Give the ranking data.")
    values_of_rankers(x, data, metrics, human, machine, settings, rlang::current_env())
  }
  found <- lapply(values, ppi_tables, settings = settings)
  result <- structure(list(rankers = bind_named(lapply(found, `[[`, "rankers"), "metric"),
                           pairs = bind_named(Filter(Negate(is.null), lapply(found, `[[`, "pairs")), "metric"),
                           values = values, settings = settings), class = "rankmix_ppi")
  warn_machine(result)
  result
}

check_ppi_calibrator <- function(calibrator, call = rlang::caller_env()) {
  if (!is.null(calibrator) && !(inherits(calibrator, "rankmix_calibrator") && one_score_suffices(calibrator))) {
    stop_input("argument",
               sprintf("`calibrator` must be a `calibrator_rbc()` or NULL, not %s.", show_value(calibrator)),
               remedy = "Other calibrators need a score of each grade.", call = call)
  }
  calibrator
}

# Returns the coefficient, or NULL for the optimal coefficient.
check_lambda <- function(lambda, call = rlang::caller_env()) {
  if (identical(lambda, "optimal")) {
    return(NULL)
  }
  check_number(lambda, "lambda", 0, 10, call = call, remedy = "Or \"optimal\", the default.")
}

# The tables of one metric.
ppi_tables <- function(values, settings) {
  judged <- !is.na(values$human[, 1L])
  draws <- if (settings$interval == "bootstrap") {
    ppi_draws(values$weight, judged, values$machine, settings$resamples, settings$seed)
  }
  rankers <- colnames(values$machine)
  list(rankers = data.frame(ranker = rankers,
                            ppi_rows(values$human, values$machine, values$weight, judged, draws$other,
                                     draws$judged, settings)),
       pairs = if (length(rankers) > 1L) ppi_pairs(values, judged, draws, settings))
}

# The estimates of all columns. `other` has means of draws of machine values, draws x columns.
ppi_rows <- function(human, machine, weight, judged, other, drawn, settings) {
  y <- human[judged, , drop = FALSE]
  f <- machine[judged, , drop = FALSE]
  others <- if (!all(judged)) column_moments(machine[!judged, , drop = FALSE], weight[!judged])
  own <- weight[judged]
  rows <- ppi_estimates(y, f, own, others, settings$lambda)
  ends <- if (is.null(drawn)) t_ends(rows$mean, rows$se, rows$df, settings$level) else {
    do.call(rbind, lapply(seq_len(ncol(y)), function(j) {
      bootstrap_ends(y[, j], f[, j], own, lapply(others, function(field) field[min(j, length(field))]),
                     settings$lambda, drawn, other[, j], settings$level)
    }))
  }
  humans <- t_ends(rows$human_mean, rows$human_se, rows$human_df, settings$level)
  data.frame(rows[c("mean", "se")], ends, rows[c("df", "lambda", "human_mean", "human_se")],
             human_lower = humans$lower, human_upper = humans$upper, rows[c("machine_mean", "bias")],
             queries = nrow(machine), human_queries = nrow(y), equivalent_queries = rows$equivalent_queries)
}

ppi_pairs <- function(values, judged, draws, settings) {
  rankers <- colnames(values$machine)
  names <- utils::combn(rankers, 2L, simplify = FALSE)
  a <- match(vapply(names, `[`, "", 1L), rankers)
  b <- match(vapply(names, `[`, "", 2L), rankers)
  # Some pairs at a time: the differences of all pairs may need more memory than the data.
  blocks <- split(seq_along(names), (seq_along(names) - 1L) %/% 64L)
  rows <- do.call(rbind, lapply(blocks, function(own) {
    between <- function(x) if (!is.null(x)) x[, a[own], drop = FALSE] - x[, b[own], drop = FALSE]
    ppi_rows(between(values$human), between(values$machine), values$weight, judged, between(draws$other),
             draws$judged, settings)
  }))
  rownames(rows) <- NULL
  names(rows)[names(rows) == "mean"] <- "difference"
  names(rows) <- sub("_mean$", "_difference", names(rows))
  rows$p <- ppi_p(rows)
  rows$p_adjusted <- stats::p.adjust(rows$p, settings$adjust)
  data.frame(a = rankers[a], b = rankers[b], rows, p_bias = bias_p(values, judged, names, settings))
}

# The t test. If the standard error is 0, the p-value is 1 for a difference of 0. For other differences it is the
# p-value of sign flips of the human queries, as in compare_rankers().
ppi_p <- function(rows) {
  p <- 2 * stats::pt(-abs(rows$difference / rows$se), pmax(rows$df, 1e-3))
  p <- ifelse(has_no_spread(rows$difference, rows$se), 2^(1 - rows$human_queries), p)
  ifelse(rows$difference == 0 & rows$se == 0 | is.na(rows$se), 1, p)
}

# The adjusted p-values of the hypothesis that the machine errs equally for both rankers, by joint sign flips.
bias_p <- function(values, judged, names, settings) {
  error <- values$machine[judged, , drop = FALSE] - values$human[judged, , drop = FALSE]
  weight <- values$weight[judged]
  paired <- list(values = error, weight = if (length(unique(weight)) > 1L) weight, query = values$query[judged])
  joint_tests(paired, names, list(test = "randomization", adjust = "maxt", alternative = "two.sided",
                                  level = 0.05, resamples = settings$resamples, seed = settings$seed,
                                  threads = settings$threads))$p_adjusted
}

warn_machine <- function(x) {
  pairs <- x$pairs
  if (is.null(pairs) || !any(pairs$p_bias <= 0.05)) {
    return(invisible())
  }
  # The pair with the smallest p-value. If several pairs have it, the pair with the largest difference.
  worst <- pairs[order(pairs$p_bias, -abs(pairs$bias)), ][1L, ]
  raised <- if (worst$bias > 0) c(worst$a, worst$b) else c(worst$b, worst$a)
  warn_input("machine",
             sprintf("Machine grades raise `%s` against `%s` by %.3f of %s (p = %.2g).", raised[1L],
                     raised[2L], abs(worst$bias), worst$metric, worst$p_bias),
             sprintf("Pairs of rankers with different errors: %d of %d.", sum(pairs$p_bias <= 0.05), nrow(pairs)),
             "Do not compare rankers by machine grades alone. These estimates are corrected.")
}
