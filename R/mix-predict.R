#' Predict with a mixture
#'
#' @param object The mixture, made by [tune_and_mix()].
#' @param newdata The documents: [ranking_data()], a numeric matrix or a data frame. Columns
#'   are matched by name if both sides have names, else by position.
#' @param type The result: `"score"` (the default), `"rank"` or `"member"`, see Value.
#' @param threads Number of threads. Results do not depend on it.
#' @param ... Must be empty.
#'
#' @return In the row order of `newdata`:
#'   * `"score"`: a numeric vector, higher is more relevant.
#'   * `"rank"`: the rank within the query, 1 for the best, ties in row order. `newdata` must then be
#'     [ranking_data()].
#'   * `"member"`: the scores of the members, documents x members.
#'
#'   `"score"` and `"rank"` use only classifiers with members of positive weight.
#' @export
predict.rankmix_mixture <- function(object, newdata,
                                    type = c("score", "rank", "member"),
                                    threads = NULL, ...) {
  check_no_others(...)
  check_given(missing(newdata), "newdata")
  type <- check_choice(type[1L], "type", c("score", "rank", "member"))
  threads <- check_threads(threads)
  asking_model(object, {
    if (type == "member") {
      members <- member_scores(object, newdata, seq_len(nrow(object$members)), threads)
      colnames(members) <- member_labels(object)
      return(members)
    }
    scores <- scores_of_mixture(object, newdata, threads)
    if (type == "score") scores else rank_within_queries(scores, newdata, model = object)
  })
}

# Members of weight 0 are not predicted.
scores_of_mixture <- function(mixture, newdata, threads, call = rlang::caller_env()) {
  wanted <- which(mixture$members$weight > 0)
  weight <- mixture$members$weight[wanted]
  if (identical(mixture$standardize, "query")) {
    members <- member_scores(mixture, newdata, wanted, threads, call)
    return(mix_scores(members, cbind(weight), threads)[, 1L])
  }
  asked <- members_asked(mixture, newdata, wanted, threads, call)
  members_mixed(asked$fitted, asked$inputs, asked$input_of, asked$scale, weight, threads)
}

# The calibrated scores of the members `wanted`: documents x members.
member_scores <- function(mixture, newdata, wanted, threads, call = rlang::caller_env()) {
  asked <- members_asked(mixture, newdata, wanted, threads, call)
  scores <- members_scores(asked$fitted, asked$inputs, asked$input_of, asked$scale, threads)
  if (!identical(mixture$standardize, "query")) {
    return(scores)
  }
  if (!inherits(newdata, "ranking_data")) {
    stop_input("newdata", "The mixture standardises the scores of its members query by query.",
               remedy = "Give ranking data, made by `ranking_data()`.", call = call)
  }
  standardized_members(scores, newdata, threads)
}

# The calibrators of the wanted members, the inputs from each of their models, the input that each
# calibrator uses, and the scale of its scores.
members_asked <- function(mixture, newdata, wanted, threads, call) {
  model_of <- mixture$members$model[wanted]
  used <- unique(model_of)
  list(fitted = mixture$fitted[wanted],
       inputs = member_inputs(mixture$classifiers[used], newdata, mixture$rounds, threads, call),
       input_of = match(model_of, used),
       scale = mixture$scale[wanted])
}

# The calibrator inputs from each model, documents x grades or x 1.
member_inputs <- function(models, newdata, rounds, threads, call) {
  group <- feature_groups(models)
  inputs <- vector("list", length(models))
  for (first in unique(group)) {
    own <- which(group == first)
    x <- features_of_model(models[[first]], newdata, threads, call)
    inputs[own] <- inputs_of_features(models[own], x, rounds, threads)
  }
  inputs
}

standardized_members <- function(scores, newdata, threads) {
  names <- dimnames(scores)
  structure(standardize_features(scores, newdata$order, newdata$offsets, threads),
            dimnames = names)
}

member_labels <- function(mixture) {
  paste(mixture$members$classifier, mixture$members$calibrator, sep = " + ")
}

#' @export
print.rankmix_mixture <- function(x, n = 5L, ...) {
  check_count(n, "n", min = 0, infinite = TRUE)
  rankers <- nrow(ranker_table(x))
  say(sprintf("<mixture> %s, %s%s", counted(rankers, "ranker"), counted(nrow(x$members), "member"),
              if (is.null(x$calibrators)) "" else sprintf(" by %s", x$calibrators)))
  say(sprintf("Chosen: T = %d rounds, %s", x$rounds, setting_words(x)))
  print_left_out(x$skipped)
  print_rankers(x, n)
  invisible(x)
}

print_left_out <- function(skipped) {
  kind <- names(skipped)
  specifications <- skipped[kind == "specification"]
  if (length(specifications) > 0L) {
    say(sprintf("Not trained: %s", enumerate(unname(specifications), 2L)))
  }
  if (any(kind == "refit")) {
    say(sprintf("Not trained anew: %s", enumerate(unname(skipped[kind == "refit"]), 2L)))
  }
  if (any(kind == "unfit")) {
    say(sprintf("Not calibrated: %s", enumerate(unname(skipped[kind == "unfit"]), 2L)))
  }
  calibrators <- sum(kind == "calibrator")
  out_of_time <- c(if (calibrators > 0L) counted(calibrators, "calibrator"),
                   skipped[kind == "T"])
  if (length(out_of_time) > 0L) {
    say(sprintf("Out of time: %s; see $skipped", paste(out_of_time, collapse = "; ")))
  }
}

#' Rankers of a mixture, and their contributions
#'
#' `print()` of a mixture shows the rankers with the largest weights. `summary()` shows all rankers and all
#' members.
#'
#' @param object The mixture, made by [tune_and_mix()] or [mix()].
#' @param level The level of the intervals, in (0, 1); default 0.95.
#' @param ... Must be empty.
#' @return A data frame with one row a member, by decreasing weight: `ranker`,
#'   `classifier`, `features`, `calibrator`, `rounds` (the number in use), `weight` and
#'   `value`, its metric on the validation data. For [mix()]: `ranker`, `weight` and `value`.
#'   The attribute `rankers` is a data frame with a row for each ranker: `ranker`, the number of its
#'   `members`, `weight`, `value`, `without`, `adds`, `lower` and `upper`. `print()` shows the rankers and the
#'   20 members with the largest weights, by short labels cut to `options(width)`. `as.data.frame()` returns
#'   the members, which print in full.
#' @examples
#' train <- read_letor(system.file("extdata", "train.txt.gz", package = "rankmix"))
#' valid <- read_letor(system.file("extdata", "vali.txt.gz", package = "rankmix"))
#' mixture <- tune_and_mix(train, valid, list(trees = adaboost_mh(base_tree(4), rounds = 20),
#'                                            line = linear_ranker(penalty = 1)),
#'                         seed = 1, threads = 1)
#' summary(mixture)
#' @details A ranker is what the user gave: a specification, a model, a function or scores. In mixtures of
#'   [tune_and_mix()] a ranker can have several members: one for each calibrator, set of features,
#'   grouping and step of a path.
#'
#'   * `weight`: the sum of the weights of the ranker's members.
#'   * `value`: the mean validation metric of the ranker alone, as a mixture of its members. With
#'     `mix_holdout("crossfit")` its calibrators are out-of-fold.
#'   * `without`: the metric of the mixture of all other rankers, weighted anew with the same method and
#'     setting.
#'   * `adds`: the mean over queries of the metric of the mixture minus the metric of the mixture without the
#'     ranker. `lower` and `upper` are the limits of its t interval, with n - 1 degrees of freedom for n
#'     queries.
#'
#'   All weights were found on these queries. The interval covers the sampling of queries, not the optimism
#'   of the fit. Values are `NA` if the other rankers cannot be mixed, for example if all are below the
#'   threshold.
#' @export
summary.rankmix_mixture <- function(object, level = 0.95, ...) {
  check_no_others(...)
  check_level(level)
  members <- object$members
  used <- vapply(object$classifiers, member_rounds, integer(1), object$rounds)
  members$rounds <- used[members$model]
  columns <- c("ranker", "classifier", "features", "calibrator", "rounds", "weight", "value")
  members <- members[order(-members$weight), intersect(columns, names(members))]
  rownames(members) <- NULL
  new_mixture_summary(members, object, level)
}

new_mixture_summary <- function(members, mixture, level) {
  structure(members, class = c("rankmix_mixture_summary", "data.frame"),
            rankers = ranker_table(mixture, level), shown = format(mixture$metric), level = level)
}

#' @export
print.rankmix_mixture_summary <- function(x, n = 20L, ...) {
  check_count(n, "n", min = 0, infinite = TRUE)
  rankers <- attr(x, "rankers")
  # A subset of a summary has lost the table of rankers; only its members are printed.
  if (!is.null(rankers)) print_ranker_table(rankers, attr(x, "shown"), attr(x, "level"))
  # In mix() a ranker is one member.
  if (!is.null(rankers) && !"calibrator" %in% names(x)) {
    return(invisible(x))
  }
  shown <- utils::head(as.data.frame(x), n)
  if (all(c("classifier", "calibrator") %in% names(shown))) {
    if (!is.null(rankers)) say("Members:")
    shown <- with_member_labels(shown)
  }
  numbers <- intersect(c("weight", "value"), names(shown))
  shown[numbers] <- lapply(shown[numbers], function(value) sprintf("%.4f", value))
  print(shown, ...)
  if (nrow(x) > nrow(shown)) {
    say(sprintf("... and %d more", nrow(x) - nrow(shown)))
  }
  invisible(x)
}

print_ranker_table <- function(rankers, metric, level) {
  say(sprintf("Rankers, by %s on the validation queries:", metric))
  lines <- ranker_lines(rankers, !all(is.na(rankers$value)))
  lines[1L] <- sub("95 %", paste(format(100 * level), "%"), lines[1L], fixed = TRUE)
  label_width <- max(getOption("width") - max(nchar(lines)) - 5L, shortest_label)
  say(paste0("  ", format(shorten(c("", rankers$ranker), label_width)), "  ", lines))
}

# A short label of classifier, features and calibrator, cut to the width that the other columns
# leave.
with_member_labels <- function(members) {
  others <- members[setdiff(names(members), c("ranker", "classifier", "features", "calibrator"))]
  # A numeric column is as wide as its header, plus a space.
  label_width <- getOption("width") - max(0L, nchar(rownames(members))) -
    sum(pmax(nchar(names(others)), 6L) + 1L) - 2L
  data.frame(member = format(shorten(short_labels(members), max(label_width, shortest_label))),
             others, row.names = rownames(members))
}

shortest_label <- 10L

#' @export
as.data.frame.rankmix_mixture_summary <- function(x, ...) {
  structure(x, class = "data.frame", rankers = NULL, shown = NULL, level = NULL)
}
