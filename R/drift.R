#' Have the data changed since training?
#'
#' Compares new data with earlier data of the same kind, feature by feature and by the scores of a model. No
#' judgements are needed. Use it to watch a model that is in use. With judgements it also compares the metric,
#' to decide whether to train again.
#'
#' @param model The model in use: a ranker, or a function of data that gives scores.
#' @param new_data The new data, made by [ranking_data()].
#' @param reference The earlier data, such as test data from the time of training. Models do not store their data, so
#'   you must give them. Use queries that the model was not trained on. On training queries the metric is too good,
#'   and the scores differ from scores of new queries. Training queries are suitable only for the tests of features.
#' @param metric The metric or its text, such as `"ndcg@10"`. For tied scores, the value is the mean over their orders,
#'   unless the metric sets `ties`. The default `NULL` compares no metric. With a metric, both data sets need relevance.
#' @param margin The largest loss of the metric that does not matter, default 0. With a larger margin, the verdict is
#' less often to train again. In units of the metric.
#' @param max_bin The largest number of bins of a feature, 2 to 255; default 10. More bins find finer changes
#'   and need more queries.
#' @param features The names of the features to compare; by default all features of the model.
#' @param level The significance level of all decisions, default 0.05.
#' @param permutations Number of permutations. By default (`NULL`), the number is as large as Holm's adjustment
#' needs, from 1999 to 19999. More permutations give smaller p-values.
#' @param seed The seed of the permutations; by default drawn from R's generator.
#' @param threads Number of threads. Results do not depend on it.
#' @param ... Must be empty.
#'
#' @return A value of class `rankmix_drift`. `tidy(what = )` returns one of four data frames.
#'
#' `"features"` (the default), the largest distance first:
#' * `feature`; `bins`: the number of bins; `cuts`: the source of the bounds of bins, `"model"` or `"quantiles"`;
#' * `distance`: the distance of both distributions, 0 to 1;
#' * `expected`: the mean distance of permuted data, which have no drift;
#' * `p`, and `p_adjusted` by Holm over the features;
#' * `missing_reference`, `missing_new`: the fractions of missing values;
#' * `outside`: the fraction of new values below the smallest or above the largest value of the reference.
#'
#' `"scores"` has the same columns, with `score` in place of `feature`, and two rows. `"scores"` are the scores of
#' the model. `"scores within queries"` are scores minus their mean in the query. Rankings depend only on scores
#' within queries.
#'
#' `"bins"` has the fractions of each bin of features and scores, `reference` and `new`. A bin has the values above
#' `above`, up to `to`. For the bin of missing values, `above` and `to` are `NA`.
#'
#' `"metric"` has one row: the means `reference` and `new`, their `difference`, new minus reference, its
#' interval `lower` and `upper`, its p-value `p`, and a `verdict`, see Details. This table needs
#' `metric`.
#'
#' `glance()` returns one row. [autoplot.rankmix_drift()] draws distances and bins.
#' @examples
#' train <- read_letor(system.file("extdata", "train.txt.gz", package = "rankmix"))
#' vali <- read_letor(system.file("extdata", "vali.txt.gz", package = "rankmix"))
#' test <- read_letor(system.file("extdata", "test.txt.gz", package = "rankmix"))
#' model <- fit(lambdamart(trees = 20), train, threads = 1, verbose = FALSE)
#' moved <- test
#' moved$x[, "f1"] <- moved$x[, "f1"] + 1
#' drift(model, moved, reference = vali, metric = "ndcg@10", seed = 1, threads = 1)
#'
#' @details
#' **Distance.** The unit is the query, not the document. \eqn{p_{qb}}{p_qb} is the fraction of the documents
#' of query q in bin b. Missing values have their own bin. \eqn{\bar p_b}{p_b} is the mean over the
#' queries of a data set, with the weights of queries. The distance is the total variation
#' \deqn{\frac{1}{2} \sum_b |\bar p_b^{new} - \bar p_b^{ref}|}{1/2 sum_b |p_b(new) - p_b(ref)|}
#' The distance is the smallest fraction of documents that must move to another bin to make both distributions equal. A
#' query with many documents has no more weight than a query with few.
#'
#' **Bins.** For boosted trees, the cuts of a feature are thresholds of the model. A change within such a bin
#' changes no score. If there are `max_bin` thresholds or more, the thresholds nearest to equal fractions of
#' both data sets together are the cuts. Other models, and features without a threshold, have quantiles of
#' both data sets together. Quantiles do not depend on which data are new, so the permutation test is exact.
#'
#' **Test.** If nothing has changed, the queries of both data sets are exchangeable. So whole queries are
#' permuted between the data sets. With B permutations, p is 1 plus the number of permuted distances that are
#' at least the observed distance, divided by B + 1. With many queries, small distances are significant. So
#' compare `distance` with `expected`, and look at the scores.
#'
#' **Time to train again?** The means of the metric on reference and new queries are compared by Welch's t interval
#' for two independent samples, with level `1 - level`. With weights, each standard error is as for a fold in
#' [compare_rankers()]. The verdict is `"train again"` if the whole interval is below
#' `-margin`. It is `"keep the model"` if the whole interval is above `-margin`, else `"undecided"`. New queries may
#' also be harder than earlier queries, for any model. Compare with the change of a baseline, such as
#' [best_feature()].
#'
#' **Undefined cases.** `outside` is `NA` if a feature has no value in one of the data sets. Infinite scores, such as of
#' [best_feature()] for missing values, are missing values of the scores within queries. Queries of weight 0 are left
#' out. If both data sets contain the same queries, the test is conservative.
#'
#' @section Conditions:
#' * `rankmix_error_argument`: no `reference`; a data set of one query; an unknown feature.
#' * `rankmix_error_unjudged`: `metric` is given, and a data set has no relevance.
#' * `rankmix_error_newdata`: a data set lacks features of the model.
#' * `rankmix_error_values`: binned data.
#' * `rankmix_warning_overlap`: `metric` is given, and `reference` is the training data of a booster.
#' @section Cost: O(queries x features x `max_bin` x `permutations`), and 8 bytes for each query, feature and
#'   bin.
#' @references Rabanser, Gunnemann and Lipton (2019). Failing loudly: an empirical study of methods for
#'   detecting dataset shift. <https://arxiv.org/abs/1810.11953>. Phipson and Smyth (2010),
#'   \doi{10.2202/1544-6115.1585}.
#' @seealso [renew()] to renew a model on new data, [compare_models()] for a new model.
#' @export
drift <- function(model, new_data, reference = NULL, metric = NULL, margin = 0, max_bin = 10, features = NULL,
                  level = 0.05, permutations = NULL, seed = NULL, threads = NULL, ...) {
  check_no_others(...)
  check_given(missing(model), "model", "Give the model in use.")
  check_given(missing(new_data), "new_data", "Give data made by `ranking_data()` or `read_letor()`.")
  if (!is.null(metric)) {
    metric <- single_metric(metric)
    # The verdict must not depend on the order of rows.
    metric[] <- lapply(metric, choosing_metric)
  }
  call <- rlang::current_env()
  check_drift_data(new_data, reference, metric, call)
  check_number(margin, "margin", 0, Inf)
  check_count(max_bin, "max_bin", min = 2, max = 255)
  check_significance(level)
  settings <- list(level = level, margin = margin, max_bin = max_bin, seed = check_seed(seed))
  threads <- check_threads(threads)
  parts <- lapply(list(reference = reference, new = new_data), without_zero_weights)
  columns <- drift_columns(model, parts, features, threads, call)
  settings$permutations <- drift_permutations(permutations, length(columns$names), level, call)
  queries <- drift_queries(parts)
  by_feature <- tested_drift(columns$names, columns$values, columns$thresholds, queries, settings)
  scores <- drift_scores(model, parts, threads, call)
  trained <- is_training_data(model, reference, threads)
  if (trained && !is.null(metric)) warn_training_reference()
  by_score <- tested_drift(names(scores), function(name) scores[[name]], list(), queries, settings)
  structure(list(features = by_feature$table, scores = stats::setNames(by_score$table, sub(
    "feature", "score", names(by_score$table))), bins = rbind(by_feature$bins, by_score$bins),
    metric = if (!is.null(metric)) metric_drift(scores$scores, parts, metric, settings, threads),
    trained = trained, queries = vapply(parts, function(data) length(data$query_ids), 1L),
    settings = settings),
    class = "rankmix_drift")
}

check_drift_data <- function(new_data, reference, metric, call) {
  check_ranking_data(new_data, "new_data", judged = !is.null(metric), call = call)
  if (is.null(reference)) {
    stop_input("argument", "`reference` is not given.", "A model stores no distribution of its training data.",
               "Give earlier data of the same kind that the model was not trained on.", call = call)
  }
  check_ranking_data(reference, "reference", judged = !is.null(metric), call = call)
  data <- list(new_data = new_data, reference = reference)
  for (name in names(data)) {
    counting <- sum(positive_weight(data[[name]]))
    if (counting < 2L) {
      stop_input("argument", sprintf("`%s` needs two queries or more.", name),
                 sprintf("It has %s.", counted(counting, "query", "queries")), call = call)
    }
  }
}

# Whether a booster was trained on exactly these data; FALSE if unknown.
is_training_data <- function(model, data, threads) {
  model <- calibrated_ranker(model)
  if (!inherits(model, "rankmix_gbrt_model") || is.null(model$digest) || !is_judged(data)) {
    return(FALSE)
  }
  tryCatch({
    task <- new_task(data, 0, threads)
    identical(training_digest(task$bins(model$spec), relevance_marks(data), boosting_weights(task), threads, NULL),
              model$digest)
  }, error = function(e) FALSE)
}

warn_training_reference <- function() {
  warn_input("overlap", "`reference` is the training data of the model.",
             "The metric is better there than on any other queries.",
             "Give earlier queries that the model was not trained on.")
}

# The data without queries of weight 0.
without_zero_weights <- function(data) {
  if (all(positive_weight(data))) data else take_queries(data, which(positive_weight(data)))
}

# Holm's smallest possible p-value is the number of features divided by (the number of permutations + 1). This
# p-value should be well below the level.
drift_permutations <- function(permutations, features, level, call) {
  if (is.null(permutations)) {
    return(min(max(1999, ceiling(2 * features / level) - 1), 19999))
  }
  check_count(permutations, "permutations", min = 99, max = 1e6, call = call)
}

# The names of the features; a function that returns the values of both data sets, the reference first; and the
# thresholds of the model.
drift_columns <- function(model, parts, features, threads, call) {
  source <- calibrated_ranker(model)
  if (inherits(source, "rankmix_ranker")) source <- first_classifier(source)
  of_model <- inherits(source, "rankmix_ranker") && is.character(source$features)
  known <- if (of_model) source$features else parts$reference$features
  if (!of_model) check_shared_features(parts, call)
  x <- lapply(parts, function(data) if (of_model) match_features(data, source, threads, call) else data$x)
  lapply(x, is_sparse)  # their columns are taken by the package Matrix
  at <- if (of_model) list(reference = known, new = known) else lapply(parts, `[[`, "features")
  names <- check_feature_names(features, list(features = known), call)
  list(names = names, thresholds = model_thresholds(source), values = function(name) {
    unlist(Map(function(x, own) as.vector(x[, match(name, own)]), x, at), use.names = FALSE)
  })
}

check_shared_features <- function(parts, call) {
  lacking <- setdiff(parts$reference$features, parts$new$features)
  if (length(lacking) > 0L) {
    stop_input("newdata", sprintf("`new_data` lack the feature %s.", enumerate(lacking)),
               remedy = "Both data sets need the same features.", call = call)
  }
}

drift_score_names <- c("scores", "scores within queries")

# Scores of both data sets, and scores without the mean of their query. An infinite score, such as of best_feature() for
# a missing value, has no distance from a mean, so it counts as missing within its query.
drift_scores <- function(model, parts, threads, call) {
  scores <- Map(function(data, name) {
    check_scores(scores_of(model, data, threads, call), data, name, call)
  }, parts, names(parts))
  within <- Map(function(own, data) {
    known <- is.finite(own)
    own[!known] <- NA
    count <- length(data$query_ids)
    means <- tabulate_sums(data$query[known], own[known], count) / tabulate(data$query[known], count)
    rest <- own - means[data$query]
    # Rounding noise of equal scores becomes 0.
    replace(rest, which(abs(rest) < snap_tolerance * max(abs(own[known]), 0)), 0)
  }, scores, parts)
  stats::setNames(list(unlist(scores, use.names = FALSE), unlist(within, use.names = FALSE)), drift_score_names)
}

#' @param x The result of `drift()`.
#' @param what The rows of `tidy()`: `"features"` (the default), `"scores"`, `"bins"` or `"metric"`.
#' @rdname drift
#' @export
tidy.rankmix_drift <- function(x, what = "features", ...) {
  check_no_others(...)
  check_choice(what, "what", c("features", "scores", "bins", "metric"))
  if (is.null(x[[what]])) {
    stop_input("argument", "No metric was compared.", remedy = "Write `drift(metric = \"ndcg@10\")`.")
  }
  x[[what]]
}

#' @rdname drift
#' @export
glance.rankmix_drift <- function(x, ...) {
  check_no_others(...)
  of <- function(i, column) x$scores[[column]][x$scores$score == drift_score_names[i]]
  metric <- x$metric
  data.frame(queries_reference = x$queries[["reference"]], queries_new = x$queries[["new"]],
             features = nrow(x$features), drifted = sum(x$features$p_adjusted <= x$settings$level),
             largest = x$features$distance[1L], scores = of(1L, "distance"),
             scores_within = of(2L, "distance"), p_within = of(2L, "p_adjusted"),
             metric = if (is.null(metric)) NA_character_ else metric$metric,
             difference = if (is.null(metric)) NA_real_ else metric$difference,
             verdict = if (is.null(metric)) NA_character_ else metric$verdict)
}
