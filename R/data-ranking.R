#' Query-document pairs, judged or not
#'
#' `ranking_data()` brings features, queries and relevance grades together. The
#' documents of a query may stand in any rows: nothing asks for group sizes or
#' for sorted input, and every prediction comes back in the order of the rows.
#'
#' @param x The features, one row a document and one column a feature: a numeric matrix;
#'   a sparse matrix of the package Matrix, which stays sparse; or a data frame with
#'   columns of numbers, logical values or factors. Or a formula such as
#'   `relevance ~ bm25 + clicks` or `relevance ~ .`, or `~ .` without grades, with the data
#'   frame as `data`. `NA`
#'   marks a missing value; infinite values are an error. A matrix of doubles is not
#'   copied.
#' @param data For a formula, the data frame that holds its variables.
#' @param relevance The relevance grades: whole numbers 0, 1, 2, ... (at most
#'   127; [adaboost_mh()] and [mcsvm()] train with at most 30), 0 for not relevant; one a row. Without it the data are not judged: rankers
#'   predict for them, and what needs grades says so.
#' @param query The query of each row: numbers, strings, a factor, dates or times; or several
#'   of these as a list or data frame, where the query is their combination; or sizes of
#'   groups, see [query_groups()].
#' @param document Optional ids of the documents, one a row, of the same types. Some tools break ties by them, see [conventions], and [write_run()] writes
#'   them.
#' @param weight Optional weights of the queries, one number a row, the same in all rows
#'   of a query: not negative, and not all 0. See Details.
#' @param threads Number of threads; results do not depend on it.
#' @param position Optional places at which documents were shown when `relevance` was observed, as
#'   clicks are: one a row, whole numbers from 1, the top, on. See `unbiased` of [loss_lambda()].
#' @param ... Not used.
#'
#' @details
#' With a data frame, `relevance`, `query`, `document`, `weight` and `position` may be the name of a
#' column, with or without quotes, or an expression of columns; `query` also several
#' names, such as `c(site, day)`. A name that is a column means the column. Columns that
#' are named there, used by name, or identical to what is given, are not features.
#'
#' A feature that equals the relevance in every row, whatever its type, would make any model
#' look perfect: it is left out, with a warning, and new data may have it or not. So is a
#' factor whose levels are the grades, or of which one level is the relevant ones. A feature
#' that is another strictly monotone function of the relevance over all documents, such as
#' `2 * grade + 1`, stays, with a warning of the same class. Neither is looked for where
#' fewer than three documents differ from the commonest grade, nor is the second among
#' fewer than ten documents, where chance may do that. A feature with a missing value is
#' neither. A column that tells the relevance otherwise, such as `grade` where
#' `pmin(frame$grade, 1)` is given, is not recognised: leave it out of the frame.
#'
#' Features without names are called `x1`, `x2`, ... by their positions, which stay their
#' names when one is left out. A model of such data takes a matrix with all columns, or one
#' without those that were left out.
#'
#' An ordered factor becomes the numbers 1, 2, ... of its levels. Another factor becomes
#' a feature of 0 and 1 for each of its levels, named as in `"colour=red"`. The levels
#' are kept: new data are coded by the names of their levels, and a level that the model
#' does not know is missing, with a warning. In a formula, terms are names of columns,
#' with `-` to leave one out; what is computed of columns is to be a column first.
#'
#' A vector with one value a row is never taken for names of columns. Dates become ids such as
#' `"2024-01-31"`, times such as `"2024-01-31T10:00:00.25Z"` in UTC, whole numbers of 64 bits
#' (class `integer64`) their digits. Numbers of any other type stay numbers. Where ids become
#' text, in files, splits and joins, numbers have as many digits as tell them apart.
#'
#' Ids of several query columns are joined by colons, as in `"shop:17"`; a colon within
#' a part is written `\\:`.
#'
#' Weights say how much a query counts: in training, the initial weights of its documents
#' are multiplied by it; calibrators weigh its documents by it; in tuning and in
#' `summary()` of [evaluate()], means over queries are weighted means. If all weights are whole
#' numbers, a query of weight 2 is as good as the query twice, see [rankers].
#'
#' @return A value of class `ranking_data`. Its parts are `x` (the features, a matrix
#'   or a `dgCMatrix`), `relevance` (or `NULL`), `query` (for each row the position of its query in
#'   `query_ids`), `query_ids` (in order of appearance), `features` (names),
#'   `document` (ids as text, or `NULL`), `weight` (one a query, or `NULL`), `columns`
#'   (names of what is not a feature) and, where they were given, `position`.
#'
#' @section Conditions:
#' Errors: `rankmix_error_length` (lengths differ, or groups do not sum to the rows),
#' `rankmix_error_grade` (a grade that is missing, negative, fractional or above 127),
#' `rankmix_error_query` and `rankmix_error_document` (a missing id, or two different ids
#' with the same text),
#' `rankmix_error_weight` (a weight that is missing, negative or infinite, or that differs
#' within a query), `rankmix_error_position` (a position that is missing, fractional or below 1),
#' `rankmix_error_feature` (an infinite value, a column of another type,
#' no column, none but the relevance itself), `rankmix_error_empty` (no row),
#' `rankmix_error_column` (a column name that does not exist, a term of a formula that is not
#' a column), `rankmix_error_argument` (an argument that there is not).
#'
#' Warnings: `rankmix_warning_leak`, a feature that tells the relevance;
#' `rankmix_warning_id`, an id of 2^53 or more that is a double, which may have been rounded:
#' read such ids as text. Later,
#' `rankmix_error_unjudged`: what needs grades was given data without.
#'
#' @section Cost: one pass over the features, O(n p), or over the entries of a sparse
#'   matrix, and a sort of n numbers. A feature that is left out costs a copy of the others.
#'
#' @seealso [read_letor()], [read_ranking()], [simulate_ranking()]
#' @examples
#' x <- matrix(c(0.2, 0.9, 0.4, 0.7, NA, 0.1), ncol = 2)
#' ranking_data(x, relevance = c(0, 2, 1), query = c("b", "a", "b"))
#'
#' frame <- data.frame(bm25 = c(1.2, 0.3, 0.5), clicks = c(5, 9, 1), grade = c(1, 0, 2),
#'                     site = "shop", day = c(1, 1, 2))
#' ranking_data(frame, relevance = grade, query = c(site, day))
#' ranking_data(grade ~ bm25 + clicks, data = frame, query = "day")
#'
#' # To predict, without grades
#' ranking_data(frame[c("bm25", "clicks", "day")], query = day)
#' @export
ranking_data <- function(x, ...) {
  check_given(missing(x), "x", "Give the features: a matrix, a data frame or a formula.")
  load_matrix(x)
  UseMethod("ranking_data")
}

#' @rdname ranking_data
#' @export
ranking_data.default <- function(x, relevance = NULL, query, document = NULL,
                                 weight = NULL, threads = NULL, position = NULL, ...) {
  check_no_others(..., known = data_arguments)
  threads <- check_threads(threads)
  x <- as_feature_matrix(x)
  check_given(missing(query), "query", query_usage)
  refuse_null(substitute(relevance), relevance, "relevance")
  refuse_null(substitute(document), document, "document")
  refuse_null(substitute(weight), weight, "weight")
  refuse_null(substitute(position), position, "position")
  data_of_rows(x, relevance, query, document, weight,
               feature_schema(feature_names(x), !is.null(colnames(x))), threads,
               position = position)
}

#' @rdname ranking_data
#' @export
ranking_data.data.frame <- function(x, relevance = NULL, query, document = NULL,
                                    weight = NULL, threads = NULL, position = NULL, ...) {
  check_no_others(..., known = data_arguments)
  frame_data(x, rlang::enquo(relevance), rlang::enquo(query), rlang::enquo(document),
             rlang::enquo(weight), check_threads(threads), position = rlang::enquo(position))
}

#' @rdname ranking_data
#' @export
ranking_data.formula <- function(x, data, query, document = NULL, weight = NULL,
                                 threads = NULL, position = NULL, ...) {
  check_no_others(..., known = c("data", data_arguments))
  check_given(missing(data), "data", "Give the data frame that holds the columns.")
  if (!is.data.frame(data)) {
    stop_input("argument",
               sprintf("`data` must be a data frame for a formula, not %s.",
                       show_value(data)))
  }
  relevance <- formula_relevance(x)
  frame_data(data, relevance, rlang::enquo(query), rlang::enquo(document),
             rlang::enquo(weight), check_threads(threads), formula = x,
             position = rlang::enquo(position))
}

# Ranking data of a data frame; the quosures tell the columns, see data-columns.R.
frame_data <- function(frame, relevance, query, document, weight, threads,
                       formula = NULL, call = rlang::caller_env(),
                       position = rlang::quo(NULL)) {
  check_names(names(frame), call)
  relevance <- frame_column(relevance, frame, "relevance", call = call)
  query <- frame_column(query, frame, "query", several = TRUE, call = call)
  document <- frame_column(document, frame, "document", call = call)
  weight <- frame_column(weight, frame, "weight", call = call)
  position <- frame_column(position, frame, "position", call = call)
  used <- c(relevance$columns, query$columns, document$columns, weight$columns,
            position$columns)
  features <- setdiff(names(frame), used)
  if (!is.null(formula)) {
    features <- formula_features(formula, frame, features, call)
  }
  encoding <- frame_encoding(frame, features, call)
  x <- encode_frame(frame, features, encoding, call)
  schema <- feature_schema(feature_names(x, call), TRUE,
                           columns_by_role(setdiff(names(frame), features), query), encoding)
  data_of_rows(x, relevance$value, query$value, document$value, weight$value, schema,
               threads, call, position$value)
}

# Columns that are no features; those that are the query, by name, have the name "query", so
# that a model finds them in a data frame.
columns_by_role <- function(columns, query) {
  if (!isTRUE(query$named)) {
    return(columns)
  }
  # In the order in which they were named, which their combination has.
  columns <- c(query$columns, setdiff(columns, query$columns))
  names(columns) <- ifelse(columns %in% query$columns, "query", "")
  columns
}

data_arguments <- c("relevance", "query", "document", "weight", "threads", "position")

query_usage <- paste("Say to which query each row belongs: a column of the data frame, or",
                     "one id a row.")

# Ranking data of a checked matrix and what the user gave beside it.
data_of_rows <- function(x, relevance, query, document, weight, schema, threads,
                         call = rlang::caller_env(), position = NULL) {
  rows <- dim(x)[1L]
  naming_memory({
    query <- single_query(query, rows, call)
    check_same_length(rows, relevance = relevance, query = query,
                      document = document, weight = weight, position = position, call = call)
    if (!is.null(position)) position <- check_positions(position, call)
    if (!is.null(relevance)) {
      relevance <- check_grades(relevance, call)
      kept <- leave_out_leaks(x, relevance, schema, threads, call)
      x <- kept$x
      schema <- kept$schema
    }
    query <- check_ids(query, "query", call)
    query_ids <- unique(query)
    query <- match(query, query_ids)
    if (!is.null(document)) {
      document <- id_text(check_ids(document, "document", call))
    }
    if (!is.null(weight)) {
      weight <- query_weights(weight, query, query_ids, call)
    }
    new_ranking_data(x, relevance, query, query_ids, document, weight, schema, threads,
                     call, position)
  }, call)
}

# What a model must know of the features it was trained with: their names; whether they
# have names of their own (`named`); which columns of a data frame are not features, with
# the name "query" where they are the query;
# and how factors were coded, see data-encoding.R.
feature_schema <- function(features, named, columns = character(), encoding = list()) {
  list(features = features, named = named, columns = columns, encoding = encoding)
}

schema_of <- function(data) {
  unclass(data)[c("features", "named", "columns", "encoding")]
}

# Everything about the rows is known and checked here; what print() shows is
# computed once. `weight` has one number a query; `relevance` is NULL where nobody judged.
new_ranking_data <- function(x, relevance, query, query_ids, document, weight, schema,
                             threads, call = rlang::caller_env(), position = NULL) {
  if (length(query) == 0L) {
    stop_input("empty", "The data have no rows.",
               remedy = "Give at least one document.", call = call)
  }
  if (!is.null(weight) && all(weight == 0)) {
    stop_input("weight", "All queries have the weight 0.",
               remedy = "Give some query of the data a weight.", call = call)
  }
  scan <- scan_features(x, threads)
  check_finite(scan, x, schema$features, call)
  sizes <- tabulate(query, length(query_ids))
  structure(
    c(
      list(x = x, relevance = relevance, query = query, query_ids = query_ids,
           document = document, weight = weight),
      if (!is.null(position)) list(position = position),
      schema,
      list(order = order(query) - 1L, offsets = c(0L, cumsum(sizes)),
           constant = schema$features[scan$constant], missing = sum(scan$missing))
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
    call = call, row = row
  )
}

check_same_length <- function(rows, relevance, query, document, weight, position = NULL,
                              call = rlang::caller_env()) {
  lengths <- c(relevance = if (!is.null(relevance)) length(relevance),
               query = length(query),
               document = if (!is.null(document)) length(document),
               weight = if (!is.null(weight)) length(weight),
               position = if (!is.null(position)) length(position))
  wrong <- lengths != rows
  if (any(wrong)) {
    stop_input(
      "length",
      "The arguments must describe the same documents.",
      sprintf("`x` has %d rows, `%s` has length %d.", rows,
              names(lengths)[wrong][1L], lengths[wrong][1L]),
      "Give one grade and one id for each row of `x`.",
      call = call
    )
  }
}

# The highest grade, which is that of trec_eval. Gains 2^grade - 1 above 2^53 are rounded.
most_grade <- 127L

check_grades <- function(relevance, call = rlang::caller_env()) {
  if (is.factor(relevance) || !(is_plain_number(relevance) || is.logical(relevance))) {
    stop_input(
      "grade",
      sprintf("Grades must be numbers 0, 1, 2, ..., not %s.",
              if (is.factor(relevance)) "a factor" else show_value(relevance)),
      remedy = "Recode them; 0 means not relevant.",
      call = call
    )
  }
  bad <- which(is.na(relevance) | relevance < 0 | relevance > most_grade |
                 relevance != round(relevance))
  if (length(bad) > 0L) {
    stop_input(
      "grade",
      sprintf("Grades must be whole numbers from 0 to %d.", most_grade),
      sprintf("Row %d has the grade %s%s.", bad[1L],
              format(relevance[bad[1L]]),
              if (length(bad) > 1L) {
                sprintf(", and %d more rows are wrong", length(bad) - 1L)
              } else ""),
      "Recode the grades as 0, 1, 2, ...; 0 means not relevant.",
      call = call, row = bad[1L]
    )
  }
  as.integer(relevance)
}

# Where documents were shown, as whole numbers.
check_positions <- function(position, call = rlang::caller_env()) {
  if (!is_plain_number(position)) {
    stop_input("position", sprintf("Positions must be numbers 1, 2, ..., not %s.",
                                   show_value(position)), call = call)
  }
  bad <- which(is.na(position) | position < 1 | position != round(position) |
                 position > most_positions)
  if (length(bad) > 0L) {
    stop_input("position",
               sprintf("Positions must be whole numbers from 1 to %s.",
                       plain_number(most_positions)),
               sprintf("Row %d has the position %s.", bad[1L], format(position[bad[1L]])),
               "Give the place of each document in the list that was shown, 1 for the top.",
               call = call, row = bad[1L])
  }
  as.integer(position)
}

most_positions <- 1e5

# Weights of rows as weights of queries.
query_weights <- function(weight, query, query_ids, call = rlang::caller_env()) {
  if (!is_plain_number(weight)) {
    stop_input("weight", sprintf("Weights must be numbers, not %s.", show_value(weight)),
               call = call)
  }
  bad <- which(!is.finite(weight) | weight < 0)
  if (length(bad) > 0L) {
    stop_input("weight", "Weights must be numbers from 0 on.",
               sprintf("Row %d has the weight %s.", bad[1L], format(weight[bad[1L]])),
               "Drop the queries that are not to count, or give them the weight 0.",
               call = call, row = bad[1L])
  }
  of_query <- as.double(weight[match(seq_along(query_ids), query)])
  differs <- which(weight != of_query[query])
  if (length(differs) > 0L) {
    row <- differs[1L]
    stop_input(
      "weight",
      sprintf("Query %s has documents of different weights.",
              id_text(query_ids[query[row]])),
      sprintf("The first has %s, row %d has %s.", format(of_query[query[row]]), row,
              format(weight[row])),
      "Weights belong to queries: give all documents of a query the same.",
      call = call, row = row
    )
  }
  of_query
}

# Weights of queries with the largest 1, so that none overflows; NULL where there are none.
scaled_weights <- function(weight) {
  if (is.null(weight)) NULL else weight / max(weight)
}

# The weight of each row, scaled, or NULL.
row_weights <- function(data) {
  scaled_weights(data$weight)[data$query]
}

#' @export
print.ranking_data <- function(x, ...) {
  sizes <- diff(x$offsets)
  say(sprintf("<ranking_data> %s, %s, %s", counted(length(x$query_ids), "query", "queries"),
              counted(nrow(x), "document"), counted(length(x$features), "feature")))
  if (is_sparse(x$x)) {
    say(sprintf("Sparse: %s values that are not 0 (%s %%)",
                format_count(length(x$x@x)),
                signif(100 * length(x$x@x) / prod(dim(x)), 2)))
  }
  if (!is.null(x$weight)) {
    say(sprintf("Weights of queries: %s to %s", format(min(x$weight)),
                format(max(x$weight))))
  }
  say(sprintf("Documents a query: %s to %s, median %s", min(sizes),
              max(sizes), format(stats::median(sizes))))
  cat_grades(x)
  if (!is.null(x$position)) say("Positions: 1 to ", max(x$position))
  constant <- length(x$constant)
  say("Constant features: ", constant,
      if (constant > 0L) paste0(" (", enumerate(x$constant), ")"))
  if (x$missing > 0) {
    say(sprintf("Missing values: %s (%s %%)", format_count(x$missing),
                signif(100 * x$missing / prod(dim(x)), 2)))
  }
  invisible(x)
}

cat_grades <- function(data) {
  if (!is_judged(data)) {
    say("Grades: none, the data are not judged")
    return(invisible())
  }
  grades <- tabulate(data$relevance + 1L)
  empty <- length(data$query_ids) - length(unique(data$query[data$relevance > 0L]))
  say("Grades: ", paste0(seq_along(grades) - 1L, ": ", format_count(grades), " (",
                         round(100 * grades / sum(grades), 1), " %)", collapse = ", "))
  say(sprintf("Queries without a relevant document: %s", format_count(empty)))
}

#' @export
dim.ranking_data <- function(x) {
  c(length(x$query), length(x$features))
}

format_count <- function(n) {
  formatC(n, format = "d", big.mark = ",")
}
