# Experiments are what is trained and measured together, and run part by part; each part is a task
# of the package's own run directories, so that it is saved before progress is reported, is done by
# future's workers where future::plan() says so, and is not done again.

experiment <- function(name, run, collections, settings = function(scale) list()) {
  list(name = name, run = run, collections = collections, settings = settings)
}

# Parts of collections by scale: draws of what is simulated, folds of what is judged.
scales <- list(
  tiny = list(simulated = 1L, `two scales` = 1L),
  small = list(simulated = 1L, `two scales` = 1L, MQ2008 = 1L),
  full = list(simulated = 1:3, `two scales` = 1:3, MQ2008 = 1:5, OHSUMED = 1:5,
              `MSLR-sample` = 1L)
)
collections <- names(scales$full)

by_scale <- function(tiny = small, small = full, full = list()) {
  force(tiny)
  force(small)
  function(scale) switch(scale, tiny = tiny, small = small, full = full)
}

# The key has a digest of the settings and of what runs: what is asked for otherwise is another
# task. It does not detect changes of called functions in bench/ or in the package. Delete the
# folder after such a change. The page has results by several builds of the package.
task_of <- function(own, collection, number, scale, root) {
  settings <- own$settings(scale)
  digest <- rlang::hash(list(settings, deparse(body(own$run))))
  key <- gsub("[^A-Za-z0-9]+", "-", paste(own$name, collection, number))
  list(key = paste0(key, "-", substr(digest, 1L, 8L)), part = "none",
       experiment = own$name, collection = collection, number = number, settings = settings,
       root = root)
}

tasks_of <- function(experiments, scale, root) {
  parts <- scales[[scale]]
  unlist(lapply(experiments, function(own) {
    here <- intersect(own$collections, names(parts))
    unlist(lapply(here, function(collection) {
      lapply(parts[[collection]], function(number) task_of(own, collection, number, scale, root))
    }), recursive = FALSE)
  }), recursive = FALSE)
}

# On a worker or here. It needs nothing but the task: the files are read where it runs, once a
# process. A task that fails reports why, and is tried again by the next run.
perform_task <- function(task, prepared, threads, progress) {
  own <- getOption("rankmix.reproduce")
  old <- setwd(task$root)
  on.exit(setwd(old))
  if (is.null(own) || !identical(own$root, task$root)) {
    suppressPackageStartupMessages(library(rankmix))
    own <- new.env(parent = globalenv())
    sys.source("reproduce/load.R", own)
    own$root <- task$root
    options(rankmix.reproduce = own)
  }
  options(rankmix.threads = threads)
  run <- own$experiments[[task$experiment]]$run
  library <- system.file("libs", "rankmix.so", package = "rankmix")
  time <- system.time({
    found <- tryCatch(list(found = run(task, task$settings)), error = function(e) {
      list(error = conditionMessage(e))
    })
  })
  c(found, list(seconds = time[["user.self"]] + time[["sys.self"]], elapsed = time[["elapsed"]],
                build = unname(tools::md5sum(library)), at = format(Sys.time(), tz = "UTC")))
}
# The function is sent to workers. Its environment is the global one, which is not sent with it.
environment(perform_task) <- globalenv()

# The package's own machinery, which is not exported: this folder belongs to the package.
rankmix_own <- function(name) getFromNamespace(name, "rankmix")

open_folder <- function(folder, scale) {
  run <- tryCatch(
    rankmix_own("open_run")(folder, "reproduce", list(scale = scale), 1L),
    error = function(e) {
      stop("'", folder, "' holds a run of another version or scale: delete it, or name another ",
           "folder with RUN=.", call. = FALSE)
    }
  )
  run
}

run_experiments <- function(tasks, run, seconds, threads, report = function() NULL) {
  # A failure is no result.
  for (task in tasks) if (!is.null(run$load(task)$error)) run$forget(task)
  work <- list(label = "Reproduce", data = function(part) list(),
               prepare = function(data, threads) NULL, perform = perform_task,
               steps = function(task) 1)
  rankmix_own("run_tasks")(tasks, work, run, rankmix_own("new_budget")(Inf, seconds), threads,
                           TRUE, report)
}

results_of <- function(tasks, run) {
  stats::setNames(lapply(tasks, run$load), vapply(tasks, `[[`, "", "key"))
}
