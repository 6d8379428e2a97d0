#' Compare rankers over several data sets
#'
#' Friedman's test of rankers on several data sets, with Nemenyi's critical difference of
#' their mean ranks.
#'
#' @param x Means, one row a data set and one column a ranker, as a matrix or data frame; or
#'   a named list of benchmarks made by [benchmark_rankers()], of comparisons or of
#'   evaluations of the same rankers, one a data set. Of a benchmark, rankers that failed in
#'   a fold are left out.
#' @param metric Of a list the metric to compare by, or its name; by default the first one of
#'   the first data set.
#' @param level The level of the tests.
#'
#' @details On each data set the rankers have ranks 1, 2, ... by decreasing mean; equal ones
#'   share the mean of their ranks. With k rankers and N data sets the mean ranks of two
#'   rankers differ significantly if they are apart by the critical difference
#'   \deqn{q_\alpha \sqrt{\frac{k(k + 1)}{6N}}}{q sqrt(k (k + 1) / (6 N))}
#'   or more, where \eqn{q_\alpha}{q} is the quantile of the studentised range for k groups
#'   and infinite degrees of freedom, over \eqn{\sqrt 2}{sqrt(2)}. The p-value of Friedman's
#'   test is that of [stats::friedman.test()], which corrects for ties; with all ranks
#'   equal it is 1. With few data sets (fewer than about 10) neither test sees much.
#'
#' @return A value of class `rankmix_friedman` with `p`, `statistic`, `critical_difference`,
#'   `ranks` (the mean rank of each ranker), `pairs` (mean ranks of `a` and `b`, their
#'   `difference` and Nemenyi's `p`), and `means`. `tidy()` gives `pairs`; `autoplot()`
#'   draws the critical-difference diagram.
#' @section Conditions: `rankmix_error_argument`: fewer than two rankers or data sets; means
#'   that are missing or no numbers. `rankmix_error_queries`: data sets with different
#'   rankers.
#' @references Demsar (2006), Statistical comparisons of classifiers over multiple data
#'   sets, *Journal of Machine Learning Research* 7, 1-30.
#' @examples
#' means <- rbind(MQ2007 = c(ours = 0.45, trees = 0.44, feature = 0.40),
#'                MQ2008 = c(0.51, 0.50, 0.45), OHSUMED = c(0.46, 0.44, 0.45))
#' compare_over_datasets(means)
#' @export
compare_over_datasets <- function(x, metric = NULL, level = 0.05) {
  check_all_given()
  check_number(level, "level", 1e-6, 0.5)
  means <- if (is.data.frame(x) || is.matrix(x)) as.matrix(x) else dataset_means(x, metric)
  check_means(means)
  friedman_nemenyi(means, level, "data sets")
}

dataset_means <- function(x, metric, call = rlang::caller_env()) {
  if (!is.list(x) || is.object(x)) {
    stop_input("argument",
               sprintf("`x` must be a matrix of means or a list of benchmarks, not %s.",
                       show_value(x)), call = call)
  }
  ranker_names(x, call)
  if (is.null(metric)) {
    metric <- dataset_table(x[[1L]], call)$metric[1L]
  }
  rows <- lapply(x, function(one) one_dataset(one, metric, call))
  rankers <- names(rows[[1L]])
  for (name in names(rows)) {
    if (!setequal(names(rows[[name]]), rankers)) {
      other <- c(setdiff(rankers, names(rows[[name]])), setdiff(names(rows[[name]]), rankers))
      stop_input("queries",
                 sprintf("`%s` and `%s` do not have the same rankers.", names(rows)[1L], name),
                 sprintf("%s is in one only.", enumerate(other)), call = call)
    }
  }
  do.call(rbind, lapply(rows, `[`, rankers))
}

# Means of rankers and metrics; of a benchmark those that did not fail in any fold.
dataset_table <- function(x, call) {
  table <- if (inherits(x, "rankmix_comparison")) {
    x$rankers
  } else if (inherits(x, c("rankmix_benchmark", "rankmix_evaluation"))) {
    summary(x)
  } else {
    stop_input("argument", sprintf("%s is neither a benchmark, a comparison nor an evaluation.",
                                   show_value(x)), call = call)
  }
  if (is.null(table$ranker)) {
    stop_input("argument", "An evaluation of one ranker cannot be compared.", call = call)
  }
  if (inherits(x, "rankmix_benchmark")) table[table$folds == length(x$data), ] else table
}

# The mean of each ranker on a data set.
one_dataset <- function(x, metric, call) {
  table <- dataset_table(x, call)
  wanted <- if (inherits(metric, "rankmix_metric")) format(metric) else metric
  if (length(wanted) != 1L || !wanted %in% table$metric) {
    stop_input("argument", sprintf("There is no metric %s.", enumerate(wanted)),
               sprintf("There are %s.", enumerate(unique(table$metric))), call = call)
  }
  rows <- table[table$metric == wanted, ]
  stats::setNames(rows$mean, rows$ranker)
}

check_means <- function(means, call = rlang::caller_env()) {
  if (!is.numeric(means) || nrow(means) < 2L || ncol(means) < 2L) {
    stop_input("argument", "Two or more rankers on two or more data sets are compared.",
               sprintf("There are %d data sets and %d rankers.", nrow(means), ncol(means)),
               call = call)
  }
  if (!all(is.finite(means))) {
    stop_input("argument", "A mean is missing or infinite.",
               remedy = "Compare rankers that have one on every data set.", call = call)
  }
  if (is.null(colnames(means)) || anyDuplicated(colnames(means))) {
    stop_input("argument", "The columns of the means must have the names of the rankers.",
               call = call)
  }
}

# `means` has a row for each block: data sets, or queries.
friedman_nemenyi <- function(means, level, blocks) {
  ranks <- t(apply(-means, 1L, rank))
  k <- ncol(means)
  n <- nrow(means)
  unit <- sqrt(k * (k + 1) / (6 * n))
  mean_ranks <- colMeans(ranks)
  pairs <- utils::combn(colnames(means), 2L)
  difference <- mean_ranks[pairs[1L, ]] - mean_ranks[pairs[2L, ]]
  # All ranks equal: 0 / 0.
  test <- stats::friedman.test(means)
  equal <- is.nan(test$statistic)
  structure(
    list(
      statistic = if (equal) 0 else unname(test$statistic),
      p = if (equal) 1 else test$p.value,
      critical_difference = stats::qtukey(1 - level, k, Inf) / sqrt(2) * unit,
      ranks = sort(mean_ranks),
      pairs = data.frame(
        a = pairs[1L, ], b = pairs[2L, ], rank_a = unname(mean_ranks[pairs[1L, ]]),
        rank_b = unname(mean_ranks[pairs[2L, ]]), difference = unname(difference),
        p = unname(stats::ptukey(abs(difference) / unit * sqrt(2), k, Inf,
                                 lower.tail = FALSE))
      ),
      means = means, level = level, blocks = blocks
    ),
    class = "rankmix_friedman"
  )
}

#' @export
tidy.rankmix_friedman <- function(x, ...) x$pairs

#' @export
print.rankmix_friedman <- function(x, ...) {
  say(sprintf("<rankmix_friedman> %d rankers on %d %s: Friedman's chi-squared %.2f, %s",
              ncol(x$means), nrow(x$means), x$blocks, x$statistic, show_p(x$p)))
  say("mean rank: ", paste(sprintf("%s %.2f", names(x$ranks), x$ranks), collapse = ", "))
  say(sprintf("Mean ranks %.2f or more apart differ at level %s (Nemenyi).",
              x$critical_difference, plain_number(x$level)))
  invisible(x)
}
