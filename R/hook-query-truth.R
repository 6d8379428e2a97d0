# Grades that carry their queries. yardstick and tune pass only one column to a metric as its truth, and select,
# sort and bind its rows by vctrs. So the attribute `query` has the query of each value.

#' Grades with their queries
#'
#' Makes a numeric vector of grades in which each document carries its query. Functions of tidymodels then find the
#' queries in the outcome, without a further argument.
#'
#' @param relevance The relevance: grades 0, 1, 2, ... or other numbers, see [ranking_data()]. `NA` is an unknown grade.
#' @param query The query of each document, in any order: numbers, strings or a factor, or
#'   several of these as a list or data frame.
#' @param ... Must be empty.
#' @details With a recipe, [query_blueprint()] makes the vector from the outcome and the column with the role `"query"`.
#' @return A numeric vector of class `query_truth`. Subsets and combinations of the vector keep the queries.
#'   [query_metric()] uses the vector as truth, and the engine `"rankmix"` of [parsnip_engine] as outcome.
#' @examples
#' truth <- query_truth(c(2, 0, 1), c("a", "a", "b"))
#' truth
#' truth[2:3]
#' @section Conditions: `rankmix_error_length`: the vectors have different lengths. `rankmix_error_query`: a query is
#'   missing. `rankmix_error_argument`: `relevance` is not numeric.
#' @export
query_truth <- function(relevance, query, ...) {
  check_no_others(...)
  check_all_given()
  if (!is_plain_number(relevance) && !inherits(relevance, "query_truth")) {
    stop_input("argument", sprintf("`relevance` must be numbers, not %s.", show_value(relevance)))
  }
  query <- single_query(query, length(relevance))
  if (length(query) != length(relevance)) {
    stop_input("length", sprintf("`relevance` has length %d, `query` has length %d.", length(relevance),
                                 length(query)), remedy = "Give one of each for each document.")
  }
  # Queries are stored as text, so that vectors of several sources can be combined.
  new_query_truth(as.double(relevance), id_text(check_ids(query, "query")))
}

new_query_truth <- function(relevance, query) {
  structure(as.double(relevance), query = query, class = "query_truth")
}

queries_of_truth <- function(x) attr(x, "query", exact = TRUE)

plain_truth <- function(x) {
  attributes(x) <- NULL
  x
}

#' @export
`[.query_truth` <- function(x, i) new_query_truth(plain_truth(x)[i], queries_of_truth(x)[i])

#' @export
`[[.query_truth` <- function(x, i) new_query_truth(plain_truth(x)[[i]], queries_of_truth(x)[[i]])

# Grades of another vector bring their queries, as in rbind() of data frames. Numbers replace grades only.
#' @export
`[<-.query_truth` <- function(x, i, value) {
  if (missing(i)) i <- seq_along(x)
  grades <- plain_truth(x)
  query <- queries_of_truth(x)
  grades[i] <- plain_truth(value)
  if (inherits(value, "query_truth")) query[i] <- queries_of_truth(value)
  if (!is.numeric(grades) || length(query) != length(grades)) {
    stop_input("argument", "Grades with queries can be replaced by numbers, and extended by `query_truth()` only.",
               sprintf("The value is %s.", show_value(value)))
  }
  new_query_truth(grades, query)
}

#' @export
`[[<-.query_truth` <- function(x, i, value) {
  x[i] <- value
  x
}

#' @export
c.query_truth <- function(...) {
  parts <- list(...)
  plain <- which(!vapply(parts, inherits, NA, "query_truth"))
  if (length(plain) > 0L) {
    stop_input("argument", "Only vectors of `query_truth()` can be combined with each other.",
               sprintf("Value %d is %s.", plain[1L], show_value(parts[[plain[1L]]])))
  }
  new_query_truth(unlist(lapply(parts, plain_truth)), unlist(lapply(parts, queries_of_truth)))
}

#' @export
rep.query_truth <- function(x, ...) x[rep(seq_along(x), ...)]

#' @export
as.double.query_truth <- function(x, ...) plain_truth(x)

#' @export
summary.query_truth <- function(object, ...) summary(plain_truth(object), ...)

#' @export
as.data.frame.query_truth <- function(x, ..., nm = deparse1(substitute(x))) {
  as.data.frame.vector(x, ..., nm = nm)
}

# Results of arithmetic are plain numbers, because they are not grades.
#' @export
Ops.query_truth <- function(e1, e2) {
  if (inherits(e1, "query_truth")) e1 <- plain_truth(e1)
  if (missing(e2)) {
    return(get(.Generic)(e1))
  }
  if (inherits(e2, "query_truth")) e2 <- plain_truth(e2)
  get(.Generic)(e1, e2)
}

#' @export
format.query_truth <- function(x, ...) sprintf("%s <%s>", format(plain_truth(x), ...), queries_of_truth(x))

#' @export
print.query_truth <- function(x, ...) {
  say(sprintf("<grades with queries> %s, %s", counted(length(x), "document"),
              counted(length(unique(queries_of_truth(x))), "query", "queries")))
  shown <- format(x[seq_len(min(10L, length(x)))])
  if (length(shown) > 0L) say(paste(c(shown, if (length(x) > 10L) "..."), collapse = ", "))
  invisible(x)
}

# vctrs selects and combines rows of the data frame.
#' @exportS3Method vctrs::vec_proxy
vec_proxy.query_truth <- function(x, ...) list2DF(list(relevance = plain_truth(x), query = queries_of_truth(x)))

#' @exportS3Method vctrs::vec_restore
vec_restore.query_truth <- function(x, to, ...) new_query_truth(x$relevance, x$query)

#' @exportS3Method vctrs::vec_ptype2
vec_ptype2.query_truth.query_truth <- function(x, y, ...) new_query_truth(double(), character())

#' @exportS3Method vctrs::vec_cast
vec_cast.query_truth.query_truth <- function(x, to, ...) x

#' @exportS3Method vctrs::vec_cast
vec_cast.double.query_truth <- function(x, to, ...) plain_truth(x)
