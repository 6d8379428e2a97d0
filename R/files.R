# Shared code of all readers and writers of files.

check_path <- function(file, call, name = "file") {
  if (!is.character(file) || length(file) != 1L || is.na(file) || Encoding(file) == "bytes") {
    stop_input("argument",
               sprintf("`%s` must be one path, not %s.", name,
                       if (identical(file, NA_character_)) "NA" else show_value(file)),
               call = call)
  }
}

check_readable <- function(file, call = rlang::caller_env()) {
  check_path(file, call)
  if (!file.exists(file)) {
    stop_input("file", sprintf("There is no file '%s'.", file),
               remedy = c(similar_file(file), "Check the path; a relative one starts at `getwd()`."),
               call = call)
  }
  if (dir.exists(file)) {
    stop_input("file", sprintf("'%s' is a folder.", file), remedy = folder_remedy(file), call = call)
  }
  if (file.access(file, 4L) != 0L) {
    stop_input("file", sprintf("'%s' cannot be read.", file),
               remedy = "Give a text file that you may read.", call = call)
  }
}

# A file of nearly the same name in the same folder, such as "train.txt.gz" for "train.txt".
similar_file <- function(file) {
  near <- near_names(basename(file), utils::head(list.files(dirname(file)), 1000L))
  if (length(near) > 0L) sprintf("Did you mean '%s'?", sub("[^/]*$", near[1L], file))
}

# The files in a folder that was given instead of a file.
folder_remedy <- function(folder) {
  files <- list.files(folder)
  if (any(grepl("^Fold[0-9]+$|^(train|vali|valid|test)[.]", files))) {
    return("Give a file in it, or read the whole folder by `read_folds()`.")
  }
  c("Give the path of a file.", if (length(files) > 0L) sprintf("The folder has %s.", enumerate(files)))
}

check_writable <- function(file, call = rlang::caller_env(), name = "file") {
  check_path(file, call, name)
  path <- path.expand(file)
  if (!dir.exists(dirname(path)) || dir.exists(path)) {
    stop_input("file", sprintf("'%s' cannot be written.", file),
               remedy = "Give the path of a file in a folder that exists.",
               call = call)
  }
}

# Raises the error that the core's parser reports for a file.
stop_if_failed <- function(file, parsed, call = rlang::caller_env()) {
  if (is.null(parsed$error)) {
    return(invisible(parsed))
  }
  if (parsed$kind == "file") {
    stop_input("file", sprintf("'%s' cannot be read to its end.", file),
               sprintf("The system reports: %s.", parsed$error),
               "Is the file complete? Copy it again.", call = call)
  }
  if (parsed$kind == "changed") {
    stop_changed(file, call)
  }
  parsed$found <- printable(parsed$found)
  found <- if (nzchar(parsed$found)) {
    sprintf("Found `%s`.", parsed$found)
  } else {
    "Found the end of the line."
  }
  rlang::abort(
    condition_bullets(
      sprintf("'%s', line %s: %s.", file, plain_number(parsed$line), parsed$error),
      found,
      parsed$remedy
    ),
    class = c("rankmix_error_parse", "rankmix_error"),
    file = file, line = parsed$line, found = parsed$found, call = call
  )
}

# Raised if a file changed while it was read.
stop_changed <- function(file, call) {
  stop_input("file", sprintf("'%s' changed while it was read.", file),
             "Another program has written to it or cut it off.",
             "Wait until it is complete, or read a copy.", call = call)
}

# The value of `read`, code in which another package reads the file. Raises an error if the file changes meanwhile.
read_unchanged <- function(file, read, call = rlang::caller_env()) {
  state <- function() file.info(file, extra_cols = FALSE)[c("size", "mtime")]
  before <- state()
  value <- read
  if (!identical(state(), before)) {
    stop_changed(file, call)
  }
  value
}

# Text of a file as UTF-8, as the core reads it. Other bytes are read as latin1. The result is
# marked as UTF-8, so it is the same text in a session with another encoding.
as_utf8 <- function(x) {
  if (is.character(x)) {
    other <- !validUTF8(x)
    x[other] <- iconv(x[other], "latin1", "UTF-8")
    if (!all(other)) Encoding(x)[!other] <- "UTF-8"
  }
  x
}

# Writes lines, see write_beside().
write_text <- function(lines, file, call = rlang::caller_env()) {
  force(lines)  # errors in `lines` must not be reported as errors of the file
  write_beside(file, function(partial) {
    writing(writeLines(enc2utf8(lines), partial, useBytes = TRUE))
    NULL
  }, call)
}

# Returns NULL, or the problem. R's connections may report no error if the disk is full.
write_bytes <- function(bytes, path) {
  connection <- file(path, "wb")
  tryCatch(writeBin(bytes, connection), finally = suppressWarnings(close(connection)))
  if (file.size(path) != length(bytes)) "not all bytes were written"
}

# The value of code that writes to a connection or a file. R reports some problems of files by warnings only, so a
# warning becomes an error. Warnings of other code in write_beside(), such as the source of the data, stay
# warnings.
writing <- function(code) {
  tryCatch(code, warning = function(w) stop(conditionMessage(w), call. = FALSE))
}

# Writes to a temporary file beside the file, and renames it. So an interrupted call leaves no
# incomplete file. `write(path)` returns NULL or the problem, or raises an error.
write_beside <- function(file, write, call = rlang::caller_env()) {
  check_writable(file, call)
  path <- path.expand(file)
  partial <- tempfile(".partial", dirname(path))
  on.exit(unlink(partial))
  problem <- tryCatch({
    problem <- write(partial)
    if (is.null(problem) && !writing(file.rename(partial, path))) "cannot rename" else problem
  }, error = function(e) {
    # Errors that are not about the file keep their own message.
    if (inherits(e, "rankmix_error") || is_memory_error(e)) stop(e)
    conditionMessage(e)
  })
  if (!is.null(problem)) {
    stop_input("file", sprintf("'%s' cannot be written.", file),
               sprintf("The system reports: %s.", problem),
               "Is there enough space, and may you write there?", call = call)
  }
  invisible(file)
}

# Writes bytes, see write_beside().
write_bytes_beside <- function(bytes, file, call = rlang::caller_env()) {
  force(bytes)  # errors and warnings of `bytes` are not about the file
  write_beside(file, function(partial) writing(write_bytes(bytes, partial)), call)
}

# Runs write(path), which writes a temporary file and returns NULL or the problem.
write_temporary <- function(path, write, call = rlang::caller_env()) {
  problem <- tryCatch(writing(write(path)), error = function(e) {
    if (is_memory_error(e)) stop(e)
    conditionMessage(e)
  })
  if (!is.null(problem)) {
    stop_input("file", sprintf("The temporary file '%s' cannot be written.", path),
               sprintf("The system reports: %s.", problem),
               "Is its disk full? The environment variable TMPDIR sets another folder before R starts.", call = call)
  }
}

# Seventeen significant digits distinguish any two doubles. The decimal mark is a point in every
# locale.
exact_text <- function(x) {
  exact_number_texts(as.double(x))
}

# The value of `code`, during which numbers are written with a decimal point. Without this, R's
# functions would use LC_NUMERIC and the option OutDec, and other programs could not read the files.
with_points <- function(code) {
  old <- options(OutDec = ".")
  on.exit(options(old))
  locale <- Sys.getlocale("LC_NUMERIC")
  if (!identical(locale, "C")) {
    on.exit(suppressWarnings(Sys.setlocale("LC_NUMERIC", locale)), add = TRUE)
    suppressWarnings(Sys.setlocale("LC_NUMERIC", "C"))
  }
  force(code)
}
