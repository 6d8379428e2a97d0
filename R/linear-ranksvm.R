#' RankSVM
#'
#' Specifies a linear ranking support vector machine, to be trained by [fit()]. RankSVM penalises a pair of
#' documents of a query unless the score of the document with the higher grade is higher by at least 1.
#'
#' @param cost The cost C of margin errors, above 0. Larger values regularize less. Several numbers give
#'   a path, from which one ranker is chosen. The default is the path `10^(-6:4)`, because the best cost
#'   depends on the data.
#' @param loss The loss of a pair that violates the margin: `"squared_hinge"` (the default) or `"hinge"`.
#' @param pairs The weight of a pair. `"query"` (the default): 1 divided by the number of pairs of its
#'   query, so that all queries count the same. `"plain"`: 1.
#' @param tolerance The largest relative gap of the objective, 1e-12 to 0.1. The default `NULL` is 1e-6,
#'   and 1e-5 with the hinge. With more than 2,048 features the default is 1e-4, because steps are slow.
#' @param missing The treatment of missing values, see [missing_values]: `"mean"` (the default), `"zero"`,
#'   `"indicator"` or `"error"`.
#' @param ... Must be empty.
#'
#' @details With features \eqn{z_i}{z_i} scaled to mean 0 and standard deviation 1 on the training
#'   data, query weights \eqn{\omega_q}{omega_q}, or 1, and grades \eqn{g_i}{g_i}, the objective is
#'   \deqn{\min_v \tfrac12 |v|^2 + C \sum_q \frac{\omega_q}{P_q} \sum_{i, j \in q: g_i > g_j}
#'     \ell(v z_i - v z_j),}{min over v of 1/2 |v|^2 + C sum over queries q of omega_q / P_q times
#'     the sum over pairs i, j of q with g_i > g_j of l(v z_i - v z_j),}
#'   where \eqn{\ell(d) = \max(0, 1 - d)^2}{l(d) = max(0, 1 - d)^2}, or \eqn{\max(0, 1 - d)}{max(0,
#'   1 - d)} for the hinge. \eqn{P_q}{P_q} is the number of pairs of the query, or 1 with `pairs =
#'   "plain"`. Documents of the same grade form no pair. With `"plain"` this is a support
#'   vector machine without bias on the differences \eqn{z_i - z_j}{z_i - z_j}, as in LIBLINEAR
#'   (types 2 and 3). With `"query"` and the hinge, the model is the same as of svm_rank with `-l 2` and `-c`
#'   equal to C times the number of queries. Means and standard deviations use the weights. Constant
#'   features have weight 0. The model equals
#'   [`linear_ranker(loss_pairwise(loss, pairs))`][linear_ranker()] with the penalty 1 / (2 C W). W is the
#'   (weighted) number of pairs. With `"query"`, W is the (weighted) number of queries that have a pair.
#'
#'   Newton's method minimises the squared hinge, with conjugate gradients for its equations. The `gap`
#'   bounds the distance from the minimum, relative to the objective. With the gradient G, the gap is \eqn{|G|^2 /
#'   2}{|G|^2 / 2}, because \eqn{|v|^2 / 2}{|v|^2 / 2} is strongly convex. The hinge is approximated by smoothed hinges
#'   of decreasing width. The gradients of the smoothed hinges give a point of the dual problem. The gap is the duality
#'   gap of the exact hinge. For tiny costs, the solver also requires a small gradient.
#'
#'   Among several costs, the metric of [fit()] on the validation data decides. Without validation data,
#'   cross-validation decides, as in [linear_ranker()]. Ties go to the first cost.
#'
#'   Cost: pairs are not stored. Sums over them take n log n operations for the n documents
#'   of a query. A product with the hessian passes twice over the features, which are not copied. A fit takes a
#'   few steps, and some dozens of steps with the hinge. Each step takes a few products with the hessian. The
#'   preconditioner takes p^2 operations for each document of a sample, and p^3 operations, for p features. Memory: a
#'   dozen numbers per document, and up to 40 MB for the preconditioner.
#'
#' @return A specification of class `rankmix_ranksvm`, for [fit()]. `coef()` and [tidy()] return the weights of the
#'   unscaled features. There is no intercept. `glance()` has `objective`, `gap`, `status`, and the numbers of Newton
#'   `steps` and of `products` with the hessian. For several costs `path` has all models, and `glance()` a row for each.
#' @section Conditions: `rankmix_error_one_grade`: all documents have the same grade.
#'   `rankmix_error_missing`: values are missing, with `missing = "error"`.
#'   `rankmix_warning_constant`: no query has documents of different grades, so that all weights
#'   are 0. `rankmix_warning_convergence`: the gap is above `tolerance` after 500 steps, or rounding
#'   errors prevent further progress.
#' @references Joachims (2002). Optimizing search engines using clickthrough data.
#'   \doi{10.1145/775047.775067}
#'
#'   Chapelle and Keerthi (2010). Efficient algorithms for ranking with SVMs.
#'   \doi{10.1007/s10791-009-9109-9}
#'
#'   Lee and Lin (2014). Large-scale linear RankSVM. \doi{10.1162/NECO_a_00571}
#'
#'   Nesterov (2005). Smooth minimization of non-smooth functions.
#'   \doi{10.1007/s10107-004-0552-5}
#' @seealso [linear_ranker()], [loss_pairwise()], [autoplot.rankmix_path()]
#' @examples
#' data <- simulate_ranking(60, seed = 1)$data
#' parts <- split_parts(split_queries(data, 0.7, seed = 1), data)
#' model <- fit(ranksvm(), parts$train, parts$test, threads = 1)
#' model
#' tidy(model)
#' fit(ranksvm(0.1, "hinge", pairs = "plain"), parts$train, threads = 1)
#' @export
ranksvm <- function(cost = 10^(-6:4), loss = "squared_hinge", pairs = "query", tolerance = NULL,
                    missing = "mean", ...) {
  check_no_others(...)
  new_spec("ranksvm", cost = cost, loss = loss, pairs = pairs, tolerance = tolerance, missing = missing)
}

entry_of_ranksvm <- function() {
  registry_entry(
    "ranksvm",
    parameters = list(
      cost = parameter(a_path_of(a_number(0, Inf, open_min = TRUE)), tune = 10^(-6:4)),
      loss = parameter(a_choice("squared_hinge", "hinge")),
      pairs = parameter(a_choice(pair_weights)),
      tolerance = parameter(null_or(a_number(1e-12, 0.1))), missing = filling_parameter()
    ),
    traits = c("path", "validation", "weights", "document_weights", "real_relevance", "sparse"),
    path = "cost",
    complete = function(spec, call) {
      spec$cost <- as.double(spec$cost)
      spec
    },
    steps = function(spec) length(spec$cost),
    train = train_ranksvm,
    # The distance of the weights from the optimum is at most |G|, and |G|^2 / 2 is at most 1e-12 of
    # the objective.
    tolerance = c(sparse = 1e-5, rows = 1e-5, twice = 1e-5, zero = 1e-5)
  )
}

train_ranksvm <- function(spec, task) {
  objective <- loss_pairwise(spec$loss, spec$pairs)
  tolerance <- if (is.null(spec$tolerance)) {
    default_tolerance(objective, ncol(task$data$x))
  } else {
    spec$tolerance
  }
  train_objective(spec, task, objective, "cost", spec$cost, function(weight) spec$cost, tolerance)
}
