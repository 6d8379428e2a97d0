# Runs `code`, a function of a communicator and the arguments `...`, on several processes that share a folder.
# Returns the results, in the order of the ranks. With `wait = FALSE` returns new processes, which can be killed.
on_ranks <- function(size, code, ..., folder = tempfile("ranks"), timeout = 10, wait = TRUE) {
  skip_if_not_installed("callr")
  run <- function(code, folder, rank, size, timeout, ...) {
    library(rankmix)
    cluster <- folder_communicator(folder, rank, size, timeout = timeout)
    # An error is reported to the other processes.
    result <- rankmix:::with_cluster_failure(cluster, code(cluster, ...))
    close(cluster)
    result
  }
  environment(code) <- globalenv()
  environment(run) <- globalenv()
  arguments <- lapply(seq_len(size) - 1L, function(rank) list(code, folder, rank, size, timeout, ...))
  if (wait) {
    return(session_results(run, arguments))
  }
  lapply(arguments, function(own) {
    callr::r_bg(run, own, supervise = TRUE, stderr = "|", env = rank_environment())
  })
}

rank_environment <- function() {
  c(callr::rcmd_safe_env(), R_LIBS = paste(.libPaths(), collapse = .Platform$path.sep))
}

# R processes for the calls of all tests, because a process takes a second to load the package.
rank_sessions <- new.env()
close_rank_sessions <- function(sessions) {
  for (name in ls(sessions)) sessions[[name]]$close()
  rm(list = ls(sessions), envir = sessions)
}
reg.finalizer(rank_sessions, close_rank_sessions, onexit = TRUE)

rank_session <- function(name) {
  if (is.null(rank_sessions[[name]])) {
    options <- callr::r_session_options(env = rank_environment(), supervise = TRUE)
    rank_sessions[[name]] <- callr::r_session$new(options)
  }
  rank_sessions[[name]]
}

# Calls a function once in each session, at the same time.
session_results <- function(run, arguments, seconds = 120) {
  sessions <- lapply(as.character(seq_along(arguments)), rank_session)
  for (i in seq_along(sessions)) sessions[[i]]$call(run, arguments[[i]])
  lapply(sessions, function(session) {
    repeat {
      if (session$poll_process(seconds * 1000) != "ready") {
        close_rank_sessions(rank_sessions)
        stop("a rank did not end")
      }
      done <- session$read()
      # Other codes are messages of a call that has not ended.
      if (done$code == 200) break
      if (done$code >= 500) stop("a rank has crashed")
    }
    if (is.null(done$error)) done$result else original_error(done$error)
  })
}

original_error <- function(e) if (is.null(e$parent)) e else e$parent

# Waits until `check()` is true. The machine may be slow, so no fixed time would do.
wait_until <- function(check, seconds = 120) {
  started <- Sys.time()
  while (!check()) {
    if (Sys.time() - started > seconds) stop("nothing came")
    Sys.sleep(0.02)
  }
}

# Starts three processes that reduce without end in `folder`. Returns when all of them reduce.
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
    tryCatch(process$get_result(), error = original_error)
  })
}
