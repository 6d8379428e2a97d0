#' RankSVM
#'
#' Specifies a linear ranking support vector machine: of two documents of a query, that with the
#' higher grade is to score higher by a margin of 1. To be trained by [fit()].
#'
#' @param cost The cost C of a margin error, above 0. Several numbers give a path: a ranker for
#'   each, trained from the smallest on, each from where the last one ended, of which one is
#'   chosen.
#' @param loss `"squared_hinge"` or `"hinge"`, of what a pair lacks to the margin.
#' @param pairs What a pair weighs: `"query"`, one by the number of pairs of its query, so that
#'   queries count the same; `"plain"`, 1.
#' @param tolerance Largest gap, relative to the objective, 1e-12 to 0.1; `NULL` for 1e-6, and 1e-5
#'   with the hinge.
#' @param missing What stands for missing values, see [missing_values]: `"mean"`, `"zero"`,
#'   `"indicator"` or `"error"`.
#' @param ... Must be empty.
#'
#' @details With features \eqn{z_i}{z_i} scaled to mean 0 and standard deviation 1 on the training
#'   data, weights \eqn{\omega_q}{omega_q} of queries, or 1, and grades \eqn{g_i}{g_i},
#'   \deqn{\min_v \tfrac12 |v|^2 + C \sum_q \frac{\omega_q}{P_q} \sum_{i, j \in q: g_i > g_j}
#'     \ell(v z_i - v z_j),}{min over v of 1/2 |v|^2 + C sum over queries q of omega_q / P_q times
#'     the sum over pairs i, j of q with g_i > g_j of l(v z_i - v z_j),}
#'   where \eqn{\ell(d) = \max(0, 1 - d)^2}{l(d) = max(0, 1 - d)^2}, or \eqn{\max(0, 1 - d)}{max(0,
#'   1 - d)} for the hinge, and \eqn{P_q}{P_q} is the number of pairs of the query, or with `pairs =
#'   "plain"` 1. Documents of the same grade make no pair. With `"plain"` it is a support
#'   vector machine without bias on the differences \eqn{z_i - z_j}{z_i - z_j}, as LIBLINEAR has it
#'   (types 2 and 3). With `"query"` and the hinge it is that of svm_rank with `-l 2` and
#'   `-c` C times the number of queries. Means and standard deviations heed the weights;
#'   constant features get no weight. It is [`linear_ranker(loss_pairwise(loss, pairs))`][linear_ranker()] with the
#'   penalty 1 / (2 C W), where W is the weight of all pairs: their number, or with `"query"` the
#'   number of queries that have one, both weighted.
#'
#'   The squared hinge is minimised by Newton's method, whose equations are solved by conjugate
#'   gradients. The `gap` is a bound of how far the objective is above its minimum, relative to
#'   it: with the gradient G, it is \eqn{|G|^2 / 2}{|G|^2 / 2}, since \eqn{|v|^2 / 2}{|v|^2 / 2} is
#'   strongly convex. The hinge is approached by hinges with a parabola of ever smaller width in
#'   place of the corner; their slopes are a point of the dual, and the gap is that between the
#'   objective of the hinge itself and the dual's. Where costs are so small that weights of 0 come
#'   within the tolerance, the gradient must become small too. The results are the same, bit for
#'   bit, for any number of threads.
#'
#'   Of several costs validation data choose, by the metric of [fit()]; without them, as of
#'   [linear_ranker()], five parts of the training queries that are held out in turn. The first one wins a
#'   tie.
#'
#'   Cost: pairs are never listed. Sums over them take n log n operations for the n documents
#'   of a query, by sorting scores and counting grades. A product with the second derivatives passes
#'   twice over the features, which are not copied; a fit takes a few steps of a few products, the
#'   hinge some dozens of steps. Memory: a dozen numbers a document, and up to 40 MB for a sample of
#'   the queries, by which the equations are preconditioned.
#'
#' @return A value of class `rankmix_ranksvm`, a specification. [fit()] gives a ranker, with the
#'   weights of the features as they are in the data by `coef()` and [tidy()]; there is no
#'   intercept, which would change no ranking. `glance()` has `objective`, `gap`, `status`, and
#'   the numbers of Newton's `steps` and of `products` with the second derivatives. Of several
#'   costs `path` has the models of all, and `glance()` a row for each.
#' @section Conditions: `rankmix_error_one_grade`: all documents have the same grade.
#'   `rankmix_error_missing`: values are missing, with `missing = "error"`.
#'   `rankmix_warning_constant`: no query has documents of different grades, so that all weights
#'   are 0. `rankmix_warning_convergence`: the gap is above `tolerance` after 500 steps, or where
#'   rounding errors are all that is left.
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
  new_spec("ranksvm")
}

row_of_ranksvm <- function() {
  ranker_row(
    "ranksvm",
    parameters = list(
      cost = parameter(a_path_of(a_number(0, Inf, open_min = TRUE)), tune = 10^(-6:4)),
      loss = parameter(a_choice("squared_hinge", "hinge")),
      pairs = parameter(a_choice(pair_weights)),
      tolerance = parameter(null_or(a_number(1e-12, 0.1))), missing = filling_parameter()
    ),
    traits = c("path", "validation", "weights", "sparse"),
    path = "cost",
    complete = function(spec, call) {
      spec$cost <- as.double(spec$cost)
      spec
    },
    steps = function(spec) length(spec$cost),
    train = train_ranksvm,
    small = list(cost = 0.1, tolerance = 1e-12),
    # Weights v are within |G| of the best, and |G|^2 / 2 is 1e-12 of the objective at most.
    tolerance = c(sparse = 1e-5, rows = 1e-5, twice = 1e-5, zero = 1e-5)
  )
}

train_ranksvm <- function(spec, task) {
  objective <- loss_pairwise(spec$loss, spec$pairs)
  tolerance <- if (is.null(spec$tolerance)) default_tolerance(objective) else spec$tolerance
  train_objective(spec, task, objective, "cost", spec$cost, function(weight) spec$cost, tolerance)
}
