# Processes that communicate by MPI, through the package Rmpi.
#
# Blocking calls of MPI cannot time out. So each reduction begins with a message to rank 0, which polls for the
# messages of all ranks and detects late ranks. The messages have small vectors. Rank 0 adds them up and sends the
# result. For a long vector, rank 0 sends a message that all ranks are ready, and all call mpi.allreduce().
#
# A message is a vector of doubles: state, number of the call, kind, length, and numbers.

mpi_tag <- 7319L
# Longer vectors are reduced by MPI. Open MPI sends messages of up to 4 KB without waiting for the receiver, so a
# message to a rank that was stopped does not block.
mpi_small <- 400L
mpi_kinds <- c("add", "max", "gather", "add_integers")
mpi_states <- c(call = 0, late = 1, abort = 2)

#' Communicate by MPI
#'
#' Connects R processes that were started by `mpirun` or Slurm, so that they train one model. All processes run the same
#' script. The communicator needs the package Rmpi and an MPI, such as Open MPI.
#'
#' @param comm The number of the communicator of Rmpi; default 0, all processes.
#' @param timeout Number of seconds after which a late process is named in a message; default 10.
#' @param give_up Number of seconds after which waiting for a process is an error; default 3600.
#' @param ... Must be empty.
#' @return A communicator, see [communicator()]. Its `rank` is the rank of MPI.
#' @details End the script with `Rmpi::mpi.quit()`. Start it by `mpirun -n 8 Rscript script.R`, or by `srun` in a
#'   Slurm job. Without `mpirun`, there is one process.
#'
#'   If a process stops with an error, all others stop with an error that names this process. If a process is killed,
#'   `mpirun` stops all others. A checkpoint is always complete, so the same script can resume.
#'
#'   A process that waits uses its processor, because messages then arrive sooner. Give each process as many
#'   processors as it has threads. With one or two processes, Open MPI lets each process run on a single processor,
#'   and then `threads` is 1 by default. To use all processors, start the script by `mpirun --bind-to none`. For eight
#'   processors a process, start it by `mpirun --map-by slot:PE=8`.
#' @section Conditions: `rankmix_error_cluster`: a process has stopped or does not answer, or the processes called
#' different functions. `rankmix_message_cluster`: a process is late.
#' @seealso [folder_communicator()], [fit()]
#' @examples
#' \dontrun{
#' # train.R, started by: mpirun -n 4 Rscript train.R
#' library(rankmix)
#' cluster <- mpi_communicator()
#' files <- list.files("/data/train", full.names = TRUE)
#' own <- files[seq_along(files) %% cluster$size == cluster$rank]
#' data <- binned_data(own, cluster = cluster)
#' model <- fit(lambdamart(), data, seed = 1, cluster = cluster, checkpoint = "/shared/model.rds")
#' if (cluster$rank == 0) saveRDS(model, "model.rds")
#' Rmpi::mpi.quit()
#' }
#' @export
mpi_communicator <- function(comm = 0, timeout = 10, give_up = 3600, ...) {
  check_no_others(...)
  check_count(comm, "comm", min = 0, max = 1000)
  check_number(timeout, "timeout", 0, 1e9)
  check_number(give_up, "give_up", 0, 1e9)
  mpi <- functions_of_mpi()
  rank <- mpi$mpi.comm.rank(comm)
  size <- mpi$mpi.comm.size(comm)
  mail <- mpi_mail(mpi, comm, rank, list(timeout = timeout, give_up = give_up))
  number <- 0
  # The header and the small vector of a call. Returns the vectors of all ranks on rank 0, and the answer of
  # rank 0 elsewhere.
  meet <- function(kind, count, numbers, answer) {
    number <<- number + 1
    header <- c(number, match(kind, mpi_kinds), count)
    if (rank != 0L) {
      mail$send(c(mpi_states[["call"]], header, numbers), 0L)
      return(mail$answer(header))
    }
    others <- seq_len(size - 1L)
    parts <- c(list(numbers), lapply(others, function(other) mail$receive_call(other, others, header)))
    result <- answer(parts)
    for (other in others) mail$send(c(mpi_states[["call"]], header, result), other)
    result
  }
  numbers <- function(kind) {
    function(x) {
      x <- as.double(x)
      if (size == 1L || length(x) == 0L) return(x)
      if (length(x) <= mpi_small) {
        return(meet(kind, length(x), x, function(parts) reduced(kind, parts)))
      }
      meet(kind, length(x), NULL, function(parts) NULL)
      mpi$mpi.allreduce(x, type = 2L, op = if (kind == "add") "sum" else "max", comm = comm)
    }
  }
  add_integers <- function(x) {
    if (size == 1L || length(x) == 0L) return(x)
    meet("add_integers", length(x), NULL, function(parts) NULL)
    mpi$mpi.allreduce(x, type = 1L, op = "sum", comm = comm)
  }
  gather <- function(raw) {
    if (size == 1L) return(list(raw))
    sizes <- meet("gather", 1, length(raw), unlist)
    lapply(seq_len(size) - 1L, function(from) {
      own <- if (from == rank) as.integer(raw) else integer(sizes[from + 1L])
      if (length(own) == 0L) return(raw())
      as.raw(mpi$mpi.bcast(own, 1L, from, comm))
    })
  }
  new_communicator(rank, size, numbers("add"), numbers("max"), gather, name = "mpi_communicator",
                   abort = function(message) mail$abort(message, size), add_integers = add_integers)
}

# The functions of Rmpi. Loading Rmpi starts MPI. So the code has no `Rmpi::`, for which R CMD check would load it.
functions_of_mpi <- function() {
  names <- c("mpi.comm.rank", "mpi.comm.size", "mpi.send", "mpi.recv", "mpi.iprobe", "mpi.get.count", "mpi.allreduce",
             "mpi.bcast")
  lapply(stats::setNames(nm = names), function(name) of_package("Rmpi", name, "for `mpi_communicator()`."))
}

# Sends and receives messages. Waits by polling.
mpi_mail <- function(mpi, comm, rank, waiting) {
  send <- function(message, to) mpi$mpi.send(as.double(message), 2L, to, mpi_tag, comm)
  is_there <- function(from) mpi$mpi.iprobe(from, mpi_tag, comm)
  read <- function(from) {
    mpi$mpi.recv(double(mpi$mpi.get.count(2L)), 2L, from, mpi_tag, comm)
  }
  # Most messages come within some hundred microseconds.
  comes_soon <- function(from) {
    for (attempt in 1:200) if (is_there(from)) return(TRUE)
    FALSE
  }
  # Polls at full speed for 10 ms, and then sleeps longer and longer. `late(seconds)` is called after the timeout.
  wait <- function(from, late) {
    started <- seconds_now()
    pause <- 1e-4
    is_late <- FALSE
    while (!is_there(from)) {
      now <- seconds_now() - started
      if (now > 0.01) {
        Sys.sleep(pause)
        pause <- min(0.005, pause * 1.1)
      }
      if (!is_late && now > waiting$timeout) {
        late(now)
        is_late <- TRUE
      }
      if (now > waiting$give_up) stop_given_up(from, now)
    }
  }
  check_abort <- function(message, from) {
    if (message[1L] == mpi_states[["abort"]]) stop_with_rank(message[2L], intToUtf8(message[-(1:2)]))
  }
  # Rank 0: the call of a rank. Reports a late rank or a failure to the other ranks.
  receive_call <- function(from, others, header) {
    report <- function(message) for (other in setdiff(others, from)) send(message, other)
    if (!comes_soon(from)) tryCatch(wait(from, function(seconds) {
      say_late(from, seconds)
      report(c(mpi_states[["late"]], from, seconds))
    }), rankmix_error_cluster = function(e) {
      report(abort_message(from, conditionMessage(e)))
      stop(e)
    })
    message <- read(from)
    if (message[1L] == mpi_states[["abort"]]) report(message)
    check_abort(message)
    if (!identical(message[2:4], as.double(header))) {
      error <- tryCatch(stop_other_call(from, call_text(header), call_text(message[2:4])), error = identity)
      for (other in others) send(abort_message(from, conditionMessage(error)), other)
      stop(error)
    }
    message[-(1:4)]
  }
  # Other ranks: the answer of rank 0.
  answer <- function(header) {
    repeat {
      if (!comes_soon(0L)) wait(0L, function(seconds) say_late(0L, seconds))
      message <- read(0L)
      check_abort(message)
      if (message[1L] == mpi_states[["call"]]) return(message[-(1:4)])
      say_late(message[2L], message[3L])
    }
  }
  abort <- function(message, size) {
    to <- if (rank == 0L) seq_len(size - 1L) else 0L
    for (other in to) send(abort_message(rank, message), other)
  }
  list(send = send, receive_call = receive_call, answer = answer, abort = abort)
}

abort_message <- function(rank, text) c(mpi_states[["abort"]], rank, utf8ToInt(enc2utf8(substr(text, 1L, 400L))))

call_text <- function(header) c(plain_number(header[1L]), mpi_kinds[header[2L]], plain_number(header[3L]))
