# Sources of ranking data that are read in chunks: files, database queries, Arrow streams, functions.
# A reader is a list of functions:
#   next_chunk()  the next data frame, or NULL at the end
#   where(row)    a text for errors: the place of this row of the last chunk
#   close()       frees the resources of the reader

#' Data of any size, read in chunks
#'
#' `data_source()` describes where documents come from and what their columns mean. The function reads nothing. Use it
#' to predict and evaluate files or tables that do not fit into memory: `predict()`, [evaluate()] and
#' [compare_rankers()] read a source in chunks. For training, [binned_data()] reads a source.
#'
#' @param x The source, one of
#'   * paths of files, or of one folder with files: LETOR text, CSV (`.csv`, `.tsv`) or Parquet
#'     (`.parquet`). Text may be compressed (`.gz`). Files of a folder are read in the order of their names.
#'   * an Arrow stream, or an object that the package nanoarrow turns into a stream: Arrow datasets and
#'     tables, results of duckdb, polars data frames.
#'   * an open result of a database query, from `DBI::dbSendQuery()`.
#'   * a function without arguments that returns the next data frame, and `NULL` after the last one.
#'   * a data frame, or [ranking_data()].
#' @param relevance,query,document,weight,position,document_weight,labels The columns, as in [ranking_data()]: names
#'   or expressions of columns. An expression must give each row the same value in any chunk. Tables need `query`, and
#'   also `relevance` except for predictions. Leave these arguments out for LETOR text and ranking data, which define
#'   their own columns.
#' @param features The names of the feature columns. The default `NULL` uses all columns that have no other role. For
#'   LETOR text, the number of features: lines may lack trailing features that are 0.
#' @param chunk Number of rows that are read at a time from CSV files and databases, and from LETOR text for
#'   predictions; default 100,000, which takes 110 MB with 136 features. A smaller number needs less memory.
#'   A Parquet file is one chunk. A batch of an Arrow stream is one chunk, too.
#' @param factors Which columns of strings become factors: the names of these columns, or `TRUE` for all columns of
#'   strings that are features. With the default `FALSE` strings are an error. A named column of numbers becomes a
#'   factor, too. Its levels are spelt as in the CSV file: `0123` and `123` differ. Only for tables.
#' @param ... Must be empty.
#' @param graded For LETOR text only: whether the relevance must be grades, whole numbers from 0 to 127;
#'   default `TRUE`. `FALSE` reads any finite numbers. Tables may have any relevance.
#' @param verbose Whether `predict()`, [evaluate()] and the functions that write files show progress while they read
#'   the source; default `TRUE`. The time left is shown for text files that are not compressed, else the number of rows.
#'   A console shows a bar, a script shows a line every half minute.
#'
#' @return A value of class `rankmix_source`.
#' @details **Features** must be numbers, logical values, factors, dates or times. In CSV files they must be numbers, or
#'   strings with `factors`. Values with a leading zero, such as `0123`, are strings. `NA` is a missing value.
#'   [binned_data()] reads at most 10,000 features of LETOR text.
#'
#'   **Factors** are coded as in [ranking_data()], by the levels of all chunks. If chunks have different levels, levels
#'   are in the order of their names in the C locale. Levels of strings are always in this order. An ordered factor must
#'   have the same levels in all chunks. A factor may have at most 1,000 levels. In new data, levels that the model does
#'   not have are missing values, with a warning.
#'
#'   **Chunks** must have the same columns, in any order. Rows of a query may be scattered over chunks and
#'   files.
#'
#'   **Expressions** of columns are computed chunk by chunk. So they must give each row the same value in any chunk, as
#'   `pmin(grade, 2)` does. `as.integer(factor(site))` does not, because the codes depend on the other rows. The
#'   first chunk is checked for this. [query_groups()] need data that are read at once.
#'
#'   **Reading.** Nothing is checked before a source is read. Database results, streams and functions can be
#'   read once only.
#'
#'   **Whole queries.** `predict()` and [evaluate()] refuse models whose scores depend on the other documents
#'   of the query: [pair_chain()], [cascade()], and mixtures with `standardize = "query"` or features that are
#'   standardised or whitened. Models that contain such a model are refused, too. A function of [new_ranker()] or
#'   [mixture()] gets one chunk at a time.
#' @section Conditions: `rankmix_error_file`: a file is missing, files have different formats, or a file is
#'   not LETOR text, CSV or Parquet.
#'   `rankmix_error_argument`: `x` cannot be read in chunks, or an argument is given that the source already defines.
#'   `rankmix_error_column`: an expression gives a row another value if the chunk has other rows.
#'   `rankmix_error_source`: a function, database or stream fails. `rankmix_error_empty`: there are no rows. While the
#'   source is read: the conditions of [ranking_data()], with the file or chunk and the row.
#' @seealso [binned_data()]
#' @examples
#' file <- system.file("extdata", "train.txt.gz", package = "rankmix")
#' data_source(file)
#' data_source(data.frame(bm25 = c(1, 2), grade = 0:1, id = 1), relevance = grade, query = id)
#' model <- fit(gbrt(trees = 10), read_letor(file), threads = 1, verbose = FALSE)
#' test <- data_source(system.file("extdata", "test.txt.gz", package = "rankmix"))
#' head(predict(model, test))
#' @export
data_source <- function(x, relevance = NULL, query, document = NULL, weight = NULL, position = NULL,
                        document_weight = NULL, features = NULL, chunk = 1e5, ..., labels = NULL,
                        graded = TRUE, verbose = TRUE, factors = FALSE) {
  check_no_others(..., known = c(data_arguments, "features", "chunk", "graded", "verbose", "factors"))
  check_flag(verbose, "verbose")
  check_given(missing(x), "x", "Give files, a database result, an Arrow stream or a function.")
  quos <- list(relevance = rlang::enquo(relevance), query = rlang::enquo(query),
               document = rlang::enquo(document), weight = rlang::enquo(weight),
               position = rlang::enquo(position), document_weight = rlang::enquo(document_weight),
               labels = rlang::enquo(labels))
  source <- new_source(x, quos, features, if (!missing(chunk)) chunk, if (!missing(graded)) graded,
                       if (!missing(factors)) factors)
  if (!is_source(x) || !missing(verbose)) source$verbose <- verbose
  source
}

# `chunk`, `graded` and `factors` are NULL if they were not given.
new_source <- function(x, quos, features, chunk, graded, factors, call = rlang::caller_env()) {
  roles <- names(quos)[!vapply(quos, function(quo) rlang::quo_is_missing(quo) || rlang::quo_is_null(quo), NA)]
  if (is_source(x)) {
    given <- c(roles, if (!is.null(features)) "features", if (!is.null(chunk)) "chunk",
               if (!is.null(graded)) "graded", if (!is.null(factors)) "factors")
    refuse_twice(given, "the source has", "Leave it out, or change the call of `data_source()`.", call)
    return(x)
  }
  kind <- source_kind(x, call)
  if (is.character(x)) x <- source_files(x, call)
  if (!is.null(factors)) check_kind_of_factors(kind, call)
  if (kind == "letor") {
    refuse_twice(roles, "each line of LETOR text has",
                 c("Leave it out.", "The name of a table must end in `.csv`, `.tsv` or `.parquet`."), call)
  } else if (kind == "ranking_data") {
    refuse_binned(x, "x", call)
    refuse_wide_factors(x$encoding, call)
    refuse_twice(c(roles, if (!is.null(features)) "features"), "ranking data contain", "Leave it out.", call)
  } else if (rlang::quo_is_missing(quos$query)) {
    stop_input("argument", "`query` is not given.", remedy = query_usage, call = call)
  }
  if (!is.null(features)) check_source_features(features, kind, call)
  chunk <- if (is.null(chunk)) 1e5 else check_count(chunk, "chunk", max = 1e9, call = call)
  graded <- if (is.null(graded)) TRUE else check_graded_text(graded, kind, call)
  factors <- if (is.null(factors)) FALSE else check_factors(factors, call)
  structure(list(x = x, kind = kind, quos = quos, features = features, chunk = chunk, graded = graded,
                 factors = factors),
            class = "rankmix_source")
}

# Raises an error for arguments whose values the source already has.
refuse_twice <- function(given, owner, remedy, call) {
  if (length(given) > 0L) {
    stop_input("argument", sprintf("`%s` is given, but %s it already.", given[1L], owner), remedy = remedy,
               call = call)
  }
}

check_source_features <- function(features, kind, call) {
  if (kind == "letor") {
    check_count(features, "features", max = 100000, call = call)
  } else if (!is.character(features) || length(features) == 0L || anyNA(features)) {
    stop_input("argument", sprintf("`features` must be names of columns, not %s.", show_value(features)),
               remedy = "A number of features is for LETOR text.", call = call)
  }
}

# LETOR text and ranking data have no columns of strings.
check_kind_of_factors <- function(kind, call) {
  if (kind %in% c("letor", "ranking_data")) {
    stop_input("argument", "`factors` is for tables.",
               if (kind == "letor") "LETOR text has numbers only." else "Ranking data have coded their factors.",
               "Leave it out.", call = call)
  }
}

check_graded_text <- function(graded, kind, call) {
  check_flag(graded, "graded", call)
  if (kind != "letor") {
    stop_input("argument", "`graded` is for LETOR text.", remedy = "Leave it out: tables may have any relevance.",
               call = call)
  }
  graded
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
  stop_input("argument", sprintf("`x` cannot be read in chunks: %s.", show_value(x)),
             remedy = if (inherits(x, c("DBIConnection", "tbl_dbi"))) {
               "Send a query: `DBI::dbSendQuery(connection, \"SELECT ...\")`, and give its result."
             } else if (is.matrix(x) || isS4(x)) {
               "Make `ranking_data()` of a matrix first."
             } else {
               "Give paths, a database result, an Arrow stream, a function or a data frame."
             },
             call = call)
}

# The classes that nanoarrow, arrow and polars convert to a stream.
is_arrow <- function(x) {
  inherits(x, c("nanoarrow_array_stream", "nanoarrow_array", "ArrowTabular", "RecordBatchReader", "Dataset",
                "arrow_dplyr_query", "polars_data_frame", "RPolarsDataFrame", "tbl_duckdb_connection",
                "duckdb_relation"))
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
  kinds <- vapply(files, kind_of_file, "", call = call)
  if (length(unique(kinds)) > 1L) {
    other <- which(kinds != kinds[1L])[1L]
    stop_input("file", "The files have different formats.",
               sprintf("'%s' is %s, '%s' is %s.", files[1L], kind_words[kinds[1L]], files[other],
                       kind_words[kinds[other]]),
               "Read files of one format at a time.", call = call)
  }
  kinds[[1L]]
}

kind_words <- c(letor = "LETOR text", csv = "CSV", parquet = "Parquet")

# Endings of files that are not text. Any other file may be LETOR text.
foreign_endings <- c(
  bins = "Open it by `read_binned_data()`.", rds = "Read it by `readRDS()`, and give the data frame.",
  rdata = "Load it, and give the data frame.", feather = "Open it by `arrow::open_dataset()`.",
  arrow = "Open it by `arrow::open_dataset()`.", json = "Convert it to CSV or Parquet.",
  jsonl = "Convert it to CSV or Parquet.", xlsx = "Convert it to CSV or Parquet.", zip = "Unpack it.",
  zst = "Unpack it, or compress it by gzip."
)

kind_of_file <- function(file, call) {
  name <- ascii_lower(file)
  ending <- sub("^.*[.]", "", name)
  if (ending %in% names(foreign_endings)) {
    stop_input("file", sprintf("'%s' is not LETOR text, CSV or Parquet.", file),
               remedy = foreign_endings[[ending]], call = call)
  }
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

# Runs code of other packages or of the user that returns a chunk. Its errors become errors of the package.
reading <- function(expr, problem, details = NULL, call) {
  tryCatch(expr, error = function(e) stop_input("source", problem, details, call = call, parent = e))
}

stop_no_rows <- function(source, call) {
  once <- source$kind %in% c("dbi", "arrow", "function")
  stop_input("empty", "The source has no rows.",
             remedy = c("Give at least one document.",
                        if (once) "Results, streams and functions can be read only once. Make a new one."),
             call = call)
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

# After this many empty chunks in a row, the source counts as ended.
max_empty_chunks <- 1000L

function_reader <- function(f, call) {
  needed <- Filter(rlang::is_missing, as.list(formals(f)))
  if (length(setdiff(names(needed), "...")) > 0L) {
    stop_input("argument", "The function must not need arguments.",
               sprintf("It has the argument `%s` without a default.", names(needed)[1L]), call = call)
  }
  number <- 0L
  empty <- 0L
  list(next_chunk = function() {
    number <<- number + 1L
    chunk <- reading(f(), "The function fails.", sprintf("This was its chunk %d.", number), call)
    if (!is.null(chunk) && !is.data.frame(chunk)) {
      stop_input("argument", sprintf("The function must return a data frame or NULL, not %s.", show_value(chunk)),
                 sprintf("This was its chunk %d.", number), call = call)
    }
    empty <<- if (is.null(chunk) || nrow(chunk) > 0L) 0L else empty + 1L
    if (empty >= max_empty_chunks) {
      stop_input("argument", sprintf("The function returned %s data frames without rows, one after another.",
                                     format_count(empty)),
                 remedy = "Return NULL when there are no more rows.", call = call)
    }
    chunk
  }, where = chunk_place(function() number), close = no_close)
}

dbi_reader <- function(result, rows, call) {
  rlang::check_installed("DBI", "to read a database.", call = call)
  number <- 0L
  list(next_chunk = function() {
    number <<- number + 1L
    chunk <- reading(DBI::dbFetch(result, n = rows), "The database gives no rows.",
                     "A result can be read only once, and before `DBI::dbClearResult()`.", call)
    if (nrow(chunk) > 0L) chunk
  }, where = chunk_place(function() number), close = no_close)
}

arrow_reader <- function(x, call) {
  rlang::check_installed("nanoarrow", "to read Arrow data.", call = call)
  problem <- "The Arrow data cannot be read."
  once <- "A stream can be read only once."
  stream <- reading(nanoarrow::as_nanoarrow_array_stream(x), problem, call = call)
  number <- 0L
  list(next_chunk = function() {
    number <<- number + 1L
    array <- reading(stream$get_next(), problem, once, call)
    if (!is.null(array)) reading(as.data.frame(array), problem, call = call)
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
  lines <- line_chunks(source$x, function(take) whole_records(take, source$chunk), call, header = TRUE)
  place <- NULL
  part <- tempfile("chunk", fileext = ".csv")
  next_chunk <- function() {
    # Blank lines at the end of a file may be a chunk of their own.
    repeat {
      chunk <- lines$next_lines()
      if (is.null(chunk)) {
        return(NULL)
      }
      if (any(grepl("[^ \t\r]", chunk, useBytes = TRUE))) {
        break
      }
    }
    # The header is line 1 of the part, too.
    shift <- lines$before() - 1
    write_part(c(lines$header(), chunk), part, call)
    tryCatch({
      frame <- read_csv(part, source$quos, source$features, source$factors, check_threads(NULL), call)
      of_row <- text_line(frame)
      place <<- function(row) shifted_line(of_row(row), shift)
      frame
    }, rankmix_error = function(e) stop_at_line(e, lines$file(), shift, call))
  }
  list(next_chunk = next_chunk, where = function(row) sprintf("'%s', %s", lines$file(), place(row)),
       bytes = lines$bytes, close = function() {
         lines$close()
         unlink(part)
       })
}

# Reads several files by read_some(take), which gives the next lines. take(count) reads lines of the file. before() is
# the number of lines before the last ones in their file. Files may be compressed.
line_chunks <- function(files, read_some, call, header = FALSE) {
  at <- 0L
  file <- NULL
  first <- character()
  before <- 0
  read <- 0
  bytes <- 0
  shut <- function() {
    if (!is.null(file)) file$close()
    file <<- NULL
  }
  open_next <- function() {
    at <<- at + 1L
    if (at <= length(files)) {
      file <<- line_file(files[at], call)
      first <<- if (header) file$take(1L)
      read <<- length(first)
    }
  }
  next_lines <- function() {
    while (at <= length(files)) {
      if (is.null(file)) {
        open_next()
        next
      }
      lines <- read_some(file$take)
      if (length(lines) > 0L) {
        before <<- read
        read <<- read + length(lines)
        # Each line ended with a line break.
        bytes <<- bytes + sum(nchar(lines, "bytes")) + length(lines)
        return(lines)
      }
      shut()
    }
  }
  list(next_lines = next_lines, close = shut, file = function() files[at], before = function() before,
       bytes = function() bytes, header = function() first)
}

# An open text file. take(count) returns its next lines. There are fewer than `count` only at the end of the file.
# Raises an error if a compressed file was cut off, and for NUL bytes, where R's connections would lose lines.
line_file <- function(path, call) {
  opened <- stop_if_failed(path, open_lines(enc2native(path.expand(path))), call)
  list(take = function(count) {
    taken <- list()
    left <- count
    while (left > 0) {
      lines <- stop_if_failed(path, next_lines(opened$reader, min(left, 1e6)), call)$lines
      if (length(lines) == 0L) break
      taken[[length(taken) + 1L]] <- lines
      left <- left - length(lines)
    }
    if (length(taken) == 1L) taken[[1L]] else as.character(unlist(taken))
  }, close = function() close_lines(opened$reader))
}

# Lines up to the end of a record: a quoted field may have line breaks.
whole_records <- function(take, rows) {
  lines <- take(rows)
  # Text may have any encoding. The byte of a quote is no part of other characters.
  quotes <- function(lines) sum(unlist(gregexpr("\"", lines, fixed = TRUE, useBytes = TRUE)) > 0L)
  open <- length(lines) > 0L && any(grepl("\"", lines, fixed = TRUE, useBytes = TRUE)) && quotes(lines) %% 2 == 1
  while (open) {
    more <- take(1L)
    lines <- c(lines, more)
    open <- length(more) > 0L && quotes(more) %% 2 == 0
  }
  lines
}

# Writes the lines of a chunk to a small temporary file.
write_part <- function(lines, path, call) {
  write_temporary(path, function(path) {
    connection <- file(path, "wb")
    tryCatch(writeLines(lines, connection, useBytes = TRUE), finally = suppressWarnings(close(connection)))
    if (file.size(path) != sum(nchar(lines, "bytes")) + length(lines)) "not all bytes were written"
  }, call)
}

# "line 7" of a chunk as a line of the file, which begins `shift` lines earlier.
shifted_line <- function(where, shift) {
  if (is.na(line_number(where))) {
    return(sprintf("%s after line %s", where, plain_number(shift + 1)))
  }
  sprintf("line %s", plain_number(line_number(where) + shift))
}

# Turns an error about a line of a chunk into an error about a line of the file.
stop_at_line <- function(error, file, shift, call) {
  if (is.null(error$line) || is.na(error$line)) {
    raise_at(sprintf("'%s'", file), error, call, file = file)
  }
  problem <- sub("^'[^']*', line [0-9]+: ", "", error$message)
  raise_at(sprintf("'%s', line %s", file, plain_number(error$line + shift)), error, call, file = file,
           line = error$line + shift, message = problem)
}

# The columns of a chunk by their roles, and its features as a matrix. Errors name the place of the row. With a
# level_gatherer() `levels`, a factor is one feature, the numbers of its levels. Expressions are checked in the `first`
# chunk of several rows.
chunk_parts <- function(frame, source, where, call, first, levels = NULL) {
  tryCatch({
    check_names(names(frame), call)
    parts <- Map(function(quo, name) {
      # In a chunk of few rows, columns are equal by chance.
      frame_column(quo, frame, name, several = name %in% c("query", "labels"), call = call,
                   equal = source$kind == "frame", chunk = !has_one_chunk(source))
    }, source$quos, names(source$quos))
    check_lengths(parts, source, nrow(frame), call)
    if (first && !has_one_chunk(source)) check_expressions(frame, source, call)
    used <- unlist(lapply(parts, `[[`, "columns"))
    features <- if (is.null(source$features)) setdiff(names(frame), used) else source$features
    check_named(features, frame, call)
    check_factors_are_features(source$factors, features, call)
    frame <- strings_as_factors(frame, features, source$factors)
    check_chunk_features(frame, features, call)
    frame <- if (is.null(levels)) with_some_level(frame, features) else levels$code(frame, features, call)
    encoding <- frame_encoding(frame, features, call)
    x <- encode_frame(frame, features, encoding, call)
    check_finite(list(infinite = find_infinite(x, 1L)), x, features, call)
    left_out <- columns_by_role(setdiff(names(frame), features), parts$query)
    values <- lapply(parts, `[[`, "value")
    values$labels <- frame_labels(parts$labels)
    c(list(x = x, encoding = encoding, left_out = left_out), checked_roles(values, nrow(frame), call))
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
    document_weight = if (!is.null(values$document_weight)) check_document_weights(values$document_weight, call),
    labels = check_labels(values$labels, rows, values$relevance, call)
  )
}

check_chunk_features <- function(frame, features, call) {
  strings <- features[vapply(as.list(frame)[features], is.character, NA)]
  if (length(strings) > 0L) {
    stop_input("feature", sprintf("The column `%s` has strings, not numbers.", strings[1L]),
               remedy = c(if (looks_like_document(frame[[strings[1L]]], strings[1L])) document_remedy(strings[1L]),
                          sprintf("If its values are names of levels, write `factors = \"%s\"`.", strings[1L]),
                          "Otherwise leave it out: `features = ` names the features."), call = call)
  }
}

stop_in_chunk <- function(error, where, call) {
  if (is.null(error$row)) {
    chunk <- chunk_of(where(1L))
    if (!nzchar(chunk)) rlang::cnd_signal(error)
    raise_at(chunk, error, call, message = lower_first(error$message))
  }
  place <- where(error$row)
  # The number of the row within the chunk is left out, because the message has the line of the file.
  unnumbered <- function(text) {
    # Some versions of rlang keep the details in the message, each after a mark.
    number <- sprintf("(^|\n[^ ]+ )Row %s ", plain_number(error$row))
    stats::setNames(gsub(number, "\\1The row ", text), names(text))
  }
  raise_at(place, error, call, row = error$row, line = line_number(sub("^'.*', ", "", place)),
           message = lower_first(unnumbered(error$message)), body = unnumbered(error$body))
}

# "'part2.csv'" for "'part2.csv', line 7", "Chunk 2" for "Chunk 2, row 1", and "" for "Row 1".
chunk_of <- function(place) sub("(^|, )(row|line) [^']*$", "", place, ignore.case = TRUE)

lower_first <- function(text) paste0(tolower(substr(text, 1L, 1L)), substring(text, 2L))
