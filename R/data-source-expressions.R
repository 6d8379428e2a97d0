# Checks of the column expressions of sources, such as `relevance = pmin(grade, 2)`.
#
# Problem: an expression is computed for each chunk. If the value of a row depends on other rows, as with
# `as.integer(factor(site))`, then chunks have different values for the same query, and nothing shows it.
# Input: the first chunk. Output: an error if an expression has other values for parts of this chunk.
# Algorithm: the parts are the halves of the chunk, and single rows with different values.
# Cost: two passes of each expression over one chunk. Names of columns are not evaluated.

# The number of single rows for which an expression is computed.
single_rows <- 5L

# A data frame, or one file of Parquet, is the only chunk of its source.
has_one_chunk <- function(source) {
  source$kind == "frame" || source$kind == "parquet" && length(source$x) == 1L
}

check_expressions <- function(frame, source, call) {
  for (name in names(source$quos)) {
    check_expression(source$quos[[name]], name, frame, call)
  }
}

check_expression <- function(quo, name, frame, call) {
  expr <- rlang::quo_get_expr(quo)
  if (is.null(expr) || is_column_name(expr, frame) || !is.null(listed_names(expr, frame))) {
    return(invisible())
  }
  whole <- computed_values(quo, frame)
  rows <- nrow(frame)
  # Other errors have been raised before, by frame_column() and check_lengths().
  if (length(whole) == 0L || any(lengths(whole) != rows)) {
    return(invisible())
  }
  half <- rows %/% 2L
  single <- utils::head(which(!duplicated(whole[[1L]])), single_rows)
  for (some in unique(c(list(seq_len(half), seq.int(half + 1L, rows)), as.list(single)))) {
    if (length(some) %in% c(0L, rows)) next
    part <- computed_values(quo, frame, some)
    if (!same_values(part, lapply(whole, `[`, some))) stop_depends_on_rows(quo, name, call)
  }
}

# The values of an expression for some rows: a list of vectors of text or doubles, or NULL if they cannot be computed.
# Only the columns that the expression uses are copied.
computed_values <- function(quo, frame, rows = NULL) {
  take <- function(column) {
    if (is.null(rows)) {
      return(column)
    }
    if (length(dim(column)) == 2L) column[rows, , drop = FALSE] else column[rows]
  }
  columns <- rlang::env()
  lapply(names(frame), function(name) delayedAssign(name, take(frame[[name]]), assign.env = columns))
  mask <- rlang::new_data_mask(columns)
  mask$.data <- rlang::as_data_pronoun(mask)
  value <- tryCatch(suppressWarnings(rlang::eval_tidy(quo, mask)), error = function(e) {
    keep_memory_error(e)
    NULL
  })
  if (is.null(value)) {
    return(NULL)
  }
  lapply(if (is.list(value) && !inherits(value, "POSIXlt")) unclass(value) else list(value), function(one) {
    if (is.numeric(one) && !is.object(one) || is.logical(one)) as.double(one) else id_text(one)
  })
}

same_values <- function(a, b) {
  as_text <- function(x) if (is.character(x)) x else id_text(x)
  length(a) == length(b) && all(mapply(function(a, b) {
    identical(as.vector(a), as.vector(b)) || is.character(a) != is.character(b) && identical(as_text(a), as_text(b))
  }, a, b))
}

chunk_by_chunk <- "Expressions of a source are computed chunk by chunk."

column_before <- paste("Add the values as a column to the file, or to the data frames of a function.",
                       "Then name this column.")

stop_depends_on_rows <- function(quo, name, call) {
  stop_input("column", sprintf("`%s = %s` gives a row another value if the chunk has other rows.", name,
                               rlang::as_label(rlang::quo_get_expr(quo))),
             chunk_by_chunk, column_before, call = call)
}

# A value must be a vector with an element for each row of the chunk.
check_lengths <- function(parts, source, rows, call) {
  for (name in names(parts)) {
    value <- parts[[name]]$value
    groups <- inherits(value, "rankmix_groups")
    if (groups && !has_one_chunk(source)) {
      stop_input("query", "`query_groups()` cannot be used for a source that is read in chunks.",
                 "The groups describe all rows, and a chunk has a part of them.",
                 "Add the query to the file, or to the data frames of a function, as a column.", call = call)
    }
    if (groups || is.null(value) || is.list(value) && !inherits(value, "POSIXlt") || length(value) == rows) next
    stop_input("length", sprintf("`%s = %s` has %s, but the %s.", name,
                                 rlang::as_label(rlang::quo_get_expr(source$quos[[name]])),
                                 counted(length(value), "value"),
                                 if (has_one_chunk(source)) sprintf("data have %s", counted(rows, "row")) else
                                   sprintf("chunk has %s", counted(rows, "row"))),
               if (!has_one_chunk(source)) chunk_by_chunk,
               if (has_one_chunk(source)) "Give one value per row." else column_before, call = call)
  }
}
