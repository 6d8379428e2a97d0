#' Are two rankers practically equivalent?
#'
#' Tests whether rankers differ by less than a margin, and whether one is worse than another by less than a margin. Use
#' it if a cheaper ranker may replace a better one. A large p-value of [compare_rankers()] does not show that two
#' rankers are equal. This test can show that they are equivalent.
#'
#' @param x The comparison, made by [compare_rankers()].
#' @param margin The largest difference of the metric that does not matter in practice, above 0. There is no
#'   default. Choose the margin before you see the data, such as 0.01 for NDCG. With `relative = TRUE` it is
#'   a fraction of the mean of `b`, between 0 and 1.
#' @param relative Whether the margin is relative to the mean of ranker `b`; default `FALSE`. Choose
#'   `control` in [compare_rankers()] to make one ranker `b` in every pair.
#' @param prior The prior of the three probabilities. `"reference"` (the default) has a closed form.
#'   `"bootstrap"` is the Bayesian bootstrap, without a normal distribution, for few or skewed differences.
#' @param metric The names of the metrics; by default all metrics of the comparison.
#' @param level The significance level of all verdicts; by default the level of the comparison.
#' @param method The test: `"t"` (the default) or `"flips"` (sign flips). Sign flips are exact for symmetric
#'   differences, and slower.
#'
#' @return A value of class `rankmix_equivalence` with `pairs` and `settings`. `tidy()` returns `pairs`, a
#'   data frame with a row for each metric and pair of rankers `a` and `b`:
#'   * `difference`: the mean of a minus the mean of b. `ties` is the fraction of queries without a
#'     difference;
#'   * `tost_lower`, `tost_upper`: the 1 - 2 `level` interval of the difference, or of the relative
#'     difference. The interval is not adjusted for the number of pairs;
#'   * `relative_difference`: the mean of a divided by the mean of b, minus 1. `NA` unless `relative`;
#'   * `p_noninferior`: the p-value against "a is worse than b by the margin or more";
#'   * `p_equivalent`: the p-value against "a and b differ by the margin or more";
#'   * `p_noninferior_adjusted`, `p_equivalent_adjusted`: the same, adjusted for the number of pairs;
#'   * `p_difference`: the p-value of the comparison that decides about better and worse;
#'   * `prob_worse`, `prob_rope`, `prob_better`: the posterior probabilities that a is worse by more than
#'     the margin, within the margin, or better by more than the margin;
#'   * `bayes_factor`: the evidence for a difference, divided by the evidence for no difference;
#'   * `verdict`: see Details. `note` warns if fewer than 15 queries differ.
#'
#'   [autoplot.rankmix_equivalence()] draws the intervals and the margin.
#' @examples
#' data <- read_letor(system.file("extdata", "test.txt.gz", package = "rankmix"))
#' compared <- compare_rankers(first = data$x[, 1], second = data$x[, 2], third = data$x[, 3],
#'                             data = data, metric = "ndcg@10", resamples = 1000, seed = 1)
#' equivalence(compared, margin = 0.05)
#' tidy(equivalence(compared, margin = 0.1, relative = TRUE))$verdict
#'
#' @details
#' **Verdicts.** `"better"` and `"worse"` are the decisions of the comparison: its adjusted p-value is at
#' most `level`. `"equivalent"` means that `p_equivalent_adjusted` is at most `level`. Both together are
#' `"better, but practically equivalent"` or `"worse, but practically equivalent"`. If neither condition
#' holds, the verdict is `"undecided"`. Then more queries are needed, see [queries_needed()].
#'
#' **Tests.** \eqn{m} is the mean difference, \eqn{s} its standard error, \eqn{M} the margin. The two
#' one-sided tests are \eqn{p_L = \Pr(T \ge (m + M) / s)}{p_L = Pr(T >= (m + M) / s)} and
#' \eqn{p_U = \Pr(T \le (m - M) / s)}{p_U = Pr(T <= (m - M) / s)}. T has Student's distribution.
#' `p_noninferior` is \eqn{p_L}, and `p_equivalent` is the larger of both. The standard error and the degrees of freedom
#' are as in [compare_rankers()], with folds and weights. `p_equivalent` is at most `level` if and only if the 1 - 2
#' `level` interval is between -M and M.
#'
#' With `method = "flips"` the p-values come from one-sided sign flips of \eqn{d_q + M} and \eqn{M - d_q}.
#' The interval is the inverted test, as in [compare_rankers()].
#'
#' **Relative margin.** For a relative margin r, the differences are \eqn{v_a - (1 - r) v_b} and \eqn{v_a -
#' (1 + r) v_b}. So the test does not compute a ratio. The interval is Fieller's interval of the ratio of
#' the means, minus 1. This interval is always based on Student's t, with the degrees of freedom of the
#' difference. An unbounded interval is `NA`.
#'
#' **Several pairs.** The p-values are adjusted by Holm over the pairs of a metric, or by Benjamini and Hochberg for
#' comparisons with `adjust = "BH"`. They are not adjusted for `adjust = "none"`.
#'
#' **Posterior.** With `prior = "reference"` (1 / sigma), \eqn{(\delta - m) / s}{(delta - m) / s} has the
#' distribution of T. So `prob_worse` equals \eqn{p_L} of the t test. With `prior = "bootstrap"` the queries
#' have Dirichlet weights, with as many draws as the comparison has resamples. `bayes_factor` has a
#' Cauchy prior of the effect size with scale 0.707.
#'
#' **Ties and undefined cases.** Metrics with many ties make equivalence easy to show, because the spread
#' is small. With few queries that differ, the spread is often underestimated. In simulations, the true
#' difference was equal to the margin, and 85 % of queries were ties. Tests at level 5 % found equivalence
#' in 19 % of the cases with 20 queries, and in 8 % with 200 queries. `print()` shows the fraction of ties.
#' With one query, p-values are 1 and probabilities are `NA`. If all differences are equal, their mean
#' decides: the p-value is \eqn{2^{-n}}{2^-n} if the mean is within the margin, else 1, as for sign flips.
#'
#' @section Conditions:
#' * `rankmix_error_argument`: a margin that is missing or not positive; a relative margin of 1 or more;
#'   an unknown metric, prior or method; no comparison. Also a relative margin, sign flips or the bootstrap for a
#'   comparison with `variance = "queries+training"`.
#' * `rankmix_error_values`: a relative margin of a ranker whose mean is not positive.
#' @section Cost: 3 ms a pair. With `method = "flips"` 0.3 s a pair for 300 queries and 10,000 resamples,
#'   mostly for the interval.
#' @references Schuirmann (1987), \doi{10.1007/BF01068419}. Benavoli, Corani, Demsar and Zaffalon (2017),
#'   Time for a change, *Journal of Machine Learning Research* 18. Rubin (1981),
#'   \doi{10.1214/aos/1176345338}. Rouder et al. (2009), \doi{10.3758/PBR.16.2.225}.
#' @seealso [queries_needed()] for the number of queries.
#' @export
equivalence <- function(x, margin, relative = FALSE, prior = c("reference", "bootstrap"), metric = NULL,
                        level = NULL, method = c("t", "flips")) {
  check_comparison(x)
  check_flag(relative, "relative")
  check_margin(!missing(margin), if (!missing(margin)) margin, relative)
  prior <- check_first_choice(prior, "prior", c("reference", "bootstrap"))
  method <- check_first_choice(method, "method", c("t", "flips"))
  check_margin_variance(x$settings$variance, relative, prior, method)
  if (is.null(level)) level <- x$settings$level
  check_significance(level)
  metrics <- chosen_names(metric, "metric", names(x$values))
  settings <- utils::modifyList(x$settings, list(
    margin = margin, relative_margin = relative, prior = prior, margin_method = method,
    level = level
  ))
  pairs <- lapply(stats::setNames(metrics, metrics), function(name) {
    own <- x$pairs[x$pairs$metric == name, names(x$pairs) != "metric"]
    own <- add_equivalence(own, x$values[[name]], settings)
    own$p_difference <- own$p_adjusted
    own$verdict <- verdict_of(own, settings)
    own$note <- margin_notes(own)
    own[c("a", "b", "queries", "difference", "ties", equivalence_columns)]
  })
  structure(list(pairs = bind_named(pairs, "metric"), settings = settings),
            class = "rankmix_equivalence")
}

equivalence_columns <- c("margin", "relative_difference", "tost_lower", "tost_upper", "p_noninferior",
                         "p_noninferior_adjusted", "p_equivalent", "p_equivalent_adjusted",
                         "p_difference", "prob_worse", "prob_rope", "prob_better", "bayes_factor",
                         "verdict", "note")

# The spread of few differences that are not 0 is often underestimated. Below this number of them the error
# of the tests is above the level by about a third or more (bench/power.md).
few_differences <- 15

margin_notes <- function(pairs) {
  changed <- round((1 - pairs$ties) * pairs$queries)
  ifelse(changed >= few_differences, "",
         ifelse(pairs$queries == 1, "one query", sprintf("only %d queries differ", changed)))
}

# Only t tests of an absolute margin include the variance between trainings.
check_margin_variance <- function(variance, relative, prior, method, call = rlang::caller_env()) {
  if (variance == "queries") {
    return(invisible())
  }
  given <- c(`relative = TRUE` = relative, `method = "flips"` = method == "flips",
             `prior = "bootstrap"` = prior == "bootstrap")
  if (any(given)) {
    stop_input("argument", sprintf("`%s` uses the variance of queries only.", names(given)[given][1L]),
               "The comparison has `variance = \"queries+training\"`.",
               "Leave out this argument, or compare with `variance = \"queries\"`.", call = call)
  }
}

check_comparison <- function(x, call = rlang::caller_env()) {
  check_given(rlang::is_missing(x), "x", "Give a comparison made by `compare_rankers()`.", call = call)
  check_class(x, "x", "rankmix_comparison", "`compare_rankers()`", call = call)
}

# compare_rankers() may call this, too, because `margin` has no default.
check_margin <- function(given, margin, relative, call = rlang::caller_env()) {
  check_given(!given, "margin",
              "Choose the largest difference that does not matter, before you see the data.", call = call)
  check_number(margin, if (relative) "a relative `margin`" else "margin", 0, if (relative) 1 else Inf,
               open_min = TRUE, call = call)
  if (relative && margin == 1) {
    stop_input("argument", "A relative `margin` must be below 1.",
               remedy = "Write 0.05 for 5 % of the mean of `b`.", call = call)
  }
  margin
}

# The chosen names, which must be known; all names for NULL.
chosen_names <- function(names, what, known, call = rlang::caller_env()) {
  if (is.null(names)) {
    return(known)
  }
  if (inherits(names, "rankmix_metric")) names <- format(names)
  if (!is.character(names) || length(names) == 0L || !all(names %in% known)) {
    odd <- if (is.character(names)) setdiff(names, known)[1L] else names
    stop_input("argument", sprintf("There is no %s %s.", what, show_value(odd)),
               sprintf("The %ss are %s.", what, enumerate(known)), call = call)
  }
  unique(names)
}

#' @export
tidy.rankmix_equivalence <- function(x, ...) x$pairs

#' @export
print.rankmix_equivalence <- function(x, ...) {
  metrics <- unique(x$pairs$metric)
  pairs <- x$pairs[x$pairs$metric == metrics[1L], ]
  shown <- utils::head(pairs, max_printed_pairs)
  say(sprintf("<rankmix_equivalence> %s, %s; margin %s%s",
              counted(nrow(pairs), "pair of rankers", "pairs of rankers"),
              counted(pairs$queries[1L], "query", "queries"), show_margin(x$settings),
              if (nrow(pairs) > 1L) paste0("; ", adjustment_words(x$settings)) else ""))
  values <- paste(show_difference(shown, x$settings), show_interval(shown, x$settings))
  say_pairs(metrics[1L], shown, paste0(if (x$settings$relative_margin) "relative ", "difference"), values,
            shown_verdict(shown, x$settings$level))
  more <- c(if (nrow(pairs) > nrow(shown)) sprintf("%d more pairs", nrow(pairs) - nrow(shown)),
            if (length(metrics) > 1L) counted(length(metrics) - 1L, "more metric"))
  if (length(more) > 0L) say("  ... and ", paste(more, collapse = ", "), ", see `tidy()`")
  say(sprintf("[ ]: %s %% %s interval%s; equivalence needs it within the margin",
              plain_number(100 * (1 - 2 * x$settings$level)),
              if (x$settings$relative_margin) "Fieller" else interval_names[[x$settings$margin_method]],
              if (nrow(pairs) > 1L) " of this pair alone" else ""))
  say(sprintf("ties: %s of the queries; many ties make equivalence easy to show", show_ties(pairs$ties)))
  invisible(x)
}

max_printed_pairs <- 10L

# A pair with the verdict "undecided" may still be non-inferior.
shown_verdict <- function(pairs, level) {
  not_inferior <- pairs$verdict == "undecided" & pairs$p_noninferior_adjusted <= level
  decided <- grepl("equivalent", pairs$verdict) | not_inferior
  # The full words do not fit beside the numbers.
  paste0(sub("practically ", "", pairs$verdict), ifelse(not_inferior, ", but not inferior", ""),
         ifelse(decided & nzchar(pairs$note), paste0(" (", pairs$note, ")"), ""))
}

show_margin <- function(settings, ranker = "the second ranker") {
  if (!settings$relative_margin) {
    return(plain_number(settings$margin))
  }
  sprintf("%s %% of %s", plain_number(100 * settings$margin), ranker)
}

adjustment_words <- function(settings) {
  method <- margin_adjustment(settings)
  if (method == "none") "p not adjusted" else paste("p adjusted by", adjust_names[[method]])
}

show_difference <- function(pairs, settings) {
  if (settings$relative_margin) sprintf("%+.1f %%", 100 * pairs$relative_difference + 0) else {
    sprintf("%+.4f", pairs$difference + 0)
  }
}

show_interval <- function(pairs, settings) {
  text <- if (settings$relative_margin) {
    sprintf("[%+.1f %%, %+.1f %%]", 100 * pairs$tost_lower + 0, 100 * pairs$tost_upper + 0)
  } else {
    sprintf("[%+.4f, %+.4f]", pairs$tost_lower + 0, pairs$tost_upper + 0)
  }
  ifelse(is.na(pairs$tost_lower), "[no interval]", text)
}

show_ties <- function(ties) {
  ends <- round(100 * range(ties))
  if (ends[1L] == ends[2L]) sprintf("%d %%", ends[1L]) else sprintf("%d to %d %%", ends[1L], ends[2L])
}
