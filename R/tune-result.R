# The result of tune_ranker(): tables, print() and the methods of broom.

new_tuning <- function(found, gain, metric, level, seed) {
  search <- found$search
  last <- length(search$context$fractions)
  values <- search$values[[last]]
  if (is.null(gain)) {
    gain <- bootstrap_gain(values, match(1L, candidates_on(search, last)), search_weight(search), level,
                           derived_seed(seed, "gain"))
  }
  structure(list(
    model = found$model, spec = found$spec, candidates = candidate_table(search, found$best),
    trainings = search$trainings, values = values, gain = gain, best = found$best, default = 1L,
    metric = metric, spent = search$spent, queries = nrow(values), seed = seed,
    folds = length(search$context$splits), limit = rounds_of(search$candidates[[found$best]]$spec),
    log_settings = log_settings(search$context$spaces)
  ), class = "rankmix_tuning")
}

candidate_table <- function(search, best) {
  rows <- lapply(search$candidates, function(candidate) {
    own <- search$trainings[search$trainings$candidate == candidate$id, ]
    own <- own[which.max(own$fraction), ]
    if (nrow(own) == 0L) own <- data.frame(fraction = NA_real_, value = NA_real_, se = NA_real_, rounds = NA_real_)
    outcome <- if (candidate$id == best) "best" else {
      if (is.na(candidate$reason)) "compared" else candidate$reason
    }
    cbind(data.frame(candidate = candidate$id, ranker = candidate$ranker), setting_columns(search, candidate),
          own[c("fraction", "value", "se", "rounds")], outcome = outcome, row.names = NULL)
  })
  do.call(rbind, rows)
}

# The settings with a logarithmic range in every space that has them.
log_settings <- function(spaces) {
  ranges <- do.call(c, unname(spaces))
  is_log <- vapply(ranges, function(values) inherits(values, "rankmix_tuning_range") && values$log, NA)
  setdiff(names(ranges)[is_log], names(ranges)[!is_log])
}

# A column for each setting of all spaces. Values that are no numbers are texts.
setting_columns <- function(search, candidate) {
  spaces <- search$context$spaces
  names <- unique(unlist(lapply(unname(spaces), names)))
  columns <- lapply(stats::setNames(names, names), function(name) {
    is_number <- all(vapply(spaces, function(space) is_numeric_space(space[[name]]), NA))
    value <- if (name %in% names(spaces[[candidate$ranker]])) candidate$spec[[name]]
    if (is_number) {
      return(if (is.null(value)) NA_real_ else as.double(value))
    }
    if (is.null(value)) NA_character_ else setting_text(value)
  })
  list2DF(columns, 1L)
}

# TRUE for a range, for choices that are single numbers, and without a space.
is_numeric_space <- function(values) {
  inherits(values, "rankmix_tuning_range") || all(vapply(values, function(value) {
    is_plain_number(value) && length(value) == 1L
  }, NA))
}

#' @export
print.rankmix_tuning <- function(x, ...) {
  table <- x$candidates
  best <- table[x$best, ]
  default <- table[x$default, ]
  say(sprintf("<rankmix_tuning> %s, %s on %s%s, seed %s", counted(nrow(table), "candidate"), format(x$metric),
              counted(x$queries, "validation query", "validation queries"),
              if (x$folds > 1L) sprintf(" in %d folds", x$folds) else "", plain_number(x$seed)))
  say(sprintf("Work: %.1f trainings on all queries. Trained on all queries: %s.", x$spent,
              counted(sum(table$fraction %in% 1), "candidate")))
  say(sprintf("Default  %.4f", default$value))
  say(sprintf("Best     %.4f  %s", best$value, format(x$spec)))
  say("(The value of the best is optimistic, because it was chosen on these queries.)")
  say(gain_sentence(x))
  hint <- rounds_hint(x)
  if (!is.null(hint)) say(hint)
  invisible(x)
}

gain_sentence <- function(x) {
  if (x$best == x$default) {
    return("No candidate was better than the default settings.")
  }
  sprintf("Gain of tuning (%s): %+.4f, %s%% interval %+.4f to %+.4f", x$gain$method, x$gain$gain,
          plain_number(100 * x$gain$level), x$gain$lower, x$gain$upper)
}

# The best candidate may be limited by its number of rounds.
rounds_hint <- function(x) {
  limit <- if (has_trait(x$spec, "rounds")) x$limit
  rounds <- x$candidates$rounds[x$best]
  if (!is.null(limit) && !is.na(rounds) && rounds >= 0.95 * limit) {
    sprintf("The best candidate uses %s of at most %s rounds. More rounds may rank better.",
            plain_number(round(rounds)), plain_number(limit))
  }
}

#' @export
predict.rankmix_tuning <- function(object, ...) predict(object$model, ...)

#' @export
tidy.rankmix_tuning <- function(x, ...) x$candidates

#' @export
glance.rankmix_tuning <- function(x, ...) {
  table <- x$candidates
  data.frame(metric = format(x$metric), candidates = nrow(table), spent = x$spent, default = table$value[x$default],
             best = table$value[x$best], gain = x$gain$gain, lower = x$gain$lower, upper = x$gain$upper,
             method = x$gain$method, queries = x$queries)
}
