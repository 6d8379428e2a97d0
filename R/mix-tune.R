# tune_and_mix(), the one-call face of mixture(), and the choice of members, T, c and the
# threshold on held-out data.

#' Train, calibrate and mix rankers
#'
#' Trains every ranker on `train`, calibrates each with every calibrator on
#' `validation`, and mixes the resulting members with weights that grow
#' exponentially with the members' held-out metric: [fit()] of a [mixture()] in one call.
#'
#' @param train Training data, made by [ranking_data()] or [read_letor()].
#' @param validation Held-out data of the same kind, on which everything is
#'   tuned. Without it a share of the queries of `train` trains, see [holding_out()], and the
#'   others are held out.
#' @param classifiers A list of members as [mixture()] takes them: specifications, such as
#'   `adaboost_mh(tree(8))` or `gbrt()`, or models that were trained already.
#' @inheritParams mixture
#' @inheritParams fit.rankmix_spec
#' @param checkpoint A folder for the run, or `NULL`, see Details of [mixture()].
#' @param seed A whole number; `NULL` draws one with R's generator, so that
#'   [set.seed()] rules. Each member gets a seed of its own, derived from it.
#' @param verbose Show progress and the time left: bars at a console, elsewhere a line every 30
#'   seconds.
#' @param ... Must be empty.
#'
#' @details The method, budgets and workers are described in [mixture()].
#'
#' @return A ranker of class `rankmix_mixture`: plain R data that `saveRDS()`
#'   can keep. `members` is a data frame with the `classifier`, `features`, `calibrator`,
#'   `weight` and held-out `value` of each member, `tuning` one with `rounds`,
#'   `c`, `threshold` and the `value` of the mixture; `rounds`, `c`, `threshold` and `value`
#'   hold the choice. `calibrators` is the name of the preset if none were given, else `NULL`.
#'   `skipped` are words for what the budget left out, named `specification`, `calibrator` or `T`
#'   by what it is.
#'
#' @section Conditions: as [fit()]; `rankmix_error_grade`: the validation data
#'   have a grade above all of the training data. `rankmix_warning_grade`: the validation
#'   data lack a grade. `rankmix_error_run`: the folder holds a run of other data,
#'   another share of them, seed or version. `rankmix_warning_run`: models could not be
#'   written there. `rankmix_warning_worker`: trainings were lost twice with their
#'   workers; the mixture has the others. `rankmix_error_worker`: all were lost.
#'   `rankmix_error_newdata`, by `predict()`: sets of features need [ranking_data()].
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
#'   classifiers = list(adaboost_mh(tree(4), rounds = 20),
#'                      adaboost_mh(stump(), rounds = 20)),
#'   calibrators = list(naive(), cpc(), rbc("polynomial")),
#'   metric = ndcg(10), threads = 1)
#' mixture
#' @export
tune_and_mix <- function(train, validation = NULL,
                         classifiers = list(adaboost_mh(tree(8)),
                                            adaboost_mh(stump())),
                         calibrators = NULL, metric = ndcg(10), ..., weigh = weighing(),
                         hold_out = holding_out(), grid = member_grid(),
                         budget = mix_budget(), checkpoint = NULL,
                         seed = NULL, threads = NULL, verbose = TRUE) {
  check_no_others(...)
  check_all_given()
  check_ranking_data(train, "train")
  members <- unname(listed(classifiers))
  # Of these arguments, as mixture() makes it.
  fit(new_spec("mixture"), train, validation, seed = seed, threads = threads,
      checkpoint = checkpoint, verbose = verbose)
}

# The trained models, in the order of the tasks after those that were given trained.
train_grid <- function(members, grid, train, run, budget, task) {
  given <- !vapply(members, is_specification, NA)
  ready <- members[given]
  tasks <- if (all(given)) list() else grid_tasks(members[!given], grid, run$seed)
  models <- train_tasks(tasks, train, run, budget, task$threads, task$verbose)
  lost <- lengths(models) == 0L
  if (length(ready) + sum(!lost) == 0L) {
    stop_input("worker", "No member was trained: all workers died.",
               remedy = "Use fewer workers, or `future::plan(\"sequential\")`.",
               call = task$call)
  }
  list(models = c(ready, unlist(models, recursive = FALSE)),
       skipped = vapply(tasks[lost], function(task) task_label(task$spec, task$features),
                        character(1)))
}

# Members in the order of the columns of their scores.
member_table <- function(models, calibrators) {
  cells <- member_cells(models, calibrators)
  sets <- vapply(models, set_of, "")
  labels <- mapply(function(model, set) task_label(model$spec, set), models, sets)
  data.frame(
    classifier = make.unique(labels, " #")[cells$model],
    features = sets[cells$model],
    calibrator = make.unique(vapply(calibrators, format, ""),
                             " #")[cells$calibrator],
    model = cells$model
  )
}

# Members for each T, and the metric of their mixture for each c and threshold. Keeps what
# belongs to the best T. Where time is limited, some cells of the grid are no members, and
# some T are not tried.
tune_members <- function(models, calibrators, validation, metric, weigh, crossfit, task,
                         budget = new_budget(Inf, Inf)) {
  threads <- task$threads
  rounds <- weigh$rounds
  work <- calibration_work(models, calibrators, validation, rounds, crossfit, threads,
                           keep_all = budget$limited, task$call)
  omega_of <- function(scores) metric_means(metric, scores, validation, threads)
  values_of <- function(scores, omega, threshold) {
    mixture_values(scores, omega, validation, metric, weigh$c, threshold, threads)
  }
  sequence <- ranked_rounds(rounds, function(r) {
    scores <- work$naive(r)
    max(values_of(scores, omega_of(scores), -Inf))
  }, budget)
  steps <- task_counts(work, rounds[sequence])
  bar <- progress_bar("Calibrating", sum(steps), task$verbose)
  on.exit(bar$close())
  pace <- new_pace(work, steps, budget, bar$report)
  members <- new_members(work, weigh$standardize, omega_of)
  cells <- make_first_members(members, rounds[sequence[1L]], work, pace)
  values <- vector("list", length(rounds))
  best <- NULL
  for (s in sequence) {
    if (!remake_members(members, cells, rounds[s], work, pace)) next
    values[[s]] <- pace$mix(values_of(members$scores(cells), members$omega(cells),
                                      weigh$threshold))
    best <- better_mixture(best, members$held(cells), values[[s]], rounds[s])
  }
  check_some_member(best$omega, weigh$threshold, task$call)
  tried <- lengths(values) > 0L
  tuning <- tuning_table(values[tried], rounds[tried], weigh$c, weigh$threshold)
  choice <- tuning[which.max(tuning$value), ]
  if (crossfit > 1) {
    # Calibrators that have seen all are needed for the chosen T only.
    best$fitted <- pace$finals(cells, work$finals(cells, choice$rounds, pace$part_of(cells)))
  }
  c(best[c("fitted", "omega", "scale")],
          list(cells = cells, tuning = tuning, choice = choice, not_tried = rounds[!tried]))
}

# The members of the best T so far; of equal ones the smaller T.
better_mixture <- function(best, held, values, rounds) {
  top <- suppressWarnings(max(values, na.rm = TRUE))
  if (is.null(best) || top > best$value || top == best$value && rounds < best$rounds) {
    best <- c(held, list(value = top, rounds = rounds))
  }
  best
}

# The set of features of a model; models that fit() gave have none.
set_of <- function(model) {
  if (is.null(model$feature_set)) "original" else model$feature_set
}

# The features of new data for each of the models; those with the same ones share them.
features_of_models <- function(models, newdata, threads, call = rlang::caller_env()) {
  features <- vector("list", length(models))
  for (i in seq_along(models)) {
    if (is.null(features[[i]])) {
      alike <- vapply(models, has_features_of, logical(1), models[[i]])
      features[alike] <- list(features_of_model(models[[i]], newdata, threads, call))
    }
  }
  features
}

has_features_of <- function(model, other) {
  fields <- c("features", "named", "columns", "encoding", "source")
  set_of(model) == set_of(other) && identical(unclass(model)[fields], unclass(other)[fields])
}

features_of_model <- function(model, newdata, threads, call) {
  set <- set_of(model)
  if (set == "original") {
    return(match_features(newdata, model, threads, call))
  }
  if (!inherits(newdata, "ranking_data")) {
    stop_input("newdata",
               sprintf("The mixture uses %s features, which are made query by query.", set),
               remedy = "Give ranking data, made by `ranking_data()`.", call = call)
  }
  feature_set(with_schema(newdata, model$source, threads, call), set, threads)$x
}

new_mixture <- function(tuned, members, trained, metric, preset, seed) {
  choice <- tuned$choice
  skipped <- left_out(trained$skipped, members, tuned$cells, tuned$not_tried)
  members <- members[tuned$cells, ]
  rownames(members) <- NULL
  members$weight <- exponential_weights(choice$c, tuned$omega, choice$threshold)
  members$value <- tuned$omega
  structure(
    list(
      classifiers = trained$models,
      fitted = tuned$fitted,
      members = members,
      calibrators = preset,
      scale = tuned$scale,
      metric = metric,
      c = choice$c,
      threshold = choice$threshold,
      rounds = choice$rounds,
      value = choice$value,
      tuning = tuned$tuning,
      skipped = skipped,
      seed = seed
    ),
    class = c("rankmix_mixture", "rankmix_ranker")
  )
}

# What the budget, or workers that died, left out, in words, named by what it is: a
# specification, a calibrator, of all classifiers or of one, or values of T.
left_out <- function(specifications, members, cells, rounds) {
  lacking <- members[setdiff(seq_len(nrow(members)), cells), ]
  everywhere <- setdiff(lacking$calibrator, members$calibrator[cells])
  single <- lacking[!lacking$calibrator %in% everywhere, ]
  calibrators <- c(everywhere, sprintf("%s of %s", single$calibrator, single$classifier))
  kinds <- list(specification = specifications, calibrator = calibrators,
                T = if (length(rounds) > 0L) paste("T =", toString(rounds)))
  words <- as.character(unlist(kinds))
  if (length(words) > 0L) names(words) <- rep(names(kinds), lengths(kinds))
  words
}
