# Third stage of a mixture: calibrated scores. A candidate is a pair of a model and a calibrator. A
# member is a candidate that was calibrated for some number of rounds. Nothing here chooses or weights.

# The data that the calibration of all candidates shares. `candidates` is a data frame of the indices `model` and
# `calibrator`. The functions `outputs` and `fit_outputs` return the outputs of a model on the validation data and
# on the data to which calibrators are fitted. They are the only caches of predictions. `rounds` are the numbers
# of rounds that will be used.
new_calibration <- function(plan, models, candidates, data, rounds) {
  outputs_on <- function(data) {
    features <- features_of_models(models, data, plan$threads, plan$call)
    kept_outputs(models, staged_outputs(models, features, rounds, plan$threads),
                 keep_all = plan$time$calibration$limited)
  }
  outputs <- outputs_on(data$validation)
  list(
    models = models, candidates = candidates, calibrators = plan$calibrators,
    outputs = outputs,
    fit_outputs = if (is.null(data$calibration)) outputs else outputs_on(data$calibration),
    fit_data = held_out(calibration_part(data), plan$threads),
    crossfit = crossfit_of(plan$holdout),
    scaling = member_scaling(plan$weighting$standardize, data$validation, plan$threads),
    metric_of = function(scores) metric_means(plan$metric, scores, data$validation, plan$threads),
    threads = plan$threads
  )
}

# Number of rounds that the model of each chosen candidate uses if T is `rounds`.
candidate_rounds <- function(calibration, chosen, rounds) {
  vapply(calibration$models, member_rounds, 0L, rounds)[calibration$candidates$model[chosen]]
}

# The data to which the chosen candidates are fitted, grouped by model as the core fits them. `candidates` has the
# candidates of each group.
fit_groups <- function(calibration, chosen, rounds) {
  model_of <- calibration$candidates$model
  lapply(unique(model_of[chosen]), function(i) {
    own <- chosen[model_of[chosen] == i]
    outputs <- calibration$fit_outputs(i, member_rounds(calibration$models[[i]], rounds))
    calibrators <- calibration$calibrators[calibration$candidates$calibrator[own]]
    c(calibrator_inputs(outputs$f, outputs$range, calibrators), list(candidates = own, model = i))
  })
}

# Converts a list by groups to a list by candidates.
in_candidate_order <- function(chosen, groups, found) {
  all <- unlist(found, recursive = FALSE)
  all[match(chosen, unlist(lapply(groups, `[[`, "candidates")))]
}

# The scores of the chosen candidates on the validation data. With cross-fitting they are out-of-fold.
# Else the calibrators are returned, too, as `fitted`.
calibrated_candidates <- function(calibration, chosen, rounds, progress = NULL) {
  threads <- calibration$threads
  groups <- fit_groups(calibration, chosen, rounds)
  if (calibration$crossfit > 1) {
    scores <- crossfit_scores(groups, calibration$fit_data, calibration$crossfit, threads, progress)
    return(list(scores = in_candidate_order(chosen, groups, scores)))
  }
  fitted <- fit_calibrators(groups, calibration$fit_data, threads, progress)
  scores <- Map(function(group, fits) {
    outputs <- calibration$outputs(group$model, member_rounds(calibration$models[[group$model]], rounds))
    calibrators_scores(fits, outputs$f, threads)
  }, groups, fitted)
  list(fitted = in_candidate_order(chosen, groups, fitted),
       scores = in_candidate_order(chosen, groups, scores))
}

# The calibrators of the chosen candidates, fitted to all queries.
final_calibrators <- function(calibration, chosen, rounds, progress = NULL) {
  groups <- fit_groups(calibration, chosen, rounds)
  in_candidate_order(chosen, groups,
                     fit_calibrators(groups, calibration$fit_data, calibration$threads, progress))
}

# The scores of each model by the calibrator that is fastest to fit.
cheapest_scores <- function(calibration, rounds) {
  lapply(seq_along(calibration$models), function(i) {
    model <- calibration$models[[i]]
    now <- member_rounds(model, rounds)
    outputs <- calibration$outputs(i, now)
    if (is_classifier(model)) {
      return(naive_scores(outputs$f, outputs$range))
    }
    fit_outputs <- calibration$fit_outputs(i, now)
    fitted <- fit_calibrator(calibrator_rbc("linear"), fit_outputs$f, calibration$fit_data,
                             outputs$range, calibration$threads)
    calibrated_scores(fitted, outputs$f, calibration$threads)
  })
}

# The candidates: all pairs of models and calibrators that can be members. Fails if there is none.
member_candidates <- function(models, calibrators, call = rlang::caller_env()) {
  candidates <- suitable_candidates(models, calibrators)
  if (!any(candidates$fits)) {
    check_monomials(calibrators[[candidates$calibrator[1L]]], models[[candidates$model[1L]]]$classes, call)
  }
  candidates <- candidates[candidates$fits, c("calibrator", "model")]
  rownames(candidates) <- NULL
  candidates
}

# All pairs that a calibrator supports. `fits` is FALSE if a polynomial would have too many terms.
suitable_candidates <- function(models, calibrators) {
  candidates <- expand.grid(calibrator = seq_along(calibrators), model = seq_along(models))
  suits <- of_one_score(calibrators)
  several <- vapply(models, is_classifier, NA)
  columns <- vapply(models, function(model) if (is_classifier(model)) model$classes else 1, 0)
  candidates <- candidates[several[candidates$model] | suits[candidates$calibrator], ]
  candidates$fits <- mapply(function(method, count) {
    monomials_of(method, count) <= max_monomials
  }, calibrators[candidates$calibrator], columns[candidates$model])
  candidates
}

# The calibrators for rankers of one score. Linear and logistic calibrators keep the order of the
# documents, so only the first of them is used. A preset is reduced to this one calibrator, because
# more members did not rank better on validation queries (bench/one-score.md).
of_one_score <- function(calibrators) {
  suits <- vapply(calibrators, one_score_suffices, NA)
  increasing <- suits & vapply(calibrators, function(method) {
    isTRUE(method$model %in% c("linear", "logistic"))
  }, NA)
  first <- seq_along(calibrators) == match(TRUE, increasing, nomatch = 0L)
  wanted <- attr(calibrators, "of_one_score")
  switch(if (is.null(wanted)) "different" else wanted,
         all = suits,
         one = if (any(first)) first else suits,
         different = suits & (!increasing | first))
}

# Describes the candidates that are left out because they cannot be fitted.
unfit_candidates <- function(models, calibrators) {
  candidates <- suitable_candidates(models, calibrators)
  candidates <- candidates[!candidates$fits, ]
  sprintf("%s of %s", vapply(calibrators[candidates$calibrator], format, ""),
          vapply(models[candidates$model], function(model) task_label(model$spec, set_of(model)), ""))
}

# A list of calibrators, or NULL if the validation data decide.
check_calibrators <- function(calibrators, call = rlang::caller_env()) {
  if (is.null(calibrators)) {
    return(NULL)
  }
  calibrators <- check_list_of(calibrators, "calibrators", "rankmix_calibrator",
                               "`calibrator_naive()`, `calibrator_cpc()` or `calibrator_rbc()`", call)
  if (any(vapply(calibrators, is_probability, NA))) {
    stop_input("argument", "Mixtures need scores that estimate gains.",
               "`calibrator_probability()` estimates probabilities of relevance.",
               "Calibrate the mixture: `calibrate(mixture, data, calibrator_probability())`.", call = call)
  }
  calibrators
}

# The plan with its calibrators. If none are given, the number of calibration queries decides.
with_calibrators <- function(plan, calibration) {
  if (is.null(plan$calibrators)) plan$preset <- preset_for(calibration)
  calibrators <- if (is.null(plan$preset)) plan$calibrators else calibrator_presets[[plan$preset]]()
  calibrators <- calibrators_of_kind(calibrators, plan$weighting$members, plan$call)
  if (!is.null(plan$preset)) attr(calibrators, "of_one_score") <- "one"
  plan$calibrators <- calibrators
  plan
}

calibrators_of_kind <- function(calibrators, members, call = rlang::caller_env()) {
  if (!members %in% c("cpc", "rbc")) {
    return(calibrators)
  }
  chosen <- Filter(function(method) method$name == members, calibrators)
  if (length(chosen) == 0L) {
    stop_input("argument", sprintf("None of `calibrators` is `%s()`.", component_name("calibrator", members)),
               remedy = "Give some, or take `members = \"all\"`.", call = call)
  }
  chosen
}

# Each member needs at least one calibrator that supports it.
check_member_calibrators <- function(members, calibrators, call = rlang::caller_env()) {
  if (any(vapply(calibrators, one_score_suffices, NA))) {
    return(invisible())
  }
  for (member in members) {
    if (!is_classifier(member)) {
      stop_input("argument", sprintf("No calibrator suits `%s`.", member_text(member)),
                 "It gives one score per document; the given calibrators need a discriminant for each grade.",
                 "Give `calibrator_rbc()` too, which supports one score.", call = call)
    }
  }
}

# Below this number of validation queries the fast calibrators are the default.
few_queries <- 500L

preset_for <- function(validation) {
  if (length(validation$query_ids) < few_queries) "fast_calibrators()" else "all_calibrators()"
}

calibrator_presets <- list(`fast_calibrators()` = function() fast_calibrators(),
                           `all_calibrators()` = function() all_calibrators())

# The features of new data for each model. Models with the same features share them.
features_of_models <- function(models, newdata, threads, call = rlang::caller_env()) {
  group <- feature_groups(models)
  features <- vector("list", length(models))
  for (first in unique(group)) {
    features[group == first] <- list(features_of_model(models[[first]], newdata, threads, call))
  }
  features
}

# For each model the first one with the same features. This runs for every scored query, so it avoids the
# dispatch of `[` and `$`.
feature_groups <- function(models) {
  asked <- lapply(models, .subset, schema_fields)
  functions <- vapply(models, is_function_member, NA)
  asked[functions] <- models[functions]
  set <- vapply(models, set_of, "")
  group <- integer(length(models))
  for (i in seq_along(models)) {
    if (group[i] > 0L) next
    for (j in seq.int(i, length(models))) {
      if (group[j] == 0L && set[j] == set[i] && identical(asked[[j]], asked[[i]])) group[j] <- i
    }
  }
  group
}

# The fields that decide which features of new data a model uses, besides its feature set.
schema_fields <- c("features", "named", "columns", "encoding", "source")

features_of_model <- function(model, newdata, threads, call) {
  if (is_function_member(model)) {
    return(function_scores(model, newdata, threads, call))
  }
  set <- set_of(model)
  if (set == "original") {
    return(match_features(newdata, model, threads, call))
  }
  if (!inherits(newdata, "ranking_data")) {
    stop_input("newdata",
               sprintf("The mixture uses %s features, which are made query by query.", set),
               remedy = "Give ranking data, made by `ranking_data()`.", call = call)
  }
  x <- feature_set(with_schema(newdata, model$source, threads, call), set, threads)$x
  if (dim(x)[2L] != length(model$features)) {
    stop_input("newdata", sprintf("The new data have %d %s features, the model has %d.", dim(x)[2L],
                                  set, length(model$features)), call = call)
  }
  x
}

# Limit in bytes of the calibrator inputs that are kept for all models and numbers of rounds.
max_kept_bytes <- 2^26

# Calibrator inputs from a model after each number of rounds of a grid: by one pass over the
# model for all of them, or by one pass for each if too much would be kept.
staged_outputs <- function(models, features, grid, threads, max_bytes = max_kept_bytes) {
  stages <- lapply(models, function(model) unique(member_rounds(model, grid)))
  columns <- vapply(models, function(model) {
    if (is_classifier(model)) as.numeric(model$classes) else 1
  }, 0)
  bytes <- 8 * sum(vapply(features, nrow, 0L) * columns * lengths(stages))
  passes <- vector("list", length(models))
  function(i, rounds) {
    if (bytes > max_bytes) {
      f <- calibrator_input(models[[i]], features[[i]], rounds, threads)
      return(discriminant_slice(f, 1L))
    }
    if (is.null(passes[[i]])) {
      passes[[i]] <<- calibrator_input(models[[i]], features[[i]], stages[[i]], threads)
    }
    discriminant_slice(passes[[i]], match(rounds, stages[[i]]))
  }
}

# Calibrator inputs from a model after some rounds, kept for the number of rounds requested
# last.
kept_outputs <- function(models, output_of, keep_all) {
  kept <- list()
  function(i, rounds) {
    key <- as.character(i)
    if (!identical(kept[[key]]$rounds, rounds)) {
      if (!keep_all) kept <<- list()
      kept[[key]] <<- list(
        rounds = rounds,
        range = if (is_classifier(models[[i]])) discriminant_range(models[[i]], rounds),
        f = output_of(i, rounds)
      )
    }
    kept[[key]]
  }
}

# The members: the latest state of each candidate. `rounds` is its number of rounds, -1 if it was not
# calibrated; `scores` are scaled, and `metric` is their validation metric. `candidates` are the
# calibrated candidates, and `complete` is whether all of them have the requested T.
no_members <- function(count) {
  list(rounds = rep(-1L, count), fitted = vector("list", count), scores = vector("list", count),
       scale = rep(1, count), metric = numeric(count), candidates = integer(), complete = FALSE)
}

# The members after calibration of the chosen candidates for T `rounds`.
with_calibrated <- function(members, calibration, chosen, rounds, progress = NULL) {
  made <- calibrated_candidates(calibration, chosen, rounds, progress)
  scaled <- lapply(made$scores, calibration$scaling)
  if (!is.null(made$fitted)) members$fitted[chosen] <- made$fitted
  members$scale[chosen] <- vapply(scaled, `[[`, 0, "scale")
  members$scores[chosen] <- lapply(scaled, `[[`, "scores")
  members$metric[chosen] <- calibration$metric_of(members$scores[chosen])
  members$rounds[chosen] <- candidate_rounds(calibration, chosen, rounds)
  members
}

# The members for the first T. If time is limited, the cheapest calibrators come first, so the most
# expensive are skipped. The first candidate is always calibrated.
first_members <- function(calibration, rounds, clock) {
  count <- nrow(calibration$candidates)
  members <- no_members(count)
  if (!clock$limited) {
    all <- seq_len(count)
    members <- clock$calibrate(all, with_calibrated(members, calibration, all, rounds, clock$within(all)))
    members$candidates <- all
    return(members)
  }
  calibrator <- calibration$candidates$calibrator
  for (candidate in order(calibrator_ranks(calibration$calibrators)[calibrator], calibrator)) {
    if (length(members$candidates) > 0L && !clock$allows(candidate, final = c(members$candidates, candidate))) {
      clock$skip_candidate(candidate)
      next
    }
    members <- clock$calibrate(candidate, with_calibrated(members, calibration, candidate, rounds))
    members$candidates <- c(members$candidates, candidate)
  }
  members$candidates <- sort(members$candidates)
  members
}

# The members for another T: those whose number of rounds differs are calibrated again.
members_for <- function(members, calibration, rounds, clock) {
  candidates <- members$candidates
  changed <- candidates[candidate_rounds(calibration, candidates, rounds) != members$rounds[candidates]]
  members$complete <- TRUE
  if (!clock$limited) {
    if (length(changed) > 0L) {
      members <- clock$calibrate(changed, with_calibrated(members, calibration, changed, rounds,
                                                          clock$within(changed)))
    }
    return(members)
  }
  for (j in seq_along(changed)) {
    todo <- changed[j:length(changed)]
    if (!clock$allows(todo, final = candidates)) {
      clock$skip_tasks(length(todo))
      members$complete <- FALSE
      break
    }
    members <- clock$calibrate(todo[1L], with_calibrated(members, calibration, todo[1L], rounds))
  }
  members
}
