#' Read judged documents from CSV or Parquet
#'
#' Reads a table with a row for each document and returns [ranking_data()].
#'
#' @param file The path of a Parquet file (`.parquet`, read by the package nanoparquet) or of a text file.
#'   Text has a header line and is separated by commas, tabs or semicolons (`.csv`, `.tsv`,
#'   `.txt`, compressed as `.gz` or not, read by the package data.table).
#' @param features The names of the feature columns. The default `NULL` is all columns that are not used
#'   otherwise.
#' @param factors Which columns of strings become factors, coded as in [ranking_data()]: the names of these columns, or
#'   `TRUE` for all columns of strings that are features. With the default `FALSE` strings are an error. A named column
#'   of numbers becomes a factor, too.
#' @param ... Not used.
#' @inheritParams ranking_data
#'
#' @details
#' The first line of a text has the names of the columns, each later line is a document. Named query and
#' document columns are read as they are spelt: `007` and `7` differ, and ids may have any length. If all
#' query ids are whole numbers, they become numbers. A column named in `factors` is read as it is spelt, too. Other
#' values with a leading zero, such as the zip code `0123`, are strings, except in the relevance, weights, positions and
#' labels. `NA`, `NULL`, `NaN` and empty values are missing. Text is UTF-8. Text that is not valid UTF-8 is read as
#' latin1. Columns of dates are read as strings.
#'
#' @return Ranking data, rows in the order of the file.
#' @section Conditions: The conditions of [ranking_data()], with the fields `file` and `line` if they
#'   concern a row of text. `rankmix_error_parse` with these fields: a line with another number of fields
#'   than the header, a value that is not a number in a column of numbers, or a NUL byte.
#'   `rankmix_error_file`: the file is missing, unreadable, compressed and incomplete, or has another
#'   extension.
#' @section Cost: One pass to check the text, and the passes of the package that reads it. Memory for the data frame and
#'   the features.
#' @examplesIf requireNamespace("data.table", quietly = TRUE)
#' file <- tempfile(fileext = ".csv")
#' writeLines(c("grade,site,day,bm25,clicks", "1,shop,1,1.5,3", "0,shop,1,0.5,"), file)
#' read_ranking(file, relevance = grade, query = c(site, day))
#' @export
read_ranking <- function(file, relevance = NULL, query, document = NULL, weight = NULL,
                         features = NULL, factors = FALSE, threads = NULL, position = NULL,
                         document_weight = NULL, ..., labels = NULL) {
  check_given(missing(file), "file", "Give the path of a CSV or Parquet file.")
  check_no_others(..., known = c(data_arguments, "features", "factors"))
  threads <- check_threads(threads)
  check_readable(file)
  check_factors(factors, rlang::current_env())
  quos <- list(relevance = rlang::enquo(relevance), query = rlang::enquo(query),
               document = rlang::enquo(document), weight = rlang::enquo(weight),
               position = rlang::enquo(position), document_weight = rlang::enquo(document_weight),
               labels = rlang::enquo(labels))
  call <- rlang::current_env()
  if (grepl("[.]parquet$", ascii_lower(file))) {
    frame <- read_parquet(file, call)
    line_of <- function(row) sprintf("row %d", row)
  } else if (grepl("[.](csv|tsv|txt)([.]gz)?$", ascii_lower(file))) {
    frame <- read_csv(file, quos, features, factors, threads, call)
    line_of <- text_line(frame)
  } else {
    stop_input("file", sprintf("The name of '%s' does not show its format.", file),
               remedy = "Files end in .parquet, .csv, .tsv or .txt, or in .gz after that.")
  }
  named <- unlist(lapply(quos, named_in, names(frame)))
  frame <- frame[frame_columns_wanted(features, frame, quos, call)]
  possible <- setdiff(names(frame), named)
  check_factors_are_features(factors, possible, call)
  frame <- strings_as_factors(frame, possible, factors)
  tryCatch(
    frame_data(frame, quos$relevance, quos$query, quos$document, quos$weight, threads,
               call = call, position = quos$position, document_weight = quos$document_weight, labels = quos$labels),
    rankmix_error = function(e) stop_in_file(e, file, line_of, call)
  )
}

# All columns, or the features and the columns that the other arguments name or use.
frame_columns_wanted <- function(features, frame, quos, call) {
  if (is.null(features)) {
    return(names(frame))
  }
  if (!is.character(features)) {
    stop_input("argument",
               sprintf("`features` must be names of columns, not %s.", show_value(features)),
               call = call)
  }
  check_named(features, frame, call)
  unique(c(unlist(lapply(quos, used_in, names(frame))), features))
}

# Raises an error about a row again, with the file and its line.
stop_in_file <- function(error, file, line_of, call) {
  if (is.null(error$row)) {
    rlang::cnd_signal(error)
  }
  raise_at(sprintf("'%s', %s", file, line_of(error$row)), error, call, file = file,
           line = line_number(line_of(error$row)), row = error$row)
}

# Raises an error again with its place. `...` are fields of the new error.
raise_at <- function(place, error, call, ..., message = error$message, body = error$body) {
  rlang::abort(c(sprintf("%s: %s", place, message), body),
               class = setdiff(class(error), c("rlang_error", "error", "condition")), call = call, ...)
}

# "line 7" if rows are lines, counting the header; "row 6" if a field contains a line break.
text_line <- function(frame) {
  strings <- Filter(is.character, as.list(frame))
  broken <- any(vapply(strings, function(s) any(grepl("\n", s, fixed = TRUE, useBytes = TRUE)), logical(1)))
  function(row) {
    if (broken) sprintf("row %d", row) else sprintf("line %d", row + 1L)
  }
}

line_number <- function(where) {
  if (startsWith(where, "line")) as.numeric(sub("line ", "", where)) else NA_real_
}

read_parquet <- function(file, call) {
  rlang::check_installed("nanoparquet", "to read Parquet.", call = call)
  tryCatch(
    read_unchanged(file, as.data.frame(nanoparquet::read_parquet(file)), call),
    rankmix_error = rlang::cnd_signal,
    error = function(e) {
      keep_memory_error(e)
      stop_input("file", sprintf("'%s' cannot be read.", file),
                 remedy = "Is it a complete Parquet file?", call = call, parent = e)
    }
  )
}

read_csv <- function(file, quos, features, factors, threads, call) {
  rlang::check_installed("data.table", "to read CSV.", call = call)
  # A private copy of the file. The file is read several times, and data.table maps it into memory.
  # If another program truncated the original meanwhile, R would crash.
  plain <- tempfile("table", fileext = ".csv")
  on.exit(unlink(plain))
  checked <- text_check(enc2native(path.expand(file)), enc2native(plain))
  stop_if_failed(file, checked, call)
  first <- readLines(plain, 1L, warn = FALSE)
  if (length(first) == 0L) {
    stop_no_documents(file, call)
  }
  if (grepl("^[0-9.]+[ \t]+qid:", first, useBytes = TRUE)) {
    stop_input("file", sprintf("'%s' is LETOR text, not a table with a header.", file),
               remedy = "Read it by `read_letor()`.", call = call)
  }
  header <- table_header(plain, file, call)
  ids <- unique(unlist(lapply(quos[c("query", "document")], named_in, header$names)))
  levels <- setdiff(if (is.character(factors)) intersect(factors, header$names), ids)
  frame <- fread_table(plain, file, header, c(ids, levels), threads, call)
  if (nrow(frame) == 0L) {
    stop_no_documents(file, call)
  }
  check_header_names(quos, header$names, call)
  line_of <- text_line(frame)
  numbers <- setdiff(if (is.null(features)) names(frame) else features, ids)
  check_factors_are_features(factors, numbers, call)
  others <- other_columns(quos, header$names, features)
  kind_of <- function(name) {
    if (name %in% ids) {
      "id"
    } else if (name %in% c(levels, others$ids)) {
      "text"
    } else if (name %in% setdiff(numbers, others$computed) && !isTRUE(factors)) {
      "number"
    } else {
      "any"
    }
  }
  frame[] <- Map(function(column, name) {
    plain_column(column, name, kind_of(name), name %in% others$values, file, line_of, call)
  }, frame, names(frame))
  frame
}

stop_no_documents <- function(file, call) {
  stop_input("empty", sprintf("'%s' contains no documents.", file),
             remedy = "The first line names the columns, others are documents.", call = call)
}

# Columns that are not features, or only if `features` names them: `ids` are used in expressions of ids, `computed` in
# any expression, and `values` are the relevance and other numbers.
other_columns <- function(quos, columns, features) {
  of_ids <- names(quos) %in% c("query", "document")
  used <- function(quos) unlist(lapply(quos, used_in, columns))
  computed <- unlist(lapply(quos, function(quo) setdiff(used_in(quo, columns), named_in(quo, columns))))
  list(ids = setdiff(used(quos[of_ids]), features), computed = setdiff(computed, features),
       values = used(quos[!of_ids]))
}

# The names in the first line and their separator: the separator that splits the line into the most names.
table_header <- function(plain, file, call) {
  line <- readLines(plain, n = 1L, warn = FALSE)
  line <- as_utf8(sub("^\xef\xbb\xbf", "", line, useBytes = TRUE))
  splits <- lapply(c(",", "\t", ";"), function(sep) {
    if (length(line) == 0L || is.na(line) || !nzchar(trimws(line))) {
      return(character())
    }
    scan(text = line, what = "", sep = sep, quote = "\"", quiet = TRUE, strip.white = TRUE,
         encoding = "UTF-8")
  })
  best <- which.max(lengths(splits))
  names <- splits[[best]]
  if (length(names) == 0L) {
    stop_input("parse", sprintf("'%s', line 1: the line is empty.", file),
               remedy = "The first line must name the columns.", call = call, file = file,
               line = 1)
  }
  nameless <- which(names == "")
  if (length(nameless) > 0L) {
    stop_input("feature", sprintf("'%s', line 1: column %d has no name.", file, nameless[1L]),
               remedy = paste("Name all columns; `write.csv(row.names = FALSE)` leaves",
                              "out the one without."), call = call, file = file, line = 1)
  }
  list(names = check_names(names, call), sep = c(",", "\t", ";")[best])
}

# A missing column is reported first. Otherwise other columns would be read as features, and the error would
# be about these columns.
check_header_names <- function(quos, columns, call) {
  frame <- empty_frame(columns)
  for (name in names(quos)) {
    quo <- quos[[name]]
    if (rlang::quo_is_missing(quo)) {
      next
    }
    expr <- rlang::quo_get_expr(quo)
    named <- listed_names(expr, frame)
    if (is.symbol(expr) && !as.character(expr) %in% columns) {
      value <- frame_value(quo, frame, name, call)
      if (is.function(value)) check_is_values(value, expr, frame, name, call)
      if (is.character(value) && length(value) == 1L) named <- value
    } else if (is.character(expr)) {
      named <- expr
    }
    check_named(named, frame, call)
  }
}

# data.table warns about a line that does not fit and stops there, and it skips lines before it finds a
# table. Here both cases are errors. They are raised after fread() has returned, so that fread() can clean up. `texts`
# are columns that stay as they are spelt.
fread_table <- function(plain, file, header, texts, threads, call) {
  # Times stay as they are spelt. Otherwise their text would depend on the other rows of the chunk.
  old <- options(datatable.old.fread.datetime.character = TRUE)
  on.exit(options(old))
  said <- NULL
  frame <- tryCatch(
    withCallingHandlers(
      data.table::fread(
        plain, header = TRUE, sep = header$sep, data.table = FALSE, showProgress = FALSE,
        na.strings = c("NA", "NULL", ""), integer64 = "character",
        keepLeadingZeros = TRUE, colClasses = list(character = texts), nThread = threads
      ),
      warning = function(w) {
        said <<- c(said, conditionMessage(w))
        tryInvokeRestart("muffleWarning")
      }
    ),
    error = function(e) {
      keep_memory_error(e)
      said <<- c(said, conditionMessage(e))
    }
  )
  if (is.null(said) && identical(as_utf8(names(frame)), header$names)) {
    names(frame) <- header$names
    return(frame)
  }
  fields <- utils::count.fields(plain, header$sep, quote = "\"", comment.char = "",
                                blank.lines.skip = FALSE)
  line <- which(fields != length(header$names))[1L]
  found <- if (is.na(line)) {
    sprintf("data.table reports: %s", gsub(plain, file, said[1L], fixed = TRUE))
  } else {
    sprintf("Found %d fields, the header names %d.", fields[line], length(header$names))
  }
  stop_input("parse",
             sprintf("'%s'%s: the table cannot be read.", file,
                     if (is.na(line)) "" else paste(", line", line)),
             found, "Every line must have the fields that the header names.", call = call,
             file = file, line = as.numeric(line))
}

# A column of text as strings or numbers. `kind` is "id", or "text" if the text is kept, or "number" if other text is an
# error, or "any". A column in which all text is a number becomes numbers, as large whole numbers arrive as text. A
# number with a leading zero, such as "0123", is text: zip codes and article numbers would become equal otherwise. If
# the column `is_value`, such as the relevance, it is a number.
plain_column <- function(column, name, kind, is_value, file, line_of, call) {
  if (inherits(column, c("Date", "POSIXct"))) {
    column <- as.character(column)
  }
  if (!is.character(column)) {
    return(column)
  }
  column <- as_utf8(column)
  quoted <- grepl("\"\"", column, fixed = TRUE)
  column[quoted] <- gsub("\"\"", "\"", column[quoted], fixed = TRUE)
  if (kind == "id") {
    return(whole_numbers(column))
  }
  column[column %in% "NaN"] <- NA
  if (kind == "text") {
    return(column)
  }
  numbers <- suppressWarnings(as.numeric(column))
  bad <- which(is.na(numbers) & !is.na(column) | !is_value & grepl("^0[0-9]", column))
  if (length(bad) == 0L) {
    return(numbers)
  }
  if (kind != "number") {
    return(column)
  }
  stop_input("parse",
             sprintf("'%s', %s: the value of `%s` is not a number.", file,
                     line_of(bad[1L]), name),
             sprintf("Found `%s`%s.", column[bad[1L]],
                     if (is.na(numbers[bad[1L]])) "" else ". Numbers with a leading zero are text"),
             not_number_remedy(column, column[bad[1L]], name, !is.na(numbers[bad[1L]])), call = call,
             file = file, line = line_number(line_of(bad[1L])), found = printable(column[bad[1L]]))
}

# A data frame of these columns without rows.
empty_frame <- function(columns) {
  as.data.frame(stats::setNames(rep(list(logical()), length(columns)), columns),
                optional = TRUE)
}

# A number that is no number because of its leading zero may be the id of a document, or a level.
not_number_remedy <- function(column, found, name, has_leading_zero) {
  if (is_decimal_comma(found)) {
    return(decimal_comma_remedy)
  }
  is_document <- looks_like_document(column, name)
  c(if (is_document) document_remedy(name),
    "Write a number, or nothing where it is missing. Or name the `features` without it.",
    if (!is_document || has_leading_zero) sprintf("If the values are names of levels, write `factors = \"%s\"`.", name))
}

# "0,5" and "1.234,5", as many countries write numbers.
is_decimal_comma <- function(text) {
  grepl("^[-+]?([0-9]+|[0-9]{1,3}([.][0-9]{3})+),[0-9]+$", text)
}

decimal_comma_remedy <- paste(
  "These are decimal commas. Read the file by `read.csv2(file)` or",
  "`data.table::fread(file, dec = \",\", data.table = FALSE)`, and give the data frame to",
  "`ranking_data()`; or write it with decimal points."
)

# The columns that an argument names, before there are any rows.
named_in <- function(quo, columns) {
  if (rlang::quo_is_missing(quo)) {
    return(character())
  }
  expr <- rlang::quo_get_expr(quo)
  names <- listed_names(expr, empty_frame(columns))
  if (is.null(names)) {
    if (is.symbol(expr) && as.character(expr) %in% columns) {
      names <- as.character(expr)
    } else if (is.character(expr)) {
      names <- expr
    } else if (is.symbol(expr)) {
      # A variable may hold column names. If its values are repeated, they are values of rows
      # instead.
      value <- tryCatch(rlang::eval_tidy(quo), error = function(e) NULL)
      names <- if (is.character(value) && !anyDuplicated(value)) value
    }
  }
  intersect(names, columns)
}

# The columns that an argument names, or uses in an expression.
used_in <- function(quo, columns) {
  if (rlang::quo_is_missing(quo)) {
    return(character())
  }
  union(named_in(quo, columns), used_columns(rlang::quo_get_expr(quo), columns))
}
