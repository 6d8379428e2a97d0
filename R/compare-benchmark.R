#' Benchmark rankers on folds
#'
#' Trains every ranker on the training part of each fold, and evaluates it on the test part. The
#' validation part tunes settings and stops training early.
#'
#' @param rankers The rankers: a named list, or a single specification, which is named by its text. Each is
#'   * a specification such as `gbrt()`, which is fitted on the training part with the validation part;
#'   * a function with two or more arguments, called as `f(train, valid)`. It returns a ranker:
#'     anything that [evaluate()] accepts, such as a model or a function of the data;
#'   * a function with one argument, called with the test part. It returns scores;
#'   * a fitted model, which must not have been trained on the test parts.
#' @param folds The folds: a list of folds, a single fold, or folds made by [query_folds()]. A fold
#'   is a list of ranking data `train`, `valid` (optional) and `test`, as [read_folds()] returns.
#' @param metrics The metric, its text, or a list of metrics, as for [evaluate()]. Settings are tuned by
#' the first metric.
#' @param data The data of `folds` made by [query_folds()]; also [binned_data()].
#' @param tune The values to try, by ranker. For a ranker named `trees`, write `list(trees =
#'   list(learning_rate = c(0.05, 0.1), num_leaves = c(8, 31)))`. All combinations are fitted. With `TRUE`
#'   in place of the values of a ranker, the values of [tuning_grid()] are tried. `tune = TRUE` does this
#'   for all specifications that have a tuning grid. The combination with the best first metric on the
#'   validation part is used. Ties go to the first.
#' @param patience Number of rounds without a better validation metric after which training stops. The
#' default `NULL` trains all rounds. In both cases, the best number of rounds is used.
#' @param keep_scores Whether the scores on the test parts are kept. The default is `TRUE`, because
#'   [report()] needs them to compare conventions. The scores take 8 bytes per document and ranker.
#' @param directory The folder for the results of each ranker and fold. After an interruption, the same
#'   call resumes and returns the same table. Rankers that failed are tried again. Functions, such as
#'   rankers, metrics and objectives of yours, are compared by their code and by the values that they use
#'   from the functions around them. Objects of the global environment are not compared. If such an object
#'   has changed, delete the folder.
#' @param seed The random seed of the whole run. Each ranker and fold derives its own seed from it. By
#'   default R's generator draws one.
#' @param threads Number of threads. Results of rankmix do not depend on it.
#' @param verbose Whether to show progress and the time left; default `TRUE`. Progress is also signalled
#'   to the package progressr if it is installed.
#' @param repeats Number of trainings of each ranker in each fold, each with its own seed; default 1. The first training
#'   does not depend on `repeats`. With 2 or more, `compare_rankers()` compares means over trainings, and
#'   [variance_parts()] shows how much the seed contributes. Five trainings are a good start; two give a very rough
#'   estimate. The time grows in proportion to `repeats`.
#' @param keep_models Whether the models of the first training of each fold are kept. The default is `FALSE`, because
#'   models take memory, see Details. With `TRUE`, the explorer of [report()] can show which features explain a rank.
#' @param ... Must be empty.
#'
#' @return A value of class `rankmix_benchmark` with
#'   * `results`: a row for each fold, ranker, query and metric, as from [evaluate()];
#'   * `runs`: a row for each fold and ranker. `status` is `"done"` or `"failed"`. `error` and
#'     `warnings` are texts. `tuned` has the chosen values, and `validation` their validation
#'     metric. `fit_seconds` and `predict_seconds` are elapsed times. `memory_mb` is
#'     the rise of the process's memory to its peak, in megabytes, on Linux only (else `NA`).
#'     `train_queries` counts training queries;
#'   * `models`, if `keep_models = TRUE`: a list of folds. Each fold is a list of models by ranker;
#'   * further elements, with the data, seeds and session that the report shows.
#'
#'   With `repeats` above 1, `results`, `runs` and `tidy()` have a column `training`.
#'
#'   `summary()` has a row for each ranker and metric: the mean over all test queries, standard error,
#'   interval, and numbers of queries and folds. `tidy()` has a row for each fold, ranker and metric.
#'   A query counts once, with its mean over trainings.
#'   See [compare_rankers()] for tests, [report()] for a page, and [autoplot.rankmix_benchmark()].
#' @examples
#' data <- read_letor(system.file("extdata", "train.txt.gz", package = "rankmix"))
#' folds <- query_folds(data, 3, seed = 1)
#' result <- benchmark_rankers(
#'   list(feature = best_feature(), first = function(data) data$x[, 1]),
#'   folds, metric_ndcg(10), data = data, seed = 1
#' )
#' result
#' compare_rankers(result)
#'
#' @details The scale of some metrics depends on the highest grade, such as [metric_err()]. These
#'   metrics use the highest grade of all parts, so all folds have one scale.
#'
#'   With a plan of the package future or daemons of mirai, workers train in parallel, and the times in `runs` are
#'   longer. If a ranker fails in a fold, its row of `runs` has the error, and the others continue.
#'
#'   With `repeats` above 1, all trainings of a ranker in a fold must succeed for its mean. `print()` names
#'   rankers with the same rankings in all trainings. The seed of these rankers has no effect.
#'
#'   Only models of rankmix are kept: models from specifications, models that a function returns, and fitted models.
#'   With default settings on MQ2008 (470 training queries), a model of `gbrt()` takes 0.8 MB, and a model of
#'   [network_ranker()] 4 MB. A `directory` stores kept models, too. If a stored result lacks the model, the ranker is
#'   trained again, with the same result.
#'
#' @section Conditions:
#' * `rankmix_error_argument`: rankers without names, with equal names, or of another kind; invalid
#'   folds; a grid for an unknown ranker or argument.
#' * `rankmix_error_run`: the directory contains another run, or another process uses it now.
#' * `rankmix_error_validation`: the validation part is needed for a choice, and fewer than two of its
#'   queries (of weight above 0) have documents of different grades.
#' * `rankmix_error_unjudged`: data without grades.
#' * `rankmix_warning_failed`: some rankers failed.
#' @export
benchmark_rankers <- function(rankers, folds, metrics = metric_ndcg(10), data = NULL, tune = list(),
                              patience = NULL, keep_scores = TRUE, directory = NULL,
                              seed = NULL, threads = NULL, verbose = TRUE, repeats = 1, keep_models = FALSE, ...) {
  check_no_others(...)
  check_all_given()
  threads <- check_threads(threads)
  check_flag(verbose, "verbose")
  check_flag(keep_scores, "keep_scores")
  check_flag(keep_models, "keep_models")
  check_count(repeats, "repeats", max = 1000)
  metrics <- check_metrics(metrics, NULL)
  if (!is.null(patience)) {
    check_count(patience, "patience")
  }
  rankers <- as_ranker_list(rankers)
  check_rankers(rankers)
  tune <- check_tuning(rankers, tune)
  folds <- fold_source(folds, data)
  check_validation_parts(folds, rankers, tune)
  metrics <- settle_metrics(metrics, folds$highest)
  run <- open_run(directory, "benchmark_rankers()", list(folds = folds$identity), seed,
                  verbose = isTRUE(verbose))
  on.exit(run$close())
  cuts <- training_cuts(names(folds$identity), repeats)
  tasks <- benchmark_tasks(rankers, NULL, metrics, tune, patience, run$seed, cuts)
  if (keep_models) tasks <- keep_task_models(tasks)
  results <- benchmark_runs(tasks, folds, run, threads, verbose)
  ids <- lapply(tasks, task_columns, cuts)
  models <- if (keep_models) fold_models(tasks, results)
  new_benchmark(rankers, ids, results, metrics, folds, tune, keep_scores, models, run$seed)
}

# A single specification becomes a list of length one, named by the text of the specification.
as_ranker_list <- function(rankers) {
  if (is.object(rankers) && ranker_kind(rankers) == "specification") {
    return(stats::setNames(list(rankers), format(rankers)))
  }
  rankers
}

check_rankers <- function(rankers, call = rlang::caller_env()) {
  for (name in names(rankers)) check_no_ranker_function(rankers[[name]], name, call)
  if (!is.list(rankers) || is.object(rankers)) {
    stop_input("argument",
               sprintf("`rankers` must be a named list, not %s.", show_value(rankers)),
               remedy = "For example `list(trees = gbrt(), feature = best_feature())`.",
               call = call)
  }
  ranker_names(rankers, call, "For example `list(trees = gbrt(), feature = best_feature())`.")
  for (name in names(rankers)) {
    if (ranker_kind(rankers[[name]]) == "none") {
      stop_input("argument",
                 sprintf("The ranker `%s` is %s.", name, show_value(rankers[[name]])),
                 remedy = "Give a specification, a fitted model, or a function.", call = call)
    }
  }
}

# An error for `lambdamart` without parentheses: a constructor cannot rank documents.
check_no_ranker_function <- function(ranker, name, call) {
  made <- if (is.function(ranker)) uncalled_ranker(ranker)
  if (!is.null(made)) {
    stop_input("argument", sprintf("The ranker `%s` is the function `%s`.", name, made),
               remedy = sprintf("Call it: `%s()`.", made), call = call)
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

# `ids` has the fold, the ranker and, if there are several, the training of each task.
new_benchmark <- function(rankers, ids, results, metrics, folds, tune, keep_scores, models, seed) {
  failed <- vapply(results, function(result) !is.null(result$error), NA)
  table <- do.call(rbind, lapply(which(!failed), function(i) {
    cbind(as.data.frame(ids[[i]]), as.data.frame(results[[i]]$table))
  }))
  runs <- do.call(rbind, lapply(seq_along(ids), function(i) {
    cbind(as.data.frame(ids[[i]]), run_row(results[[i]]))
  }))
  object <- structure(
    list(
      results = if (is.null(table)) empty_results() else table,
      runs = runs, metrics = metrics, rankers = vapply(rankers, describe_ranker, ""),
      tune = tune, seed = seed,
      data = describe_folds(folds),
      digests = task_values(ids, results, "digests"),
      scores = if (keep_scores) task_values(ids, results, "scores"),
      models = models,
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

# values[[fold]][[ranker]] from the results of the tasks. Several trainings are the columns of a matrix.
task_values <- function(ids, results, name) {
  by_fold <- split(seq_along(ids), factor_in_order(vapply(ids, `[[`, "", "fold")))
  lapply(by_fold, function(tasks) {
    by_ranker <- split(tasks, factor_in_order(vapply(ids[tasks], `[[`, "", "ranker")))
    values <- lapply(by_ranker, function(own) {
      each <- lapply(results[own], `[[`, name)
      if (is.null(ids[[1L]]$training)) each[[1L]] else bind_trainings(each)
    })
    # Tasks that failed have no values.
    Filter(Negate(is.null), values)
  })
}

factor_in_order <- function(x) factor(x, unique(x))

describe_ranker <- function(ranker) {
  switch(ranker_kind(ranker),
         specification = format(ranker),
         model = sprintf("a model of class %s", class(ranker)[1L]),
         "a function")
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

# The evaluation for compare_rankers(), of the rankers that finished every fold.
benchmark_evaluation <- function(object, metric, call) {
  failed <- failed_rankers(object)
  check_enough_succeeded(object, failed, call)
  counted <- function(table) {
    table <- table[!table$ranker %in% failed$ranker, ]
    if (length(folds) == 1L) table$fold <- NULL
    chosen_metrics(table, metric, call)
  }
  folds <- names(object$digests)
  identical <- function(a, b) {
    unlist(lapply(unname(folds), function(fold) {
      same <- object$digests[[fold]][[a]] == object$digests[[fold]][[b]]
      # With several trainings: the fraction of trainings in which both rankings of the query are identical.
      stats::setNames(if (is.matrix(same)) rowMeans(same) else same, query_keys(if (length(folds) > 1L) fold,
                                       object$data[[fold]]$test$query_ids))
    }))
  }
  list(table = counted(mean_over_trainings(object)),
       trainings = if (benchmark_repeats(object) > 1L) counted(object$results),
       identical = identical, shown = attr(object$metrics, "shown"), grades = benchmark_grades(object),
       failed = failed)
}

# A digest of the grades of each query of a fold, by key: shows whether two folds test the same query.
benchmark_grades <- function(object) {
  unlist(lapply(unname(names(object$data)), function(fold) {
    test <- object$data[[fold]]$test
    rows <- split(seq_along(test$relevance), factor(test$query, seq_along(test$query_ids)))
    digests <- vapply(rows, function(own) {
      order <- own[order(if (is.null(test$document)) test$relevance[own] else test$document[own])]
      rlang::hash(list(test$document[order], as.integer(test$relevance[order])))
    }, "")
    stats::setNames(digests, query_keys(fold, test$query_ids))
  }))
}

#' @export
summary.rankmix_benchmark <- function(object, level = 0.95, ...) {
  check_no_others(...)
  check_confidence(level)
  # If the folds are not from a cross-validation, a query may be in several test folds. Such a query counts once.
  averaged <- average_repeats(mean_over_trainings(object), benchmark_grades(object))
  table <- averaged$table
  # The fold distinguishes queries with the same id.
  if (is.null(averaged$repeats)) table$query <- query_keys(table$fold, table$query)
  table$fold <- NULL
  rows <- summary(structure(table, class = c("rankmix_evaluation", "data.frame")), level)
  done <- object$runs[!run_keys(object$runs) %in% failed_runs(object), ]
  done <- unique(done[c("fold", "ranker")])
  rows$folds <- as.vector(table(factor(done$ranker, unique(rows$ranker)))[rows$ranker])
  rows
}

#' @export
tidy.rankmix_benchmark <- function(x, ...) {
  trainings <- if (is.null(x$results$training)) list(x$results) else split_by(x$results, "training")
  table <- do.call(rbind, lapply(unname(trainings), function(rows) {
    folds <- lapply(split_by(rows, "fold"), fold_means)
    table <- bind_named(folds, "fold")
    table$training <- rows$training[seq_len(nrow(table))]
    table
  }))
  if (nrow(table) == 0L) {
    return(table)
  }
  key <- function(rows) paste(run_keys(rows), rows$training, sep = "\r")
  at <- match(key(table), key(x$runs))
  cbind(table, x$runs[at, setdiff(names(x$runs),
                               c("fold", "ranker", "training", "status", "error", "warnings"))],
        row.names = NULL)
}

fold_means <- function(rows) {
  rows$fold <- NULL
  rows$training <- NULL
  summary(structure(rows, class = c("rankmix_evaluation", "data.frame")))
}

#' @export
print.rankmix_benchmark <- function(x, ...) {
  folds <- length(x$data)
  failed <- sum(x$runs$status == "failed")
  repeats <- benchmark_repeats(x)
  say(sprintf("<rankmix_benchmark> %s, %s%s, seed %s%s", counted(length(x$rankers), "ranker"),
              counted(folds, "fold"),
              if (repeats > 1L) sprintf(", %d trainings in each", repeats) else "",
              plain_number(x$seed),
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
  with_points(print(utils::head(wide, 7L), quote = FALSE, right = TRUE))
  more <- c(if (nrow(wide) > 7L) counted(nrow(wide) - 7L, "more ranker"),
            if (length(metrics) > 3L) counted(length(metrics) - 3L, "more metric"))
  if (length(more) > 0L) say("... ", paste(more, collapse = ", "))
  say_trainings(x)
  invisible(x)
}
