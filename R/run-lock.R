# One process at a time works on a run directory: two would draw two seeds, and the results of
# one would be taken for those of the other. Workers need no lock, as they write what the one
# that has it gives them to do.

# The folders that this process has locked; the system's locks keep out others only.
locked_runs <- new.env(parent = emptyenv())

# A function that gives the lock back. The system takes it back from a process that died, so
# that a run that was killed can be resumed at once, on this machine or on another one.
lock_run <- function(folder, call = rlang::caller_env()) {
  refuse <- function(owner) {
    stop_input("run", sprintf("Another run uses '%s' now.", folder), owner,
               "Wait until it has ended, stop it, or give another folder.", call = call)
  }
  # Not to be opened a second time by the process that has the lock, which it would lose.
  if (exists(folder, locked_runs, inherits = FALSE)) {
    refuse("It is a run of this R session.")
  }
  file <- file.path(folder, "run.lock")
  owner <- sprintf("process %d on %s", Sys.getpid(), Sys.info()[["nodename"]])
  # Who reads the owner may keep the file open for a moment, on Windows.
  locked <- lock_file(enc2native(file), paste0(owner, "\n"))
  if (locked$state == "busy") {
    refuse(owner_of_lock(file))
  }
  if (locked$state == "unknown") {
    warn_input("run", sprintf("'%s' cannot be locked.", folder),
               sprintf("The system says: %s.", locked$reason),
               "Make sure that no other process uses the folder at the same time.")
  }
  assign(folder, TRUE, locked_runs)
  function() {
    if (!is.null(locked$lock)) unlock_file(locked$lock)
    locked$lock <<- NULL
    if (exists(folder, locked_runs, inherits = FALSE)) rm(list = folder, envir = locked_runs)
    invisible()
  }
}

owner_of_lock <- function(file) {
  owner <- tryCatch(readLines(file, n = 1L, warn = FALSE), error = function(e) NULL,
                    warning = function(w) NULL)
  if (length(owner) == 1L && grepl("^process [0-9]+ on ", owner)) {
    sprintf("It is %s.", owner)
  }
}
