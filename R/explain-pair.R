#' Why one document is above another
#'
#' Explains the difference between the scores of two documents by their features.
#'
#' @param model The ranker, as for [explain()].
#' @param data The documents, as for [predict()].
#' @param above,below The row numbers of the two documents in `data`. The documents may belong to different queries,
#'   and `above` may also score lower.
#' @param type,times,seed,threads,... As in [explain()], with the same defaults: `type = "score"` and
#'   `times = 20`.
#'
#' @return A data frame of class `rankmix_pair` with a row for each feature, largest magnitude first:
#'   `feature`, its values `above` and `below`, and its `contribution`; with sampling also
#'   `error`. The attributes `rows` and `scores` have two numbers each.
#' @examples
#' train <- read_letor(system.file("extdata", "train.txt.gz", package = "rankmix"))
#' model <- fit(gbrt(trees = 50), train, threads = 1)
#' first <- order(train$query, -predict(model, train))
#' explain_pair(model, train, above = first[1], below = first[2])
#'
#' @details The contributions are Shapley values with the document `below` as the background. A contribution
#'   is the change in the score when the feature of `below` is replaced by the feature of `above`. The
#'   contributions sum to the difference of the scores. A feature with equal values contributes 0. A missing level of
#'   a factor is shown in the row of the other document's level.
#'
#' @section Conditions: As in [explain()]. `rankmix_error_argument`: rows that do not exist, or the
#'   same row twice.
#' @export
explain_pair <- function(model, data, above, below, type = "score", times = 20, seed = NULL,
                         threads = NULL, ...) {
  check_no_others(...)
  check_all_given()
  check_class(model, "model", "rankmix_ranker", "`fit()`, `tune_and_mix()` or `mix()`",
              remedy = remedy_of_result(model))
  check_chosen(model)
  check_choice(type, "type", c("score", "linear"))
  check_count(times, "times")
  threads <- check_threads(threads)
  x <- explained_features(model, data, "data", threads)
  check_count(above, "above", max = nrow(x))
  check_count(below, "below", max = nrow(x))
  if (above == below) {
    stop_input("argument", "`above` and `below` are the same document.",
               sprintf("Both are row %d.", as.integer(above)), "Give two rows.")
  }
  found <- contributions(model, x[above, , drop = FALSE], x[below, , drop = FALSE], type, times,
                         seed, threads)
  table <- data.frame(feature = colnames(x), above = x[above, ], below = x[below, ],
                      contribution = found$values[1L, ], row.names = NULL)
  table$error <- if (!is.null(found$error)) found$error[1L, ]
  structure(table[order(-abs(table$contribution)), ], row.names = seq_len(nrow(table)),
            rows = c(above = above, below = below),
            scores = c(above = found$base + sum(table$contribution), below = found$base),
            class = c("rankmix_pair", "data.frame"))
}

#' @export
print.rankmix_pair <- function(x, ...) {
  rows <- attr(x, "rows")
  scores <- attr(x, "scores")
  if (is.null(rows) || !"contribution" %in% names(x)) {
    return(invisible(with_points(print(as.data.frame(x), ...))))
  }
  say(sprintf("<explanation> row %s, score %s, %s row %s, score %s", format(rows[["above"]]),
              number_text(scores[["above"]], digits = 4),
              if (scores[["above"]] >= scores[["below"]]) "above" else "in fact below",
              format(rows[["below"]]), number_text(scores[["below"]], digits = 4)))
  say(sprintf("Contributions sum to %s", number_text(scores[["above"]] - scores[["below"]], digits = 4)))
  used <- x[x$contribution != 0, , drop = FALSE]
  print_features(used, 10L)
  invisible(x)
}
