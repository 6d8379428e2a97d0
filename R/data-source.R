# Sources of ranking data that are read in chunks: files, database queries, Arrow streams, functions.
# A reader is a list of functions:
#   next_chunk()  the next data frame, or NULL at the end
#   where(row)    a text for errors: the place of this row of the last chunk
#   close()       frees what the reader holds

#' Data of any size, read in chunks
#'
#' `data_source()` describes where judged documents come from and what their columns mean. It reads nothing.
#' [binned_data()] turns a source into training data, which need a byte for each value. `predict()` and
#' [evaluate()] read a source in chunks.
#'
#' @param x The source, one of
#'   * paths of files, or of one folder with files: LETOR text, CSV (`.csv`, `.tsv`) or Parquet
#'     (`.parquet`). Text may be compressed (`.gz`). Files of a folder are read in the order of their names.
#'   * an Arrow stream, or what the package nanoarrow turns into one: Arrow datasets and tables, results of
#'     duckdb, polars data frames.
#'   * an open result of a database query, from `DBI::dbSendQuery()`.
#'   * a function without arguments that returns the next data frame, and `NULL` at the end.
#'   * a data frame, or [ranking_data()].
#' @param relevance,query,document,weight,position,document_weight The columns, as in [ranking_data()]:
#'   names or expressions of columns. LETOR text has its own `relevance` and `query`, which are then not given.
#' @param features The names of the feature columns. The default `NULL` is all columns that are not used
#'   otherwise. For LETOR text a number: the number of features, if trailing features may be absent.
#' @param chunk Number of rows that are read at a time from a CSV file or a database; default 100,000. A
#'   smaller number needs less memory. A Parquet file is one chunk.
#' @param ... Must be empty.
#'
#' @return A value of class `rankmix_source`.
#' @details Features must be numbers or logical values, at most 10,000 in LETOR text. `NA` is a missing
#' value. Rows of a query may be
#'   scattered over chunks and files. Database results, streams and functions can be read once only.
#' @section Conditions: `rankmix_error_file`: a file is missing, or its name does not show its format.
#'   `rankmix_error_argument`: `x` is nothing that can be read, or columns are given for LETOR text.
#'   While the source is read: the conditions of [ranking_data()], with the file or chunk and the row.
#' @seealso [binned_data()]
#' @examples
#' file <- system.file("extdata", "train.txt.gz", package = "rankmix")
#' data_source(file)
#' data_source(data.frame(bm25 = c(1, 2), grade = 0:1, id = 1), relevance = grade, query = id)
#' @export
data_source <- function(x, relevance = NULL, query, document = NULL, weight = NULL, position = NULL,
                        document_weight = NULL, features = NULL, chunk = 1e5, ...) {
  check_no_others(..., known = c(data_arguments, "features", "chunk"))
  check_given(missing(x), "x", "Give files, a database result, an Arrow stream or a function.")
  check_count(chunk, "chunk", max = 1e9)
  quos <- list(relevance = rlang::enquo(relevance), query = rlang::enquo(query),
               document = rlang::enquo(document), weight = rlang::enquo(weight),
               position = rlang::enquo(position), document_weight = rlang::enquo(document_weight))
  new_source(x, quos, features, chunk)
}

new_source <- function(x, quos, features, chunk, call = rlang::caller_env()) {
  if (inherits(x, "rankmix_source")) {
    return(x)
  }
  kind <- source_kind(x, call)
  if (is.character(x)) x <- source_files(x, call)
  own_columns <- kind %in% c("letor", "ranking_data")
  given <- !vapply(quos, function(quo) rlang::quo_is_missing(quo) || rlang::quo_is_null(quo), NA)
  if (own_columns && any(given)) {
    stop_input("argument",
               sprintf("`%s` is given, but %s it.", names(quos)[given][1L],
                       if (kind == "letor") "each line of LETOR text has" else "ranking data have"),
               remedy = "Leave it out.", call = call)
  }
  if (!own_columns && rlang::quo_is_missing(quos$query)) {
    stop_input("argument", "`query` is not given.", remedy = query_usage, call = call)
  }
  structure(list(x = x, kind = kind, quos = quos, features = features, chunk = chunk),
            class = "rankmix_source")
}

# inherits() would attach the package of an S4 object, such as Matrix.
is_source <- function(x) !isS4(x) && inherits(x, "rankmix_source")

#' @export
print.rankmix_source <- function(x, ...) {
  say("<data_source> ", switch(
    x$kind, letor = sprintf("LETOR text: %s", counted(length(x$x), "file")),
    csv = sprintf("CSV: %s", counted(length(x$x), "file")),
    parquet = sprintf("Parquet: %s", counted(length(x$x), "file")),
    frame = sprintf("data frame of %s", counted(nrow(x$x), "row")), dbi = "result of a database query",
    arrow = "Arrow stream", `function` = "function that gives data frames", ranking_data = "ranking data"
  ))
  given <- Filter(function(quo) !rlang::quo_is_null(quo) && !rlang::quo_is_missing(quo), x$quos)
  if (length(given) > 0L) {
    say(paste(names(given), "=", vapply(given, rlang::as_label, ""), collapse = ", "))
  }
  invisible(x)
}

source_kind <- function(x, call) {
  if (is.character(x)) {
    return(kind_of_files(source_files(x, call), call))
  }
  kinds <- c(ranking_data = "ranking_data", data.frame = "frame", DBIResult = "dbi", `function` = "function")
  for (class in names(kinds)) {
    if (inherits(x, class)) {
      return(kinds[[class]])
    }
  }
  if (is_arrow(x)) {
    return("arrow")
  }
  stop_input("argument", sprintf("`x` is nothing that can be read in chunks: %s.", show_value(x)),
             remedy = "Give paths, a database result, an Arrow stream, a function or a data frame.",
             call = call)
}

# The classes that nanoarrow, arrow and polars convert to a stream.
is_arrow <- function(x) {
  inherits(x, c("nanoarrow_array_stream", "ArrowTabular", "RecordBatchReader", "Dataset", "arrow_dplyr_query",
                "polars_data_frame", "RPolarsDataFrame", "tbl_duckdb_connection", "duckdb_relation"))
}

# The files of a folder, or the files that are given.
source_files <- function(paths, call) {
  if (length(paths) == 0L || anyNA(paths)) {
    stop_input("argument", "No file is given.", remedy = "Give paths of files, or of one folder.", call = call)
  }
  if (length(paths) == 1L && dir.exists(paths)) {
    found <- sort(list.files(paths, pattern = "^[^._]", full.names = TRUE), method = "radix")
    found <- found[!dir.exists(found)]
    if (length(found) == 0L) {
      stop_input("file", sprintf("The folder '%s' has no files.", paths), call = call)
    }
    return(found)
  }
  for (path in paths) check_readable(path, call)
  paths
}

kind_of_files <- function(files, call) {
  kinds <- vapply(files, kind_of_file, "")
  if (length(unique(kinds)) > 1L) {
    other <- which(kinds != kinds[1L])[1L]
    stop_input("file", "The files have different formats.",
               sprintf("'%s' is %s, '%s' is %s.", files[1L], kinds[1L], files[other], kinds[other]),
               "Read files of one format at a time.", call = call)
  }
  kinds[[1L]]
}

kind_of_file <- function(file) {
  name <- ascii_lower(file)
  if (grepl("[.]parquet$", name)) {
    return("parquet")
  }
  if (grepl("[.](csv|tsv)([.]gz)?$", name)) "csv" else "letor"
}

# The reader of a source whose chunks are data frames.
frame_reader <- function(source, call) {
  switch(source$kind,
         frame = one_frame(source$x), csv = csv_reader(source, call), parquet = parquet_reader(source, call),
         dbi = dbi_reader(source$x, source$chunk, call), arrow = arrow_reader(source$x, call),
         `function` = function_reader(source$x, call))
}

# The place of a row of a numbered chunk.
chunk_place <- function(number) {
  function(row) sprintf("Chunk %d, row %d", number(), row)
}

no_close <- function() NULL

one_frame <- function(frame) {
  done <- FALSE
  list(next_chunk = function() {
    if (done) {
      return(NULL)
    }
    done <<- TRUE
    frame
  }, where = function(row) sprintf("Row %d", row), close = no_close)
}

function_reader <- function(f, call) {
  number <- 0L
  list(next_chunk = function() {
    number <<- number + 1L
    chunk <- f()
    if (!is.null(chunk) && !is.data.frame(chunk)) {
      stop_input("argument", sprintf("The function must return a data frame or NULL, not %s.", show_value(chunk)),
                 sprintf("This was its chunk %d.", number), call = call)
    }
    chunk
  }, where = chunk_place(function() number), close = no_close)
}

dbi_reader <- function(result, rows, call) {
  rlang::check_installed("DBI", "to read a database.", call = call)
  number <- 0L
  list(next_chunk = function() {
    number <<- number + 1L
    chunk <- DBI::dbFetch(result, n = rows)
    if (nrow(chunk) > 0L) chunk
  }, where = chunk_place(function() number), close = no_close)
}

arrow_reader <- function(x, call) {
  rlang::check_installed("nanoarrow", "to read Arrow data.", call = call)
  stream <- nanoarrow::as_nanoarrow_array_stream(x)
  number <- 0L
  list(next_chunk = function() {
    number <<- number + 1L
    array <- stream$get_next()
    if (!is.null(array)) as.data.frame(array)
  }, where = chunk_place(function() number), close = function() stream$release())
}

parquet_reader <- function(source, call) {
  at <- 0L
  list(next_chunk = function() {
    at <<- at + 1L
    if (at <= length(source$x)) read_parquet(source$x[at], call)
  }, where = function(row) sprintf("'%s', row %d", source$x[at], row), close = no_close)
}

# Each chunk of lines goes to a small file with the header, which the reader of whole tables reads.
csv_reader <- function(source, call) {
  at <- 0L
  connection <- NULL
  header <- character()
  line <- 0
  place <- NULL
  part <- tempfile("chunk", fileext = ".csv")
  shut <- function() {
    if (!is.null(connection)) close(connection)
    connection <<- NULL
    unlink(part)
  }
  open_next <- function() {
    at <<- at + 1L
    if (at > length(source$x)) {
      return(FALSE)
    }
    connection <<- file(source$x[at], "rb")
    if (grepl("[.]gz$", source$x[at])) {
      close(connection)
      connection <<- gzfile(source$x[at], "rb")
    }
    header <<- readLines(connection, 1L, warn = FALSE)
    line <<- 1
    TRUE
  }
  next_chunk <- function() {
    repeat {
      if (is.null(connection) && !open_next()) {
        return(NULL)
      }
      lines <- whole_records(connection, source$chunk)
      if (length(lines) > 0L) {
        break
      }
      shut()
    }
    before <- line
    line <<- line + length(lines)
    writeLines(c(header, lines), part, useBytes = TRUE)
    located <- function(e) stop_at_line(e, source$x[at], before - 1, call)
    tryCatch({
      chunk <- read_csv(part, source$quos, source$features, FALSE, check_threads(NULL), call)
      of_row <- text_line(chunk)
      place <<- function(row) shifted_line(of_row(row), before - 1)
      chunk
    }, rankmix_error = located)
  }
  list(next_chunk = next_chunk, where = function(row) sprintf("'%s', %s", source$x[at], place(row)),
       close = shut)
}

# Lines up to the end of a record: a quoted field may have line breaks.
whole_records <- function(connection, rows) {
  lines <- readLines(connection, rows, warn = FALSE)
  quotes <- function(lines) sum(lengths(regmatches(lines, gregexpr("\"", lines, fixed = TRUE))))
  open <- length(lines) > 0L && any(grepl("\"", lines, fixed = TRUE, useBytes = TRUE)) && quotes(lines) %% 2 == 1
  while (open) {
    more <- readLines(connection, 1L, warn = FALSE)
    lines <- c(lines, more)
    open <- length(more) > 0L && quotes(more) %% 2 == 0
  }
  lines
}

# "line 7" of a chunk as a line of the file, which begins `shift` lines earlier.
shifted_line <- function(where, shift) {
  if (is.na(line_number(where))) {
    return(sprintf("%s after line %s", where, plain_number(shift + 1)))
  }
  sprintf("line %s", plain_number(line_number(where) + shift))
}

# An error about a line of a chunk, as one about the file.
stop_at_line <- function(error, file, shift, call) {
  if (is.null(error$line) || is.na(error$line)) {
    rlang::abort(c(sprintf("'%s': %s", file, error$message), error$body),
                 class = setdiff(class(error), c("rlang_error", "error", "condition")), file = file, call = call)
  }
  problem <- sub("^'[^']*', line [0-9]+: ", "", error$message)
  rlang::abort(
    c(sprintf("'%s', line %s: %s", file, plain_number(error$line + shift), problem), error$body),
    class = setdiff(class(error), c("rlang_error", "error", "condition")),
    file = file, line = error$line + shift, call = call
  )
}

# The columns of a chunk by their roles, and its features as a matrix. Errors say where the row is.
chunk_parts <- function(frame, source, where, call) {
  tryCatch({
    check_names(names(frame), call)
    parts <- Map(function(quo, name) frame_column(quo, frame, name, several = name == "query", call = call,
                                                     # In a chunk of few rows, columns are equal by chance.
                                                     equal = FALSE),
                 source$quos, names(source$quos))
    used <- unlist(lapply(parts, `[[`, "columns"))
    features <- if (is.null(source$features)) setdiff(names(frame), used) else source$features
    check_named(features, frame, call)
    check_chunk_features(frame, features, call)
    x <- encode_frame(frame, features, list(), call)
    check_finite(list(infinite = find_infinite(x, 1L)), x, features, call)
    c(list(x = x, left_out = columns_by_role(setdiff(names(frame), features), parts$query)),
      checked_roles(lapply(parts, `[[`, "value"), nrow(frame), call))
  }, rankmix_error = function(e) stop_in_chunk(e, where, call))
}

checked_roles <- function(values, rows, call) {
  query <- check_ids(single_query(values$query, rows, call), "query", call)
  list(
    query = query,
    relevance = if (!is.null(values$relevance)) check_relevance(values$relevance, call),
    document = if (!is.null(values$document)) id_text(check_ids(values$document, "document", call)),
    weight = if (!is.null(values$weight)) as.double(values$weight),
    position = if (!is.null(values$position)) check_positions(values$position, call),
    document_weight = if (!is.null(values$document_weight)) check_document_weights(values$document_weight, call)
  )
}

# A factor of a chunk need not have the levels of later chunks.
check_chunk_features <- function(frame, features, call) {
  factors <- features[vapply(features, function(name) is.factor(frame[[name]]) || is.character(frame[[name]]), NA)]
  if (length(factors) > 0L) {
    stop_input("feature", sprintf("The column `%s` is no number.", factors[1L]),
               "Data that are read in chunks have numbers as features.",
               c("Code it as numbers in the source, or list the features: `features = `.",
                 if (looks_like_document(frame[[factors[1L]]], factors[1L])) document_remedy(factors[1L])),
               call = call)
  }
}

stop_in_chunk <- function(error, where, call) {
  if (is.null(error$row)) {
    rlang::cnd_signal(error)
  }
  place <- where(error$row)
  rlang::abort(c(sprintf("%s: %s", place, error$message), error$body),
               class = setdiff(class(error), c("rlang_error", "error", "condition")),
               row = error$row, line = line_number(sub("^'.*', ", "", place)), call = call)
}
