# Printing and tables of evaluate_ppi().

#' @export
tidy.rankmix_ppi <- function(x, what = c("rankers", "pairs"), ...) {
  x[[check_first_choice(what, "what", c("rankers", "pairs"))]]
}

#' @export
print.rankmix_ppi <- function(x, ...) {
  metrics <- names(x$values)
  rows <- x$rankers[x$rankers$metric == metrics[1L], ]
  rows <- rows[order(-rows$mean), ]
  shown <- utils::head(rows, max_printed_pairs)
  say(sprintf("<rankmix_ppi> %s; %d of %s have human grades", counted(nrow(rows), "ranker"),
              rows$human_queries[1L], counted(rows$queries[1L], "query", "queries")))
  values <- sprintf("%.4f %s  %.4f %s", shown$mean, ppi_interval(shown$lower, shown$upper), shown$human_mean,
                    ppi_interval(shown$human_lower, shown$human_upper))
  say_rows(c(metrics[1L], shown$ranker),
           paste0(formatC("both", width = -25), formatC("human alone", width = -25), "machine"),
           sprintf("%s  %.4f", values, shown$machine_mean))
  more <- c(if (nrow(rows) > nrow(shown)) sprintf("%d more rankers", nrow(rows) - nrow(shown)),
            if (length(metrics) > 1L) counted(length(metrics) - 1L, "more metric"))
  if (length(more) > 0L) say("  ... and ", paste(more, collapse = ", "), ", see `tidy()`")
  say(sprintf("[ ]: %s %% %s intervals of each mean alone", plain_number(100 * x$settings$level),
              c(t = "t", bootstrap = "bootstrap")[[x$settings$interval]]))
  say(ppi_saving(x, metrics[1L]))
  invisible(x)
}

ppi_interval <- function(lower, upper) {
  ifelse(is.na(lower), "[no interval]   ", sprintf("[%.4f, %.4f]", lower, upper))
}

# "60 human queries with the machine equal 143 without it (differences: 171)". Medians over rankers and pairs.
ppi_saving <- function(x, metric) {
  of <- function(table) stats::median(table$equivalent_queries[table$metric == metric], na.rm = TRUE)
  human <- x$rankers$human_queries[x$rankers$metric == metric][1L]
  equal <- c(of(x$rankers), if (!is.null(x$pairs)) of(x$pairs))
  if (anyNA(equal)) {
    return("The human queries do not vary.")
  }
  sprintf("%d human queries with the machine equal %.0f without it%s", human, equal[1L],
          if (length(equal) > 1L) sprintf(" (differences: %.0f)", equal[2L]) else "")
}
