#' How scores depend on a feature
#'
#' @param model A ranker, or anything that [evaluate()] takes as one.
#' @param data The documents, made by [ranking_data()]; grades are not needed.
#' @param feature Names of one or more features.
#' @param points Largest number of values at which scores are asked for.
#' @param threads Number of threads; results do not depend on it.
#' @param ... Must be empty.
#'
#' @details \eqn{\frac1n \sum_i f(v, x_{i, -j})}{mean over i of f(v, x_i without j)}, the mean score
#'   with the value v of feature j in every document. Values are quantiles of those in `data`, of
#'   which each counts once; missing ones are left out.
#' @return A data frame of class `rankmix_dependence`: `feature`, `value`, `score`.
#' @section Conditions: `rankmix_error_argument`: a feature that `data` do not have, or that has
#'   no value.
#' @references Friedman (2001). Greedy function approximation: a gradient boosting machine.
#'   \doi{10.1214/aos/1013203451}
#' @examples
#' train <- read_letor(system.file("extdata", "train.txt.gz", package = "rankmix"))
#' model <- fit(gbrt(trees = 50), train, threads = 1)
#' partial_dependence(model, train, train$features[1], points = 5)
#' @export
partial_dependence <- function(model, data, feature, points = 30, threads = NULL, ...) {
  check_no_others(...)
  check_all_given()
  check_ranking_data(data, judged = FALSE)
  feature <- check_feature_names(feature, data)
  check_count(points, "points", min = 2)
  threads <- check_threads(threads)
  call <- rlang::current_env()
  rows <- lapply(feature, function(name) {
    value <- grid_values(as.vector(data$x[, match(name, data$features)]), points)
    if (length(value) == 0L) {
      stop_input("argument", sprintf("The feature `%s` is missing in all documents.", name),
                 call = call)
    }
    score <- vapply(value, function(v) {
      mean(check_scores(scores_of(model, with_feature(data, name, value = v), threads, call),
                        data, call = call))
    }, 0)
    data.frame(feature = name, value = value, score = score)
  })
  structure(do.call(rbind, rows), class = c("rankmix_dependence", "data.frame"))
}

grid_values <- function(x, points) {
  values <- sort(unique(x))
  if (length(values) <= points) {
    return(values)
  }
  unique(stats::quantile(values, seq(0, 1, length.out = points), type = 1, names = FALSE))
}
