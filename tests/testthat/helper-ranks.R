# Runs `code`, a function of a communicator and the arguments `...`, on several processes that share a folder.
# Returns the results, in the order of the ranks. With `wait = FALSE` returns the processes.
on_ranks <- function(size, code, ..., folder = tempfile("ranks"), timeout = 10, wait = TRUE) {
  skip_if_not_installed("callr")
  run <- function(code, folder, rank, size, timeout, ...) {
    library(rankmix)
    cluster <- folder_communicator(folder, rank, size, timeout = timeout)
    # The other processes learn of any error.
    result <- rankmix:::with_cluster_failure(cluster, code(cluster, ...))
    close(cluster)
    result
  }
  environment(code) <- globalenv()
  environment(run) <- globalenv()
  processes <- lapply(seq_len(size) - 1L, function(rank) {
    callr::r_bg(run, list(code, folder, rank, size, timeout, ...), supervise = TRUE, stderr = "|",
                env = c(callr::rcmd_safe_env(), R_LIBS = paste(.libPaths(), collapse = .Platform$path.sep)))
  })
  if (!wait) {
    return(processes)
  }
  results_of(processes)
}

# Waits until `check()` is true. The machine may be slow, so no fixed time would do.
wait_until <- function(check, seconds = 120) {
  started <- Sys.time()
  while (!check()) {
    if (Sys.time() - started > seconds) stop("nothing came")
    Sys.sleep(0.02)
  }
}

# Three processes that reduce without end in `folder`, once all of them do.
endless_ranks <- function(folder) {
  endless <- function(cluster, folder) {
    cluster$add(cluster$rank)
    file.create(file.path(folder, paste0("reduces-", cluster$rank)))
    repeat cluster$add(cluster$rank)
  }
  processes <- on_ranks(3, endless, folder, folder = folder, wait = FALSE)
  wait_until(function() length(list.files(folder, "^reduces-")) == 3L)
  processes
}

# The results of processes, or their errors.
results_of <- function(processes, seconds = 120) {
  lapply(processes, function(process) {
    process$wait(seconds * 1000)
    if (process$is_alive()) {
      process$kill()
      stop("a rank did not end")
    }
    tryCatch(process$get_result(), error = function(e) if (is.null(e$parent)) e else e$parent)
  })
}
