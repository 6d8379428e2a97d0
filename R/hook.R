#' What other packages make of rankmix's models
#'
#' A model predicts for a plain matrix or data frame of its features, in any order of rows,
#' without a query: what explains, checks or serves models by their predictions takes it as it
#' is. The few packages that want more have a function or a method here. None of them is needed
#' by rankmix.
#'
#' | package | call |
#' |---|---|
#' | shapviz | `shapviz(explain(model, data))` |
#' | treeshap | `treeshap(unify(model, data), frame)`, of boosted trees |
#' | kernelshap | `kernelshap(model, frame)` |
#' | pdp | `partial(model, pred.var = "bm25", train = frame, pred.fun = score)`, see below |
#' | DALEX | `DALEX::explain(model, frame, data$relevance, predict_function = predict)` |
#' | hstats | `hstats(model, X = frame)` |
#' | vetiver, plumber | `predict(model, frame)` in the handler |
#' | rsample | [as_rset()] of [query_folds()] or [split_queries()] |
#' | recipes | `ranking_data(recipe)`, see [ranking_data.recipe()] |
#' | yardstick | [metric_vec()] |
#' | mlr3 | [mlr3_learner()], [mlr3_measure()] |
#'
#' `frame` is a data frame or matrix of the features, such as `as.data.frame(data$x)`, and `score`
#' is `function(object, newdata) mean(predict(object, newdata))`.
#'
#' @param object What [explain()] gave.
#' @param X The features as they are to be shown, documents x features.
#' @param model A model of [gbrt()], [yetirank()], [rankboost()] or [adaboost_mh()]. The last is
#'   told by its linear score, which a message says.
#' @param data The documents to which values refer, as [predict()] takes them.
#' @param recalculate Whether the numbers of documents in nodes are those of `data` instead of
#'   those of the training.
#' @param metric A metric from 0 to 1, as [evaluate()] takes it.
#' @param query The query of each document.
#' @param ... Passed on.
#'
#' @details `query_loss()` gives losses to what permutes features and asks what that costs: 1 less
#'   the mean of the metric over queries. Packages that give a part of the rows only must be told
#'   not to, such as `DALEX::model_parts(explainer, loss_function = query_loss("ndcg@10",
#'   data$query), N = NULL)`.
#'
#'   The values of treeshap are those of [explain()] by `"cover"`, more slowly; the plots of that
#'   package take them.
#' @return `shapviz()`: an object of class `shapviz`; `unify()`: of class `model_unified`;
#'   `query_loss()`: a function of the grades and the scores of the documents, in the order of
#'   `query`.
#' @section Conditions: `rankmix_error_format`: a model that is no sum of trees.
#' @examples
#' train <- read_letor(system.file("extdata", "train.txt.gz", package = "rankmix"))
#' loss <- query_loss(metric_ndcg(10), train$query)
#' loss(train$relevance, train$x[, 1])
#' @name hooks
NULL

# A function of a package that rankmix does not need.
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
