# tune_and_mix(), which is fit() of a mixture() in one call, and the choice of members, T, c and the
# threshold on validation data.

#' Train, calibrate and mix rankers
#'
#' Trains every ranker on `train`, calibrates each with every calibrator on `validation`, and mixes
#' them. Use it to get one strong ranking from many rankers in one call. It is [fit()] of a [mixture()].
#'
#' @param train The training data, made by [ranking_data()] or [read_letor()].
#' @param validation The validation data of the same kind, on which calibrators, weights and settings
#'   are chosen. With the default `NULL` a fraction of the queries of `train` is held out for this, see
#'   [mix_holdout()].
#' @param members The list of members, as in [mixture()]: specifications such as
#'   `adaboost_mh(base_tree(8))` or `gbrt()`, trained models, or functions that give scores. The names
#'   of the list label the rankers in prints and plots. The default, `default_members()`, is a list of
#'   17: AdaBoost.MH, boosted trees of several sizes and objectives, linear rankers, RankBoost, COCR and
#'   a network. On validation queries it ranked better than other lists on OHSUMED and MSLR, and no
#'   worse on MQ2008 and simulated data. Fewer members take less time. To add one, write
#'   `c(default_members(), list(m5p()))`.
#' @inheritParams mixture
#' @inheritParams fit.rankmix_spec
#' @param checkpoint The folder for checkpoints, or `NULL` (the default) for none. See [mixture()].
#' @param seed The random seed, a whole number. With `NULL` R's generator draws one, so [set.seed()]
#'   applies. Each member's seed is derived from it.
#' @param verbose Whether to show progress and the remaining time; default `TRUE`. A console shows bars,
#'   other outputs a line every 30 seconds.
#' @param ... Must be empty.
#'
#' @details [mixture()] describes the method, budgets and parallel workers.
#'
#' @return A ranker of class `rankmix_mixture`, plain R data for `saveRDS()`. Its parts include:
#'
#'   * `members`: a data frame with the `ranker`, `classifier`, `features`, `calibrator`, `weight` and
#'     validation `value` of each member.
#'   * `tuning`: a data frame of the settings tried: `rounds`, `c` and `threshold` (or `steps`, or
#'     `shrinkage`), and the mixture's `value`. Unless `choose = "best"`, also the difference to the
#'     best, `behind`, and its standard error, `se`. If settings are averaged, their `fraction`.
#'   * `rounds`, `c`, `threshold`, `method`, `setting`: the choice.
#'   * `value`: the validation metric of the mixture with its final weights.
#'   * `contributions`: for each validation query, the metric of the mixture, of the mixture without
#'     each ranker, and of each ranker alone. See [summary.rankmix_mixture()].
#'   * `calibrators`: the name of the preset if `calibrators` was not given, else `NULL`.
#'   * `skipped`: descriptions of everything that was left out, named by kind. `specification`: it was over
#'     budget,
#'     failed, or was lost with a worker. `calibrator`, `T` and `refit`: out of time. `unfit`: too many
#'     grades for
#'     the calibrator.
#'
#' @section Conditions: Those of [fit()], and:
#'
#'   * `rankmix_error_grade`: the validation data have a grade above all training grades.
#'   * `rankmix_warning_grade`: the validation data lack a grade.
#'   * `rankmix_error_run`: the folder belongs to other data, another split, seed or version, or
#'     another process is using it.
#'   * `rankmix_warning_run`: models could not be written, or the folder could not be locked.
#'   * `rankmix_warning_member`: some trainings failed; the mixture has the others. If all fail, the
#'     first error is raised.
#'   * `rankmix_warning_worker`: trainings were lost twice with their workers; the mixture has the
#'     others. `rankmix_error_worker`: all were lost.
#'   * `rankmix_error_newdata`, by `predict()`: sets of features need [ranking_data()].
#'
#' @references Busa-Fekete, Kegl, Elteto and Szarvas (2013). Tune and mix:
#'   learning to rank using ensembles of calibrated multi-class classifiers.
#'   \doi{10.1007/s10994-013-5360-9}
#'
#'   Busa-Fekete, Kegl, Elteto and Szarvas (2011). Ranking by calibrated AdaBoost. JMLR
#'   Workshop and Conference Proceedings 14, 37-48.
#' @examples
#' train <- read_letor(system.file("extdata", "train.txt.gz", package = "rankmix"))
#' valid <- read_letor(system.file("extdata", "vali.txt.gz", package = "rankmix"))
#' mixture <- tune_and_mix(train, valid,
#'   members = list(adaboost_mh(base_tree(4), rounds = 20),
#'                  adaboost_mh(base_stump(), rounds = 20)),
#'   calibrators = list(calibrator_naive(), calibrator_cpc(), calibrator_rbc("polynomial")),
#'   metric = metric_ndcg(10), threads = 1)
#' mixture
#' @export
tune_and_mix <- function(train, validation = NULL,
                         members = default_members(), calibrators = NULL,
                         metric = metric_ndcg(10), ..., weights = mix_weights(), holdout = mix_holdout(),
                         grid = mix_grid(), budget = mix_budget(), checkpoint = NULL,
                         seed = NULL, threads = NULL, verbose = TRUE) {
  check_members_listed(list(validation, members, calibrators, metric, ...))
  check_no_others(...)
  check_all_given()
  check_ranking_data(train, "train")
  members <- as_members(listed(members))
  # new_spec() makes the specification from the arguments of this function, like mixture().
  fit(new_spec("mixture"), train, validation, seed = seed, threads = threads,
      checkpoint = checkpoint, verbose = verbose)
}

# Refuses rankers given one by one instead of as a list. `given` are the validation data, the
# members, and the arguments after them. An argument with a name is reported by its name instead.
check_members_listed <- function(given, call = rlang::caller_env()) {
  given <- given[!nzchar(rlang::names2(given))]
  rankers <- vapply(given, function(x) is_specification(x) || inherits(x, "rankmix_ranker"), NA)
  if (any(rankers[-2L])) {
    texts <- vapply(given[rankers], function(x) {
      sub("\\(.*", "()", if (is_specification(x)) format(x) else "model")
    }, "")
    stop_input("argument", "The rankers to mix must be one list.",
               remedy = sprintf("Write `tune_and_mix(train, %s, list(%s))`.",
                                if (inherits(given[[1L]], "ranking_data")) "validation" else "NULL",
                                paste(texts, collapse = ", ")), call = call)
  }
}

# Trains the models. Models given as trained come first, then new ones in the order of the tasks.
# `origin` is the index of the member that the user gave: before training for each of `members`, in
# the result for each model.
train_grid <- function(members, origin, grid, train, run, budget, task) {
  given <- !vapply(members, is_specification, NA)
  ready <- members[given]
  tasks <- if (all(given)) list() else grid_tasks(members[!given], grid, run$seed)
  models <- train_tasks(tasks, train, run, budget, task$threads, task$verbose)
  failed <- attr(models, "failed")
  lost <- lengths(models) == 0L
  if (length(ready) + sum(!lost) == 0L && length(failed) > 0L) {
    stop(failed[[1L]])
  }
  if (length(ready) + sum(!lost) == 0L) {
    stop_input("worker", "No member was trained: all workers died.",
               remedy = "Use fewer workers, or `future::plan(\"sequential\")`.",
               call = task$call)
  }
  trained <- vapply(tasks, `[[`, 0L, "of")
  list(models = c(ready, unlist(models, recursive = FALSE)), given = length(ready),
       origin = c(origin[given], rep(origin[!given][trained], lengths(models))),
       tasks = tasks[!lost], counts = lengths(models)[!lost],
       skipped = vapply(tasks[lost], function(task) task_label(task$spec, task$features),
                        character(1)))
}

# Trains the specifications again on all data, with the same seeds. Models given trained are kept. So are
# models without time for a second training, which `skipped` names.
retrain_grid <- function(trained, parts, run, budget, task) {
  data <- do.call(c, c(unname(Filter(Negate(is.null), parts[c("train", "calibration",
                                                              "validation")])),
                       shared = "new"))
  tasks <- lapply(trained$tasks, function(task) {
    task$key <- rlang::hash(list(task$key, "refit"))
    task$part <- "all"
    task
  })
  models <- if (length(tasks) > 0L) {
    train_tasks(tasks, data, run, budget, task$threads, task$verbose)
  }
  ends <- trained$given + cumsum(trained$counts)
  for (i in seq_along(tasks)) {
    if (length(models[[i]]) == trained$counts[i]) {
      trained$models[ends[i] - trained$counts[i] + seq_len(trained$counts[i])] <- models[[i]]
    } else {
      trained$not_refitted <- c(trained$not_refitted,
                                task_label(tasks[[i]]$spec, tasks[[i]]$features))
    }
  }
  trained
}

# A data frame of the members, in the order of the columns of their scores.
member_table <- function(trained, calibrators) {
  models <- trained$models
  candidates <- member_candidates(models, calibrators)
  sets <- vapply(models, set_of, "")
  labels <- mapply(function(model, set) task_label(model$spec, set), models, sets)
  data.frame(
    ranker = trained$label[candidates$model],
    classifier = make.unique(labels, " #")[candidates$model],
    features = sets[candidates$model],
    calibrator = make.unique(vapply(calibrators, format, ""),
                             " #")[candidates$calibrator],
    model = candidates$model
  )
}

# Makes the members for each T and computes their weights. Keeps the calibrators of the best T, or of all
# T if a simpler T may be chosen. With limited time some candidates are skipped, and some T are not
# tried. `calibration` replaces the validation data for fitting calibrators, or is NULL.
tune_members <- function(models, origin, label, calibrators, validation, metric, weighting, holdout, task,
                         budget = new_budget(Inf, Inf), seed = 0, calibration = NULL) {
  threads <- task$threads
  rounds <- weighting$rounds
  crossfit <- crossfit_of(holdout)
  work <- calibration_work(models, calibrators, validation, rounds, crossfit, threads,
                           keep_all = budget$limited, task$call, calibration)
  evaluator <- new_evaluator(metric, validation, threads, task$call)
  family <- vapply(models, family_of, "")[work$candidates$model]
  ranker <- label[work$candidates$model]
  group <- prior_groups(weighting$prior, origin[work$candidates$model], family)
  omega_of <- function(scores) metric_means(metric, scores, validation, threads)
  sequence <- ranked_rounds(rounds, function(r) {
    scores <- work$naive(r)
    max(mixture_values(scores, omega_of(scores), validation, metric, weighting$c, -Inf, threads))
  }, budget)
  steps <- task_counts(work, rounds[sequence])
  bar <- progress_bar("Calibrating", sum(steps), task$verbose)
  on.exit(bar$close())
  time_budget <- new_time_budget(work, steps, budget, bar$report)
  members <- new_members(work, member_scaling(weighting$standardize, validation, threads), omega_of)
  candidates <- make_first_members(members, rounds[sequence[1L]], work, time_budget)
  stages <- vector("list", length(rounds))
  for (s in sequence) {
    if (!remake_members(members, candidates, rounds[s], work, time_budget)) next
    stages[[s]] <- c(members$held(candidates), time_budget$mix(
      evaluate_stage(weighting, members$scores(candidates), members$omega(candidates), group[candidates],
                     ranker[candidates], evaluator, seed)
    ))
    if (weighting$choose != "one_se") stages <- only_best_fitted(stages)
  }
  tried <- lengths(stages) > 0L
  check_some_member(stages[tried], weighting$threshold, task$call)
  tuning <- tuning_of(weighting, stages[tried], rounds[tried], evaluator)
  choice <- tuning[chosen_row(weighting, tuning, task$call), ]
  best <- chosen_stage(weighting, stages[[match(choice$rounds, rounds)]], choice, evaluator)
  if (crossfit > 1) {
    # Calibrators fitted to all queries are needed only for the chosen T.
    best$fitted <- time_budget$finals(candidates, work$finals(candidates, choice$rounds,
                                                              time_budget$part_of(candidates)))
  }
  c(best[c("fitted", "omega", "scale", "weight", "contributions", "chosen")],
    list(candidates = candidates, tuning = tuning, choice = choice, not_tried = rounds[!tried],
         family = family[candidates]))
}

# The stages in the order of T, with the calibrators of the best stage only. Ties go to the smaller T.
only_best_fitted <- function(stages) {
  tops <- vapply(stages, function(stage) {
    if (is.null(stage)) NA_real_ else max(stage$value, -Inf, na.rm = TRUE)
  }, 0)
  for (s in setdiff(which(!is.na(tops)), which.max(tops))) {
    stages[[s]]["fitted"] <- list(NULL)
  }
  stages
}

# The weights, value and contributions of the chosen setting.
chosen_stage <- function(weighting, stage, choice, evaluator) {
  settings <- weighting_settings(weighting)
  same <- Map(`==`, settings, choice[names(settings)])
  setting <- which(Reduce(`&`, same))
  averaged <- weighting$choose == "averaged"
  stage$weight <- if (averaged) put_together(stage$weights, stage$mixing)[, 1L] else {
    stage$weights[, setting]
  }
  stage$chosen <- if (averaged) stage$averaged else choice$value
  stage["contributions"] <- list(kept_contributions(stage$contributions, setting, evaluator))
  stage
}

# The feature set of a model. Models from fit() have no set, which means "original".
set_of <- function(model) {
  set <- .subset2(model, "feature_set")
  if (is.null(set)) "original" else set
}

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

is_function_member <- function(model) inherits(model, "rankmix_function_model")

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

new_mixture <- function(tuned, members, trained, metric, weighting, preset, seed) {
  choice <- tuned$choice
  skipped <- left_out(trained, members, tuned$candidates, tuned$not_tried)
  members <- members[tuned$candidates, ]
  rownames(members) <- NULL
  members$weight <- tuned$weight
  members$value <- tuned$omega
  members$family <- tuned$family
  structure(
    list(
      classifiers = trained$models,
      fitted = tuned$fitted,
      members = members,
      calibrators = preset,
      scale = tuned$scale,
      metric = metric,
      standardize = weighting$standardize,
      method = weighting$method,
      setting = choice[names(weighting_settings(weighting))],
      c = number_or_na(choice$c),
      threshold = number_or_na(choice$threshold),
      rounds = choice$rounds,
      value = tuned$chosen,
      contributions = tuned$contributions,
      tuning = tuned$tuning,
      skipped = skipped,
      seed = seed
    ),
    class = c("rankmix_mixture", "rankmix_ranker")
  )
}

# Weighting methods other than "exponential" have no c and no threshold.
number_or_na <- function(x) if (is.null(x)) NA_real_ else x

# Descriptions of everything that was left out because of the budget or lost workers. Names give the
# kind: a specification, a calibrator (of all classifiers or of one), or values of T.
left_out <- function(trained, members, candidates, rounds) {
  lacking <- members[setdiff(seq_len(nrow(members)), candidates), ]
  everywhere <- setdiff(lacking$calibrator, members$calibrator[candidates])
  single <- lacking[!lacking$calibrator %in% everywhere, ]
  calibrators <- c(everywhere, sprintf("%s of %s", single$calibrator, single$classifier))
  kinds <- list(specification = trained$skipped, refit = trained$not_refitted,
                calibrator = calibrators, unfit = trained$unfit,
                T = if (length(rounds) > 0L) paste("T =", toString(rounds)))
  words <- as.character(unlist(kinds))
  if (length(words) > 0L) names(words) <- rep(names(kinds), lengths(kinds))
  words
}
