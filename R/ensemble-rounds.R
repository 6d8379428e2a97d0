# The number of rounds T of a mixture. tune_rounds() decides it: members are calibrated and weighted for
# each T, and the best T is selected.

# Calibrates and weights the members for each T that time allows, and selects T and the setting of the
# weighting method. With limited time some candidates are skipped, and some T are not tried.
tune_rounds <- function(plan, trained, data) {
  models <- with_own_rounds(trained$models, data$validation, plan$weighting$rounds, plan$metric,
                            plan$threads, plan$call)
  rounds <- rounds_to_try(models, plan$weighting$rounds)
  candidates <- member_candidates(models, plan$calibrators, plan$call)
  about <- about_candidates(plan, trained, candidates)
  calibration <- new_calibration(plan, models, candidates, data, rounds)
  evaluator <- new_evaluator(plan$metric, data$validation, plan$threads, plan$call)
  sequence <- ranked_rounds(rounds, function(r) {
    quick_value(calibration, r, data$validation, plan$metric, plan$weighting$c)
  }, plan$time$calibration)
  clock <- new_calibration_clock(calibration, rounds[sequence], plan$time$calibration, plan$verbose)
  on.exit(clock$close())
  members <- first_members(calibration, rounds[sequence[1L]], clock)
  tried <- vector("list", length(rounds))
  for (s in sequence) {
    members <- members_for(members, calibration, rounds[s], clock)
    if (!members$complete) next
    tried[[s]] <- clock$weight(weighted_members(plan$weighting, members, about, evaluator, plan$seed))
    # "one_se" may choose any T.
    if (plan$weighting$choose != "one_se") tried <- only_best_fitted(tried)
  }
  selected <- select_setting(plan$weighting, tried, rounds, evaluator, plan$call)
  if (calibration$crossfit > 1) {
    # Calibrators fitted to all queries are needed only for the chosen T.
    chosen <- members$candidates
    selected$fitted <- clock$finish(chosen, final_calibrators(calibration, chosen, selected$choice$rounds,
                                                              clock$within(chosen)))
  }
  c(selected, list(candidates = candidates, used = members$candidates, about = about,
                   own_rounds = lapply(models, `[[`, "own_rounds"),
                   not_tried = rounds[lengths(tried) == 0L]))
}

# The ranker, the family and the group of the prior of each candidate.
about_candidates <- function(plan, trained, candidates) {
  family <- vapply(trained$models, family_of, "")[candidates$model]
  data.frame(ranker = trained$label[candidates$model], family = family,
             group = prior_groups(plan$weighting$prior, trained$origin[candidates$model], family))
}

# A quick estimate of the metric for a T: the best exponential mixture of cheaply calibrated models.
quick_value <- function(calibration, rounds, validation, metric, c) {
  scores <- cheapest_scores(calibration, rounds)
  max(mixture_values(scores, calibration$metric_of(scores), validation, metric, c, -Inf,
                     calibration$threads))
}

# The default values of T to try. Members without rounds are the same for any T.
usual_rounds <- function(members) {
  most <- vapply(members, function(member) {
    if (!is_specification(member)) {
      return(as.numeric(rounds_used(member)))
    }
    rounds <- rounds_of(member)
    if (is.null(rounds)) 1 else as.numeric(rounds)
  }, numeric(1))
  rounds_grid(max(1, most))
}

# The values of T to try. If every model has its own number of rounds, T is the largest of these.
rounds_to_try <- function(models, rounds) {
  if (any(vapply(models, function(model) is.null(model$own_rounds), NA))) {
    return(rounds)
  }
  max(vapply(models, `[[`, 0L, "own_rounds"))
}

# Gives each ranker of one score its own number of rounds: the number in `grid` with the best metric
# on the validation queries. Rankers need different numbers, and calibrators seldom change the
# ranking of one score. If two numbers are equally good, the smaller one is used.
with_own_rounds <- function(models, validation, grid, metric, threads, call) {
  own <- which(!vapply(models, is_classifier, NA) & vapply(models, rounds_used, 0L) > 1L)
  if (length(own) == 0L) {
    return(models)
  }
  features <- features_of_models(models[own], validation, threads, call)
  models[own] <- Map(function(model, x) {
    stages <- unique(pmin(grid, rounds_used(model)))
    scores <- calibrator_input(model, x, stages, threads)
    values <- metric_means(metric, matrix(scores, dim(scores)[1L]), validation, threads)
    model$own_rounds <- as.integer(stages[which.max(values)])
    model
  }, models[own], features)
  models
}

# Number of rounds that a member uses if T is `rounds`: a model with fewer rounds uses all, and a ranker
# of one score has its own number.
member_rounds <- function(model, rounds) {
  own <- .subset2(model, "own_rounds")
  if (is.null(own)) up_to_rounds(rounds, rounds_used(model)) else rep(own, length(rounds))
}

# The values of T, in the order in which limited time is spent on them. Each T is evaluated, the
# largest first, by the metric of the mixture of naively calibrated classifiers, which is cheap. The
# order is by this metric; ties go to the smaller T. Values without time for an evaluation come
# last, the largest first. Without a time limit the order is unchanged.
ranked_rounds <- function(rounds, value_of, budget) {
  if (!budget$limited || length(rounds) == 1L) {
    return(seq_along(rounds))
  }
  values <- rep(-Inf, length(rounds))
  took <- 0
  for (s in order(-rounds)) {
    # An evaluation may take only a small part of the remaining time.
    if (8 * took > budget$left()) {
      break
    }
    took <- budget$seconds(values[s] <- value_of(rounds[s]))
  }
  order(-values, ifelse(values == -Inf, -rounds, rounds))
}

# The results for each T that was tried, in the order of T, with the calibrators of the best T only.
# Ties go to the smaller T.
only_best_fitted <- function(tried) {
  tops <- vapply(tried, function(weighted) {
    if (is.null(weighted)) NA_real_ else max(weighted$value, -Inf, na.rm = TRUE)
  }, 0)
  for (s in setdiff(which(!is.na(tops)), which.max(tops))) {
    tried[[s]]["fitted"] <- list(NULL)
  }
  tried
}
