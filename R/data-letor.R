#' Read and write judged documents as LETOR text
#'
#' `read_letor()` reads lines of the form `relevance qid:ID feature:value ... # comment`, the format of
#' LETOR, MSLR-WEB, the Yahoo! challenge and SVMlight's ranking mode. `write_letor()` writes such lines.
#'
#' @param file The path of a text file, which may be compressed (`.gz`). Several paths are read as one
#'   text. `write_letor()` compresses if the path ends in `.gz`.
#' @param features Number of features. The default `NULL` is the largest index. Set the number to keep the
#' last features if they are 0 in all lines.
#' @param sparse Whether to return a sparse matrix, a `dgCMatrix` of the package Matrix; default `FALSE`. Use `TRUE` if
#'   most values are 0. Indexes may then go up to 1,000,000, otherwise to 100,000.
#' @param query The queries, if they are in a side file such as LightGBM's `.query` or XGBoost's
#'   `.group`: the result of [query_groups()]. The default `NULL` reads the `qid` of the lines.
#' @param graded Whether the relevance must be grades, whole numbers from 0 to 127; default `TRUE`, which
#'   finds typing errors. `FALSE` reads any finite numbers, such as click rates or revenue.
#' @param threads Number of threads. Results do not depend on it.
#'
#' @details Features that a line omits are 0. `NULL`, `NA` and `NaN` are missing. Indexes start at 1 and
#'   increase along the line. A comment `#docid = X` has the id of the document. Other comments and
#'   empty lines are skipped. Lines may end in CR LF. The features are named `f1`, `f2`, .... If all
#'   query ids are whole numbers, they become numbers. Lines of a query may be scattered; then one
#'   message of class `rankmix_message_scattered` reports it. Text is UTF-8. An id that is not valid
#'   UTF-8 is read as latin1.
#'
#' `write_letor()` writes every feature of every document, or for sparse data every value that is not 0. It writes the
#' shortest decimals that are read back as the same number, `NULL` for missing values, and comments with document ids.
#' The file is read back identically, except for feature names, query weights and the type of numeric query ids. With
#' `groups`, query ids are also lost, and documents of scattered queries are reordered. Relevance that is not graded
#' needs `graded = FALSE` when it is read.
#'
#' @return `read_letor()`: [ranking_data()], rows in the order of the file. `write_letor()`: `file`,
#'   invisibly. A file is replaced only after everything has been written.
#'
#' @section Conditions:
#' * `rankmix_error_parse` with the fields `file`, `line`, `found`: a line that does not parse, or a missing
#'   `qid`. A grade that is negative, fractional or above 127. A feature index that is 0, too large or out of order. A
#'   value that is not finite.
#' * `rankmix_error_file`: the file is missing, unreadable, or compressed and incomplete.
#' * `rankmix_error_empty`: the file has no line with a document.
#' * `rankmix_error_length`: the groups do not sum to the lines.
#' * `rankmix_error_unjudged`: data without grades can be written only with `unjudged`.
#' * `rankmix_warning_leak`: a feature reveals the grades, as in [ranking_data()]. `read_letor()` keeps the
#'   feature, because features are identified by their numbers.
#'
#' @section Cost: Two passes over the text, in parallel. Sparse data need twice their size.
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
#'
#' groups <- tempfile()
#' write_letor(data, copy, groups = groups)
#' read_letor(copy, query = query_groups(groups))
#' @export
read_letor <- function(file, features = NULL, sparse = FALSE, query = NULL, graded = TRUE, threads = NULL) {
  check_given(missing(file), "file", "Give the path of a LETOR text.")
  threads <- check_threads(threads)
  check_files(file)
  check_flag(sparse, "sparse")
  check_flag(graded, "graded")
  if (!is.null(features)) {
    check_count(features, "features", max = if (sparse) 1000000 else 100000)
  }
  if (!is.null(query)) {
    check_class(query, "query", "rankmix_groups", "`query_groups()`")
  }
  parsed <- letor_parse(enc2native(path.expand(file)), as.integer(if (is.null(features)) 0L else features),
                        sparse, is.null(query), graded, threads)
  stop_if_failed(file[if (is.null(parsed$file)) 1L else parsed$file], parsed)
  check_letor_size(parsed, features, file)
  if (parsed$scattered > 0) {
    rlang::inform(
      sprintf("Queries with scattered lines: %s. Each is read as one query.",
              format_count(parsed$scattered)),
      class = c("rankmix_message_scattered", "rankmix_message")
    )
  }
  relevance <- letor_relevance(parsed, graded)
  schema <- feature_schema(paste0("f", seq_len(parsed$features)), TRUE)
  x <- if (sparse) {
    new_sparse(parsed$x, length(parsed$relevance), schema$features)
  } else {
    parsed$x
  }
  document <- as_utf8(parsed$document)
  if (is.null(query)) {
    query_ids <- whole_numbers(as_utf8(parsed$query_ids))
    query <- parsed$query + 1L
  } else {
    groups <- groups_of_rows(query, length(parsed$relevance))
    query_ids <- unique(groups)
    query <- match(groups, query_ids)
  }
  warn_leaks(x, relevance, schema, threads)
  new_ranking_data(x, relevance, query, query_ids, document, NULL, schema,
                   threads)
}

# Whole numbers from 0 to 127 are grades, also if other relevance is allowed.
letor_relevance <- function(parsed, graded) {
  if (graded) as.integer(parsed$relevance) else check_relevance(parsed$relevance)
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
  if (length(parsed$relevance) == 0L) {
    stop_input("empty", sprintf("%s %s no documents.", what, verb("contains", "contain")),
               remedy = usage, call = call)
  }
  if (parsed$features == 0L) {
    stop_input("feature", sprintf("%s %s no features.", what, verb("has", "have")),
               remedy = c(usage, paste("Judgements without features, such as `2 qid:1 # document7`,",
                                       "are read by `read_qrels()`.")), call = call)
  }
  if (!is.null(features) && parsed$features > features) {
    stop_input(
      "argument",
      sprintf("%s %s features up to %d, more than `features = %d`.", what,
              verb("has", "have"), parsed$features, as.integer(features)),
      remedy = "Give a larger number, or leave `features` out.",
      call = call
    )
  }
}

#' @param data The ranking data, made by [ranking_data()] or [read_letor()]. Or a [data_source()], which is
#'   read and written in chunks.
#' @param groups The path of a side file for the sizes of the queries, such as `train.txt.query` for
#'   LightGBM or `train.txt.group` for XGBoost. Lines then have no `qid`, and documents are written query
#'   by query.
#' @param unjudged The grade, such as 0, that is written in all lines if the data have no grades.
#' @rdname read_letor
#' @export
write_letor <- function(data, file, groups = NULL, unjudged = NULL, threads = NULL) {
  check_given(missing(data), "data", "Give the data to write, then the path of a file.")
  check_given(missing(file), "file", "Give the path of the file to write.")
  threads <- check_threads(threads)
  if (is_source(data)) {
    return(write_source(data, file, groups, unjudged, threads))
  }
  check_ranking_data(data, judged = FALSE)
  refuse_wide_factors(data$encoding)
  relevance <- written_grades(data, unjudged)
  ids <- id_text(data$query_ids)
  check_letor_ids(ids, "query")
  document <- data$document
  if (!is.null(document)) {
    check_letor_ids(document[!is.na(document)], "document")
    document <- enc2utf8(document)
  }
  x <- if (is_sparse(data$x)) Matrix::t(data$x) else data$x
  write <- function(ids, order) {
    write_beside(file, function(partial) {
      letor_write(enc2native(partial), x, relevance, data$query, ids,
                  as.character(document), order, grepl("[.]gz$", file), threads)
    })
  }
  if (is.null(groups)) {
    return(write(enc2utf8(ids), integer()))
  }
  if (!is.character(groups) || identical(groups, file)) {
    stop_input("argument",
               sprintf("`groups` must be the path of another file than `file`, not %s.",
                       show_value(groups)))
  }
  check_writable(groups)
  write(character(), data$order)
  write_text(sprintf("%d", diff(data$offsets)), groups)
  invisible(file)
}

# Chunks are written to a small file, which is appended to the result. Groups need whole queries.
write_source <- function(source, file, groups, unjudged, threads, call = rlang::caller_env()) {
  if (!is.null(groups)) {
    stop_input("argument", "`groups` cannot be written for a source, which has parts of queries.",
               remedy = "Leave `groups` out. Lines then have a `qid`.", call = call)
  }
  part <- tempfile(fileext = ".txt")
  on.exit(unlink(part))
  write_beside(file, function(partial) {
    text <- writing(if (grepl("[.]gz$", file)) gzfile(partial, "wb") else base::file(partial, "wb"))
    on.exit(if (!is.null(text)) close(text))
    for_each_chunk(source, if (is_plain_number(source$features)) source$features, threads, function(data) {
      write_letor(data, part, unjudged = unjudged, threads = threads)
      bytes <- readBin(part, "raw", file.size(part))
      writing(writeBin(bytes, text))
    }, call, "Writing")
    closed <- text
    text <- NULL
    writing(close(closed))
    NULL
  }, call)
}

# Every line of LETOR text begins with a grade.
written_grades <- function(data, unjudged, call = rlang::caller_env()) {
  if (!is.null(unjudged)) {
    check_count(unjudged, "unjudged", min = 0, max = largest_grade, call = call)
  }
  if (is_judged(data)) {
    return(as.double(data$relevance))
  }
  if (is.null(unjudged)) {
    stop_input("unjudged", "`data` has no grades, and lines of LETOR text begin with one.",
               remedy = "Write a grade for all documents, as other tools expect: `unjudged = 0`.",
               call = call)
  }
  rep(as.double(unjudged), nrow(data))
}

# Ids end at a blank, and text after "#" is a comment.
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
