# Progress of long work: at a console a bar, in a script a line every half minute, both with
# the time left. It is told to whoever waits and nothing else: whatever happens to it, the
# work goes on.

seconds_between_lines <- 30

# What the core's host, and R's own loops, report to: `report(done, total)`, NULL when
# nothing is to be shown; `after(offset)` gives one for a part of the work, so that several
# fits share a bar.
progress_bar <- function(label, total, verbose) {
  if (!verbose) {
    return(list(report = NULL, after = function(offset) NULL,
                close = function() NULL))
  }
  teller <- if (rlang::is_interactive()) console_bar(label, total) else line_teller(label, total)
  report_after <- function(offset) {
    function(done, total) unharmed(teller$tell(offset + done))
  }
  list(report = report_after(0), after = report_after,
       close = function() unharmed(teller$close()))
}

# cli ends a bar at its total unless it is told not to; the work tells the last step
# more than once.
console_bar <- function(label, total) {
  bar <- unharmed(cli::cli_progress_bar(label, total = total, .auto_close = FALSE,
                                        auto_terminate = FALSE))
  list(tell = function(done) cli::cli_progress_update(set = done, id = bar),
       close = function() cli::cli_progress_done(id = bar))
}

line_teller <- function(label, total, now = seconds_now, every = seconds_between_lines) {
  started <- now()
  last <- started
  list(
    tell = function(done) {
      time <- now()
      if (time - last < every) {
        return(invisible())
      }
      last <<- time
      rlang::inform(progress_line(label, done / total, time - started),
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

# "45 s", "12 min", "3.5 h".
show_seconds <- function(seconds) {
  if (seconds < 100) {
    return(sprintf("%.0f s", seconds))
  }
  if (seconds < 6000) sprintf("%.0f min", seconds / 60) else sprintf("%.1f h", seconds / 3600)
}

seconds_now <- function() proc.time()[["elapsed"]]

# The value of `code`, or NULL where it fails. An interrupt is not a failure.
unharmed <- function(code) {
  tryCatch(code, error = function(e) NULL)
}

# Where work that was begun earlier continues: `from` is in words, `file` its checkpoint or folder.
report_resumed <- function(from, file, verbose) {
  if (verbose) {
    rlang::inform(sprintf("Resuming from %s in '%s'.", from, file), class = "rankmix_message_resumed")
  }
}
