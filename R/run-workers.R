# Where tasks of run_tasks() run outside of this process: workers of a plan of the package future, or daemons of
# the package mirai. If both are set up, the plan is used. A backend is a list of functions:
#   count()                 number of workers, 0 if none is left
#   is_free()               whether a worker may accept a task
#   launch(job, needs)      starts work_on_task() of the job; returns a handle, or NULL if no worker accepts it
#   is_over(handle)         whether value() returns at once
#   value(handle)           "done", the error of the task, or "died"
#   stop(handles)           ends tasks whose results are not needed

# The backend that the user has set up; NULL for none.
worker_backend <- function() {
  if (uses_future()) {
    future_backend
  } else if (uses_mirai()) {
    mirai_backend
  }
}

uses_workers <- function() !is.null(worker_backend())

worker_count <- function() {
  backend <- worker_backend()
  if (is.null(backend)) 1 else max(1, backend$count())
}

# future --------------------------------------------------------------------------------------

uses_future <- function() {
  requireNamespace("future", quietly = TRUE) &&
    !inherits(future::plan(), "sequential")
}

future_backend <- list(
  count = function() future::nbrOfWorkers(),
  # A dead worker may count as free; the task that is given to it then fails. Some kinds of workers
  # cannot report how many are free.
  is_free = function() tryCatch(future::nbrOfFreeWorkers() > 0, error = function(e) TRUE),
  launch = function(job, needs) {
    # Names that no function of the user is likely to use.
    .rankmix_worker <- work_on_task
    .rankmix_job <- job
    tryCatch(
      future::future(do.call(.rankmix_worker, .rankmix_job), seed = NULL,
                     packages = unique(c("rankmix", needs$packages)),
                     globals = c(list(.rankmix_worker = .rankmix_worker,
                                      .rankmix_job = .rankmix_job), needs$globals)),
      FutureError = function(e) NULL
    )
  },
  is_over = function(handle) tryCatch(future::resolved(handle), error = function(e) TRUE),
  value = function(handle) {
    tryCatch(future::value(handle), FutureError = function(e) "died",
             FutureInterruptError = function(e) "died")
  },
  stop = function(handles) NULL
)

# mirai ---------------------------------------------------------------------------------------

# Daemons can be set only after mirai is loaded.
uses_mirai <- function() isNamespaceLoaded("mirai") && of_package("mirai", "daemons_set")()

mirai_backend <- list(
  count = function() of_package("mirai", "status")()$connections,
  is_free = function() TRUE,
  launch = function(job, needs) {
    # Daemons that are launched on other machines connect late.
    until <- seconds_now() + seconds_to_connect
    while (mirai_backend$count() == 0L && seconds_now() < until) Sys.sleep(0.1)
    if (mirai_backend$count() == 0L) {
      return(NULL)
    }
    run <- function(worker, job, packages, globals) {
      # The global environment is where the user's functions look. mirai clears it after the task.
      list2env(globals, globalenv())
      for (name in packages) library(name, character.only = TRUE)
      do.call(worker, job)
    }
    environment(run) <- globalenv()
    of_package("mirai", "mirai")(run(worker, job, packages, globals), .args = list(
      run = run, worker = work_on_task, job = job, packages = setdiff(needs$packages, "rankmix"),
      globals = needs$globals
    ))
  },
  # A task waits for ever if the last daemon died before the task began.
  is_over = function(handle) {
    !of_package("mirai", "unresolved")(handle) || mirai_backend$count() == 0L
  },
  value = function(handle) {
    if (of_package("mirai", "unresolved")(handle)) {
      return("died")
    }
    value <- handle$data
    if (of_package("mirai", "is_mirai_error")(value)) {
      return(simpleError(conditionMessage(value)))
    }
    if (of_package("mirai", "is_error_value")(value)) "died" else value
  },
  stop = function(handles) for (handle in handles) of_package("mirai", "stop_mirai")(handle)
)

seconds_to_connect <- 10
