# Methods of the results of cut_list().

#' @rdname cut_list
#' @export
predict.rankmix_cut <- function(object, newdata, scores = NULL, threads = NULL, ...) {
  check_no_others(...)
  check_given(missing(newdata), "newdata")
  threads <- check_threads(threads)
  if (is.null(object$model) && is.null(scores)) {
    stop_input("argument", "The cut was made from scores, so it needs the scores of `newdata`.",
               remedy = "Write `predict(cut, newdata, scores = )`.")
  }
  if (!is.null(object$model) && !is.null(scores)) {
    stop_input("argument", "`scores` are for cuts that were made from scores.",
               remedy = "Leave them out: the model of the cut computes them.")
  }
  position <- cut_positions(if (is.null(scores)) object$model else scores, newdata, object$by, object$digits,
                            object$relevant, threads, rlang::current_env())
  position >= object$position
}

#' @rdname cut_list
#' @export
tidy.rankmix_cut <- function(x, ...) {
  check_no_others(...)
  x$path
}

#' @rdname cut_list
#' @export
glance.rankmix_cut <- function(x, ...) {
  check_no_others(...)
  row <- x$path[x$chosen, names(x$path) != "certified"]
  row.names(row) <- NULL
  data.frame(risk = risk_text(x$risk), level = if (is.null(x$level)) NA_real_ else x$level, by = x$by, row,
             certified = x$certified, queries = x$queries, left_out = x$left_out)
}

#' @export
print.rankmix_cut <- function(x, ...) {
  row <- x$path[x$chosen, ]
  say(sprintf("<rankmix_cut> %s, by %s", risk_text(x$risk), x$by))
  say("Keep: ", kept_words(x))
  if (x$certified) {
    say(sprintf("Validation: %s %.3f, %.1f of %.1f documents kept on average", x$risk$name, row$estimate, row$kept,
                x$documents))
    if (row$empty > 0) say("  ", empty_words(x, row))
  }
  say("Guarantee: ", guarantee_words(x))
  say(sprintf("Queries: %s%s", format_count(x$queries), if (x$left_out > 0L) {
    sprintf(", and %s without a relevant document left out", format_count(x$left_out))
  } else ""))
  invisible(x)
}

# An empty list improves only precision.
empty_words <- function(x, row) {
  fraction <- if (row$empty < 0.01) "less than 1 %" else sprintf("%.0f %%", 100 * row$empty)
  sprintf("%s of the queries keep none%s", fraction, if (x$risk$name == "precision") {
    sprintf("; precision of the others %.3f", row$estimate_not_empty)
  } else "")
}

kept_words <- function(x) {
  if (!is.finite(x$position)) {
    return(sprintf("%s; no threshold is certified", if (x$position > 0) "nothing" else "everything"))
  }
  if (x$by == "rank") {
    return(sprintf("the top %s", format_count(x$threshold)))
  }
  sprintf("%s >= %s", if (x$by == "score") "score" else "probability of relevance", plain_number(x$threshold))
}

guarantee_words <- function(x) {
  if (!x$certified) {
    return("none")
  }
  if (is.null(x$level)) {
    return(sprintf("the expected %s of a new query is at least %s", x$risk$name, plain_number(x$risk$bound)))
  }
  sprintf("the mean %s of new queries is at least %s, with %s %% confidence", x$risk$name,
          plain_number(x$risk$bound), plain_number(100 * x$level))
}
