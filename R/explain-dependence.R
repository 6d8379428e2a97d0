#' Partial dependence of scores on a feature
#'
#' Computes how the mean score changes with the value of a feature, if all other features keep their values.
#'
#' @param model The ranker, or anything that [evaluate()] accepts as a ranker.
#' @param data The documents, made by [ranking_data()]. Grades are not needed.
#' @param feature The names of one or more features. A factor is named by its column.
#' @param points Number of values of a feature, at most; 2 or more, default 30. More values give a finer
#'   curve and take longer. If a factor has more levels, the most frequent ones are used.
#' @param threads Number of threads. Results do not depend on it.
#' @param ... Must be empty.
#'
#' @return A data frame of class `rankmix_dependence`: `feature`; `value`; `level`, the name of the level of a factor,
#'   `NA` for other features; and `score`. The `value` of a level is its number.
#' @examples
#' train <- read_letor(system.file("extdata", "train.txt.gz", package = "rankmix"))
#' model <- fit(gbrt(trees = 50), train, threads = 1)
#' partial_dependence(model, train, train$features[1], points = 5)
#'
#' @details The score at value v of feature j is \eqn{\frac1n \sum_i f(v, x_{i, -j})}{mean over i of f(v, x_i
#'   without j)}, the mean with v in every document. The mean is weighted if `data` have weights of queries or
#'   documents. The values are quantiles of the distinct values in `data`. Missing values are left out.
#'
#'   **Factors.** The score of a level is the mean score with this level in every document. Only levels that `data`
#'   contain are used. An ordered factor is a feature whose values are the numbers of its levels. The levels of a
#'   factor that was transformed are separate features, such as `colour=red`.
#' @section Conditions: `rankmix_error_argument`: a feature that `data` do not have, or that is missing in all
#'   documents, or a model whose scores have a meaning within a query only, such as a [cascade()].
#' @references Friedman (2001). Greedy function approximation: a gradient boosting machine.
#'   \doi{10.1214/aos/1013203451}
#' @export
partial_dependence <- function(model, data, feature, points = 30, threads = NULL, ...) {
  check_no_others(...)
  check_all_given()
  check_ranking_data(data, judged = FALSE)
  factors <- level_factors(data, transformed = FALSE)
  columns <- check_whole_features(feature, data, factors, name = "feature")
  check_count(points, "points", min = 2)
  threads <- check_threads(threads)
  call <- rlang::current_env()
  if (scores_within_queries(model)) {
    stop_input("argument", "The scores of the model have a meaning within a query only.",
               "Their mean over all documents does not depend on the feature.",
               "Use `permutation_importance()`, or the models inside the model.")
  }
  changed <- feature_changer(model, data)
  weight <- unscaled_weights(data)
  rows <- warning_once(Map(function(name, at) {
    grid <- feature_grid(data, at, Find(function(entry) entry$column == name, factors), points)
    if (length(grid$value) == 0L) {
      stop_input("argument", sprintf("The feature `%s` is missing in all documents.", name),
                 call = call)
    }
    score <- vapply(grid$columns, function(values) {
      mean_score(check_scores(scores_of(model, changed(at, values = values), threads, call), data, call = call),
                 weight)
    }, 0)
    data.frame(feature = name, value = grid$value, level = grid$level, score = score)
  }, names(columns), columns))
  structure(do.call(rbind, unname(rows)), class = c("rankmix_dependence", "data.frame"))
}

mean_score <- function(scores, weight) if (is.null(weight)) mean(scores) else sum(weight * scores) / sum(weight)

# The values of a feature, and for each value the values of its columns. `factor` is the entry of a factor, or NULL.
feature_grid <- function(data, columns, factor, points) {
  if (is.null(factor)) {
    value <- grid_values(as.vector(data$x[, columns]), points)
    return(list(value = value, level = rep(NA_character_, length(value)), columns = as.list(value)))
  }
  counts <- vapply(columns, function(column) sum(data$x[, column], na.rm = TRUE), 0)
  used <- sort(utils::head(order(-counts), min(points, sum(counts > 0))))
  value <- match(data$features[columns[used]], factor$features)
  list(value = value, level = factor$levels[value],
       columns = lapply(used, function(l) as.double(seq_along(columns) == l)))
}

grid_values <- function(x, points) {
  values <- sort(unique(x))
  if (length(values) <= points) {
    return(values)
  }
  unique(stats::quantile(values, seq(0, 1, length.out = points), type = 1, names = FALSE))
}
