#' Where does the uncertainty of a difference come from?
#'
#' Splits the variance of a mean difference into the contributions of test queries, of trainings, and of
#' their interaction. Use it to decide whether more queries or more trainings would help.
#'
#' @param x A comparison of a benchmark with repeated trainings, see `repeats` of [benchmark_rankers()]; or
#'   the benchmark. Or a matrix with a row for each query and a column for each training, of differences
#'   or of values.
#' @param fold The fold of each query, if `x` is a matrix; by default there is one fold.
#' @param weight The weight of each query, 0 or more, if `x` is a matrix; by default all are equal.
#' @param metric The metric or its text, or a list of several, unless `x` is a matrix. By default all
#'   metrics.
#' @param level The significance level, default 0.05. Intervals have the confidence level `1 - level`.
#'
#' @return A value of class `rankmix_variance`. `pairs` has a row for each metric and pair: `difference`,
#'   `se` and `df` (degrees of freedom) over queries and trainings, its interval and p-value.
#'   `se_queries` is the standard error that covers queries alone. `var_queries`, `var_training` and `var_rest`
#'   are the variance components. `fraction_queries`, `fraction_training` and `fraction_rest` are the fractions
#'   of the variance of the mean. `ms_queries`, `ms_training` and `ms_rest` are the mean squares. `tidy()`
#'   returns `pairs`.
#' @examples
#' train <- read_letor(system.file("extdata", "train.txt.gz", package = "rankmix"))
#' test <- read_letor(system.file("extdata", "test.txt.gz", package = "rankmix"))
#' benchmark <- benchmark_rankers(list(trees = gbrt(trees = 5, bagging_fraction = 0.5),
#'                                     feature = function(data) data$x[, 1]),
#'                                list(train = train, test = test), metric_ndcg(10), seed = 1,
#'                                threads = 1, verbose = FALSE, repeats = 2)
#' variance_parts(benchmark)
#' # Differences of two rankers: 4 queries, 3 trainings.
#' variance_parts(rbind(c(0.1, 0.2, 0.1), c(0, 0.1, 0), c(0.3, 0.3, 0.2), c(-0.1, 0.1, 0)))
#'
#' @details
#' **Model.** The difference on query q in training s is \eqn{d_{qs} = \delta + b_s + g_q + e_{qs}}{d_qs =
#' delta + b_s + g_q + e_qs}, with n queries and S trainings. The mean squares are \eqn{MS_s = n
#' \mathrm{var}_s(\bar d_{\cdot s})}{MS_s = n var(mean of training s)}, \eqn{MS_q = S
#' \mathrm{var}_q(\bar d_{q \cdot})}{MS_q = S var(mean of query q)} and the residual \eqn{MS_e}{MS_e}. The
#' standard error of the mean is
#' \deqn{\mathrm{se}^2 = (MS_s + MS_q - MS_e) / (n S).}{se^2 = (MS_s + MS_q - MS_e) / (n S).}
#' Its degrees of freedom are by Satterthwaite:
#' \deqn{\frac{(MS_s + MS_q - MS_e)^2}{MS_s^2 / (S - 1) + MS_q^2 / (n - 1) + MS_e^2 / ((S - 1)(n -
#' 1))}.}{(n S se^2)^2 / (MS_s^2/(S-1) + MS_q^2/(n-1) + MS_e^2/((S-1)(n-1))).}
#' The variance components are \eqn{(MS_s - MS_e) / n}{(MS_s - MS_e) / n}, \eqn{(MS_q - MS_e) / S}{(MS_q -
#' MS_e) / S} and \eqn{MS_e}{MS_e}.
#'
#' **Two rankers.** Trainings of two rankers of a benchmark have different seeds, so they are independent.
#' \eqn{MS_s}{MS_s} and \eqn{MS_e}{MS_e} are then sums over both rankers. The sums have more degrees of
#' freedom than the mean squares of the differences.
#'
#' **Folds.** Each fold has its own trainings. The formulas are used within each fold, and \eqn{\mathrm{se}^2
#' = \sum_f (n_f / n)^2 \mathrm{se}_f^2}{se^2 = sum_f (n_f / n)^2 se_f^2}. The mean squares and components
#' of `pairs` are means over folds, weighted by their queries. Folds of one query are strata as in [compare_rankers()].
#'
#' **Weights.** The formulas use weighted means, with Kish's effective number of queries for n. The
#' variance over queries is as in [compare_rankers()].
#'
#' **Undefined cases.** With one training, `se` covers queries alone, and the training variance is `NA`. If
#' \eqn{\mathrm{se}^2}{se^2} of a fold is not above 0, it is \eqn{\max(MS_s, MS_q) / (n S)}{max(MS_s, MS_q) /
#' (n S)}. The same holds for all folds if the mean has fewer than one degree of freedom. Negative components are
#' replaced by 0 (see `note`). Fractions are `NA` if the variance of the mean is 0. With one query, p is 1, and there is
#' no standard error. If all differences are equal but not 0, p is \eqn{2^{1 - n}}{2^(1 - n)}, and there is no interval.
#'
#' **Two trainings.** The variance of two trainings in a matrix has one degree of freedom, so tests reject too often. In
#' a simulation, tests at the level 5 % rejected 11 % of true hypotheses. With two trainings of each of two rankers of a
#' benchmark they rejected 7 % (`bench/variance.md`).
#'
#' @section Conditions:
#' * `rankmix_error_argument`: no numbers, fewer than two rankers, or `fold` or `weight` of another length.
#' * `rankmix_error_values`: missing or infinite values in a matrix, or values that are `NaN` in some
#'   trainings only.
#' @references Brennan (2001), *Generalizability Theory*, chapters 2 and 3. Satterthwaite (1946),
#'   \doi{10.2307/3002019}.
#' @seealso [resampled_t()] for resampled splits; [reliability()] for the reliability of a collection.
#' @export
variance_parts <- function(x, fold = NULL, weight = NULL, metric = NULL, level = 0.05) {
  check_all_given()
  check_significance(level)
  if (is.matrix(x) || is.data.frame(x)) {
    differences <- check_differences(x)
    check_beside_queries(fold, "fold", nrow(differences))
    check_weights_beside(weight, nrow(differences))
    pairs <- variance_row(differences, weight, fold, level)
    return(new_variance(pairs, level))
  }
  values <- compared_values(x, metric)
  pairs <- bind_named(lapply(values, variance_pairs, level), "metric")
  new_variance(pairs, level)
}

new_variance <- function(pairs, level) {
  structure(list(pairs = pairs, level = level), class = "rankmix_variance")
}

# The results of other functions than compare_rankers() do not show which rankers failed.
warn_left_out <- function(benchmark, name) {
  failed <- failed_rankers(benchmark)
  if (nrow(failed) > 0L && length(benchmark$rankers) - nrow(failed) >= 2L) {
    warn_input("failed", sprintf("%s of `%s` failed and %s left out.", counted(nrow(failed), "ranker"), name,
                                 if (nrow(failed) == 1L) "is" else "are"),
               utils::head(sprintf("`%s` in %d of %d folds: %s", failed$ranker, failed$failed, failed$folds,
                                   failed$error), 5L))
  }
}

# The values of the rankers by metric, of a comparison, benchmark or evaluation. See paired_values().
compared_values <- function(x, metric, name = "x", call = rlang::caller_env()) {
  if (!inherits(x, c("rankmix_comparison", "rankmix_benchmark", "rankmix_evaluation"))) {
    stop_input("argument",
               sprintf("`%s` must be a comparison, a benchmark, an evaluation or a matrix, not %s.", name,
                       show_value(x)), call = call)
  }
  if (!inherits(x, "rankmix_comparison")) {
    if (inherits(x, "rankmix_benchmark")) warn_left_out(x, name)
    return(paired_values(evaluated_rankers(list(x), NULL, metric, 1L, call = call), call))
  }
  if (is.null(metric)) {
    return(x$values)
  }
  wanted <- names(check_metrics(metric, NULL, call))
  lacking <- setdiff(wanted, names(x$values))
  if (length(lacking) > 0L) {
    stop_input("argument", sprintf("The comparison has no metric %s.", enumerate(lacking)),
               sprintf("It has %s.", enumerate(names(x$values))), call = call)
  }
  x$values[wanted]
}

check_differences <- function(x, call = rlang::caller_env()) {
  x <- value_matrix(x)
  if (!is_plain_number(x) || length(x) == 0L) {
    stop_input("argument", "`x` must be a matrix of numbers, queries x trainings.",
               sprintf("It is %s of type %s.", show_value(x), typeof(x)), call = call)
  }
  bad <- which(!is.finite(x), arr.ind = TRUE)
  if (nrow(bad) > 0L) {
    stop_input("values", "Values must be finite.",
               sprintf("Query %d in training %d has %s.", bad[1L, 1L], bad[1L, 2L],
                       format(x[bad[1L, , drop = FALSE]])),
               "Leave out queries that do not count.", call = call)
  }
  x
}

check_beside_queries <- function(x, name, count, call = rlang::caller_env()) {
  if (!is.null(x) && (!is.atomic(x) || length(x) != count || anyNA(x))) {
    stop_input("argument",
               sprintf("`%s` must have one value for each query: %d values without NA, not %s.", name,
                       count, show_value(x)), call = call)
  }
}

check_weights_beside <- function(weight, count, call = rlang::caller_env()) {
  check_beside_queries(weight, "weight", count, call)
  if (!is.null(weight) && (!is_plain_number(weight) || any(!is.finite(weight) | weight < 0) ||
                             all(weight == 0))) {
    stop_input("argument", "`weight` must be finite numbers of 0 or more, and not all 0.", call = call)
  }
}

# All pairs of the rankers of a metric.
variance_pairs <- function(paired, level) {
  pairs <- utils::combn(colnames(paired$values), 2L, simplify = FALSE)
  rows <- lapply(pairs, function(pair) {
    values <- training_array(paired)[, pair, , drop = FALSE]
    cbind(a = pair[1L], b = pair[2L], variance_row(values, paired$weight, paired$fold, level))
  })
  do.call(rbind, rows)
}

# Values without repeated trainings count as one training.
training_array <- function(paired) {
  if (!is.null(paired$trainings)) {
    return(paired$trainings)
  }
  array(paired$values, c(dim(paired$values), 1L), c(dimnames(paired$values), list(NULL)))
}

variance_row <- function(values, weight, fold, level) {
  moments <- training_moments(values, weight, fold)
  # A standard error of 0 is right only if all differences are 0.
  unknown <- !moments$zero && has_no_spread(moments$mean, moments$se) || is.na(moments$se)
  interval <- if (unknown) c(NA_real_, NA_real_) else unname(t_interval(moments, 1 - level))
  parts <- moments$parts
  total <- sum(parts)
  data.frame(
    queries = moments$queries, trainings = moments$trainings, difference = moments$mean,
    se = moments$se, df = moments$df, lower = interval[1L], upper = interval[2L],
    p = t_test_p(moments, moments$queries), se_queries = moments$se_queries,
    var_queries = moments$components[["queries"]], var_training = moments$components[["training"]],
    var_rest = moments$components[["rest"]],
    fraction_queries = fraction_of(parts[["queries"]], total),
    fraction_training = fraction_of(parts[["training"]], total),
    fraction_rest = fraction_of(parts[["rest"]], total),
    ms_queries = moments$squares[["queries"]], ms_training = moments$squares[["training"]],
    ms_rest = moments$squares[["rest"]], note = moments$note
  )
}

fraction_of <- function(part, total) if (is.na(total) || total <= 0) NA_real_ else part / total

# The mean difference of two rankers over queries and trainings, its standard error and degrees of freedom.
# `values` is an array queries x 2 rankers x trainings, or a matrix of differences, queries x trainings.
# `weight` and `fold` are by query, or NULL. See the help page of variance_parts() for the formulas.
training_moments <- function(values, weight = NULL, fold = NULL) {
  counts <- if (is.null(weight)) rep(TRUE, dim(values)[1L]) else weight > 0
  values <- query_rows(values, counts)
  weight <- if (is.null(weight)) rep(1, sum(counts)) else weight[counts]
  by_fold <- split(seq_along(weight), joined_strata(fold[counts], length(weight)))
  strata <- lapply(by_fold, function(rows) {
    stratum_moments(query_rows(values, rows), weight[rows], length(by_fold) > 1L)
  })
  size <- vapply(by_fold, function(rows) sum(weight[rows]), 0)
  c(combine_strata(strata, size / sum(size)), zero = all(pair_difference(values) == 0))
}

# Some queries of a matrix or an array.
query_rows <- function(values, rows) {
  if (length(dim(values)) == 3L) values[rows, , , drop = FALSE] else values[rows, , drop = FALSE]
}

# One fold. `queries`, `training` and `rest` are MS / (n S): the contributions to the variance of the mean.
# `summed` as in value_moments().
stratum_moments <- function(values, weight, summed) {
  difference <- pair_difference(values)
  n <- nrow(difference)
  trainings <- ncol(difference)
  by_query <- rowMeans(difference)
  mean <- sum(weight * by_query) / sum(weight)
  effective <- sum(weight)^2 / sum(weight^2)
  queries <- if (n < 2L) NA_real_ else {
    corrected_sum((weight * (by_query - mean))^2, weight, summed) / sum(weight)^2
  }
  apart <- if (length(dim(values)) == 3L) list(values[, 1L, ], values[, 2L, ]) else list(values)
  apart <- lapply(apart, matrix, n)
  found <- lapply(apart, training_squares, weight, summed)
  training <- vapply(found, `[[`, 0, "training")
  rest <- vapply(found, `[[`, 0, "rest")
  squares <- queries^2 / (effective - 1) +
    sum(training^2) / (trainings - 1) + sum(rest^2) / ((trainings - 1) * (effective - 1))
  total_variance(list(n = n, effective = effective, trainings = trainings, mean = mean, queries = queries,
                      training = sum(training), rest = sum(rest)), squares)
}

pair_difference <- function(values) {
  if (length(dim(values)) != 3L) {
    return(values)
  }
  difference <- snapped_difference(values[, 1L, ], values[, 2L, ])
  matrix(difference, dim(values)[1L])
}

# Mean squares of trainings and residual, of one ranker or of differences, in units of the variance of the mean.
training_squares <- function(values, weight, summed) {
  n <- nrow(values)
  trainings <- ncol(values)
  if (trainings < 2L || n < 2L) {
    return(c(training = NA_real_, rest = NA_real_))
  }
  by_training <- colSums(weight * values) / sum(weight)
  residual <- values - rowMeans(values) - rep(by_training - mean(by_training), each = n)
  # If the seed has no effect, the residuals are only rounding noise, which becomes 0.
  residual[abs(residual) < snap_tolerance * max(abs(values))] <- 0
  c(training = stats::var(by_training) / trainings,
    rest = corrected_sum(weight^2 * rowSums(residual^2), weight, summed) /
      ((trainings - 1) * trainings * sum(weight)^2))
}

# Adds the variance of the mean, and its square divided by its degrees of freedom.
total_variance <- function(stratum, squares) {
  if (is.na(stratum$training)) {
    return(with_variance(stratum, stratum$queries, stratum$queries^2 / (stratum$effective - 1)))
  }
  total <- stratum$queries + stratum$training - stratum$rest
  if (total > 0 || stratum$queries + stratum$training == 0) {
    return(with_variance(stratum, max(total, 0), squares))
  }
  larger_square(stratum)
}

# The larger mean square as the variance, for a residual that is about as large as both mean squares.
larger_square <- function(stratum) {
  df <- if (stratum$training > stratum$queries) stratum$trainings - 1 else stratum$effective - 1
  variance <- max(stratum$training, stratum$queries)
  with_variance(stratum, variance, variance^2 / df, "the larger of two mean squares")
}

with_variance <- function(stratum, variance, squares, note = "") {
  replace(stratum, c("variance", "squares", "note"), list(variance, squares, note))
}

# Folds are independent, because each has its own queries and trainings. `fraction` is the fraction of
# queries, by weight.
combine_strata <- function(strata, fraction) {
  of <- function(name) vapply(strata, `[[`, numeric(1), name)
  total <- sum_of_strata(strata, fraction)
  # A difference of mean squares near 0 has fewer than one degree of freedom, and no interval.
  if (isTRUE(total$df < 1) && !anyNA(of("training"))) {
    strata <- lapply(strata, larger_square)
    total <- sum_of_strata(strata, fraction)
  }
  over <- of("effective") * of("trainings")
  rest <- of("rest")
  known <- !anyNA(rest)
  raw <- c(queries = sum(fraction^2 * (of("queries") - if (known) rest else 0)),
           training = sum(fraction^2 * (of("training") - rest)), rest = sum(fraction^2 * rest))
  components <- c(
    queries = sum(fraction * of("effective") * (of("queries") - if (known) rest else 0)),
    training = sum(fraction * of("trainings") * (of("training") - rest)),
    rest = sum(fraction * over * rest)
  )
  negative <- known & any(components[c("queries", "training")] < 0, na.rm = TRUE)
  list(mean = sum(fraction * of("mean")), se = sqrt(total$variance), df = total$df,
       se_queries = sqrt(sum(fraction^2 * of("queries"))),
       queries = sum(of("n")), trainings = max(of("trainings")),
       components = pmax(components, 0), parts = pmax(raw, 0),
       squares = c(queries = sum(fraction * over * of("queries")),
                   training = sum(fraction * over * of("training")),
                   rest = sum(fraction * over * rest)),
       note = variance_note(strata, negative, total$variance))
}

# The variance of the mean over all folds, and its degrees of freedom.
sum_of_strata <- function(strata, fraction) {
  of <- function(name) vapply(strata, `[[`, numeric(1), name)
  variance <- sum(fraction^2 * of("variance"))
  df <- if (is.na(variance)) NA_real_ else if (variance == 0) sum(of("effective") - 1) else {
    variance^2 / sum(fraction^4 * of("squares"))
  }
  list(variance = variance, df = df)
}

variance_note <- function(strata, negative, variance) {
  trainings <- strata[[1L]]$trainings
  notes <- c(
    if (trainings == 1L) "training variance cannot be estimated from one training",
    if (is.na(variance)) "one query",
    if (any(nzchar(vapply(strata, `[[`, "", "note")))) "se from the larger of two mean squares",
    if (negative) "a negative variance component is set to 0"
  )
  paste(notes, collapse = ", ")
}

#' @export
tidy.rankmix_variance <- function(x, ...) x$pairs

#' @export
print.rankmix_variance <- function(x, ...) {
  pairs <- x$pairs
  if (!is.null(pairs$metric)) pairs <- pairs[pairs$metric == pairs$metric[1L], ]
  trainings <- max(pairs$trainings)
  say(sprintf("<rankmix_variance> %s, %s%s", counted(pairs$queries[1L], "query", "queries"),
              counted(trainings, "training"),
              if (is.null(pairs$metric)) "" else sprintf("; %s", pairs$metric[1L])))
  if (trainings == 1L) {
    say("Training variance cannot be estimated from one training.",
        if (is.null(pairs$metric)) "" else " See `repeats` of `benchmark_rankers()`.")
  }
  shown <- utils::head(pairs, 10L)
  say(variance_lines(shown))
  if (nrow(pairs) > nrow(shown)) say(sprintf("... and %d more pairs", nrow(pairs) - nrow(shown)))
  more <- length(unique(x$pairs$metric)) - 1L
  if (more > 0L) say(sprintf("%s in `tidy()`", counted(more, "more metric")))
  invisible(x)
}

variance_lines <- function(pairs) {
  who <- if (is.null(pairs$a)) "mean" else paste(pairs$a, "-", pairs$b)
  interval <- ifelse(is.na(pairs$lower), "[no interval]",
                     sprintf("[%+.4f, %+.4f]", pairs$lower, pairs$upper))
  df <- ifelse(is.na(pairs$se), "", sprintf(", se %.4f (df %.1f)", pairs$se, pairs$df))
  percent <- function(x) sprintf("%.0f %%", 100 * x)
  parts <- ifelse(is.na(pairs$fraction_training), "", sprintf(
    "\n  variance of the mean: queries %s, training %s, rest %s", percent(pairs$fraction_queries),
    percent(pairs$fraction_training), percent(pairs$fraction_rest)
  ))
  note <- ifelse(nzchar(pairs$note) & pairs$trainings > 1L, paste0("\n  ", pairs$note), "")
  lines <- sprintf("%s: %+.4f %s%s%s%s", who, pairs$difference, interval, df, parts, note)
  unlist(strsplit(lines, "\n", fixed = TRUE))
}
