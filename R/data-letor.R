#' Read and write judged documents as LETOR text
#'
#' `read_letor()` reads lines of the form `grade qid:ID feature:value ... # comment`, as
#' distributed with LETOR, MSLR-WEB and the Yahoo! challenge, and as SVMlight's
#' ranking mode reads them; `write_letor()` writes them.
#'
#' @param file Path of a text file; it may be compressed (`.gz`). Several paths are
#'   read as one text, so that a query may go on in the next file. To write, the
#'   path of a file, which is compressed where it ends in `.gz`.
#' @param features Number of features. By default the largest index in the
#'   file. Give it to keep features that are 0 in all lines of a file.
#' @param threads Number of threads; results do not depend on it.
#'
#' @details
#' Features that a line leaves out are 0; `NULL`, `NA` and `NaN` are missing.
#' Indexes start at 1 and increase along the line. Numbers are rounded exactly
#' as the C function `strtod()` rounds them. A comment `#docid = X` gives the id
#' of the document; other comments and empty lines are skipped, lines may end in
#' CR LF. The features are named `f1`, `f2`, .... Query ids that all are whole
#' numbers become numbers. Lines of a query need not stand together; where they do
#' not, a message of class `rankmix_message_scattered` says so, once. Text is UTF-8;
#' an id that is not is taken for latin1.
#'
#' `write_letor()` writes every feature of every document, in the shortest decimals
#' that are read back as the same number, missing values as `NULL`, and document ids
#' as comments: what is written is read back identically, but for the names of the
#' features.
#'
#' @return `read_letor()`: a value as made by [ranking_data()], rows in the order of
#'   the file. `write_letor()`: `file`, invisibly; what stood there before is
#'   replaced only when all is written.
#'
#' @section Conditions:
#' `rankmix_error_parse` with the fields `file`, `line`, `found`: a line that
#' does not parse, a grade that is negative or fractional, a missing `qid`, a
#' feature index that is 0, too large or out of order, a value that is not
#' finite. `rankmix_error_file`: the file is missing, cannot be read,
#' or is compressed and breaks off.
#' `rankmix_error_empty`: it has no line with a document. Nothing half-read is
#' returned.
#'
#' @section Cost: two passes over the text, in parallel; besides the data it
#'   returns, memory for a few megabytes of text, but for the ids of documents.
#'
#' @references Qin, Liu, Xu and Li (2010). LETOR: a benchmark collection for
#'   research on learning to rank for information retrieval.
#'   \doi{10.1007/s10791-009-9123-y}
#'
#' @examples
#' path <- system.file("extdata", "train.txt.gz", package = "rankmix")
#' data <- read_letor(path)
#' data
#'
#' copy <- tempfile()
#' write_letor(data, copy)
#' identical(read_letor(copy)$x, data$x)
#' @export
read_letor <- function(file, features = NULL, threads = NULL) {
  threads <- check_threads(threads)
  check_files(file)
  if (!is.null(features)) {
    check_count(features, "features", max = 100000)
  }
  parsed <- letor_parse(enc2native(path.expand(file)),
                        as.integer(if (is.null(features)) 0L else features), threads)
  stop_if_failed(file[if (is.null(parsed$file)) 1L else parsed$file], parsed)
  check_letor_size(parsed, features, file)
  if (parsed$scattered > 0) {
    rlang::inform(
      sprintf("Queries whose lines do not stand together: %s. Each is one query.",
              format_count(parsed$scattered)),
      class = c("rankmix_message_scattered", "rankmix_message")
    )
  }
  new_ranking_data(
    parsed$x, parsed$relevance, parsed$query + 1L,
    whole_numbers(as_utf8(parsed$query_ids)), as_utf8(parsed$document),
    paste0("f", seq_len(ncol(parsed$x))), TRUE, character(), threads
  )
}

check_files <- function(file, call = rlang::caller_env()) {
  if (!is.character(file) || length(file) == 0L) {
    stop_input("argument",
               sprintf("`file` must be one path or several, not %s.",
                       show_value(file)),
               call = call)
  }
  for (path in file) {
    check_readable(path, call)
  }
}

check_letor_size <- function(parsed, features, file, call = rlang::caller_env()) {
  what <- if (length(file) == 1L) sprintf("'%s'", file) else "The files"
  verb <- function(one, several) if (length(file) == 1L) one else several
  usage <- "Lines look like `2 qid:1 1:0.5 2:0.1`."
  if (nrow(parsed$x) == 0L) {
    stop_input("empty", sprintf("%s %s no documents.", what, verb("holds", "hold")),
               remedy = usage, call = call)
  }
  if (ncol(parsed$x) == 0L) {
    stop_input("feature", sprintf("%s %s no features.", what, verb("has", "have")),
               remedy = usage, call = call)
  }
  if (!is.null(features) && ncol(parsed$x) > features) {
    stop_input(
      "argument",
      sprintf("%s %s features up to %d, more than `features = %d`.", what,
              verb("has", "have"), ncol(parsed$x), as.integer(features)),
      remedy = "Give a larger number, or leave `features` out.",
      call = call
    )
  }
}

#' @param data Ranking data, made by [ranking_data()] or [read_letor()].
#' @rdname read_letor
#' @export
write_letor <- function(data, file, threads = NULL) {
  threads <- check_threads(threads)
  check_class(data, "data", "ranking_data", "`ranking_data()`")
  ids <- id_text(data$query_ids)
  check_letor_ids(ids, "query")
  if (!is.null(data$document)) {
    check_letor_ids(data$document[!is.na(data$document)], "document")
  }
  write_beside(file, function(partial) {
    letor_write(enc2native(partial), data$x, data$relevance, data$query,
                enc2utf8(ids),
                if (is.null(data$document)) character() else enc2utf8(data$document),
                grepl("[.]gz$", file), threads)
  })
}

# Ids end at a blank, and what follows "#" is a comment.
check_letor_ids <- function(ids, name, call = rlang::caller_env()) {
  check_words(ids, name, call)
  bad <- grep("#", ids, fixed = TRUE)[1L]
  if (!is.na(bad)) {
    stop_input("argument",
               sprintf("The %s %s cannot be written: `#` begins a comment.", name,
                       show_value(ids[bad])),
               remedy = "Replace it.", call = call)
  }
}

# "10" becomes 10, but only if all ids do and none would change its spelling.
whole_numbers <- function(ids) {
  if (!all(grepl("^(0|[1-9][0-9]{0,8})$", ids))) {
    return(ids)
  }
  as.integer(ids)
}
