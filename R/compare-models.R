#' What changes if a new model replaces an old one?
#'
#' Compares the rankings of two models: how much of the top changes, which documents move, and which queries
#' lose and gain. Use it before you ship a new model. Judgements are not needed. With judgements, it also tests whether
#' the new model is worse by less than a margin.
#'
#' @param old,new The model in use and its replacement: rankers, functions of `data`, or scores in the row
#'   order of `data`.
#' @param data The data made by [ranking_data()], with or without relevance. Use queries that neither model was
#' trained on.
#' @param k The number of documents that users see, default 10.
#' @param metric The metric or its text, default `"ndcg@10"`. The metric is not used if `data` have no relevance.
#' @param margin The largest loss of the metric that does not matter, above 0. Choose the margin before you see the
#'   data. The default `NULL` makes no test.
#' @param p The persistence of [rbo()], between 0 and 1. With the default 0.9, the expected depth is 10 ranks, equal
#' to the default of `k`. Smaller values put more weight on the top.
#' @param features The names of the features whose correlation with the moves of documents is computed; by
#'   default all features.
#' @param level The significance level of the test, default 0.05. Intervals have the level `1 - level`.
#' @param resamples Number of bootstrap samples of queries, default 2000, at least 100. More samples make the
#'   intervals less random and take longer.
#' @param seed The seed of the bootstrap; by default drawn from R's generator.
#' @param threads Number of threads. Results do not depend on it.
#' @param ... Must be empty.
#'
#' @return A value of class `rankmix_model_change`. `tidy(what = )` returns one of four data frames.
#'
#' `"measures"` (the default) has the `estimate` of each `measure`, and its interval `lower` and `upper`:
#' * `changed`: the fraction of the top k that is new;
#' * `first_changed`: the fraction of queries whose first document is new;
#' * `overlap`: the rank-biased overlap of both rankings.
#'
#' `"queries"` has a row for each query: `changed`, `first_changed`, `overlap`, its number of `documents`, and its
#' `weight` if there are weights. With relevance it has `value_old`, `value_new` and their `difference`, new
#' minus old. These columns are `NA` for queries that do not count for the metric.
#'
#' `"features"` has the `correlation` of each feature with the moves, its interval `lower` and `upper`, and
#' `queries`, the number of queries with at least two known values. A positive correlation means that documents with
#' high values move up.
#'
#' `"metric"` has one row: the means `old` and `new`, their `difference`, its interval and p-value `p`. With
#' `margin` it also has `margin`, `tost_lower`, `tost_upper`, `p_noninferior` and `note` of [equivalence()], and
#' a `verdict`, see Details. Without relevance, this table is an error.
#'
#' `glance()` returns one row. [autoplot.rankmix_model_change()] draws queries and features.
#' @examples
#' train <- read_letor(system.file("extdata", "train.txt.gz", package = "rankmix"))
#' test <- read_letor(system.file("extdata", "test.txt.gz", package = "rankmix"))
#' old <- fit(gbrt(trees = 20), train, threads = 1)
#' new <- fit(lambdamart(trees = 20), train, threads = 1)
#' change <- compare_models(old, new, test, margin = 0.05, seed = 1, threads = 1)
#' change
#' head(tidy(change, "queries")[c("query", "changed", "difference")], 3)
#'
#' @details
#' **Top k.** Query q has \eqn{k_q}{k_q} documents in its top k: k, or all documents if there are fewer.
#' \eqn{\pi_i}{pi_i} is the probability that document i is among them. Without ties, this probability is 1 or 0. Tied
#' documents have equal probabilities for the ranks that they occupy. Then `changed` is \deqn{1 - \frac{1}{k_q}
#' \sum_i \min(\pi_i^{old}, \pi_i^{new})}{1 - sum_i min(pi_i(old), pi_i(new)) / k_q} `first_changed` is the same for
#' k = 1. If both models have the same scores, `changed` is 0, with or without ties.
#'
#' **Overlap.** `overlap` is the value `ext` of [rbo()] with `ties = "b"`, so equal rankings have the value 1.
#'
#' **Means and intervals.** Means are over queries, with the weights of queries. Their intervals are
#' bias-corrected and accelerated bootstrap intervals over queries. These intervals are `NA` for one query, and have no
#' width if all queries have the same value.
#'
#' **Features.** The ranks of the n documents of a query, tied ranks averaged, are divided by n. The move
#' \eqn{d_i}{d_i} of a document is its rank by the new scores minus its rank by the old scores, both counted from the
#' bottom. \eqn{f_i}{f_i} is its rank by the feature. Documents in which the feature is missing are left out for this
#' feature. With the covariance \eqn{c_q(d, f)}{c_q(d, f)} over the documents of query q, the correlation is \deqn{r =
#' \frac{\sum_q w_q c_q(d, f)}{\sqrt{\sum_q w_q c_q(d, d) \sum_q w_q c_q(f, f)}}}{r = sum_q w_q c_q(d, f) / sqrt(sum_q
#' w_q c_q(d, d) sum_q w_q c_q(f, f))} So a query with many documents has no more weight than a query with few. The
#' interval is a t interval by the delta method over queries, for this feature alone. A correlation does not show a
#' cause. The correlation is `NA` if no document moves, or if the feature is constant within queries.
#'
#' **Metric.** The difference has the interval and the p-value of the paired t-test of [compare_rankers()].
#'
#' **Verdict.** `"non-inferior"`: the p-value `p_noninferior` of [equivalence()] is at most `level`.
#' `"inferior"`: the new model is worse by more than the margin, at the same level. Otherwise the verdict is
#' `"undecided"`, and more queries are needed (see [queries_needed()]).
#'
#' @section Conditions:
#' * `rankmix_error_argument`: a missing argument; several metrics; an unknown feature; a margin that is not
#'   positive.
#' * `rankmix_error_scores`: scores that do not fit `data`.
#' * `rankmix_error_values`: binned data; no query counts for the metric.
#' @section Cost: O(n log n) for n documents and each feature. O(queries x `resamples`) for intervals.
#' @references Webber, Moffat and Zobel (2010), \doi{10.1145/1852102.1852106}. Efron (1987),
#'   \doi{10.1080/01621459.1987.10478410}.
#' @seealso [drift()] for data that changed, [query_report()] for groups of queries.
#' @export
compare_models <- function(old, new, data, k = 10, metric = "ndcg@10", margin = NULL, p = 0.9,
                           features = NULL, level = 0.05, resamples = 2000, seed = NULL, threads = NULL, ...) {
  check_no_others(...)
  check_given(missing(old), "old", "Give the model in use, or its scores.")
  check_given(missing(new), "new", "Give the new model, or its scores.")
  check_given(missing(data), "data")
  check_ranking_data(data, judged = FALSE)
  check_count(k, "k")
  metric <- single_metric(metric)
  if (!is.null(margin)) check_margin(TRUE, margin, FALSE)
  check_persistence(p)
  features <- check_feature_names(features, data)
  check_significance(level)
  check_count(resamples, "resamples", min = 100, max = 1e7)
  settings <- list(k = k, margin = margin, p = p, level = level, resamples = resamples, seed = check_seed(seed),
                   threads = check_threads(threads))
  call <- rlang::current_env()
  scores <- Map(function(object, name) {
    check_scores(scores_of(object, data, settings$threads, call), data, name, call)
  }, list(old = old, new = new), c("old", "new"))
  queries <- query_changes(scores, data, settings)
  change <- if (is_judged(data)) metric_change(scores, data, metric, settings)
  queries[c("value_old", "value_new", "difference")] <- values_of_queries(change$values, queries$query)
  structure(list(measures = change_measures(queries, settings), queries = queries,
                 features = moved_features(scores, data, features, level), metric = change$metric,
                 settings = settings[names(settings) != "threads"]),
            class = "rankmix_model_change")
}

single_metric <- function(metric, call = rlang::caller_env()) {
  metric <- check_metrics(metric, NULL, call)
  if (length(metric) != 1L) {
    stop_input("argument", sprintf("`metric` must be one metric, not %d.", length(metric)), call = call)
  }
  metric
}

# The means over queries with their intervals.
change_measures <- function(queries, settings) {
  names <- c("changed", "first_changed", "overlap")
  counting <- if (is.null(queries$weight)) nrow(queries) else sum(queries$weight > 0)
  bind_named(lapply(stats::setNames(nm = names), function(name) {
    interval <- if (counting < 2L) c(NA_real_, NA_real_) else {
      bootstrap_interval(queries[[name]], queries$weight, 1 - settings$level, settings$resamples,
                         settings$seed, settings$threads)
    }
    data.frame(estimate = query_means(cbind(queries[[name]]), as.double(queries$weight)),
               lower = interval[[1L]], upper = interval[[2L]])
  }), "measure")
}

# The comparison of both models by the metric: a row of the means, and the `values` of queries.
metric_change <- function(scores, data, metric, settings) {
  compared <- compare_rankers(new = scores$new, old = scores$old, data = data, metric = metric, test = "t",
                              adjust = "none", level = settings$level, seed = settings$seed,
                              threads = settings$threads)
  values <- compared$values[[1L]]
  means <- query_means(values$values, as.double(values$weight))
  row <- data.frame(metric = names(metric), queries = nrow(values$values), old = means[2L], new = means[1L],
                    compared$pairs[c("difference", "lower", "upper")], p = compared$pairs$p_adjusted)
  if (!is.null(settings$margin)) {
    tested <- tidy(equivalence(compared, settings$margin))
    row <- cbind(row, tested[c("margin", "tost_lower", "tost_upper", "p_noninferior", "note")])
    if (tested$ties == 1) row$note <- "no query differs"
    row$verdict <- noninferiority(tested, settings)
  }
  list(metric = row, values = values)
}

noninferiority <- function(tested, settings) {
  if (tested$p_noninferior <= settings$level) {
    "non-inferior"
  } else if (isTRUE(tested$tost_upper < -settings$margin)) "inferior" else "undecided"
}

# The columns of the metric for these queries; no columns without judgements.
values_of_queries <- function(values, query) {
  if (is.null(values)) {
    return(NULL)
  }
  at <- match(id_text(query), id_text(values$query))
  old <- unname(values$values[at, "old"])
  new <- unname(values$values[at, "new"])
  list(old, new, snapped_difference(new, old))
}

#' @param x The result of `compare_models()`.
#' @param what The rows of `tidy()`: `"measures"` (the default), `"queries"`, `"features"` or `"metric"`.
#' @rdname compare_models
#' @export
tidy.rankmix_model_change <- function(x, what = "measures", ...) {
  check_no_others(...)
  check_choice(what, "what", c("measures", "queries", "features", "metric"))
  if (is.null(x[[what]])) {
    stop_input("argument", "The data have no relevance, so there is no metric.",
               remedy = "Give `compare_models()` data with `relevance`.")
  }
  x[[what]]
}

#' @rdname compare_models
#' @export
glance.rankmix_model_change <- function(x, ...) {
  check_no_others(...)
  measures <- stats::setNames(as.list(x$measures$estimate), x$measures$measure)
  metric <- if (is.null(x$metric)) {
    list(metric = NA_character_, old = NA_real_, new = NA_real_, difference = NA_real_)
  } else x$metric[c("metric", "old", "new", "difference")]
  verdict <- if (is.null(x$metric$verdict)) NA_character_ else x$metric$verdict
  list2DF(c(list(queries = nrow(x$queries), k = x$settings$k), measures, as.list(metric),
            list(verdict = verdict)))
}
