# Runs tasks here, or on workers of the packages future or mirai (run-workers.R), with the same results.
# A task is a list with `key`, which names its file in the run directory, and `part`, the name of
# the data that it needs. `work` defines the tasks:
#   label                                       the text of the progress bar
#   data(part)                                  the data of a part
#   prepare(data, threads)                      what all tasks of a part share
#   perform(task, prepared, threads, progress)  the result of a task, from the value of prepare()
#   steps(task)                                 number of progress reports of perform()
# prepare() and perform() are functions of the package, which workers also have.

# The results of all tasks. NULL for tasks beyond the budget, and for tasks that were lost with
# their workers; the attribute `lost` marks the lost tasks. `report` is called after each task.
run_tasks <- function(tasks, work, run, budget, threads, verbose,
                      report = function() NULL) {
  if (uses_workers() && !isTRUE(work$is_local)) {
    return(run_on_workers(tasks, work, run, budget, threads, verbose, report))
  }
  sizes <- vapply(tasks, work$steps, numeric(1))
  bar <- progress_bar(work$label, sum(sizes), verbose)
  on.exit(bar$close())
  results <- lapply(tasks, run$load)
  if (!is.null(run$agree)) results <- run$agree(results)
  part <- NULL
  for (i in which(lengths(results) == 0L)) {
    if (!budget$allows(sum(lengths(results) > 0L))) {
      break
    }
    # Tasks are sorted by part, so only one part is prepared at a time.
    if (!identical(part, tasks[[i]]$part)) {
      part <- tasks[[i]]$part
      prepared <- work$prepare(work$data(part), threads)
    }
    progress <- bar$after(sum(sizes[seq_len(i - 1L)]))
    results[[i]] <- work$perform(tasks[[i]], prepared, threads, progress)
    run$save(tasks[[i]], results[[i]])
    if (!is.null(progress)) progress(sizes[i], sizes[i])
    unharmed(report())
  }
  structure(results, lost = logical(length(tasks)))
}

# Limits the number of results, and the seconds from now on. The first task is always done. `left()`
# returns the remaining seconds, and `seconds()` measures the time of some code.
new_budget <- function(most, max_seconds, now = seconds_now) {
  started <- now()
  left <- function() max_seconds - (now() - started)
  list(allows = function(done) done == 0L || (done < most && left() > 0),
       limited = is.finite(max_seconds), left = left,
       seconds = function(code) {
         before <- now()
         force(code)
         now() - before
       })
}

# Data go to files that each worker reads once. Results come back as files. A task whose worker died
# is tried once more.
run_on_workers <- function(tasks, work, run, budget, threads, verbose, report) {
  if (is.null(run$folder)) {
    folder <- tempfile("rankmix-run")
    on.exit(unlink(folder, recursive = TRUE))
    run <- open_run(folder, "work on workers", list(), 0)
    on.exit(run$close(), add = TRUE, after = FALSE)
  }
  bar <- progress_bar(work$label, length(tasks), verbose)
  on.exit(bar$close(), add = TRUE)
  results <- lapply(tasks, run$load)
  backend <- worker_backend()
  own <- max(1L, threads %/% max(1, min(backend$count(), length(tasks))))
  missing <- which(lengths(results) == 0L)
  for (part in unique(vapply(tasks[missing], `[[`, "", "part"))) {
    run$share_data(part, work$data)
  }
  for (attempt in 1:2) {
    # Tasks that died were within the budget, so the second attempt has no limit.
    done <- tasks_on_workers(backend, tasks[missing], work, run, own, sum(lengths(results) > 0L),
                             if (attempt == 1L) budget else new_budget(Inf, Inf),
                             function(finished) {
      if (!is.null(bar$report)) bar$report(length(tasks) - length(missing) + finished, NULL)
      unharmed(report())
    })
    results[missing] <- lapply(tasks[missing], run$load)
    missing <- missing[done == "died"]
    if (length(missing) == 0L) break
  }
  structure(results, lost = seq_along(tasks) %in% missing)
}

# The state of each task: "done", "died" or, beyond the budget, "skipped". Errors of tasks are
# raised here.
tasks_on_workers <- function(backend, tasks, work, run, threads, before, budget, progress) {
  state <- rep("skipped", length(tasks))
  handles <- vector("list", length(tasks))
  running <- function() which(lengths(handles) > 0L)
  on.exit(backend$stop(handles[running()]))
  collect <- function(i) {
    found <- backend$value(handles[[i]])
    handles[i] <<- list(NULL)
    if (inherits(found, "error")) {
      stop(found)
    }
    state[i] <<- if (identical(found, "done") && wait_for(task_file(run$folder, tasks[[i]]))) {
      "done"
    } else {
      "died"
    }
    progress(sum(state != "skipped"))
  }
  collect_some <- function() {
    ready <- Filter(function(j) backend$is_over(handles[[j]]), running())
    for (j in ready) collect(j)
    if (length(ready) == 0L) Sys.sleep(0.02)
  }
  # Gives a task to a worker, and returns whether a worker accepted the task. A dead worker may be noticed only
  # now. This does not count as an attempt of the task. The task waits until other workers are free.
  launch <- function(i) {
    for (attempt in seq_len(launches)) {
      handles[i] <<- list(launch_task(backend, tasks[[i]], work, run, threads))
      if (i %in% running()) {
        return(TRUE)
      }
      while (length(running()) > 0L) collect_some()
    }
    FALSE
  }
  for (i in seq_along(tasks)) {
    while (length(running()) >= max(1, backend$count()) || (length(running()) > 0L && !backend$is_free())) {
      collect_some()
    }
    if (!budget$allows(before + sum(state != "skipped") + length(running()))) {
      break
    }
    if (!launch(i)) state[i] <- "died"
  }
  for (i in running()) {
    while (!backend$is_over(handles[[i]])) Sys.sleep(0.02)
    collect(i)
  }
  state
}

# How often a task is offered to workers that cannot be reached.
launches <- 3L

# Network file systems may show a new file late.
wait_for <- function(file, seconds = 10) {
  until <- seconds_now() + seconds
  while (!file.exists(file) && seconds_now() < until) {
    Sys.sleep(0.1)
  }
  file.exists(file)
}

launch_task <- function(backend, task, work, run, threads) {
  job <- list(task = task, work = work[c("prepare", "perform")], run = run[c("folder", "identity")],
              data = run$data_file(task$part), threads = threads)
  backend$launch(job, needs_of_functions(functions_in(task)))
}

# The user's functions in a task: rankers, also those of new_ranker(), metrics, and methods that do not belong to a
# package.
functions_in <- function(x) {
  if (is.function(x)) {
    return(list(x))
  }
  methods <- if (is.object(x)) {
    names <- intersect(paste0("predict.", class(x)), ls(globalenv()))
    mget(names, globalenv(), mode = "function")
  }
  own <- if (is_specification(x)) unlist(attr(x, "row")$own)
  c(methods, own, if (is.list(x)) unlist(lapply(unname(unclass(x)), functions_in), FALSE))
}

# The globals and packages that the functions use. Named functions are among the globals.
needs_of_functions <- function(functions) {
  if (length(functions) > 0L) rlang::check_installed("future", "to find what functions of a task need on workers.")
  found <- lapply(unname(functions), function(.rankmix_function) {
    future::getGlobalsAndPackages(quote(.rankmix_function()), envir = environment(),
                                  globals = TRUE)
  })
  globals <- do.call(c, c(list(list()), lapply(found, function(one) as.list(one$globals))))
  globals <- globals[!duplicated(names(globals)) & names(globals) != ".rankmix_function"]
  named <- if (!is.null(names(functions))) functions[nzchar(names(functions))]
  list(globals = c(globals, named[setdiff(names(named), names(globals))]),
       packages = unlist(lapply(found, `[[`, "packages")))
}

# Runs on a worker. The first task of a part reads its data.
work_on_task <- function(task, work, run, data, threads) {
  tryCatch({
    if (!identical(worker_memory$data, data)) {
      worker_memory$prepared <- work$prepare(read_shared(data), threads)
      worker_memory$data <- data
    }
    result <- work$perform(task, worker_memory$prepared, threads, NULL)
    save_task(run$folder, run$identity, task, result)
    "done"
  }, error = function(e) e)
}

worker_memory <- new.env(parent = emptyenv())
