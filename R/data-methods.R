# What can be done with ranking data: parts of them, put together, as a data frame.

#' Parts of ranking data, and putting parts together
#'
#' Ranking data are taken apart by query, never inside one.
#'
#' @param x Ranking data, made by [ranking_data()] or [read_letor()].
#' @param i Which queries: their ids as strings, or their positions in the order of
#'   appearance, negative ones to leave out; or one logical value a query. Numbers are
#'   positions, even where ids are numbers.
#' @param n How many queries; negative to leave so many out at the end.
#' @param ... For `c()`, ranking data with the same features; otherwise not used.
#' @param shared What a query id means that several parts of `c()` have: `"error"`;
#'   `"same"`, one query; or `"new"`, different queries, whose ids get the number of
#'   the part in front, as in `"2:17"`.
#' @param object Ranking data.
#' @param row.names,optional As in [as.data.frame()].
#'
#' @return `[`, `head()` and `c()`: ranking data; rows keep their order, queries are
#'   in order of appearance. `as.data.frame()`: a data frame with the columns `query`,
#'   `relevance`, `document` if there are ids, and the features. `summary()`: a list
#'   with the data frames `queries` (`query`, `documents`, `relevant`, the number with a
#'   grade above 0, and `highest`, the highest grade) and `features` (`feature`,
#'   `missing`, `min`, `mean`, `max`, without missing values).
#' @section Conditions: `rankmix_error_query`: a query that is not there, or that
#'   several parts have. `rankmix_error_feature`: parts with different features.
#'   `rankmix_error_document`: some parts have document ids and others not.
#'   `rankmix_error_empty`: no query is left.
#' @examples
#' data <- read_letor(system.file("extdata", "test.txt.gz", package = "rankmix"))
#' data[1:3]
#' head(data, -10)
#' c(data[1:3], data[5])
#' summary(data)
#' @name ranking_data_parts
NULL

#' @rdname ranking_data_parts
#' @export
`[.ranking_data` <- function(x, i) {
  take_queries(x, query_positions(x, i))
}

#' @rdname ranking_data_parts
#' @importFrom utils head
#' @export
head.ranking_data <- function(x, n = 6L, ...) {
  take_queries(x, head(seq_along(x$query_ids), n))
}

# The rows of these queries, in their order.
take_queries <- function(data, positions, call = rlang::caller_env()) {
  if (length(positions) == 0L) {
    stop_input("empty", "No query is left.",
               remedy = "Ranking data have at least one.", call = call)
  }
  rows <- which(data$query %in% positions)
  kept <- unique(data$query[rows])
  new_ranking_data(
    data$x[rows, , drop = FALSE], data$relevance[rows],
    match(data$query[rows], kept), data$query_ids[kept], data$document[rows],
    data$features, data$named, data$columns, check_threads(NULL), call
  )
}

query_positions <- function(data, i, call = rlang::caller_env()) {
  count <- length(data$query_ids)
  if (is.factor(i)) {
    i <- as.character(i)
  }
  if (is.character(i)) {
    positions <- match(i, id_text(data$query_ids))
    if (anyNA(positions)) {
      stop_input("query",
                 sprintf("The data have no query %s.", enumerate(i[is.na(positions)])),
                 call = call)
    }
    return(positions)
  }
  good <- (is.logical(i) && length(i) == count || is.numeric(i)) && !anyNA(i) &&
    (is.logical(i) || all(i == round(i) & abs(i) <= count) &&
       (all(i >= 0) || all(i <= 0)))
  if (!good) {
    stop_input(
      "query",
      sprintf("Queries are taken by id, by position from 1 to %d, or by one logical value each; not by %s.",
              count, show_value(i)),
      call = call
    )
  }
  seq_len(count)[i]
}

#' @rdname ranking_data_parts
#' @export
c.ranking_data <- function(..., shared = "error") {
  check_choice(shared, "shared", c("error", "same", "new"))
  parts <- list(...)
  for (i in seq_along(parts)) {
    check_class(parts[[i]], sprintf("part %d", i), "ranking_data",
                "`ranking_data()`")
  }
  check_same_features(parts)
  ids <- joined_ids(parts, shared)
  query_ids <- unique(ids)
  new_ranking_data(
    do.call(rbind, lapply(parts, `[[`, "x")),
    unlist(lapply(parts, `[[`, "relevance")), match(ids, query_ids), query_ids,
    joined_documents(parts), parts[[1L]]$features, parts[[1L]]$named,
    parts[[1L]]$columns, check_threads(NULL)
  )
}

check_same_features <- function(parts, call = rlang::caller_env()) {
  first <- parts[[1L]]$features
  for (i in seq_along(parts)) {
    if (!identical(parts[[i]]$features, first)) {
      stop_input(
        "feature",
        sprintf("Part %d does not have the features of part 1.", i),
        sprintf("Part 1 has %d, part %d has %d: %s.", length(first), i,
                length(parts[[i]]$features),
                enumerate(c(setdiff(first, parts[[i]]$features),
                            setdiff(parts[[i]]$features, first)))),
        "Give parts with the same features in the same order.",
        call = call
      )
    }
  }
}

# The query id of every row of all parts.
joined_ids <- function(parts, shared, call = rlang::caller_env()) {
  ids <- lapply(parts, `[[`, "query_ids")
  if (length(unique(vapply(ids, is.character, logical(1)))) > 1L) {
    ids <- lapply(ids, id_text)
  }
  all <- unlist(ids)
  again <- unique(all[duplicated(all)])
  if (length(again) > 0L && shared == "error") {
    stop_input(
      "query",
      sprintf("Several parts have the queries %s.", enumerate(again)),
      remedy = paste("Set `shared = \"same\"` if they are the same queries,",
                     "`shared = \"new\"` if they are not."),
      call = call
    )
  }
  if (length(again) > 0L && shared == "new") {
    ids <- Map(function(part, i) paste(i, id_text(part), sep = ":"), ids,
               seq_along(ids))
  }
  unlist(Map(function(part, ids) ids[part$query], parts, ids))
}

joined_documents <- function(parts, call = rlang::caller_env()) {
  has <- !vapply(parts, function(part) is.null(part$document), logical(1))
  if (!any(has)) {
    return(NULL)
  }
  if (!all(has)) {
    stop_input("document", sprintf("Part %d has no document ids, others have.",
                                   which(!has)[1L]),
               remedy = "Give all parts ids, or none.", call = call)
  }
  unlist(lapply(parts, `[[`, "document"))
}

#' @rdname ranking_data_parts
#' @export
as.data.frame.ranking_data <- function(x, row.names = NULL, optional = FALSE, ...) {
  frame <- data.frame(query = x$query_ids[x$query], relevance = x$relevance,
                      row.names = row.names)
  if (!is.null(x$document)) {
    frame$document <- x$document
  }
  features <- lapply(seq_along(x$features), function(f) as.vector(x$x[, f]))
  names(features) <- x$features
  cbind(frame, list2DF(features))
}

#' @rdname ranking_data_parts
#' @export
summary.ranking_data <- function(object, ...) {
  query <- factor(object$query, seq_along(object$query_ids))
  queries <- data.frame(
    query = object$query_ids,
    documents = diff(object$offsets),
    relevant = as.vector(tapply(object$relevance > 0L, query, sum)),
    highest = as.vector(tapply(object$relevance, query, max))
  )
  of_feature <- function(f, of) {
    values <- object$x[, f]
    values <- values[!is.na(values)]
    if (length(values) > 0L) of(values) else NA_real_
  }
  column <- function(of) {
    vapply(seq_along(object$features), of_feature, numeric(1), of = of)
  }
  structure(
    list(queries = queries,
         features = data.frame(feature = object$features,
                               missing = as.vector(colSums(is.na(object$x))),
                               min = column(min), mean = column(mean),
                               max = column(max))),
    class = "summary.ranking_data"
  )
}

#' @export
print.summary.ranking_data <- function(x, ...) {
  cat(sprintf("<summary of ranking_data> %s queries, %s features\n",
              format_count(nrow(x$queries)), format_count(nrow(x$features))))
  quantiles <- function(values) {
    paste(format(stats::quantile(values), digits = 3, trim = TRUE), collapse = " ")
  }
  cat("Quartiles of documents a query:", quantiles(x$queries$documents), "\n")
  cat("Quartiles of relevant documents a query:", quantiles(x$queries$relevant), "\n")
  print(utils::head(x$features, 10L), row.names = FALSE)
  if (nrow(x$features) > 10L) {
    cat(sprintf("... and %d more features, see `$features`\n",
                nrow(x$features) - 10L))
  }
  invisible(x)
}
