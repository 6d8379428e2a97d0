# The rankers of a benchmark as tasks for run_tasks(): one for each fold and ranker.

# `cuts` is NULL, or a data frame with a row for each training subset: its `fold`, its `name`, and
# `train`, the ids of the training queries in the subset.
benchmark_tasks <- function(rankers, folds, metrics, tune, patience, seed, cuts = NULL) {
  if (is.null(cuts)) {
    cuts <- list2DF(list(fold = folds, name = folds, train = vector("list", length(folds))))
  }
  # Tasks are sorted by fold, so that each fold is prepared once.
  at <- expand.grid(ranker = names(rankers), cut = seq_len(nrow(cuts)),
                    stringsAsFactors = FALSE)
  lapply(seq_len(nrow(at)), function(i) {
    name <- at$ranker[i]
    cut <- cuts[at$cut[i], ]
    task <- list(name = name, part = cut$fold, cut = cut$name, train = cut$train[[1L]],
                 ranker = rankers[[name]], metrics = metrics, grid = tune[[name]],
                 patience = patience)
    # The seed depends on the name, so the seed of a ranker does not depend on other rankers.
    task$seed <- derived_seed(seed, name, cut$name)
    task$key <- rlang::hash(identity_of(task))
    task
  })
}

# 1 and 1L give the same seed.
derived_seed <- function(seed, ...) {
  digits <- substr(rlang::hash(list(as.double(seed), ...)), 1L, 7L)
  strtoi(digits, 16L)
}

benchmark_runs <- function(tasks, folds, run, threads, verbose) {
  for (task in tasks) {
    known <- run$load(task)
    if (!is.null(known$error) || lacks_model(task, known)) run$forget(task)
  }
  signal <- progress_signal(length(tasks))
  work <- list(label = "Benchmark", data = folds$part, prepare = prepare_fold,
               perform = measure_ranker, steps = function(task) 1)
  results <- warning_once_of_ties(
    run_tasks(tasks, work, run, new_budget(Inf, Inf), threads, verbose, signal)
  )
  results[attr(results, "lost")] <- list(list(error = "Its worker died, twice."))
  as.list(results)
}

# Signals progressr, if it is installed, that a task is finished. The signal belongs to the function
# that the user called.
progress_signal <- function(steps) {
  if (!requireNamespace("progressr", quietly = TRUE)) {
    return(function() NULL)
  }
  progressr::progressor(steps, envir = rlang::caller_env(2L))
}

prepare_fold <- function(data, threads) data

# Trains and evaluates one ranker on one fold, or on a training subset of it. The result includes
# warnings and errors.
measure_ranker <- function(task, prepared, threads, progress) {
  warnings <- character()
  result <- tryCatch(
    withCallingHandlers(
      with_seed(task$seed, ranker_result(task, prepared, threads)),
      warning = function(w) {
        warnings <<- unique(c(warnings, sub("\n.*", "", conditionMessage(w))))
        tryInvokeRestart("muffleWarning")
      }
    ),
    error = function(e) list(error = whole_message(e))
  )
  result$warnings <- paste(warnings, collapse = "; ")
  result
}

# The first lines of an error and of its parents.
whole_message <- function(error) {
  lines <- character()
  while (!is.null(error)) {
    lines <- c(lines, sub("\n.*", "", conditionMessage(error)))
    error <- error$parent
  }
  paste(lines, collapse = " ")
}

ranker_result <- function(task, fold, threads) {
  if (!is.null(task$train)) {
    fold$train <- fold$train[task$train]
  }
  fitted <- NULL
  fit <- measured(fitted <- train_ranker(task, fold, threads))
  scores <- NULL
  predicted <- measured({
    scores <- check_scores(scores_of(fitted$ranker, fold$test, threads, NULL), fold$test)
  })
  table <- evaluate(scores, fold$test, task$metrics, threads = threads)
  list(table = table, scores = scores,
       digests = ranking_digests_of(scores, fold$test),
       model = if (isTRUE(task$keep_model)) kept_model(fitted$ranker),
       tuned = fitted$tuned, validation = fitted$validation,
       fit_seconds = fit$seconds, predict_seconds = predicted$seconds,
       memory_mb = max(fit$memory_mb, predicted$memory_mb),
       train_queries = length(fold$train$query_ids))
}

# `ranker` for evaluate(), the `tuned` values, and the validation metric.
train_ranker <- function(task, fold, threads) {
  ranker <- task$ranker
  kind <- ranker_kind(ranker)
  if (kind == "function" && length(formals(ranker)) != 1L) {
    return(list(ranker = ranker(fold$train, fold$valid)))
  }
  if (kind != "specification") {
    return(list(ranker = ranker))
  }
  if (is.null(task$grid)) {
    return(fit_spec(ranker, task, fold, threads))
  }
  if (is.null(fold$valid)) {
    stop_input("argument", "The fold has no validation part to tune on.")
  }
  best <- NULL
  for (values in grid_rows(task$grid)) {
    model <- fit_spec(with_settings(ranker, values), task, fold, threads)
    if (is.null(best) || model$validation > best$validation) {
      best <- model
      # The chosen setting of a path is left out here, because the model describes it itself.
      values <- values[!names(values) %in% if (!is.null(model$tuned)) entry_of(ranker)$path]
      best$tuned <- paste(c(show_values(values), model$tuned), collapse = ", ")
    }
  }
  best
}

fit_spec <- function(spec, task, fold, threads) {
  metric <- task$metrics[[1L]]
  stops <- !is.null(fold$valid) && has_trait(spec, "rounds")
  model <- fit(spec, fold$train, fold$valid, metric, seed = task$seed, threads = threads,
               patience = if (stops) task$patience, verbose = FALSE)
  check_chosen(model, NULL)
  validation <- if (!is.null(fold$valid)) {
    metric_means(metric, cbind(predict(model, fold$valid, threads = threads)), fold$valid,
                 threads)
  }
  list(ranker = model, tuned = if (!is.null(model$path)) format(model$spec),
       validation = validation)
}

# Elapsed seconds of `code`, and the rise of the process's memory up to its peak.
measured <- function(code) {
  # Garbage of earlier code would be freed by `code`, and would then hide a part of its rise.
  collect_vectors()
  known <- reset_peak_memory()
  before <- process_memory("VmRSS")
  started <- proc.time()[["elapsed"]]
  force(code)
  seconds <- proc.time()[["elapsed"]] - started
  list(seconds = seconds, memory_mb = if (known) max(0, process_memory("VmHWM") - before) else NA_real_)
}

# Megabytes of vectors after the last full collection; there was none at first.
vectors <- rlang::new_environment(list(megabytes = -Inf))

# Frees vectors without references, except for `spared` megabytes. A partial collection does not free vectors that
# survived an earlier collection. A full collection takes a tenth of a second or more. So it only runs if vectors
# were added since the last one.
collect_vectors <- function(spared = 4) {
  used <- gc(FALSE, full = FALSE)[2L, 2L]
  # R itself may have run a full collection since then.
  vectors$megabytes <- min(vectors$megabytes, used)
  if (used > vectors$megabytes + spared) vectors$megabytes <- gc(FALSE)[2L, 2L]
}

# Whether Linux restarted its count of the peak.
reset_peak_memory <- function() {
  file <- "/proc/self/clear_refs"
  done <- file.access(file, 2L) == 0L &&
    !inherits(try(cat("5", file = file), silent = TRUE), "try-error")
  # If the count was not reset, the peak may be from before `code` ran.
  done && isTRUE(process_memory("VmHWM") - process_memory("VmRSS") < 16)
}

# Megabytes as counted by the kernel; NA if the kernel does not count memory.
process_memory <- function(field) {
  file <- "/proc/self/status"
  if (!file.exists(file)) {
    return(NA_real_)
  }
  line <- grep(paste0("^", field, ":"), readLines(file), value = TRUE)
  as.numeric(sub("[^0-9]*([0-9]+).*", "\\1", line[1L])) / 1024
}
