# The contribution of each ranker to a mixture: the metric on validation queries without the ranker,
# and of the ranker alone. All members of one ranker belong together, whatever their calibrators.

# The name of the model's ranker, as in the registry.
family_of <- function(model) {
  if (is_specification(model$spec)) entry_of(model$spec)$name else NULL
}

# The metrics of three kinds of mixtures, each weighted by the same method: all members, all members
# except those of a ranker, only those of a ranker. Each is queries x settings.
evaluate_contributions <- function(weighting, scores, own, group, ranker, stage, evaluator, seed) {
  values_of <- function(kept) {
    weights <- member_weights_by(weighting, scores[kept], own[, kept, drop = FALSE],
                             prior_weights(group[kept]), evaluator, evaluator$weights, seed)
    evaluate_weights(evaluator, scores[kept], put_together(weights, stage$mixing))
  }
  names <- stats::setNames(nm = unique(ranker))
  list(mixture = evaluate_weights(evaluator, scores, put_together(stage$weights, stage$mixing)),
       without = lapply(names, function(name) values_of(which(ranker != name))),
       alone = lapply(names, function(name) values_of(which(ranker == name))))
}

# The contributions for the chosen setting, which the mixture stores: `mixture`, one number for each
# query, and `without` and `alone`, queries x rankers. NULL if there is only one ranker.
kept_contributions <- function(found, setting, evaluator) {
  if (is.null(found)) {
    return(NULL)
  }
  column <- if (ncol(found$mixture) == 1L) 1L else setting
  chosen <- function(parts) vapply(parts, function(values) values[, column], numeric(nrow(found$mixture)))
  side_by_side <- function(parts) {
    matrix(chosen(parts), ncol = length(parts), dimnames = list(NULL, names(parts)))
  }
  list(mixture = found$mixture[, column], without = side_by_side(found$without),
       alone = side_by_side(found$alone), weight = evaluator$data$weight)
}

# One row for each ranker, by decreasing weight: the `weight`, summed over its members; the metric
# of the ranker alone (`value`); the metric of the mixture `without` it; and the difference, `adds`,
# with its t interval. For a single ranker only the weight is known.
ranker_table <- function(mixture, level = 0.95) {
  members <- mixture$members
  kept <- mixture$contributions
  rows <- lapply(unique(members$ranker), function(name) {
    own <- members$ranker == name
    data.frame(ranker = name, members = sum(own), weight = sum(members$weight[own]),
               contribution_of(kept, name, level))
  })
  table <- do.call(rbind, rows)
  table <- table[order(-table$weight), , drop = FALSE]
  rownames(table) <- NULL
  table
}

contribution_of <- function(kept, name, level) {
  if (is.null(kept)) {
    return(data.frame(value = NA_real_, without = NA_real_, adds = NA_real_, lower = NA_real_,
                      upper = NA_real_))
  }
  mean_of <- function(values) {
    if (anyNA(values[!is.nan(values)])) NA_real_ else summarise_values(values, kept$weight, level)$mean
  }
  difference <- kept$mixture - kept$without[, name]
  # Without other members there is no mixture, and therefore no difference.
  known <- !anyNA(difference[!is.nan(difference)])
  moments <- summarise_values(difference, kept$weight, level)
  data.frame(value = mean_of(kept$alone[, name]),
             without = if (known) mean_of(kept$without[, name]) else NA_real_,
             adds = if (known) moments$mean else NA_real_,
             lower = if (known) moments$lower else NA_real_,
             upper = if (known) moments$upper else NA_real_)
}

check_level <- function(level, call = rlang::caller_env()) {
  check_number(level, "level", 0, 1, open_min = TRUE, call = call)
  if (level == 1) {
    stop_input("argument", "`level` must be below 1.", call = call)
  }
}
