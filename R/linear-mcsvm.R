#' Multi-class support vector machine
#'
#' Specifies the linear multi-class support vector machine of Crammer and Singer, a
#' classifier of relevance grades, to be trained by [fit()] or mixed by [tune_and_mix()].
#'
#' @param cost The cost C of margin errors, above 0; default 1. Larger values regularize less. Several
#'   numbers give a path: a classifier for each cost.
#' @param tolerance The largest relative duality gap, 1e-8 to 1; default 0.001. Smaller values take more
#'   time. The solver stops at a tenth of this gap if it can.
#' @param bias Whether to add a constant feature of 1, whose weights count in |W|; default `TRUE`. The
#' paper has no bias. For the model of the paper, set `bias = FALSE, scale = "none"`.
#' @param scale The scaling of features, estimated on the training data and applied to new data.
#'   `"standard"` (the default): mean 0 and standard deviation 1, with query weights; constant features get
#'   weight 0. `"none"`: no scaling. `"maximum"`: largest magnitude 1. Sparse data stay sparse. See
#'   [standardize_queries()] for scaling within each query.
#' @param grouping The grouping of grades for training, as in [group_grades()]. The default `"identity"`
#'   keeps all grades apart. The discriminant of a grade is the discriminant of its group.
#' @param missing The treatment of missing values, see [missing_values]: `"mean"` (the default), `"zero"`,
#'   `"indicator"` or `"error"`.
#' @param ... Must be empty.
#'
#' @details
#' With a weight vector \eqn{w_m}{w_m} for each of the K grades, the objective is
#' \deqn{P(W) = \tfrac12 \sum_m |w_m|^2 + C \sum_i c_i \max_m (w_m x_i - w_{y_i} x_i + [m \ne
#'   y_i])}{P(W) = 1/2 sum_m |w_m|^2 + C sum_i c_i max_m (w_m x_i - w_yi x_i + [m != y_i])}
#' with the query weights \eqn{c_i}{c_i} of the documents, or 1. The discriminants are
#' \eqn{f_m(x) = w_m x}{f_m(x) = w_m x}. Newton's method minimises the objective with a
#' smoothed maximum (the method of multipliers) until the duality gap is small. The gap bounds the
#' distance from the minimum.
#'
#' Documents whose features are all 0 have equal discriminants. The model prints their number in
#' training (`zero_documents`).
#'
#' Cost: a Newton step passes twice over the features and solves K p equations for p features (by conjugate
#' gradients if there are more than 2048). With a hundred features or more, these equations dominate: their
#' time grows with the cube of K p. A fit takes some dozen steps. Memory: 36 K bytes per document, and 12
#' bytes for each value of sparse data.
#'
#' @return A specification of class `rankmix_mcsvm`, for [fit()]. With several
#'   costs, the cost with the best metric on the validation data is chosen. Scores are calibrated by
#'   [calibrator_naive()] for this. `path` has the classifiers of all costs, and `glance()` a row for each.
#'   Without validation data, no cost is chosen. Then use a classifier of `path`.
#'
#' @section Conditions: `rankmix_error_one_grade`: all documents have the same grade.
#'   `rankmix_error_missing`: values are missing, with `missing = "error"`. `rankmix_error_unjudged` and
#'   `rankmix_error_validation`: see [fit()]. `rankmix_warning_convergence`: the gap is
#'   above `tolerance` after 500 steps, or rounding errors prevent further progress.
#'   `rankmix_warning_scale`: the ranges of features differ so much that the largest dominate.
#'
#' @references Crammer and Singer (2001). On the algorithmic implementation of multiclass
#'   kernel-based vector machines. Journal of Machine Learning Research 2, 265-292.
#'
#'   Busa-Fekete, Kegl, Elteto and Szarvas (2013). Tune and mix: learning to rank using
#'   ensembles of calibrated multi-class classifiers. \doi{10.1007/s10994-013-5360-9}
#' @examples
#' train <- simulate_ranking(50, seed = 1)$data
#' model <- fit(mcsvm(cost = 0.1), train, threads = 1)
#' model
#' several <- fit(mcsvm(cost = 10^(-3:0)), train, threads = 1)
#' glance(several)
#' several$path[["0.01"]]
#' @export
mcsvm <- function(cost = 1, tolerance = 1e-3, bias = TRUE, scale = "standard",
                  grouping = "identity", missing = "mean", ...) {
  check_no_others(...)
  new_spec("mcsvm", cost = cost, tolerance = tolerance, bias = bias, scale = scale, grouping = grouping,
           missing = missing)
}

entry_of_mcsvm <- function() {
  registry_entry(
    "mcsvm",
    parameters = list(
      cost = parameter(a_path_of(a_number(0, Inf, open_min = TRUE)), show = "always",
                       tune = 10^(-4:1)),
      tolerance = parameter(a_number(1e-8, 1)), bias = parameter(a_flag),
      scale = parameter(a_choice("none", "standard", "maximum")),
      grouping = parameter(a_grouping), missing = filling_parameter()
    ),
    traits = c("classifier", "path", "validation", "weights", "document_weights", "sparse"),
    path = "cost",
    complete = function(spec, call) {
      spec$cost <- as.double(spec$cost)
      spec
    },
    steps = function(spec) length(spec$cost),
    tolerance = c(sparse = 1e-6, rows = 1e-6, twice = 1e-6, zero = 1e-6),
    train = function(spec, task) {
      check_voted_grades("mcsvm", task)
      new_path(solve_path(spec, task$data, task$classes, task$threads, task$progress, task$call),
               spec, vapply(spec$cost, number_text, "", digits = 4))
    }
  )
}

# One classifier for each cost, in the order of the costs.
solve_path <- function(spec, data, classes, threads, progress,
                       call = rlang::caller_env()) {
  ranges <- feature_ranges(data$x, threads)
  if (spec$scale == "none") {
    warn_ranges(ranges, data$features)
  }
  groups <- groups_of_training(spec$grouping, classes, call)
  # Scaled weights would change C: the cost of a document is C times its weight.
  fit <- mcsvm_start(data$x, grouped_relevance(data, groups),
                     as.double(unscaled_weights(data)), max(groups) + 1L, spec$scale,
                     spec$bias, threads)
  models <- list()
  for (i in order(spec$cost)) {
    solved <- mcsvm_solve(fit, spec$cost[i], spec$tolerance, max_newton_steps, threads)
    models[[i]] <- new_mcsvm(spec, i, solved, data, classes, groups, ranges$zero_rows)
    if (!is.null(progress)) progress(sum(lengths(models) > 0L), length(spec$cost))
  }
  warn_limit(models)
  models
}

max_newton_steps <- 500L

new_mcsvm <- function(spec, i, solved, data, classes, groups, zero_documents) {
  spec$cost <- spec$cost[i]
  structure(
    c(list(spec = spec, classes = classes, groups = groups), schema_of(data), solved,
      list(gap = (solved$primal - solved$dual) / solved$primal, documents = nrow(data$x),
           zero_documents = zero_documents, best_rounds = 1L)),
    class = c("rankmix_mcsvm_model", "rankmix_classifier", "rankmix_ranker")
  )
}

# Above this ratio of ranges, features with small ranges hardly count at any cost.
hopeless_ratio <- 1e5

warn_ranges <- function(ranges, features) {
  size <- pmax(abs(ranges$least), abs(ranges$most))
  used <- size > 0
  if (!any(used) || max(size) <= hopeless_ratio * stats::median(size[used])) {
    return(invisible())
  }
  largest <- utils::head(order(-size), 3L)
  warn_input(
    "scale",
    "The ranges of the features differ so much that few of them decide.",
    c(sprintf("`%s` is in [%s, %s].", features[largest], number_text(ranges$least[largest], digits = 3),
              number_text(ranges$most[largest], digits = 3)),
      sprintf("Half of all features are within +-%s.",
              number_text(stats::median(size[used]), digits = 3))),
    "Set `scale = \"standard\"`, or use `standardize_queries()`."
  )
}

# `setting` is the setting in which the models differ.
warn_limit <- function(models, setting = "cost") {
  stopped <- Filter(function(model) model$status != "converged", models)
  if (length(stopped) > 0L) {
    values <- vapply(stopped, function(model) model$spec[[setting]], 0)
    gaps <- vapply(stopped, `[[`, 0, "gap")
    warn_input(
      "convergence",
      "The solver stopped before the gap was small.",
      sprintf("%s %s: the relative gap is %s after %d steps (%s).", capital(setting),
              number_text(values), number_text(gaps, digits = 2), vapply(stopped, `[[`, 0L, "steps"),
              vapply(stopped, `[[`, "", "status")),
      if (setting == "cost") "Scale the features, lower the cost, or raise `tolerance`." else {
        "Raise the penalty."
      }
    )
  }
}

capital <- function(text) paste0(ascii_upper(substr(text, 1L, 1L)), substring(text, 2L))

# An SVM has no rounds; `rounds` is ignored.
#' @export
discriminants.rankmix_mcsvm_model <- function(model, x, rounds, threads) {
  linear_discriminants(model, x, rounds, threads)
}

#' @export
core_part.rankmix_mcsvm_model <- function(model) {
  list(weights = .subset2(model, "weights"), shifts = .subset2(model, "intercept"))
}

# The largest magnitude on the training data, because an SVM has no other bound.
#' @export
discriminant_range.rankmix_mcsvm_model <- function(model, rounds) {
  rep(model$range, length(rounds))
}

#' Weights of a linear classifier
#'
#' `coef()` returns the weight of each feature for each grade.
#'
#' @param object A classifier of [mcsvm()], trained by [fit()].
#' @param ... Ignored.
#' @return A matrix, features x grades (or groups of grades), of the weights of the unscaled features. With
#'   `bias` or `scale = "standard"` the row `(Intercept)` has the constants.
#' @examples
#' train <- simulate_ranking(50, seed = 1)$data
#' head(coef(fit(mcsvm(0.1), train, threads = 1)))
#' @importFrom stats coef
#' @export
coef.rankmix_mcsvm_model <- function(object, ...) {
  check_chosen(object)
  weights <- object$weights
  dimnames(weights) <- list(input_names(object), grade_names(ncol(weights)))
  if (object$spec$bias || object$spec$scale == "standard") {
    weights <- rbind(weights, "(Intercept)" = object$intercept)
  }
  weights
}

#' @export
tidy.rankmix_mcsvm_model <- function(x, ...) {
  weights <- coef(x)
  data.frame(feature = rep(rownames(weights), ncol(weights)),
             grade = rep(seq_len(ncol(weights)) - 1L, each = nrow(weights)),
             weight = as.vector(weights))
}

#' @export
glance.rankmix_mcsvm_model <- function(x, ...) {
  row <- data.frame(cost = x$spec$cost, status = x$status, objective = x$primal, dual = x$dual,
             gap = x$gap, steps = x$steps, grades = x$classes,
             features = length(x$features), documents = x$documents,
             zero_documents = x$zero_documents)
  if (!is.null(x$metric)) {
    row$metric <- format(x$metric)
    row$value <- x$value
  }
  row
}

#' @export
print.rankmix_mcsvm_model <- function(x, ...) {
  say("<classifier> ", format(x$spec))
  say(sprintf("%d grades, %d features; objective %s, relative gap %.1e (%s, %d steps)",
              x$classes, length(x$features), number_text(x$primal, digits = 6), x$gap, x$status,
              x$steps))
  if (x$zero_documents > 0) {
    say(sprintf("%s of %s documents have features of 0 only: they cannot be distinguished",
                plain_number(x$zero_documents), plain_number(x$documents)))
  }
  say_filling(x)
  invisible(x)
}
