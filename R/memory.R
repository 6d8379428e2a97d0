# Running out of memory is one classed error. R and C++ have different errors for it.
# R's own code, such as regular expressions, may crash if nothing can be allocated. So some
# memory is reserved for raising the error, and the code that runs before the error is raised needs little memory.

# Runs the code of an exported function. If memory runs out, the frames of the code are left first,
# which frees their memory. Then the error is raised. Other errors of the package name the function that the
# user called. `call` is the frame of the exported function.
naming_memory <- function(code, call = rlang::caller_env()) {
  force(call)
  keep_memory_reserve()
  failed <- withRestarts(
    return(withCallingHandlers(code, error = function(e) {
      if (is_memory_error(e)) invokeRestart("rankmix_out_of_memory", memory_message(e))
      raise_from_user(e, call)
    })),
    rankmix_out_of_memory = function(message) message
  )
  stop_memory(failed, call)
}

# `says` is the text of R's or the system's error message.
stop_memory <- function(says, call = NULL, ...) {
  used <- free_memory_reserve()
  stop_input(
    "memory", "There is not enough memory.",
    c(paste("The system reports:", says),
      if (is.environment(call)) argument_sizes(call),
      if (used > 0) sprintf("R had %.0f MB of address space.", used)),
    paste("Remove large objects, raise the limit of the process, or use fewer documents, features",
          "or threads. `read_letor(sparse = TRUE)` keeps only the values that are not 0."),
    call = call, ...
  )
}

# The core raises this error. `bytes` is the requested size, or 0 if the size is unknown.
# naming_memory() replaces the error by an error with the call and the sizes of its arguments.
stop_core_memory <- function(says, bytes) {
  if (bytes > 0) says <- sprintf("%s, cannot allocate %s", says, size_words(bytes))
  stop_memory(says, core_says = says)
}

size_words <- function(bytes) {
  if (bytes < 2^20) sprintf("%.1f KB", bytes / 2^10)
  else if (bytes < 2^30) sprintf("%.1f MB", bytes / 2^20)
  else sprintf("%.1f GB", bytes / 2^30)
}

# The size of the first argument that holds documents, names their files, or is a model. Arguments that were not
# evaluated are skipped.
argument_sizes <- function(frame) {
  for (name in c("data", "newdata", "train", "x", "model", "file", "files")) {
    known <- exists(name, frame, inherits = FALSE) && !rlang::env_binding_are_lazy(frame, name)
    value <- if (known && !rlang::is_missing(frame[[name]])) frame[[name]]
    features <- if (inherits(value, "ranking_data")) value$x else value
    if (is.matrix(features) || isS4(features) || is.data.frame(features)) {
      return(sprintf("`%s` has %d documents x %d features, %s.", name, dim(features)[1L],
                     dim(features)[2L], size_words(as.numeric(utils::object.size(features)))))
    }
    if (inherits(value, "rankmix_ranker")) {
      return(sprintf("`%s` has %s.", name, size_words(as.numeric(utils::object.size(value)))))
    }
    if (startsWith(name, "file") && is.character(value)) {
      return(sprintf("`%s` has %s of text.", name, size_words(sum(file.size(value), na.rm = TRUE))))
    }
  }
}

is_memory_error <- function(e) {
  if (inherits(e, "rankmix_error")) {
    return(!is.null(e$core_says))
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

# Raises errors of memory again. For handlers that convert errors of other code.
keep_memory_error <- function(e) {
  if (inherits(e, "rankmix_error_memory") || is_memory_error(e)) stop(e)
}

memory_message <- function(e) if (is.null(e$core_says)) conditionMessage(e) else e$core_says

# The messages of R and C++, in the language of the session: of each message its longest piece
# without numbers.
memory_words <- function() {
  texts <- c("cannot allocate vector of size %0.1f Gb", "cannot allocate vector of size %0.1f Mb",
             "cannot allocate vector of size %0.f Kb", "cannot allocate vector of length %d",
             "memory exhausted (limit reached?)", "could not allocate memory (%u %s) in C function '%s'",
             "Cannot allocate memory", "cannot allocate memory",
             # R's converters between encodings report nothing else if they have no memory.
             "unsupported conversion from '%s' to '%s'")
  texts <- c(texts, gettext(texts, domain = "R"), "bad_alloc", "not enough contiguous virtual memory")
  unique(vapply(strsplit(texts, "%", fixed = TRUE), function(pieces) {
    pieces[which.max(nchar(pieces))]
  }, ""))
}
