#' Use rankmix models with other packages
#'
#' `predict()` of most models needs only a matrix or data frame of the features, in any row order, without the query. So
#' packages that explain, check or serve models by their predictions can use these models directly. For packages that
#' need more, rankmix has a function or a method. rankmix itself needs none of these packages.
#'
#' | package | call |
#' |---|---|
#' | shapviz | `shapviz(explain(model, data))` |
#' | treeshap | `treeshap(unify(model, data), frame)`, of boosted trees |
#' | kernelshap | `kernelshap(model, frame)` |
#' | pdp | `partial(model, pred.var = "bm25", train = frame, pred.fun = score)`, see below |
#' | DALEX | `DALEX::explain(model, frame, data$relevance, predict_function = predict)` |
#' | hstats | `hstats(model, X = frame)` |
#' | vetiver | `vetiver_model(model, "name")`, see [vetiver] |
#' | plumber | `predict(model, frame)` in the handler |
#' | rsample | [as_rset()] of [query_folds()] or [split_queries()] |
#' | recipes | `ranking_data(recipe)`, see [ranking_data.recipe()] |
#' | yardstick | [query_metrics()], [metric_vec()] |
#' | parsnip, tune, workflows | engine `"rankmix"`, see [parsnip_engine] |
#' | future, mirai | `future::plan("multisession")` or `mirai::daemons(2)`, see [mixture()] |
#' | targets | `system.file("targets", "_targets.R", package = "rankmix")` is a pipeline |
#' | mlr3, mlr3tuning | [mlr3_learner()], [mlr3_measure()], [mlr3_space()] |
#'
#' `frame` is a data frame or matrix of the features, such as `as.data.frame(data$x)`, and `score`
#' is `function(object, newdata) mean(predict(object, newdata))`.
#'
#' @param object An explanation, from [explain()].
#' @param X The features to show, documents x features.
#' @param model A model of [gbrt()], [yetirank()], [rankboost()] or [adaboost_mh()]. For [adaboost_mh()], the values
#'   explain the linear score, and a message reports this.
#' @param data The background documents of the values, as in [predict()].
#' @param recalculate Whether the numbers of documents in nodes are counted from `data`. The default `FALSE`
#'   uses the numbers of the training data.
#' @param metric The metric, with values from 0 to 1, as in [evaluate()].
#' @param query The query of each document.
#' @param ... Passed on.
#'
#' @details `query_loss()` makes a loss for permutation importance: 1 minus the mean of the metric over queries. The
#'   loss needs all rows. Some packages sample rows by default. Turn the sampling off, as in
#'   `DALEX::model_parts(explainer, loss_function = query_loss("ndcg@10", data$query), N = NULL)`.
#'
#'   The values of treeshap equal the values of [explain()] with the method `"cover"`, but take longer. Compute them
#'   only for the plots of treeshap.
#' @return `shapviz()`: an object of class `shapviz`. `unify()`: an object of class `model_unified`.
#'   `query_loss()`: a function of the grades and the scores of the documents, in the order of
#'   `query`.
#' @section Conditions: `rankmix_error_format`: a model that is not a sum of trees.
#' @examples
#' train <- read_letor(system.file("extdata", "train.txt.gz", package = "rankmix"))
#' loss <- query_loss(metric_ndcg(10), train$query)
#' loss(train$relevance, train$x[, 1])
#' @name hooks
NULL

# A function of a suggested package. Fails if the package is not installed.
of_package <- function(package, name, why = sprintf("for `%s()`.", name)) {
  rlang::check_installed(package, why)
  getExportedValue(package, name)
}

#' @rdname hooks
#' @export
query_loss <- function(metric, query) {
  check_all_given()
  metric <- read_metric(metric)
  force(query)
  structure(function(observed, predicted) 1 - mean_of_vectors(metric, observed, predicted, query),
            loss_name = sprintf("1 - %s", format(metric)))
}
