# Methods for ranking data: subsets, combinations, conversion to a data frame.

#' Subset, combine and summarise ranking data
#'
#' You can select queries and features of ranking data. A query always keeps all of its documents, and can be selected
#' only once. `nrow()` counts documents and `length(x$query_ids)` queries. `head()` and `tail()` show documents.
#'
#' @param x The ranking data, made by [ranking_data()] or [read_letor()].
#' @param i The queries: ids as strings, or indexes in the order of appearance, negative indexes to leave out. Or
#'   one logical value per query, or per document if all documents of a query have the same value. Numbers are
#'   indexes, even if ids are numbers.
#' @param j The features, in this order: names; indexes, negative indexes to leave out; or one logical value per
#'   feature. The name of a factor selects all its features. Single levels of a factor cannot be selected.
#' @param n Number of documents; default 6. With a negative number, `head()` leaves out this number of documents at the
#'   end, and `tail()` at the beginning.
#' @param subset The condition on queries, computed from the columns of `summary(x)$queries`, such as
#'   `relevant > 0 & documents >= 10`. Missing values count as false.
#' @param select The features, as `j`, or an expression of their names, such as `c(bm25, clicks)` or
#'   `-clicks`.
#' @param ... For `c()`, ranking data with the same features; otherwise not used.
#' @param shared The rule for a query id in several parts of `c()`. `"error"` (the default); `"same"`: it
#'   is one query; or `"new"`: they are different queries, whose ids begin with the number of the part, as in `"2:17"`.
#' @param object The ranking data.
#' @param row.names,optional As in [as.data.frame()].
#'
#' @return `[`, `subset()`, `c()` and `rbind()` (the same as `c()`): ranking data. Rows keep their order,
#'   queries are in order of appearance. A model that was trained on selected features accepts data with all
#'   features, without a warning. If some parts have query weights, queries of the other parts get weight 1. The
#'   same holds for weights of documents.
#'
#'   `as.data.frame()`, `head()` and `tail()`: a data frame with the columns `query`, `relevance`,
#'   `document`, `weight`, `position` and `document_weight`, as far as the data have them, the labels, and the
#'   features. After [use_label()] the first relevance is the column `first_relevance`.
#'   Factors have their original form.
#'
#'   `summary()`: a list of two data frames. `queries` has `query`, `documents`, `relevant` (the number with a
#'   grade above 0) and `highest` (the highest grade) if there are grades, and `weight` if there are weights.
#'   `features` has `feature`, `missing`, `min`, `mean` and `max`, without missing values.
#' @section Conditions: `rankmix_error_query`: an unknown query, a query that is selected twice, or a query in several
#'   parts.
#'   `rankmix_error_feature`: parts with different features, an unknown feature, or single levels of a factor.
#'   `rankmix_error_argument`: a condition that cannot be computed. `rankmix_error_document`,
#'   `rankmix_error_position`, `rankmix_error_unjudged`: only some parts have document ids, positions, or grades.
#'   `rankmix_error_label`: parts with different labels. `rankmix_error_weight`: a shared query has different
#'   weights. `rankmix_error_empty`: no query or feature is left.
#' @examples
#' data <- read_letor(system.file("extdata", "test.txt.gz", package = "rankmix"))
#' data[1:3]
#' data[1:3, c("f1", "f2")]
#' head(data[, 1:3])
#' data[seq_len(length(data$query_ids) - 10)]
#' subset(data, relevant > 0 & documents >= 10)
#' c(data[1:3], data[5])
#' summary(data)
#' @name ranking_data_parts
NULL

#' @rdname ranking_data_parts
#' @export
`[.ranking_data` <- function(x, i, j) {
  if (!missing(i)) {
    x <- take_queries(x, query_positions(x, i))
  }
  if (missing(j)) x else take_features(x, feature_positions(x, j))
}

#' @rdname ranking_data_parts
#' @importFrom utils head
#' @export
head.ranking_data <- function(x, n = 6L, ...) {
  rows_of_data(x, head(seq_len(nrow(x)), n))
}

#' @rdname ranking_data_parts
#' @importFrom utils tail
#' @export
tail.ranking_data <- function(x, n = 6L, ...) {
  rows_of_data(x, tail(seq_len(nrow(x)), n))
}

# Some documents as a data frame, without converting all of them.
rows_of_data <- function(data, rows) {
  is_sparse(data$x)
  part <- unclass(data)
  part$x <- data$x[rows, , drop = FALSE]
  for (name in c("relevance", "query", "document", "position", "document_weight")) {
    part[name] <- list(data[[name]][rows])
  }
  part$labels <- labels_of_rows(data$labels, rows)
  frame <- as.data.frame.ranking_data(structure(part, class = "ranking_data"))
  rownames(frame) <- rows
  frame
}

#' @rdname ranking_data_parts
#' @export
subset.ranking_data <- function(x, subset, select, ...) {
  check_no_others(..., known = c("subset", "select"))
  if (!missing(subset)) {
    x <- take_queries(x, query_condition(x, rlang::enquo(subset)))
  }
  if (missing(select)) {
    return(x)
  }
  positions <- stats::setNames(as.list(seq_along(x$features)), x$features)
  wanted <- tryCatch(rlang::eval_tidy(rlang::enquo(select), positions), error = function(e) {
    choice <- rlang::quo_get_expr(rlang::enquo(select))
    stop_input("feature",
               sprintf("The features `%s` cannot be selected.", rlang::as_label(choice)),
               unlist(lapply(unknown_names(choice, positions), did_you_mean, x$features)),
               "For example `c(bm25, clicks)`, `-clicks` or names as strings.",
               call = rlang::current_env(), parent = e)
  })
  take_features(x, feature_positions(x, wanted))
}

# The indexes of the queries that satisfy a condition on the columns of query_table().
query_condition <- function(data, condition, call = rlang::caller_env()) {
  table <- query_table(data)
  keep <- tryCatch(rlang::eval_tidy(condition, table), error = function(e) {
    unknown <- unknown_names(rlang::quo_get_expr(condition), table)
    stop_input("argument",
               sprintf("The condition `%s` cannot be computed.",
                       rlang::as_label(rlang::quo_get_expr(condition))),
               sprintf("Of each query %s are known.", enumerate(names(table), 10L)),
               unlist(lapply(unknown, did_you_mean, names(table))), call = call, parent = e)
  })
  if (!is.logical(keep) || length(keep) != nrow(table)) {
    stop_input("argument",
               sprintf("The condition must be TRUE or FALSE for each of %d queries, not %s.",
                       nrow(table), show_value(keep)), call = call)
  }
  which(keep)
}

# The rows of these queries, in their order.
take_queries <- function(data, positions, call = rlang::caller_env()) {
  if (length(positions) == 0L) {
    stop_input("empty", "No query is left.",
               remedy = "Ranking data have at least one.", call = call)
  }
  positions <- unique(positions)
  rows <- data$order[sequence(diff(data$offsets)[positions], data$offsets[positions] + 1L)] + 1L
  take_documents(data, sort(rows), call)
}

# Queries without documents are dropped.
take_documents <- function(data, rows, call = rlang::caller_env()) {
  if (is_binned(data)) data$x <- opened_bins(data$x, call)
  kept <- unique(data$query[rows])
  is_sparse(data$x)  # its rows are taken by the package Matrix
  new_ranking_data(
    data$x[rows, , drop = FALSE], data$relevance[rows],
    match(data$query[rows], kept), data$query_ids[kept], data$document[rows],
    data$weight[kept], schema_of(data), check_threads(NULL), call, data$position[rows],
    data$document_weight[rows], labels_of_rows(data$labels, rows)
  )
}

# The data with these features alone, in this order.
take_features <- function(data, positions, call = rlang::caller_env()) {
  if (length(positions) == 0L) {
    stop_input("empty", "No feature is left.",
               remedy = "Ranking data have at least one.", call = call)
  }
  if (is_binned(data)) data$x <- opened_bins(data$x, call)
  check_whole_factors(data, positions, call)
  features <- data$features[positions]
  gone <- setdiff(source_columns(data$features, data$encoding),
                  source_columns(features, data$encoding))
  schema <- schema_of(data)
  schema$features <- features
  schema$columns <- c(schema$columns, setdiff(gone, schema$columns))
  schema$encoding <- Filter(function(entry) !entry$column %in% gone, schema$encoding)
  is_sparse(data$x)
  new_ranking_data(data$x[, positions, drop = FALSE], data$relevance, data$query,
                   data$query_ids, data$document, data$weight, schema,
                   check_threads(NULL), call, data$position, data$document_weight, data$labels)
}

# Features by name, where the name of a factor selects all its features; by index; or by one logical
# value each.
feature_positions <- function(data, j, call = rlang::caller_env()) {
  count <- length(data$features)
  if (is.character(j)) {
    encoding <- stats::setNames(data$encoding, encoded_columns(data$encoding))
    names <- unlist(lapply(j, function(name) {
      if (name %in% data$features || is.null(encoding[[name]])) {
        name
      } else {
        encoding[[name]]$features
      }
    }))
    unknown <- setdiff(names, data$features)
    if (length(unknown) > 0L) {
      stop_input("feature", sprintf("The data have no feature %s.", enumerate(unknown)),
                 remedy = unlist(lapply(utils::head(unknown, 3L), did_you_mean,
                                        data$features)), call = call)
    }
    return(unique(match(names, data$features)))
  }
  good <- (is.logical(j) && length(j) == count || is_plain_number(j)) && !anyNA(j) &&
    (is.logical(j) || all(j == round(j) & abs(j) <= count) &&
       (all(j >= 0) || all(j <= 0)))
  if (!good) {
    stop_input(
      "feature",
      sprintf("Features are selected by name, by position from 1 to %d, or by one logical value each; not by %s.",
              count, show_value(j)),
      call = call
    )
  }
  unique(seq_len(count)[j])
}

# A factor must have all its features.
check_whole_factors <- function(data, positions, call) {
  for (entry in data$encoding) {
    taken <- entry$features %in% data$features[positions]
    if (any(taken) && !all(taken)) {
      stop_input("feature",
                 sprintf("`%s` is a factor, of which only some features are selected.",
                         entry$column),
                 sprintf("Left out: %s.", enumerate(entry$features[!taken])),
                 sprintf("Take all by its name, \"%s\", or none.", entry$column),
                 call = call)
    }
  }
}

query_positions <- function(data, i, call = rlang::caller_env()) {
  positions <- given_positions(data, i, call)
  again <- positions[duplicated(positions)]
  if (length(again) > 0L) {
    stop_input("query", "A query can be taken only once.",
               sprintf("Taken several times: %s.", enumerate(data$query_ids[unique(again)])),
               remedy = "To count copies, give `ranking_data()` a `weight`.", call = call)
  }
  positions
}

given_positions <- function(data, i, call) {
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
  if (is.logical(i) && length(i) == length(data$query) && length(i) != count && !anyNA(i)) {
    return(queries_of_rows(data, i, call))
  }
  good <- (is.logical(i) && length(i) == count || is_plain_number(i)) && !anyNA(i) &&
    (is.logical(i) || all(i == round(i) & abs(i) <= count) &&
       (all(i >= 0) || all(i <= 0)))
  if (!good) {
    stop_input(
      "query",
      sprintf("Queries are selected by id, by position from 1 to %d, or by one logical value each; not by %s.",
              count, show_value(i)),
      if (is_plain_number(i) && !anyNA(i) && all(abs(i) <= length(data$query))) {
        sprintf("`nrow()` counts documents: the data have %s of %s.",
                counted(length(data$query), "document"), counted(count, "query", "queries"))
      },
      if (is_plain_number(i)) "Rows alone are shown by `head()` and `as.data.frame()`.",
      call = call
    )
  }
  seq_len(count)[i]
}

# One logical value per document selects queries if it is the same for all documents of each query.
queries_of_rows <- function(data, rows, call) {
  taken <- unique(data$query[rows])
  split <- intersect(taken, data$query[!rows])
  if (length(split) > 0L) {
    stop_input("query",
               sprintf("Query `%s` would be split: only some of its documents are selected.",
                       id_text(data$query_ids[split[1L]])),
               remedy = paste("Select whole queries. Or select rows of `as.data.frame()`, and make",
                              "ranking data of these rows."), call = call)
  }
  sort(taken)
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
  check_judged_alike(parts)
  ids <- joined_ids(parts, shared)
  query_ids <- unique(ids)
  query <- match(ids, query_ids)
  weight <- joined_weights(parts)
  if (!is.null(weight)) {
    weight <- query_weights(weight, query, query_ids)
  }
  new_ranking_data(
    bound_rows(lapply(parts, `[[`, "x")),
    unlist(lapply(parts, `[[`, "relevance")), query, query_ids,
    joined_documents(parts), weight, schema_of(parts[[1L]]), check_threads(NULL),
    position = joined_positions(parts), document_weight = joined_document_weights(parts),
    labels = joined_labels(parts)
  )
}

#' @rdname ranking_data_parts
#' @export
rbind.ranking_data <- function(..., shared = "error") {
  c(..., shared = shared)
}

# Sparse if all parts are sparse.
bound_rows <- function(matrices) {
  sparse <- vapply(matrices, is_sparse, logical(1))
  if (all(sparse)) {
    return(do.call(rbind, matrices))
  }
  matrices[sparse] <- lapply(matrices[sparse], function(x) unname(as.matrix(x)))
  do.call(rbind, matrices)
}

# The weight of every row of all parts; 1 for parts without weights.
joined_weights <- function(parts) {
  if (all(vapply(parts, function(part) is.null(part$weight), logical(1)))) {
    return(NULL)
  }
  unlist(lapply(parts, function(part) {
    if (is.null(part$weight)) rep(1, nrow(part)) else part$weight[part$query]
  }))
}

check_same_features <- function(parts, call = rlang::caller_env()) {
  first <- parts[[1L]]$features
  for (i in seq_along(parts)) {
    if (!identical(parts[[i]]$encoding, parts[[1L]]$encoding)) {
      stop_input(
        "feature",
        sprintf("The factors of part %d do not have the levels of part 1.", i),
        remedy = "Give the factors the same levels before you make ranking data of them.",
        call = call
      )
    }
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

check_judged_alike <- function(parts, call = rlang::caller_env()) {
  judged <- vapply(parts, is_judged, NA)
  if (any(judged != judged[1L])) {
    stop_input("unjudged", sprintf("Part %d has no grades, others have.",
                                   which(!judged)[1L]),
               remedy = "Combine parts that are judged, or parts that are not.",
               call = call)
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

joined_positions <- function(parts, call = rlang::caller_env()) {
  has <- !vapply(parts, function(part) is.null(part$position), NA)
  if (any(has) && !all(has)) {
    stop_input("position", sprintf("Part %d has no positions, others have.", which(!has)[1L]),
               remedy = "Give all parts positions, or none.", call = call)
  }
  unlist(lapply(parts, `[[`, "position"))
}

#' @rdname ranking_data_parts
#' @export
as.data.frame.ranking_data <- function(x, row.names = NULL, optional = FALSE, ...) {
  frame <- data.frame(query = x$query_ids[x$query], row.names = row.names)
  frame$relevance <- x$relevance
  if (!is.null(x$document)) {
    frame$document <- x$document
  }
  if (!is.null(x$weight)) {
    frame$weight <- x$weight[x$query]
  }
  frame$position <- x$position
  frame$document_weight <- x$document_weight
  frame[label_columns(x$labels)] <- x$labels
  cbind(frame, list2DF(decode_frame(x)))
}

#' @rdname ranking_data_parts
#' @export
summary.ranking_data <- function(object, ...) {
  check_no_others(...)
  x <- object$x
  present <- function(of) {
    of_columns(x, function(values, zeros) {
      values <- values[!is.na(values)]
      if (length(values) + zeros > 0) of(values, zeros) else NA_real_
    })
  }
  with_zero <- function(of) {
    function(values, zeros) of(c(values, if (zeros > 0) 0))
  }
  structure(
    list(queries = query_table(object),
         features = data.frame(
           feature = object$features,
           missing = of_columns(x, function(values, zeros) as.double(sum(is.na(values)))),
           min = present(with_zero(min)),
           mean = present(function(values, zeros) {
             if (zeros == 0) mean(values) else sum(values) / (length(values) + zeros)
           }),
           max = present(with_zero(max))
         )),
    class = "summary.ranking_data"
  )
}

# A table of the queries: ids, numbers of documents, and grades and weights if there are any.
query_table <- function(data) {
  table <- data.frame(query = data$query_ids, documents = diff(data$offsets))
  if (is_judged(data)) {
    query <- factor(data$query, seq_along(data$query_ids))
    table$relevant <- as.vector(tapply(data$relevance > 0L, query, sum))
    table$highest <- as.vector(tapply(data$relevance, query, max))
  }
  table$weight <- data$weight
  table
}

#' @export
print.summary.ranking_data <- function(x, ...) {
  say(sprintf("<summary of ranking_data> %s, %s", counted(nrow(x$queries), "query", "queries"),
              counted(nrow(x$features), "feature")))
  quantiles <- function(values) {
    paste(number_text(stats::quantile(values), digits = 3, trim = TRUE), collapse = " ")
  }
  say("Quartiles of documents per query: ", quantiles(x$queries$documents))
  if (!is.null(x$queries$relevant)) {
    say("Quartiles of relevant documents per query: ", quantiles(x$queries$relevant))
  }
  shown <- utils::head(x$features, 10L)
  shown[c("min", "mean", "max")] <- lapply(shown[c("min", "mean", "max")], signif, digits = 4L)
  with_points(print(shown, row.names = FALSE))
  if (nrow(x$features) > 10L) {
    say(sprintf("... and %s, see `$features`", counted(nrow(x$features) - 10L, "more feature")))
  }
  invisible(x)
}
