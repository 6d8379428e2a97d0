# What each ranker contributes to a mixture: its metric on validation queries without that ranker, and
# that of the ranker alone. All members that come of one ranker, with all calibrators, belong to it.

# The name of the ranker of the package that a model is of.
family_of <- function(model) {
  if (is_specification(model$spec)) row_of(model$spec)$name else NULL
}

# Queries x mixtures: of all members, without those of each ranker, and of those alone, weighted in the
# same way.
judge_contributions <- function(weighting, scores, own, group, ranker, stage, judge, seed) {
  values_of <- function(kept) {
    weights <- member_weights_by(weighting, scores[kept], own[, kept, drop = FALSE],
                             prior_weights(group[kept]), judge, judge$weights, seed)
    judge_values(judge, scores[kept], put_together(weights, stage$mixing))
  }
  names <- stats::setNames(nm = unique(ranker))
  list(mixture = judge_values(judge, scores, put_together(stage$weights, stage$mixing)),
       without = lapply(names, function(name) values_of(which(ranker != name))),
       alone = lapply(names, function(name) values_of(which(ranker == name))))
}

# What the mixture keeps of that for the setting it has: `mixture`, a number a query, and `without` and
# `alone`, queries x rankers. NULL where there is one ranker.
kept_contributions <- function(found, setting, judge) {
  if (is.null(found)) {
    return(NULL)
  }
  column <- if (ncol(found$mixture) == 1L) 1L else setting
  chosen <- function(parts) vapply(parts, function(values) values[, column], numeric(nrow(found$mixture)))
  side_by_side <- function(parts) {
    matrix(chosen(parts), ncol = length(parts), dimnames = list(NULL, names(parts)))
  }
  list(mixture = found$mixture[, column], without = side_by_side(found$without),
       alone = side_by_side(found$alone), weight = judge$data$weight)
}

# A row for each ranker, by decreasing weight: its `weight` summed over its members, the metric of the
# ranker alone (`value`), of the mixture `without` it, and what it `adds` with its t interval. Of
# one ranker only the weight is known.
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
  # Where the others leave nothing to mix there is no difference.
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
