#' Train, calibrate and mix classifiers
#'
#' Trains every classifier on `train`, calibrates each with every calibrator on
#' `validation`, and mixes the resulting members with weights that grow
#' exponentially with the members' held-out metric.
#'
#' @param train Training data, made by [ranking_data()] or [read_letor()].
#' @param validation Held-out data of the same kind, on which everything is
#'   tuned. Without it the share `share` of the queries of `train` trains, and the others
#'   are held out.
#' @param classifiers A list of specifications, such as `adaboost_mh(tree(8))`, or of
#'   classifiers that were trained already: those of another mixture, for instance.
#' @param calibrators A list of calibrators, such as `cpc("log_sigmoid")`.
#' @param metric The metric to tune for, such as `ndcg(10)` or `err()`.
#' @param c Values of c to try, each from 0 (equal weights) to 200 (close to the
#'   best member alone), or `Inf` (the best alone).
#' @param threshold Values of \eqn{\omega_{min}}{omega_min} to try: members whose metric is
#'   not above it are left out. `-Inf` keeps all.
#' @param rounds Values of T to try: numbers of rounds; `NULL` for 10, 20, 50,
#'   100, 200, 500, ... up to the largest number of rounds of the classifiers.
#'   A classifier with fewer rounds uses all it has.
#' @param groupings Groupings of grades with each of which every specification is trained,
#'   as [group_grades()] takes them, such as `c("identity", "three")`; `NULL` leaves each
#'   specification its own.
#' @param features Sets of features on each of which every specification is trained:
#'   `"original"`; `"standardized"` and `"whitened"`, the original ones and those that
#'   [standardize_queries()] or [whiten_queries()] adds.
#' @param members `"all"`; `"cpc"` or `"rbc"`, only members with [cpc()], or [rbc()];
#'   or `"one_best"`, the member with the best metric alone.
#' @param standardize Whether scores of a member are divided by their standard deviation on
#'   the held-out data first.
#' @param crossfit Number of parts of the held-out queries. With 2 or more, members are tuned
#'   on scores by calibrators that have not seen the query: each part is scored by a fit on
#'   the others. The mixture has calibrators fitted to all. With 1, as in the paper,
#'   calibrators are fitted to the documents whose scores tune the mixture: faster, but
#'   flexible regressions then look better than they are.
#' @param share The share of queries that train where `validation` is not given.
#' @param max_models,max_seconds The budget: no further specification is trained when there
#'   are so many trained ones, or after so many seconds. The first is always trained.
#' @param directory A folder for the run, or `NULL`. Models are written there when they are
#'   trained. A call with the same data whose folder is there goes on from it,
#'   after a kill for instance, and gives the same mixture. Other calibrators and values of
#'   T, c and threshold may be asked for without training anything; classifiers keep their
#'   models where their place in the grid, which decides about their seed, stays the same.
#' @param seed A whole number; `NULL` draws one with R's generator, so that
#'   [set.seed()] rules. Each classifier gets a seed of its own, derived from it.
#' @param threads Number of threads; results do not depend on it.
#' @param verbose Show progress and the time left: bars at a console, elsewhere a line every 30
#'   seconds.
#'
#' @details
#' Member m is a classifier with a calibrator, \eqn{v_m(x)} its score and
#' \eqn{\omega_m} the mean of `metric` over the validation queries. The mixture
#' is
#' \deqn{v(x) = \sum_m \pi_m v_m(x), \quad
#'   \pi_m \propto e^{c \omega_m}\ (\omega_m > \omega_{min}).}{
#'   v(x) = sum_m pi_m v_m(x), pi_m proportional to exp(c omega_m) where
#'   omega_m > omega_min, else 0.}
#' c, \eqn{\omega_{min}}{omega_min} and T, which is common to all classifiers, are those with
#' the best mean of
#' `metric` for the mixture on `validation`; ties go to the smaller T, then to
#' the smaller c, then to the lower threshold. Features are
#' binned once for all classifiers with the same number of bins. The held-out `value` of a
#' member and of the mixture are those by which it is tuned, with `crossfit` above 1 by
#' calibrators fitted to other queries. Memory: 8 bytes a member
#' and validation document, and the features of each set for these documents.
#'
#' With a plan of the package future other than `sequential`, such as
#' `future::plan("multisession")` or one of future.batchtools for a cluster, specifications
#' are trained on its workers, which share the threads. The data are written to the run
#' directory, or a temporary one, where every worker reads them once; it must be visible to
#' all of them. Models do not depend on the plan. Where a worker dies its specification is
#' trained once more.
#'
#' @return A ranker of class `rankmix_mixture`: plain R data that `saveRDS()`
#'   can keep. `members` is a data frame with the `classifier`, `features`, `calibrator`,
#'   `weight` and held-out `value` of each member, `tuning` one with `rounds`,
#'   `c`, `threshold` and the `value` of the mixture; `rounds`, `c`, `threshold` and `value`
#'   hold the choice, `skipped` what the budget left out.
#'
#' @section Conditions: as [fit()]; `rankmix_error_grade`: the validation data
#'   have a grade above all of the training data. `rankmix_warning_grade`: the validation
#'   data lack a grade. `rankmix_error_run`: the directory holds a run of other data,
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
                         calibrators = all_calibrators(), metric = ndcg(10),
                         c = default_c, threshold = -Inf,
                         rounds = NULL, groupings = NULL, features = "original",
                         members = "all", standardize = FALSE, crossfit = 2, share = 0.8,
                         max_models = Inf, max_seconds = Inf, directory = NULL,
                         seed = NULL, threads = NULL, verbose = TRUE) {
  check_class(train, "train", "ranking_data", "`ranking_data()`")
  classifiers <- check_classifiers(classifiers)
  calibrators <- chosen_calibrators(check_list_of(
    calibrators, "calibrators", "rankmix_calibrator", "`naive()`, `cpc()` or `rbc()`"
  ), members)
  metric <- as_metric(metric)
  check_flag(verbose, "verbose")
  check_flag(standardize, "standardize")
  check_count(crossfit, "crossfit", max = 100)
  c <- if (members == "one_best") Inf else check_c(c)
  threshold <- if (members == "one_best") -Inf else check_threshold(threshold)
  rounds <- check_rounds_grid(rounds, classifiers)
  groupings <- check_groupings(groupings)
  features <- check_features(features)
  check_count(max_models, "max_models", infinite = TRUE)
  budget <- new_budget(max_models, check_seconds(max_seconds))
  threads <- check_threads(threads)
  if (!is.null(validation)) {
    check_class(validation, "validation", "ranking_data", "`ranking_data()`")
  }
  check_number(share, "share", 0, 1)
  run <- open_run(directory, "tune_and_mix()",
                  list(train = train,
                       validation = if (is.null(validation)) share else validation), seed)
  if (is.null(validation)) {
    parts <- split_parts(split_queries(train, share, seed = run$seed), train)
    train <- parts$train
    validation <- parts$test
  }
  validation <- with_features_of(validation, train, metric, threads)
  check_several_grades(train)
  check_known_grades(validation, max(train$relevance) + 1L)
  warn_missing_grades(validation, max(train$relevance) + 1L)
  check_crossfit(crossfit, validation)
  for (classifier in classifiers) {
    if (inherits(classifier, "rankmix_classifier")) {
      check_known_grades(validation, classifier$classes)
    }
  }
  trained <- train_grid(classifiers, groupings, features, train, run, budget, threads,
                        verbose)
  members <- member_table(trained$models, calibrators)
  tuned <- tune_members(trained$models, calibrators, validation, metric, c, threshold,
                        rounds, standardize, crossfit, threads, verbose)
  new_mixture(tuned, members, trained, metric, run$seed)
}

# The validation data with the features of the training data, in their order: from here on
# nothing of them has to be matched, or warned of, again.
with_features_of <- function(validation, train, metric, threads,
                             call = rlang::caller_env()) {
  check_held_out_metric(validation, metric, threads, call)
  validation <- with_schema(validation, schema_of(train), threads, call)
  warn_overlap(train, validation)
  validation
}

# Specifications, or classifiers that are trained; one or a list.
check_classifiers <- function(classifiers, call = rlang::caller_env()) {
  kinds <- base::c("rankmix_classifier_spec", "rankmix_classifier")
  if (inherits(classifiers, kinds)) {
    classifiers <- list(classifiers)
  }
  if (is.list(classifiers)) {
    # What fit() gives for several costs is a list of classifiers.
    paths <- vapply(classifiers, inherits, logical(1), what = "rankmix_path")
    classifiers <- unname(unclass(classifiers))
    classifiers[paths] <- lapply(classifiers[paths], unclass)
    classifiers[!paths] <- lapply(classifiers[!paths], list)
    classifiers <- unlist(classifiers, recursive = FALSE, use.names = FALSE)
  }
  check_list_of(classifiers, "classifiers", kinds,
                "`adaboost_mh()`, `mcsvm()` or `fit()`", call)
}

chosen_calibrators <- function(calibrators, members, call = rlang::caller_env()) {
  check_choice(members, "members", c("all", "cpc", "rbc", "one_best"), call)
  if (!members %in% c("cpc", "rbc")) {
    return(calibrators)
  }
  chosen <- Filter(function(method) method$name == members, calibrators)
  if (length(chosen) == 0L) {
    stop_input("argument", sprintf("None of `calibrators` is `%s()`.", members),
               remedy = "Give some, or take `members = \"all\"`.", call = call)
  }
  chosen
}

check_groupings <- function(groupings, call = rlang::caller_env()) {
  if (is.null(groupings)) {
    return(list(NULL))
  }
  groupings <- if (is.character(groupings)) as.list(groupings) else groupings
  if (!is.list(groupings) || length(groupings) == 0L) {
    stop_input("argument",
               sprintf("`groupings` must be names or a list of groupings, not %s.",
                       show_value(groupings)), call = call)
  }
  lapply(groupings, grouping_grades, call = call)
  groupings
}

check_features <- function(features, call = rlang::caller_env()) {
  if (!is.character(features) || length(features) == 0L ||
        !all(features %in% feature_sets)) {
    stop_input("argument",
               sprintf("`features` must be among %s, not %s.",
                       paste0("\"", feature_sets, "\"", collapse = ", "),
                       show_value(features)), call = call)
  }
  unique(features)
}

check_crossfit <- function(crossfit, validation, call = rlang::caller_env()) {
  # Those of weight 0 teach nothing.
  weight <- validation$weight
  queries <- if (is.null(weight)) length(validation$query_ids) else sum(weight > 0)
  if (crossfit > queries) {
    stop_input("argument",
               sprintf("%d held-out queries cannot be dealt to %d parts.", queries,
                       as.integer(crossfit)),
               remedy = "Lower `crossfit`, or hold out more queries.", call = call)
  }
}

check_seconds <- function(seconds, call = rlang::caller_env()) {
  if (!is_plain_number(seconds) || length(seconds) != 1L || is.na(seconds) || seconds <= 0) {
    stop_input("argument",
               sprintf("`max_seconds` must be a number above 0, or Inf, not %s.",
                       show_value(seconds)), call = call)
  }
  seconds
}

check_rounds_grid <- function(rounds, classifiers, call = rlang::caller_env()) {
  if (is.null(rounds)) {
    # Classifiers without rounds are the same for any T.
    most <- vapply(classifiers, function(classifier) {
      if (inherits(classifier, "rankmix_classifier")) {
        return(as.numeric(rounds_used(classifier)))
      }
      if (is.null(classifier$rounds)) 1 else as.numeric(classifier$rounds)
    }, numeric(1))
    return(rounds_grid(max(1, most)))
  }
  good <- is.numeric(rounds) && length(rounds) > 0L && !anyNA(rounds) &&
    all(rounds >= 1 & rounds <= 1e6 & rounds == round(rounds))
  if (!good) {
    stop_input("argument",
               sprintf("`rounds` must be whole numbers from 1 to 1000000, not %s.",
                       show_value(rounds)),
               call = call)
  }
  sort(unique(as.integer(rounds)))
}

# The trained classifiers, in the order of the tasks after those that were given trained.
train_grid <- function(classifiers, groupings, features, train, run, budget, threads,
                       verbose) {
  given <- vapply(classifiers, inherits, logical(1), what = "rankmix_classifier")
  ready <- classifiers[given]
  tasks <- if (all(given)) {
    list()
  } else {
    grid_tasks(classifiers[!given], groupings, features, run$seed)
  }
  models <- train_tasks(tasks, train, run, budget, threads, verbose)
  lost <- lengths(models) == 0L
  if (length(ready) + sum(!lost) == 0L) {
    stop_input("worker", "No classifier was trained: all workers died.",
               remedy = "Use fewer workers, or `future::plan(\"sequential\")`.",
               call = rlang::caller_env())
  }
  list(models = base::c(ready, unlist(models, recursive = FALSE)),
       skipped = vapply(tasks[lost], function(task) task_label(task$spec, task$features),
                        character(1)))
}

# Members in the order of the columns of their scores.
member_table <- function(models, calibrators) {
  grid <- expand.grid(calibrator = seq_along(calibrators),
                      classifier = seq_along(models))
  sets <- vapply(models, set_of, "")
  labels <- mapply(function(model, set) task_label(model$spec, set), models, sets)
  data.frame(
    classifier = make.unique(labels, " #")[grid$classifier],
    features = sets[grid$classifier],
    calibrator = make.unique(vapply(calibrators, format, ""),
                             " #")[grid$calibrator],
    model = grid$classifier
  )
}

# For each T: scores and metrics of the members that differ from those of the T before, and
# the metric of the mixture for each c and threshold. Keeps what belongs to the best.
tune_members <- function(models, calibrators, validation, metric, c, threshold, rounds,
                         standardize, crossfit, threads, verbose) {
  features <- features_of_models(models, validation, threads)
  held <- held_out(validation, threads)
  count <- length(models) * length(calibrators)
  bar <- progress_bar("Calibrating", length(rounds) * length(models), verbose)
  on.exit(bar$close())
  fitted <- vector("list", count)
  scores <- vector("list", count)
  scale <- rep(1, count)
  omega <- numeric(count)
  used <- rep(-1L, length(models))
  values <- list()
  best <- NULL
  for (s in seq_along(rounds)) {
    for (i in seq_along(models)) {
      now <- min(rounds[s], rounds_used(models[[i]]))
      if (now == used[i]) next
      used[i] <- now
      columns <- (i - 1L) * length(calibrators) + seq_along(calibrators)
      members <- score_members(models[[i]], features[[i]], now, calibrators, held, crossfit,
                               threads)
      scale[columns] <- member_scale(members$scores, standardize)
      fitted[columns] <- members$fitted
      scores[columns] <- if (standardize) {
        Map(`*`, members$scores, scale[columns])
      } else {
        members$scores
      }
      omega[columns] <- metric_means(metric, scores[columns], validation, threads)
      if (!is.null(bar$report)) bar$report((s - 1L) * length(models) + i, NULL)
    }
    values[[s]] <- mixture_values(scores, omega, validation, metric, c, threshold, threads)
    top <- suppressWarnings(max(values[[s]], na.rm = TRUE))
    if (is.null(best) || top > best$value) {
      best <- list(value = top, fitted = fitted, omega = omega, scale = scale)
    }
  }
  check_some_member(best$omega, threshold, rlang::caller_env())
  tuning <- tuning_table(values, rounds, c, threshold)
  choice <- tuning[which.max(tuning$value), ]
  if (crossfit > 1) {
    # Calibrators that have seen all are needed for the chosen T only.
    best$fitted <- do.call(base::c, lapply(seq_along(models), function(i) {
      score_members(models[[i]], features[[i]], choice$rounds, calibrators, held, 1,
                    threads)$fitted
    }))
  }
  base::c(best[c("fitted", "omega", "scale")], list(tuning = tuning, choice = choice))
}

# The held-out scores of a classifier's members, and with `crossfit` 1 their calibrators.
score_members <- function(model, x, rounds, calibrators, held, crossfit, threads) {
  f <- discriminant_slice(discriminants(model, x, rounds, threads), 1L)
  range <- discriminant_range(model, rounds)
  if (crossfit == 1) {
    fitted <- lapply(calibrators, fit_calibrator, f = f, held = held, range = range,
                     threads = threads)
    # By position: R would dispatch on `f`, as the beginning of `fitted`.
    scores <- lapply(fitted, calibrated_scores, f, threads)
    return(list(fitted = fitted, scores = scores))
  }
  parts <- crossfit_parts(held, f, crossfit)
  list(fitted = vector("list", length(calibrators)),
       scores = lapply(calibrators, crossfit_scores, parts = parts, documents = nrow(f),
                       range = range, threads = threads))
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

new_mixture <- function(tuned, members, trained, metric, seed) {
  choice <- tuned$choice
  members$weight <- exponential_weights(choice$c, tuned$omega, choice$threshold)
  members$value <- tuned$omega
  structure(
    list(
      classifiers = trained$models,
      fitted = tuned$fitted,
      members = members,
      scale = tuned$scale,
      metric = metric,
      c = choice$c,
      threshold = choice$threshold,
      rounds = choice$rounds,
      value = choice$value,
      tuning = tuned$tuning,
      skipped = trained$skipped,
      seed = seed
    ),
    class = c("rankmix_mixture", "rankmix_ranker")
  )
}
