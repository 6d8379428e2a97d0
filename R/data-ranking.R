#' Judged query-document pairs
#'
#' `ranking_data()` brings features, relevance grades and queries together. The
#' documents of a query may stand in any rows: nothing asks for group sizes or
#' for sorted input, and every prediction comes back in the order of the rows.
#'
#' @param x A numeric matrix, one row a document and one column a feature, or a
#'   data frame of numeric or logical columns. `NA` marks a missing value;
#'   infinite values are an error. A matrix of doubles is not copied.
#' @param relevance The relevance grades: whole numbers 0, 1, 2, ... (at most
#'   30), 0 for not relevant; one a row. For a data frame, also the name of the
#'   column that holds them.
#' @param query The query of each row: numbers, strings or a factor. For a data
#'   frame, also the name of the column that holds them.
#' @param document Optional ids of the documents, one a row: numbers, strings or a
#'   factor. For a data frame, also the name of the column that holds them. Some
#'   tools break ties by them, see [conventions], and [write_run()] writes them.
#' @param threads Number of threads; results do not depend on it.
#'
#' @return A value of class `ranking_data`. Its parts are `x` (the features),
#'   `relevance`, `query` (for each row the position of its query in
#'   `query_ids`), `query_ids` (in order of appearance), `features` (names) and
#'   `document` (ids as text, or `NULL`). With a data frame, the relevance, query
#'   and document columns are not features.
#'
#' @section Conditions:
#' Errors: `rankmix_error_length` (lengths differ), `rankmix_error_grade` (a
#' grade that is missing, negative, fractional or above 30),
#' `rankmix_error_query` and `rankmix_error_document` (a missing id), `rankmix_error_feature` (an infinite
#' value, a column that is not numeric, no column), `rankmix_error_empty` (no
#' row), `rankmix_error_column` (a column name that does not exist).
#'
#' @section Cost: one pass over the features, O(n p), and a sort of n numbers.
#'
#' @examples
#' x <- matrix(c(0.2, 0.9, 0.4, 0.7, NA, 0.1), ncol = 2)
#' ranking_data(x, relevance = c(0, 2, 1), query = c("b", "a", "b"))
#'
#' frame <- data.frame(bm25 = c(1.2, 0.3), clicks = c(5, 9),
#'                     grade = c(1, 0), query = "q1")
#' ranking_data(frame, relevance = "grade", query = "query")
#' @export
ranking_data <- function(x, relevance, query, document = NULL,
                         threads = NULL) {
  threads <- check_threads(threads)
  columns <- character()
  if (is.data.frame(x)) {
    # Taking columns from a data frame would rename repeated ones.
    check_names(names(x))
    columns <- named_columns(x, relevance = relevance, query = query,
                             document = document)
    column <- function(name, value) {
      if (name %in% names(columns)) x[[columns[[name]]]] else value
    }
    relevance <- column("relevance", relevance)
    query <- column("query", query)
    document <- column("document", document)
    x <- x[!names(x) %in% columns]
  }
  named <- !is.null(colnames(x))
  x <- as_feature_matrix(x)
  check_same_length(nrow(x), relevance = relevance, query = query,
                    document = document)
  relevance <- check_grades(relevance)
  query <- check_ids(query, "query")
  query_ids <- unique(query)
  if (!is.null(document)) {
    document <- id_text(check_ids(document, "document"))
  }
  new_ranking_data(x, relevance, match(query, query_ids), query_ids, document,
                   feature_names(x), named, columns, threads)
}

# Everything about the rows is known and checked here; what print() shows is
# computed once.
new_ranking_data <- function(x, relevance, query, query_ids, document, features,
                             named, columns, threads,
                             call = rlang::caller_env()) {
  if (length(relevance) == 0L) {
    stop_input("empty", "The data have no rows.",
               remedy = "Give at least one judged document.", call = call)
  }
  scan <- scan_features(x, threads)
  check_finite(scan, x, features, call)
  sizes <- tabulate(query, length(query_ids))
  structure(
    list(
      x = x,
      relevance = relevance,
      query = query,
      query_ids = query_ids,
      document = document,
      features = features,
      named = named,
      columns = columns,
      order = order(query) - 1L,
      offsets = c(0L, cumsum(sizes)),
      constant = features[scan$constant],
      missing = sum(scan$missing)
    ),
    class = "ranking_data"
  )
}

check_finite <- function(scan, x, features, call) {
  if (length(scan$infinite) == 0L) {
    return(invisible(x))
  }
  row <- scan$infinite[1L]
  stop_input(
    "feature",
    sprintf("Feature `%s` is not finite.", features[scan$infinite[2L]]),
    sprintf("Row %d holds %s.", row, format(x[row, scan$infinite[2L]])),
    "Replace it by a number, or by NA where the value is missing.",
    call = call
  )
}

# The columns of a data frame that the arguments name.
named_columns <- function(frame, ..., call = rlang::caller_env()) {
  given <- list(...)
  is_name <- vapply(given, function(g) {
    is.character(g) && length(g) == 1L && (nrow(frame) != 1L || g %in% names(frame))
  }, logical(1))
  columns <- unlist(given[is_name])
  unknown <- setdiff(columns, names(frame))
  if (length(unknown) > 0L) {
    stop_input(
      "column",
      sprintf("The data frame has no column %s.", enumerate(unknown)),
      sprintf("Its columns are %s.", enumerate(names(frame), 10L)),
      "Give the name of a column, or a vector with one value a row.",
      call = call
    )
  }
  if (is.null(columns)) character() else columns
}

as_feature_matrix <- function(x, name = "x", call = rlang::caller_env()) {
  if (is.data.frame(x)) {
    bad <- !vapply(x, function(col) {
      (is.numeric(col) || is.logical(col)) && is.null(dim(col)) && !is.factor(col)
    }, logical(1))
    if (any(bad)) {
      stop_input(
        "feature",
        sprintf("The columns %s are not numeric.", enumerate(names(x)[bad])),
        sprintf("`%s` is of class %s.", names(x)[bad][1L],
                class(x[[which(bad)[1L]]])[1L]),
        "Drop them, or turn them into numbers first.",
        call = call
      )
    }
    x <- as.matrix(x)
  }
  if (!is.matrix(x) || !(is.numeric(x) || is.logical(x))) {
    stop_input(
      "feature",
      sprintf("`%s` must be a numeric matrix or a data frame, not %s.", name,
              show_value(x)),
      call = call
    )
  }
  if (ncol(x) == 0L) {
    stop_input("feature", "The data have no feature columns.",
               remedy = "Give at least one numeric feature.", call = call)
  }
  if (!is.double(x)) {
    storage.mode(x) <- "double"
  }
  x
}

feature_names <- function(x, call = rlang::caller_env()) {
  names <- colnames(x)
  if (is.null(names)) {
    return(paste0("x", seq_len(ncol(x))))
  }
  check_names(names, call)
}

check_names <- function(names, call = rlang::caller_env()) {
  nameless <- which(is.na(names) | names == "")
  if (length(nameless) > 0L) {
    stop_input(
      "feature",
      sprintf("Feature %d has no name, though others have one.", nameless[1L]),
      remedy = "Name all columns of a matrix, or none.",
      call = call
    )
  }
  if (anyDuplicated(names)) {
    stop_input(
      "feature",
      sprintf("The feature names %s occur more than once.",
              enumerate(unique(names[duplicated(names)]))),
      remedy = "Give every column a name of its own.",
      call = call
    )
  }
  names
}

check_same_length <- function(rows, relevance, query, document,
                              call = rlang::caller_env()) {
  lengths <- c(relevance = length(relevance), query = length(query),
               document = if (!is.null(document)) length(document))
  wrong <- lengths != rows
  if (any(wrong)) {
    stop_input(
      "length",
      "The arguments must describe the same documents.",
      sprintf("`x` has %d rows, `%s` has length %d.", rows,
              names(lengths)[wrong], lengths[wrong]),
      "Give one grade and one id for each row of `x`.",
      call = call
    )
  }
}

check_grades <- function(relevance, call = rlang::caller_env()) {
  if (is.factor(relevance) || !(is.numeric(relevance) || is.logical(relevance))) {
    stop_input(
      "grade",
      sprintf("Grades must be numbers 0, 1, 2, ..., not %s.",
              if (is.factor(relevance)) "a factor" else show_value(relevance)),
      remedy = "Recode them; 0 means not relevant.",
      call = call
    )
  }
  bad <- which(is.na(relevance) | relevance < 0 | relevance > 30 |
                 relevance != round(relevance))
  if (length(bad) > 0L) {
    stop_input(
      "grade",
      "Grades must be whole numbers from 0 to 30.",
      sprintf("Row %d has the grade %s%s.", bad[1L],
              format(relevance[bad[1L]]),
              if (length(bad) > 1L) {
                sprintf(", and %d more rows are wrong", length(bad) - 1L)
              } else ""),
      "Recode the grades as 0, 1, 2, ...; 0 means not relevant.",
      call = call
    )
  }
  as.integer(relevance)
}

# Ids of what `name` says: "query" or "document".
check_ids <- function(ids, name, call = rlang::caller_env()) {
  if (is.factor(ids)) {
    ids <- as.character(ids)
  }
  if (!(is_plain_number(ids) || is.character(ids))) {
    stop_input(
      name,
      sprintf("%s ids must be numbers, strings or a factor, not %s.",
              paste0(toupper(substr(name, 1L, 1L)), substring(name, 2L)),
              show_value(ids)),
      remedy = if (inherits(ids, "integer64")) "Turn them into text: `as.character()`.",
      call = call
    )
  }
  if (anyNA(ids)) {
    stop_input(
      name,
      sprintf("Row %d has no %s id.", which(is.na(ids))[1L], name),
      remedy = if (name == "query") {
        "Every document belongs to a query; drop the rows that do not."
      } else {
        "Give every document an id, or none."
      },
      call = call
    )
  }
  as.vector(ids)
}

#' @export
print.ranking_data <- function(x, ...) {
  sizes <- diff(x$offsets)
  grades <- tabulate(x$relevance + 1L)
  empty <- length(x$query_ids) - length(unique(x$query[x$relevance > 0L]))
  cat(sprintf("<ranking_data> %s queries, %s documents, %s features\n",
              format_count(length(x$query_ids)),
              format_count(length(x$relevance)),
              format_count(length(x$features))))
  cat(sprintf("Documents a query: %s to %s, median %s\n", min(sizes),
              max(sizes), format(stats::median(sizes))))
  cat("Grades: ",
      paste0(seq_along(grades) - 1L, ": ", format_count(grades), " (",
             round(100 * grades / sum(grades), 1), " %)", collapse = ", "),
      "\n", sep = "")
  cat(sprintf("Queries without a relevant document: %s\n",
              format_count(empty)))
  constant <- length(x$constant)
  cat("Constant features: ", constant,
      if (constant > 0L) paste0(" (", enumerate(x$constant), ")"), "\n",
      sep = "")
  if (x$missing > 0) {
    cat(sprintf("Missing values: %s (%s %%)\n", format_count(x$missing),
                signif(100 * x$missing / length(x$x), 2)))
  }
  invisible(x)
}

#' @export
dim.ranking_data <- function(x) {
  dim(x$x)
}

format_count <- function(n) {
  formatC(n, format = "d", big.mark = ",")
}
