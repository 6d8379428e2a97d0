# The engine "rankmix" of parsnip's boost_tree() and linear_reg(). Engines are registered by calls that must run after
# parsnip is loaded, so a hook runs them then.

#' Rankers as a parsnip engine
#'
#' `boost_tree()` and `linear_reg()` of the package parsnip have the engine `"rankmix"` in mode `"regression"` as
#' soon as rankmix and parsnip are loaded. The outcome is the grade, and predictions are scores. So `fit()`,
#' `predict()`, `fit_resamples()` and `tune_grid()` work as for other models.
#'
#' | argument of `boost_tree()` | of [lambdamart()] |
#' |---|---|
#' | `trees` | `trees` |
#' | `learn_rate` | `learning_rate` |
#' | `tree_depth` | `max_depth` |
#' | `min_n` | `min_data_in_leaf` |
#' | `mtry` | `feature_fraction`, as a number of features |
#' | `sample_size` | `bagging_fraction` |
#'
#' `penalty` of `linear_reg()` is `penalty` of [linear_ranker()]. Arguments without a value have the defaults of
#' rankmix. `stop_iter`, `loss_reduction` and `mixture` are errors.
#'
#' @param x The features, a data frame. parsnip calls `train_parsnip()`.
#' @param y The grades with their queries, see [query_truth()].
#' @param weights The weights of the queries (optional), one number per document, equal within a query. The default
#'   `NULL` gives all queries the same weight.
#' @param ranker The ranker, such as `gbrt(objective = loss_softmax())`. The default `NULL` is
#'   [lambdamart()] for `boost_tree()` and [linear_ranker()] for `linear_reg()`. `boost_tree()` accepts
#'   [lambdamart()], [gbrt()] and [yetirank()].
#' @param mtry Number of features that are sampled for each tree. The default `NULL` is all features.
#' @param model The parsnip model, `"boost_tree"` (the default) or `"linear_reg"`.
#' @param ... Settings of the ranker, such as `num_leaves`, and `seed` or `threads` of [fit()].
#'
#' @details
#' **Queries.** The query is not a predictor. In a recipe, the query has the role `"query"`, and the workflow needs
#' [query_blueprint()]. Without a recipe, the outcome must be a column made by [query_truth()]. `predict()` does not
#' need the query.
#'
#' **Engine arguments.** `set_engine("rankmix", ...)` accepts `ranker`, `seed`, `threads` and all settings of the
#' ranker. Settings such as `num_leaves` may be `tune()`, if `grid` is a data frame of their values. Without `seed`, the
#' seed is drawn from R's generator.
#'
#' **Tuning.** If `trees` is tuned, only one model with the largest number is trained. Predictions for smaller numbers
#' use the first trees of this model. The values are the same as with separate trainings. Keep the documents of a query
#' in the same fold: `group_vfold_cv(frame, group = day)`.
#'
#' **Validation.** parsnip has no validation data, so all trees are used. Tune `trees`, or use [tune_ranker()].
#' @return `train_parsnip()`: a model of [fit()]. `extract_fit_engine()` returns it from a
#'   workflow, for example for [explain()] or [evaluate()].
#' @section Conditions: `rankmix_error_query`: the outcome has no queries. `rankmix_error_argument`: a setting
#'   that the ranker does not have. Also the conditions of [fit()].
#' @section Use:
#' ```r
#' recipe <- recipe(grade ~ ., frame) |> update_role(day, new_role = "query")
#' spec <- boost_tree(mode = "regression", trees = tune(), learn_rate = 0.1) |>
#'   set_engine("rankmix", num_leaves = 15, seed = 1)
#' flow <- workflow() |>
#'   add_recipe(recipe, blueprint = query_blueprint()) |>
#'   add_model(spec)
#' tuned <- tune_grid(flow, group_vfold_cv(frame, group = day, v = 5), grid = 5,
#'                    metrics = query_metrics("ndcg@10", "err"))
#' best <- finalize_workflow(flow, select_best(tuned, metric = "ndcg@10"))
#' ranker <- fit(best, frame)
#' predict(ranker, tomorrow)
#' ```
#' @seealso [query_metrics()], [query_blueprint()], [as_rset()] for folds of rankmix.
#' @examples
#' x <- data.frame(bm25 = c(3, 1, 2, 5), clicks = c(0, 1, 0, 2))
#' y <- query_truth(c(1, 0, 0, 2), c("a", "a", "b", "b"))
#' train_parsnip(x, y, model = "linear_reg", penalty = 1)
#' @name parsnip_engine
NULL

#' @rdname parsnip_engine
#' @export
train_parsnip <- function(x, y, weights = NULL, ranker = NULL, mtry = NULL, model = "boost_tree", ...) {
  check_given(missing(x), "x")
  check_given(missing(y), "y")
  check_choice(model, "model", names(parsnip_arguments))
  if (is.null(queries_of_truth(y))) {
    stop_input("query", "The outcome has no queries.",
               remedy = c("With a recipe: `add_recipe(recipe, blueprint = query_blueprint())`.",
                          "Otherwise make the outcome by `query_truth(grade, day)`."), call = NULL)
  }
  if (is.null(ranker)) ranker <- if (model == "boost_tree") lambdamart() else linear_ranker()
  check_parsnip_ranker(ranker, model)
  if (!is.null(mtry)) check_count(mtry, "mtry")
  if (!is.data.frame(x) && !is.matrix(x)) {
    stop_input("argument", sprintf("`x` must be a data frame of features, not %s.", show_value(x)))
  }
  # The query is a factor, because one string could be read as the name of a column.
  query <- factor(queries_of_truth(y), unique(queries_of_truth(y)))
  data <- do.call(ranking_data, list(as.data.frame(x), relevance = plain_truth(y), query = query,
                                     weight = if (!is.null(weights)) as.double(weights)))
  settings <- Filter(Negate(is.null), list(...))
  options <- settings[names(settings) %in% c("seed", "threads")]
  settings <- settings[!names(settings) %in% names(options)]
  if (!is.null(mtry)) settings$feature_fraction <- min(1, mtry / length(data$features))
  spec <- do.call(stats::update, c(list(ranker), settings))
  do.call(fit, c(list(spec, data, verbose = FALSE), options))
}

# The models of `boost_tree()` must predict for fewer trees.
check_parsnip_ranker <- function(ranker, model, call = rlang::caller_env()) {
  check_spec(ranker, "ranker", call)
  if (model == "boost_tree" && !inherits(ranker, c("rankmix_gbrt", "rankmix_yetirank"))) {
    stop_input("argument", sprintf("`boost_tree()` cannot train `%s()`.", entry_of(ranker)$name),
               remedy = "Give `lambdamart()`, `gbrt()` or `yetirank()`.", call = call)
  }
}

# roxygen2 would write the class without quotes, but a class with this first letter needs quotes.
#' @rawNamespace S3method(parsnip::multi_predict, "_rankmix_gbrt_model")
multi_predict._rankmix_gbrt_model <- function(object, new_data, type = NULL, trees = NULL, ...) {
  tibble <- of_package("tibble", "tibble")
  trees <- sort(if (is.null(trees)) rounds_used(object$fit) else trees)
  scores <- as.matrix(predict(object$fit, as.data.frame(new_data), rounds = trees))
  tibble(.pred = lapply(seq_len(nrow(scores)), function(row) tibble(trees = trees, .pred = scores[row, ])))
}

#' @rawNamespace S3method(parsnip::multi_predict, "_rankmix_yetirank_model")
multi_predict._rankmix_yetirank_model <- multi_predict._rankmix_gbrt_model

# Arguments of parsnip, with the setting of the ranker and the range of dials. parsnip silently drops arguments without
# an entry. So arguments that no ranker has keep their names, and training reports them.
parsnip_arguments <- list(
  boost_tree = list(trees = list("trees", "trees"), learn_rate = list("learning_rate", "learn_rate", c(-2, -0.5)),
                    tree_depth = list("max_depth", "tree_depth"), min_n = list("min_data_in_leaf", "min_n"),
                    mtry = list("mtry", "mtry"), sample_size = list("bagging_fraction", "sample_prop", c(0.5, 1)),
                    stop_iter = list("stop_iter", "stop_iter"),
                    loss_reduction = list("loss_reduction", "loss_reduction")),
  linear_reg = list(penalty = list("penalty", "penalty"), mixture = list("mixture", "mixture"))
)

register_engine <- function(...) {
  for (model in names(parsnip_arguments)) register_engine_of(model)
}

register_engine_of <- function(model) {
  call <- function(name, ...) of_package("parsnip", name)(...)
  known <- call("get_from_env", model)
  if (any(known$engine == "rankmix")) {
    return(invisible())
  }
  mode <- "regression"
  call("set_model_engine", model, mode, "rankmix")
  call("set_dependency", model, "rankmix", "rankmix", mode)
  for (name in names(parsnip_arguments[[model]])) {
    argument <- parsnip_arguments[[model]][[name]]
    func <- list(pkg = "dials", fun = argument[[2L]])
    if (length(argument) > 2L) func$range <- argument[[3L]]
    call("set_model_arg", model, "rankmix", name, argument[[1L]], func, has_submodel = name == "trees")
  }
  call("set_fit", model, mode, "rankmix", list(
    interface = "data.frame", protect = c("x", "y", "weights"),
    func = c(pkg = "rankmix", fun = "train_parsnip"), defaults = list(model = model)
  ))
  call("set_encoding", model, mode, "rankmix", list(
    predictor_indicators = "none", compute_intercept = FALSE, remove_intercept = FALSE, allow_sparse_x = FALSE
  ))
  call("set_pred", model, mode, "rankmix", "numeric", list(
    pre = NULL, post = NULL, func = c(fun = "predict"),
    args = list(object = quote(object$fit), newdata = quote(new_data))
  ))
}

# Called when rankmix is loaded.
register_with_parsnip <- function() {
  setHook(packageEvent("parsnip", "onLoad"), register_engine)
  if (isNamespaceLoaded("parsnip")) register_engine()
}
