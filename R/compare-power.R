#' Power of a comparison
#'
#' `power_of()` computes the probability that a comparison finds a true difference. `detectable()` computes
#' the difference that a comparison finds with a given probability. Use them to report which differences a comparison
#' could have found. To plan a comparison, see [queries_needed()].
#'
#' @param x The comparison, made by [compare_rankers()]. Or a number: the standard deviation of the
#'   differences of two rankers over queries.
#' @param difference The true mean difference, above 0: the smallest difference that matters. There is no default.
#'   Choose the difference before you see the data.
#' @param queries The number of queries, or several numbers. By default the queries of the comparison. Must
#'   be given if `x` is a number.
#' @param power The probability of finding the difference, between `level` and 1; default 0.8.
#' @param metric The names of the metrics; by default all metrics of the comparison.
#' @param level The significance level before adjustment; by default the level of the comparison, or 0.05.
#' @param pairs Number of pairs that share the level; by default the pairs of the comparison, or 1.
#' @param ... Not used. Arguments for "observed power" are refused.
#'
#' @return A data frame with a row for each metric, pair of rankers and number of queries. Without a
#'   comparison, the columns `metric`, `a` and `b` are missing.
#'   * `sd`: the standard deviation of the differences;
#'   * `level`: the level of each pair;
#'   * `difference`: the difference that is given, or the detectable difference;
#'   * `power`: the power for this difference;
#'   * `half_width` (`detectable()` only): half the width of the expected 1 - `level` interval of the pair.
#' @examples
#' data <- read_letor(system.file("extdata", "test.txt.gz", package = "rankmix"))
#' compared <- compare_rankers(first = data$x[, 1], second = data$x[, 2], data = data,
#'                             metric = "ndcg@10", resamples = 1000, seed = 1)
#' detectable(compared)
#' power_of(compared, difference = 0.05, queries = c(80, 200, 400))
#' # Without a comparison.
#' detectable(0.2, queries = 100)
#'
#' @details
#' **Formula.** With the standard error s of the mean difference, the t statistic has a noncentral t
#' distribution with noncentrality \eqn{D / s} for the true difference D. The power is
#' \deqn{1 - G(t_{1 - \alpha / 2}) + G(-t_{1 - \alpha / 2}),}{1 - G(t) + G(-t), t = qt(1 - alpha / 2, df),}
#' where G is its distribution function. Sign flips and signed ranks have nearly the same power.
#'
#' **Weights and folds.** The standard error and the degrees of freedom are as in [compare_rankers()].
#' For another number of queries, the standard error is inversely proportional to the square root of this
#' number. The effective number of queries changes in proportion. With `alternative`, the test is one-sided.
#'
#' **Several pairs.** \eqn{\alpha}{alpha} is `level` divided by `pairs` (Bonferroni), unless the comparison
#' has `adjust = "none"`. Holm's method and joint sign flips reject at least as often. So the power is a lower
#' bound for them, and the detectable difference is an upper bound.
#'
#' **The sentence in print().** `print()` of a comparison names the detectable difference for a power of 80 %.
#' For several pairs, this is the median over pairs, at the level of Bonferroni. The sentence then says "about".
#'
#' **No observed power.** The power for the observed difference is a function of the p-value. So it adds no
#' information. A large p-value always gives a small power (Hoenig and Heisey 2001). So `difference` must be a
#' difference that matters, not the observed one.
#'
#' **Undefined cases.** The result is `NA` if the spread of the differences is unknown: with one query, or
#' if all differences are equal. `detectable()` is also `NA` with fewer than two effective queries.
#'
#' @section Conditions: `rankmix_error_argument`: a missing or negative difference; observed power; a number
#'   as `x` without `queries`; a power that is not between `level` and 1; an unknown metric; `queries` for a comparison
#'   with `variance = "queries+training"`.
#' @references Sakai (2016), Topic set size design, *Information Retrieval Journal* 19,
#'   \doi{10.1007/s10791-015-9273-z}. Hoenig and Heisey (2001), \doi{10.1198/000313001300339897}.
#' @seealso [queries_needed()], [equivalence()].
#' @export
power_of <- function(x, queries = NULL, difference, metric = NULL, level = NULL, pairs = NULL, ...) {
  check_power_subject(missing(x))
  refuse_observed_power(...)
  check_no_others(...)
  check_given(missing(difference), "difference", remedy_of_difference)
  check_true_difference(difference)
  designs <- power_designs(x, queries, metric, level, pairs)
  designs$difference <- difference
  designs$power <- design_power(designs, difference)
  power_columns(designs, c("difference", "power"))
}

#' @rdname power_of
#' @export
detectable <- function(x, power = 0.8, queries = NULL, metric = NULL, level = NULL, pairs = NULL, ...) {
  check_power_subject(missing(x))
  refuse_observed_power(...)
  check_no_others(...)
  designs <- power_designs(x, queries, metric, level, pairs)
  check_power(power, max(designs$level))
  designs$difference <- detectable_difference(designs, power)
  designs$power <- ifelse(is.na(designs$difference), NA_real_, power)
  designs$half_width <- ifelse(designs$df < 1, NA_real_,
                               stats::qt(1 - designs$own_level / 2, pmax(designs$df, 1)) * designs$se)
  power_columns(designs, c("difference", "power", "half_width"))
}

# "With 106 queries, differences of 0.031 are found with 80 % power.", for the end of print() of a comparison.
# NULL if it is undefined.
detectable_sentence <- function(x, metric, power = 0.8) {
  found <- detectable(x, power, metric = metric)
  found <- found[!is.na(found$difference), ]
  if (nrow(found) == 0L) {
    return(NULL)
  }
  # The pair with the median difference. If two pairs are in the middle, the larger difference is used.
  difference <- sort(found$difference)[ceiling((nrow(found) + 1) / 2)]
  sprintf("With %s, differences of %s%s are found with %s %% power.",
          counted(found$queries[1L], "query", "queries"), if (nrow(found) > 1L) "about " else "",
          rounded_up(difference), plain_number(100 * power))
}

# Rounds a difference to three decimals, or to two digits if the difference is small. Rounded up, because a
# rounded-down difference would be too optimistic.
rounded_up <- function(x) {
  unit <- if (x >= 0.01) 1e-3 else 10^(floor(log10(x)) - 1)
  plain_number(signif(ceiling(x / unit - 1e-9) * unit, 12))
}

# Designs ------------------------------------------------------------------------------------

# A data frame with a row for each pair and number of queries: `queries`, `sd`, `se`, `df` and `level` (after
# adjustment), `own_level` (before) and `tails`; also `metric`, `a` and `b` of a comparison.
power_designs <- function(x, queries, metric, level, pairs, call = rlang::caller_env()) {
  if (inherits(x, "rankmix_comparison")) {
    return(comparison_designs(x, queries, metric, level, pairs, call))
  }
  if (!is_plain_number(x)) {
    stop_input("argument",
               sprintf("`x` must be a comparison or a standard deviation, not %s.", show_value(x)),
               remedy = "Give the result of `compare_rankers()`, or a number such as 0.2.", call = call)
  }
  check_number(x, "x", 0, Inf, open_min = TRUE, call = call)
  check_given(is.null(queries), "queries", "Give the number of queries.", call = call)
  queries <- check_queries(queries, call)
  level <- planning_level(level, 0.05, call)
  pairs <- if (is.null(pairs)) 1 else check_count(pairs, "pairs", call = call)
  data.frame(queries = queries, sd = x, se = x / sqrt(queries), df = queries - 1, level = level / pairs,
             own_level = level, tails = 2L)
}

comparison_designs <- function(x, queries, metric, level, pairs, call) {
  metrics <- chosen_names(metric, "metric", names(x$values), call)
  level <- planning_level(level, x$settings$level, call)
  if (!is.null(pairs)) check_count(pairs, "pairs", call = call)
  if (!is.null(queries)) {
    queries <- check_queries(queries, call)
    check_planned_variance(x$settings$variance, "queries", call)
  }
  rows <- lapply(metrics, function(name) {
    own <- x$pairs[x$pairs$metric == name, ]
    family <- if (!is.null(pairs)) pairs else if (x$settings$adjust == "none") 1 else nrow(own)
    data.frame(metric = name, pair_designs(own, x$values[[name]], queries), level = level / family,
               own_level = level, tails = tails_of(x$settings))
  })
  do.call(rbind, rows)
}

tails_of <- function(settings) if (settings$alternative == "two.sided") 2L else 1L

# For another number of queries: the standard error shrinks with its root, and the effective number of
# queries changes in proportion. The degrees of freedom plus 1 change in proportion to the number of queries.
pair_designs <- function(pairs, paired, queries) {
  df <- pairs$df
  se <- ifelse(has_no_spread(pairs$difference, pairs$se), NA_real_, pairs$se)
  n <- nrow(paired$values)
  if (is.null(queries)) queries <- n
  at <- rep(seq_len(nrow(pairs)), each = length(queries))
  queries <- rep(queries, nrow(pairs))
  data.frame(a = pairs$a[at], b = pairs$b[at], queries = queries, sd = (se * sqrt(pairs$n_effective))[at],
             se = se[at] * sqrt(n / queries), df = (df[at] + 1) * queries / n - 1)
}

power_columns <- function(designs, names) {
  designs[c(intersect(c("metric", "a", "b"), names(designs)), "queries", "sd", "level", names)]
}

design_power <- function(designs, difference) {
  as.numeric(mapply(t_power, difference / designs$se, designs$df, designs$level, designs$tails))
}

# Most pairs have the same degrees of freedom, so that few noncentralities are searched.
detectable_difference <- function(designs, power) {
  key <- paste(designs$df, designs$level, designs$tails)
  first <- which(!duplicated(key))
  effects <- vapply(first, function(i) {
    detectable_effect(designs$df[i], designs$level[i], designs$tails[i], power)
  }, 0)
  designs$se * effects[match(key, key[first])]
}

# The power as a function of the noncentrality rises from `level` to 1.
detectable_effect <- function(df, level, tails, power) {
  if (is.na(df) || df < 1) {
    return(NA_real_)
  }
  short <- function(effect) t_power(effect, df, level, tails) - power
  far <- 2 * (stats::qt(1 - level / tails, df) + stats::qnorm(power) + 1)
  while (short(far) < 0) far <- 2 * far
  stats::uniroot(short, c(0, far), tol = 1e-10 * far)$root
}

# The t test -----------------------------------------------------------------------------------

# The probability that a t test rejects. `effect` is the noncentrality: the difference in standard
# errors. `tails` is 2 or 1. Without degrees of freedom there is no test.
t_power <- function(effect, df, level, tails = 2L) {
  if (is.na(effect) || is.na(df)) {
    return(NA_real_)
  }
  if (df <= 0) {
    return(0)
  }
  critical <- stats::qt(1 - level / tails, df)
  if (is.infinite(critical)) {
    return(0)
  }
  above <- noncentral_t_above(critical, df, effect)
  if (tails == 2L) above + noncentral_t_above(critical, df, -effect) else above
}

# stats::pt() is inaccurate for a noncentrality above 37.62. For these, the probability is the mean of normal
# probabilities over the quantiles of the standard deviation.
noncentral_t_above <- function(critical, df, effect) {
  if (effect < -37) {
    return(0)
  }
  if (effect <= 37) {
    return(suppressWarnings(stats::pt(critical, df, effect, lower.tail = FALSE)))
  }
  stats::integrate(function(p) stats::pnorm(effect - critical * sqrt(stats::qchisq(p, df) / df)), 0, 1,
                   rel.tol = 1e-6, subdivisions = 1000L, stop.on.error = FALSE)$value
}

# Checks ---------------------------------------------------------------------------------------

remedy_of_difference <- paste("Give the smallest difference that matters. The power for the observed",
                              "difference adds nothing to the p-value.")

check_power_subject <- function(is_missing, call = rlang::caller_env()) {
  check_given(is_missing, "x", "Give the result of `compare_rankers()`, or a standard deviation.",
              call = call)
}

check_true_difference <- function(difference, call = rlang::caller_env()) {
  if (identical(difference, "observed")) stop_observed_power("difference", call)
  check_number(difference, "difference", 0, Inf, open_min = TRUE, call = call)
}

# An error for arguments that request the power of the observed difference, with their names in other tools.
refuse_observed_power <- function(..., call = rlang::caller_env()) {
  asked <- grep("^(observed|post_?hoc|retrospective|achieved)", ...names(), value = TRUE)
  if (length(asked) > 0L) stop_observed_power(asked[1L], call)
}

stop_observed_power <- function(argument, call) {
  stop_input("argument", "There is no power for the observed difference.",
             c(sprintf("`%s` asks for it.", argument),
               "It is a function of the p-value, and small for every large p-value."),
             c("Give `difference`, the smallest difference that matters.",
               "Or report `detectable()`, and the interval of the difference."), call = call)
}

# More queries do not make the variance between trainings smaller.
check_planned_variance <- function(variance, name, call) {
  if (variance != "queries") {
    stop_input("argument", sprintf("`%s` cannot be used for a comparison over queries and trainings.", name),
               "More queries do not reduce the variance between trainings.",
               "Compare with `variance = \"queries\"`, or see `variance_parts()`.", call = call)
  }
}

check_queries <- function(queries, call) {
  good <- is_plain_number(queries) && length(queries) > 0L && all(is.finite(queries)) &&
    all(queries == round(queries) & queries >= 2)
  if (!good) {
    stop_input("argument", sprintf("`queries` must be whole numbers >= 2, not %s.", show_value(queries)),
               call = call)
  }
  as.numeric(queries)
}

planning_level <- function(level, default, call) {
  if (is.null(level)) default else check_significance(level, call)
}

check_power <- function(power, level, call = rlang::caller_env()) {
  check_number(power, "power", 0, 1, open_min = TRUE, call = call)
  if (power <= level || power == 1) {
    stop_input("argument", sprintf("`power` must be above the level %s and below 1, not %s.",
                                   plain_number(signif(level, 6)), plain_number(power)), call = call)
  }
  power
}
