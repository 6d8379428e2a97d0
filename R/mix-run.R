# Training the grid of models of tune_and_mix(): here, or on workers of the future package,
# with a run directory from which a run that was killed goes on.
#
# A task is a specification with its seed and the set of features it is trained on. It gives
# one classifier or several. Its key names its file in the run directory.

feature_sets <- c("original", "standardized", "whitened")

# The features of a set: the original ones, with those of the set behind them.
feature_set <- function(data, set, threads) {
  switch(set,
         original = data,
         standardized = standardize_queries(data, add = TRUE, threads = threads),
         whitened = whiten_queries(data, add = TRUE, threads = threads))
}

grid_tasks <- function(classifiers, groupings, features, seed) {
  grid <- expand.grid(classifier = seq_along(classifiers), grouping = seq_along(groupings),
                      features = features, stringsAsFactors = FALSE)
  seeds <- classifier_seeds(seed, nrow(grid))
  lapply(seq_len(nrow(grid)), function(i) {
    spec <- classifiers[[grid$classifier[i]]]
    grouping <- groupings[[grid$grouping[i]]]
    if (!is.null(grouping)) {
      spec$grouping <- grouping
    }
    task <- list(spec = spec, features = grid$features[i], seed = seeds[i])
    c(task, list(key = rlang::hash(task)))
  })
}

task_label <- function(spec, features) {
  if (features == "original") format(spec) else paste(format(spec), "on", features)
}

# What tasks are trained on: the data of each set of features, and their bins, made once.
new_workshop <- function(train, threads) {
  sets <- list(original = train)
  bins <- list()
  list(
    data = function(set) {
      if (is.null(sets[[set]])) sets[[set]] <<- feature_set(train, set, threads)
      sets[[set]]
    },
    bins_for = function(set) {
      function(count) {
        key <- paste(set, count)
        if (is.null(bins[[key]])) {
          if (is.null(sets[[set]])) sets[[set]] <<- feature_set(train, set, threads)
          bins[[key]] <<- bin_features(sets[[set]]$x, as.integer(count), threads)
        }
        bins[[key]]
      }
    },
    # Tasks come set after set: only one is kept beside the original.
    forget_but = function(set) {
      old <- setdiff(names(sets), c("original", set))
      sets[old] <<- NULL
      bins <<- bins[startsWith(as.character(names(bins)), paste0(set, " "))]
    }
  )
}

train_task <- function(task, workshop, threads, progress) {
  workshop$forget_but(task$features)
  data <- workshop$data(task$features)
  models <- train_classifiers(task$spec, data, workshop$bins_for(task$features),
                              max(data$relevance) + 1L, task$seed, threads, progress)
  lapply(models, function(model) {
    model$best_rounds <- rounds_used(model)
    model$feature_set <- task$features
    model
  })
}

# The models of all tasks, a list for each; NULL for those that were not trained: beyond
# the budget, or on workers that died.
run_tasks <- function(tasks, train, run, budget, threads, verbose) {
  if (uses_workers()) {
    return(run_on_workers(tasks, train, run, budget, threads, verbose))
  }
  sizes <- vapply(tasks, function(task) training_steps(task$spec), numeric(1))
  bar <- progress_bar("Training", sum(sizes), verbose)
  on.exit(bar$close())
  workshop <- new_workshop(train, threads)
  models <- vector("list", length(tasks))
  for (i in seq_along(tasks)) {
    trained <- run$load(tasks[[i]])
    if (is.null(trained) && budget$allows(sum(lengths(models) > 0L))) {
      report <- bar$after(sum(sizes[seq_len(i - 1L)]))
      trained <- train_task(tasks[[i]], workshop, threads, report)
      run$save(tasks[[i]], trained)
    }
    models[i] <- list(trained)
  }
  models
}

# A number of models, and seconds from now on; the first model is always trained.
new_budget <- function(max_models, max_seconds) {
  started <- proc.time()[["elapsed"]]
  list(allows = function(trained) {
    trained == 0L || (trained < max_models &&
                        proc.time()[["elapsed"]] - started < max_seconds)
  })
}

# Workers of the future package ----------------------------------------------------------

uses_workers <- function() {
  requireNamespace("future", quietly = TRUE) &&
    !inherits(future::plan(), "sequential")
}

# Data go to a file that each worker reads once; models come back as files. A model whose
# worker died is trained once more.
run_on_workers <- function(tasks, train, run, budget, threads, verbose) {
  if (is.null(run$folder)) {
    folder <- tempfile("rankmix-run")
    on.exit(unlink(folder, recursive = TRUE))
    run <- open_run(folder, train, NULL, NULL)
  }
  bar <- progress_bar("Training", length(tasks), verbose)
  on.exit(bar$close(), add = TRUE)
  models <- lapply(tasks, run$load)
  own <- max(1L, threads %/% max(1, min(future::nbrOfWorkers(), length(tasks))))
  missing <- which(lengths(models) == 0L)
  if (length(missing) > 0L) {
    run$share(train)
  }
  for (attempt in 1:2) {
    done <- train_on_workers(tasks[missing], run$folder, own,
                             sum(lengths(models) > 0L), budget, function(finished) {
      if (!is.null(bar$report)) bar$report(length(tasks) - length(missing) + finished, NULL)
    })
    models[missing] <- lapply(tasks[missing], run$load)
    missing <- missing[done == "died"]
    if (length(missing) == 0L) {
      return(models)
    }
  }
  labels <- vapply(tasks[missing], function(task) task_label(task$spec, task$features), "")
  warn_input("worker", sprintf("%d of %d trainings were lost twice with their workers.",
                               length(missing), length(tasks)),
             sprintf("%s is not in the mixture.", labels),
             "Is there enough memory for so many workers? Start again with a `directory`.")
  models
}

# "done", "died" or, beyond the budget, "skipped", for each task. Errors of the training are
# raised here.
train_on_workers <- function(tasks, folder, threads, trained, budget, progress) {
  state <- rep("skipped", length(tasks))
  futures <- vector("list", length(tasks))
  collect <- function(i) {
    found <- tryCatch(future::value(futures[[i]]), FutureError = function(e) "died",
                      FutureInterruptError = function(e) "died")
    futures[i] <<- list(NULL)
    if (inherits(found, "error")) {
      stop(found)
    }
    state[i] <<- if (identical(found, "died")) "died" else "done"
    progress(sum(state != "skipped"))
  }
  for (i in seq_along(tasks)) {
    while (sum(lengths(futures) > 0L) >= future::nbrOfWorkers()) {
      running <- which(lengths(futures) > 0L)
      ready <- running[vapply(futures[running], is_over, logical(1))]
      for (j in ready) collect(j)
      if (length(ready) == 0L) Sys.sleep(0.02)
    }
    if (!budget$allows(trained + sum(state == "done") + sum(lengths(futures) > 0L))) {
      break
    }
    futures[[i]] <- launch_task(tasks[[i]], folder, threads)
  }
  for (i in which(lengths(futures) > 0L)) collect(i)
  state
}

is_over <- function(future) {
  tryCatch(future::resolved(future), error = function(e) TRUE)
}

launch_task <- function(task, folder, threads) {
  force(task)
  run <- list(task = task, folder = folder, threads = threads)
  # A dead worker is noticed when it is given work, too.
  tryCatch(
    future::future(do.call(worker, run), seed = NULL, packages = "rankmix",
                   globals = list(worker = work_on_task, run = run)),
    FutureError = function(e) structure(list(), class = "rankmix_lost")
  )
}

# On a worker. The data of a run are read by the first task there.
work_on_task <- function(task, folder, threads) {
  tryCatch({
    if (!identical(worker_memory$folder, folder)) {
      worker_memory$workshop <- new_workshop(readRDS(file.path(folder, "data.rds")), threads)
      worker_memory$folder <- folder
    }
    models <- train_task(task, worker_memory$workshop, threads, NULL)
    save_task(folder, task, models)
    "trained"
  }, error = function(e) e)
}

worker_memory <- new.env(parent = emptyenv())

# Run directories --------------------------------------------------------------------------

run_version <- 1L

# A folder, made if it is not there, that holds what it is a run of, and a file of models
# for each task; or without a folder nothing. `seed` NULL takes that of the earlier run.
open_run <- function(folder, train, validation, seed, call = rlang::caller_env()) {
  if (is.null(folder)) {
    return(list(folder = NULL, seed = check_seed(seed, call), load = function(task) NULL,
                save = function(task, models) NULL))
  }
  check_path(folder, call)
  folder <- path.expand(folder)
  dir.create(folder, showWarnings = FALSE, recursive = TRUE)
  if (!dir.exists(folder)) {
    stop_input("file", sprintf("'%s' cannot be made.", folder),
               remedy = "Give the path of a folder that may be made, or is there.",
               call = call)
  }
  folder <- normalizePath(folder)
  manifest <- list(what = "rankmix run", version = run_version,
                   train = data_hash(train), validation = data_hash(validation))
  file <- file.path(folder, "run.rds")
  if (file.exists(file)) {
    manifest <- check_manifest(file, manifest, seed, call)
  } else {
    manifest$seed <- check_seed(seed, call)
    save_beside(manifest, file, call)
  }
  list(
    folder = folder, seed = manifest$seed,
    load = function(task) {
      file <- task_file(folder, task)
      if (file.exists(file)) readRDS(file)
    },
    save = function(task, models) save_task(folder, task, models),
    share = function(train) {
      file <- file.path(folder, "data.rds")
      if (!file.exists(file)) save_beside(train, file, call)
    }
  )
}

check_manifest <- function(file, manifest, seed, call) {
  refuse <- function(problem, details = NULL) {
    stop_input("run", sprintf("'%s' %s.", dirname(file), problem), details,
               "Delete it, or give another folder.", call = call)
  }
  saved <- tryCatch(readRDS(file), error = function(e) NULL, warning = function(w) NULL)
  if (!is.list(saved) || !identical(saved$what, manifest$what)) {
    refuse("holds no run of `tune_and_mix()`")
  }
  if (!identical(saved$version, manifest$version)) {
    refuse("holds a run of another version of rankmix",
           sprintf("It has version %s, this rankmix writes %s.", format(saved$version),
                   manifest$version))
  }
  if (!identical(saved[c("train", "validation")], manifest[c("train", "validation")])) {
    refuse("holds a run on other data")
  }
  if (!is.null(seed) && seed != saved$seed) {
    refuse("holds a run with another seed",
           sprintf("It has %s, this one has %s.", plain_number(saved$seed),
                   plain_number(seed)))
  }
  saved
}

data_hash <- function(data) {
  if (!is.null(data)) rlang::hash(unclass(data))
}

task_file <- function(folder, task) {
  file.path(folder, paste0("models-", task$key, ".rds"))
}

save_task <- function(folder, task, models) {
  save_beside(models, task_file(folder, task))
}

save_beside <- function(value, file, call = rlang::caller_env()) {
  write_beside(file, function(partial) write_bytes(serialize(value, NULL), partial), call)
}
