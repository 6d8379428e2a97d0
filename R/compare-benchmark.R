#' Benchmark rankers on folds
#'
#' Trains every ranker on the training part of every fold, tunes it and stops it early on
#' the validation part, and evaluates it on the test part, query by query.
#'
#' @param rankers A named list, or a single specification, which is named by its text. Each is
#'   * a specification such as `gbrt()`, `adaboost_mh()` or [best_feature()], which is
#'     fitted on the training part with the validation part;
#'   * a function of two or more arguments, called as `f(train, valid)`, that gives a
#'     ranker: anything that [evaluate()] takes, such as a model or a function of the data;
#'   * a function of one argument, called with the test part, that gives its scores;
#'   * a fitted model. It must not have seen the test parts.
#' @param folds A list of folds, each a list of ranking data `train`, `valid` (which may
#'   be lacking) and `test`, as [read_folds()] gives; a single such fold; or folds made by
#'   [query_folds()].
#' @param metrics A metric, its text, or a list of them, as for [evaluate()]. The first one
#'   tunes.
#' @param data The data of `folds` that [query_folds()] made.
#' @param tune For some of the specifications values to try, such as
#'   `list(trees = list(step = c(0.05, 0.1), leaves = c(8, 31)))` for a ranker named
#'   `trees`: the arguments of the specification's constructor with their values, of which
#'   all combinations are fitted. The one that is best on the validation part by the first
#'   metric is used; the first wins a tie.
#' @param patience Fits with rounds stop when the metric on the validation part has not
#'   risen for so many; `NULL` trains all rounds. The best number is used either way.
#' @param keep_scores Whether the scores of the test parts are kept, from which `report()`
#'   compares conventions: 8 bytes a document and ranker.
#' @param directory A folder for the results of each ranker and fold. A run that was killed
#'   goes on there when the same call is made again, and ends with the same table. Rankers
#'   that failed are tried again. Delete it when rankers that are functions change in what
#'   they use: they are known by their text alone.
#' @param seed Seed of the whole run; each ranker and fold has its own derived from it, so
#'   that no ranker depends on the others. By default from R's generator.
#' @param threads Number of threads; results of rankmix do not depend on it.
#' @param verbose Show progress and the time left: a bar at a console, elsewhere a line every 30
#'   seconds. Progress is signalled to the package progressr too, if it is installed.
#'
#' @details Metrics whose scale depends on the highest grade, such as [err()], take that of
#'   all parts, so that folds are on one scale. With a plan of the package future, rankers and folds are distributed to its
#'   workers: times are then of workers side by side. A ranker that fails in a fold is a
#'   row of `runs` with its error, and the others go on.
#'
#' @return A value of class `rankmix_benchmark` with
#'   * `results`: a row for each fold, ranker, query and metric, as [evaluate()] gives;
#'   * `runs`: a row for each fold and ranker: `status` (`"done"` or `"failed"`), `error`,
#'     `warnings`, `tuned` (the chosen values), `validation` (the metric there, of the chosen), and
#'     `fit_seconds`, `predict_seconds`, `memory_mb`: elapsed time, and by how many
#'     megabytes the memory of the process rose at its peak (`NA` where the system does not
#'     tell, as on all but Linux), and
#'     `train_queries`;
#'   * what the report shows of data, seeds and session.
#'
#'   `summary()` has a row for each ranker and metric: mean over all test queries, standard
#'   error, interval and numbers of queries and folds, as for [evaluate()]; `tidy()` one
#'   for each fold too. [compare_rankers()] tests, [report()] writes a page, `autoplot()`
#'   see [autoplot.rankmix_benchmark()].
#' @section Conditions: `rankmix_error_argument`: rankers without names, with the same
#'   names or that are none of the above; folds that are none; grids for unknown rankers or
#'   arguments. `rankmix_error_run`: the directory holds another run.
#'   `rankmix_error_validation`: a validation part that is to choose has fewer than two
#'   queries (of weight above 0) with documents of different grades.
#'   `rankmix_error_unjudged`: data without grades.
#'   `rankmix_warning_failed`: rankers that failed.
#' @examples
#' data <- read_letor(system.file("extdata", "train.txt.gz", package = "rankmix"))
#' folds <- query_folds(data, 3, seed = 1)
#' result <- benchmark_rankers(
#'   list(boosted = adaboost_mh(stump(), rounds = 20), feature = best_feature(),
#'        first = function(data) data$x[, 1]),
#'   folds, ndcg(10), data = data, seed = 1
#' )
#' result
#' compare_rankers(result)
#' @export
benchmark_rankers <- function(rankers, folds, metrics = ndcg(10), data = NULL, tune = list(),
                              patience = NULL, keep_scores = TRUE, directory = NULL,
                              seed = NULL, threads = NULL, verbose = TRUE) {
  check_all_given()
  threads <- check_threads(threads)
  check_flag(verbose, "verbose")
  check_flag(keep_scores, "keep_scores")
  metrics <- check_metrics(metrics, NULL)
  if (!is.null(patience)) {
    check_count(patience, "patience")
  }
  rankers <- as_ranker_list(rankers)
  check_rankers(rankers, tune)
  folds <- fold_source(folds, data)
  check_validation_parts(folds, rankers, tune)
  metrics <- settle_metrics(metrics, folds$highest)
  run <- open_run(directory, "benchmark_rankers()", list(folds = folds$identity), seed)
  tasks <- benchmark_tasks(rankers, names(folds$identity), metrics, tune, patience,
                           run$seed)
  results <- benchmark_runs(tasks, folds, run, threads, verbose)
  new_benchmark(rankers, tasks, results, metrics, folds, tune, keep_scores, run$seed)
}

# A single specification is a list of one, under its own text.
as_ranker_list <- function(rankers) {
  if (is.object(rankers) && ranker_kind(rankers) == "specification") {
    return(stats::setNames(list(rankers), format(rankers)))
  }
  rankers
}

check_rankers <- function(rankers, tune, call = rlang::caller_env()) {
  if (!is.list(rankers) || is.object(rankers)) {
    stop_input("argument",
               sprintf("`rankers` must be a named list, not %s.", show_value(rankers)),
               remedy = "Such as `list(trees = gbrt(), feature = best_feature())`.",
               call = call)
  }
  ranker_names(rankers, call)
  for (name in names(rankers)) {
    if (ranker_kind(rankers[[name]]) == "none") {
      stop_input("argument",
                 sprintf("The ranker `%s` is %s.", name, show_value(rankers[[name]])),
                 remedy = "Give a specification, a fitted model, or a function.", call = call)
    }
  }
  if (!is.list(tune) || (length(tune) > 0L && is.null(names(tune)))) {
    stop_input("argument", "`tune` must be a list with the names of rankers.",
               remedy = "Such as `list(trees = list(step = c(0.05, 0.1)))`.", call = call)
  }
  for (name in names(tune)) {
    check_grid(rankers[[name]], tune[[name]], name, call)
  }
}

check_grid <- function(spec, grid, name, call) {
  if (is.null(spec) || ranker_kind(spec) != "specification") {
    stop_input("argument", sprintf("`tune` has values for `%s`, which is no specification.",
                                   name), call = call)
  }
  known <- setting_names(spec_constructor(spec))
  if (!is.list(grid) || length(grid) == 0L || is.null(names(grid)) ||
        !all(names(grid) %in% known) || any(lengths(grid) == 0L)) {
    stop_input("argument",
               sprintf("The values for `%s` must be a list with names of arguments.", name),
               sprintf("`%s` has %s.", format(spec), enumerate(known, 20L)),
               call = call)
  }
  for (values in grid_rows(grid)) {
    with_values(spec, values)
  }
}

ranker_kind <- function(ranker) {
  if (is.function(ranker)) {
    return("function")
  }
  if (is_specification(ranker)) {
    return("specification")
  }
  if (is.object(ranker)) "model" else "none"
}

# All combinations of the values, as lists.
grid_rows <- function(grid) {
  at <- expand.grid(lapply(grid, seq_along))
  lapply(seq_len(nrow(at)), function(i) {
    Map(function(values, j) values[[j]], grid, as.list(at[i, , drop = FALSE]))
  })
}

show_values <- function(values) {
  paste(vapply(names(values), function(name) {
    value <- values[[name]]
    shown <- if (is.object(value)) format(value) else show_value(value)
    sprintf("%s = %s", name, shown)
  }, ""), collapse = ", ")
}

# Folds ---------------------------------------------------------------------------------

# `part(name)` gives the data of a fold, `judged(name)` the same where features may be
# lacking; `highest` is the highest grade of all, on whose scale
# metrics are in every fold; `identity` tells folds apart from those of another run, by name.
fold_source <- function(folds, data, call = rlang::caller_env()) {
  if (inherits(folds, "rankmix_folds")) {
    check_given(is.null(data), "data", "Give the data that `folds` was made from.", call = call)
    check_ranking_data(data, call = call)
    names <- paste0("fold", seq_along(folds$folds))
    known <- rlang::hash(unclass(data))
    return(list(
      highest = max(data$relevance),
      judged = function(name) {
        split_parts(folds, without_features(data), match(name, names))
      },
      part = function(name) split_parts(folds, data, match(name, names)),
      identity = stats::setNames(lapply(folds$folds, function(ids) list(ids, known)), names)
    ))
  }
  if (is.list(folds) && inherits(folds$train, "ranking_data")) {
    folds <- list(test = folds)
  }
  check_folds(folds, call)
  if (is.null(names(folds))) {
    names(folds) <- paste0("fold", seq_along(folds))
  }
  part <- function(name) folds[[name]]
  list(highest = max(unlist(lapply(folds, lapply, function(part) max(part$relevance)))),
       judged = part, part = part, identity = lapply(folds, lapply, unclass))
}

# Before anything is trained: where a validation part is to choose it must be able to.
check_validation_parts <- function(folds, rankers, tune, call = rlang::caller_env()) {
  chosen <- vapply(names(rankers), function(name) {
    !is.null(tune[[name]]) || ranker_kind(rankers[[name]]) == "specification" &&
      "metric" %in% names(formals(fit_method(rankers[[name]])))
  }, NA)
  if (!any(chosen)) {
    return(invisible())
  }
  for (name in names(folds$identity)) {
    valid <- folds$judged(name)$valid
    if (!is.null(valid)) {
      several <- length(folds$identity) > 1L
      check_can_choose(valid, if (several) sprintf("%s$valid", name) else "valid", call)
    }
  }
}

# For what only the judgements matter: a fold of the whole is a copy of its features.
without_features <- function(data) {
  data$x <- data$x[, 0L, drop = FALSE]
  data
}

check_folds <- function(folds, call) {
  if (!is.list(folds) || is.object(folds) || length(folds) == 0L) {
    stop_input("argument", sprintf("`folds` must be a list of folds, not %s.",
                                   show_value(folds)),
               remedy = "Use `read_folds()`, or `query_folds()` with `data`.", call = call)
  }
  if (!is.null(names(folds))) {
    ranker_names(folds, call)
  }
  for (i in seq_along(folds)) {
    fold <- folds[[i]]
    good <- is.list(fold) && all(c("train", "test") %in% names(fold)) &&
      all(names(fold) %in% c("train", "valid", "test")) &&
      all(vapply(fold, inherits, NA, what = "ranking_data"))
    if (!good) {
      stop_input("argument",
                 sprintf("Fold %d must be a list of ranking data `train`, `valid` and `test`.",
                         i),
                 if (is.list(fold) && !is.null(names(fold))) {
                   sprintf("It has %s.", enumerate(names(fold)))
                 }, "As `read_folds()` gives; `valid` may be lacking.", call = call)
    }
    for (part in names(fold)) {
      check_judged(fold[[part]], sprintf("folds[[%d]]$%s", i, part), call)
    }
    warn_overlap(fold[names(fold) != "test"], fold$test,
                 sprintf("test queries of fold %d are also trained or tuned on.", i),
                 "What is tested on them looks better than it is.")
  }
  weighted <- vapply(folds, function(fold) !is.null(fold$test$weight), NA)
  if (any(weighted != weighted[1L])) {
    stop_input("argument", "The test queries of some folds have weights, those of others none.",
               remedy = "Give all of them weights.", call = call)
  }
}

# Results -------------------------------------------------------------------------------

new_benchmark <- function(rankers, tasks, results, metrics, folds, tune, keep_scores, seed) {
  ids <- lapply(tasks, `[`, c("part", "name"))
  failed <- vapply(results, function(result) !is.null(result$error), NA)
  table <- do.call(rbind, lapply(which(!failed), function(i) {
    cbind(fold = ids[[i]]$part, ranker = ids[[i]]$name, as.data.frame(results[[i]]$table))
  }))
  runs <- do.call(rbind, lapply(seq_along(tasks), function(i) {
    cbind(fold = ids[[i]]$part, ranker = ids[[i]]$name, run_row(results[[i]]))
  }))
  object <- structure(
    list(
      results = if (is.null(table)) empty_results() else table,
      runs = runs, metrics = metrics, rankers = vapply(rankers, describe_ranker, ""),
      tune = tune, seed = seed,
      data = describe_folds(folds),
      digests = task_values(ids, results, "digests"),
      scores = if (keep_scores) task_values(ids, results, "scores"),
      session = describe_session()
    ),
    class = "rankmix_benchmark"
  )
  warn_failed(object)
  object
}

empty_results <- function() {
  data.frame(fold = character(), ranker = character(), query = character(),
             documents = integer(), metric = character(), value = numeric())
}

run_row <- function(result) {
  blank <- function(value, none) if (is.null(value)) none else value
  data.frame(
    status = if (is.null(result$error)) "done" else "failed",
    error = blank(result$error, ""), warnings = blank(result$warnings, ""),
    tuned = blank(result$tuned, ""),
    validation = blank(result$validation, NA_real_),
    fit_seconds = blank(result$fit_seconds, NA_real_),
    predict_seconds = blank(result$predict_seconds, NA_real_),
    memory_mb = blank(result$memory_mb, NA_real_),
    train_queries = blank(result$train_queries, NA_integer_)
  )
}

# values[[fold]][[ranker]] of what the tasks gave.
task_values <- function(ids, results, name) {
  values <- list()
  for (i in seq_along(ids)) {
    part <- ids[[i]]$part
    own <- if (is.null(values[[part]])) list() else values[[part]]
    # NULL of one that failed leaves the list as it is.
    own[[ids[[i]]$name]] <- results[[i]][[name]]
    values[[part]] <- own
  }
  values
}

describe_ranker <- function(ranker) {
  switch(ranker_kind(ranker),
         specification = format(ranker),
         model = sprintf("a model of class %s", class(ranker)[1L]),
         "a function")
}

# What reports show of the data, and the judgements of the test parts.
describe_folds <- function(folds) {
  lapply(stats::setNames(nm = names(folds$identity)), function(name) {
    fold <- folds$judged(name)
    list(sizes = bind_named(lapply(fold, size_row), "part"),
         test = judged_documents(fold$test)[c("relevance", "query", "query_ids", "document",
                                              "weight")])
  })
}

# Grades up to 30, the highest there are.
size_row <- function(data) {
  grades <- tabulate(data$relevance + 1L, 31L)
  data.frame(queries = length(data$query_ids), documents = nrow(data),
             features = length(data$features),
             t(stats::setNames(grades, paste("grade", 0:30))), check.names = FALSE)
}

describe_session <- function() {
  packages <- c("rankmix", "ggplot2", "lightgbm", "xgboost")
  packages <- packages[vapply(packages, isNamespaceLoaded, NA)]
  list(r = R.version.string, platform = R.version$platform, time = Sys.time(),
       packages = vapply(packages, function(p) format(utils::packageVersion(p)), ""))
}

warn_failed <- function(object) {
  bad <- object$runs[object$runs$status == "failed", ]
  if (nrow(bad) > 0L) {
    warn_input("failed", sprintf("%d of %d trainings failed.", nrow(bad), nrow(object$runs)),
               utils::head(sprintf("%s in %s: %s", bad$ranker, bad$fold, bad$error), 5L),
               "See `$runs`; with a `directory` the same call tries them again.")
  }
}

# What compare_rankers() needs: rankers that are done in every fold.
benchmark_evaluation <- function(object, metric, call) {
  bad <- unique(object$runs$ranker[object$runs$status == "failed"])
  table <- object$results[!object$results$ranker %in% bad, ]
  folds <- names(object$digests)
  if (length(folds) == 1L) {
    table$fold <- NULL
  }
  identical <- function(a, b) {
    unlist(lapply(unname(folds), function(fold) {
      same <- object$digests[[fold]][[a]] == object$digests[[fold]][[b]]
      stats::setNames(same, query_keys(if (length(folds) > 1L) fold,
                                       object$data[[fold]]$test$query_ids))
    }))
  }
  list(table = chosen_metrics(table, metric, call), identical = identical,
       shown = attr(object$metrics, "shown"))
}

#' @export
summary.rankmix_benchmark <- function(object, level = 0.95, ...) {
  table <- object$results
  # A query may test in several folds, if they are not those of a cross-validation.
  table$query <- query_keys(table$fold, table$query)
  table$fold <- NULL
  rows <- summary(structure(table, class = c("rankmix_evaluation", "data.frame")), level)
  done <- object$runs[object$runs$status == "done", ]
  rows$folds <- as.vector(table(factor(done$ranker, unique(rows$ranker)))[rows$ranker])
  rows
}

#' @export
tidy.rankmix_benchmark <- function(x, ...) {
  folds <- lapply(split_by(x$results, "fold"), function(rows) {
    rows$fold <- NULL
    summary(structure(rows, class = c("rankmix_evaluation", "data.frame")))
  })
  table <- bind_named(folds, "fold")
  if (nrow(table) == 0L) {
    return(table)
  }
  at <- match(paste(table$fold, table$ranker), paste(x$runs$fold, x$runs$ranker))
  cbind(table, x$runs[at, setdiff(names(x$runs),
                               c("fold", "ranker", "status", "error", "warnings"))],
        row.names = NULL)
}

#' @export
print.rankmix_benchmark <- function(x, ...) {
  folds <- length(x$data)
  failed <- sum(x$runs$status == "failed")
  say(sprintf("<rankmix_benchmark> %s, %s, seed %s%s", counted(length(x$rankers), "ranker"),
              counted(folds, "fold"), plain_number(x$seed),
              if (failed > 0L) sprintf("; %d failed, see `$runs`", failed) else ""))
  table <- summary(x)
  metrics <- unique(table$metric)
  shown <- utils::head(metrics, 3L)
  wide <- vapply(shown, function(metric) {
    rows <- table[table$metric == metric, ]
    at <- match(names(x$rankers), rows$ranker)
    ifelse(is.na(at), "-", sprintf("%.4f +- %.4f%s", rows$mean[at], rows$se[at],
                                   ifelse(rows$folds[at] < folds,
                                          sprintf(" in %d folds", rows$folds[at]), "")))
  }, character(length(x$rankers)))
  wide <- matrix(wide, length(x$rankers))
  seconds <- tapply(x$runs$fit_seconds, factor(x$runs$ranker, names(x$rankers)), mean,
                    na.rm = TRUE)
  wide <- cbind(wide, ifelse(is.na(seconds), "-", sprintf("%.2f", seconds)))
  dimnames(wide) <- list(names(x$rankers), c(shown, "fit (s)"))
  print(utils::head(wide, 7L), quote = FALSE, right = TRUE)
  more <- c(if (nrow(wide) > 7L) counted(nrow(wide) - 7L, "more ranker"),
            if (length(metrics) > 3L) counted(length(metrics) - 3L, "more metric"))
  if (length(more) > 0L) say("... ", paste(more, collapse = ", "))
  invisible(x)
}
