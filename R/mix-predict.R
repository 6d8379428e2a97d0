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
  rlang::check_dots_empty()
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
      discriminants(models[[i]], features[[i]], mixture$rounds, threads), 1L
    )
    members <- which(model_of == used[i])
    # By position: R would dispatch on `f`, as the beginning of `fitted`.
    scores[members] <- lapply(mixture$fitted[wanted[members]], calibrated_scores, f, threads)
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
print.rankmix_mixture <- function(x, ...) {
  cat(sprintf("<mixture> %d members: %d classifiers x %d calibrators\n",
              nrow(x$members), length(x$classifiers),
              nrow(x$members) %/% length(x$classifiers)))
  cat(sprintf("Chosen: T = %d rounds, c = %s%s\n", x$rounds, format(x$c),
              if (isTRUE(x$threshold > -Inf)) {
                sprintf(", threshold %s", format(x$threshold))
              } else {
                ""
              }))
  cat(sprintf("Held-out %s: %.4f; best member %.4f\n", format(x$metric),
              x$value, max(x$members$value)))
  if (length(x$skipped) > 0L) {
    cat(sprintf("Not trained: %s\n", enumerate(x$skipped, 2L)))
  }
  print_members(member_labels(x), x$members)
  invisible(x)
}

#' Members of a mixture
#'
#' @param object A mixture, made by [tune_and_mix()].
#' @param ... Not used.
#' @return A data frame with one row a member, by decreasing weight:
#'   `classifier`, `features`, `calibrator`, `rounds` (those it uses), `weight` and
#'   `value`, its metric on the validation data.
#' @export
summary.rankmix_mixture <- function(object, ...) {
  members <- object$members
  used <- vapply(object$classifiers, rounds_used, integer(1))
  members$rounds <- pmin(object$rounds, used[members$model])
  columns <- c("classifier", "features", "calibrator", "rounds", "weight", "value")
  members <- members[order(-members$weight), intersect(columns, names(members))]
  rownames(members) <- NULL
  members
}
