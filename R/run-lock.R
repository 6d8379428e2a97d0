# Only one process at a time may use a run directory. Two processes would draw two seeds, and mix up
# their results. Workers need no lock, because they write only results for the process that holds the lock.

# The folders that this process has locked. The system's locks keep out only other processes.
locked_runs <- new.env(parent = emptyenv())

# Locks a folder, and returns a function that releases the lock. The system releases the lock of a
# process that died. So a run that was killed can be resumed at once, on this machine or on another.
lock_run <- function(folder, call = rlang::caller_env()) {
  refuse <- function(owner) {
    stop_input("run", sprintf("Another run uses '%s' now.", folder), owner,
               "Wait until it has ended, stop it, or give another folder.", call = call)
  }
  # Opening the file a second time in the same process would release the lock.
  if (exists(folder, locked_runs, inherits = FALSE)) {
    refuse("It is a run of this R session.")
  }
  file <- file.path(folder, "run.lock")
  owner <- sprintf("process %d on %s", Sys.getpid(), Sys.info()[["nodename"]])
  # On Windows a process that reads the owner may keep the file open for a moment.
  locked <- lock_file(enc2native(file), paste0(owner, "\n"))
  if (locked$state == "busy") {
    refuse(owner_of_lock(file))
  }
  if (locked$state == "unknown") {
    warn_input("run", sprintf("'%s' cannot be locked.", folder),
               sprintf("The system reports: %s.", locked$reason),
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
