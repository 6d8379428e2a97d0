# The features of binned data, in place of a matrix: a pointer to bins, and the facts about them that
# R needs. `content` has a hash of the values of each row as the bits of a double, for orders by
# content; NULL if features were left out. `background` has the values of the documents that models
# keep (explain-background.R); a subset of the data keeps the background of the whole data.

binned_features <- function(bins, x, content, max_bin, background, file = NULL) {
  structure(list(bins = bins, rows = as.double(x$rows), names = x$names, content = content, max_bin = max_bin,
                 constant = x$constant[x$columns], missing = x$missing[x$columns], background = background,
                 file = file),
            class = "binned_features")
}

# inherits() would attach the package of an S4 object, such as Matrix.
has_bins <- function(x) !isS4(x) && inherits(x, "binned_features")

# Features on disk, before they are binned (data-binned.R).
is_stored <- function(x) !isS4(x) && inherits(x, "stored_features")

# The features with bins that can be used. A pointer is empty after R saved and read it, or sent it to
# another process. A file is then mapped again.
opened_bins <- function(x, call = rlang::caller_env()) {
  if (!is_empty_pointer(x$bins)) {
    return(x)
  }
  if (!is.null(x$file) && file.exists(x$file)) {
    found <- unclass(read_binned_data(x$file)$x)
    if (!identical(found[same_in_file], unclass(x)[same_in_file])) {
      stop_input("bins", "The file of these data has changed.", sprintf("It is '%s'.", x$file),
                 "Read it anew: `read_binned_data()`.", call = call)
    }
    x$bins <- found$bins
    return(x)
  }
  stop_input("bins", "The bins of these data are no longer in memory.",
             c("R does not save bins by `saveRDS()`, and does not send them to other processes.",
               if (!is.null(x$file)) sprintf("Their file is gone: '%s'.", x$file)),
             "Keep the bins in a file: `binned_data(file = )` or `write_binned_data()`.", call = call)
}

# What a file must have in common with data that were read from it before. Rows of other data could be beyond its bins.
same_in_file <- c("rows", "names", "content", "max_bin")

#' @export
print.binned_features <- function(x, ...) {
  say(sprintf("<bins> %s documents, %s features", format_count(x$rows), format_count(length(x$names))))
  invisible(x)
}

#' @export
dim.binned_features <- function(x) as.integer(c(x$rows, length(x$names)))

#' @export
dimnames.binned_features <- function(x) list(NULL, x$names)

#' @export
anyNA.binned_features <- function(x, recursive = FALSE) any(x$missing > 0)

#' @export
is.na.binned_features <- function(x) {
  stop_input("values", "Binned data do not have the values of features.")
}

#' @export
as.matrix.binned_features <- function(x, ...) {
  stop_input("values", "Binned data do not have the values of features.",
             remedy = "Give `ranking_data()`, such as a sample of the queries.")
}

#' @export
as.double.binned_features <- as.matrix.binned_features

#' @export
`[.binned_features` <- function(x, i, j, drop = FALSE) {
  x <- opened_bins(x)
  rows <- if (missing(i)) seq_len(x$rows) else seq_len(x$rows)[i]
  columns <- if (missing(j)) seq_along(x$names) else seq_along(x$names)[j]
  if (missing(i) && identical(columns, seq_along(x$names))) {
    return(x)
  }
  bins <- bins_take(x$bins, rows, columns, check_threads(NULL))
  part <- list(rows = length(rows), names = x$names[columns], columns = seq_along(columns),
               # Different values can have the same bin.
               constant = x$constant[columns], missing = bins_missing(bins, check_threads(NULL)))
  content <- if (identical(columns, seq_along(x$names))) x$content[rows]
  binned_features(bins, part, content, x$max_bin, x$background[, columns, drop = FALSE])
}

#' @export
dim.stored_features <- function(x) as.integer(c(x$rows, length(x$columns)))

#' @export
dimnames.stored_features <- function(x) list(NULL, x$names)

# Features can be left out before they are binned.
#' @export
`[.stored_features` <- function(x, i, j, drop = FALSE) {
  columns <- seq_along(x$columns)[j]
  x$columns <- x$columns[columns]
  x$names <- x$names[columns]
  x
}

# The same facts as scan_features() finds in a matrix.
scan_of <- function(x, threads) {
  if (is_stored(x)) {
    return(list(infinite = integer(), constant = x$constant[x$columns], missing = x$missing[x$columns]))
  }
  if (has_bins(x)) {
    return(list(infinite = integer(), constant = x$constant, missing = x$missing))
  }
  scan_features(x, threads)
}
