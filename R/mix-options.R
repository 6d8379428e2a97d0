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
#' @param standardize Whether scores of a member are divided by their standard deviation on
#'   the held-out data first.
#' @param share The share of the queries that train where no validation data are given; the
#'   others are held out.
#' @param crossfit Number of parts of the held-out queries. With 2 or more, members are tuned
#'   on scores by calibrators that have not seen the query: each part is scored by a fit on
#'   the others. The mixture has calibrators fitted to all. With 1, as in the paper,
#'   calibrators are fitted to the documents whose scores tune the mixture: faster, but
#'   flexible regressions then look better than they are.
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
#' @return A value that prints as it is typed.
#' @section Conditions: `rankmix_error_argument`: a value that is not allowed.
#' @examples
#' weighing(c = c(0, 10, 50), threshold = c(-Inf, 0.4))
#' holding_out(share = 0.7)
#' member_grid(features = c("original", "standardized"))
#' mix_budget(seconds = 3600)
#' @name mixture_options
NULL

#' @rdname mixture_options
#' @export
weighing <- function(c = default_c, threshold = -Inf, rounds = NULL, members = "all",
                     standardize = FALSE, ...) {
  check_no_others(...)
  check_choice(members, "members", base::c("all", "cpc", "rbc", "one_best"))
  check_flag(standardize, "standardize")
  new_options("weighing", c = check_c(c), threshold = check_threshold(threshold),
              rounds = check_rounds_grid(rounds), members = members, standardize = standardize)
}

#' @rdname mixture_options
#' @export
holding_out <- function(share = 0.8, crossfit = 2, ...) {
  check_no_others(...)
  check_number(share, "share", 0, 1)
  check_count(crossfit, "crossfit", max = 100)
  new_options("holding_out", share = share, crossfit = crossfit)
}

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

# For the row of mixture(): a value of the constructor.
an_option <- function(name) {
  function(x, argument, call) {
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
