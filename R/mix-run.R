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

# The data with the features of a schema, in their order.
with_schema <- function(data, schema, threads, call = rlang::caller_env()) {
  x <- match_features(data, schema, threads, call)
  new_ranking_data(x, data$relevance, data$query, data$query_ids, data$document,
                   data$weight, schema[names(schema_of(data))], threads, call)
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
    if (task$features != "original") {
      # What new data must have for the set to be made of them.
      model$source <- schema_of(workshop$data("original"))
    }
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
  models <- lapply(tasks, run$load)
  for (i in which(lengths(models) == 0L)) {
    if (!budget$allows(sum(lengths(models) > 0L))) {
      break
    }
    report <- bar$after(sum(sizes[seq_len(i - 1L)]))
    models[[i]] <- train_task(tasks[[i]], workshop, threads, report)
    run$save(tasks[[i]], models[[i]])
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
    run <- open_run(folder, NULL, NULL, 0)
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
    # What died was within the budget.
    done <- train_on_workers(tasks[missing], run, own, sum(lengths(models) > 0L),
                             if (attempt == 1L) budget else new_budget(Inf, Inf),
                             function(finished) {
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
train_on_workers <- function(tasks, run, threads, trained, budget, progress) {
  state <- rep("skipped", length(tasks))
  futures <- vector("list", length(tasks))
  collect <- function(i) {
    found <- tryCatch(future::value(futures[[i]]), FutureError = function(e) "died",
                      FutureInterruptError = function(e) "died")
    futures[i] <<- list(NULL)
    if (inherits(found, "error")) {
      stop(found)
    }
    state[i] <<- if (identical(found, "trained") && wait_for(task_file(run$folder, tasks[[i]]))) {
      "done"
    } else {
      "died"
    }
    progress(sum(state != "skipped"))
  }
  for (i in seq_along(tasks)) {
    while (sum(lengths(futures) > 0L) >= future::nbrOfWorkers()) {
      running <- which(lengths(futures) > 0L)
      ready <- running[vapply(futures[running], is_over, logical(1))]
      for (j in ready) collect(j)
      if (length(ready) == 0L) Sys.sleep(0.02)
    }
    if (!budget$allows(trained + sum(state != "skipped") + sum(lengths(futures) > 0L))) {
      break
    }
    # A dead worker is noticed when it is given work, too.
    futures[i] <- list(tryCatch(launch_task(tasks[[i]], run, threads),
                                FutureError = function(e) NULL))
    if (is.null(futures[[i]])) state[i] <- "died"
  }
  for (i in which(lengths(futures) > 0L)) collect(i)
  state
}

# File systems of clusters may show a file late.
wait_for <- function(file, seconds = 10) {
  until <- proc.time()[["elapsed"]] + seconds
  while (!file.exists(file) && proc.time()[["elapsed"]] < until) {
    Sys.sleep(0.1)
  }
  file.exists(file)
}

is_over <- function(future) {
  tryCatch(future::resolved(future), error = function(e) TRUE)
}

launch_task <- function(task, run, threads) {
  worker <- work_on_task
  job <- list(task = task, folder = run$folder, data = run$data, threads = threads)
  future::future(do.call(worker, job), seed = NULL, packages = "rankmix",
                 globals = list(worker = worker, job = job))
}

# On a worker. The data of a run are read by the first task there.
work_on_task <- function(task, folder, data, threads) {
  tryCatch({
    if (!identical(worker_memory$data, data)) {
      worker_memory$workshop <- new_workshop(readRDS(data), threads)
      worker_memory$data <- data
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
# for each task; or without a folder nothing. `validation` is data, or the share of the
# queries that train. `seed` NULL takes that of the earlier run.
open_run <- function(folder, train, validation, seed, call = rlang::caller_env()) {
  if (is.null(folder)) {
    return(list(folder = NULL, seed = check_seed(seed, call), load = function(task) NULL,
                save = function(task, models) NULL))
  }
  check_path(folder, call, "directory")
  folder <- path.expand(folder)
  dir.create(folder, showWarnings = FALSE, recursive = TRUE)
  if (!dir.exists(folder)) {
    stop_input("file", sprintf("'%s' cannot be made.", folder),
               remedy = "Give the path of a folder that may be made, or is there.",
               call = call)
  }
  folder <- normalizePath(folder)
  if (!is.null(seed)) {
    seed <- check_seed(seed, call)
  }
  manifest <- list(what = "rankmix run", version = run_version,
                   rankmix = as.character(utils::packageVersion("rankmix")),
                   train = rlang::hash(unclass(train)),
                   validation = rlang::hash(unclass(validation)))
  file <- file.path(folder, "run.rds")
  if (file.exists(file)) {
    manifest <- check_manifest(file, manifest, seed, call)
  } else {
    manifest$seed <- check_seed(seed, call)
    save_beside(manifest, file, call)
  }
  # Workers that outlive a folder must not take its data for those of the next one.
  data <- file.path(folder, paste0("data-", rlang::hash(manifest), ".rds"))
  list(
    folder = folder, seed = manifest$seed, data = data,
    # What cannot be read is trained again.
    load = function(task) {
      file <- task_file(folder, task)
      if (file.exists(file)) {
        tryCatch(readRDS(file), error = function(e) NULL, warning = function(w) NULL)
      }
    },
    # A disk that is full must not cost the run.
    save = function(task, models) {
      tryCatch(save_task(folder, task, models), rankmix_error_file = function(e) {
        warn_input("run", sprintf("'%s' could not be written to.", folder),
                   conditionMessage(e), "The run goes on; what is lacking is trained again next time.")
      })
    },
    share = function(train) if (!file.exists(data)) save_beside(train, data, call)
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
  if (!identical(saved[c("version", "rankmix")], manifest[c("version", "rankmix")])) {
    refuse("holds a run of another version of rankmix",
           sprintf("That was %s (format %s), this is %s (format %d).", format(saved$rankmix),
                   format(saved$version), manifest$rankmix, manifest$version))
  }
  if (!identical(saved[c("train", "validation")], manifest[c("train", "validation")])) {
    refuse("holds a run on other data, or with another `share` of them")
  }
  if (!is.null(seed) && seed != saved$seed) {
    refuse("holds a run with another seed",
           sprintf("It has %s, this one has %s.", plain_number(saved$seed),
                   plain_number(seed)))
  }
  saved
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
