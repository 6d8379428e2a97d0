#' Save binned data in a file
#'
#' `write_binned_data()` saves [binned_data()], which `saveRDS()` cannot save. `read_binned_data()` opens the file.
#' Use them to bin data once and train many times. The system reads only the parts of the file that are used, so
#' the file may be larger than the memory. Processes that open the same file share its memory.
#'
#' @param data The data, made by [binned_data()].
#' @param file The path of the file, usually with the ending `.bins`. While data are in use, their file must not be
#'   changed or removed.
#' @param threads Number of threads. Results do not depend on it.
#' @return `write_binned_data()`: the path, invisibly. `read_binned_data()`: binned data.
#' @details The file has a byte for each value, after a header of 4,096 bytes. An index with thresholds,
#'   relevance and queries follows. Numbers are little-endian. Other versions of rankmix may have another
#'   format, so keep the source, too.
#'   `read_binned_data()` reads the whole file once, to check it.
#' @section Conditions: `rankmix_error_file`: the file cannot be read or written, is damaged or incomplete, or
#'   is no file of binned data.
#' @examples
#' train <- system.file("extdata", "train.txt.gz", package = "rankmix")
#' data <- binned_data(train, verbose = FALSE)
#' file <- tempfile(fileext = ".bins")
#' write_binned_data(data, file)
#' read_binned_data(file)
#' @export
write_binned_data <- function(data, file) {
  check_all_given()
  check_class(data, "data", "binned_data", "`binned_data()`")
  data$x <- opened_bins(data$x)
  write_beside(file, function(partial) {
    bins_write(data$x$bins, enc2native(partial),
               c(file_sections(data, data$x$max_bin, data$x$background), list(content = data$x$content)))$error
  })
}

#' @rdname write_binned_data
#' @export
read_binned_data <- function(file, threads = NULL) {
  check_given(missing(file), "file", "Give the path of a file of `write_binned_data()`.")
  check_readable(file)
  threads <- check_threads(threads)
  mapped <- bins_map(enc2native(path.expand(file)), threads)
  if (!is.null(mapped$error)) {
    stop_input("file", sprintf("'%s' cannot be read as binned data.", file), sprintf("The reason: %s.", mapped$error),
               "Write it anew by `write_binned_data()`.")
  }
  data_of_sections(mapped, normalizePath(file), threads)
}

# Vectors of R that the file stores in addition to the bins.
file_sections <- function(data, max_bin, background) {
  x <- data$x
  binned <- has_bins(x)
  constant <- if (binned) x$constant else x$constant[x$columns]
  missing <- if (binned) x$missing else x$missing[x$columns]
  sections <- list(
    max_bin = as.integer(max_bin), names = enc2utf8(data$features), named = as.integer(data$named),
    columns = enc2utf8(data$columns), column_roles = enc2utf8(rlang::names2(data$columns)),
    constant = as.integer(constant), missing = as.double(missing), relevance = data$relevance,
    query = data$query, query_ids = if (is.character(data$query_ids)) enc2utf8(data$query_ids) else data$query_ids,
    document = if (!is.null(data$document)) enc2utf8(data$document), weight = data$weight,
    position = data$position, document_weight = data$document_weight, background = as.double(background)
  )
  c(Filter(Negate(is.null), sections), encoding_sections(data$encoding), label_sections(data$labels))
}

# Factors: their columns, levels, and the features of each. Dates and times: their class.
encoding_sections <- function(encoding) {
  if (length(encoding) == 0L) {
    return(list())
  }
  levels <- lapply(encoding, `[[`, "levels")
  list(factor_columns = enc2utf8(encoded_columns(encoding)),
       factor_ordered = as.integer(vapply(encoding, `[[`, NA, "ordered")),
       factor_sizes = lengths(levels), factor_levels = enc2utf8(as.character(unlist(levels))),
       factor_classes = vapply(encoding, function(entry) if (is_time_entry(entry)) entry$class else "", ""))
}

encoding_of_sections <- function(sections) {
  ends <- cumsum(sections$factor_sizes)
  lapply(seq_along(sections$factor_columns), function(k) {
    levels <- sections$factor_levels[seq.int(to = ends[k], length.out = sections$factor_sizes[k])]
    entry <- factor_encoding(sections$factor_columns[k], levels, sections$factor_ordered[k] == 1L)
    class <- sections$factor_classes[k]
    if (isTRUE(nzchar(class))) c(entry, list(class = class)) else entry
  })
}

data_of_sections <- function(mapped, file, threads, call = rlang::caller_env()) {
  of <- mapped$sections
  rows <- mapped$rows
  of_rows <- c("relevance", "document", "position", "document_weight", "content")
  good <- length(of$query) == rows && length(of$names) == length(of$constant) &&
    length(of$names) == length(of$missing) && length(of$max_bin) == 1L && length(of$query_ids) > 0L &&
    is.integer(of$query) && all(of$query >= 1L & of$query <= length(of$query_ids)) &&
    length(of$background) %% length(of$names) == 0 && all(lengths(of[of_rows]) %in% c(0, rows)) &&
    length(of$labels) == rows * length(of$label_names) && length(of$label_graded) == length(of$label_names)
  if (!isTRUE(good)) {
    stop_input("file", sprintf("'%s' cannot be read as binned data.", file), "It is damaged or incomplete.",
               "Write it anew by `write_binned_data()`.", call = call)
  }
  columns <- of$columns
  if (any(nzchar(of$column_roles))) names(columns) <- of$column_roles
  x <- binned_features(mapped$bins, list(rows = rows, names = of$names, columns = seq_along(of$names),
                                         constant = of$constant == 1L, missing = of$missing),
                       of$content, of$max_bin, matrix(of$background, ncol = length(of$names)), file)
  schema <- feature_schema(of$names, of$named == 1L, columns, encoding_of_sections(of))
  new_ranking_data(x, of$relevance, of$query, of$query_ids, of$document, of$weight, schema, threads, call,
                   of$position, of$document_weight, labels_of_sections(of))
}
