# The rankers of a benchmark as tasks for run_tasks(): one for each fold and ranker.

benchmark_tasks <- function(rankers, parts, metrics, tune, patience, seed) {
  # Fold after fold, so that each is prepared once.
  at <- expand.grid(ranker = names(rankers), part = parts, stringsAsFactors = FALSE)
  lapply(seq_len(nrow(at)), function(i) {
    name <- at$ranker[i]
    task <- list(name = name, part = at$part[i], ranker = rankers[[name]], metrics = metrics,
                 grid = tune[[name]], patience = patience)
    # By name, so that no ranker depends on which others there are.
    task$seed <- derived_seed(seed, name, at$part[i])
    task$key <- rlang::hash(c(task[names(task) != "ranker"],
                              list(ranker = ranker_identity(task$ranker))))
    task
  })
}

derived_seed <- function(...) {
  digits <- substr(rlang::hash(list(...)), 1L, 7L)
  strtoi(digits, 16L)
}

# A function is known by its text: its environment is not the same in another process.
ranker_identity <- function(ranker) {
  if (is.function(ranker)) deparse(ranker, control = "keepInteger") else unclass(ranker)
}

benchmark_runs <- function(tasks, folds, run, threads, verbose) {
  for (task in tasks) {
    if (!is.null(run$load(task)$error)) run$forget(task)
  }
  signal <- progress_signal(length(tasks))
  work <- list(label = "Benchmark", data = folds$part, prepare = prepare_fold,
               perform = measure_ranker, steps = function(task) 1)
  results <- run_tasks(tasks, work, run, new_budget(Inf, Inf), threads, verbose, signal)
  results[attr(results, "lost")] <- list(list(error = "Its worker died, twice."))
  as.list(results)
}

# Tells progressr, where it is, of a finished task. The signal belongs to the function that
# the user called.
progress_signal <- function(steps) {
  if (!requireNamespace("progressr", quietly = TRUE)) {
    return(function() NULL)
  }
  progressr::progressor(steps, envir = rlang::caller_env(2L))
}

prepare_fold <- function(data, threads) data

# One ranker on one fold. What it warns of and how it fails is part of its result.
measure_ranker <- function(task, shop, threads, progress) {
  warnings <- character()
  result <- tryCatch(
    withCallingHandlers(
      with_seed(task$seed, ranker_result(task, shop, threads)),
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

# The first lines of an error and of those it comes from.
whole_message <- function(error) {
  lines <- character()
  while (!is.null(error)) {
    lines <- c(lines, sub("\n.*", "", conditionMessage(error)))
    error <- error$parent
  }
  paste(lines, collapse = " ")
}

ranker_result <- function(task, fold, threads) {
  fitted <- NULL
  fit <- measured(fitted <- train_ranker(task, fold, threads))
  scores <- NULL
  predicted <- measured({
    scores <- check_scores(scores_of(fitted$ranker, fold$test, threads, NULL), fold$test)
  })
  table <- evaluate(scores, fold$test, task$metrics, threads = threads)
  list(table = table, scores = scores,
       digests = ranking_digests_of(scores, fold$test),
       tuned = fitted$tuned, validation = fitted$validation,
       fit_seconds = fit$seconds, predict_seconds = predicted$seconds,
       memory_mb = max(fit$memory_mb, predicted$memory_mb),
       train_queries = length(fold$train$query_ids))
}

# `ranker`, which evaluate() takes; what was `tuned`, and its metric on the validation part.
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
    return(fit_ranker(ranker, task, fold, threads))
  }
  if (is.null(fold$valid)) {
    stop_input("argument", "The fold has no validation part to tune on.")
  }
  best <- NULL
  for (values in grid_rows(task$grid)) {
    model <- fit_ranker(with_values(ranker, values), task, fold, threads)
    if (is.null(best) || model$validation > best$validation) {
      best <- model
      best$tuned <- paste(c(show_values(values), model$tuned), collapse = ", ")
    }
  }
  best
}

fit_ranker <- function(spec, task, fold, threads) {
  metric <- task$metrics[[1L]]
  options <- list(validation = fold$valid, metric = metric, seed = task$seed,
                  threads = threads, verbose = FALSE,
                  patience = if (!is.null(fold$valid)) task$patience)
  taken <- names(formals(fit_method(spec)))
  model <- do.call(fit, c(list(spec, fold$train), options[intersect(names(options), taken)]))
  tuned <- NULL
  # A path of classifiers, of which validation chooses one.
  if (inherits(model, "rankmix_path")) {
    values <- vapply(model, function(one) if (is.null(one$value)) NA_real_ else one$value, 0)
    if (anyNA(values)) {
      stop_input("argument", "A path of classifiers needs a validation part to choose from.")
    }
    model <- model[[which.max(values)]]
    tuned <- format(model$spec)
  }
  validation <- if (!is.null(fold$valid)) {
    metric_means(metric, cbind(predict(model, fold$valid, threads = threads)), fold$valid,
                 threads)
  }
  list(ranker = model, tuned = tuned, validation = validation)
}

fit_method <- function(spec) {
  for (class in class(spec)) {
    method <- utils::getS3method("fit", class, optional = TRUE)
    if (!is.null(method)) return(method)
  }
}

# Elapsed seconds of `code`, and by how much the process grew at its peak.
measured <- function(code) {
  gc(FALSE)
  reset_peak_memory()
  before <- process_memory("VmRSS")
  started <- proc.time()[["elapsed"]]
  force(code)
  seconds <- proc.time()[["elapsed"]] - started
  list(seconds = seconds, memory_mb = max(0, process_memory("VmHWM") - before))
}

# Linux counts the peak anew from here.
reset_peak_memory <- function() {
  file <- "/proc/self/clear_refs"
  if (file.access(file, 2L) == 0L) {
    try(cat("5", file = file), silent = TRUE)
  }
}

# Megabytes by the kernel's count; NA where it tells none.
process_memory <- function(field) {
  file <- "/proc/self/status"
  if (!file.exists(file)) {
    return(NA_real_)
  }
  line <- grep(paste0("^", field, ":"), readLines(file), value = TRUE)
  as.numeric(sub("[^0-9]*([0-9]+).*", "\\1", line[1L])) / 1024
}
