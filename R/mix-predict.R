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
#'   the scores of the members, documents x members.
#' @export
predict.rankmix_mixture <- function(object, newdata,
                                    type = c("score", "rank", "member"),
                                    threads = NULL, ...) {
  rlang::check_dots_empty()
  type <- check_choice(type[1L], "type", c("score", "rank", "member"))
  threads <- check_threads(threads)
  x <- match_features(newdata, object$classifiers[[1L]], threads)
  members <- member_scores(object, x, threads)
  if (type == "member") {
    return(members)
  }
  scores <- mix_scores(members, cbind(object$members$weight), threads)[, 1L]
  if (type == "score") scores else rank_within_queries(scores, newdata)
}

member_scores <- function(mixture, x, threads) {
  f <- lapply(mixture$classifiers, function(model) {
    discriminant_slice(discriminants(model, x, mixture$rounds, threads), 1L)
  })
  scores <- lapply(seq_along(mixture$fitted), function(m) {
    calibrated_scores(mixture$fitted[[m]], f[[mixture$members$model[m]]],
                      threads)
  })
  scores <- do.call(cbind, scores)
  colnames(scores) <- member_labels(mixture)
  scores
}

member_labels <- function(mixture) {
  paste(mixture$members$classifier, mixture$members$calibrator, sep = " + ")
}

#' @export
print.rankmix_mixture <- function(x, ...) {
  cat(sprintf("<mixture> %d members: %d classifiers x %d calibrators\n",
              nrow(x$members), length(x$classifiers),
              nrow(x$members) %/% length(x$classifiers)))
  cat(sprintf("Chosen: T = %d rounds, c = %s\n", x$rounds, format(x$c)))
  cat(sprintf("Held-out %s: %.4f; best member %.4f\n", format(x$metric),
              x$value, max(x$members$value)))
  top <- order(-x$members$weight)
  top <- top[seq_len(min(6L, length(top)))]
  labels <- formatC(member_labels(x)[top], flag = "-",
                    width = max(nchar(member_labels(x)[top])))
  cat(sprintf("  weight %.3f, held-out %.4f  %s\n", x$members$weight[top],
              x$members$value[top], labels), sep = "")
  if (nrow(x$members) > length(top)) {
    cat(sprintf("  ... and %d more\n", nrow(x$members) - length(top)))
  }
  invisible(x)
}

#' Members of a mixture
#'
#' @param object A mixture, made by [tune_and_mix()].
#' @param ... Not used.
#' @return A data frame with one row a member, by decreasing weight:
#'   `classifier`, `calibrator`, `rounds` (those it uses), `weight` and
#'   `value`, its metric on the validation data.
#' @export
summary.rankmix_mixture <- function(object, ...) {
  members <- object$members
  used <- vapply(object$classifiers, rounds_used, integer(1))
  members$rounds <- pmin(object$rounds, used[members$model])
  members <- members[order(-members$weight),
                     c("classifier", "calibrator", "rounds", "weight", "value")]
  rownames(members) <- NULL
  members
}
