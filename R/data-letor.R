#' Read judged documents from LETOR text
#'
#' Reads lines of the form `grade qid:ID feature:value ... # comment`, as
#' distributed with LETOR, MSLR-WEB and the Yahoo! challenge, and as SVMlight's
#' ranking mode reads them.
#'
#' @param file Path of a text file; it may be compressed (`.gz`).
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
#' numbers become numbers. Lines of a query need not stand together. Text is UTF-8;
#' an id that is not is taken for latin1.
#'
#' @return A value as made by [ranking_data()], rows in the order of the file.
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
#' @section Cost: one pass over the text; memory for the features twice.
#'
#' @references Qin, Liu, Xu and Li (2010). LETOR: a benchmark collection for
#'   research on learning to rank for information retrieval.
#'   \doi{10.1007/s10791-009-9123-y}
#'
#' @examples
#' path <- system.file("extdata", "train.txt.gz", package = "rankmix")
#' read_letor(path)
#' @export
read_letor <- function(file, features = NULL, threads = NULL) {
  threads <- check_threads(threads)
  check_readable(file)
  if (!is.null(features)) {
    check_count(features, "features", max = 100000)
  }
  parsed <- letor_parse(enc2native(path.expand(file)))
  stop_if_failed(file, parsed)
  if (length(parsed$relevance) == 0L) {
    stop_input("empty", sprintf("'%s' holds no documents.", file),
               remedy = "Lines look like `2 qid:1 1:0.5 2:0.1`.")
  }
  x <- widen(parsed$x, features, file)
  new_ranking_data(
    x, parsed$relevance, parsed$query + 1L,
    whole_numbers(as_utf8(parsed$query_ids)), as_utf8(parsed$document), paste0("f", seq_len(ncol(x))), TRUE, character(), threads
  )
}

# Adds features of zeros on the right up to the number asked for.
widen <- function(x, features, file, call = rlang::caller_env()) {
  if (is.null(features)) {
    if (ncol(x) == 0L) {
      stop_input("feature", sprintf("'%s' has no features.", file),
                 remedy = "Lines look like `2 qid:1 1:0.5 2:0.1`.", call = call)
    }
    return(x)
  }
  if (ncol(x) > features) {
    stop_input(
      "argument",
      sprintf("'%s' has features up to %d, more than `features = %d`.", file,
              ncol(x), as.integer(features)),
      remedy = "Give a larger number, or leave `features` out.",
      call = call
    )
  }
  if (ncol(x) == features) {
    return(x)
  }
  cbind(x, matrix(0, nrow(x), features - ncol(x)))
}

# "10" becomes 10, but only if all ids do and none would change its spelling.
whole_numbers <- function(ids) {
  if (!all(grepl("^(0|[1-9][0-9]{0,8})$", ids))) {
    return(ids)
  }
  as.integer(ids)
}
