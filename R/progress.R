# Progress of long work: a bar at a console, a line every half minute in a script, both with the
# remaining time. An error in the progress display does not stop the work.

seconds_between_lines <- 30

# The functions to which the core and R's loops report. `report(done, total)` is NULL if nothing is
# shown. `after(offset)` returns such a function for a part of the work, so that several fits share
# a bar.
progress_bar <- function(label, total, verbose) {
  if (!verbose) {
    return(list(report = NULL, after = function(offset) NULL,
                close = function() NULL))
  }
  reporter <- if (rlang::is_interactive()) console_bar(label, total) else line_reporter(label, total)
  report_after <- function(offset) {
    function(done, total) unharmed(reporter$report(offset + done))
  }
  list(report = report_after(0), after = report_after,
       close = function() unharmed(reporter$close()))
}

# cli would end a bar at its total, but the work may report the last step more than once.
console_bar <- function(label, total) {
  bar <- unharmed(cli::cli_progress_bar(label, total = total, .auto_close = FALSE,
                                        auto_terminate = FALSE))
  list(report = function(done) cli::cli_progress_update(set = done, id = bar),
       close = function() cli::cli_progress_done(id = bar))
}

line_reporter <- function(label, total, now = seconds_now, every = seconds_between_lines) {
  started <- now()
  last <- started
  list(
    report = function(done) {
      time <- now()
      if (time - last < every) {
        return(invisible())
      }
      last <<- time
      line <- if (is.na(total)) progress_rows else progress_line
      rlang::inform(line(label, if (is.na(total)) done else done / total, time - started),
                    class = "rankmix_message_progress")
    },
    close = function() NULL
  )
}

progress_line <- function(label, fraction, seconds) {
  left <- if (fraction > 0) {
    sprintf(", about %s left", show_seconds(seconds * (1 - fraction) / fraction))
  }
  sprintf("%s: %.0f %% after %s%s", label, floor(100 * fraction), show_seconds(seconds),
          if (is.null(left)) "" else left)
}

# If the total number of rows is not known, the remaining time is not shown.
progress_rows <- function(label, rows, seconds) {
  sprintf("%s: %s rows after %s", label, format_count(rows), show_seconds(seconds))
}

# "45 s", "12 min", "3.5 h".
show_seconds <- function(seconds) {
  if (seconds < 100) {
    return(sprintf("%.0f s", seconds))
  }
  if (seconds < 6000) sprintf("%.0f min", seconds / 60) else sprintf("%.1f h", seconds / 3600)
}

seconds_now <- function() proc.time()[["elapsed"]]

# The value of `code`, or NULL after an error. An interrupt is not caught.
unharmed <- function(code) {
  tryCatch(code, error = function(e) NULL)
}

# Reports that earlier work is resumed. `from` describes it, and `file` is its checkpoint or folder.
report_resumed <- function(from, file, verbose) {
  if (verbose) {
    rlang::inform(sprintf("Resuming from %s in '%s'.", from, file), class = "rankmix_message_resumed")
  }
}
