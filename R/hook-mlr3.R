#' Rankers in mlr3
#'
#' Makes a ranker or a ranking metric usable in mlr3, as a learner or a measure.
#'
#' @param spec The specification of a ranker, as in [fit()].
#' @param ... Arguments of [fit()], such as `seed` or `threads`.
#' @param metric The metric, with values from 0 to 1, as in [evaluate()].
#' @param id The id of the measure. The default `NULL` is the text of the metric with `_` in place of signs,
#'   such as `ndcg_10`. mlr3tuning needs such names.
#'
#' @details The target of the task is the grade. The group of the task is the query, so that mlr3 keeps
#'   queries together in resampling: `task$set_col_roles("query", "group")`.
#'
#'   mlr3 distinguishes learners by their ids, here the text of the specification. If learners differ only
#'   in arguments of [fit()], set other ids: `learner$id <- "again"`.
#'
#'   The `param_set` of the learner has the settings of the ranker. Values in `param_set` replace the values of the
#'   specification. [mlr3_space()] gives the usual tuning space.
#' @return `mlr3_learner()`: a regression learner of the package mlr3, which inherits from its
#'   `LearnerRegr`. Its `model` is the result of [fit()]. `mlr3_measure()`: a
#'   measure of that package, the mean of the metric over queries; higher is better.
#' @section Conditions: `rankmix_error_query`: the task has no group. Also the conditions of [fit()] and
#'   [ranking_data()].
#' @section Use:
#' ```r
#' task <- as_task_regr(as.data.frame(train), target = "relevance")
#' task$set_col_roles("query", "group")
#' done <- resample(task, mlr3_learner(gbrt(), seed = 1), rsmp("cv", folds = 5))
#' done$aggregate(mlr3_measure(metric_ndcg(10)))
#' ```
#' @examples
#' if (rlang::is_installed("mlr3")) mlr3_learner(gbrt(20), seed = 1)
#' @export
mlr3_learner <- function(spec, ...) {
  check_given(missing(spec), "spec", "For example `gbrt()`.")
  if (!is_specification(spec)) {
    stop_input("argument", sprintf("`spec` must be the specification of a ranker, not %s.",
                                   show_value(spec)), remedy = "For example `gbrt()`.")
  }
  options <- list(...)
  self <- super <- NULL  # R6 binds these names before it calls a method
  base <- of_package("mlr3", "LearnerRegr", "for `mlr3_learner()`.")
  made <- of_package("R6", "R6Class", "for `mlr3_learner()`.")(
    "LearnerRegrRankmix", inherit = base,
    public = list(initialize = function() {
      super$initialize(
        id = format(spec), packages = "rankmix", label = entry_of(spec)$name,
        feature_types = c("logical", "integer", "numeric", "factor", "ordered"),
        param_set = mlr3_parameters(spec),
        properties = if (has_trait(spec, "missing")) "missings" else character()
      )
    }),
    private = list(
      .train = function(task) {
        fit_task(with_settings(spec, self$param_set$get_values(tags = "train")), task, options)
      },
      .predict = function(task) list(response = predict(self$model, task_features(task)))
    )
  )
  made$new()
}

#' @rdname mlr3_learner
#' @export
mlr3_measure <- function(metric, id = NULL) {
  check_given(missing(metric), "metric", "For example `metric_ndcg(10)`.")
  metric <- read_metric(metric)
  if (is.null(id)) id <- measure_id(metric) else check_text(id, "id")
  super <- NULL  # R6 binds this name before it calls a method
  base <- of_package("mlr3", "MeasureRegr", "for `mlr3_measure()`.")
  made <- of_package("R6", "R6Class", "for `mlr3_measure()`.")(
    "MeasureRegrRankmix", inherit = base,
    public = list(initialize = function() {
      super$initialize(id = id, range = c(0, 1), minimize = FALSE,
                       properties = "requires_task", packages = "rankmix")
    }),
    private = list(.score = function(prediction, task, ...) {
      mean_of_vectors(metric, prediction$truth, prediction$response,
                      task_queries(task, prediction$row_ids))
    })
  )
  made$new()
}

# mlr3tuning uses ids as names of parameters.
measure_id <- function(metric) make.names(gsub("^_+|_+$", "", gsub("[^A-Za-z0-9]+", "_", format(metric))))

# The call contains the data as values, so that errors about queries are raised unchanged, and no
# feature is confused with a local variable.
fit_task <- function(spec, task, options) {
  given <- list(task_features(task), relevance = task$truth(),
                query = task_queries(task, task$row_ids))
  if (!"verbose" %in% names(options)) {
    options$verbose <- FALSE
  }
  do.call(fit, c(list(spec, do.call(ranking_data, given)), options))
}

task_features <- function(task) as.data.frame(task$data(cols = task$feature_names))

task_queries <- function(task, rows) {
  groups <- task$groups
  if (is.null(groups)) {
    stop_input("query", "The task has no queries.",
               remedy = "Make the query its group: `task$set_col_roles(\"query\", \"group\")`.",
               call = NULL)
  }
  groups$group[match(rows, groups$row_id)]
}
