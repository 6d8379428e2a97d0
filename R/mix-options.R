# Options of a mixture as values: mix_weights(), mix_holdout(), mix_grid() and mix_budget(), for mixture()
# and tune_and_mix().

#' Options of a mixture
#'
#' Values for arguments of [mixture()] and [tune_and_mix()]. `weights = mix_weights()` sets the weighting.
#' `holdout = mix_holdout()` sets which queries are used to calibrate and tune. `grid = mix_grid()` adds
#' variants of members. `budget = mix_budget()` limits the number of models and the time.
#'
#' @param c The values of c to try, the exponent of `"exponential"` weights, from 0 to 200, or `Inf`. 0
#'   gives equal weights, `Inf` the best member alone.
#' @param threshold The values of \eqn{\omega_{min}}{omega_min} to try. Members whose metric is not above
#'   this threshold get weight 0. The default `-Inf` keeps all members.
#' @param rounds The values of T to try: numbers of rounds. The default `NULL` tries 10, 20, 50, 100,
#'   200, 500, ... up to the largest number of rounds of the members. Members with fewer rounds use all
#'   of them.
#' @param members The members to use: `"all"` (the default), `"cpc"` or `"rbc"` (only [calibrator_cpc()]
#'   or [calibrator_rbc()]), or `"one_best"`.
#' @param standardize The scaling of scores. `FALSE`: none. `TRUE`: divided by the member's standard
#'   deviation on the validation data. `"query"`: mean 0 and standard deviation 1 (divisor n - 1; 0 for
#'   constant scores) in each query, so that new data must be [ranking_data()]. The default `NULL` means
#'   `TRUE` in [mix()], whose rankers may have any scale. `NULL` means `FALSE` in mixtures, whose calibrated
#'   members share a scale.
#' @param method The method. For `mix_weights()`: `"exponential"` (the default), `"selection"` or
#'   `"ascent"`. For `mix_holdout()`: `"crossfit"` (the default), `"split"` or `"same"`. [mixture()]
#'   accepts the name alone.
#' @param steps The numbers of steps to try for `"selection"`, from 0; default 0, 5, 10 and 20.
#' @param start Number of best members, at most, with which `"selection"` starts; default 5.
#' @param bags Number of bags for `"selection"`; default 5. Each bag selects from a random half of the
#'   members. With 1 bag, or with fewer than 10 members, selection uses all members.
#' @param shrinkage The values of s to try for `"ascent"`, from 0 (the weights that the search found) to 1
#' (the prior weights); default 1, 0.75, 0.5, 0.25 and 0.
#' @param prior The prior weights, before the metric is used. With `"specification"` (the default), each
#' specification, or each ranker of [mix()], has the same weight, which is split among its members.
#' With `"family"`, each family has the same weight, such as all [gbrt()] members. With `"member"`, as in
#' the paper, each member has the same weight. A path of 14 penalties then counts 14 times. Keep the
#' default with many specifications of one ranker.
#' @param choose The choice of T and of the setting (c and threshold, steps, or shrinkage).
#'   `"averaged"`, the default: the best T, with weights averaged over all settings. `"best"`: the
#'   setting with the best mean metric on the validation queries. `"one_se"`: the simplest setting
#'   within one standard error of the best.
#' @param repeats,folds Number of repeats and of folds of the cross-validation of the choice. Each query
#'   is then scored with weights found on the other folds. The final weights use all validation queries.
#'   The default `NULL` is 0 repeats for `"exponential"`, as in the paper, and 2 for the other methods,
#'   because without cross-validation these methods choose the most steps and no shrinkage. `folds` is 5 by default.
#' @param fraction The fraction of queries used for training if no validation data are given; default 0.8. With
#' `"split"`, this fraction of the training queries trains members, and the others calibrate.
#' @param parts Number of folds for `"crossfit"`, from 2 (the default).
#' @param refit Whether the chosen specifications are finally trained on training and validation
#'   queries, with the same seeds; default `FALSE`. T, calibrators, weights and validation values do not change. So the
#'   validation values belong to the models before `refit`. Each of the two trainings may take a third of `seconds`.
#' @param groupings The groupings of grades to try, for specifications with a `grouping`. See
#'   [group_grades()], such as `c("identity", "three")`. With the default `NULL`, each specification keeps its own
#'   grouping.
#' @param features The feature sets of every specification: `"original"` (the default). `"standardized"`
#'   and `"whitened"` add the features of [standardize_queries()] or [whiten_queries()].
#' @param models,seconds The limits; default `Inf`. Training ends after `models` models, or half of
#'   `seconds`, but never before the first. See [mixture()].
#' @param ... Must be empty.
#'
#' @return A value for the argument of the mixture. `print()` shows its call.
#' @details
#' **Weights.** \eqn{\omega_m} is the metric of member m on the validation queries and \eqn{p_m} the
#' prior weight.
#'
#' * `"exponential"`: \eqn{\pi_m \propto p_m e^{c \omega_m}}{pi_m proportional to p_m exp(c omega_m)} if
#'   \eqn{\omega_m > \omega_{min}}{omega_m > omega_min}, else 0. This is equation 22 of the 2013 paper,
#'   where all \eqn{p_m} are equal.
#' * `"selection"`: forward selection with replacement. The selection starts with the sum of the best few members, at
#'   most `start`. The number of first members is chosen by the metric. Each step adds the member that makes the
#'   metric of the sum best. Ties go to the better \eqn{\omega_m}, then to the first member. The sum with the best
#'   metric within `steps` is used. The sum can contain a member several times. The weight of a member is its fraction
#'   of the sum, averaged over bags. With `bags = 1` the mixture is never worse than the best member on these queries.
#' * `"ascent"`: coordinate ascent of the metric from equal weights. Members take turns, by decreasing
#'   \eqn{\omega_m}. Each member gets the fraction of the mixture that gives the highest metric. The search is
#'   exact, except for [metric_custom()] (a grid of step 0.05). If several intervals have the highest metric, the
#'   midpoint of the nearest interval is used. The search ends when no weight changes, or after 10 cycles. The
#'   weights are \eqn{(1 - s) w_m + s p_m}{(1 - s) w_m + s p_m}.
#'
#' **Choice.** For `"averaged"`, let d be the difference of the best mean to the mean of a setting, and s the
#' standard error of d over queries. The weight of the setting is proportional to \eqn{e^{-d/s}}{exp(-d/s)}. A
#' setting is simpler if T is smaller. If T is equal, it is simpler with a smaller c and a lower threshold, fewer
#' steps, or more shrinkage.
#'
#' **Which method.** With few validation queries the best c is uncertain, and the average accounts for
#' this. The weights of the paper are `mix_weights(prior = "member", choose = "best")`. With 20 simulated validation
#' queries, `prior = "family"` had a higher NDCG@10 on test queries than these weights, by 0.0103. With 333 queries,
#' and on MQ2008 and OHSUMED, no difference was shown (`bench/weighting.md`).
#'
#' **Validation.** Calibrators are fitted, and the mixture is tuned, on these queries:
#'
#' * `"crossfit"`: the validation queries are assigned to `parts` folds. Each fold is scored by calibrators that
#'   were fitted on the other folds. The mixture is tuned on these scores. The final calibrators use all folds.
#' * `"split"`: the protocol of the paper. A random `fraction` of the training queries trains the members. The other
#'   training queries calibrate them, and the validation queries tune the mixture. Do not use members that were
#'   trained on the calibration queries.
#' * `"same"`: the validation queries are used to calibrate and to tune. This method is faster, but flexible calibrators
#'   seem better than they are.
#'
#' **Cost.** For M members and n validation documents: `"exponential"` takes O(n M) and a sort for each
#' c. `"selection"` takes O(n M) and M / 2 sorts for each step and bag. `"ascent"` takes M searches a
#' cycle, each of which sorts the weights at which two documents of a query swap. Cross-validation multiplies this by
#' `repeats` times `folds`.
#'
#' @section Conditions: `rankmix_error_argument`: a value that is not allowed.
#' @references Busa-Fekete, Kegl, Elteto and Szarvas (2013). Tune and mix: learning to rank
#'   using ensembles of calibrated multi-class classifiers. \doi{10.1007/s10994-013-5360-9}
#'
#'   Caruana, Niculescu-Mizil, Crew and Ksikes (2004). Ensemble selection from libraries of
#'   models. \doi{10.1145/1015330.1015432}
#'
#'   Metzler and Croft (2007). Linear feature-based models for information retrieval.
#'   \doi{10.1007/s10791-006-9019-z}
#' @examples
#' mix_weights(c = c(0, 10, 50), threshold = c(-Inf, 0.4))
#' mix_weights(method = "selection", choose = "one_se")
#' mix_holdout(method = "split")
#' mix_holdout(fraction = 0.7)
#' mix_grid(features = c("original", "standardized"))
#' mix_budget(seconds = 3600)
#' @name mixture_options
NULL

#' @rdname mixture_options
#' @export
mix_weights <- function(c = default_c, threshold = -Inf, rounds = NULL, members = "all",
                     standardize = NULL, method = "exponential", steps = default_steps,
                     start = 5, bags = 5, shrinkage = default_shrinkage, choose = "averaged",
                     repeats = NULL, folds = 5, prior = "specification", ...) {
  check_no_others(...)
  check_choice(members, "members", base::c("all", "cpc", "rbc", "one_best"))
  check_standardize(standardize)
  check_choice(method, "method", weighting_methods)
  check_count(start, "start")
  check_count(bags, "bags")
  check_choice(choose, "choose", base::c("averaged", "best", "one_se"))
  check_choice(prior, "prior", base::c("specification", "family", "member"))
  if (!is.null(repeats)) check_count(repeats, "repeats", min = 0, max = 1000)
  check_count(folds, "folds", min = 2)
  new_options("mix_weights", c = check_c(c), threshold = check_threshold(threshold),
              rounds = check_rounds_grid(rounds), members = members, standardize = standardize,
              method = method, steps = check_steps(steps), start = start, bags = bags,
              shrinkage = check_shrinkage(shrinkage), choose = choose, repeats = repeats,
              folds = folds, prior = prior)
}

weighting_methods <- c("exponential", "selection", "ascent")
holdout_methods <- c("crossfit", "split", "same")

# Numbers of steps of one bag to try. More steps fit the validation data better, and may overfit.
default_steps <- c(0, 5, 10, 20)

default_shrinkage <- c(1, 0.75, 0.5, 0.25, 0)

#' @rdname mixture_options
#' @export
mix_holdout <- function(fraction = 0.8, parts = 2, method = "crossfit", refit = FALSE, ...) {
  check_no_others(...)
  check_number(fraction, "fraction", 0, 1)
  check_choice(method, "method", holdout_methods)
  check_count(parts, "parts", min = 2, max = 100)
  check_flag(refit, "refit")
  new_options("mix_holdout", fraction = fraction, parts = parts, method = method, refit = refit)
}

#' @rdname mixture_options
#' @export
mix_grid <- function(groupings = NULL, features = "original", ...) {
  check_no_others(...)
  new_options("mix_grid", groupings = check_groupings(groupings),
              features = check_features(features))
}

#' @rdname mixture_options
#' @export
mix_budget <- function(models = Inf, seconds = Inf, ...) {
  check_no_others(...)
  check_count(models, "models", infinite = TRUE)
  new_options("mix_budget", models = models, seconds = check_seconds(seconds))
}

new_options <- function(name, ...) {
  structure(list(...), class = c(paste0("rankmix_", name), "rankmix_options"))
}

# A check of the registry entry of mixture(): a value of the constructor, or the name of a method.
an_option <- function(name, methods = NULL) {
  function(x, argument, call) {
    if (!is.null(methods) && is.character(x)) {
      return(check_choice(x, argument, methods, call))
    }
    check_class(x, argument, paste0("rankmix_", name), sprintf("`%s()`", name), call)
  }
}

# The arguments of mixture() that hold such values, with their constructors.
mixture_options <- c(weights = "mix_weights", holdout = "mix_holdout", grid = "mix_grid",
                     budget = "mix_budget")

# The call that makes the value.
#' @export
format.rankmix_options <- function(x, ...) {
  name <- sub("^rankmix_", "", class(x)[1L])
  defaults <- formals(get(name, envir = environment(new_options), mode = "function"))
  parts <- lapply(names(x), function(setting) {
    if (same_setting(x[[setting]], defaults[[setting]])) return(NULL)
    sprintf("%s = %s", setting, setting_text(x[[setting]]))
  })
  sprintf("%s(%s)", name, paste(unlist(parts), collapse = ", "))
}

#' @export
print.rankmix_options <- function(x, ...) {
  say(format(x))
  invisible(x)
}

check_groupings <- function(groupings, call = rlang::caller_env()) {
  if (is.null(groupings)) {
    return(NULL)
  }
  groupings <- if (is.character(groupings)) as.list(groupings) else groupings
  if (!is.list(groupings) || length(groupings) == 0L) {
    stop_input("argument",
               sprintf("`groupings` must be names or a list of groupings, not %s.",
                       show_value(groupings)), call = call)
  }
  lapply(groupings, grouping_grades, call = call)
  groupings
}

check_features <- function(features, call = rlang::caller_env()) {
  if (!is.character(features) || length(features) == 0L ||
        !all(features %in% feature_sets)) {
    stop_input("argument",
               sprintf("`features` must be among %s, not %s.",
                       paste0("\"", feature_sets, "\"", collapse = ", "),
                       show_value(features)), call = call)
  }
  unique(features)
}

check_seconds <- function(seconds, call = rlang::caller_env()) {
  if (!is_plain_number(seconds) || length(seconds) != 1L || is.na(seconds) || seconds <= 0) {
    stop_input("argument",
               sprintf("`seconds` must be a number above 0, or Inf, not %s.",
                       show_value(seconds)), call = call)
  }
  seconds
}

check_standardize <- function(standardize, call = rlang::caller_env()) {
  if (!is.null(standardize) && !identical(standardize, "query") && !rlang::is_bool(standardize)) {
    stop_input("argument",
               sprintf("`standardize` must be TRUE, FALSE or \"query\", not %s.",
                       show_value(standardize)), call = call)
  }
}

check_steps <- function(steps, call = rlang::caller_env()) {
  good <- is_plain_number(steps) && length(steps) > 0L && !anyNA(steps) &&
    all(steps >= 0 & steps <= 1e4 & steps == round(steps))
  if (!good) {
    stop_input("argument", sprintf("`steps` must be whole numbers from 0 to 10000, not %s.",
                                   show_value(steps)), call = call)
  }
  sort(unique(as.double(steps)))
}

# Checks the shrinkage. Returns the values in the order of simplicity, the simplest first.
check_shrinkage <- function(shrinkage, call = rlang::caller_env()) {
  good <- is_plain_number(shrinkage) && length(shrinkage) > 0L && !anyNA(shrinkage) &&
    all(shrinkage >= 0 & shrinkage <= 1)
  if (!good) {
    stop_input("argument", sprintf("`shrinkage` must be numbers from 0 to 1, not %s.",
                                   show_value(shrinkage)), call = call)
  }
  sort(unique(shrinkage), decreasing = TRUE)
}

check_rounds_grid <- function(rounds, call = rlang::caller_env()) {
  if (is.null(rounds)) {
    return(NULL)
  }
  good <- is_plain_number(rounds) && length(rounds) > 0L && !anyNA(rounds) &&
    all(rounds >= 1 & rounds <= 1e6 & rounds == round(rounds))
  if (!good) {
    stop_input("argument",
               sprintf("`rounds` must be whole numbers from 1 to 1000000, not %s.",
                       show_value(rounds)),
               call = call)
  }
  sort(unique(as.integer(rounds)))
}
