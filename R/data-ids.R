# Ids of queries and documents: which values can be ids, and their text.
#
# Everything that writes, joins or compares ids turns them into text by id_text(), so that
# two ids have the same text if and only if they are equal.

# The text of each id. Numbers have the shortest text that is read back as the same number,
# with as many as 17 digits and no exponent; dates are written as 2024-01-31, times as
# 2024-01-31T10:00:00.25Z.
id_text <- function(ids) {
  if (is.factor(ids)) {
    return(as.character(ids))
  }
  if (inherits(ids, "integer64")) {
    return(whole_number_texts(as.double(unclass(ids))))
  }
  if (inherits(ids, "Date")) {
    return(distinct_text(unclass(ids), date_text))
  }
  if (inherits(ids, "POSIXlt")) {
    ids <- as.POSIXct(ids)
  }
  if (inherits(ids, "POSIXct")) {
    return(distinct_text(unclass(ids), time_text))
  }
  if (is.numeric(ids)) plain_number_texts(as.double(ids)) else as.character(ids)
}

# Text is made once for equal values, because it is slow.
distinct_text <- function(values, text) {
  values <- as.double(values)
  distinct <- unique(values)
  text(distinct)[match(values, distinct)]
}

date_text <- function(days) {
  format(structure(days, class = "Date"), "%Y-%m-%d")
}

# Text in UTC, with as many decimals as are needed to distinguish all times.
time_text <- function(seconds) {
  whole <- floor(seconds)
  # Decimals of a time before 1970 count from the previous whole second.
  decimals <- ifelse(seconds < 0, seconds - whole, seconds)
  decimals <- sub("^[^.]*", "", plain_number_texts(decimals))
  day <- format(as.POSIXct(whole, origin = "1970-01-01", tz = "UTC"), "%Y-%m-%dT%H:%M:%S")
  ifelse(is.na(seconds), NA, paste0(day, decimals, "Z"))
}

# Checked ids, as numbers or strings. `name` is "query" or "document".
check_ids <- function(ids, name, call = rlang::caller_env()) {
  if (inherits(ids, "POSIXlt")) {
    ids <- as.POSIXct(ids)
  }
  as_text <- is.factor(ids) || inherits(ids, c("integer64", "Date", "POSIXct"))
  if (!(as_text || is_plain_number(ids) || is.character(ids))) {
    stop_input(
      name,
      sprintf("%s ids must be numbers, strings, dates or a factor, not %s.",
              paste0(ascii_upper(substr(name, 1L, 1L)), substring(name, 2L)),
              show_value(ids)),
      call = call
    )
  }
  text <- if (as_text) id_text(ids) else ids
  check_no_id_missing(text, name, call)
  if (as_text) {
    check_distinct_ids(ids, text, name, call)
  }
  if (is.character(text)) {
    check_encoding(text, name, call)
    # In the locale C, R would write escapes for non-ASCII text.
    if (Sys.getlocale("LC_CTYPE") %in% c("C", "POSIX")) text <- as_utf8(text)
  } else {
    warn_large_ids(text, name)
  }
  as.vector(text)
}

check_no_id_missing <- function(ids, name, call) {
  missing <- which(is.na(ids))
  if (length(missing) > 0L) {
    stop_input(
      name,
      sprintf("Row %d has no %s id.", missing[1L], name),
      remedy = if (name == "query") {
        "Every document needs a query. Drop the rows without a query id."
      } else {
        "Give every document an id, or none."
      },
      call = call, row = missing[1L]
    )
  }
}

# Stops if different values have the same text, for example two times of one day that are read as
# dates.
check_distinct_ids <- function(ids, text, name, call) {
  # 64-bit integers are stored in doubles whose values are meaningless; their text is exact.
  if (inherits(ids, "integer64")) {
    return(invisible(text))
  }
  values <- as.double(unclass(ids))
  first <- match(text, text)
  bad <- which(values != values[first])[1L]
  if (is.na(bad)) {
    return(invisible(text))
  }
  stop_input(
    name,
    sprintf("Two different %s ids cannot be distinguished: both are `%s` as text.", name,
            text[bad]),
    sprintf("Row %d has %s, row %d has %s.", first[bad],
            plain_number_texts(values[first[bad]]), bad, plain_number_texts(values[bad])),
    "Give ids that differ as text, such as whole numbers or strings.",
    call = call, row = bad
  )
}

check_encoding <- function(ids, name, call) {
  bad <- which(Encoding(ids) == "bytes")
  if (length(bad) > 0L) {
    stop_input(name, sprintf("The %s id of row %d has the encoding \"bytes\", which is no text.",
                             name, bad[1L]),
               remedy = "Convert the ids to UTF-8, such as by `iconv()`.", call = call,
               row = bad[1L])
  }
}

# Doubles hold whole numbers exactly up to 2^53. Larger ids may have been rounded before, and two of them
# may have become equal.
warn_large_ids <- function(ids, name) {
  if (is.integer(ids)) {
    return(invisible(ids))
  }
  large <- which(abs(ids) >= 2^53)
  if (length(large) > 0L) {
    warn_input(
      "id",
      sprintf("%s ids of 2^53 and above may have lost digits: R rounds such numbers.",
              paste0(ascii_upper(substr(name, 1L, 1L)), substring(name, 2L))),
      sprintf("Row %d has the id %s, which neighbouring whole numbers are rounded to.",
              large[1L], plain_number_texts(ids[large[1L]])),
      paste("Read ids as text: `read_ranking()` does, and",
            "`read.csv(colClasses = c(<column> = \"character\"))`.")
    )
  }
  invisible(ids)
}
