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
  wanted <- which(type == "member" | object$members$weight > 0)
  members <- member_scores(object, newdata, wanted, threads)
  if (type == "member") {
    colnames(members) <- member_labels(object)
    return(members)
  }
  scores <- mix_scores(members, cbind(object$members$weight[wanted]), threads)[, 1L]
  if (type == "score") scores else rank_within_queries(scores, newdata)
}

# Documents x the members `wanted`.
member_scores <- function(mixture, newdata, wanted, threads, call = rlang::caller_env()) {
  model_of <- mixture$members$model[wanted]
  used <- unique(model_of)
  models <- mixture$classifiers[used]
  features <- features_of_models(models, newdata, threads, call)
  scores <- vector("list", length(wanted))
  for (i in seq_along(used)) {
    f <- discriminant_slice(
      calibrator_input(models[[i]], features[[i]], mixture$rounds, threads), 1L
    )
    members <- which(model_of == used[i])
    scores[members] <- calibrators_scores(mixture$fitted[wanted[members]], f, threads)
  }
  # Mixtures of version 0.1.0 have no scale.
  scale <- if (is.null(mixture$scale)) 1 else mixture$scale[wanted]
  if (any(scale != 1)) {
    scores <- Map(`*`, scores, scale)
  }
  do.call(cbind, scores)
}

member_labels <- function(mixture) {
  paste(mixture$members$classifier, mixture$members$calibrator, sep = " + ")
}

#' @export
print.rankmix_mixture <- function(x, n = 6L, ...) {
  check_count(n, "n", min = 0, infinite = TRUE)
  say(sprintf("<mixture> %s", member_count(x)))
  say(sprintf("Chosen: T = %d rounds, c = %s%s", x$rounds, format(x$c),
              if (isTRUE(x$threshold > -Inf)) {
                sprintf(", threshold %s", format(x$threshold))
              } else {
                ""
              }))
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
  calibrators <- sum(kind == "calibrator")
  out_of_time <- c(if (calibrators > 0L) counted(calibrators, "calibrator"),
                   skipped[kind == "T"])
  if (length(out_of_time) > 0L) {
    say(sprintf("Out of time: %s; see $skipped", paste(out_of_time, collapse = "; ")))
  }
}

#' Members of a mixture
#'
#' @param object A mixture, made by [tune_and_mix()].
#' @param ... Not used.
#' @return A data frame with one row a member, by decreasing weight:
#'   `classifier`, `features`, `calibrator`, `rounds` (those it uses), `weight` and
#'   `value`, its metric on the validation data. It prints the 20 heaviest members, by short
#'   labels that are cut to `options(width)`; `as.data.frame()` of it prints all as it is.
#' @examples
#' train <- read_letor(system.file("extdata", "train.txt.gz", package = "rankmix"))
#' valid <- read_letor(system.file("extdata", "vali.txt.gz", package = "rankmix"))
#' mixture <- tune_and_mix(train, valid, adaboost_mh(tree(4), rounds = 20), seed = 1,
#'                         threads = 1)
#' summary(mixture)
#' @export
summary.rankmix_mixture <- function(object, ...) {
  members <- object$members
  used <- vapply(object$classifiers, rounds_used, integer(1))
  members$rounds <- pmin(object$rounds, used[members$model])
  columns <- c("classifier", "features", "calibrator", "rounds", "weight", "value")
  members <- members[order(-members$weight), intersect(columns, names(members))]
  rownames(members) <- NULL
  structure(members, class = c("rankmix_mixture_summary", "data.frame"))
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
  invisible(x)
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
  structure(x, class = "data.frame")
}
