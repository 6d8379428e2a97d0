# Fronts of objectives as text and data frames.

#' @export
print.rankmix_front <- function(x, ...) {
  say(sprintf("<rankmix_front> %s of %s, on %s%s", counted(nrow(x$points), "mixture"),
              counted(length(x$objectives), "model"), counted(x$queries, "query", "queries"),
              if (is.null(x$fold)) "" else " out of fold"))
  shown <- shown_points(x)
  with_points(print(front_rows(x, shown), row.names = FALSE))
  hidden <- nrow(x$points) - length(shown)
  say(sprintf("w: weights. [ ]: %s %% intervals of the difference to the model of this objective alone.",
              plain_number(100 * (1 - 2 * x$level))),
      if (hidden > 0L) sprintf(" %d more: `tidy()`.", hidden))
  print_choice(x)
  invisible(x)
}

# The front, thinned to a few rows, with the models alone and the chosen mixture.
shown_points <- function(x, most = 9L) {
  rows <- which(x$points$front)
  if (length(rows) > most) rows <- rows[round(seq(1, length(rows), length.out = most))]
  alone <- vapply(names(x$objectives), function(name) alone_of(x$weights, name), 0L)
  sort(unique(c(rows, alone, stats::na.omit(x$choice$point))))
}

front_rows <- function(x, points) {
  names <- names(x$objectives)
  rows <- data.frame(w = apply(x$weights[points, , drop = FALSE], 1L, function(row) {
    paste(number_text(round(row, 2L), nsmall = 2L), collapse = " ")
  }))
  for (name in names) {
    own <- x$differences[x$differences$objective == name, ][points, ]
    rows[[name]] <- sprintf("%.4f [%+.4f, %+.4f]", own$value, own$lower + 0, own$upper + 0)
  }
  rows$chosen <- ifelse(points %in% x$choice$point, "<-", "")
  rows
}

print_choice <- function(x) {
  choice <- x$choice
  if (is.null(choice)) {
    say("Nothing is chosen: see `choose_point()`")
    return(invisible())
  }
  if (!is.null(choice$floor)) {
    say(sprintf("Floor: %s, shown at level %s; then the best %s.", floor_words(choice$floor),
                plain_number(choice$level), choice$maximize))
  }
  if (is.na(choice$point)) {
    say("No mixture passes the test of the floor.")
    return(invisible())
  }
  gains <- function(sample) {
    rows <- choice$gains[choice$gains$sample == sample, ]
    paste(sprintf("%s %+.4f [%+.4f, %+.4f]", rows$objective, rows$difference + 0, rows$lower + 0, rows$upper + 0),
          collapse = ", ")
  }
  say(sprintf("Chosen, against %s alone: %s", choice$reference, gains("validation")))
  if (!is.null(x$test)) {
    say(sprintf("The same on %s: %s", counted(x$test_queries, "test query", "test queries"), gains("test")))
  } else if (!is.null(choice$floor)) {
    say(sprintf("The gain of %s is optimistic: it was chosen as the highest. Give `test`.", choice$maximize))
  }
}

floor_words <- function(floor) {
  paste(sprintf("%s at most %s below", names(floor), vapply(floor, plain_number, "")), collapse = ", ")
}

#' @export
predict.rankmix_front <- function(object, ...) {
  if (is.null(object$model)) {
    stop_input("argument", "No mixture of the front is chosen.",
               remedy = "Write `choose_point(front, floor = c(relevance = 0.005))`, or give `weights`.")
  }
  predict(object$model, ...)
}

#' @export
tidy.rankmix_front <- function(x, ...) {
  rows <- function(sample, differences) {
    if (!is.null(differences)) cbind(data.frame(sample = sample), differences)
  }
  table <- rbind(rows("validation", x$differences), rows("test", x$test))
  weights <- x$points[table$point, startsWith(names(x$points), "weight_"), drop = FALSE]
  table <- cbind(table[c("sample", "point")], weights, table[setdiff(names(table), c("sample", "point"))],
                 front = x$points$front[table$point], chosen = table$point %in% x$choice$point)
  rownames(table) <- NULL
  table
}

#' @export
glance.rankmix_front <- function(x, ...) {
  row <- data.frame(objectives = length(x$objectives), points = nrow(x$points), front = sum(x$points$front),
                    queries = x$queries, test_queries = x$test_queries,
                    chosen = if (is.null(x$choice)) NA_integer_ else x$choice$point)
  row$reference <- if (is.null(x$choice)) NA_character_ else x$choice$reference
  row
}
