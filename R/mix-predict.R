#' Predict with a mixture
#'
#' @param object A mixture, made by [tune_and_mix()].
#' @param newdata [ranking_data()], a numeric matrix or a data frame. Columns
#'   are matched by name when both sides have names, else by position.
#' @param type `"score"`, `"rank"` or `"member"`, see Value.
#' @param threads Number of threads; results do not depend on it.
#' @param ... Must be empty.
#'
#' @return For `"score"` a numeric vector in the row order of `newdata`, higher
#'   is more relevant. For `"rank"` the rank within the query, 1 for the best,
#'   ties in row order; `newdata` must then be [ranking_data()]. For `"member"`
#'   the scores of the members, documents x members. Only classifiers that have members of
#'   positive weight are used for the others.
#' @export
predict.rankmix_mixture <- function(object, newdata,
                                    type = c("score", "rank", "member"),
                                    threads = NULL, ...) {
  check_no_others(...)
  check_given(missing(newdata), "newdata")
  type <- check_choice(type[1L], "type", c("score", "rank", "member"))
  threads <- check_threads(threads)
  if (type == "member") {
    members <- member_scores(object, newdata, seq_len(nrow(object$members)), threads)
    colnames(members) <- member_labels(object)
    return(members)
  }
  scores <- scores_of_mixture(object, newdata, threads)
  if (type == "score") scores else rank_within_queries(scores, newdata)
}

# The members of no weight are not asked.
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

# Documents x the members `wanted`.
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

# The fitted calibrators of members, what each of their models gives them to see, which one of
# these each sees, and what its scores are multiplied by.
members_asked <- function(mixture, newdata, wanted, threads, call) {
  model_of <- mixture$members$model[wanted]
  used <- unique(model_of)
  list(fitted = mixture$fitted[wanted],
       inputs = member_inputs(mixture$classifiers[used], newdata, mixture$rounds, threads, call),
       input_of = match(model_of, used),
       # Mixtures of version 0.1.0 have no scale.
       scale = if (is.null(mixture$scale)) rep(1, length(wanted)) else mixture$scale[wanted])
}

# What calibrators see of each of the models, documents x grades or x 1.
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
print.rankmix_mixture <- function(x, n = 6L, ...) {
  check_count(n, "n", min = 0, infinite = TRUE)
  say(sprintf("<mixture> %s", member_count(x)))
  say(sprintf("Chosen: T = %d rounds, %s", x$rounds, setting_words(x)))
  say(sprintf("Held-out %s: %.4f; best member %.4f", format(x$metric),
              x$value, max(x$members$value)))
  print_left_out(x$skipped)
  print_members(member_labels(x), x$members, n, short_labels(x$members))
  invisible(x)
}

# "6 members: 2 classifiers x 3 calibrators", with the preset if it was the default. A budget
# may have left out a calibrator for some of the classifiers.
member_count <- function(mixture) {
  classifiers <- length(mixture$classifiers)
  calibrators <- length(unique(mixture$members$calibrator))
  count <- nrow(mixture$members)
  join <- if (count == classifiers * calibrators) "x" else "and"
  kind <- if (all(vapply(mixture$classifiers, is_classifier, NA))) "classifier" else "ranker"
  sprintf("%d %s: %s %s %s%s", count, if (count == 1L) "member" else "members",
          counted(classifiers, kind), join, counted(calibrators, "calibrator"),
          if (is.null(mixture$calibrators)) "" else sprintf(" of %s", mixture$calibrators))
}

# Mixtures of earlier versions know specifications only, without names.
print_left_out <- function(skipped) {
  kind <- if (is.null(names(skipped))) rep("specification", length(skipped)) else names(skipped)
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

#' Members of a mixture, and what each family adds
#'
#' @param object A mixture, made by [tune_and_mix()] or [mix()].
#' @param level Level of the intervals, above 0 and below 1.
#' @param resamples How often the held-out queries are drawn anew for the intervals.
#' @param ... Must be empty.
#' @details Members of one ranker are a family; in [mix()] whatever is no model of this package
#'   is a family of its own. Without a family the others are weighed anew in the way and with
#'   the setting that the mixture has. What the family `adds` is the mean over the held-out
#'   queries of the metric of the mixture less that of the mixture without it; its interval is the
#'   bias-corrected and accelerated one of the bootstrap over queries, as in
#'   [compare_rankers()], drawn by the seed of the mixture (1 for [mix()]). The weights were
#'   found on these queries, and so were those without the family: the interval tells chance of
#'   queries, not what fitting made of them. `NA` where the others leave nothing to mix, below
#'   the threshold for instance.
#' @return A data frame with one row a member, by decreasing weight:
#'   `classifier`, `features`, `calibrator`, `rounds` (those it uses), `weight` and
#'   `value`, its metric on the validation data; of [mix()] `ranker`, `weight` and `value`.
#'   Its attribute `families` is a data frame with a row for each `family`, NULL where there is
#'   one only: the number of its `members` and their `weight`, the metric `without` it, what it
#'   `adds`, and the limits `lower` and `upper`. It prints the 20 heaviest members, by short
#'   labels that are cut to `options(width)`, and the families; `as.data.frame()` of it is that of
#'   the members, and prints all as it is.
#' @examples
#' train <- read_letor(system.file("extdata", "train.txt.gz", package = "rankmix"))
#' valid <- read_letor(system.file("extdata", "vali.txt.gz", package = "rankmix"))
#' mixture <- tune_and_mix(train, valid, adaboost_mh(tree(4), rounds = 20), seed = 1,
#'                         threads = 1)
#' summary(mixture)
#' @export
summary.rankmix_mixture <- function(object, level = 0.95, resamples = 10000, ...) {
  check_no_others(...)
  check_family_options(level, resamples)
  members <- object$members
  used <- vapply(object$classifiers, member_rounds, integer(1), object$rounds)
  members$rounds <- used[members$model]
  columns <- c("classifier", "features", "calibrator", "rounds", "weight", "value")
  members <- members[order(-members$weight), intersect(columns, names(members))]
  rownames(members) <- NULL
  structure(members, class = c("rankmix_mixture_summary", "data.frame"),
            families = family_table(object, object$members$family, level, resamples,
                                    object$seed),
            shown = format(object$metric))
}

#' @export
print.rankmix_mixture_summary <- function(x, n = 20L, ...) {
  check_count(n, "n", min = 0, infinite = TRUE)
  shown <- utils::head(as.data.frame(x), n)
  if (all(c("classifier", "calibrator") %in% names(shown))) {
    shown <- with_member_labels(shown)
  }
  numbers <- intersect(c("weight", "value"), names(shown))
  shown[numbers] <- lapply(shown[numbers], function(value) sprintf("%.4f", value))
  print(shown, ...)
  if (nrow(x) > nrow(shown)) {
    say(sprintf("... and %d more", nrow(x) - nrow(shown)))
  }
  print_families(attr(x, "families"), attr(x, "shown"))
  invisible(x)
}

print_families <- function(families, metric) {
  if (is.null(families)) {
    return(invisible())
  }
  say(sprintf("What each family adds to the held-out %s:", metric))
  interval <- ifelse(is.na(families$adds), "nothing else is left", sprintf(
    "%+.4f (%.4f to %.4f)", families$adds, families$lower, families$upper
  ))
  say(sprintf("  %s  %s, weight %.3f: %s", format(families$family),
              format(vapply(families$members, counted, "", "member"), justify = "right"),
              families$weight, interval))
}

# One short label in place of classifier, features and calibrator, cut to what the other
# columns leave of the width.
with_member_labels <- function(members) {
  others <- members[setdiff(names(members), c("classifier", "features", "calibrator"))]
  # A column takes its header, as numbers are shorter, and a space.
  room <- getOption("width") - max(0L, nchar(rownames(members))) -
    sum(pmax(nchar(names(others)), 6L) + 1L) - 2L
  data.frame(member = format(shorten(short_labels(members), max(room, shortest_label))),
             others, row.names = rownames(members))
}

shortest_label <- 10L

#' @export
as.data.frame.rankmix_mixture_summary <- function(x, ...) {
  structure(x, class = "data.frame", families = NULL, shown = NULL)
}
