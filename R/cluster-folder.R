# Processes that communicate by files in a shared folder.
#
# Start: each rank writes a file with a new token. Rank 0 writes a start file with the tokens and the name of
# the session. A rank that finds its token there answers. If a token is from an earlier run, rank 0 receives no
# answer and tries again.
#
# Each rank holds the lock of a file (src/host_lock.h), which the system releases when the process ends for any
# reason. So the others find a rank that was killed.
#
# Reduction number n: each rank writes its numbers to its own file, and reads the files of the other ranks. If all
# files of number n exist, all ranks have read number n - 1, so files of number n - 1 can be removed.

#' Communicate by a shared folder
#'
#' Connects R processes that can access the same folder, so that they train one model. Use it on one machine without
#' MPI, for
#' example for tests. On a cluster [mpi_communicator()] is faster.
#'
#' @param folder The folder. A folder that does not exist is made. All processes must be able to access the folder, so
#'   it cannot be the `tempdir()` of one process.
#' @param rank The number of this process, from 0 to `size - 1`.
#' @param size Number of processes.
#' @param timeout Number of seconds after which a late process is named in a message; default 10.
#' @param give_up Number of seconds after which waiting for a process is an error; default 3600.
#' @param ... Must be empty.
#' @return A communicator, see [communicator()]. `close()` ends the communication.
#' @details `folder_communicator()` waits until all processes have called it. A process that was killed on the same
#'   machine is found within a second. All others then stop with an error that names the process. They also stop if a
#'   process stops with an error. A process of another machine that was killed is found after `give_up` seconds.
#'
#'   Each run needs its own folder. A folder in which a run has ended can be used again.
#' @section Conditions: `rankmix_error_cluster`: a process has stopped or does not answer, or the processes called
#' different functions. `rankmix_message_cluster`: a process is late.
#' @seealso [mpi_communicator()], [fit()]
#' @examples
#' # A single process; several processes would have the ranks 0, 1, ...
#' cluster <- folder_communicator(tempfile(), rank = 0, size = 1)
#' data <- read_letor(system.file("extdata", "train.txt.gz", package = "rankmix"))
#' model <- fit(gbrt(trees = 5), data, seed = 1, threads = 1, verbose = FALSE, cluster = cluster)
#' close(cluster)
#' @export
folder_communicator <- function(folder, rank, size, timeout = 10, give_up = 3600, ...) {
  check_no_others(...)
  check_all_given()
  if (!is.character(folder) || length(folder) != 1L || is.na(folder)) {
    stop_input("argument", sprintf("`folder` must be a path, not %s.", show_value(folder)))
  }
  check_count(size, "size", max = 1000)
  check_count(rank, "rank", min = 0, max = size - 1)
  check_number(timeout, "timeout", 0, 1e9)
  check_number(give_up, "give_up", 0, 1e9)
  dir.create(folder, showWarnings = FALSE, recursive = TRUE)
  if (!dir.exists(folder)) {
    stop_input("file", sprintf("The folder '%s' cannot be made.", folder), remedy = "Give another `folder`.")
  }
  waiting <- list(timeout = timeout, give_up = give_up)
  joined <- start_session(folder, rank, size, waiting)
  session <- joined$session
  # If a process ends without close(), its session is closed automatically, unless the process is killed.
  open <- new.env()
  open$lock <- joined$lock
  reg.finalizer(open, function(env) close_session(session, rank, size), onexit = TRUE)
  others <- setdiff(seq_len(size) - 1L, rank)
  number <- 0
  # Sends bytes to all ranks and returns their parts.
  share <- function(kind, count, bytes) {
    number <<- number + 1
    # Ranks that were started with other sizes would add up other vectors.
    own <- c(plain_number(number), kind, plain_number(count), plain_number(size))
    write_message(session, number, rank, own, bytes)
    parts <- lapply(seq_len(size) - 1L, function(other) {
      if (other == rank) return(bytes)
      read_message(session, number, other, own, others, waiting)
    })
    unlink(message_file(session, number - 1, rank))
    parts
  }
  numbers <- function(kind) {
    function(x) {
      parts <- share(kind, length(x), writeBin(as.double(x), raw()))
      reduced(kind, lapply(parts, readBin, "double", length(x)))
    }
  }
  new_communicator(rank, size, numbers("add"), numbers("max"), function(raw) share("gather", 0, raw),
                   close = function() close_session(session, rank, size), name = "folder_communicator",
                   abort = function(message) abort_session(session, rank, message))
}

message_file <- function(session, number, rank) file.path(session, sprintf("%.0f-%d", number, rank))

# Other ranks would add up a file that is cut off, without an error. So a full disk is an error here.
write_whole <- function(bytes, file) write_bytes_beside(bytes, file, call = NULL)

read_whole <- function(file) readBin(file, "raw", file.size(file))

write_message <- function(session, number, rank, header, bytes) {
  write_whole(c(vectors_to_raw(list(header)), bytes), message_file(session, number, rank))
}

read_message <- function(session, number, rank, own, others, waiting) {
  file <- message_file(session, number, rank)
  wait_for_message(file, session, rank, waiting, function() {
    # While this rank waits for a late rank, it must also detect a killed rank. A process that opened its own lock
    # would release it.
    for (other in others) check_alive(session, other, message_file(session, number, other))
  })
  bytes <- read_whole(file)
  # The header is a vector of texts: its type, two sizes and its bytes.
  sizes <- readBin(bytes[2:17], "double", 2L, endian = "little")
  end <- 17 + sizes[2L]
  header <- raw_to_vectors(bytes[seq_len(end)], "header")$header
  if (!identical(header, own)) stop_other_call(rank, own, header)
  bytes[-seq_len(end)]
}

# Waits until a file of a rank exists. Sleeps longer and longer, up to 20 ms.
wait_for_message <- function(file, session, rank, waiting, check) {
  started <- seconds_now()
  pause <- 1e-4
  looked <- started
  is_late <- FALSE
  while (!file.exists(file)) {
    Sys.sleep(pause)
    pause <- min(0.02, pause * 1.3)
    now <- seconds_now()
    if (now - looked < 0.2) next
    looked <- now
    check_aborted(session)
    check()
    if (!is_late && now - started > waiting$timeout) {
      say_late(rank, now - started)
      is_late <- TRUE
    }
    if (now - started > waiting$give_up) stop_given_up(rank, now - started)
  }
}

# On a full disk, the file of the message is empty.
abort_session <- function(session, rank, message) {
  file <- file.path(session, sprintf("abort-%d", rank))
  tryCatch(write_whole(charToRaw(enc2utf8(message)), file), rankmix_error_file = function(e) write_whole(raw(), file))
}

check_aborted <- function(session) {
  files <- list.files(session, "^abort-[0-9]+$", full.names = TRUE)
  if (length(files) > 0L) {
    message <- rawToChar(read_whole(files[1L]))
    Encoding(message) <- "UTF-8"
    if (!nzchar(message)) message <- "It could not write its error to the folder. Is the disk full?"
    stop_with_rank(as.integer(sub(".*-", "", files[1L])), message)
  }
}

lock_of_rank <- function(session, rank) file.path(session, sprintf("process-%d", rank))

# A rank that has answered holds its lock.
answer_of_rank <- function(session, ranks) file.path(session, sprintf("answer-%d", ranks))

# The lock of this rank. A second process of the same rank is an error.
hold_lock <- function(session, rank) {
  file <- lock_of_rank(session, rank)
  locked <- lock_file(enc2native(file), sprintf("process %d on %s\n", Sys.getpid(), Sys.info()[["nodename"]]))
  if (locked$state == "busy") {
    stop_input("cluster", sprintf("Another process has the rank %d.", rank), owner_of_lock(file),
               "Give each process its own rank.", call = NULL)
  }
  locked
}

# Fails if the process of a rank has ended, unless its last message came and it was closed. If the system has no
# locks, such a rank is found only after `give_up` seconds.
check_alive <- function(session, rank, message) {
  file <- lock_of_rank(session, rank)
  if (!file.exists(answer_of_rank(session, rank)) || file.exists(message) && file.exists(closed_file(session, rank))) {
    return(invisible())
  }
  owner <- owner_of_lock(file)
  tried <- lock_file(enc2native(file), "")
  if (tried$state == "held") {
    unlock_file(tried$lock)
    check_aborted(session)
    stop_with_rank(rank, paste(c("Its process has ended.", owner), collapse = " "))
  }
}

closed_file <- function(session, rank) file.path(session, sprintf("closed-%d", rank))

close_session <- function(session, rank, size) {
  if (!dir.exists(session) || file.exists(closed_file(session, rank))) {
    return(invisible())
  }
  # The others may still read the last message, so the last rank that closes removes the folder.
  write_whole(raw(), closed_file(session, rank))
  if (length(list.files(session, "^closed-[0-9]+$")) == size) unlink(session, recursive = TRUE)
}

# Agrees on a session. Returns its folder and the lock of this rank.
start_session <- function(folder, rank, size, waiting) {
  token <- basename(tempfile(sprintf("rank%d-%d-", rank, Sys.getpid())))
  hello <- function(r) file.path(folder, sprintf("hello-%d", r))
  write_whole(charToRaw(token), hello(rank))
  start <- file.path(folder, "start")
  started <- seconds_now()
  is_late <- FALSE
  late <- function(other) {
    seconds <- seconds_now() - started
    if (!is_late && seconds > waiting$timeout) {
      say_late(other, seconds)
      is_late <<- TRUE
    }
    if (seconds > waiting$give_up) stop_given_up(other, seconds)
    Sys.sleep(0.01)
  }
  if (rank == 0L) invite_ranks(folder, token, size, hello, start, late) else {
    join_session(folder, token, start, late, rank)
  }
}

# Fails if rank 0 of an earlier session still runs, because its files must not be removed. A process keeps its
# lock after the session was closed or stopped.
check_ended <- function(folder, session) {
  if (length(list.files(session, "^(closed-0|abort-[0-9]+)$")) > 0L) return(invisible())
  file <- lock_of_rank(session, 0L)
  tried <- if (file.exists(file)) lock_file(enc2native(file), "")
  if (identical(tried$state, "held")) unlock_file(tried$lock)
  if (identical(tried$state, "busy")) {
    stop_input("cluster", sprintf("Another run uses the folder '%s'.", folder), owner_of_lock(file),
               "Give another `folder`, or wait until the other run ends.", call = NULL)
  }
}

invite_ranks <- function(folder, token, size, hello, start, late) {
  name <- paste0("session-", token)
  session <- file.path(folder, name)
  old <- setdiff(list.files(folder, "^session-", full.names = TRUE), session)
  for (other in old) check_ended(folder, other)
  unlink(old, recursive = TRUE)
  dir.create(session)
  lock <- hold_lock(session, 0L)
  write_whole(raw(), answer_of_rank(session, 0L))
  others <- seq_len(size - 1L)
  answered <- function() file.exists(answer_of_rank(session, others))
  invited <- NULL
  while (!all(answered())) {
    there <- others[file.exists(hello(others))]
    tokens <- vapply(there, function(r) rawToChar(read_whole(hello(r))), "")
    if (length(tokens) > 0L && !identical(tokens, invited)) {
      write_whole(charToRaw(paste(c(name, tokens), collapse = "\n")), start)
      invited <- tokens
    }
    late(others[!answered()][1L])
  }
  unlink(c(start, hello(c(0L, others))))
  list(session = session, lock = lock)
}

join_session <- function(folder, token, start, late, rank) {
  repeat {
    lines <- if (file.exists(start)) tryCatch(strsplit(rawToChar(read_whole(start)), "\n")[[1L]],
                                             error = function(e) "", warning = function(w) "")
    if (token %in% lines) {
      session <- file.path(folder, lines[1L])
      lock <- hold_lock(session, rank)
      write_whole(raw(), answer_of_rank(session, rank))
      return(list(session = session, lock = lock))
    }
    late(0L)
  }
}
