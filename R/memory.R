# Running out of memory, which R and C++ tell in words of their own, is one classed error.
#
# Where nothing can be allocated, R's own code may crash: regular expressions, for one. Some memory
# is kept for the error, and what is done before it is raised needs little.

# Runs the code of a function that users call. Where memory runs out, the frames of the code are
# left first, which frees what they hold, and then the error is raised.
naming_memory <- function(code, call = rlang::caller_env()) {
  force(call)
  keep_memory_reserve()
  failed <- withRestarts(
    return(withCallingHandlers(code, error = function(e) {
      if (is_memory_error(e)) invokeRestart("rankmix_out_of_memory", conditionMessage(e))
    })),
    rankmix_out_of_memory = function(message) message
  )
  stop_memory(failed, call)
}

# `says` are the words of R or of the system.
stop_memory <- function(says, call = NULL) {
  used <- free_memory_reserve()
  stop_input(
    "memory", "There is not enough memory.",
    c(paste("The system says:", says),
      if (used > 0) sprintf("R had %.0f MB of address space.", used)),
    paste("Remove large objects, raise the limit of the process, or use fewer documents, features",
          "or threads. `read_letor(sparse = TRUE)` keeps only the values that are not 0."),
    call = call
  )
}

is_memory_error <- function(e) {
  if (inherits(e, "rankmix_error")) {
    return(FALSE)
  }
  free_memory_reserve()
  message <- conditionMessage(e)
  for (text in memory_words()) {
    if (grepl(text, message, fixed = TRUE)) {
      return(TRUE)
    }
  }
  FALSE
}

# What R and C++ say, in the language of the session: the longest piece around the numbers.
memory_words <- function() {
  texts <- c("cannot allocate vector of size %0.1f Gb", "cannot allocate vector of size %0.1f Mb",
             "cannot allocate vector of size %0.f Kb", "cannot allocate vector of length %d",
             "memory exhausted (limit reached?)", "could not allocate memory (%u %s) in C function '%s'",
             "Cannot allocate memory", "cannot allocate memory")
  texts <- c(texts, gettext(texts, domain = "R"), "bad_alloc")
  unique(vapply(strsplit(texts, "%", fixed = TRUE), function(pieces) {
    pieces[which.max(nchar(pieces))]
  }, ""))
}
