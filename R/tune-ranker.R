# tune_ranker(): its arguments, its stages and its result. The stages are in tune-search.R.

#' Tune the settings of a ranker
#'
#' Finds settings that rank well, within a budget. Use it when the defaults of a ranker are a good start, but you
#' can spend an hour on a better model.
#'
#' @param rankers The specification to tune, such as [lambdamart()], or a named list of several. The settings of these
#'   specifications are the defaults, with which the result is compared. The number of rounds is chosen within each
#'   training, so give the largest number, such as `lambdamart(trees = 1000)`.
#' @param data The training data, made by [ranking_data()] or [read_letor()].
#' @param validation The validation data of the same kind, on which settings are chosen. With the default `NULL`,
#' settings are chosen by cross-validation.
#' @param space The space of settings: a list by names of settings. Each element is a [tuning_range()], or a
#'   vector or list of choices. For several rankers: a list of spaces, by names of rankers. The default `NULL`
#'   uses [tuning_space()].
#' @param metric The metric to maximise; default [metric_ndcg()] of the first 10 documents. For tied scores, the value
#'   is the mean over their orders, unless the metric sets `ties`.
#' @param budget The budget. A number, at least 2, is the work in units of one training on all training queries. The
#'   result then does not depend on the machine. A text is a time, such as `"30s"`, `"10m"` or `"1h"`. The result then
#'   depends on the speed of the machine. Default 30. A larger budget tries more candidates.
#' @param folds Number of folds without `validation`; default 5. Then each candidate is trained once for each fold.
#' @param error The largest probability that the tests of one rung (see Details) drop its best candidate; default
#'   0.05. Larger values drop candidates earlier. At most 0.5.
#' @param outer Number of outer folds for a nested estimate of the gain, or `NULL` (the default) for an estimate by the
#' bootstrap, which needs no further training. The whole search is repeated for each outer fold.
#' @param patience Number of rounds without a better metric after which a training stops; default 50. `NULL`
#'   trains all rounds.
#' @param level The confidence level of the interval of the gain; default 0.95.
#' @param directory The run directory, or `NULL` (the default) for none. The directory stores each training, so that
#'   the same call resumes after an interruption. Functions of yours are compared as in [benchmark_rankers()].
#' @param verbose Whether to show progress and the time left of the whole call; default `TRUE`. The time left is an
#'   upper estimate, because the search may end before its budget is spent.
#' @inheritParams benchmark_rankers
#'
#' @return A value of class `rankmix_tuning`, a list with
#'   * `model`: the ranker with the best settings. With `validation` it is trained on `data`, and the validation
#'     data choose its rounds. Otherwise it is trained on `data` with the mean of the rounds of the folds.
#'   * `spec`: the specification with the best settings and the chosen number of rounds, for [fit()]. To train with
#'     early stopping, set the largest number again: `update(tuned$spec, trees = 1000)`.
#'   * `candidates`: a row for each candidate: its ranker, its settings, the largest `fraction` of the training
#'     queries it was trained on, the mean metric `value` for this fraction, its standard error `se`, and the `outcome`.
#'     The outcome is `"best"`, `"compared"` (trained on all queries), `"worse"` (dropped by a test), `"budget"`
#'     (dropped to save work), `"out of time"`, or `"failed: ..."`.
#'   * `trainings`: a row for each candidate and fraction: `value`, `se`, the chosen `rounds`, the `trained`
#'     rounds, and `seconds`.
#'   * `values`: the metric of each validation query for the candidates of the last rung, one column each.
#'   * `gain`: the gain of tuning over the default of the first ranker, with its interval. See Details.
#'   * `default`, `best`: the rows of the default and of the best candidate.
#'
#'   `tidy()` returns `candidates`, and `glance()` one row about the whole search. `autoplot()` shows the values against
#'   each setting. `predict()` and [evaluate()] use `model`.
#' @examples
#' data <- simulate_ranking(80, documents = 10, seed = 1)$data
#' parts <- split_parts(split_queries(data, c(train = 0.7, valid = 0.3), seed = 1), data)
#' tuned <- tune_ranker(gbrt(trees = 50), parts$train, parts$valid, budget = 8, patience = 10,
#'                      seed = 1, threads = 1, verbose = FALSE)
#' tuned
#' tuned$spec
#'
#' @details
#' **Search.** The default settings are trained on all queries first. Half of the budget is for a random design (a Latin
#' hypercube). The candidates of the design are trained on 1/9 of the training queries. The remaining candidates are
#' trained on 1/3, and then on all queries. These fractions are rungs. A rung of fewer than 60 training queries is
#' left out. On each rung a candidate is dropped if a paired t-test over the validation queries shows that it is worse
#' than the best of the rung. The test uses Bonferroni's correction for the number of candidates of the rung. So the
#' tests drop the best candidate of a rung with a probability of at most `error`. At most a third of the candidates
#' (rounded up) is trained on the next rung, those with the highest means. The others are dropped to save work. The
#' default settings are never dropped.
#'
#' The other half of the budget is for proposals. A Gaussian process predicts the metric from the settings and the
#' fraction. Each proposal has the largest expected improvement. Proposals come in batches of four. Proposals are
#' trained on 1/3 of the queries. The best two proposals that no test dropped are trained on all queries.
#'
#' The rounds of a boosted ranker or a network, and the penalty of a path, are chosen on the validation queries in one
#' training. All candidates have the same seed, so that their differences have less noise.
#'
#' **Time.** A budget of seconds counts the time of the default's training as one unit, and the search stops when the
#' time has passed. The final training of the model comes after that. With a plan of the package future or daemons of
#' mirai, candidates are trained in parallel. A resumed run uses the time unit of the interrupted run.
#'
#' **Gain.** The value of the best candidate is optimistic, because it was chosen on the same queries. By default, the
#' gain is estimated by the bootstrap of Tsamardinos et al.: the best candidate of each resample of the validation
#' queries is compared with the default on the other queries. The bootstrap repeats only the last choice, so some
#' optimism is left. With `outer`, the whole search is repeated without the queries of each outer fold. The result is
#' then compared with the default on these queries. The choice does not bias this estimate, which
#' is for tuning on fewer queries. The interval is computed by [resampled_t()] over the folds, because the tuned
#' models of the folds
#' differ.
#'
#' In simulations, 95 % intervals of both estimates covered the true gain (`bench/tuning.md`). The interval of the
#' nested estimate is wide with few folds.
#'
#' **Ties.** If candidates have equal values, the first candidate is best. So the default is kept if no candidate is
#' better.
#'
#' @section Conditions:
#' * `rankmix_error_argument`: a setting that is unknown or cannot be tuned, or a budget that cannot be read.
#' * `rankmix_error_run`: the directory contains another run, or another process uses it now.
#' * `rankmix_error_failed`: the default settings cannot be trained.
#' * `rankmix_warning_failed`: other settings cannot be trained.
#' @references Jamieson and Talwalkar (2016). Non-stochastic best arm identification and hyperparameter
#'   optimization. AISTATS, <https://proceedings.mlr.press/v51/jamieson16.html>.
#'
#'   Lopez-Ibanez, Dubois-Lacoste, Perez Caceres, Birattari and Stuetzle (2016). The irace package: iterated racing
#'   for automatic algorithm configuration. \doi{10.1016/j.orp.2016.09.002}
#'
#'   Snoek, Larochelle and Adams (2012). Practical Bayesian optimization of machine learning algorithms. NeurIPS 25.
#'
#'   Tsamardinos, Greasidou and Borboudakis (2018). Bootstrapping the out-of-sample predictions for efficient and
#'   accurate cross-validation. \doi{10.1007/s10994-018-5714-4}
#' @seealso [benchmark_rankers()] to compare rankers, [tune_and_mix()] to mix them.
#' @export
tune_ranker <- function(rankers, data, validation = NULL, space = NULL, metric = metric_ndcg(10), budget = 30,
                        folds = 5, error = 0.05, outer = NULL, patience = 50, level = 0.95, directory = NULL,
                        seed = NULL, threads = NULL, verbose = TRUE, ...) {
  check_no_others(...)
  check_all_given()
  specs <- check_tuned_rankers(rankers)
  check_ranking_data(data, binned = TRUE)
  spaces <- check_spaces(specs, space)
  check_tuned_data(data, validation, folds, outer)
  check_number(error, "error", 0, 0.5, open_min = TRUE)
  check_confidence(level)
  if (!is.null(patience)) check_count(patience, "patience")
  budget <- read_budget(budget)
  threads <- check_threads(threads)
  check_flag(verbose, "verbose")
  metric <- check_metrics(list(read_metric(metric)), NULL)[[1L]]
  # One scale for all folds.
  chooses <- choosing_metric(settle_metric(metric, c(data$relevance, validation$relevance)))
  run <- open_run(directory, "tune_ranker()", list(data = data, validation = validation), seed, verbose = verbose)
  on.exit(run$close())
  progress <- tuning_progress(1 + if (is.null(outer)) 0 else outer, budget$seconds, verbose)
  on.exit(progress$close(), add = TRUE)
  search_on <- function(data, validation, seed, run) {
    tune_once(list(specs = specs, spaces = spaces, data = data, validation = validation, metric = chooses,
                   keeps_default = !is.null(outer), folds = folds, error = error, patience = patience,
                   seed = seed, threads = threads, progress = progress, run = run), budget)
  }
  found <- search_on(data, validation, run$seed, run)
  gain <- if (!is.null(outer)) {
    nested_gain(function(train, seed) search_on(train, validation, seed, run), data, outer, chooses, level,
                run$seed, threads)
  }
  new_tuning(found, gain, metric, level, run$seed)
}

check_tuned_rankers <- function(rankers, call = rlang::caller_env()) {
  check_no_ranker_function(rankers, "rankers", call)
  specs <- if (is_specification(rankers)) stats::setNames(list(rankers), written_as(rankers)$name) else rankers
  check_rankers(specs, call)
  for (name in names(specs)) {
    if (ranker_kind(specs[[name]]) != "specification") {
      stop_input("argument", sprintf("The ranker `%s` has no settings to tune.", name),
                 remedy = "Give a specification, such as `lambdamart()`.", call = call)
    }
  }
  specs
}

check_tuned_data <- function(data, validation, folds, outer, call = rlang::caller_env()) {
  most <- max(2, length(data$query_ids))
  if (is.null(validation)) {
    check_count(folds, "folds", min = 2, max = most, call = call)
  } else {
    check_ranking_data(validation, "validation", binned = TRUE, call = call)
  }
  if (!is.null(outer)) check_count(outer, "outer", min = 2, max = most, call = call)
}

# `units` (trainings on all queries) and `seconds`, one of which is infinite.
read_budget <- function(budget, call = rlang::caller_env()) {
  if (is_plain_number(budget) && length(budget) == 1L && !is.na(budget) && budget >= 2 && budget <= 1e6) {
    return(list(units = budget, seconds = Inf))
  }
  if (is.character(budget) && length(budget) == 1L && grepl("^([0-9.]+ *[smhd] *)+$", budget)) {
    parts <- regmatches(budget, gregexpr("[0-9.]+ *[smhd]", budget))[[1L]]
    number <- suppressWarnings(as.numeric(sub(" *[smhd]$", "", parts)))
    seconds <- sum(number * c(s = 1, m = 60, h = 3600, d = 86400)[sub("^[0-9. ]+", "", parts)])
    if (!is.na(seconds) && seconds > 0) {
      return(list(units = Inf, seconds = seconds))
    }
  }
  stop_input("argument", sprintf("`budget` must be a number of trainings, at least 2, or a time, not %s.",
                                 show_value(budget)),
             remedy = "For example `budget = 30`, or `budget = \"1h\"`.", call = call)
}

# Runs one search and trains the final models.
tune_once <- function(context, budget) {
  context$splits <- tuning_splits(context$data, context$validation, context$folds, context$seed)
  judging <- lapply(context$splits, function(split) {
    if (is.null(split$valid)) context$validation else context$data[split$valid]
  })
  context$fold <- rep(seq_along(judging), vapply(judging, function(part) length(part$query_ids), 0L))
  context$weight <- unlist(lapply(judging, `[[`, "weight"))
  context$fractions <- rung_fractions(min(lengths(lapply(context$splits, `[[`, "train"))))
  context$identity <- rlang::hash(list(context$splits, context$seed))
  context$time <- new_budget(Inf, budget$seconds)
  context$progress <- context$progress$start(length(context$splits), 1 + context$keeps_default)
  if (is.finite(budget$units)) context$progress$limit(budget$units)
  search <- new_search(context)
  train_defaults(search)
  units <- units_of_budget(search, budget)
  context$progress$limit(units)
  if (any(lengths(context$spaces) > 0L)) {
    search_design(search, design_sizes(units, context$fractions))
    search_proposals(search, units)
  }
  warn_tuning_failed(search)
  final_models(search)
}

train_defaults <- function(search) {
  ids <- defaults_of(search)
  train_rung(search, ids, length(search$context$fractions))
  for (id in ids) {
    reason <- search$candidates[[id]]$reason
    if (identical(reason, "out of time")) {
      stop_input("argument", "The time was over before the default settings were trained.",
                 remedy = "Give a larger `budget`.", call = rlang::caller_env(3L))
    }
    if (!is.na(reason)) {
      stop_input("failed", sprintf("The default settings of `%s` cannot be tuned.", search$candidates[[id]]$ranker),
                 without_failed(reason), call = rlang::caller_env(3L))
    }
  }
}

# The work that fits into the time, in trainings on all queries. It is counted from the seconds of the defaults, which
# a resumed run reads from its directory.
units_of_budget <- function(search, budget) {
  if (is.finite(budget$units)) {
    return(budget$units)
  }
  own <- search$trainings$seconds[search$trainings$candidate %in% defaults_of(search)]
  max(2, min(1e4, budget$seconds * worker_count() / max(mean(own), 1e-3)))
}

warn_tuning_failed <- function(search) {
  reasons <- vapply(search$candidates, `[[`, "", "reason")
  bad <- grep("^failed", reasons)
  if (length(bad) > 0L) {
    warn_input("failed", sprintf("%d of %d candidates failed.", length(bad), length(reasons)),
               without_failed(utils::head(unique(reasons[bad]), 3L)), "See `$candidates`.")
  }
}

without_failed <- function(reasons) sub("^failed: ", "", reasons)

# The best candidate and the first default, trained for the user.
final_models <- function(search) {
  last <- length(search$context$fractions)
  ids <- candidates_on(search, last)
  best <- ids[which.max(rung_means(search, ids, last))]
  found <- final_model(search, search$candidates[[best]])
  default <- if (search$context$keeps_default) final_model(search, search$candidates[[1L]])
  search$context$progress$report(Inf)
  list(search = search, best = best, model = found$model, spec = found$spec, default_model = default$model)
}

# The median of the steps that the folds chose. Of two middle steps, the larger one is used.
middle_step <- function(steps) if (!is.null(steps)) sort(steps)[length(steps) %/% 2L + 1L]

final_model <- function(search, candidate) {
  context <- search$context
  seed <- derived_seed(context$seed, "training", 1L)
  spec <- candidate$spec
  if (is.null(context$validation)) {
    rows <- search$trainings
    rounds <- rows$rounds[rows$candidate == candidate$id & rows$fraction == 1]
    spec <- chosen_spec(spec, max(1, round(rounds)), middle_step(candidate$path))
    model <- fit(spec, context$data, seed = seed, threads = context$threads, verbose = FALSE)
    return(list(model = model, spec = spec))
  }
  model <- fit(spec, context$data, context$validation, context$metric, seed = seed, threads = context$threads,
               patience = if (has_trait(spec, "rounds")) context$patience, verbose = FALSE)
  list(model = model, spec = chosen_spec(spec, model$best_rounds, if (!is.null(model$path)) {
    model$spec[[entry_of(spec)$path]]
  }))
}

# The specification with the chosen number of rounds and step of a path, so that it can be trained without
# validation data.
chosen_spec <- function(spec, rounds, step) {
  entry <- entry_of(spec)
  chosen <- list()
  if (is.character(entry$rounds)) chosen[[entry$rounds]] <- rounds
  if (!is.null(step)) chosen[[entry$path]] <- step
  with_settings(spec, chosen)
}
