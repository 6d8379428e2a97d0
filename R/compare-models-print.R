# Prints what changes if a new model replaces an old one.

#' @export
print.rankmix_model_change <- function(x, ...) {
  k <- x$settings$k
  say(sprintf("<rankmix_model_change> %s, top %s", counted(nrow(x$queries), "query", "queries"), plain_number(k)))
  measures <- x$measures
  ends <- function(format, scale = 1) {
    ifelse(is.na(measures$lower), "[no interval]",
           sprintf(sprintf("[%s, %s]", format, format), scale * measures$lower, scale * measures$upper))
  }
  percent <- sprintf("%.1f %% %s", 100 * measures$estimate, ends("%.1f %%", 100))
  plain <- sprintf("%.3f %s", measures$estimate, ends("%.3f"))
  say(sprintf("  %s  %s", format(c(sprintf("new in the top %s", plain_number(k)), "first document changes",
                                   "rank-biased overlap")), c(percent[1:2], plain[3L])))
  print_metric_change(x)
  print_moved(x$features)
  say(sprintf("[ ]: %s %% bootstrap intervals over queries%s", plain_number(100 * (1 - x$settings$level)),
              if (is.null(x$metric)) "" else sprintf("; t interval of %s", x$metric$metric)))
  invisible(x)
}

print_metric_change <- function(x) {
  metric <- x$metric
  if (is.null(metric)) {
    say("The data have no relevance, so no metric is compared.")
    return(invisible())
  }
  say(sprintf("%s: old %.4f, new %.4f, difference %+.4f %s", metric$metric, metric$old, metric$new,
              metric$difference + 0, if (is.na(metric$lower)) "[no interval]" else {
                sprintf("[%+.4f, %+.4f]", metric$lower + 0, metric$upper + 0)
              }))
  if (is.null(metric$verdict)) {
    say("No margin is given, so non-inferiority is not tested.")
  } else {
    say(sprintf("with the margin %s: %s (%s%s)", plain_number(metric$margin), metric$verdict,
                show_p(metric$p_noninferior), if (nzchar(metric$note)) paste0("; ", metric$note) else ""))
  }
  sorted <- x$queries[order(-x$queries$difference, na.last = NA), ]
  listed_queries("largest gains", sorted[sorted$difference > 0, ], "difference")
  listed_queries("largest losses", rev_rows(sorted[sorted$difference < 0, ]), "difference")
}

print_moved <- function(features) {
  shown <- utils::head(features[!is.na(features$correlation), ], 4L)
  if (nrow(shown) == 0L) {
    return(invisible())
  }
  say("moves correlate with: ", paste(sprintf("%s (%+.2f)", shorten(shown$feature, 20L), shown$correlation + 0),
                                      collapse = ", "))
}
