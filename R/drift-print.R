# Prints what has changed in new data.

#' @export
print.rankmix_drift <- function(x, ...) {
  features <- x$features
  level <- x$settings$level
  say(sprintf("<rankmix_drift> %s, %s; %s", counted(x$queries[["reference"]], "reference query", "reference queries"),
              counted(x$queries[["new"]], "new query", "new queries"), counted(nrow(features), "feature")))
  shown <- utils::head(features, max_printed_drifts)
  scores <- stats::setNames(x$scores, names(features))
  lines <- drift_lines(c(shown$feature, scores$feature), rbind(shown, scores), x$settings)
  more <- nrow(features) - nrow(shown)
  say("  ", lines[seq_len(nrow(shown) + 1L)])
  if (more > 0L) say(sprintf("  ... and %s, see `tidy()`", counted(more, "more feature")))
  say("  ", lines[-seq_len(nrow(shown) + 1L)])
  drifted <- sum(features$p_adjusted <= level)
  say(sprintf("%s of %s changed (Holm, level %s)", if (drifted == 0L) "none" else format_count(drifted),
              counted(nrow(features), "feature"), plain_number(level)))
  floor <- nrow(features) / (x$settings$permutations + 1)
  if (floor > level) {
    say(sprintf("No adjusted p-value can be below %.2f; take `permutations = %s` or more.", floor,
                plain_number(ceiling(2 * nrow(features) / level))))
  }
  if (x$trained) say("The reference is the training data, on which scores are always better.")
  print_metric_drift(x)
  invisible(x)
}

max_printed_drifts <- 6L

# The first line has the names of the columns.
drift_lines <- function(names, rows, settings) {
  at_floor <- rows$p <= 1 / (settings$permutations + 1) & rows$p_adjusted < 1
  p <- sub("^p (= )?", "", show_p(rows$p_adjusted, at_floor))
  percent <- function(x) sprintf("%.0f", 100 * x)
  missing <- ifelse(rows$missing_reference + rows$missing_new > 0,
                    sprintf("%s to %s %%", percent(rows$missing_reference), percent(rows$missing_new)), "")
  outside <- ifelse(is.na(rows$outside) | rows$outside < 0.005, "", paste(percent(rows$outside), "%"))
  columns <- list(c("distance", sprintf("%.3f", rows$distance)), c("by chance", sprintf("%.3f", rows$expected)),
                  c("adjusted p", p), c("missing", missing), c("outside", outside))
  width <- max(nchar(drift_score_names))
  texts <- lapply(columns, format, justify = "right")
  sub(" +$", "", do.call(paste, c(list(format(c("", shorten(names, width)), width = width)), texts, sep = "  ")))
}

print_metric_drift <- function(x) {
  metric <- x$metric
  if (is.null(metric)) {
    return(invisible())
  }
  say(sprintf("%s: reference %.4f, new %.4f, difference %+.4f %s", metric$metric, metric$reference, metric$new,
              metric$difference + 0, if (is.na(metric$lower)) "[no interval]" else {
                sprintf("[%+.4f, %+.4f]", metric$lower + 0, metric$upper + 0)
              }))
  margin <- x$settings$margin
  say(sprintf("Train again? %s%s", c(
    "train again" = "Yes, the metric fell", "keep the model" = "No, keep the model",
    undecided = "Undecided, more judged queries are needed"
  )[[metric$verdict]], if (margin > 0) sprintf(" (margin %s).", plain_number(margin)) else "."))
}
