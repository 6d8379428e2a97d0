# Files that are read and written: what all readers and writers share.

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
               remedy = "Check the path; a relative one starts at `getwd()`.",
               call = call)
  }
  if (dir.exists(file) || file.access(file, 4L) != 0L) {
    stop_input("file", sprintf("'%s' cannot be read.", file),
               remedy = "Give a text file that you may read.", call = call)
  }
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

# Raises what a parser of the core says is wrong with a file.
stop_if_failed <- function(file, parsed, call = rlang::caller_env()) {
  if (is.null(parsed$error)) {
    return(invisible(parsed))
  }
  if (parsed$kind == "file") {
    stop_input("file", sprintf("'%s' cannot be read to its end.", file),
               sprintf("The system says: %s.", parsed$error),
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

# Raised where a file is not the same at the end of reading as at the beginning.
stop_changed <- function(file, call) {
  stop_input("file", sprintf("'%s' changed while it was read.", file),
             "Another program has written to it or cut it off.",
             "Wait until it is complete, or read a copy.", call = call)
}

# What `read` gives of a file that another package reads, which must stay as it is.
read_unchanged <- function(file, read, call = rlang::caller_env()) {
  state <- function() file.info(file, extra_cols = FALSE)[c("size", "mtime")]
  before <- state()
  value <- read
  if (!identical(state(), before)) {
    stop_changed(file, call)
  }
  value
}

# Text of a file, which the core takes for UTF-8: what is not is latin1. It is marked, so
# that it is the same text in a session whose own encoding is another.
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
  force(lines)  # what is wrong with them is not the file's fault
  write_beside(file, function(partial) {
    writeLines(enc2utf8(lines), partial, useBytes = TRUE)
    NULL
  }, call)
}

# NULL, or what went wrong: R's connections may say nothing where the disk is full.
write_bytes <- function(bytes, path) {
  connection <- file(path, "wb")
  tryCatch(writeBin(bytes, connection), finally = suppressWarnings(close(connection)))
  if (file.size(path) != length(bytes)) "not all bytes were written"
}

# Writes beside the file first, so that what breaks off leaves nothing half-written
# behind. `write(path)` gives NULL or what went wrong, or fails.
write_beside <- function(file, write, call = rlang::caller_env()) {
  check_writable(file, call)
  path <- path.expand(file)
  partial <- tempfile(".partial", dirname(path))
  on.exit(unlink(partial))
  problem <- tryCatch({
    problem <- write(partial)
    if (is.null(problem) && !file.rename(partial, path)) "cannot rename" else problem
  }, error = conditionMessage, warning = conditionMessage)
  if (!is.null(problem)) {
    stop_input("file", sprintf("'%s' cannot be written.", file),
               sprintf("The system says: %s.", problem),
               "Is there room, and may you write there?", call = call)
  }
  invisible(file)
}

# Seventeen significant digits tell every double from every other; in every locale with a
# decimal point.
exact_text <- function(x) {
  exact_number_texts(as.double(x))
}

# What `code` gives while numbers are written with a decimal point, whatever LC_NUMERIC and
# the option OutDec say: R's own functions heed them, and other programs read what we write.
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
