#' Coordinate ascent
#'
#' Specifies a linear ranker whose weights are found by the metric itself, one after the other, to
#' be trained by [fit()].
#'
#' @param metric What is maximised on the training data, and what chooses between restarts: any of
#'   [metrics] but a [metric_custom()].
#' @param restarts From how many starting weights.
#' @param iterations At most so many sweeps over all features from each start; of `search =
#'   "ranklib"` so many steps in each direction of a weight.
#' @param search How the best value of a weight is found: `"exact"`, or `"ranklib"` for the steps
#'   that RankLib tries, whose values are `restarts = 5, iterations = 25, scale = "none"`.
#' @param scale What weights are measured by: `"standard"`, `"maximum"` or `"none"`, see Details.
#' @param tolerance A restart ends with a sweep that gains no more than this. `NULL` is 0, and of
#'   `search = "ranklib"` 0.001: there a restart ends that has gained less since it began.
#' @param slack Of `search = "ranklib"`: so many times the distance between the weights and equal
#'   ones is taken from the metric, both of them divided by the sum of their magnitudes.
#' @param missing What stands for missing values, see [missing_values]: `"mean"`, `"zero"`,
#'   `"indicator"` or `"error"`.
#' @param ... Must be empty.
#'
#' @details The score of a document is \eqn{\sum_j w_j x_j}{sum_j w_j x_j}, and
#'   \deqn{\max_w M(w) = \sum_q c_q m_q(w) / \sum_q c_q}{max over w of
#'     M(w) = sum_q c_q m_q(w) / sum_q c_q}
#'   is sought, over the queries that count, with their weights \eqn{c_q}{c_q} and the metric
#'   \eqn{m_q}{m_q} of the ranking of each.
#'
#'   With one weight v and all others as they are, documents i and k of a query change places
#'   where \eqn{v = (a_i - a_k) / (x_k - x_i)}{v = (a_i - a_k) / (x_k - x_i)}, a being their
#'   scores without the feature x. `search = "exact"` finds all these v of all queries, adds up
#'   what the metric changes by at each of them, and takes the middle of the stretch between two
#'   of them where it is highest; of several equally high the one next to the weight as it is. So
#'   no value of v is better. (Middles, on a line that is bent to end at infinity. What is closer
#'   than \eqn{2^{-30}}{2^-30} of that line is taken as one point.) A sweep goes over all features
#'   in an order that is drawn anew; a restart ends when a whole sweep gains nothing
#'   (`"converged"`; `"stalled"` where nothing ever gained; `"limit"` after `iterations` sweeps).
#'   The metric never falls.
#'
#'   Rankings stay as they are when all weights are multiplied, so that these are divided by the
#'   sum of \eqn{|w_j| s_j}{|w_j| s_j}. Here \eqn{s_j}{s_j} is the standard deviation of feature j
#'   in the training data (with the weights of queries), the largest magnitude, or 1, by `scale`.
#'   The first restart has equal \eqn{w_j s_j}{w_j s_j}, others have them drawn from -1 to 1; an
#'   exact search depends on the scale in no other way. With `"standard"` constant features have
#'   the weight 0.
#'
#'   The restart is chosen by the metric on validation data, without them by that on the training
#'   data; the first wins a tie. A ranker that maximises its own metric needs no `metric` in
#'   [fit()], which is not heeded.
#'
#'   `"ranklib"` moves a weight by 0.001 (or 0.05 of its magnitude, where that is small), then by
#'   twice as much, and so on, upwards, else downwards, else to 0; all restarts have equal weights
#'   at first, and differ in the order of the features.
#'
#'   Ties do not depend on the order of rows. Where neither the metric nor its convention sets
#'   `ties`, the exact search takes them in their worst order, which is faster than to average
#'   them. The search of RankLib and the choice by validation data average them. Documents that tie for all values of a weight, such as those
#'   with the same features, are put in order by its rule; at a crossing itself no ranking is
#'   looked at.
#'
#'   Cost: of metrics that are sums over places, such as [metric_ndcg()], [metric_dcg()], [metric_precision()] and
#'   [metric_rbp()], a weight takes O(m n^2) comparisons a query, eight at a time, or O(m n log n) in
#'   long queries, for n documents of which m have another grade than most. Of others, or with
#'   `ties = "average"`, O(c (log c + k)) for c crossings and k places. Memory: 8 bytes a document
#'   and restart, and 16 for each change of the metric, at most 2 million documents times restarts
#'   at a time. The results are the same, bit for bit, for any number of threads.
#'
#' @return A value of class `rankmix_coordinate_ascent`, a specification. [fit()] gives a ranker;
#'   `coef()` has its weights, for the features as they are in the data, `glance()` a row for each
#'   restart, and `curve` the metric after each sweep of all of them.
#' @section Conditions: `rankmix_error_metric`: a [metric_custom()], or no training query that
#'   counts. `rankmix_error_one_grade`: all training documents have the same grade.
#'   `rankmix_error_missing`: values are missing, with `missing = "error"`.
#'   `rankmix_error_document`: ties by document, and the documents have no ids.
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
  new_spec("coordinate_ascent")
}

row_of_coordinate_ascent <- function() {
  ranker_row(
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
    traits = c("validation", "weights", "sparse", "random"),
    metric = function(spec) spec$metric,
    complete = complete_ascent,
    steps = function(spec) spec$restarts * spec$iterations,
    train = train_ascent,
    small = list(restarts = 2, iterations = 3),
    tolerance = c(sparse = 1e-8, rows = 1e-8, twice = 1e-8, zero = 1e-8)
  )
}

complete_ascent <- function(spec, call) {
  spec$metric <- read_metric(spec$metric, call)
  if (is_custom(list(spec$metric))) {
    stop_input("metric", "`coordinate_ascent()` takes no metric of `metric_custom()`.",
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
  judge <- new_judge(searched_metric(spec), data, task$threads, task$call)
  judge <- with_positions(judge, list(numeric(nrow(data$x))))
  if (is.nan(metric_means(spec$metric, numeric(nrow(data$x)), data, task$threads))) {
    stop_input("metric", sprintf("No training query counts for %s.", format(spec$metric)),
               remedy = "Give queries with relevant documents.", call = task$call)
  }
  settings <- unclass(spec)[c("restarts", "iterations", "search", "scale", "tolerance", "slack")]
  if (is.null(spec$tolerance)) {
    settings$tolerance <- if (spec$search == "ranklib") ranklib_tolerance else 0
  }
  found <- ascend_metric(data$x, judge$held, judge$weights, as.double(task$weights), settings,
                         task$seed, task$threads, task$progress)
  new_ascent(spec, found, task)
}

# What the search maximises does not depend on the order of rows either. The exact search is
# many times as fast with the worst order of ties as with averaged ones.
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
