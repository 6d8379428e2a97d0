# Run directories: a folder with a description of the run, and a file with the result of each task.
# So a run that was killed can be resumed.

run_version <- 4L

# Descriptions of runs for messages, by the name that is stored in the folder.
run_names <- c("tune_and_mix()" = "a mixture", "benchmark_rankers()" = "`benchmark_rankers()`",
               "learning_curve()" = "`learning_curve()`", "tune_ranker()" = "`tune_ranker()`")

# Descriptions of the difference to a run with other contents, for messages.
manifest_words <- c("tune_and_mix()" = "on other data, or with another `fraction` of them",
                    "benchmark_rankers()" = "on other folds",
                    "learning_curve()" = "on other data", "tune_ranker()" = "on other data")

# Opens a folder, and creates it if necessary. Without a folder nothing is stored. `contents` is a
# named list of the data or folds of the run; a folder with other contents is an error. If `seed` is
# NULL, a resumed run uses its earlier seed, and a new run uses `drawn`. `name` is the name of the
# argument with the folder. The caller must close the run, see run-lock.R.
open_run <- function(folder, what, contents, seed, drawn = check_seed(seed, call),
                     name = "directory", verbose = FALSE, call = rlang::caller_env()) {
  if (is.null(folder)) {
    return(list(folder = NULL, seed = drawn, load = function(task) NULL,
                save = function(task, result) NULL, forget = function(task) NULL,
                close = function() NULL))
  }
  check_path(folder, call, name)
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
  manifest <- list(what = what, version = run_version,
                   rankmix = as.character(utils::packageVersion("rankmix")),
                   contents = lapply(contents, function(value) rlang::hash(unclass(value))))
  file <- file.path(folder, "run.rds")
  close <- lock_run(folder, call)
  opened <- FALSE
  on.exit(if (!opened) close())
  if (file.exists(file)) {
    manifest <- check_manifest(file, manifest, seed, call)
    done <- length(list.files(folder, "^task-"))
    if (done > 0L) report_resumed(counted(done, "result"), folder, verbose)
  } else {
    manifest$seed <- drawn
    save_beside(manifest, file, call)
  }
  opened <- TRUE
  # A worker of an earlier run may still write into this folder. The identity shows that its results
  # belong to another run.
  identity <- rlang::hash(manifest)
  # The file name depends on the run, because a worker that outlives its folder may still have data
  # of the earlier run.
  data_file <- function(part) {
    file.path(folder, paste0("data-", rlang::hash(list(manifest, part)), ".rds"))
  }
  list(
    folder = folder, seed = manifest$seed, identity = identity, data_file = data_file,
    close = close,
    # A result that cannot be read, or belongs to another task or run, is computed again.
    load = function(task) load_task(folder, identity, task),
    # A full disk must not stop the run.
    save = function(task, result) {
      tryCatch(save_task(folder, identity, task, result), rankmix_error_file = function(e) {
        warn_input("run", sprintf("'%s' could not be written to.", folder),
                   conditionMessage(e), "The run continues. The next run repeats the lost task.")
      })
    },
    forget = function(task) unlink(task_file(folder, task)),
    share_data = function(part, data_of) {
      if (!file.exists(data_file(part))) save_shared(data_of(part), data_file(part), call)
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
    refuse(sprintf("holds no run of %s", run_names[[manifest$what]]))
  }
  if (!identical(saved[c("version", "rankmix")], manifest[c("version", "rankmix")])) {
    refuse("holds a run of another version of rankmix",
           sprintf("That was %s (format %s), this is %s (format %d).", format(saved$rankmix),
                   format(saved$version), manifest$rankmix, manifest$version))
  }
  if (!identical(saved$contents, manifest$contents)) {
    refuse(sprintf("holds a run %s", manifest_words[[manifest$what]]))
  }
  if (!is.null(seed) && seed != saved$seed) {
    refuse("holds a run with another seed",
           sprintf("It has %s, this one has %s.", plain_number(saved$seed),
                   plain_number(seed)))
  }
  saved
}

task_file <- function(folder, task) {
  file.path(folder, paste0("task-", task$key, ".rds"))
}

# Stores the result with its run and task, and a digest of its bytes. The digest detects damage by a
# disk or a copy that readRDS() would not notice.
save_task <- function(folder, identity, task, result) {
  bytes <- serialize(result, NULL)
  save_beside(list(run = identity, task = task$key, digest = rlang::hash(bytes), bytes = bytes),
              task_file(folder, task))
}

load_task <- function(folder, identity, task) {
  file <- task_file(folder, task)
  if (!file.exists(file)) {
    return(NULL)
  }
  quietly <- function(code) tryCatch(code, error = function(e) NULL, warning = function(w) NULL)
  saved <- quietly(readRDS(file))
  whole <- is.list(saved) && identical(saved$run, identity) && identical(saved$task, task$key) &&
    is.raw(saved$bytes) && identical(saved$digest, rlang::hash(saved$bytes))
  if (whole) quietly(unserialize(saved$bytes))
}

save_beside <- function(value, file, call = rlang::caller_env()) {
  write_bytes_beside(serialize(value, NULL), file, call)
}

# Saves data for workers. Bins cannot be serialized, so bins in memory get a file of their own beside `file`.
# It is stored without its folder, because the folder of a run may be moved.
save_shared <- function(value, file, call = rlang::caller_env()) {
  count <- 0L
  value <- change_binned(value, function(data) {
    if (is.null(data$x$file)) {
      count <<- count + 1L
      data$x$file <- sub("rds$", sprintf("%d.bins", count), basename(file))
      write_binned_data(data, file.path(dirname(file), data$x$file))
    }
    data
  })
  save_beside(value, file, call)
}

read_shared <- function(file) {
  change_binned(readRDS(file), function(data) {
    if (dirname(data$x$file) == ".") data$x$file <- file.path(dirname(file), data$x$file)
    data
  })
}

# Binned data inside lists, changed by a function.
change_binned <- function(value, change) {
  if (is_binned(value)) {
    return(change(value))
  }
  if (is.list(value) && !is.object(value)) value[] <- lapply(value, change_binned, change)
  value
}
