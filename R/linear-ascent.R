#' Coordinate ascent
#'
#' Specifies a linear ranker whose weights maximise a ranking metric directly, one weight after the other,
#' to be trained by [fit()].
#'
#' @param metric The metric to maximise on the training data, which also chooses among restarts. Default
#'   `metric_ndcg(10)`. Any of [metrics] except a [metric_custom()].
#' @param restarts Number of starting weights; default 30. More restarts take more time and find better
#'   maxima.
#' @param iterations Number of sweeps over all features from each start, at most; default 100. With `search =
#'   "ranklib"` the number of steps in each direction of a weight.
#' @param search The search for the best value of a weight: `"exact"` (the default), or `"ranklib"` for the
#'   steps of RankLib. The settings of RankLib are `restarts = 5, iterations = 25, scale = "none"`.
#' @param scale The units of weights: `"standard"` (the default), `"maximum"` or `"none"`, see Details.
#' @param tolerance The smallest gain of a sweep. A restart ends if a sweep gains no more than this. The
#' default `NULL` is 0. With `search = "ranklib"`, the default is 0.001, and a restart ends if its total gain
#' is smaller.
#' @param slack The weight of a penalty, for `search = "ranklib"` only. The default 0 means no penalty. Larger
#'   values keep weights nearer to equal weights. The penalty is the distance between the weights and equal
#'   weights, both divided by the sum of their magnitudes.
#' @param missing The treatment of missing values, see [missing_values]: `"mean"` (the default), `"zero"`,
#'   `"indicator"` or `"error"`.
#' @param ... Must be empty.
#'
#' @details The score of a document is \eqn{\sum_j w_j x_j}{sum_j w_j x_j}. The objective is
#'   \deqn{\max_w M(w) = \sum_q c_q m_q(w) / \sum_q c_q}{max over w of
#'     M(w) = sum_q c_q m_q(w) / sum_q c_q}
#'   over the queries that count, with query weights \eqn{c_q}{c_q} and the metric
#'   \eqn{m_q}{m_q} of each ranking.
#'
#'   **Exact search.** With one weight v free, documents i and k of a query swap ranks
#'   at \eqn{v = (a_i - a_k) / (x_k - x_i)}{v = (a_i - a_k) / (x_k - x_i)}, where a are their
#'   scores without the feature x. `search = "exact"` computes all these crossings and the change of the metric at each
#'   crossing. The new weight is the middle of the interval with the highest metric. If several intervals have this
#'   metric, the interval nearest to the current weight is used. So no value of v gives a higher metric. (To compute the
#'   middle, all values of v are mapped to a finite interval. Points that are closer than \eqn{2^{-30}}{2^-30} of its
#'   length count as one point.) A sweep visits all features in random order. A restart ends if a sweep gains nothing
#'   (`"converged"`), if no sweep ever gained (`"stalled"`), or after `iterations` sweeps (`"limit"`). The metric never
#'   falls.
#'
#'   **Scale.** Rankings do not change if all weights are multiplied. Weights are divided by the sum of
#'   \eqn{|w_j| s_j}{|w_j| s_j}. `scale` defines \eqn{s_j}{s_j}: `"standard"` is the standard deviation of
#'   feature j in the training data (with query weights), `"maximum"` its largest magnitude, and
#'   `"none"` is 1. The first restart has equal \eqn{w_j s_j}{w_j s_j}, others have random values from -1 to 1. Except
#'   for the start, the exact search does not depend on the scale. With `"standard"` constant features have weight 0.
#'
#'   **Choice.** The restart with the best metric on the validation data is used. Without validation data, the
#'   metric on the training data decides. Ties go to the first restart. The `metric` of [fit()] is not used.
#'
#'   **RankLib.** `"ranklib"` moves a weight by 0.001 (or by 0.05 of its magnitude, if 0.001 is more than half of it),
#'   then by twice as much, and so on. The search first tries larger weights. If they do not improve the metric, it
#'   tries smaller weights, and then 0. All restarts have equal initial weights and differ in the order of the features.
#'
#'   **Ties.** Results are invariant to row order. If neither the metric nor its convention sets
#'   `ties`, the exact search uses the worst order of ties, which is faster than the average. The search of
#'   RankLib and the choice by validation data use the average. The rule applies to documents that tie
#'   for all values of a weight, such as documents with the same features. The search never evaluates a ranking exactly
#'   at a crossing.
#'
#'   **Cost.** For metrics that are sums over ranks a weight takes O(m n^2) comparisons per query, eight at a
#'   time, or O(m n log n) in long queries. Such metrics are [metric_ndcg()], [metric_dcg()],
#'   [metric_precision()] and [metric_rbp()]. n is the number of documents, and m the number of documents whose grade is
#'   not the most common one. Other metrics, or `ties = "average"`, take O(c (log c + k)) for c crossings and k ranks. A
#'   weight of `search = "ranklib"` takes up to `2 * iterations + 1` evaluations of the metric. The number of sweeps
#'   depends on the data, and often rises with the number of features. Memory: 8 bytes per document and restart.
#'   Metrics that are no sums over ranks need about 40 bytes for each crossing of a query, so 8 GB for a query of 20,000
#'   documents. [fit()] warns before a long training. Restarts are processed in groups of at most 2 million documents
#'   times restarts.
#'
#' @return A specification of class `rankmix_coordinate_ascent`, for [fit()]. `coef()` of the ranker returns the weights
#'   of the unscaled features, and `glance()` a row for each restart. `curve` has the metric after each sweep.
#' @section Conditions: `rankmix_error_metric`: a [metric_custom()], or no training query that
#'   counts. `rankmix_error_one_grade`: all training documents have the same grade.
#'   `rankmix_error_missing`: values are missing, with `missing = "error"`.
#'   `rankmix_error_document`: ties by document, and documents without ids.
#' @references Metzler and Croft (2007). Linear feature-based models for information retrieval.
#'   Information Retrieval 10, 257-274. \doi{10.1007/s10791-006-9019-z}
#' @seealso [autoplot.rankmix_ascent_model()], [best_feature()]
#' @examples
#' data <- simulate_ranking(60, features = 8, seed = 1)$data
#' parts <- split_parts(split_queries(data, 0.7, seed = 1), data)
#' model <- fit(coordinate_ascent(metric_ndcg(5), restarts = 3), parts$train, parts$test, threads = 1)
#' model
#' glance(model)
#' @export
coordinate_ascent <- function(metric = metric_ndcg(10), restarts = 30, iterations = 100,
                              search = "exact", scale = "standard", tolerance = NULL, slack = 0,
                              missing = "mean", ...) {
  check_no_others(...)
  new_spec("coordinate_ascent", metric = metric, restarts = restarts, iterations = iterations,
           search = search, scale = scale, tolerance = tolerance, slack = slack, missing = missing)
}

entry_of_coordinate_ascent <- function() {
  registry_entry(
    "coordinate_ascent",
    parameters = list(
      metric = parameter(function(x, name, call) read_metric(x, call), show = "bare"),
      restarts = parameter(a_count(max = 1e4), tune = c(1, 5, 30)),
      iterations = parameter(a_count(max = 1e4)),
      search = parameter(a_choice("exact", "ranklib")),
      scale = parameter(a_choice("standard", "maximum", "none")),
      tolerance = parameter(null_or(a_number(0, Inf))), slack = parameter(a_number(0, Inf)),
      missing = filling_parameter()
    ),
    traits = c("validation", "weights", "real_relevance", "sparse", "random"),
    metric = function(spec) spec$metric,
    complete = complete_ascent,
    steps = function(spec) spec$restarts * spec$iterations,
    train = train_ascent,
    tolerance = c(sparse = 1e-8, rows = 1e-8, twice = 1e-8, zero = 1e-8)
  )
}

complete_ascent <- function(spec, call) {
  spec$metric <- read_metric(spec$metric, call)
  if (is_custom(list(spec$metric))) {
    stop_input("metric", "`coordinate_ascent()` does not support `metric_custom()`.",
               remedy = "Take one of the package, see `?metrics`.", call = call)
  }
  if (spec$slack > 0 && spec$search != "ranklib") {
    stop_input("argument", "`slack` belongs to `search = \"ranklib\"`.",
               remedy = "Leave it out.", call = call)
  }
  spec
}

ranklib_tolerance <- 0.001

train_ascent <- function(spec, task) {
  data <- task$data
  evaluator <- new_evaluator(searched_metric(spec), data, task$threads, task$call)
  evaluator <- with_positions(evaluator, list(numeric(nrow(data$x))))
  if (is.nan(metric_means(spec$metric, numeric(nrow(data$x)), data, task$threads))) {
    stop_input("metric", sprintf("No training query counts for %s.", format(spec$metric)),
               remedy = "Give queries with relevant documents.", call = task$call)
  }
  settings <- unclass(spec)[c("restarts", "iterations", "search", "scale", "tolerance", "slack")]
  if (is.null(spec$tolerance)) {
    settings$tolerance <- if (spec$search == "ranklib") ranklib_tolerance else 0
  }
  found <- ascend_metric(data$x, evaluator$held, evaluator$weights, as.double(task$weights), settings,
                         task$seed, task$threads, task$progress)
  new_ascent(spec, found, task)
}

# The objective of the search does not depend on row order either. The exact search is many times faster
# with the worst order of ties than with averaged ties.
searched_metric <- function(spec) {
  metric <- choosing_metric(spec$metric)
  averaged <- is.null(spec$metric$set$ties) && identical(metric$set$ties, "average")
  if (averaged && spec$search == "exact") metric$set$ties <- "worst"
  metric
}

new_ascent <- function(spec, found, task) {
  sweeps <- lengths(found$values) - 1L
  last <- function(values) values[length(values)]
  restarts <- data.frame(restart = seq_along(sweeps), status = found$status, sweeps = sweeps,
                         start = vapply(found$values, `[`, 0, 1L),
                         training = vapply(found$values, last, 0))
  if (!is.null(task$x)) {
    scores <- linear_predict(task$x, found$weights, numeric(ncol(found$weights)), task$threads)
    restarts$metric <- format(spec$metric)
    restarts$value <- metric_means(spec$metric, scores, task$validation, task$threads)
  }
  chosen <- which.max(if (is.null(task$x)) restarts$training else restarts$value)
  restarts$chosen <- restarts$restart == chosen
  curve <- data.frame(restart = rep(restarts$restart, sweeps + 1L),
                      sweep = sequence(sweeps + 1L, 0L), value = unlist(found$values))
  structure(
    c(list(spec = spec), schema_of(task$data),
      list(weights = found$weights[, chosen], restarts = restarts, curve = curve,
           documents = nrow(task$data$x))),
    class = c("rankmix_ascent_model", "rankmix_ranker")
  )
}

#' @export
discriminants.rankmix_ascent_model <- function(model, x, rounds, threads) {
  linear_discriminants(model, x, rounds, threads)
}

#' @export
core_part.rankmix_ascent_model <- function(model) {
  list(weights = cbind(.subset2(model, "weights")), shifts = 0)
}

#' @export
coef.rankmix_ascent_model <- function(object, ...) {
  stats::setNames(object$weights, input_names(object))
}

#' @export
tidy.rankmix_ascent_model <- function(x, ...) {
  weights <- coef(x)
  data.frame(feature = names(weights), weight = unname(weights))
}

#' @export
glance.rankmix_ascent_model <- function(x, ...) {
  data.frame(x$restarts, features = length(x$features), documents = x$documents)
}

#' @export
print.rankmix_ascent_model <- function(x, ...) {
  restarts <- x$restarts
  chosen <- restarts[restarts$chosen, ]
  say("<ranker> ", format(x$spec))
  say(sprintf("%s; %s %.4f on the training data%s", counted(length(x$features), "feature"),
              format(x$spec$metric), chosen$training,
              if (!is.null(restarts$value)) sprintf(", %.4f on validation data", chosen$value)
              else ""))
  status <- table(factor(restarts$status, c("converged", "stalled", "limit")))
  status <- status[status > 0L]
  say(sprintf("restart %d of %d, after %s (%s)", chosen$restart, nrow(restarts),
              counted(chosen$sweeps, "sweep"),
              paste(sprintf("%d %s", status, names(status)), collapse = ", ")))
  say_filling(x)
  invisible(x)
}
