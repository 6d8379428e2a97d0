# Chooses the settings of a weighting method, and T, by the metric on the validation queries on which
# the weights were found, or by cross-validation over them. The choice is the best setting, the simplest
# within a standard error of it, or the average over all settings.

# The choice of the paper, for which means over queries suffice.
plain_choice <- function(weighting) {
  weighting$method == "exponential" && weighting$choose == "best" && repeats_of(weighting) == 0
}

# Methods that fit weights to the metric are optimistic on the queries they were fitted to.
repeats_of <- function(weighting) {
  if (!is.null(weighting$repeats)) weighting$repeats else if (weighting$method == "exponential") 0 else 2
}

# Whether random numbers are used.
draws <- function(weighting) {
  repeats_of(weighting) > 0 || weighting$method == "selection" && weighting$bags > 1
}

# The weights of the members for one T. For each setting: the `weights` from all queries (members x
# settings) and the `value`. If the choice needs it, also `per_query` (queries x settings). Then
# `mixing`, how settings are combined (see setting_mixing()), the value of the combination, and the
# contribution of each ranker. `group` has the groups of the prior, `ranker` the ranker of each
# member.
evaluate_stage <- function(weighting, scores, omega, group, ranker, evaluator, seed) {
  evaluator <- with_positions(evaluator, scores)
  prior <- prior_weights(group)
  own <- NULL
  if (plain_choice(weighting)) {
    stage <- list(weights = exponential_columns(weighting, omega, prior),
                  value = as.vector(mixture_values(scores, omega, evaluator$data, evaluator$metric, weighting$c,
                                                   weighting$threshold, evaluator$threads, prior)))
  } else {
    own <- member_values(evaluator, scores)
    stage <- list(weights = member_weights_by(weighting, scores, own, prior, evaluator, evaluator$weights, seed))
    stage$per_query <- if (repeats_of(weighting) > 0) {
      crossed_values(weighting, scores, own, prior, evaluator, seed)
    } else {
      evaluate_weights(evaluator, scores, stage$weights)
    }
    stage$value <- mean_values(stage$per_query, evaluator$weights)
  }
  stage$mixing <- setting_mixing(weighting, stage, evaluator)
  if (weighting$choose == "averaged" && ncol(stage$mixing) > 0L) {
    averaged <- if (repeats_of(weighting) > 0) {
      crossed_values(weighting, scores, own, prior, evaluator, seed, stage$mixing)
    } else {
      evaluate_weights(evaluator, scores, put_together(stage$weights, stage$mixing))
    }
    stage$averaged <- mean_values(averaged, evaluator$weights)
  }
  if (length(unique(ranker)) > 1L && ncol(stage$mixing) > 0L) {
    if (is.null(own)) own <- member_values(evaluator, scores)
    stage$contributions <- evaluate_contributions(weighting, scores, own, group, ranker, stage, evaluator, seed)
  }
  stage
}

# How the settings are combined: settings x mixtures. A column selects one setting, or has the
# fraction of each. There is no column if no setting leaves a member.
setting_mixing <- function(weighting, stage, evaluator) {
  count <- length(stage$value)
  best <- which.max(stage$value)
  switch(weighting$choose,
         best = diag(count)[, best, drop = FALSE],
         one_se = diag(count),
         averaged = if (length(best) == 0L) matrix(0, count, 0L) else {
           cbind(setting_fractions(behind_best(stage$per_query, stage$value, evaluator$weights)))
         })
}

# The fraction of a setting falls with its distance from the best, in standard errors.
setting_fractions <- function(behind) {
  fractions <- exp(-ifelse(behind$behind == 0, 0, behind$behind / behind$se))
  fractions[is.na(fractions)] <- 0
  fractions / sum(fractions)
}

# The mean over queries of the difference to the best setting, with its standard error; NA
# for settings that leave no member.
behind_best <- function(per_query, value, query_weights) {
  best <- which.max(value)
  moments <- vapply(seq_along(value), function(i) {
    if (is.na(value[i])) return(c(NA_real_, NA_real_))
    moments <- summarise_values(per_query[, best] - per_query[, i], query_weights, 0.95)
    c(moments$mean, moments$se)
  }, c(0, 0))
  data.frame(behind = moments[1L, ], se = moments[2L, ])
}

# The weights of the combinations: members x mixtures. NaN if a combination includes a setting that
# leaves no member.
put_together <- function(weights, mixing) {
  lacking <- !is.finite(colSums(weights))
  weights[, lacking] <- 0
  together <- weights %*% mixing
  together[, colSums(mixing[lacking, , drop = FALSE]) > 0] <- NaN
  together
}

# Cross-validated values: the metric of each query by weights that were found on other queries,
# averaged over the repeats. Queries x settings, or with `mixing` queries x combinations. Queries
# are assigned to folds at random.
crossed_values <- function(weighting, scores, own, prior, evaluator, seed,
                           mixing = diag(nrow(weighting_settings(weighting)))) {
  count <- length(evaluator$weights)
  sum <- 0
  for (again in seq_len(repeats_of(weighting))) {
    drawn <- with_seed(derived_seed(seed, "weigh", again), sample.int(count))
    fold <- integer(count)
    fold[drawn] <- rep_len(seq_len(weighting$folds), count)
    values <- matrix(NaN, count, ncol(mixing))
    for (k in unique(fold)) {
      out <- fold == k
      weights <- put_together(member_weights_by(weighting, scores, own, prior, evaluator,
                                            replace(evaluator$weights, out, 0),
                                            derived_seed(seed, "weigh", again, k)), mixing)
      values[out, ] <- evaluate_weights(evaluator, scores, weights, replace(evaluator$weights, !out, 0))[out, ]
    }
    sum <- sum + values
  }
  sum / repeats_of(weighting)
}

# One row for each T and setting, the simplest first, with its `value`. If queries decide, also the
# distance to the best, `behind`, and its standard error, `se`. If settings are averaged, also the
# `fraction`, which is 0 for settings of a T that was not chosen.
tuning_of <- function(weighting, stages, rounds, evaluator) {
  settings <- weighting_settings(weighting)
  count <- length(stages)
  tuning <- data.frame(rounds = rep(rounds, each = nrow(settings)),
                       settings[rep(seq_len(nrow(settings)), count), , drop = FALSE],
                       value = unlist(lapply(stages, `[[`, "value")), row.names = NULL)
  if (weighting$choose == "best") {
    return(tuning)
  }
  per_query <- do.call(cbind, lapply(stages, `[[`, "per_query"))
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
    stop_input("argument", "Every `threshold` leaves no member in some fold.",
               remedy = "Lower `threshold`, or choose without `repeats`.", call = call)
  }
  if (weighting$choose != "one_se") {
    return(best)
  }
  near <- which(tuning$behind <= tuning$se)
  min(best, near)
}
