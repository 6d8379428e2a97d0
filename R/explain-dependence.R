#' Partial dependence of scores on a feature
#'
#' Computes how the mean score changes with the value of a feature, if all other features keep their values.
#'
#' @param model The ranker, or anything that [evaluate()] accepts as a ranker.
#' @param data The documents, made by [ranking_data()]. Grades are not needed.
#' @param feature The names of one or more features.
#' @param points Number of values of a feature, at most; 2 or more, default 30. More values give a finer
#'   curve and take longer.
#' @param threads Number of threads. Results do not depend on it.
#' @param ... Must be empty.
#'
#' @return A data frame of class `rankmix_dependence`: `feature`, `value`, `score`.
#' @examples
#' train <- read_letor(system.file("extdata", "train.txt.gz", package = "rankmix"))
#' model <- fit(gbrt(trees = 50), train, threads = 1)
#' partial_dependence(model, train, train$features[1], points = 5)
#'
#' @details The score at value v of feature j is \eqn{\frac1n \sum_i f(v, x_{i, -j})}{mean over i of f(v, x_i
#'   without j)}, the mean with v in every document. The values are quantiles of the distinct values in
#'   `data`. Missing values are left out.
#'
#'   **Factors.** Each level of a factor is a feature of its own. A change of one level leaves the other levels as they
#'   are, so documents can have two levels or none. The curve of a level then differs from the mean score with this
#'   level in every document. Compare levels by predictions for data frames in which the column is replaced.
#' @section Conditions: `rankmix_error_argument`: a feature that `data` do not have, or that is missing in all
#'   documents, or a model whose scores have a meaning within a query only, such as a [cascade()].
#' @references Friedman (2001). Greedy function approximation: a gradient boosting machine.
#'   \doi{10.1214/aos/1013203451}
#' @export
partial_dependence <- function(model, data, feature, points = 30, threads = NULL, ...) {
  check_no_others(...)
  check_all_given()
  check_ranking_data(data, judged = FALSE)
  feature <- check_feature_names(feature, data, name = "feature")
  check_count(points, "points", min = 2)
  threads <- check_threads(threads)
  call <- rlang::current_env()
  if (scores_within_queries(model)) {
    stop_input("argument", "The scores of the model have a meaning within a query only.",
               "Their mean over all documents does not depend on the feature.",
               "Use `permutation_importance()`, or the models inside the model.")
  }
  changed <- feature_changer(model, data)
  rows <- warning_once(lapply(feature, function(name) {
    value <- grid_values(as.vector(data$x[, match(name, data$features)]), points)
    if (length(value) == 0L) {
      stop_input("argument", sprintf("The feature `%s` is missing in all documents.", name),
                 call = call)
    }
    score <- vapply(value, function(v) {
      mean(check_scores(scores_of(model, changed(name, value = v), threads, call),
                        data, call = call))
    }, 0)
    data.frame(feature = name, value = value, score = score)
  }))
  structure(do.call(rbind, rows), class = c("rankmix_dependence", "data.frame"))
}

grid_values <- function(x, points) {
  values <- sort(unique(x))
  if (length(values) <= points) {
    return(values)
  }
  unique(stats::quantile(values, seq(0, 1, length.out = points), type = 1, names = FALSE))
}
