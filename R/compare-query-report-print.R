# Prints reports of queries.

#' @export
print.rankmix_query_report <- function(x, ...) {
  queries <- x$queries
  name <- if (x$metric == "values") "values" else x$metric
  short <- shorten(c(x$a, x$b), 24L)
  say(sprintf("<rankmix_query_report> %s of %s minus %s, %s", name, short[1L], short[2L],
              counted(nrow(queries), "query", "queries")))
  say(sprintf("mean difference %+.4f %s, t test %s", x$difference + 0,
              if (is.na(x$lower)) "[no interval]" else sprintf("[%+.4f, %+.4f]", x$lower + 0, x$upper + 0),
              show_p(x$p)))
  counts <- table(factor(queries$verdict, c("better", "equal", "worse")))
  say(sprintf("%d better, %d equal, %d worse; equal is within %s", counts[1L], counts[2L], counts[3L],
              plain_number(x$tolerance)))
  sorted <- queries[order(-queries$difference), ]
  listed_queries("largest gains", sorted[sorted$difference > 0, ], "difference")
  listed_queries("largest losses", rev_rows(sorted[sorted$difference < 0, ]), "difference")
  listed_queries("hardest", queries[order(queries$hardness), ], "mean", "%.3f")
  print_influence(x)
  print_groups(x)
  invisible(x)
}

# The first queries of some rows with one value each.
listed_queries <- function(title, rows, column, format = "%+.3f", count = 4L) {
  rows <- utils::head(rows, count)
  if (nrow(rows) == 0L) {
    return(invisible())
  }
  say(sprintf("%s: %s", title, paste(sprintf(paste0("%s (", format, ")"), shorten(query_labels(rows), 20L),
                                             rows[[column]]), collapse = ", ")))
}

print_influence <- function(x) {
  top <- utils::head(x$queries, 3L)
  if (is.na(top$influence[1L]) || top$influence[1L] == 0) {
    return(invisible())
  }
  say("most influential:")
  say(sprintf("  %s  changes the mean by %+.4f; without it %s", format(shorten(query_labels(top), 20L)),
              top$influence, show_p(top$p_without, rep(FALSE, nrow(top)))))
  crossing <- (x$queries$p_without <= x$level) != (x$p <= x$level)
  if (any(crossing)) {
    say(sprintf("%s would change whether p is at most %s.",
                counted(sum(crossing), "single query", "single queries"), plain_number(x$level)))
  }
}

print_groups <- function(x) {
  if (is.null(x$tests)) {
    return(invisible())
  }
  several <- nrow(x$tests) > 1L
  for (i in seq_len(nrow(x$tests))) {
    test <- x$tests[i, ]
    own <- x$groups[x$groups$column == test$column, ]
    say(sprintf("by %s: %s", test$column, if (is.na(test$p_interaction)) "one group, no test" else {
      sprintf("interaction %s%s", show_p(test$p_interaction), if (several) {
        sprintf(" (adjusted %s)", show_p(test$p_adjusted))
      } else "")
    }))
    counts <- vapply(own$queries, counted, "", one = "query", many = "queries")
    ends <- sprintf("[%+.4f, %+.4f]", own$lower + 0, own$upper + 0)
    say(sprintf("  %s  %s  %+.4f %s", format(shorten(own$group, 24L)), format(counts, justify = "right"),
                own$difference + 0, ifelse(is.na(own$lower), "[no interval]", ends)))
  }
  say(if (min(x$tests$p_adjusted, 1, na.rm = TRUE) <= x$level) {
    "The difference depends on the group where the interaction is significant."
  } else {
    "It is not shown that the difference depends on a group."
  })
}
