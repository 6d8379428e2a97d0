#' Linear ranker
#'
#' Specifies a ranker whose score is a weighted sum of the features, to be trained by [fit()]. With squared error, the
#' ranker is ridge regression of the gains, a strong baseline on small data. With a pairwise loss, it is a RankSVM or a
#' linear RankNet. With the softmax loss, it is a linear ListNet.
#'
#' @param objective The loss: [loss_squared()] (the default), [loss_pairwise()], [loss_softmax()] or
#'   [loss_query_rmse()].
#' @param penalty The L2 penalty \eqn{\lambda}{lambda} of the weights: a number, or several of which one
#'   is chosen. Larger values shrink the weights more. By default (`NULL`), the penalties 0, 0.0001, 0.0003,
#'   0.001, ..., 30, 100 are tried. The penalty is 0 or more for [loss_squared()]. For other objectives it must
#'   be above 0, and `NULL` omits 0.
#' @param missing The treatment of missing values, see [missing_values]: `"mean"` (the default), `"zero"`,
#'   `"indicator"` or `"error"`.
#' @param ... Must be empty.
#'
#' @return A specification of class `rankmix_linear_ranker`, for [fit()]. With squared error, scores are on the scale of
#'   the target. `coef()` has the weights of the unscaled features, and for squared error an `(Intercept)`. With several
#'   penalties, `path` has the models of all penalties.
#' @examples
#' data <- simulate_ranking(60, seed = 1)$data
#' parts <- split_parts(split_queries(data, 0.7, seed = 1), data)
#' model <- fit(linear_ranker(), parts$train, threads = 1)
#' model
#' summary(evaluate(model, parts$test, metric_ndcg(10)))
#' listnet <- fit(linear_ranker(loss_softmax(), penalty = 10^(-4:0)), parts$train, threads = 1)
#' glance(listnet)
#'
#' @details **Squared error.** Features \eqn{z_{ij}}{z_ij} are scaled to mean 0 and standard deviation 1
#'   on the training data, with document weights \eqn{w_i}{w_i} that sum to 1. With targets
#'   \eqn{y_i}{y_i} the ranker minimises
#' \deqn{\min_{\beta, b} \sum_i w_i (y_i - b - z_i \beta)^2 + \lambda |\beta|^2.}{
#'   min over beta, b of sum_i w_i (y_i - b - z_i beta)^2 + lambda |beta|^2.}
#' So a penalty means the same for any number of documents and any unit of a feature. Constant features get the weight
#' 0. If the penalty 0 has several solutions, the smallest \eqn{|\beta|}{|beta|} is used.
#'
#' **Other objectives** L, see [loss_pairwise()] and [loss_softmax()]:
#' \deqn{\min_\beta L(Z \beta) / W + \lambda |\beta|^2,}{
#'   min over beta of L(Z beta) / W + lambda |beta|^2,}
#' where W is the total weight of the pairs of different grades. With `pairs = "query"`, W is the total weight of the
#' queries with such pairs. With softmax, it is the total weight of the queries with a gain. With
#' [loss_query_rmse()], it is the total weight of the documents in queries of two or more documents. For pairs, the
#' penalty equals the cost \eqn{1 / (2 \lambda W)}{1 / (2 lambda W)} of a [ranksvm()], which describes the algorithm
#' and the `gap`. There is no intercept: scores are comparable within a query only.
#'
#' **Choice of the penalty.** The metric of [fit()] on the validation data chooses the penalty. Without validation data,
#' five-fold cross-validation over the training queries chooses by the mean metric. Ties go to the first penalty.
#'
#' **Cost.** Squared error takes n p^2 operations for n documents and p features, and p^3 for a
#' decomposition that all penalties share. With more than 1,024 features and fewer than half as many documents, n takes
#' the place of p in these costs. If this number is above 2,048, conjugate gradients solve the equations of all
#' penalties together, with at most 500 passes over the features. The residual is at most 1e-8 of the right side of the
#' equations. The error of the weights is then at most 1e-8 / \eqn{\lambda}{lambda} times the size of the right side.
#' With a penalty near 0, 500 passes may be too few. Stopping early then acts like a small penalty. The effective
#' degrees of freedom are estimated by random signs. Their standard error is at most their square root.
#'
#' For other objectives see [ranksvm()]. Cross-validation adds the cost of five fits.
#'
#' @section Conditions: `rankmix_error_missing`: values are missing, with `missing = "error"`.
#'   `rankmix_error_argument`: the penalty is 0 for an objective other than [loss_squared()]. Also the conditions of
#'   [ranksvm()], except `rankmix_error_one_grade`.
#' @references Hoerl and Kennard (1970). Ridge regression. \doi{10.1080/00401706.1970.10488634}
#'
#'   Cossock and Zhang (2006). Subset ranking using regression. \doi{10.1007/11776420_44}
#' @seealso [ranksvm()]
#' @export
linear_ranker <- function(objective = loss_squared(), penalty = NULL, missing = "mean", ...) {
  check_no_others(...)
  new_spec("linear_ranker", objective = objective, penalty = penalty, missing = missing)
}

entry_of_linear_ranker <- function() {
  registry_entry(
    "linear_ranker",
    parameters = list(
      objective = parameter(an_objective("squared", "pairwise", "softmax", "query_rmse",
                                         takes = "class_weight"), show = "first"),
      penalty = parameter(null_or(a_path_of(a_number(0, Inf))), show = "always",
                          tune = default_penalties),
      missing = filling_parameter()
    ),
    traits = function(spec) {
      c("path", "validation", "weights", "document_weights", "real_relevance", "sparse", "one_grade",
        if (is.null(spec) || is_ridge(spec)) "regression")
    },
    path = "penalty",
    complete = function(spec, call) {
      if (!is_ridge(spec) && any(spec$penalty == 0)) {
        stop_input("argument", sprintf("`penalty` must be above 0 for %s, not 0.",
                                       format(spec$objective)), call = call)
      }
      spec
    },
    steps = function(spec) if (is_ridge(spec)) 1 else length(penalties_of(spec)),
    train = function(spec, task) {
      if (is_ridge(spec)) train_ridge(spec, task) else train_penalised(spec, task)
    },
    tolerance = c(sparse = 1e-8, rows = 1e-8, twice = 1e-8, zero = 1e-8)
  )
}

default_penalties <- c(0, sort(c(10^(-4:2), 3 * 10^(-4:1))))

is_ridge <- function(spec) spec$objective$name == "squared"

penalties_of <- function(spec) {
  if (!is.null(spec$penalty)) {
    return(as.double(spec$penalty))
  }
  if (is_ridge(spec)) default_penalties else default_penalties[default_penalties > 0]
}

train_ridge <- function(spec, task) {
  targets <- task$targets
  if (is.null(targets)) {
    targets <- objective_targets(spec$objective, task$data$relevance, "gain", task$call)
  }
  penalties <- penalties_of(spec)
  weights <- if (is.null(task$weights)) rep(1, length(targets)) else as.double(task$weights)
  balanced <- identical(spec$objective$class_weight, "balanced")
  solve <- function(weights, freedom = FALSE) {
    if (balanced) weights <- balanced_weights(weights, task$data$relevance)
    linear_ridge_path(task$data$x, targets, weights, penalties, task$threads, freedom)
  }
  solved <- solve(weights, freedom = TRUE)
  steps <- lapply(seq_along(penalties), function(i) new_linear(spec, penalties[i], solved, i, task))
  path <- new_path(steps, spec, vapply(penalties, number_text, "", digits = 4))
  if (chooses_by_parts(penalties, task)) {
    path <- choose_by_parts(path, task, weights, solve)
  }
  if (!is.null(task$progress)) task$progress(1, 1)
  path
}

# Weights under which relevant documents and other documents have the same total weight.
balanced_weights <- function(weights, relevance) {
  relevant <- relevance > 0
  sums <- c(sum(weights[!relevant]), sum(weights[relevant]))
  if (any(sums == 0)) weights else weights / sums[1L + relevant]
}

new_linear <- function(spec, penalty, solved, i, task) {
  spec$penalty <- penalty
  structure(
    c(list(spec = spec), schema_of(task$data),
      list(weights = solved$weights[, i], intercept = solved$intercept[i],
           freedom = solved$freedom[i], scale = solved$scale, documents = nrow(task$data$x),
           grades = task$classes, best_rounds = 1L)),
    class = c("rankmix_linear_model", "rankmix_ranker")
  )
}

# TRUE if there are several penalties, no validation data, and the caller does not request the models of all penalties.
chooses_by_parts <- function(steps, task) {
  is.null(task$x) && !task$all_steps && length(steps) > 1L
}

# Number of cross-validation folds that choose the penalty without validation data.
choosing_parts <- 5L

# Left-out documents get weight 0, so the data are not copied. Queries are assigned to folds by their
# contents, not by their order in the data.
choose_by_parts <- function(path, task, weights, solve) {
  data <- task$data
  first <- linear_predict(data$x, cbind(path$path[[1L]]$weights), shifts_of(path$path[[1L]]),
                          task$threads)
  choose_by_part_scores(path, task, first, function(part) {
    scores_without(part, weights, function(weights) {
      solved <- solve(weights)
      candidates <- cbind(solved$weights, if (averages_path(path)) solved$start)
      linear_predict(data$x, candidates, shifts_of(solved, ncol(candidates)), task$threads)
    })
  })
}

# Assigns queries to folds by the scores of the first model. `scores_of(part)` returns out-of-fold scores,
# documents x penalties.
choose_by_part_scores <- function(path, task, first, scores_of) {
  metric <- if (is.null(task$metric)) metric_ndcg(10) else task$metric
  part <- query_parts(held_out(task$data, task$threads), first)
  if (max(part) < 2L) {
    return(path)
  }
  choose_by_scores(path, metric, scores_of(part), task$data, task$threads)
}

# Out-of-fold scores. `scores(weights)` trains with these weights and scores all documents.
scores_without <- function(part, weights, scores) {
  each <- lapply(seq_len(max(part)), function(k) scores(weights * (part != k))[part == k, ])
  all <- matrix(0, length(part), ncol(as.matrix(each[[1L]])))
  for (k in seq_along(each)) all[part == k, ] <- each[[k]]
  all
}

# The intercept of each of `count` models, 0 without intercepts.
shifts_of <- function(model, count = 1L) {
  shift <- .subset2(model, "intercept")
  if (is.null(shift)) rep(0, count) else shift
}

# The fold of each document, which depends only on the contents of its query.
query_parts <- function(held, f) {
  sorted <- sorted_queries(held, f)
  part <- rep(1L, length(held$ideal))
  part[sorted] <- rep_len(seq_len(min(choosing_parts, length(sorted))), length(sorted))
  part[held$query]
}

#' @export
discriminants.rankmix_linear_model <- function(model, x, rounds, threads) {
  linear_discriminants(model, x, rounds, threads)
}

#' @export
core_part.rankmix_linear_model <- function(model) {
  list(weights = cbind(.subset2(model, "weights")), shifts = shifts_of(model))
}

#' @export
coef.rankmix_linear_model <- function(object, ...) {
  check_chosen(object)
  c(stats::setNames(object$weights, input_names(object)),
    if (!is.null(object$intercept)) c("(Intercept)" = object$intercept))
}

#' @export
tidy.rankmix_linear_model <- function(x, ...) {
  weights <- coef(x)
  data.frame(feature = names(weights), weight = unname(weights))
}

#' @export
glance.rankmix_linear_model <- function(x, ...) {
  row <- data.frame(penalty = x$spec$penalty, freedom = x$freedom, features = length(x$features),
                    documents = x$documents)
  if (!is.null(x$metric)) {
    row$metric <- format(x$metric)
    row$value <- x$value
  }
  row
}

#' @export
print.rankmix_linear_model <- function(x, ...) {
  say("<ranker> ", format(x$spec))
  say(sprintf("%d features, %.1f effective degrees of freedom, %s documents", length(x$features),
              x$freedom, format_count(x$documents)))
  say_filling(x)
  invisible(x)
}
