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

# The data of a mapped file. Its sections are checked like the arguments of ranking_data(), because the core trusts
# them: a wrong number would make it read beyond its tables.
data_of_sections <- function(mapped, file, threads, call = rlang::caller_env()) {
  tryCatch({
    of <- checked_sections(mapped, call)
    x <- binned_features(mapped$bins, list(rows = mapped$rows, names = of$names, columns = seq_along(of$names),
                                           constant = of$constant == 1L, missing = of$missing),
                         of$content, of$max_bin, matrix(of$background, ncol = length(of$names)), file)
    schema <- feature_schema(of$names, of$named == 1L, named_columns(of), encoding_of_sections(of))
    new_ranking_data(x, of$relevance, of$query, of$query_ids, of$document, of$weight, schema, threads, call,
                     of$position, of$document_weight, of$labels, is_part = TRUE)
  }, rankmix_error = function(e) stop_damaged(file, call, e))
}

stop_damaged <- function(file, call, parent = NULL) {
  stop_input("file", sprintf("'%s' cannot be read as binned data.", file), "It is damaged or incomplete.",
             "Write it anew by `write_binned_data()`.", call = call, parent = parent)
}

# The type of each section. Other sections are ignored.
section_types <- c(
  max_bin = "integer", names = "character", named = "integer", columns = "character", column_roles = "character",
  constant = "integer", missing = "double", relevance = "number", query = "integer", query_ids = "id",
  document = "character", weight = "number", position = "number", document_weight = "number",
  background = "double", content = "double", factor_columns = "character", factor_ordered = "integer",
  factor_sizes = "integer", factor_levels = "character", factor_classes = "character", labels = "double",
  label_names = "character", label_graded = "integer"
)

# The sections with checked values. A section that the file does not have is NULL.
checked_sections <- function(mapped, call) {
  # A list with all names, because `$` would take `document_weight` for a missing `document`.
  of <- stats::setNames(mapped$sections[match(names(section_types), names(mapped$sections))], names(section_types))
  for (name in names(of)) check_section_type(of[[name]], name, section_types[[name]], call)
  check_feature_sections(of, mapped, call)
  rows <- mapped$rows
  check_section(rows <= .Machine$integer.max && length(of$query) == rows, "query", call)
  check_same_length(rows, of$relevance, of$query, of$document, NULL, of$position, of$document_weight, call)
  check_section(length(of$content) %in% c(0, rows), "content", call)
  check_query_sections(of, call)
  if (!is.null(of$document)) check_ids(of$document, "document", call)
  if (!is.null(of$position)) check_positions(of$position, call)
  if (!is.null(of$document_weight)) check_document_weights(of$document_weight, call)
  if (!is.null(of$relevance)) of$relevance <- check_stored_relevance(of$relevance, is.integer(of$relevance), call)
  of$labels <- labels_of_sections(of, rows, call)
  check_factor_sections(of, call)
  of
}

check_section <- function(good, name, call) {
  if (!isTRUE(all(good))) {
    stop_input("file", sprintf("The section `%s` of the file is wrong.", name), call = call)
  }
}

check_section_type <- function(values, name, type, call) {
  types <- switch(type, number = c("integer", "double"), id = c("integer", "double", "character"), type)
  check_section(is.null(values) || typeof(values) %in% types, name, call)
}

# Facts about the features. The bins themselves were checked before.
check_feature_sections <- function(of, mapped, call) {
  features <- mapped$features
  for (name in c("names", "constant", "missing")) check_section(length(of[[name]]) == features, name, call)
  check_names(of$names, call)
  check_section(of$constant %in% 0:1, "constant", call)
  check_section(of$missing >= 0 & of$missing <= mapped$rows & of$missing == round(of$missing), "missing", call)
  check_section(length(of$max_bin) == 1L && of$max_bin %in% 2:255, "max_bin", call)
  check_section(lengths(bins_thresholds(mapped$bins)) < of$max_bin, "max_bin", call)
  check_section(length(of$named) == 1L && of$named %in% 0:1, "named", call)
  check_section(length(of$column_roles) == length(of$columns) && !anyNA(c(of$columns, of$column_roles)), "columns",
                call)
  check_section(length(of$background) %% features == 0 && !any(is.infinite(of$background)), "background", call)
}

# Queries with their ids and weights. Each id has documents. The ids were checked for lost digits before they were
# written.
check_query_sections <- function(of, call) {
  ids <- suppressWarnings(check_ids(of$query_ids, "query", call), classes = "rankmix_warning_id")
  check_section(!anyDuplicated(ids), "query_ids", call)
  check_section(of$query >= 1L & of$query <= length(ids), "query", call)
  check_section(tabulate(of$query, length(ids)) > 0L, "query_ids", call)
  if (!is.null(of$weight)) {
    check_section(length(of$weight) == length(ids), "weight", call)
    check_row_weights(of$weight, "Weights", "queries", call)
  }
}

check_factor_sections <- function(of, call) {
  factors <- length(of$factor_columns)
  check_section(!anyNA(of$factor_columns), "factor_columns", call)
  check_section(length(of$factor_ordered) == factors && all(of$factor_ordered %in% 0:1), "factor_ordered", call)
  check_section(length(of$factor_sizes) == factors && isTRUE(all(of$factor_sizes >= 0L)) &&
                  sum(as.double(of$factor_sizes)) == length(of$factor_levels), "factor_sizes", call)
  check_section(length(of$factor_classes) %in% c(0L, factors) && all(of$factor_classes %in% c("", "Date", "POSIXct")),
                "factor_classes", call)
}

# The columns that are not features, with their roles as names.
named_columns <- function(of) {
  columns <- of$columns
  if (any(nzchar(of$column_roles))) names(columns) <- of$column_roles
  columns
}
