#' How many queries are needed?
#'
#' Computes the smallest number of test queries with which a comparison finds a given difference. Use it before
#' documents are judged, and after an undecided comparison.
#'
#' @param difference The smallest mean difference of the metric that matters, above 0, such as 0.02 for NDCG.
#'   For `"interval"`, half the width of the interval. For `"anova"`, the difference of the best and
#'   the worst ranker.
#' @param sd The standard deviation of the differences of two rankers over queries. Give `sd` or `pilot`.
#' @param pilot Earlier results with the metric, from which the standard deviation is estimated. A comparison,
#'   an evaluation of several rankers, a matrix of queries x rankers, or a vector of differences of two
#'   rankers. Several pilots can be given as a list, and are pooled.
#' @param power The probability of finding the difference, between `level` and 1; default 0.8. Larger values
#'   need more queries. Not used by `"interval"`.
#' @param level The significance level, from 1e-6 to 0.5; default 0.05.
#' @param test The test to plan:
#'   * `"t"` (the default): the paired t test. Sign flips need nearly the same number;
#'   * `"anova"`: one test of all `rankers`;
#'   * `"interval"`: an interval with a given width in place of a test;
#'   * `"simulate"`: the test itself, on differences drawn from a pilot. Use it for many ties.
#' @param rankers Number of rankers; default 2.
#' @param pairs Number of pairs of rankers that share `level`; by default all pairs of the rankers. Use
#'   `rankers - 1` for comparisons with a control. Not used by `"anova"`.
#' @param metric The name of the metric of a pilot; by default its first metric.
#' @param upper_limit Whether the 80 % upper limit of the variance of the pilot is used in place of the
#'   estimate. By default `TRUE` for pilots with at most 100 queries. With `FALSE`, the number of queries is lower, but
#'   too low for half of all pilots.
#' @param design The analysis of variance: `"two-way"` (the default, rankers and queries) or `"one-way"`
#'   (different queries for each ranker).
#' @param shift The queries whose differences are shifted so that the mean of the pilot is `difference`: `"all"`
#' (the default), or only the `"changed"` queries, whose difference in the pilot is not 0.
#' @param simulated The simulated test: `"t"` (the default) or `"randomization"` (sign flips, slower).
#' @param draws Number of simulated comparisons for each number of queries; default 2000. More give a smaller
#'   Monte Carlo error.
#' @param seed The seed of the simulation. By default R's generator draws one.
#' @param machine A result of [evaluate_ppi()] of two or more rankers, in place of `sd` and `pilot`. The result
#' is then the number of queries that humans should grade. All queries have machine grades.
#' @param machine_queries Number of queries with machine grades; by default the queries of `machine`.
#' @param ... Not used. Arguments for "observed power" are refused.
#'
#' @return A value of class `rankmix_queries_needed`. `queries` is the number of queries, `power` their power,
#'   and `mc_error` the standard error of a simulated power. `sd` and `level` are the values after the upper limit and
#'   the division by `pairs`. `pilot` describes the pilot. `tidy()` returns one row. [autoplot.rankmix_queries_needed()]
#'   draws the power against the number of queries.
#' @examples
#' queries_needed(0.02, sd = 0.1)
#' # From a pilot.
#' data <- read_letor(system.file("extdata", "test.txt.gz", package = "rankmix"))
#' compared <- compare_rankers(first = data$x[, 1], second = data$x[, 2], data = data,
#'                             metric = "ndcg@10", resamples = 1000, seed = 1)
#' queries_needed(0.05, pilot = compared)
#' queries_needed(0.05, pilot = compared, test = "simulate", draws = 500, seed = 1)
#'
#' @details
#' n is the number of queries, \eqn{\sigma}{sigma} the standard deviation `sd`, D the `difference`,
#' \eqn{\alpha}{alpha} is `level` / `pairs`.
#'
#' **t.** The smallest n whose power is at least `power`, see [power_of()]. The noncentrality is
#' \eqn{\sqrt n D / \sigma}{sqrt(n) D / sigma}, with n - 1 degrees of freedom. For several pairs, this is the
#' power for one pair. For Holm's method and joint sign flips, it is a lower bound.
#'
#' **anova.** The smallest n for which the F test of k rankers has the power. Two rankers differ by D, and
#' the others are in the middle. Then \eqn{\lambda = n D^2 / \sigma^2}{lambda = n D^2 / sigma^2}, because
#' \eqn{\sigma^2}{sigma^2} is twice the residual variance. The denominator has (k - 1)(n - 1) degrees of
#' freedom (two-way) or k(n - 1) (one-way).
#'
#' **interval.** The smallest n for which the expected half width \eqn{t_{1 - \alpha / 2} E(s) / \sqrt
#' n}{t E(s) / sqrt(n)} is at most D. The expected standard deviation is \eqn{E(s) = \sigma \sqrt{2 / (n - 1)}
#' \Gamma(n / 2) / \Gamma((n - 1) / 2)}{E(s) = sigma sqrt(2 / (n - 1)) gamma(n / 2) / gamma((n - 1) / 2)}.
#'
#' **simulate.** n differences of the pilot are drawn with replacement, and shifted to the mean D. Deviations from the
#' mean are scaled up to the upper limit of the variance. The fraction of significant draws is the power. The same seed
#' is used for every n. The true power is within about two `mc_error` of the result.
#'
#' **Pilots.** The variance of several pilots is \eqn{\sum \phi V / \sum \phi}{sum(phi V) / sum(phi)} with
#' variances V and degrees of freedom \eqn{\phi}{phi}. For k rankers V is the mean over their pairs, and
#' \eqn{\phi}{phi} is k - 1 times the degrees of freedom of a pair. The 80 % upper limit is \eqn{\phi V / \chi^2_{0.2,
#' \phi}}{phi V / qchisq(0.2, phi)}, with the degrees of freedom of one pair. A variance from 20 queries
#' may be off by a factor of 2. With many ties, the limit is below the true variance in up to 40 % of pilots. Folds give
#' the variance within folds. With weights of queries, the effective number of queries is planned, and its ratio to n
#' is as in the pilot.
#'
#' **machine.** The standard error with n human queries is \eqn{\sqrt{\sigma_e^2 / n + \sigma_f^2 / N}}{sqrt(
#' sigma_e^2 / n + sigma_f^2 / N)}, see [evaluate_ppi()]. \eqn{\sigma_e}{sigma_e} is the standard deviation that
#' machine values do not explain. \eqn{\sigma_f}{sigma_f} is the standard deviation that they explain. N is
#' `machine_queries`. There are n - 2 degrees of freedom. Both variances are means over the pairs.
#'
#' **Undefined cases.** More than a billion queries are an error. The observed difference of a pilot is
#' not used, see "No observed power" in [power_of()].
#'
#' @section Conditions:
#' * `rankmix_error_argument`: a missing or negative difference; none or several of `sd`, `pilot` and `machine`;
#'   a power that is not between `level` and 1; observed power; too few `machine_queries`.
#' * `rankmix_error_argument`: `"simulate"` without a pilot of two rankers; more than a billion queries; a pilot with
#'   `variance = "queries+training"`.
#' * `rankmix_error_values`: a pilot with equal differences.
#' @references Sakai (2016), Topic set size design, *Information Retrieval Journal* 19,
#'   \doi{10.1007/s10791-015-9273-z}.
#' @seealso [power_of()] and [detectable()] for a given number of queries.
#' @export
queries_needed <- function(difference, sd = NULL, pilot = NULL, power = 0.8, level = 0.05,
                           test = c("t", "anova", "interval", "simulate"), rankers = 2, pairs = NULL,
                           metric = NULL, upper_limit = NULL, design = c("two-way", "one-way"),
                           shift = c("all", "changed"), simulated = c("t", "randomization"), draws = 2000,
                           seed = NULL, machine = NULL, machine_queries = NULL, ...) {
  refuse_observed_power(...)
  check_no_others(...)
  check_given(missing(difference), "difference", remedy_of_difference)
  check_true_difference(difference)
  test <- check_first_choice(test, "test", c("t", "anova", "interval", "simulate"))
  check_significance(level)
  check_power(power, level)
  check_count(rankers, "rankers", min = 2)
  plan <- list(
    difference = difference, target = power, test = test, rankers = rankers,
    pairs = planned_pairs(pairs, rankers, test), overall_level = level,
    design = check_first_choice(design, "design", c("two-way", "one-way")),
    shift = check_first_choice(shift, "shift", c("all", "changed")),
    simulated = check_first_choice(simulated, "simulated", c("t", "randomization"))
  )
  plan$level <- level / plan$pairs
  plan <- c(plan, planned_spread(sd, pilot, metric, upper_limit, machine, machine_queries, test))
  if (test == "simulate") {
    check_count(draws, "draws", min = 100, max = 1e6)
    return(simulated_plan(plan, draws, check_seed(seed)))
  }
  if (!is.null(machine)) check_enough_machine_queries(plan, rlang::current_env())
  plan$effective <- smallest_count(function(n) reached(plan, n))
  plan$queries <- ceiling(plan$effective / plan$efficiency - 1e-9)
  if (!is.null(machine)) {
    alone <- without_machine(plan)
    plan$machine$human_only <- ceiling(smallest_count(function(n) reached(alone, n)) / plan$efficiency - 1e-9)
  }
  plan$power <- if (test == "interval") NA_real_ else planned_power(plan, plan$effective)
  plan$mc_error <- NA_real_
  structure(plan, class = "rankmix_queries_needed")
}

planned_pairs <- function(pairs, rankers, test, call = rlang::caller_env()) {
  if (test == "anova") {
    if (!is.null(pairs)) {
      stop_input("argument", "`pairs` cannot be used with `test = \"anova\"`.",
                 "The analysis of variance tests all rankers at once.", "Give `rankers`.", call = call)
    }
    return(1)
  }
  if (is.null(pairs)) rankers * (rankers - 1) / 2 else check_count(pairs, "pairs", call = call)
}

# The fields `sd`, `efficiency`, `pilot` and `upper_limit` of a plan.
planned_spread <- function(sd, pilot, metric, upper_limit, machine, machine_queries, test,
                           call = rlang::caller_env()) {
  given <- c("sd", "pilot", "machine")[!c(is.null(sd), is.null(pilot), is.null(machine))]
  if (length(given) != 1L) {
    stop_input("argument", if (length(given) == 0L) "None of `sd`, `pilot` and `machine` is given." else {
      sprintf("%s are given together.", enumerate(given))
    }, remedy = paste("Give the standard deviation of differences as `sd`, earlier results as `pilot`, or",
                      "an `evaluate_ppi()` as `machine`."), call = call)
  }
  if (!is.null(upper_limit)) check_flag(upper_limit, "upper_limit", call = call)
  if (!is.null(machine)) {
    return(machine_spread(machine, machine_queries, metric, upper_limit, test, call))
  }
  if (!is.null(sd)) {
    check_number(sd, "sd", 0, Inf, open_min = TRUE, call = call)
    return(list(sd = sd, efficiency = 1, upper_limit = FALSE))
  }
  pooled <- pooled_pilots(pilot, metric, call)
  planned <- planned_variance(pooled, upper_limit)
  list(sd = sqrt(planned$variance), efficiency = pooled$efficiency, upper_limit = planned$upper_limit,
       factor = planned$factor, pilot = pooled)
}

# Whether n effective queries suffice.
reached <- function(plan, n) {
  if (plan$test == "interval") {
    return(planned_half_width(plan, n) <= plan$difference)
  }
  planned_power(plan, n) >= plan$target
}

planned_power <- function(plan, n) {
  switch(plan$test,
         t = t_power(sqrt(n) * plan$difference / planned_sd(plan, n), planned_df(plan, n), plan$level),
         anova = anova_power(n, plan))
}

anova_power <- function(n, plan) {
  k <- plan$rankers
  df <- if (plan$design == "two-way") (k - 1) * (n - 1) else k * (n - 1)
  critical <- stats::qf(1 - plan$level, k - 1, df)
  stats::pf(critical, k - 1, df, n * plan$difference^2 / plan$sd^2, lower.tail = FALSE)
}

# Half of the expected width of the interval of `df` degrees of freedom.
expected_half_width <- function(n, sd, level, df = n - 1) {
  used <- pmax(df, 1)
  expected <- sd * sqrt(2 / used) * exp(lgamma((used + 1) / 2) - lgamma(used / 2))
  ifelse(df < 1, Inf, stats::qt(1 - level / 2, used) * expected / sqrt(n))
}

planned_half_width <- function(plan, n) {
  expected_half_width(n, planned_sd(plan, n), plan$level, planned_df(plan, n))
}

# The smallest whole number, at least 2, from which on `enough` is TRUE.
smallest_count <- function(enough, start = 2, call = rlang::caller_env()) {
  high <- max(2, start)
  low <- 1
  while (!enough(high)) {
    if (high > max_planned_queries) {
      stop_input("argument", "More than a billion queries would be needed.",
                 remedy = "Give a larger `difference`.", call = call)
    }
    low <- high
    high <- 2 * high
  }
  while (high - low > 1) {
    middle <- floor((low + high) / 2)
    if (enough(middle)) high <- middle else low <- middle
  }
  high
}

max_planned_queries <- 1e9

#' @export
tidy.rankmix_queries_needed <- function(x, ...) {
  data.frame(test = x$test, queries = x$queries, difference = x$difference, sd = x$sd, power = x$power,
             mc_error = x$mc_error, level = x$level, pairs = x$pairs, rankers = x$rankers)
}

#' @export
print.rankmix_queries_needed <- function(x, ...) {
  say("<rankmix_queries_needed> ", counted(x$queries, "query", "queries"))
  level <- paste0("level ", plain_number(signif(x$level, 3)),
                  if (x$pairs > 1) sprintf(" (%s over %s pairs)", plain_number(x$overall_level), x$pairs))
  difference <- plain_number(signif(x$difference, 3))
  say(if (x$test == "interval") {
    sprintf("half width of the interval: %s expected, at %s", difference, level)
  } else {
    sprintf("difference of %s: found with %.1f %%%s power by %s, at %s", difference, 100 * x$power,
            if (is.na(x$mc_error)) "" else sprintf(" (+- %.1f %%)", 100 * x$mc_error), planned_test(x), level)
  })
  if (is.null(x$machine)) {
    say("sd of differences: ", plain_number(signif(x$sd, 3)), pilot_words(x))
  } else {
    say(machine_words(x))
  }
  invisible(x)
}

planned_test <- function(x) {
  switch(x$test, t = "a paired t test",
         anova = sprintf("%s analysis of variance of %d rankers", x$design, x$rankers),
         simulate = paste("simulated", c(t = "t tests", randomization = "sign flips")[[x$simulated]]))
}

# "; 80 % upper limit from 20 queries, estimate 0.21".
pilot_words <- function(x) {
  if (is.null(x$pilot)) {
    return("")
  }
  from <- paste0(counted(x$pilot$queries, "query", "queries"),
                 if (x$pilot$collections > 1L) sprintf(" of %d pilots", x$pilot$collections))
  if (x$upper_limit) {
    sprintf(", 80 %% upper limit from %s, estimate %s", from, plain_number(signif(sqrt(x$pilot$variance), 3)))
  } else {
    paste(", estimate from", from)
  }
}
