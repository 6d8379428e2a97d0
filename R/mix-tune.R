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
#' @param calibrators A list of calibrators, such as `cpc("log_sigmoid")`. `NULL`:
#'   [fast_calibrators()] with fewer than 500 validation queries, which are not worse there, as
#'   measured (see their help); else [all_calibrators()].
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
#'   are so many trained ones, or after half of so many seconds. The first is always trained.
#'   Calibration has the rest of the seconds, see Details.
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
#' @param ... Must be empty.
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
#' and validation document, and the features of each set for these documents; with a finite
#' `max_seconds` 8 bytes more a classifier, grade and validation document.
#'
#' With a finite `max_seconds` the whole call takes about so long, at least one member always
#' being made. Values of T are tried in the order of the metric of a mixture of naively
#' calibrated classifiers, which takes little time, the best first. For the first T the
#' calibrators are fitted from the cheapest ([naive()], linear regression, polynomials) to the
#' dearest (network, Gaussian process, soft NDCG); what is estimated not to fit into what is left,
#' the final fits included, is no member. A further T is tried if there is time for all members of
#' the first. Nothing is broken off: a training, or a calibrator of unknown cost, that was begun
#' in time may end late. Which members there are then depends on the speed of the machine; with
#' time enough the mixture is that without a budget.
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
#'   hold the choice. `calibrators` is the name of the preset if none were given, else `NULL`.
#'   `skipped` are words for what the budget left out, named `specification`, `calibrator` or `T`
#'   by what it is.
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
                         calibrators = NULL, metric = ndcg(10),
                         c = default_c, threshold = -Inf,
                         rounds = NULL, groupings = NULL, features = "original",
                         members = "all", standardize = FALSE, crossfit = 2, share = 0.8,
                         max_models = Inf, max_seconds = Inf, directory = NULL,
                         seed = NULL, threads = NULL, verbose = TRUE, ...) {
  check_no_others(...)
  check_all_given()
  check_ranking_data(train, "train")
  classifiers <- check_classifiers(classifiers)
  calibrators <- check_calibrators(calibrators, members)
  metric <- read_metric(metric)
  check_flag(verbose, "verbose")
  check_flag(standardize, "standardize")
  check_count(crossfit, "crossfit", max = 100)
  c <- if (members == "one_best") Inf else check_c(c)
  threshold <- if (members == "one_best") -Inf else check_threshold(threshold)
  rounds <- check_rounds_grid(rounds, classifiers)
  groupings <- check_groupings(groupings)
  features <- check_features(features)
  check_count(max_models, "max_models", infinite = TRUE)
  check_seconds(max_seconds)
  budget <- new_budget(Inf, max_seconds)
  training_budget <- new_budget(max_models, max_seconds / 2)
  threads <- check_threads(threads)
  if (!is.null(validation)) {
    check_ranking_data(validation, "validation")
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
  preset <- if (is.null(calibrators)) preset_for(validation)
  if (!is.null(preset)) {
    calibrators <- calibrators_of_kind(calibrator_presets[[preset]](), members)
  }
  trained <- train_grid(classifiers, groupings, features, train, run, training_budget,
                        threads, verbose)
  tuned <- tune_members(trained$models, calibrators, validation, metric, c, threshold,
                        rounds, standardize, crossfit, threads, verbose, budget)
  new_mixture(tuned, member_table(trained$models, calibrators), trained, metric, preset,
              run$seed)
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
  # Whatever has a class is one value, and not the list of its parts.
  if (is.object(classifiers)) {
    classifiers <- list(classifiers)
  }
  if (!is.list(classifiers) || length(classifiers) == 0L) {
    stop_input("argument",
               sprintf("`classifiers` must be a list of values made by %s, not %s.",
                       classifier_makers, show_value(classifiers)), call = call)
  }
  for (i in seq_along(classifiers)) {
    check_can_be_member(classifiers[[i]], call)
    if (!is_classifier(classifiers[[i]])) {
      stop_input("argument",
                 sprintf("`classifiers[[%d]]` must be made by %s, not %s.", i,
                         classifier_makers, show_value(classifiers[[i]])), call = call)
    }
  }
  # A path has a classifier for each of its steps.
  unlist(lapply(unname(classifiers), model_steps), recursive = FALSE, use.names = FALSE)
}

classifier_makers <- "`adaboost_mh()`, `mcsvm()` or `fit()`"

# A ranker that gives one score has nothing for calibrators of grades.
check_can_be_member <- function(ranker, call) {
  one_score <- is_specification(ranker) || inherits(ranker, "rankmix_ranker")
  if (is_classifier(ranker) || !one_score) {
    return(invisible(ranker))
  }
  stop_input("argument",
             sprintf("%s cannot be a member of this mixture.", ranker_text(ranker)),
             "It gives one score a document; calibrators need a discriminant for each grade.",
             "Train it by `fit()`, and mix what you have by `mix()`.", call = call)
}

ranker_text <- function(ranker) {
  if (is_specification(ranker)) {
    return(sprintf("`%s`", format(ranker)))
  }
  if (is_specification(ranker$spec)) {
    return(sprintf("A model of `%s`", format(ranker$spec)))
  }
  value <- show_value(ranker)
  paste0(toupper(substr(value, 1L, 1L)), substring(value, 2L))
}

# A list, or NULL where they depend on the validation data.
check_calibrators <- function(calibrators, members, call = rlang::caller_env()) {
  check_choice(members, "members", c("all", "cpc", "rbc", "one_best"), call)
  if (is.null(calibrators)) {
    return(NULL)
  }
  calibrators_of_kind(check_list_of(calibrators, "calibrators", "rankmix_calibrator",
                                    "`naive()`, `cpc()` or `rbc()`", call), members, call)
}

calibrators_of_kind <- function(calibrators, members, call = rlang::caller_env()) {
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

# With fewer validation queries than these the fast calibrators are the default.
few_queries <- 500L

preset_for <- function(validation) {
  if (length(validation$query_ids) < few_queries) "fast_calibrators()" else "all_calibrators()"
}

calibrator_presets <- list(`fast_calibrators()` = function() fast_calibrators(),
                           `all_calibrators()` = function() all_calibrators())

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
      rounds <- rounds_of(classifier)
      if (is.null(rounds)) 1 else as.numeric(rounds)
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

# Members for each T, and the metric of their mixture for each c and threshold. Keeps what
# belongs to the best T. Where time is limited, some cells of the grid are no members, and
# some T are not tried.
tune_members <- function(models, calibrators, validation, metric, c, threshold, rounds,
                         standardize, crossfit, threads, verbose, budget = new_budget(Inf, Inf),
                         call = rlang::caller_env()) {
  work <- calibration_work(models, calibrators, validation, crossfit, threads,
                           keep_all = budget$limited, call)
  omega_of <- function(scores) metric_means(metric, scores, validation, threads)
  values_of <- function(scores, omega, threshold) {
    mixture_values(scores, omega, validation, metric, c, threshold, threads)
  }
  sequence <- ranked_rounds(rounds, function(r) {
    scores <- work$naive(r)
    max(values_of(scores, omega_of(scores), -Inf))
  }, budget)
  steps <- task_counts(work, rounds[sequence])
  bar <- progress_bar("Calibrating", sum(steps), verbose)
  on.exit(bar$close())
  pace <- new_pace(work, steps, budget, bar$report)
  members <- new_members(work, standardize, omega_of)
  cells <- make_first_members(members, rounds[sequence[1L]], work, pace)
  values <- vector("list", length(rounds))
  best <- NULL
  for (s in sequence) {
    if (!remake_members(members, cells, rounds[s], work, pace)) next
    values[[s]] <- pace$mix(values_of(members$scores(cells), members$omega(cells), threshold))
    best <- better_mixture(best, members$held(cells), values[[s]], rounds[s])
  }
  check_some_member(best$omega, threshold, call)
  tried <- lengths(values) > 0L
  tuning <- tuning_table(values[tried], rounds[tried], c, threshold)
  choice <- tuning[which.max(tuning$value), ]
  if (crossfit > 1) {
    # Calibrators that have seen all are needed for the chosen T only.
    best$fitted <- lapply(cells, function(cell) {
      pace$final(work$final(cell, work$rounds_of(cell, choice$rounds)))
    })
  }
  base::c(best[base::c("fitted", "omega", "scale")],
          list(cells = cells, tuning = tuning, choice = choice, not_tried = rounds[!tried]))
}

# The members of the best T so far; of equal ones the smaller T.
better_mixture <- function(best, held, values, rounds) {
  top <- suppressWarnings(max(values, na.rm = TRUE))
  if (is.null(best) || top > best$value || top == best$value && rounds < best$rounds) {
    best <- base::c(held, list(value = top, rounds = rounds))
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
    class = base::c("rankmix_mixture", "rankmix_ranker")
  )
}

# What the budget, or workers that died, left out, in words, named by what it is: a
# specification, a calibrator, of all classifiers or of one, or values of T.
left_out <- function(specifications, members, cells, rounds) {
  lacking <- members[setdiff(seq_len(nrow(members)), cells), ]
  everywhere <- setdiff(lacking$calibrator, members$calibrator[cells])
  single <- lacking[!lacking$calibrator %in% everywhere, ]
  calibrators <- base::c(everywhere, sprintf("%s of %s", single$calibrator, single$classifier))
  kinds <- list(specification = specifications, calibrator = calibrators,
                T = if (length(rounds) > 0L) paste("T =", toString(rounds)))
  words <- as.character(unlist(kinds))
  if (length(words) > 0L) names(words) <- rep(names(kinds), lengths(kinds))
  words
}
