#' Read judged documents from CSV or Parquet
#'
#' Reads a table with a row for each document and makes [ranking_data()] of it.
#'
#' @param file Path of a file: Parquet (`.parquet`, read by the package nanoparquet), or
#'   text with a header line and separated by commas, tabs or semicolons (`.csv`, `.tsv`,
#'   `.txt`, compressed as `.gz` or not, read by the package data.table).
#' @param factors Whether columns of strings become factors, which are coded as
#'   [ranking_data()] says; else they are an error.
#' @inheritParams ranking_data
#'
#' @details
#' Ids of queries and documents in text are taken as they are spelt, so that `007` and `7`
#' differ, and ids of any length do; query ids that all are whole numbers become numbers.
#' Values `NA`, `NULL`, `NaN` and empty ones are missing.
#'
#' @return Ranking data, rows in the order of the file.
#' @section Conditions: those of [ranking_data()]; where they tell a row of text, with the
#'   fields `file` and `line`. `rankmix_error_parse` with these fields: a line with other
#'   fields than the header, a value that is not a number in a column of numbers, a NUL
#'   byte. `rankmix_error_file`: the file is missing, cannot be read, is compressed and
#'   breaks off, or its name does not tell what it is.
#' @section Cost: one pass to check the text and that of the package that reads it;
#'   memory for the data frame and for the features.
#' @examplesIf requireNamespace("data.table", quietly = TRUE)
#' file <- tempfile(fileext = ".csv")
#' writeLines(c("grade,site,day,bm25,clicks", "1,shop,1,1.5,3", "0,shop,1,0.5,"), file)
#' read_ranking(file, relevance = grade, query = c(site, day))
#' @export
read_ranking <- function(file, relevance, query, document = NULL, weight = NULL,
                         factors = FALSE, threads = NULL) {
  threads <- check_threads(threads)
  check_readable(file)
  check_flag(factors, "factors")
  quos <- list(relevance = rlang::enquo(relevance), query = rlang::enquo(query),
               document = rlang::enquo(document), weight = rlang::enquo(weight))
  call <- rlang::current_env()
  if (grepl("[.]parquet$", file, ignore.case = TRUE)) {
    frame <- read_parquet(file, call)
    line_of <- function(row) sprintf("row %d", row)
  } else if (grepl("[.](csv|tsv|txt)([.]gz)?$", file, ignore.case = TRUE)) {
    frame <- read_csv(file, quos, factors, threads, call)
    line_of <- text_line(frame)
  } else {
    stop_input("file", sprintf("The name of '%s' does not tell what it is.", file),
               remedy = "Files end in .parquet, .csv, .tsv or .txt, or in .gz after that.")
  }
  if (factors) {
    strings <- vapply(frame, is.character, logical(1))
    strings[names(frame) %in% unlist(lapply(quos, named_in, names(frame)))] <- FALSE
    frame[strings] <- lapply(frame[strings], factor)
  }
  tryCatch(
    frame_data(frame, quos$relevance, quos$query, quos$document, quos$weight, threads,
               call = call),
    rankmix_error = function(e) stop_in_file(e, file, line_of, call)
  )
}

# Raises an error about a row again, which then tells the file and its line.
stop_in_file <- function(error, file, line_of, call) {
  if (is.null(error$row)) {
    rlang::cnd_signal(error)
  }
  where <- line_of(error$row)
  rlang::abort(
    c(sprintf("'%s', %s: %s", file, where, error$message), error$body),
    class = setdiff(class(error), c("rlang_error", "error", "condition")),
    file = file, line = as.numeric(sub("[a-z]+ ", "", where)), row = error$row,
    call = call
  )
}

# Rows are lines, but for the header, unless a field holds a line break.
text_line <- function(frame) {
  strings <- Filter(is.character, as.list(frame))
  broken <- any(vapply(strings, function(s) any(grepl("\n", s, fixed = TRUE)), logical(1)))
  function(row) {
    if (broken) sprintf("row %d", row) else sprintf("line %d", row + 1L)
  }
}

read_parquet <- function(file, call) {
  rlang::check_installed("nanoparquet", "to read Parquet.", call = call)
  tryCatch(
    as.data.frame(nanoparquet::read_parquet(file)),
    error = function(e) {
      stop_input("file", sprintf("'%s' cannot be read.", file),
                 remedy = "Is it a complete Parquet file?", call = call, parent = e)
    }
  )
}

read_csv <- function(file, quos, factors, threads, call) {
  rlang::check_installed("data.table", "to read CSV.", call = call)
  compressed <- grepl("[.]gz$", file, ignore.case = TRUE)
  plain <- file
  if (compressed) {
    plain <- tempfile("table", fileext = ".csv")
    on.exit(unlink(plain))
  }
  checked <- text_check(enc2native(path.expand(file)),
                        if (compressed) enc2native(plain) else "")
  stop_if_failed(file, checked, call)
  header <- fread_table(plain, file, threads, call, nrows = 0L)
  check_names(names(header), call)
  ids <- unique(unlist(lapply(quos[c("query", "document")], named_in, names(header))))
  frame <- fread_table(plain, file, threads, call, colClasses = list(character = ids))
  if (nrow(frame) == 0L) {
    stop_input("empty", sprintf("'%s' holds no documents.", file),
               remedy = "The first line names the columns, others are documents.",
               call = call)
  }
  frame[ids] <- lapply(frame[ids], whole_numbers)
  others <- setdiff(names(frame)[vapply(frame, is.character, logical(1))], ids)
  frame[others] <- lapply(others, function(name) {
    numbers_of_text(frame[[name]], name, file, factors, text_line(frame), call)
  })
  frame
}

# data.table's reader warns of a line that does not fit and stops there: here an error.
# It must come to its end before that is raised, to clean up.
fread_table <- function(plain, file, threads, call, ...) {
  said <- NULL
  frame <- tryCatch(
    withCallingHandlers(
      data.table::fread(
        plain, header = TRUE, data.table = FALSE, showProgress = FALSE,
        na.strings = c("NA", "NULL", ""), integer64 = "character",
        keepLeadingZeros = TRUE, nThread = threads, ...
      ),
      warning = function(w) {
        said <<- c(said, conditionMessage(w))
        tryInvokeRestart("muffleWarning")
      }
    ),
    error = function(e) said <<- c(said, conditionMessage(e))
  )
  if (is.null(said)) {
    return(frame)
  }
  said <- gsub(plain, file, said[1L], fixed = TRUE)
  line <- regmatches(said, regexpr("(?<=line )[0-9]+", said, perl = TRUE))
  if (grepl("footer", said, fixed = TRUE) && is.data.frame(frame)) {
    line <- nrow(frame) + 2L  # the last line, for which it has a message of its own
  }
  rlang::abort(
    condition_bullets(
      sprintf("'%s'%s: the table cannot be read.", file,
              if (length(line) > 0L) paste(", line", line) else ""),
      sprintf("data.table says: %s", said),
      "Every line must have the fields that the header names."
    ),
    class = c("rankmix_error_parse", "rankmix_error"), file = file,
    line = if (length(line) > 0L) as.numeric(line) else NA_real_, call = call
  )
}

# Text that is all numbers (large whole ones come as text) as numbers. Where only some
# is, the first that is not is an error, unless strings may become factors.
numbers_of_text <- function(text, name, file, factors, line_of, call) {
  numbers <- suppressWarnings(as.numeric(text))
  bad <- which(is.na(numbers) & !is.na(text) & text != "NaN")
  if (length(bad) == 0L) {
    return(numbers)
  }
  if (factors) {
    return(text)
  }
  rlang::abort(
    condition_bullets(
      sprintf("'%s', %s: the value of `%s` is not a number.", file, line_of(bad[1L]),
              name),
      sprintf("Found `%s`.", text[bad[1L]]),
      "Write a number, or nothing where it is missing; set `factors = TRUE` for strings."
    ),
    class = c("rankmix_error_parse", "rankmix_error"), file = file,
    line = as.numeric(sub("[a-z]+ ", "", line_of(bad[1L]))), found = text[bad[1L]],
    call = call
  )
}

# The columns that an argument names or uses, before there are any rows.
named_in <- function(quo, columns) {
  if (rlang::quo_is_missing(quo)) {
    return(character())
  }
  expr <- rlang::quo_get_expr(quo)
  listed <- listed_names(expr, columns)
  strings <- if (!is.null(listed)) {
    listed
  } else if (is.character(expr)) {
    expr
  } else if (is.symbol(expr) && !as.character(expr) %in% columns) {
    # A variable that holds names.
    value <- tryCatch(rlang::eval_tidy(quo), error = function(e) NULL)
    if (is.character(value)) value
  }
  intersect(c(used_columns(expr, columns), strings), columns)
}
