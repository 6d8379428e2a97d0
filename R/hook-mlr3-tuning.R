# Settings of rankers as parameters of the package paradox, for mlr3tuning.

#' The tuning space of a ranker for mlr3tuning
#'
#' Converts the settings that [tune_ranker()] varies to a search space of the package paradox, for `tune()`
#' of mlr3tuning.
#'
#' @param spec The specification, such as [lambdamart()].
#' @param space The space: a list with an element for each setting, named like it. An element is a
#'   [tuning_range()] or a vector of choices. The default `NULL` is [tuning_space()] of `spec`.
#' @param ... Must be empty.
#' @return A `ParamSet` of the package paradox. Ranges with `log = TRUE` are sampled on the logarithmic scale.
#' @details The learner of [mlr3_learner()] has all settings in its `param_set`. So `to_tune()` works, too:
#'   `learner$param_set$set_values(learning_rate = to_tune(0.02, 0.3, logscale = TRUE))`.
#'
#'   The number of rounds has the tag `"budget"`. mlr3 trains without validation data, so all rounds are used.
#'   [tune_ranker()] instead chooses the number of rounds in each training, on validation data.
#' @section Conditions: `rankmix_error_argument`: a setting that the ranker does not have, or a value that is
#'   not allowed.
#' @section Use:
#' ```r
#' tuned <- tune(tnr("random_search"), task, mlr3_learner(lambdamart(trees = 200), seed = 1),
#'               rsmp("cv", folds = 5), mlr3_measure("ndcg@10"), term_evals = 20,
#'               search_space = mlr3_space(lambdamart()))
#' tuned$result_learner_param_vals
#' ```
#' @examples
#' if (rlang::is_installed("paradox")) mlr3_space(lambdamart())
#' @export
mlr3_space <- function(spec, space = NULL, ...) {
  check_no_others(...)
  check_given(missing(spec), "spec", "For example `lambdamart()`.")
  check_spec(spec, "spec")
  space <- if (is.null(space)) tuning_space(spec) else check_space(spec, space, rlang::current_env())
  paradox_set(lapply(space, paradox_range))
}

paradox_set <- function(domains) do.call(of_package("paradox", "ps", "for rankers in mlr3."), domains)

paradox_range <- function(values) {
  if (!inherits(values, "rankmix_tuning_range")) {
    labels <- make.unique(vapply(values, setting_text, ""))
    return(of_package("paradox", "p_fct")(levels = stats::setNames(unname(values), labels)))
  }
  domain <- of_package("paradox", if (values$integer) "p_int" else "p_dbl")
  domain(values$low, values$high, logscale = values$log)
}

# The settings of a ranker, without the setting that its constructor takes as `...`. No value is set, so the values
# of the specification are used. Values are checked by the constructor.
mlr3_parameters <- function(spec) {
  entry <- entry_of(spec)
  names <- setdiff(names(entry$parameters), entry$dots)
  paradox_set(lapply(stats::setNames(names, names), function(name) {
    range <- entry$parameters[[name]]$range
    if (identical(name, entry$rounds)) {
      of_package("paradox", "p_int")(lower = 1, tags = c("train", "budget"))
    } else if (is.null(range)) {
      of_package("paradox", "p_uty")(tags = "train", custom_check = function(x) setting_problem(spec, name, x))
    } else {
      of_package("paradox", if (range$integer) "p_int" else "p_dbl")(tags = "train")
    }
  }))
}

# TRUE for an allowed value, else the text of the problem, as paradox requires.
setting_problem <- function(spec, name, value) {
  tryCatch({
    with_settings(spec, stats::setNames(list(value), name))
    TRUE
  }, rankmix_error = function(e) conditionMessage(e))
}
