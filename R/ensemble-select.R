# Fifth stage of a mixture: selects T and the setting of the weighting method, by the metric on the
# validation queries on which the weights were found, or by cross-validation over them. The choice is the
# best setting, the simplest within a standard error of it, or the average over all settings.

# The selected T and setting: the row `choice` of the table `tuning`, the weights of the members, the
# validation metric of the mixture, and the contributions of the rankers. `tried` has the weighted
# members for each T of `rounds`, or NULL for a T that was not tried.
select_setting <- function(weighting, tried, rounds, evaluator, call = rlang::caller_env()) {
  done <- which(lengths(tried) > 0L)
  check_some_member(lapply(tried[done], `[[`, "omega"), weighting$threshold, call)
  tuning <- tuning_of(weighting, tried[done], rounds[done], evaluator)
  choice <- tuning[chosen_row(weighting, tuning, call), ]
  chosen <- tried[[match(choice$rounds, rounds)]]
  settings <- weighting_settings(weighting)
  same <- Map(`==`, settings, choice[names(settings)])
  setting <- which(Reduce(`&`, same))
  averaged <- weighting$choose == "averaged"
  list(
    choice = choice, tuning = tuning, fitted = chosen$fitted, omega = chosen$omega, scale = chosen$scale,
    weight = if (averaged) put_together(chosen$weights, chosen$mixing)[, 1L] else chosen$weights[, setting],
    value = if (averaged) chosen$averaged else choice$value,
    contributions = kept_contributions(chosen$contributions, setting, evaluator)
  )
}

# One row for each T and setting, the simplest first, with its `value`. If the choice uses values of
# queries, also `behind`, the difference to the best value, and its standard error `se`. If settings are
# averaged, also the `fraction`, which is 0 for settings of a T that was not chosen.
tuning_of <- function(weighting, tried, rounds, evaluator) {
  settings <- weighting_settings(weighting)
  count <- length(tried)
  tuning <- data.frame(rounds = rep(rounds, each = nrow(settings)),
                       settings[rep(seq_len(nrow(settings)), count), , drop = FALSE],
                       value = unlist(lapply(tried, `[[`, "value")), row.names = NULL)
  if (weighting$choose == "best") {
    return(tuning)
  }
  per_query <- do.call(cbind, lapply(tried, `[[`, "per_query"))
  tuning[c("behind", "se")] <- behind_best(per_query, tuning$value, evaluator$weights)
  if (weighting$choose == "averaged") {
    tuning$fraction <- 0
    same <- tuning$rounds == tuning$rounds[which.max(tuning$value)]
    tuning$fraction[same] <- setting_fractions(tuning[same, ])
  }
  tuning
}

# The chosen row. Ties go to the simpler setting.
chosen_row <- function(weighting, tuning, call = rlang::caller_env()) {
  best <- which.max(tuning$value)
  if (length(best) == 0L) {
    stop_input("argument", "In some fold, no member is above any `threshold`.",
               remedy = "Lower `threshold`, or choose without `repeats`.", call = call)
  }
  if (weighting$choose != "one_se") {
    return(best)
  }
  near <- which(tuning$behind <= tuning$se)
  min(best, near)
}

# How the settings are combined: settings x mixtures. A column selects one setting, or has the
# fraction of each. There is no column if no setting has a member with positive weight.
setting_mixing <- function(weighting, found, evaluator) {
  count <- length(found$value)
  best <- which.max(found$value)
  switch(weighting$choose,
         best = diag(count)[, best, drop = FALSE],
         one_se = diag(count),
         averaged = if (length(best) == 0L) matrix(0, count, 0L) else {
           cbind(setting_fractions(behind_best(found$per_query, found$value, evaluator$weights)))
         })
}

# The fraction of a setting falls with its distance from the best, in standard errors.
setting_fractions <- function(behind) {
  # Rounding errors may make a difference to the best negative.
  fractions <- exp(-ifelse(behind$behind <= 0, 0, behind$behind / behind$se))
  fractions[is.na(fractions)] <- 0
  fractions / sum(fractions)
}

# The mean over queries of the difference to the best setting, with its standard error; NA for settings
# without a member of positive weight.
behind_best <- function(per_query, value, query_weights) {
  best <- which.max(value)
  moments <- vapply(seq_along(value), function(i) {
    if (is.na(value[i])) return(c(NA_real_, NA_real_))
    moments <- summarise_values(per_query[, best] - per_query[, i], query_weights, 0.95)
    c(moments$mean, moments$se)
  }, c(0, 0))
  data.frame(behind = moments[1L, ], se = moments[2L, ])
}

# The weights of the combinations: members x mixtures. NaN if a combination includes a setting without a
# member of positive weight.
put_together <- function(weights, mixing) {
  lacking <- !is.finite(colSums(weights))
  weights[, lacking] <- 0
  together <- weights %*% mixing
  together[, colSums(mixing[lacking, , drop = FALSE]) > 0] <- NaN
  together
}

# The metrics of three kinds of mixtures, each weighted by the same method: all members, all members
# except those of a ranker, only those of a ranker. Each is queries x settings.
evaluate_contributions <- function(weighting, scores, own, group, ranker, found, evaluator, seed) {
  values_of <- function(kept) {
    weights <- member_weights_by(weighting, scores[kept], own[, kept, drop = FALSE],
                             prior_weights(group[kept]), evaluator, evaluator$weights, seed)
    evaluate_weights(evaluator, scores[kept], put_together(weights, found$mixing))
  }
  names <- stats::setNames(nm = unique(ranker))
  list(mixture = evaluate_weights(evaluator, scores, put_together(found$weights, found$mixing)),
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
