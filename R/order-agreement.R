#' Do two orders of the rankers agree?
#'
#' Computes rank correlations of two orders of the same items. Use it to see whether another metric, other
#' judgements or other queries order the rankers differently. For rankings of documents see
#' [ranking_agreement()].
#'
#' @param x,y The two orders, in one of these forms:
#'   * numeric vectors, such as means of rankers: higher is better. Names are matched;
#'   * names of items, best first, in the form of [rbo()];
#'   * evaluations, comparisons or benchmarks of the same rankers, such as by two sets of judgements.
#'     Matrices, queries x rankers, work too. Rankers are ordered by their means;
#'   * without `y`: an evaluation `x` with two or more metrics. All pairs of metrics are compared.
#'
#'   `x` is the reference of `"tau_ap"`.
#' @param how The measures, by default all: `"tau"`, `"tau_b"`, `"tau_ap"` and `"rbo"`. See Details.
#' @param ties The treatment of ties by `"tau_ap"` and `"rbo"`: `"a"` (the default, the mean over all orders
#'   of tied items), `"b"` (without tied pairs), or, for `"rbo"` alone, `"w"` (a shared rank). See Details and [rbo()].
#' @param p The persistence of `"rbo"`, default 0.9, see [rbo()].
#' @param metric The names of the metrics of evaluations; by default all that `x` and `y` share.
#' @param level The confidence level of the intervals; default 0.95.
#' @param resamples Number of bootstrap samples of the queries, default 2000. More samples make the ends of
#' the intervals more precise.
#' @param seed The seed of the bootstrap; by default drawn from R's generator.
#'
#' @return A value of class `rankmix_order_agreement`. `tidy()` returns a data frame with a row for each pair
#'   of orders and measure:
#'   * `x`, `y`: the orders; `measure`; `items`: number of items (rankers);
#'   * `estimate`: the agreement. `NA` if it is undefined;
#'   * `lower`, `upper`: the interval. `NA` for vectors and for different queries;
#'   * `queries`: number of queries of the bootstrap;
#'   * `residual`: of `"rbo"`, the uncertainty from items that neither list has.
#' @examples
#' order_agreement(c(a = 0.41, b = 0.38, c = 0.35, d = 0.30),
#'                 c(a = 0.22, b = 0.25, c = 0.19, d = 0.17))
#' test <- read_letor(system.file("extdata", "test.txt.gz", package = "rankmix"))
#' rankers <- lapply(c(f1 = 1, f2 = 2, f3 = 3, f4 = 4), function(j) test$x[, j])
#' values <- evaluate(rankers, test, c("ndcg@10", "precision@5"))
#' order_agreement(values, how = c("tau", "tau_ap"), resamples = 500, seed = 1)
#'
#' @details
#' **Measures.** With C concordant and D discordant pairs of n items:
#' * `"tau"`: Kendall's \eqn{(C - D) / {n \choose 2}}{(C - D) / (n (n - 1) / 2)}. Ties count as 0;
#' * `"tau_b"`: \eqn{(C - D)}{(C - D)} divided by the geometric mean of the numbers of pairs that x and y do
#'   not tie;
#' * `"tau_ap"`: the AP correlation \eqn{\frac{2}{n - 1} \sum_{i = 2}^n \frac{C_i}{i - 1} - 1}{2 / (n - 1)
#'   sum_{i = 2}^n C_i / (i - 1) - 1}. \eqn{C_i}{C_i} is the number of items above rank i of y that x ranks
#'   above the item too. Errors at the top have more effect. The measure is not symmetric in x and y;
#' * `"rbo"`: `ext` of [rbo()]. The value is between 0 and 1, and 0.5 does not mean "no agreement".
#'
#' **Ties.** With `ties = "a"`, `"tau_ap"` is averaged over all orders of tied items. With `ties = "b"`, it is
#' the mean of both directions, and is thus symmetric. Tied pairs are then left out as in tau-b. Means are
#' rounded to 12 digits, so that rounding noise breaks no tie.
#'
#' **Intervals.** Queries are drawn with replacement, within folds. Both orders use the same queries. The ends
#' are percentiles, which stay between -1 and 1. Intervals are for the agreement of the orders over many such
#' queries. Resampled orders are noisier than the observed orders. So the intervals are wide if means are close.
#' The intervals mostly cover the true value more often than their level (`bench/agreement.md`).
#'
#' **Undefined cases.** With one item, the agreement is not defined. `"tau_b"`, and `"tau_ap"` with
#' `ties = "b"`, are `NA` if all items of an order are tied. With one query the interval is `NA`. Values of
#' `NA` count as 0, and `NaN` leaves a query out of the metric, as in [compare_rankers()].
#'
#' @section Conditions:
#' * `rankmix_error_argument`: orders of different items, except for `"rbo"`; missing values; repeated names; one
#'   metric without `y`; no common metric; unknown measures; `ties = "w"` with `"tau_ap"`.
#' * `rankmix_error_values` and `rankmix_error_queries`: see [compare_rankers()].
#' @section Cost: O(`resamples` x (queries x rankers + rankers^2)): 1 s for 4 measures of 10 rankers and 2,000
#'   samples.
#' @references Kendall (1938), \doi{10.1093/biomet/30.1-2.81}. Yilmaz, Aslam and Robertson (2008),
#'   \doi{10.1145/1390334.1390435}. Urbano and Marrero (2017), \doi{10.1145/3121050.3121106}. Webber, Moffat
#'   and Zobel (2010), \doi{10.1145/1852102.1852106}.
#' @seealso [reliability()] for the number of queries that an order needs.
#' @export
order_agreement <- function(x, y = NULL, how = c("tau", "tau_b", "tau_ap", "rbo"), ties = "a", p = 0.9,
                            metric = NULL, level = 0.95, resamples = 2000, seed = NULL) {
  check_given(missing(x), "x", "Give means of rankers, names of items, or an evaluation.")
  how <- check_measures(how)
  settings <- agreement_settings(how, ties, p, level)
  settings$resamples <- check_count(resamples, "resamples", min = 100, max = 1e6)
  settings$seed <- check_seed(seed)
  found <- if (is_evaluated(x) || is_evaluated(y)) {
    check_second_order(y)
    agreement_of_means(x, y, metric, settings)
  } else {
    agreement_of_orders(x, y, settings)
  }
  structure(c(found, list(settings = settings)), class = "rankmix_order_agreement")
}

check_measures <- function(how, known = order_measures, call = rlang::caller_env()) {
  if (!is.character(how) || length(how) == 0L) check_choice(how, "how", known, call)
  for (one in how) check_choice(one, "how", known, call)
  unique(how)
}

# Users may give `how` as the second argument.
check_second_order <- function(y, call = rlang::caller_env()) {
  if (rlang::is_character(y) && all(y %in% order_measures)) {
    stop_input("argument", sprintf("`y` must be the second order, not %s.", show_value(y)),
               remedy = "For measures write `how = `.", call = call)
  }
}

agreement_settings <- function(how, ties, p, level, call = rlang::caller_env()) {
  check_choice(ties, "ties", c("a", "b", "w"), call)
  if (ties == "w" && "tau_ap" %in% how) {
    stop_input("argument", "`ties = \"w\"` is not defined for \"tau_ap\".",
               remedy = "Use `how = \"rbo\"`, or `ties = \"a\"`.", call = call)
  }
  check_persistence(p, call)
  check_confidence(level, call)
  list(how = how, ties = ties, p = p, level = level)
}

is_evaluated <- function(x) {
  inherits(x, c("rankmix_comparison", "rankmix_benchmark", "rankmix_evaluation")) || is_value_table(x)
}

# Orders that are given as scores or names ----------------------------------------------------

agreement_of_orders <- function(x, y, settings, call = rlang::caller_env()) {
  if (is.null(y)) {
    stop_input("argument", "`y` is not given.",
               remedy = "Give the second order, or an evaluation by two metrics as `x`.", call = call)
  }
  orders <- matched_orders(x, y, call)
  if (!orders$same && !identical(settings$how, "rbo")) {
    stop_input("argument", "`x` and `y` must have the same items.",
               sprintf("Only one of them has %s.", enumerate(orders$odd)),
               "Use `how = \"rbo\"` for lists of different items.", call = call)
  }
  estimate <- vapply(settings$how, function(one) {
    if (orders$same) agreement_value(orders$x, orders$y, one, settings) else {
      overlap_values(orders$lists[[1L]], orders$lists[[2L]], settings$p, settings$ties)[["ext"]]
    }
  }, 0)
  residual <- ifelse(settings$how == "rbo", overlap_values(orders$lists[[1L]], orders$lists[[2L]], settings$p,
                                                            settings$ties)[["res"]], NA_real_)
  list(values = data.frame(x = "x", y = "y", measure = settings$how, items = orders$items,
                           estimate = unname(estimate), lower = NA_real_, upper = NA_real_,
                           queries = NA_integer_, residual = residual),
       kind = "orders")
}

# Both orders as scores of the same items (`x`, `y`; unless the items differ) and as `lists` of rbo().
matched_orders <- function(x, y, call) {
  if (is_plain_number(x) && is_plain_number(y)) {
    named <- c(!is.null(names(x)), !is.null(names(y)))
    if (!all(named)) {
      check_plain_orders(x, y, named, call)
      names(x) <- names(y) <- if (named[1L]) names(x) else if (named[2L]) names(y) else seq_along(x)
    }
  }
  lists <- list(overlap_list(x, "x", call), overlap_list(y, "y", call))
  at <- match(lists[[1L]]$item, lists[[2L]]$item)
  odd <- c(lists[[1L]]$item[is.na(at)], setdiff(lists[[2L]]$item, lists[[1L]]$item))
  list(lists = lists, same = length(odd) == 0L, odd = odd,
       items = length(union(lists[[1L]]$item, lists[[2L]]$item)),
       x = -lists[[1L]]$top, y = -lists[[2L]]$top[at])
}

check_plain_orders <- function(x, y, named, call) {
  if (length(x) != length(y)) {
    stop_input("argument", "`x` and `y` must have the same length, or names.",
               sprintf("They have %d and %d values.", length(x), length(y)), call = call)
  }
  bad <- c(x = anyNA(x), y = anyNA(y))
  if (any(bad)) {
    stop_input("argument", sprintf("`%s` has missing values.", names(bad)[bad][1L]),
               "Leave out the items in `x` and in `y`.", call = call)
  }
}

# One measure of two vectors of scores of the same items.
agreement_value <- function(x, y, measure, settings) {
  switch(measure, tau = kendall_tau(x, y, FALSE), tau_b = kendall_tau(x, y, TRUE),
         tau_ap = tau_ap(x, y, settings$ties),
         rbo = overlap_values(scores_list(x), scores_list(y), settings$p, settings$ties)[["ext"]])
}

# The list of rbo() of items 1, 2, ... with these scores.
scores_list <- function(x) {
  item <- order(-x)
  top <- rank(-x, ties.method = "min")[item]
  list(item = item, top = top, bottom = rank(-x, ties.method = "max")[item])
}

#' @export
tidy.rankmix_order_agreement <- function(x, ...) {
  check_no_others(...)
  x$values
}

#' @export
print.rankmix_order_agreement <- function(x, ...) {
  values <- x$values
  has_queries <- !is.na(values$queries[1L])
  say(sprintf("<rankmix_order_agreement> %s%s", counted(values$items[1L], "item"),
              if (has_queries) paste(",", counted(values$queries[1L], "query", "queries")) else ""))
  shown <- utils::head(values, max_printed_agreements)
  width <- max(getOption("width") - 46L, 20L)
  pair <- if (x$kind == "orders") "" else paste0("  ", shorten_pairs(shown$x, shown$y, width, " and "))
  ends <- ifelse(is.na(shown$lower), "", sprintf(" [%.3f, %.3f]", shown$lower, shown$upper))
  rest <- ifelse(is.na(shown$residual), "", sprintf(" (residual %.3f)", shown$residual))
  say(sprintf("  %s  %s%s%s%s", format(shown$measure), ifelse(is.na(shown$estimate), "undefined", sprintf(
    "%.3f", shown$estimate)), format(ends), rest, pair))
  more <- nrow(values) - nrow(shown)
  if (more > 0L) say(sprintf("  ... and %d more rows, see `tidy()`", more))
  if (any(!is.na(values$lower))) {
    say(sprintf("[ ]: %s %% bootstrap intervals over queries; wide if means are close",
                plain_number(100 * x$settings$level)))
  } else if (x$kind == "judgements") {
    say("No intervals: `x` and `y` have different queries.")
  }
  if ("tau_ap" %in% values$measure) say("tau_ap: the first order is the reference.")
  invisible(x)
}

max_printed_agreements <- 20L
