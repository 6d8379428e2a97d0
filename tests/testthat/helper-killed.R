# A process that stops after some results of a run in `folder`, so that a test can kill it there, on machines of
# any speed. `run` is a function of `args`.
stopped_process <- function(run, args, folder, results = 1L) {
  job <- function(run, args, results) {
    stop_there <- bquote(if (length(list.files(folder, "^task-")) >= .(results)) Sys.sleep(3600))
    trace("save_task", exit = stop_there, where = asNamespace("rankmix"), print = FALSE)
    do.call(run, args)
  }
  process <- callr::r_bg(job, list(run, args, results), libpath = .libPaths())
  # The process usually needs some seconds. The limit is for a process that hangs.
  deadline <- Sys.time() + 900
  saved <- function() length(list.files(folder, "^task-"))
  while (saved() < results && process$is_alive() && Sys.time() < deadline) Sys.sleep(0.01)
  if (saved() != results) stop("The process did not save ", results, " results.")
  process
}
