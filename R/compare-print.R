# Texts about a comparison: its tests, intervals and p-values.

test_names <- c(t = "paired t tests", wilcoxon = "Wilcoxon's signed ranks",
                randomization = "joint sign flips")
combine_names <- c(fisher = "combined by Fisher", stouffer = "combined by Stouffer",
                   pool = "pooled")
adjust_names <- c(maxt = "step-down maxT", tukey = "Tukey's HSD", holm = "Holm",
                  BH = "Benjamini and Hochberg")
alternative_names <- c(two.sided = "", greater = ", one-sided (greater)", less = ", one-sided (less)")

describe_settings <- function(settings, folds) {
  test <- test_names[[settings$test]]
  if (settings$adjust == "tukey") {
    test <- if (settings$test == "t") "two-way analysis of variance" else "permutations within queries"
  }
  if (settings$variance != "queries") test <- paste(test, "over queries and trainings")
  paste0(test, alternative_names[[settings$alternative]],
         if (folds > 1L) sprintf(" in %d folds, %s", folds, combine_names[[settings$combine]]),
         ", ", if (settings$adjust == "none") "p not adjusted" else {
           paste("p adjusted by", adjust_names[[settings$adjust]])
         })
}

# "each tested in 10 folds".
repeat_words <- function(repeats) {
  if (repeats[1L] == repeats[2L]) sprintf("%d folds each", repeats[1L]) else {
    sprintf("%d to %d folds", repeats[1L], repeats[2L])
  }
}

interval_names <- c(t = "t", flips = "sign-flip", bca = "BCa bootstrap")

has_simultaneous <- function(settings) settings$adjust %in% c("maxt", "tukey")

# Describes the intervals and p-values. Intervals of single pairs do not correspond to adjusted p-values.
interval_words <- function(settings, pairs) {
  percent <- plain_number(100 * (1 - settings$level))
  if (has_simultaneous(settings)) {
    return(if (pairs > 1L) {
      sprintf("simultaneous %s %% intervals of %d pairs", percent, pairs)
    } else {
      sprintf("%s %% interval", percent)
    })
  }
  paste0(sprintf("%s %% %s interval", percent, interval_names[[settings$interval]]),
         if (pairs > 1L) " of this pair alone",
         if (settings$adjust != "none" && pairs > 1L) {
           sprintf("; p adjusted over %d pairs", pairs)
         })
}

# The meaning of the star.
star_words <- function(settings) {
  if (settings$adjust == "maxt") {
    return(sprintf("may be the best: the set holds the best ranker with %s %% confidence",
                   plain_number(100 * (1 - settings$level))))
  }
  sprintf("the highest mean, or no difference to it shown at level %s", plain_number(settings$level))
}

#' @export
print.rankmix_comparison <- function(x, ...) {
  metrics <- names(x$values)
  table <- x$rankers[x$rankers$metric == metrics[1L], ]
  table <- table[order(table$rank), ]
  say_comparison(x, table)
  shown <- utils::head(table, if (nrow(table) > 5L) 4L else 5L)
  if (!is.null(x$settings$control) && !x$settings$control %in% shown$ranker) {
    shown <- rbind(utils::head(shown, -1L), table[table$ranker == x$settings$control, ])
  }
  against <- lapply(shown$ranker, against_reference, x = x, metric = metrics[1L])
  say_rows(c(metrics[1L], shown$ranker), "  mean",
           sprintf("%.4f  %s", shown$mean, vapply(against, `[[`, "", "numbers")),
           vapply(against, `[[`, "", "remark"), ifelse(shown$best %in% TRUE, "* ", "  "))
  if (nrow(table) > nrow(shown)) {
    hidden <- table$best[!table$ranker %in% shown$ranker] %in% TRUE
    say(sprintf("  ... and %d more%s", length(hidden), if (any(hidden)) sprintf(", %d of them *", sum(hidden)) else ""))
  }
  say("[ ]: ", interval_words(x$settings, sum(x$pairs$metric == metrics[1L])))
  if (!anyNA(table$best)) say("* ", star_words(x$settings))
  notes <- c(if (length(metrics) > 1L) sprintf("%d more metric%s", length(metrics) - 1L,
                                               if (length(metrics) > 2L) "s" else ""),
             if (any(nzchar(x$pairs$note))) "pairs with notes")
  if (length(notes) > 0L) say("See `tidy()`: ", paste(notes, collapse = ", "))
  power <- detectable_sentence(x, metrics[1L])
  if (!is.null(power)) say(power)
  invisible(x)
}

say_comparison <- function(x, table) {
  repeats <- x$values[[1L]]$repeats
  say(sprintf("<rankmix_comparison> %d rankers, %s%s; %s", nrow(table),
              counted(table$queries[1L], "query", "queries"),
              paste0(if (weights_differ(x$values[[1L]])) {
                sprintf(" (%.1f effective)", table$n_effective[1L])
              }, if (!is.null(repeats)) paste(", tested in", repeat_words(repeats)), ""),
              describe_settings(x$settings, x$pairs$folds[1L])))
  failed <- failed_words(x$failed)
  if (!is.null(failed)) say(failed)
}

# The ranker that others are compared with: the control, or the highest mean.
reference_ranker <- function(settings, table) {
  if (is.null(settings$control)) top_ranker(table) else settings$control
}

# The comparison with the reference: numbers such as "-0.0213 [-0.0400, -0.0012], p = 0.03", and a remark such as
# "; all differences are 0".
against_reference <- function(ranker, x, metric) {
  reference <- reference_ranker(x$settings, x$rankers[x$rankers$metric == metric, ])
  if (ranker == reference) {
    return(list(numbers = if (is.null(x$settings$control)) "the highest mean" else "the control", remark = ""))
  }
  rows <- pairs_against(x$pairs[x$pairs$metric == metric, ], reference, x$settings)
  row <- rows[rows$ranker == ranker, ]
  interval <- if (is.na(row$lower)) "[no interval]" else {
    sprintf("[%s, %s]", show_end(row$lower), show_end(row$upper))
  }
  # Shorter than in tidy(), so that most lines fit into 80 columns.
  verdict <- if (!is.null(x$settings$margin)) paste0(": ", sub("practically ", "", row$verdict))
  list(numbers = sprintf("%+.4f %s, %s", row$difference + 0, interval, show_p(row$p, row$at_floor)),
       remark = paste0(verdict, if (nzchar(row$note)) paste0("; ", row$note) else ""))
}

show_end <- function(x) if (is.finite(x)) sprintf("%+.4f", x + 0) else format(x)

# The ends of the interval that is shown beside p: the simultaneous one, if the adjustment has it.
shown_ends <- function(pairs, settings) {
  ends <- if (has_simultaneous(settings)) c("sim_lower", "sim_upper") else c("lower", "upper")
  list(lower = pairs[[ends[1L]]], upper = pairs[[ends[2L]]])
}

# The pairs with `b` as the second ranker. 0 - x avoids negative zeros. `at_floor` is TRUE if random sign
# patterns cannot give a smaller p-value.
pairs_against <- function(pairs, b, settings) {
  rows <- pairs[pairs$a == b | pairs$b == b, ]
  swapped <- rows$a == b
  ends <- shown_ends(rows, settings)
  data.frame(ranker = ifelse(swapped, rows$b, rows$a),
             difference = ifelse(swapped, 0 - rows$difference, rows$difference),
             lower = ifelse(swapped, 0 - ends$upper, ends$lower),
             upper = ifelse(swapped, 0 - ends$lower, ends$upper),
             p = rows$p_adjusted, note = rows$note,
             verdict = ifelse(swapped, mirrored_verdict(rows$verdict), rows$verdict),
             at_floor = at_floor(rows, settings))
}

# Converts the verdict about `a` to the verdict about `b`.
mirrored_verdict <- function(verdict) {
  ifelse(startsWith(verdict, "better"), sub("better", "worse", verdict), sub("worse", "better", verdict))
}

# Whether p is the smallest possible value.
at_floor <- function(pairs, settings) {
  family <- if (settings$adjust %in% c("holm", "BH")) nrow(pairs) else 1
  !is.na(pairs$p_floor) & pairs$p_floor < 1 &
    pairs$p_randomization <= pairs$p_floor * (1 + 1e-9) &
    (family > 1 | pairs$p_adjusted <= pairs$p_floor * (1 + 1e-9))
}

# "p <= 0.0012" if p is the smallest possible value.
show_p <- function(p, at_floor = FALSE) {
  # ifelse() has the length of its test.
  ifelse(rep_len(at_floor, length(p)), sprintf("p <= %.*f", 4L, pmax(p, 1e-4)),
         ifelse(p < 1e-4, "p < 0.0001", paste("p =", p_number(p))))
}

# Four decimals. More if the number would be rounded to a usual level, so that it does not contradict the verdict.
p_number <- function(p) {
  levels <- c(0.001, 0.01, 0.05, 0.1)
  digits <- rep(4L, length(p))
  # Differences of this size are rounding errors of the test.
  at_level <- round(p, 9L) %in% levels
  for (more in 5:9) digits[round(p, more - 1L) %in% levels & !at_level] <- more
  sprintf("%.*f", digits, p)
}
