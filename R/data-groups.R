#' Queries from sizes of groups
#'
#' Converts sizes of queries into the `query` argument of [ranking_data()], [read_letor()] and
#' [read_ranking()]. LightGBM and XGBoost store queries as such sizes, in row order. The sizes are in a
#' vector, or in a file `train.txt.query` or `train.txt.group` with one number per line.
#'
#' @param sizes The numbers of documents of the queries, in row order. Or the path of a file with one number
#'   per line.
#'
#' @return A value of class `rankmix_groups`: whole numbers, with the path of the file
#'   as the attribute `file`. Queries are numbered 1, 2, .... Queries without documents
#'   have numbers too, but do not occur in data.
#' @section Conditions: `rankmix_error_groups`: a size that is negative or fractional.
#'   `rankmix_error_parse` and `rankmix_error_file` as in [read_letor()]. When the data
#'   are made, `rankmix_error_length`: the sizes do not sum to the number of rows.
#' @seealso [write_letor()], which writes such files.
#' @examples
#' query_groups(c(2, 1))
#' ranking_data(cbind(bm25 = 1:3), relevance = c(1, 0, 0), query = query_groups(c(2, 1)))
#' @export
query_groups <- function(sizes) {
  check_given(missing(sizes), "sizes",
              "Give the numbers of documents of the queries, or the path of a file of them.")
  file <- NULL
  if (is.character(sizes)) {
    file <- sizes
    check_readable(file)
    parsed <- fields_parse(enc2native(path.expand(file)), "i",
                           "A line holds the number of documents of a query.")
    stop_if_failed(file, parsed)
    sizes <- parsed[[1L]]
    lines <- parsed[[2L]]
  }
  if (!is_plain_number(sizes) || length(sizes) == 0L) {
    stop_input("groups",
               sprintf("Groups must be numbers of documents, or a file of them, not %s.",
                       if (is.null(file)) show_value(sizes) else "an empty file"))
  }
  bad <- which(!is.finite(sizes) | sizes < 0 | sizes != round(sizes))
  if (length(bad) > 0L) {
    where <- if (is.null(file)) {
      sprintf("Group %d", bad[1L])
    } else {
      sprintf("'%s', line %s", file, plain_number(lines[bad[1L]]))
    }
    stop_input("groups", "The size of a group must be a whole number from 0 on.",
               sprintf("%s has %s.", where, format(sizes[bad[1L]])),
               "Give the number of documents of each query.")
  }
  structure(as.double(sizes), file = file, class = "rankmix_groups")
}

# The query of each row.
groups_of_rows <- function(groups, rows, call = rlang::caller_env()) {
  sizes <- as.vector(unclass(groups))
  if (sum(sizes) != rows) {
    file <- attr(groups, "file")
    stop_input(
      "length",
      sprintf("The groups%s do not sum to the rows of the data.",
              if (is.null(file)) "" else sprintf(" in '%s'", file)),
      sprintf("%s groups have %s documents, the data have %s rows.",
              format_count(length(sizes)), plain_number(sum(sizes)), plain_number(rows)),
      "Do they belong to these data, and is the file complete?",
      call = call
    )
  }
  rep(seq_along(sizes), sizes)
}

#' @export
print.rankmix_groups <- function(x, ...) {
  say(sprintf("<query_groups> %s, %s", counted(length(x), "query", "queries"),
              counted(sum(x), "document")))
  invisible(x)
}
