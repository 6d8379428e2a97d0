# How a mixture is made beside its members and calibrators, as values: weighing(), holding_out(),
# member_grid() and mix_budget(), for mixture() and tune_and_mix().

#' How members are weighed, held out, multiplied and limited
#'
#' Values for the arguments `weigh`, `hold_out`, `grid` and `budget` of [mixture()] and
#' [tune_and_mix()].
#'
#' @param c Values of c to try, each from 0 (equal weights) to 200 (close to the
#'   best member alone), or `Inf` (the best alone).
#' @param threshold Values of \eqn{\omega_{min}}{omega_min} to try: members whose metric is
#'   not above it are left out. `-Inf` keeps all.
#' @param rounds Values of T to try: numbers of rounds; `NULL` for 10, 20, 50,
#'   100, 200, 500, ... up to the largest number of rounds of the members.
#'   A member with fewer rounds uses all it has.
#' @param members `"all"`; `"cpc"` or `"rbc"`, only members with [cpc()], or [rbc()];
#'   or `"one_best"`, the member with the best metric alone.
#' @param standardize `FALSE`: scores are mixed as they are. `NULL`: `TRUE` in [mix()], whose rankers may
#'   have scores of any scale, and `FALSE` in mixtures of calibrated members, which are on one scale.
#'   `TRUE`: the scores of a member are
#'   divided by their standard deviation on the validation data first. `"query"`: in each query
#'   the mean of the member is taken off and the rest divided by the standard deviation
#'   (divisor n - 1; 0 where all are the same), on new data too, which must then be
#'   [ranking_data()].
#' @param method Of `weighing()`, how members are weighed, see Details: `"exponential"`,
#'   `"selection"` or `"ascent"`. Of `holding_out()`, how the held-out data are used, see
#'   Details: `"crossfit"`, `"split"` or `"same"`. [mixture()] takes these names instead of
#'   the value too: `hold_out = "split"`.
#' @param steps For `"selection"`: numbers of steps to try, from 0.
#' @param start For `"selection"`: the most of the best members that it begins with.
#' @param bags For `"selection"`: with 1, or fewer than 10 members, it selects from all members,
#'   else in each of so many bags from a random half of them, and counts are averaged.
#' @param shrinkage For `"ascent"`: values of s to try, from 0 (the weights as found) to 1
#'   (the prior weights).
#' @param prior What members weigh before their metric is looked at. `"specification"`: equal
#'   weights for the specifications that were given (in [mix()]: for the rankers), and in each for
#'   its members. `"family"`: equal weights for families, members of one ranker, such as all of
#'   [gbrt()], and in a family for its members. `"member"`: equal weights for all members, as in the
#'   paper: a path of 14 penalties then counts by their number.
#' @param choose `"best"`: T and the setting (c and threshold, steps, or shrinkage) with the
#'   best mean of the metric over the held-out queries. `"averaged"`: T in this way; the weights
#'   are means over all settings, in which a setting has a share proportional to
#'   \eqn{e^{-d/s}}{exp(-d/s)}, where it is behind the best by d, a mean over queries of standard
#'   error s. `"one_se"`: the simplest of those that
#'   are behind the best by at most one standard error, that of the mean over queries of the
#'   difference to the best. Simpler is the smaller T, then the smaller c and the lower
#'   threshold, fewer steps, more shrinkage.
#' @param repeats,folds With `repeats` above 0 the values to choose by are found by
#'   cross-validation: so often the held-out queries are dealt to `folds` parts by chance, and
#'   each query is judged by weights that were found on the other parts (at most as many as
#'   there are queries), and these are the `value`s that the mixture tells of itself. With 0 a
#'   query is judged by weights that it helped to find. The weights of the mixture are always
#'   found on all held-out queries. `NULL`: 0 for `"exponential"`, as in the paper, and 2
#'   for the others, which would take the most steps and no shrinkage else.
#' @param share The share of the queries that train where no validation data are given; the
#'   others are held out. With `"split"` also the share of the training queries that train;
#'   the others calibrate.
#' @param parts For `"crossfit"`: the number of parts, from 2.
#' @param refit Whether, when all is chosen, members that were given as specifications are
#'   trained anew, with the same seeds, on the training and the held-out queries. T,
#'   calibrators and weights stay as they were found by the first models, and so do the
#'   held-out values, which say nothing of the new models: those have seen the queries.
#'   Training takes twice as long; of `seconds` each training then has a third.
#' @param crossfit In place of `method` and `parts`, as in earlier versions: 1 is `"same"`,
#'   more are so many parts of `"crossfit"`.
#' @param groupings Groupings of grades with each of which every specification that has a
#'   `grouping` is trained, as [group_grades()] takes them, such as `c("identity", "three")`;
#'   `NULL` leaves each its own.
#' @param features Sets of features on each of which every specification is trained:
#'   `"original"`; `"standardized"` and `"whitened"`, the original ones and those that
#'   [standardize_queries()] or [whiten_queries()] adds.
#' @param models,seconds No further specification is trained when there are so many trained
#'   models, or after half of so many seconds. The first is always trained. Calibration has the
#'   rest of the seconds, see Details of [mixture()].
#' @param ... Must be empty.
#'
#' @details
#' **Weighing.** With \eqn{\omega_m} the metric of member m on the held-out queries:
#'
#' * `"exponential"`: \eqn{\pi_m \propto p_m e^{c \omega_m}}{pi_m proportional to p_m exp(c
#'   omega_m)} where \eqn{\omega_m > \omega_{min}}{omega_m > omega_min}, else 0, with the prior
#'   weight \eqn{p_m}{p_m} (2013, equation 22, where all are equal). Two
#'   numbers are fitted, whatever the number of members.
#' * `"selection"`: forward selection with replacement. It starts from the best members, so
#'   many of the first `start` that their sum has the best metric, and in each step adds the
#'   member, also one that is in, that makes the metric of the summed scores best; equal ones by
#'   the better \eqn{\omega_m}, then in their order. It ends where the metric was highest within
#'   `steps`. Weights are the shares of the counts, averaged over bags. With `bags = 1` the
#'   mixture is never worse than the best member on the queries it was selected by.
#' * `"ascent"`: coordinate ascent of the metric from equal weights. In turn, by decreasing
#'   \eqn{\omega_m}, a member gets the share of the mixture for which the metric is highest; the
#'   others keep their proportions. The metric changes only where scores of two documents of a
#'   query cross, so that the best share is found exactly (metrics of [custom_metric()]: on a
#'   grid of steps of 0.05); of equal stretches between crossings the nearest, and its middle.
#'   It ends when no share changes, or after 10 turns. The weights
#'   are \eqn{(1 - s) w_m + s p_m}{(1 - s) w_m + s p_m}.
#'
#' The weights of the paper are `weighing(prior = "member", choose = "best")`. Which is best of
#' ten values of c is not sure of few held-out queries: averaging takes this into account, and
#' with many of them it comes to the best.
#'
#' Scores of the members are added up, so their scales matter: see `standardize`. The cost on n
#' held-out documents of M members is O(n M) and a sort for each value of c; for selection
#' O(n M) and M / 2 sorts a step and bag; for ascent M searches a turn, each of which sorts the
#' crossings of all queries; with cross-validation `repeats` times `folds` as much.
#'
#' Measured on queries that had neither trained nor weighed the members (`bench/weighing.md`: six
#' rankers with [fast_calibrators()], at one T; NDCG@10 with 95 % intervals): against the weights of
#' the paper `weighing(prior = "family")` changes the metric on simulated data by 0.0103 (0.0082 to
#' 0.0125) with 20 held-out queries, by 0.0046 (0.0022 to 0.0070) with 60, and by -0.0003 (-0.0020
#' to 0.0014) with 333; on halves of the validation queries of MQ2008 by 0.0022 (-0.0014 to 0.0057),
#' of OHSUMED by 0.0021 (-0.0073 to 0.0115). No other way is above it on all of these; the best
#' member alone is below it on all. With many specifications of one ranker,
#' `prior = "specification"` is better (`bench/members.md`).
#'
#' **Holding out.** What calibrators are fitted to, and what weighs members and chooses T:
#'
#' * `"crossfit"`: the held-out queries are dealt to `parts`, and each part is scored by
#'   calibrators fitted to the others; on these scores all is chosen. The mixture has
#'   calibrators fitted to all.
#' * `"split"`: the protocol of the paper. A `share` of the training queries, drawn by the seed,
#'   trains the members, the others calibrate them, and the validation queries choose. Members
#'   that are given trained should not have seen the queries that calibrate.
#' * `"same"`: calibrators are fitted to the documents whose scores tune the mixture: faster,
#'   but flexible regressions then look better than they are.
#'
#' @return A value that prints as it is typed.
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
#' weighing(c = c(0, 10, 50), threshold = c(-Inf, 0.4))
#' weighing(method = "selection", choose = "one_se")
#' holding_out(method = "split")
#' holding_out(share = 0.7)
#' member_grid(features = c("original", "standardized"))
#' mix_budget(seconds = 3600)
#' @name mixture_options
NULL

#' @rdname mixture_options
#' @export
weighing <- function(c = default_c, threshold = -Inf, rounds = NULL, members = "all",
                     standardize = NULL, method = "exponential", steps = default_steps,
                     start = 5, bags = 5, shrinkage = default_shrinkage, choose = "averaged",
                     repeats = NULL, folds = 5, prior = "specification", ...) {
  check_no_others(...)
  check_choice(members, "members", base::c("all", "cpc", "rbc", "one_best"))
  check_standardize(standardize)
  check_choice(method, "method", weighing_methods)
  check_count(start, "start")
  check_count(bags, "bags")
  check_choice(choose, "choose", base::c("averaged", "best", "one_se"))
  check_choice(prior, "prior", base::c("specification", "family", "member"))
  if (!is.null(repeats)) check_count(repeats, "repeats", min = 0, max = 1000)
  check_count(folds, "folds", min = 2)
  new_options("weighing", c = check_c(c), threshold = check_threshold(threshold),
              rounds = check_rounds_grid(rounds), members = members, standardize = standardize,
              method = method, steps = check_steps(steps), start = start, bags = bags,
              shrinkage = check_shrinkage(shrinkage), choose = choose, repeats = repeats,
              folds = folds, prior = prior)
}

weighing_methods <- c("exponential", "selection", "ascent")
holding_methods <- c("crossfit", "split", "same")

# Of one bag; the more the better are found, and the less they are sure to last.
default_steps <- c(0, 5, 10, 20)
default_shrinkage <- c(1, 0.75, 0.5, 0.25, 0)

#' @rdname mixture_options
#' @export
holding_out <- function(share = 0.8, parts = 2, method = "crossfit", refit = FALSE, ...,
                        crossfit = NULL) {
  check_no_others(...)
  check_number(share, "share", 0, 1)
  if (!is.null(crossfit)) {
    check_count(crossfit, "crossfit", max = 100)
    method <- if (crossfit == 1) "same" else "crossfit"
    parts <- max(2, crossfit)
  }
  check_choice(method, "method", holding_methods)
  check_count(parts, "parts", min = 2, max = 100)
  check_flag(refit, "refit")
  new_options("holding_out", share = share, parts = parts, method = method, refit = refit)
}

# The number of parts that calibrators are cross-fitted in; 1 where they are not.
crossfit_of <- function(hold_out) if (hold_out$method == "crossfit") hold_out$parts else 1

#' @rdname mixture_options
#' @export
member_grid <- function(groupings = NULL, features = "original", ...) {
  check_no_others(...)
  new_options("member_grid", groupings = check_groupings(groupings),
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

# For the row of mixture(): a value of the constructor, or the name of one of its methods.
an_option <- function(name, methods = NULL) {
  function(x, argument, call) {
    if (!is.null(methods) && is.character(x)) {
      return(check_choice(x, argument, methods, call))
    }
    check_class(x, argument, paste0("rankmix_", name), sprintf("`%s()`", name), call)
  }
}

# The arguments of mixture() that hold such values, with their constructors.
mixture_options <- c(weigh = "weighing", hold_out = "holding_out", grid = "member_grid",
                     budget = "mix_budget")

# As one would type it.
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
  good <- is.numeric(steps) && length(steps) > 0L && !anyNA(steps) &&
    all(steps >= 0 & steps <= 1e4 & steps == round(steps))
  if (!good) {
    stop_input("argument", sprintf("`steps` must be whole numbers from 0 to 10000, not %s.",
                                   show_value(steps)), call = call)
  }
  sort(unique(as.double(steps)))
}

# The simplest first.
check_shrinkage <- function(shrinkage, call = rlang::caller_env()) {
  good <- is.numeric(shrinkage) && length(shrinkage) > 0L && !anyNA(shrinkage) &&
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
  good <- is.numeric(rounds) && length(rounds) > 0L && !anyNA(rounds) &&
    all(rounds >= 1 & rounds <= 1e6 & rounds == round(rounds))
  if (!good) {
    stop_input("argument",
               sprintf("`rounds` must be whole numbers from 1 to 1000000, not %s.",
                       show_value(rounds)),
               call = call)
  }
  sort(unique(as.integer(rounds)))
}
