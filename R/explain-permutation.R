#' Permutation importance of features
#'
#' Measures the drop in a metric when the values of a feature are shuffled among the documents of each
#' query. Use it to see which features the ranking needs.
#'
#' @param model The ranker, or anything that [evaluate()] accepts as a ranker.
#' @param data The judged data, made by [ranking_data()] or [read_letor()], preferably not training data.
#' @param metric The metric; default `metric_ndcg(10)`.
#' @param times Number of shuffles of each feature; default 10. More shuffles reduce the noise and take more
#'   time.
#' @param features The names of the features; default all features of `data`. A factor counts as one feature, and is
#'   named by its column.
#' @param level The confidence level of the intervals; default 0.95.
#' @param seed The random seed of the shuffles. By default R's generator draws one.
#' @param threads Number of threads. Results do not depend on it.
#' @param verbose Whether to show progress and the remaining time; default `TRUE`.
#' @param ... Must be empty.
#'
#' @return A data frame of class `rankmix_permutation`, most important feature first: `feature`; `drop`, the
#'   mean of \eqn{d_q}{d_q}; `se`, `lower`, `upper`; and `queries`, the number of queries with a value of the
#'   metric. The attributes are `metric` and `value`, the mean of the metric without shuffling.
#' @examples
#' train <- read_letor(system.file("extdata", "train.txt.gz", package = "rankmix"))
#' test <- read_letor(system.file("extdata", "test.txt.gz", package = "rankmix"))
#' model <- fit(gbrt(trees = 50), train, threads = 1)
#' permutation_importance(model, test, metric_ndcg(10), times = 3, seed = 1)
#'
#' @details The drop of query q is \eqn{d_q = m_q - \frac1T \sum_t m_q^{(t)}}{d_q = m_q - mean over
#'   t of m_q(t)}, with the metric \eqn{m_q}{m_q} of the query and \eqn{m_q^{(t)}}{m_q(t)} after
#'   shuffle t. Values stay in their query. A feature that is constant in each query changes no ranking, so
#'   its importance is 0. Mean, standard error and the t interval are over queries with their weights, as in
#'   [summary.rankmix_evaluation()]. All features share the same shuffles. Features with the same information
#'   may each have a small importance. The levels of a factor are shuffled together, so each document has one level.
#'   Cost: `times` predictions for each feature.
#'
#' @section Conditions: `rankmix_error_argument`: a feature that `data` do not have. And the conditions of
#'   [evaluate()].
#' @section Ties: As in [fit()], the metric of tied documents is the mean over their orders, unless `metric` or its
#'   convention sets `ties`.
#' @references Breiman (2001). Random forests. \doi{10.1023/A:1010933404324}
#' @export
permutation_importance <- function(model, data, metric = metric_ndcg(10), times = 10, features = NULL,
                                   level = 0.95, seed = NULL, threads = NULL, verbose = TRUE, ...) {
  check_no_others(...)
  check_all_given()
  check_ranking_data(data)
  metric <- single_metric(metric)
  # Importance must not depend on row order.
  metric[] <- lapply(metric, choosing_metric)
  check_count(times, "times")
  check_confidence(level)
  columns <- check_whole_features(features, data, level_factors(data, transformed = TRUE))
  threads <- check_threads(threads)
  check_flag(verbose, "verbose")
  shuffles <- with_seed(check_seed(seed), lapply(seq_len(times), function(t) {
    shuffled_rows(data)
  }))
  values <- function(scores) matrix(evaluate(scores, data, metric, threads = threads)$value,
                                    length(data$query_ids))
  bar <- progress_bar("Shuffling", length(columns) * times, verbose)
  on.exit(bar$close())
  rows <- warning_once({
    before <- values(scores_of(model, data, threads, rlang::current_env()))
    changed <- feature_changer(model, data)
    lapply(seq_along(columns), function(j) {
      after <- lapply(seq_along(shuffles), function(t) {
        found <- values(scores_of(model, changed(columns[[j]], rows = shuffles[[t]]), threads,
                                  rlang::current_env()))
        if (!is.null(bar$report)) bar$report((j - 1) * times + t, length(columns) * times)
        found
      })
      drop <- before[, 1L] - Reduce(`+`, after) [, 1L] / times
      cbind(data.frame(feature = names(columns)[j]),
            summary_columns(summarise_values(drop, data$weight, level)))
    })
  })
  table <- do.call(rbind, rows)
  names(table)[names(table) == "mean"] <- "drop"
  table <- table[order(-table$drop), ]
  rownames(table) <- NULL
  structure(table, class = c("rankmix_permutation", "data.frame"), metric = names(metric),
            value = query_means(before, as.double(data$weight)))
}

check_feature_names <- function(features, data, call = rlang::caller_env(), name = "features") {
  if (is.null(features)) {
    return(data$features)
  }
  odd <- if (is.character(features)) setdiff(features, data$features)
  if (!is.character(features) || length(features) == 0L || length(odd) > 0L) {
    stop_input("argument",
               sprintf("`%s` must name features of `data`, not %s.", name,
                       show_value(if (length(odd) > 0L) odd[1L] else features)),
               sprintf("They are %s.", enumerate(data$features)),
               if (length(odd) > 0L) did_you_mean(odd[1L], data$features), call = call)
  }
  unique(features)
}

# For each row another row of the same query, at random.
shuffled_rows <- function(data) {
  rows <- order(data$query)
  shuffled <- order(data$query, stats::runif(length(rows)))
  replace(integer(length(rows)), rows, shuffled)
}

# The columns of the features that a user names, as a list. A factor whose levels are features is one feature.
whole_features <- function(data, factors) {
  levels <- lapply(factors, `[[`, "features")
  of_level <- rep(encoded_columns(factors), lengths(levels))[match(data$features, unlist(levels))]
  name <- ifelse(is.na(of_level), data$features, of_level)
  split(seq_along(name), factor(name, unique(name)))
}

# The factors whose levels are features. Transformed levels have no value of their own, but can be shuffled.
level_factors <- function(data, transformed) {
  Filter(function(entry) !has_level_numbers(entry) && (transformed || !isTRUE(entry$changed)), data$encoding)
}

check_whole_features <- function(features, data, factors, call = rlang::caller_env(), name = "features") {
  known <- whole_features(data, factors)
  levels <- setdiff(intersect(features, data$features), names(known))
  if (length(levels) > 0L) {
    of <- names(known)[vapply(known, function(columns) levels[1L] %in% data$features[columns], NA)]
    stop_input("argument", sprintf("`%s` is a level of the factor `%s`.", levels[1L], of),
               "Its levels are changed together.", sprintf("Write `%s = \"%s\"`.", name, of), call = call)
  }
  known[check_feature_names(features, list(features = names(known)), call, name)]
}

# Returns a function that changes one feature: it receives the columns of the feature and new values, and returns the
# changed data. The new values are those of the rows `rows`, or one value of each column for all rows. All calls
# change one copy of the features in place. Code of users may store its arguments, so this code gets a new copy each
# time.
feature_changer <- function(model, data) {
  new_values <- function(column, rows, value) {
    if (is.null(rows)) rep(as.double(value), nrow(data$x)) else data$x[rows, column]
  }
  if (isS4(data$x) || has_functions(model)) {
    return(function(columns, rows = NULL, values = NULL) {
      changed <- data
      for (i in seq_along(columns)) changed$x[, columns[i]] <- new_values(columns[i], rows, values[i])
      changed
    })
  }
  own <- data
  own$x <- copy_matrix(data$x)
  last <- integer()
  function(columns, rows = NULL, values = NULL) {
    for (column in setdiff(last, columns)) write_column(own$x, column, data$x[, column])
    last <<- columns
    for (i in seq_along(columns)) write_column(own$x, columns[i], new_values(columns[i], rows, values[i]))
    own
  }
}

# Whether a model contains functions, such as the prediction function of a user's ranker. A function can also
# be a model itself.
has_functions <- function(model) {
  if (!is.list(model)) {
    return(is.function(model) || is.environment(model))
  }
  any(vapply(unclass(model), has_functions, NA))
}

#' @export
print.rankmix_permutation <- function(x, ...) {
  if (is.null(attr(x, "metric")) || !all(c("feature", "drop") %in% names(x))) {
    return(invisible(with_points(print(as.data.frame(x), ...))))
  }
  say(sprintf("<importance> drop of %s (%s) when a feature is shuffled within queries",
              attr(x, "metric"), number_text(attr(x, "value"), digits = 4)))
  print_features(x, 10L, function(values) sprintf("%.4f", round(values, 4) + 0))
  invisible(x)
}
