# Ranks: processes that train one model together, each with its own queries. A communicator adds up numbers over the
# ranks. The core gets the communicator as the reducer of a host (src/core/base/reducer.h).

#' Communicators of several processes
#'
#' A communicator adds up numbers over several R processes, called ranks. The ranks then train one model together:
#' [fit()], [binned_data()] and [tune_and_mix()] have an argument `cluster`. Use [mpi_communicator()] on a cluster,
#' and [folder_communicator()] on one machine without MPI. `communicator()` makes a communicator from your own
#' functions.
#'
#' @param rank The number of this process, from 0 to `size - 1`.
#' @param size Number of processes.
#' @param add The function that returns the sums of a vector of doubles over the ranks.
#' @param max The function that returns the largest number of each element of a vector over the ranks.
#' @param gather The function of a raw vector that returns a list with the raw vectors of all ranks, from rank 0 on.
#'   The vectors may have different lengths.
#' @param add_integers The function that returns the sums of a vector of integers over the ranks, modulo 2^32 like the
#'   integers of C. `NA` is the number -2^31. With this function, histograms need about half the bytes. The default
#'   `NULL` sends histograms by `add`. A function whose sums are not modulo 2^32 is not used.
#' @param abort The function of a message that is called when this rank stops with an error. The function should let the
#'   other ranks stop. The default `NULL` does nothing, and other ranks then wait.
#' @param close The function without arguments that ends the communication. The default `NULL` does nothing.
#' @param x A communicator.
#' @param ... Must be empty.
#'
#' @return A communicator of class `rankmix_communicator`.
#' @details All ranks call the functions in the same order, with vectors of the same length for `add` and `max`.
#'   Each call must wait for all ranks. All ranks must get the same result.
#'
#'   The numbers are whole numbers with sums below 2^53, or doubles whose sum is exact. So the order of additions
#'   does not matter. Numbers must not be converted to single precision.
#'   After an error of a rank, the communicator cannot be used again.
#' @section Conditions: `rankmix_error_cluster`: a rank has stopped, or has called another function.
#' @seealso [folder_communicator()], [mpi_communicator()]
#' @examples
#' # A single process
#' alone <- communicator(rank = 0, size = 1, add = identity, max = identity, gather = list)
#' alone
#' @export
communicator <- function(rank, size, add, max, gather, add_integers = NULL, abort = NULL, close = NULL) {
  check_all_given()
  check_count(size, "size", max = 2^20)
  check_count(rank, "rank", min = 0, max = size - 1)
  functions <- list(add = add, max = max, gather = gather, add_integers = add_integers, abort = abort, close = close)
  for (name in names(functions)) {
    optional <- name %in% c("add_integers", "abort", "close")
    if (!is.function(functions[[name]]) && !(is.null(functions[[name]]) && optional)) {
      stop_input("argument", sprintf("`%s` must be a function, not %s.", name, show_value(functions[[name]])))
    }
  }
  new_communicator(rank, size, add, max, gather, close, "communicator", abort, add_integers)
}

new_communicator <- function(rank, size, add, max, gather, close = NULL, name = "communicator", abort = NULL,
                             add_integers = NULL) {
  nothing <- function(...) invisible()
  guard <- failure_guard()
  structure(list(rank = as.integer(rank), size = as.integer(size), add = guard$guarded(add), max = guard$guarded(max),
                 gather = guard$guarded(gather), add_integers = if (!is.null(add_integers)) guard$guarded(add_integers),
                 abort = guard$ending(if (is.null(abort)) nothing else abort),
                 close = if (is.null(close)) nothing else close, name = name),
            class = "rankmix_communicator")
}

# After a failed or interrupted call, ranks are no longer at the same call. Another call would wait for an answer that
# never comes, or receive numbers of the failed call. So all later calls fail at once.
failure_guard <- function() {
  has_failed <- FALSE
  guarded <- function(f) {
    force(f)
    function(x) {
      # The numbers may need a call of the communicator, too.
      force(x)
      if (has_failed) stop_failed_before()
      has_failed <<- TRUE
      result <- f(x)
      has_failed <<- FALSE
      result
    }
  }
  ending <- function(abort) {
    force(abort)
    function(message) {
      has_failed <<- TRUE
      abort(message)
    }
  }
  list(guarded = guarded, ending = ending)
}

stop_failed_before <- function() {
  stop_input("cluster", "An earlier call of this communicator has failed, so it cannot be used again.",
             remedy = "Start all ranks again. With a `checkpoint`, training resumes on any number of ranks.",
             call = NULL)
}

#' @rdname communicator
#' @export
print.rankmix_communicator <- function(x, ...) {
  say(sprintf("<%s> rank %d of %s", x$name, x$rank, counted(x$size, "process", "processes")))
  invisible(x)
}

#' @rdname communicator
#' @param con A communicator.
#' @export
close.rankmix_communicator <- function(con, ...) {
  con$close()
  invisible()
}

check_cluster <- function(cluster, call = rlang::caller_env()) {
  check_class(cluster, "cluster", "rankmix_communicator", "`mpi_communicator()` or `folder_communicator()`", call)
}

# Sums and maxima over the ranks. `cluster` is NULL for a single process.
cluster_sum <- function(cluster, x) if (is.null(cluster)) x else cluster$add(as.double(x))
cluster_max <- function(cluster, x) if (is.null(cluster)) x else cluster$max(as.double(x))
cluster_min <- function(cluster, x) if (is.null(cluster)) x else -cluster$max(-as.double(x))
cluster_any <- function(cluster, x) if (is.null(cluster)) x else cluster$max(as.double(x)) > 0
cluster_all <- function(cluster, x) if (is.null(cluster)) x else !cluster_any(cluster, !x)

# The raw vectors of all ranks.
cluster_gather <- function(cluster, raw) if (is.null(cluster)) list(raw) else cluster$gather(raw)

# Fails on all ranks if the facts, a named list of texts, differ between ranks.
cluster_handshake <- function(cluster, facts, call = rlang::caller_env()) {
  texts <- vapply(facts, function(fact) paste(as.character(fact), collapse = " "), "")
  sent <- cluster_gather(cluster, vectors_to_raw(list(names(texts), unname(texts))))
  all <- lapply(sent, raw_to_vectors, names = c("names", "texts"))
  first <- all[[1L]]
  for (rank in seq_along(all) - 1L) {
    other <- all[[rank + 1L]]
    if (!identical(other$names, first$names)) {
      stop_input("cluster", sprintf("Rank %d runs other code than rank 0.", rank),
                 remedy = "Install the same version of rankmix on all machines.", call = call)
    }
    differ <- which(other$texts != first$texts)
    if (length(differ) > 0L) {
      at <- differ[1L]
      stop_input("cluster", sprintf("Rank %d differs from rank 0 in: %s.", rank, first$names[at]),
                 sprintf("Rank 0: %s. Rank %d: %s.", first$texts[at], rank, other$texts[at]),
                 "Call the function with the same arguments and the same kind of data on all ranks.", call = call)
    }
  }
  invisible()
}

# Reports to the other ranks that the code fails on this rank.
with_cluster_failure <- function(cluster, code) {
  if (is.null(cluster) || !inherits(cluster, "rankmix_communicator")) {
    return(code)
  }
  report <- function(message) tryCatch(cluster$abort(message), error = function(e) NULL)
  withCallingHandlers(code, error = function(e) {
    # An error of the communicator itself is not reported again, because all ranks have it.
    if (!inherits(e, "rankmix_error_cluster")) report(conditionMessage(e))
  }, interrupt = function(e) report("It was interrupted."))
}

# The error that another rank has stopped.
stop_with_rank <- function(rank, message, call = NULL) {
  stop_input("cluster", sprintf("Rank %d has stopped, so this rank stops, too.", rank), message,
             "Start all ranks again. With a `checkpoint`, training resumes on any number of ranks.", call = call)
}

stop_other_call <- function(rank, own, other) {
  text <- function(call) {
    paste0(sprintf("%s of %s numbers, number %s", call[2L], call[3L], call[1L]),
           if (length(call) > 3L) sprintf(", of %s processes", call[4L]))
  }
  stop_input("cluster", sprintf("Rank %d reduces other numbers than this rank.", rank),
             sprintf("This rank: %s. Rank %d: %s.", text(own), rank, text(other)),
             "All ranks must run the same script with the same settings.", call = NULL)
}

# Shows one message that a rank is late.
say_late <- function(rank, seconds, where = "") {
  rlang::inform(sprintf("Waiting for rank %d%s since %s s.", rank, where, plain_number(round(seconds))),
                class = "rankmix_message_cluster")
}

stop_given_up <- function(rank, seconds) {
  stop_input("cluster", sprintf("Rank %d did not answer for %s s.", rank, plain_number(round(seconds))),
             remedy = "Is its machine there? A larger `give_up` waits longer.", call = NULL)
}

reduced <- function(kind, parts) {
  if (length(parts) == 1L) return(parts[[1L]])
  Reduce(if (kind == "add") `+` else pmax, parts)
}
