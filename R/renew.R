#' Renew a model on new data
#'
#' Adapts a trained model to new judged queries, without training it from the start. With `floor`, the new model is
#' returned only if a test shows that it is not worse than the old model by `floor` or more.
#'
#' @param model The model of [gbrt()] or [lambdamart()]. For `"calibration"`, the model is the result of [calibrate()].
#' @param new_data The new data with relevance, made by [ranking_data()].
#' @param what The part to renew: `"leaves"` (the default), `"rounds"` or `"calibration"`. See Details.
#' @param floor The largest loss of the metric that does not matter (the non-inferiority margin), such as 0.01 for NDCG.
#'   With the default `NULL` the new model is returned without a test. Above 0, in units of the metric.
#' @param validation The judged queries on which `floor` is tested, required with `floor`. Neither model may be trained
#'   on them.
#' @param metric The metric of the test, or its text; default `"ndcg@10"`.
#' @param level The significance level of the test, default 0.05.
#' @param rounds With `"rounds"`: the number of trees to add; default 50. More trees adapt more to the new data.
#' @param decay_rate With `"leaves"`: the weight of the old leaf values; default 0. Larger values
#'   trust the new data less. In \[0, 1).
#' @param seed With `"rounds"`: the seed of the new trees. By default it is drawn from R's generator.
#' @param threads Number of threads. Results do not depend on it.
#' @param ... Must be empty.
#'
#' @return A model of the same class. Its field `renewed` is a data frame with one row: `what`, the numbers of new
#'   `queries` and `documents`, and `kept`, the fraction of leaves that kept their value, `NA` unless `what` is
#'   `"leaves"`. With `floor` it also has `difference`, the mean of the new model minus the mean of the old model, and
#'   `p_noninferior`. If the test does not show that the loss is below `floor`, the old model is returned unchanged.
#' @examples
#' train <- read_letor(system.file("extdata", "train.txt.gz", package = "rankmix"))
#' vali <- read_letor(system.file("extdata", "vali.txt.gz", package = "rankmix"))
#' test <- read_letor(system.file("extdata", "test.txt.gz", package = "rankmix"))
#' model <- fit(lambdamart(trees = 20, min_data_in_leaf = 5), train, threads = 1, verbose = FALSE)
#' renewed <- renew(model, vali, "leaves", decay_rate = 0.8, threads = 1)
#' renewed$renewed
#' evaluate(renewed, test, "ndcg@10")
#'
#' @details
#' **Leaves.** The trees keep their splits, and leaf values are computed again on the new data, tree by tree. A leaf
#' value is \eqn{-G / (H + \lambda)}{-G / (H + lambda)}. G and H are the sums of gradients and hessians in the leaf, at
#' the scores of the trees that are already renewed, and \eqn{\lambda}{lambda} is `lambda_l2`. With
#' \eqn{\delta}{delta} = `decay_rate`, the value is \eqn{\delta}{delta} times the old value plus
#' \eqn{1 - \delta}{1 - delta} times the new one. The constant of [loss_squared()] is mixed in the same way from the
#' old constant and the mean of the new data. Other objectives keep their constant. Leaves with fewer than
#' `min_data_in_leaf` new documents keep their value. On the training data the renewed model equals the old
#' model, up to rounding. An exception is [loss_lambda()] of metrics other than NDCG, DCG and precision. This objective
#' orders tied documents at random in the first round, so some leaf values differ.
#'
#' **Rounds.** New trees are trained on the new data with the settings of the model, and added to the old trees.
#' Boosting starts from the scores of the old model at its best round. Trees after the best round are dropped. For
#' [loss_squared()] the mean residual is added as a constant, too. Features that the old model uses are free, see
#' `feature_cost` of [gbrt()].
#'
#' **Calibration.** The calibrator of a model of [calibrate()] is fitted again, and its ranker does not change.
#'
#' **Floor.** A test of non-inferiority, see [equivalence()], compares both models on the queries of `validation`. The
#' new model passes if the test shows that its loss is less than `floor`. For tied scores, the value is the mean over
#' all their orders. If `p_noninferior` is above `level`, the old model is returned with a warning. A large p-value does
#' not show that the new model is worse. There may be too few queries.
#'
#' **Afterwards.** `importance`, [explain()] and the gains of trees still describe the old training data. [fit()] cannot
#' train a renewed model further, and [verify()] gives an error. [compare_models()] shows what changes for users.
#'
#' @section Conditions:
#' * `rankmix_error_renew`: the model, its objective or a setting does not support `what`. Leaves need
#'   [loss_squared()], [loss_pairwise()], [loss_softmax()], [loss_list_mle()], [loss_query_rmse()] or
#'   [loss_lambda()], without dropout, monotone constraints, position bias or random pairs. Rounds need
#'   another objective than [loss_ordinal()], and no `unbiased`, dropout or `categories = "subsets"`.
#' * `rankmix_error_argument`: `floor` without `validation`; an unknown `what`.
#' * `rankmix_error_newdata`, `rankmix_error_unjudged`: `new_data` lack features or relevance.
#' * `rankmix_warning_floor`: the test does not show that the new model is non-inferior, so the old model is returned.
#' * `rankmix_warning_overlap`: queries of `validation` are also in `new_data`. Queries that trained the old model are
#'   not detected.
#' @section Cost: `"leaves"`: for each tree a prediction, and gradients on one thread.
#' @references Leaf values are renewed as by `refit` of LightGBM,
#'   <https://lightgbm.readthedocs.io/en/latest/Python-API.html>.
#' @seealso [drift()] shows whether it is time to train again.
#' @export
renew <- function(model, new_data, what = c("leaves", "rounds", "calibration"), floor = NULL, validation = NULL,
                  metric = "ndcg@10", level = 0.05, rounds = 50, decay_rate = 0, seed = NULL, threads = NULL,
                  ...) {
  check_no_others(...)
  check_given(missing(model), "model", "Give the model to renew.")
  check_given(missing(new_data), "new_data", "Give data made by `ranking_data()` or `read_letor()`.")
  what <- check_first_choice(what, "what", c("leaves", "rounds", "calibration"))
  call <- rlang::current_env()
  check_ranking_data(new_data, "new_data", call = call)
  check_number(decay_rate, "decay_rate", 0, 1)
  if (decay_rate == 1) stop_input("argument", "`decay_rate` must be below 1, else nothing is renewed.")
  check_count(rounds, "rounds")
  if (what != "rounds" && !missing(rounds)) stop_unused("rounds", "rounds", what)
  if (what != "leaves" && !missing(decay_rate)) stop_unused("decay_rate", "leaves", what)
  metric <- single_metric(metric)
  check_significance(level)
  threads <- check_threads(threads)
  check_floor(floor, validation, new_data, call)
  check_renewable(model, what, call)
  new <- switch(what, leaves = renewed_leaves(model, new_data, decay_rate, threads, call),
                rounds = renewed_rounds(model, new_data, rounds, check_seed(seed), threads, call),
                calibration = renewed_calibration(model, new_data, threads))
  new$renewed <- data.frame(what = what, queries = length(new_data$query_ids), documents = nrow(new_data),
                            kept = if (is.null(new$renewed)) NA_real_ else new$renewed)
  if (is.null(floor)) new else above_floor(model, new, floor, validation, metric, level, threads)
}

stop_unused <- function(name, of, what, call = rlang::caller_env()) {
  stop_input("argument", sprintf("`%s` is only used with `what = \"%s\"`.", name, of),
             sprintf("`what` is \"%s\".", what), sprintf("Leave `%s` out.", name), call = call)
}

check_floor <- function(floor, validation, new_data, call) {
  if (is.null(floor)) {
    if (!is.null(validation)) {
      stop_input("argument", "`validation` is only used with `floor`.",
                 remedy = "Give `floor`, the largest loss of the metric that does not matter.", call = call)
    }
    return(invisible())
  }
  check_number(floor, "floor", 0, Inf, open_min = TRUE, call = call)
  if (is.null(validation)) {
    stop_input("argument", "`floor` needs `validation`.",
               "A test on the new data would be biased, because they train the new model.",
               "Give judged queries that neither model was trained on.", call = call)
  }
  check_ranking_data(validation, "validation", call = call)
  warn_overlap(new_data, validation)
}

# Raises an error if the model has no part that can be renewed. The error names the ranker.
check_renewable <- function(model, what, call) {
  check_class(model, "model", "rankmix_ranker", "`fit()` or `calibrate()`", call, remedy_of_result(model))
  calibrated <- is_calibrated(model)
  if (what == "calibration") {
    if (!calibrated || is.null(calibrated_ranker(model))) {
      refuse_renewal(model, "has no calibrator of a ranker",
                     "Give a model of `calibrate()`, or renew the `\"leaves\"` of `gbrt()`.", call)
    }
    return(invisible())
  }
  if (calibrated) {
    refuse_renewal(model, sprintf("has no %s to renew", what), "Write `what = \"calibration\"`.", call)
  }
  if (!inherits(model, "rankmix_gbrt_model") || inherits(model, c("rankmix_yetirank_model",
                                                                  "rankmix_imported_model"))) {
    refuse_renewal(model, sprintf("has no %s that can be renewed", what),
                   "Give a model of `gbrt()` or `lambdamart()`, or train anew by `fit()`.", call)
  }
  reason <- if (what == "leaves") leaves_reason(model$spec) else rounds_reason(model$spec)
  if (!is.null(reason)) {
    refuse_renewal(model, reason, "Train anew: `fit(model$spec, new_data)`.", call)
  }
}

refuse_renewal <- function(model, reason, remedy, call) {
  stop_input("renew", sprintf("`%s` %s.", renewed_name(model), reason), remedy = remedy, call = call)
}

renewed_name <- function(model) {
  if (inherits(model, "rankmix_imported_model")) "read_model()" else if (is_calibrated(model)) {
    "calibrate()"
  } else if (inherits(model$spec, "rankmix_spec")) sub("\\(.*", "()", format(model$spec)) else class(model)[1L]
}

renewed_calibration <- function(model, new_data, threads) {
  method <- if (inherits(model, "rankmix_probability_model")) model$method else model$fitted$method
  # calibrate() of functions and of models without rounds has no argument `rounds`.
  rounds <- if (!is.null(model$rounds)) list(rounds = model$rounds)
  do.call(calibrate, c(list(calibrated_ranker(model), new_data, method, threads = threads), rounds))
}

# The new model if it is non-inferior, else the old one.
above_floor <- function(old, new, floor, validation, metric, level, threads) {
  # The choice must not depend on the order of rows.
  metric[] <- lapply(metric, choosing_metric)
  scores <- lapply(list(new = new, old = old), function(model) predict(model, validation, threads = threads))
  change <- metric_change(scores, validation, metric, list(level = level, margin = floor, seed = 1,
                                                           threads = threads))$metric
  if (change$p_noninferior > level) {
    warn_input("floor", "The test does not show that the new model is non-inferior, so the old model is returned.",
               sprintf("%s: difference %+.4f, margin %s, %s on %s.", change$metric, change$difference + 0,
                       plain_number(floor), show_p(change$p_noninferior),
                       counted(change$queries, "query", "queries")),
               "Give more validation queries, or more new data.")
    return(old)
  }
  new$renewed <- cbind(new$renewed, change[c("difference", "p_noninferior")])
  new
}
