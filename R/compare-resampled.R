#' Test a difference over resampled splits
#'
#' Tests the mean difference of two rankers over J random splits of one data set, or over folds, with the
#' corrected variance of Nadeau and Bengio. Use it if only the mean of each split is known. The usual t
#' test over splits rejects too often, because the splits share training queries.
#'
#' @param difference The differences of the means of the two rankers, one number per split.
#' @param train Number of training queries of a split, one number or one per split.
#' @param test Number of test queries of a split, one number or one per split.
#' @param margin The margin, 0 or more; default 0. Rankers whose difference is at most `margin` count as
#' practically equal.
#' @param level The significance level, default 0.05. The interval has the confidence level `1 - level`.
#'
#' @return A data frame of class `rankmix_resampled_t` with one row: `splits`, `difference`, `se`, `df`,
#'   `statistic`, `p`, `lower`, `upper`, `margin`, and the posterior probabilities `p_better` (the
#'   difference is above `margin`), `p_equal` and `p_worse` (it is below `-margin`).
#' @examples
#' # Differences in NDCG@10 of five folds.
#' resampled_t(c(0.02, 0.01, 0.03, -0.005, 0.015), train = 400, test = 100, margin = 0.01)
#'
#' @details The differences \eqn{x_j}{x_j} of J splits have the mean \eqn{\bar x}{mean(x)} and the variance
#'   \eqn{s^2}{s^2}. Then \deqn{t = \bar x / \sqrt{(1 / J + n_{test} / n_{train}) s^2}}{t = mean(x) /
#'   sqrt((1 / J + test / train) s^2)} has J - 1 degrees of freedom. If the sizes differ between splits, the
#'   mean of test / train is used.
#'
#'   The probabilities come from the Bayesian correlated t test (Corani and Benavoli). The posterior of the difference
#'   is a t distribution with J - 1 degrees of freedom around \eqn{\bar x}{mean(x)}, with the standard error above as
#'   its scale. The correlation of splits is test / (test + train).
#'
#'   The correction is a heuristic. If differences are known query by query, [compare_rankers()] has
#'   more power. [variance_parts()] separates queries and trainings.
#'
#'   **Undefined cases.** If all differences are 0, p is 1. If all differences are equal but not 0, p and the
#'   interval are `NA`, because the spread is unknown. If all differences are equal, the probabilities are
#'   `NA`.
#'
#' @section Conditions:
#' * `rankmix_error_argument`: fewer than two differences; differences that are missing or no numbers;
#'   sizes of the wrong length.
#' @references Nadeau and Bengio (2003), \doi{10.1023/A:1024068626366}. Corani and Benavoli (2015),
#'   \doi{10.1007/s10994-015-5486-z}.
#' @export
resampled_t <- function(difference, train, test, margin = 0, level = 0.05) {
  check_given(missing(difference), "difference", "Give the difference of each split.")
  check_given(missing(train), "train", "Give the number of training queries of a split.")
  check_given(missing(test), "test", "Give the number of test queries of a split.")
  check_splits(difference)
  check_split_size(train, "train", length(difference))
  check_split_size(test, "test", length(difference))
  check_number(margin, "margin", 0, Inf)
  check_significance(level)
  splits <- length(difference)
  mean <- mean(difference)
  se <- sqrt((1 / splits + mean(test / train)) * stats::var(difference))
  known <- !has_no_spread(mean, se)
  df <- splits - 1
  half <- stats::qt(1 - level / 2, df) * se
  beyond <- function(limit) if (known) stats::pt((mean - limit) / se, df) else NA_real_
  better <- beyond(margin)
  worse <- 1 - beyond(-margin)
  structure(
    data.frame(
      splits = splits, difference = mean, se = se, df = df,
      statistic = if (known) mean / se else NA_real_,
      p = if (known) 2 * stats::pt(-abs(mean / se), df) else if (all(difference == 0)) 1 else NA_real_,
      lower = if (known) mean - half else NA_real_, upper = if (known) mean + half else NA_real_,
      margin = margin, p_better = better, p_equal = max(0, 1 - better - worse), p_worse = worse
    ),
    class = c("rankmix_resampled_t", "data.frame"), level = level
  )
}

check_splits <- function(difference, call = rlang::caller_env()) {
  if (!is_plain_number(difference) || length(difference) < 2L) {
    stop_input("argument",
               sprintf("`difference` must be two or more numbers, one per split, not %s.",
                       show_value(difference)), call = call)
  }
  bad <- which(!is.finite(difference))[1L]
  if (!is.na(bad)) {
    stop_input("argument", "`difference` must be finite.",
               sprintf("Split %d has %s.", bad, format(difference[bad])), call = call)
  }
}

check_split_size <- function(x, name, splits, call = rlang::caller_env()) {
  if (!is_plain_number(x) || !length(x) %in% c(1L, splits) || any(!is.finite(x) | x <= 0)) {
    stop_input("argument",
               sprintf("`%s` must be a number of queries above 0, or one for each of %d splits, not %s.",
                       name, splits, show_value(x)), call = call)
  }
}

#' @export
print.rankmix_resampled_t <- function(x, ...) {
  # A subset of columns is printed as a plain data frame.
  if (!all(c("difference", "p", "p_equal") %in% names(x)) || nrow(x) != 1L) {
    with_points(print(structure(x, class = "data.frame")))
    return(invisible(x))
  }
  interval <- if (is.na(x$lower)) "[no interval]" else sprintf("[%+.4f, %+.4f]", x$lower, x$upper)
  say(sprintf("<rankmix_resampled_t> %d splits: %+.4f %s, %s (corrected t, df %d)", x$splits,
              x$difference, interval, if (is.na(x$p)) "p unknown" else show_p(x$p), x$df))
  if (!is.na(x$p_better)) {
    margin <- plain_number(x$margin)
    say(if (x$margin == 0) {
      sprintf("Posterior probability of a difference above 0: %.3f", x$p_better)
    } else {
      sprintf("Posterior probabilities: above %s: %.3f; between: %.3f; below -%s: %.3f", margin,
              x$p_better, x$p_equal, margin, x$p_worse)
    })
  }
  invisible(x)
}
