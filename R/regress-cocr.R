#' Cost-sensitive ordinal classification via regression
#'
#' Specifies a ranker that estimates, for each grade k, the probability that a document's grade is at least
#' k, and
#' ranks by the sum of these predictions. The cost of a wrong grade weights the documents in each of
#' these binary subproblems. Train it with [fit()]. Use it if the grades are not equally far apart.
#'
#' @param base The base ranker of the subproblems: the specification of a regression, such as
#'   [linear_ranker()], [gbrt()], [m5p()], [bagging()], or a [new_ranker()] with the trait
#'   `"regression"`. Or a function of a matrix of features `x`, targets `y` and `weights`, which returns a
#'   function from a matrix of new features to one number per row.
#' @param cost The cost of wrong grades: `"oerr"` (the default), `"absolute"` or `"squared"`, see Details. If
#'   several names are given, one of them is chosen. Or a matrix: true grades x predicted grades, or
#'   documents x grades in the order of the training data.
#' @param ranker The score. `"soft"`, the default, sums the predictions. `"hard"` counts predictions of
#'   at least 1/2, with many ties.
#' @param ... Must be empty.
#'
#' @return A specification of class `rankmix_cocr`. [fit()] trains a classifier of grades, see
#'   [predict.rankmix_cocr_model()]. [calibrate()] and [mixture()] support it.
#' @examples
#' data <- simulate_ranking(80, seed = 1)$data
#' parts <- split_parts(split_queries(data, 0.7, seed = 1), data)
#' model <- fit(cocr(linear_ranker(penalty = 0.01), "squared"), parts$train, threads = 1)
#' model
#' direct <- fit(linear_ranker(loss_squared("grade"), penalty = 0.01), parts$train, threads = 1)
#' summary(evaluate(list(cocr = model, direct = direct), parts$test, metric_err(max_grade = 4)))
#' head(predict(model, parts$test, "cumulative"))
#'
#' # A base of your own that takes no weights: documents are drawn by their weights (rejection
#' # sampling), by the seed of fit().
#' sampled <- function(x, y, weights) {
#'   kept <- stats::runif(length(y)) < weights / max(weights)
#'   line <- stats::lm.fit(cbind(1, x[kept, ]), y[kept])$coefficients
#'   function(x) drop(cbind(1, x) %*% line)
#' }
#' few <- ranking_data(parts$train$x[, 2:4], parts$train$relevance, parts$train$query)
#' fit(cocr(sampled, "squared"), few, seed = 1)
#'
#' @details With grades 0, ..., K there are K subproblems. In subproblem k = 1, ..., K the base is
#'   trained on the targets \eqn{b^{(k)}_i = [y_i \ge k]}{b_ik = [y_i >= k]} with the weights
#'   \deqn{w^{(k)}_i = |c_i[k] - c_i[k - 1]|,}{w_ik = |c_i[k] - c_i[k - 1]|,}
#'   scaled to mean 1 and multiplied by the query weights. \eqn{c_i[k]}{c_i[k]} is the cost of predicting
#'   grade k for document i. The trained base \eqn{h_k(x)}{h_k(x)} estimates the probability that the grade
#'   is at
#'   least k. The scores are
#'   \deqn{\textstyle r(x) = \sum_k h_k(x) \quad \mathrm{(soft)}, \qquad r(x) = \sum_k [h_k(x) \ge
#'     1/2] \quad \mathrm{(hard)}.}{r(x) = sum_k h_k(x) (soft), r(x) = sum_k [h_k(x) >= 1/2]
#'     (hard).}
#'   Predictions are not clipped to \[0, 1\]. A prediction below 1/2 by less than 1e-10 counts as 1/2.
#'
#'   **Costs** for the true grade y:
#'
#'   | `cost` | cost of grade k; for K = 4, y = 3 |
#'   |---|---|
#'   | `"absolute"` | \eqn{\lvert y - k \rvert}{abs(y - k)}; 3, 2, 1, 0, 1 |
#'   | `"squared"` | \eqn{(y - k)^2}{(y - k)^2}; 9, 4, 1, 0, 1 |
#'   | `"oerr"` | \eqn{(2^y - 2^k)^2}{(2^y - 2^k)^2}; 49, 36, 16, 0, 64 |
#'
#'   `"oerr"` is the optimistic cost of the expected reciprocal rank. This cost bounds the loss in [metric_err()] if
#'   scores are nearly right, see [bound_err()]. A matrix of costs must be 0 for the true grade, and must
#'   not fall with the distance from it. If the matrix has more grades than the data, the first grades are used.
#'
#'   **Direct regression**, the paper's baseline, is the base alone on the grades. Compare
#'   `linear_ranker(loss_squared("grade"))` with `cocr(linear_ranker())`, or `gbrt()` with
#'   `cocr(gbrt())`. With the absolute cost and [linear_ranker()], direct regression and COCR give the same
#'   scores, because predictions are linear in the targets, and the targets sum to the grade. With other
#'   costs \eqn{h_k(x)}{h_k(x)} estimates a weighted fraction, so the sum is not the expected grade, see
#'   [bound_cocr()].
#'
#'   **Training.** If all documents have the same target in a subproblem, the prediction is this constant,
#'   and `print()` shows it. This happens, for example, if no document has grade 0. All subproblems use the
#'   same seed. With [linear_ranker()] and costs by grade, one pass over the data solves all subproblems,
#'   costs and penalties. One penalty and one cost are chosen as in [linear_ranker()]. With [gbrt()] the
#'   subproblems are boosted round by round on the same bins, and one number of trees is chosen for all
#'   subproblems on the validation data. With other bases, each subproblem is trained separately. A path of
#'   the base gives a path of COCR. Several costs can be given only for a base without rounds.
#'
#'   **Cost of computation.** With [linear_ranker()]: the cost of [linear_ranker()], and p^3 operations for
#'   each subproblem and cost. Otherwise K times the cost of the base.
#'
#' @section Conditions:
#' * `rankmix_error_cost`: costs that are negative, not 0 for the true grade, fall with the distance
#'   from it, do not fit the data, or do not distinguish two grades.
#' * `rankmix_warning_cost`: your own costs are not convex.
#' * `rankmix_error_memory`: linear models with too many features, see the message.
#' * `rankmix_error_weights`: weights differ, and the base does not support weights.
#' * `rankmix_error_argument`: `base` is no regression.
#' * `rankmix_error_ranker`: your function fails, or returns something else.
#' @references Ruan, Lin and Tsai (2014). Improving ranking performance with cost-sensitive
#'   ordinal classification via regression. \doi{10.1007/s10791-013-9219-2}
#'
#'   Lin and Li (2012). Reduction from cost-sensitive ordinal ranking to weighted binary
#'   classification. \doi{10.1162/NECO_a_00265}
#' @seealso [bound_err()] and [bound_cocr()], the theorems of the paper
#' @export
cocr <- function(base = linear_ranker(), cost = "oerr", ranker = "soft", ...) {
  check_no_others(...)
  new_spec("cocr", base = base, cost = cost, ranker = ranker)
}

entry_of_cocr <- function() {
  registry_entry(
    "cocr",
    parameters = list(
      base = parameter(a_regression, show = "bare"),
      cost = parameter(check_cost, show = "always", tune = cost_names),
      ranker = parameter(a_choice("soft", "hard"))
    ),
    traits = function(spec) c("classifier", "validation", cocr_traits(spec)),
    rounds = function(spec) if (!is.function(spec$base)) rounds_of(spec$base),
    path = "cost",
    parts = function(spec) if (!is.function(spec$base)) list(spec$base),
    complete = function(spec, call) {
      if (is_several_costs(spec) && has_trait(spec, "rounds")) {
        stop_input("argument", sprintf("`%s` has rounds, so `cocr()` supports only one cost.", format(spec$base)),
                   remedy = "Train one ranker for each cost.", call = call)
      }
      spec
    },
    steps = function(spec) if (has_trait(spec, "rounds")) rounds_of(spec) else 1,
    train = train_cocr,
    tolerance = c(sparse = 1e-8, rows = 1e-8, twice = 1e-8, zero = 1e-8)
  )
}

cocr_shared <- c("missing", "weights", "document_weights", "sparse", "bins", "distributed", "random", "rounds",
                 "path")

# Any base is a regression. It needs weights only if costs make weights differ.
cocr_traits <- function(spec) {
  if (is.null(spec)) {
    return(cocr_shared)
  }
  if (is.function(spec$base)) {
    return(c("weights", "document_weights", "random", if (is_several_costs(spec)) "path"))
  }
  c(intersect(traits_of(spec$base), cocr_shared),
    if (is_several_costs(spec) && !has_trait(spec$base, "path")) "path")
}

is_several_costs <- function(spec) is.character(spec$cost) && length(spec$cost) > 1L

a_regression <- function(x, name, call) {
  if (is.function(x)) {
    return(check_arguments_of(x, name, c("x", "y", "weights"), call))
  }
  if (!is_specification(x) || !has_trait(x, "regression")) {
    stop_input("argument", sprintf("`%s` must be a regression, not %s.", name,
                                   if (is_specification(x)) format(x) else show_value(x)),
               remedy = sprintf("For example %s, or a function of `x`, `y` and `weights`.",
                                enumerate(rankers_with("regression"), 10L)), call = call)
  }
  if (!is.null(x$objective$class_weight)) {
    stop_input("argument", sprintf("`%s` cannot have `class_weight`.", name),
               "The costs determine the weights.", "Leave it out.", call)
  }
}

train_cocr <- function(spec, task) {
  subproblems <- cost_subproblems(spec$cost, task)
  if (is.function(spec$base)) {
    return(train_cocr_parts(spec, task, subproblems))
  }
  # Missing values are filled once for all subproblems.
  inner <- task
  inner["weights"] <- list(if (has_trait(spec$base, "weights")) task$weights)
  train_by_entry(spec$base, inner, function(base, filled) {
    filled$bins <- made_once(filled$bins)
    if (base_name(spec) == "linear_ranker" && !subproblems[[1L]]$own) {
      train_cocr_linear(spec, filled, subproblems)
    } else if (base_name(spec) == "gbrt") {
      grow_cocr(spec, filled, subproblems[[1L]])
    } else {
      train_cocr_parts(spec, filled, subproblems)
    }
  })
}

base_name <- function(spec) if (is.function(spec$base)) "function" else entry_of(spec$base)$name

# `parts`: for each subproblem a regression, or its constant prediction. `answers`: the lowest and
# the highest training grade. Outside of this range the targets of a subproblem are all equal.
new_cocr <- function(spec, task, parts = NULL, ...) {
  structure(
    c(list(spec = spec, classes = task$classes), schema_of(task$data),
      list(documents = as.integer(cluster_sum(task$cluster, nrow(task$data$x))), seed = task$seed,
           best_rounds = 1L, answers = predicted_grades(task), parts = parts, ...)),
    class = c("rankmix_cocr_model", "rankmix_classifier", "rankmix_ranker")
  )
}

predicted_grades <- function(task) {
  grades <- suppressWarnings(range(task$data$relevance[counted_rows(task)]))  # a rank may have none
  as.integer(c(cluster_min(task$cluster, grades[1L]), cluster_max(task$cluster, grades[2L])))
}

counted_rows <- function(task) if (is.null(task$weights)) TRUE else task$weights > 0

# The target of subproblem k if it is the same for all documents of positive weight; else NULL.
constant_prediction <- function(k, weights, task) {
  targets <- unique(task$data$relevance[is.null(weights) | weights > 0] >= k)
  if (length(targets) == 1L) as.numeric(targets)
}

# Trains each subproblem and cost separately.
train_cocr_parts <- function(spec, task, subproblems) {
  if (!is.null(task$watch)) {
    stop_input("option", sprintf("`cocr()` of `%s` has no `patience`.", format(spec$base)),
               "Its binary subproblems are trained one after the other.",
               "Leave `patience` out, or take `gbrt()`.", task$call)
  }
  count <- task$classes - 1L
  done <- 0
  steps <- list()
  for (name in names(subproblems)) {
    parts <- lapply(seq_len(count), function(k) {
      weights <- document_weights(subproblems[[name]], k, task)
      part <- constant_prediction(k, weights, task)
      if (is.null(part)) part <- train_subproblem(spec, task, k, weights)
      done <<- done + 1
      if (!is.null(task$progress)) {
        task$progress(done / count / length(subproblems) * entry_of(spec)$steps(spec), 1)
      }
      part
    })
    own <- spec
    if (is_several_costs(spec)) own$cost <- name
    steps <- c(steps, steps_of_parts(own, task, parts, is_several_costs(spec)))
  }
  path <- new_path(unname(steps), spec, names(steps))
  if (chooses_by_parts(steps, task)) choose_cocr_parts(path, spec, task, subproblems) else path
}

train_subproblem <- function(spec, task, k, weights) {
  targets <- as.double(task$data$relevance >= k)
  if (is.function(spec$base)) {
    return(train_function(spec, task, targets, weights))
  }
  if (!is.null(weights) && !has_trait(spec$base, "weights")) {
    stop_input("weights", sprintf("`%s()` does not support weights.", base_name(spec)),
               "The weights of the documents differ, because of costs or query weights.",
               "Take `cost = \"absolute\"` and no weights of queries, or another base.",
               task$call)
  }
  entry_of(spec$base)$train(spec$base, part_task(task, targets, weights))
}

# Model i of the path of the result combines model i of the paths of all parts.
steps_of_parts <- function(spec, task, parts, several) {
  paths <- lapply(parts, function(part) if (is_trained(part)) model_steps(part) else list(part))
  count <- max(lengths(paths))
  steps <- lapply(seq_len(count), function(i) {
    at <- lapply(paths, function(path) path[[min(i, length(path))]])
    first <- Find(is_trained, at)
    if (!is.null(first)) spec$base <- first$spec
    new_cocr(spec, task, at)
  })
  of_base <- Find(function(part) is_trained(part) && !is.null(part$path), parts)
  stats::setNames(steps, paste0(if (several) spec$cost,
                                if (several && count > 1L) ", ",
                                if (count > 1L) names(of_base$path)))
}

is_trained <- function(part) inherits(part, "rankmix_ranker")

# Chooses a model of the path by cross-validation over the training queries, if there are no
# validation data.
choose_cocr_parts <- function(path, spec, task, subproblems) {
  inner <- task
  inner$all_steps <- TRUE
  inner["progress"] <- list(NULL)
  weights <- if (is.null(task$weights)) rep(1, nrow(task$data$x)) else task$weights
  first <- step_scores(path$path[1L], task$data$x, task$threads)
  choose_by_part_scores(path, task, first, function(part) {
    scores_without(part, weights, function(weights) {
      inner$weights <- weights
      step_scores(model_steps(train_cocr_parts(spec, inner, subproblems)), task$data$x,
                  task$threads)
    })
  })
}
