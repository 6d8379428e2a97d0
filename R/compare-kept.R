# The models that a benchmark keeps, to explain rankings in its report.

# Marks the tasks whose results must have their models: the first training of each fold. The mark is not part of the
# keys of tasks, so that a directory serves calls with and without models. Fitted models are not trained, so they
# are not stored once more for each fold.
keep_task_models <- function(tasks) {
  lapply(tasks, function(task) {
    task$keep_model <- task$cut == task$part && ranker_kind(task$ranker) != "model"
    task
  })
}

# A list of one model of rankmix. An empty list for other rankers. So a result that was stored without its model can
# be distinguished from a ranker without a model.
kept_model <- function(ranker) Filter(is_explainable, list(ranker))

is_explainable <- function(ranker) inherits(ranker, "rankmix_ranker")

# Whether a stored result must be computed again, because its model was not stored.
lacks_model <- function(task, result) isTRUE(task$keep_model) && !is.null(result) && is.null(result$model)

# models[[fold]][[ranker]]. Rankers that failed and rankers without a model of rankmix are left out.
fold_models <- function(tasks, results) {
  first <- vapply(tasks, function(task) task$cut == task$part, NA)
  by_fold <- split(which(first), factor_in_order(vapply(tasks[first], `[[`, "", "part")))
  lapply(by_fold, function(own) {
    models <- lapply(own, function(i) {
      if (ranker_kind(tasks[[i]]$ranker) == "model") kept_model(tasks[[i]]$ranker) else results[[i]]$model
    })
    names(models) <- vapply(tasks[own], `[[`, "", "name")
    lapply(Filter(function(model) length(model) > 0L, models), `[[`, 1L)
  })
}
