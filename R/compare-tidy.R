# Comparisons and benchmarks as data frames: tidy(), glance() and augment().

#' Comparisons as data frames
#'
#' `tidy()` returns the parts of a comparison, `glance()` one row for each metric. `augment()` returns a row
#' for each query. Use them to make your own tables and plots, for instance with dplyr and ggplot2.
#'
#' @param x The comparison, made by [compare_rankers()]. For `glance()` also a result of
#'   [compare_over_datasets()]; for `glance()` and `augment()` also a benchmark made by
#'   [benchmark_rankers()].
#' @param what The rows of `tidy()`: `"pairs"` (the default, the tests), `"rankers"` (means), `"folds"` (tests
#'   of each fold) or `"queries"` (a row for each query and ranker).
#' @param ... Must be empty.
#'
#' @return A data frame.
#'
#' `tidy()`: see the columns of [compare_rankers()]. `"queries"` has `metric`, `fold`, `query`, `weight`,
#' `ranker` and `value`. [as_evaluation()] accepts it.
#'
#' `augment()` of a comparison: a row for each metric, pair and query with `value_a`, `value_b` and their
#' `difference`. The columns `fold` and `weight` exist only if the comparison has them. Of a benchmark: a row
#' for each fold, ranker, query and metric with its `value`.
#'
#' `glance()` of a comparison, a row for each metric:
#' * `rankers`, `queries`, `n_effective`, `folds`, `pairs`: numbers;
#' * `best`, `best_mean`: the ranker with the highest mean, and its mean;
#' * `in_set`: number of rankers with `best` in `x$rankers`;
#' * `significant`, `min_p`: number of significant pairs, and the smallest p-value that decides a verdict;
#' * `test`, `combine`, `adjust`, `interval`, `alternative`, `control`, `level`, `resamples`, `seed`: the
#'   settings.
#'
#' `glance()` of a benchmark, a row for each metric: `rankers`, `folds`, `queries`, `best`, `best_mean`,
#' `failed`, `fit_seconds` (in all) and `seed`. `best` is a ranker that failed in no fold.
#'
#' `glance()` of a result of [compare_over_datasets()], one row: `rankers`, `blocks` (number of data sets), `statistic`,
#' `p`, `method`, `critical_difference`, `best` (the ranker with the lowest mean rank), `best_rank`, `significant` and
#' `level`.
#' @examples
#' values <- cbind(bm25 = c(0.3, 0.5, 0.2, 0.6, 0.4, 0.3),
#'                 trees = c(0.4, 0.7, 0.3, 0.8, 0.5, 0.6),
#'                 ridge = c(0.5, 0.7, 0.4, 0.8, 0.6, 0.5))
#' compared <- compare_rankers(values, metric = "ndcg@10", seed = 1)
#' glance(compared)
#' tidy(compared, "rankers")
#' # The queries with the largest differences.
#' differences <- augment(compared)
#' head(differences[order(-abs(differences$difference)), ], 3)
#'
#' @details Differences are rounded to 12 significant digits, as in the tests. Queries that do not count are
#' left out: `NaN` for all rankers, or weight 0. A value `NA` becomes 0, as in the mean. A query of several
#' test folds has one row with its mean value, and no fold.
#'
#' @section Conditions: `rankmix_error_argument`: an unknown value of `what`, or further arguments.
#' @name tidy.rankmix_comparison
#' @export
tidy.rankmix_comparison <- function(x, what = "pairs", ...) {
  check_no_others(...)
  check_choice(what, "what", c("pairs", "rankers", "folds", "queries"))
  if (what == "queries") bind_named(lapply(x$values, tidy_queries), "metric") else x[[what]]
}

# One row for each query and ranker.
tidy_queries <- function(paired) {
  times <- ncol(paired$values)
  rows <- lapply(columns_of_queries(paired), rep, times = times)
  list2DF(c(rows, list(ranker = rep(colnames(paired$values), each = nrow(paired$values)),
                       value = as.vector(paired$values))))
}

# `fold`, `query` and `weight`, without those that the comparison lacks.
columns_of_queries <- function(paired) {
  columns <- paired[c("fold", "query", "weight")]
  columns[!vapply(columns, is.null, NA)]
}

#' @rdname tidy.rankmix_comparison
#' @export
augment.rankmix_comparison <- function(x, ...) {
  check_no_others(...)
  rows <- lapply(seq_len(nrow(x$pairs)), function(i) {
    paired <- x$values[[x$pairs$metric[i]]]
    a <- paired$values[, x$pairs$a[i]]
    b <- paired$values[, x$pairs$b[i]]
    list2DF(c(list(metric = rep(x$pairs$metric[i], length(a)), a = rep(x$pairs$a[i], length(a)),
                   b = rep(x$pairs$b[i], length(a))), columns_of_queries(paired),
              list(value_a = unname(a), value_b = unname(b),
                   difference = unname(snapped_difference(a, b)))))
  })
  do.call(rbind, rows)
}

#' @rdname tidy.rankmix_comparison
#' @export
augment.rankmix_benchmark <- function(x, ...) {
  check_no_others(...)
  structure(as.data.frame(x$results), class = "data.frame", row.names = seq_len(nrow(x$results)))
}

#' @rdname tidy.rankmix_comparison
#' @export
glance.rankmix_comparison <- function(x, ...) {
  check_no_others(...)
  settings <- x$settings
  p <- decisive_p(x)
  verdicts <- pair_verdicts(x)
  rows <- lapply(stats::setNames(nm = names(x$values)), function(metric) {
    rankers <- x$rankers[x$rankers$metric == metric, ]
    own <- x$pairs$metric == metric
    pairs <- x$pairs[own, ]
    top <- which.max(rankers$mean)
    data.frame(
      rankers = nrow(rankers), queries = pairs$queries[1L], n_effective = pairs$n_effective[1L],
      folds = pairs$folds[1L], pairs = nrow(pairs), best = rankers$ranker[top],
      best_mean = rankers$mean[top], in_set = sum(rankers$best), significant = sum(verdicts[own] != 0),
      min_p = min(p[own]), test = settings$test, combine = settings$combine, adjust = settings$adjust,
      interval = x$settings$interval,
      alternative = x$settings$alternative,
      control = if (is.null(x$settings$control)) NA_character_ else x$settings$control,
      level = settings$level, resamples = settings$resamples, seed = settings$seed
    )
  })
  bind_named(rows, "metric")
}

#' @rdname tidy.rankmix_comparison
#' @export
glance.rankmix_benchmark <- function(x, ...) {
  check_no_others(...)
  table <- summary(x)
  rows <- lapply(split_by(table, "metric"), function(own) {
    # The mean of a ranker that failed in a fold is over other queries.
    complete <- own[own$folds == length(x$data), ]
    top <- if (nrow(complete) == 0L) NA_integer_ else which.max(complete$mean)
    data.frame(rankers = length(x$rankers), folds = length(x$data),
               queries = if (nrow(own) > 0L) max(own$queries) else 0L, best = complete$ranker[top],
               best_mean = complete$mean[top], failed = sum(x$runs$status == "failed"),
               fit_seconds = sum(x$runs$fit_seconds, na.rm = TRUE), seed = x$seed)
  })
  bind_named(rows, "metric")
}

#' @rdname tidy.rankmix_comparison
#' @export
glance.rankmix_friedman <- function(x, ...) {
  check_no_others(...)
  data.frame(rankers = ncol(x$means), blocks = nrow(x$means), statistic = x$statistic, p = x$p,
             method = x$method, critical_difference = x$critical_difference, best = names(x$ranks)[1L],
             best_rank = x$ranks[[1L]], significant = sum(x$pairs$p <= x$level), level = x$level)
}
