#' Ranking data: features, queries and grades
#'
#' `ranking_data()` combines the features, queries and relevance grades of documents, for training,
#' prediction and evaluation. Rows may be in any order.
#'
#' @param x The features, one row per document. A numeric matrix; a sparse matrix of the package Matrix,
#'   which stays sparse; or a data frame of numbers, logical values, factors, dates or times. Or a
#'   formula, with the data frame as `data`: `relevance ~ bm25 + clicks`, `relevance ~ .`, or `~ .`
#'   without grades. `NA` is a missing value. A matrix of doubles is not copied.
#' @param data The data frame with the variables of a formula.
#' @param relevance The relevance, one number per row. Whole numbers from 0 (not relevant) to 127 are
#'   grades; [adaboost_mh()] and [mcsvm()] support grades up to 30. Any other finite numbers, such as click
#'   rates or revenue, are supported too, see Relevance that is not graded. Without `relevance`, rankers can
#'   only predict.
#' @param query The query of each row: numbers, strings, a factor, dates or times. Several columns, as a list or data
#'   frame, are combined into one id. Or group sizes, see [query_groups()].
#' @param document The ids of the documents (optional), one per row, of the same types as `query`. [write_run()] writes
#'   the ids, and some [conventions] break ties by them.
#' @param weight The weights of the queries (optional), one number per row, equal in all rows of a
#'   query. 0 or more, not all 0.
#' @param threads Number of threads. Results do not depend on it.
#' @param position The positions at which documents were shown when `relevance` was observed, as for
#'   clicks (optional). One whole number per row, 1 for the top. See `unbiased` of [loss_lambda()].
#' @param document_weight The weights of the documents (optional), one number per row, such as inverse
#'   propensities or the confidence of assessors. 0 or more, not all 0. See Weights.
#' @param labels Further labels of the documents (optional), such as revenue in addition to relevance. Names of columns,
#'   such as `c(revenue, margin)`, or a data frame or named list of finite numbers, one per row. Labels need
#'   `relevance`. The default `NULL` means no further label. See [use_label()] and [pareto_front()].
#' @param ... Not used.
#'
#' @details
#' **Columns.** With a data frame, `relevance`, `query`, `document`, `weight`, `position` and
#' `document_weight` may be the name of a column, with or without quotes, or an expression of columns.
#' `query` and `labels` may be several names, such as `c(site, day)`. Names of columns have precedence over other
#' variables. Columns used in these arguments, or identical to their values, are not features. A vector with
#' one value per row is never read as names. In a formula, each term is the name of a column, and `-` leaves a column
#' out.
#'
#' **Leaks.** A feature that equals the relevance, of any type, is left out with a warning. New data may contain or lack
#' this feature. A factor is also left out if its levels are the grades, or if one level marks the relevant documents. A
#' feature that is another strictly monotone function of the relevance, such as `2 * grade + 1`, stays, with a warning.
#' The checks need at least three documents whose grade is not the most common one. The check for monotone functions
#' needs ten documents. Features with missing values are not checked. Other leaks are not detected, such as a column
#' `grade` if the relevance is `pmin(frame$grade, 1)`.
#'
#' **Features.** Features without names are called `x1`, `x2`, ... by their positions. If one of these features is left
#' out, the names of the others do not change. New data may be a matrix with or without this feature. An ordered factor
#' becomes the numbers 1, 2, ... of its levels. Another factor becomes one 0/1 feature for each level, named like
#' `"colour=red"`. A factor of more than 1,000 levels, such as a brand, becomes one feature with the numbers of its
#' levels. Training with such a feature is an error: use [target_encoding()], or leave the feature out. New data are
#' coded by level names. An unknown level is missing, with a warning. Logical values become 0 and 1. Dates become days
#' since 1970-01-01. Times become seconds since then, in UTC. New data need dates for dates and times for times.
#'
#' **Ids.** Dates become ids such as `"2024-01-31"`. Times become ids such as `"2024-01-31T10:00:00.25Z"`, in UTC.
#' 64-bit integers (class `integer64`) become text. Other numbers stay numbers. As text, numbers have as many digits as
#' are needed to distinguish them. Ids of several query columns are joined by colons, as in `"shop:17"`; a colon within
#' a part is written `\:`.
#'
#' **Weights.** In training and calibration, a query's weight multiplies the weights of its documents.
#' In tuning and in `summary()` of [evaluate()], means over queries are weighted. If all weights are
#' whole numbers, a query of weight 2 acts as two copies, see [rankers].
#'
#' A document's weight multiplies its query's weight in training and calibration. [evaluate()] and other
#' metrics ignore weights of documents. With the weight \eqn{w_i}{w_i} of document i:
#' * losses of documents, such as [loss_squared()], are multiplied by \eqn{w_i}{w_i};
#' * losses of pairs ([loss_pairwise()], [ranksvm()]) are multiplied by \eqn{w_i w_j}{w_i w_j};
#' * [loss_softmax()], [loss_list_mle()] and [loss_query_rmse()] use \eqn{w_i}{w_i} copies of the document. The
#'   hessian of a document is the second derivative by the common score of its copies. So trees differ from trees
#'   of copies;
#' * [loss_lambda()] and [loss_xendcg()] multiply the gradient and the hessian of the document, after all
#'   pairs are added, by \eqn{w_i}{w_i}, as LightGBM does.
#'
#' Bins of features count a document by its weight. `min_data_in_leaf` does the same if all products of weights are
#' whole numbers. For [adaboost_mh()], and [gbrt()] with [loss_squared()], weight 2 gives the same model as two copies
#' of the document, bit for bit. Some rankers do not support weights of documents: [adarank()], [best_feature()],
#' [coordinate_ascent()], [smoothrank()], [rankboost()], [yetirank()] and [mixture()]. [loss_smooth()], [loss_custom()],
#' `unbiased` and `calibrator_cpc("soft_ndcg")` do not support them either.
#'
#' @section Relevance that is not graded: If one value is not a whole number from 0 to 127, the numbers are
#' kept as they are. A higher number is more relevant. Subsets of such data are not graded either.
#' * Metrics with gains, such as [metric_ndcg()], use `gain = "linear"` unless you set `gain`. The gain then
#'   is the relevance, which must be 0 or more. Set a function for negative numbers, such as
#'   `gain = function(x) pmax(x, 0)`.
#' * Metrics of relevant documents, such as [metric_precision()], need the argument `relevant`.
#' * [metric_err()], [metric_trec()] and [loss_ordinal()] need grades.
#' * Losses with targets, such as [loss_squared()], use the relevance as the target. [loss_softmax()] and
#'   [loss_xendcg()] need a relevance of 0 or more. Losses of pairs use the order of the relevance.
#' * Some rankers need grades: [adaboost_mh()], [mcsvm()], [cocr()], [mixture()], [smoothrank()] and [yetirank()].
#'   Calibrators and files of grades need grades, too. Make grades by [group_grades()].
#' * Only features that equal the relevance count as leaks.
#'
#' @return A value of class `ranking_data` with the parts
#'   * `x`: the features, a matrix or a `dgCMatrix`;
#'   * `relevance`: the grades as integers, any other relevance as doubles, or `NULL`;
#'   * `query`: for each row the index of its query in `query_ids`;
#'   * `query_ids`: the ids, in order of appearance;
#'   * `features`: the names of the features;
#'   * `document`: the ids of the documents as text, or `NULL`;
#'   * `weight`: one number per query, or `NULL`;
#'   * `columns`: the names of columns that are not features;
#'   * `position`: the positions, if given;
#'   * `document_weight`: the weights of the documents, if given;
#'   * `labels`: the further labels, if given, a named list.
#'
#' @section Conditions:
#' * `rankmix_error_length`: lengths differ, or groups do not sum to the rows.
#' * `rankmix_error_grade`: a relevance that is missing or infinite.
#' * `rankmix_error_query`, `rankmix_error_document`: a missing id, or two different ids with the same text.
#' * `rankmix_error_weight`: a weight that is missing, negative or infinite, a query's weight that
#'   differs within the query, or weights that are all 0.
#' * `rankmix_error_position`: a position that is missing, fractional or below 1.
#' * `rankmix_error_label`: a label without a name, with missing or infinite values, or without `relevance`.
#' * `rankmix_error_feature`: an infinite value, a column of another type, or no feature.
#' * `rankmix_error_empty`: no row.
#' * `rankmix_error_column`: an unknown column or term.
#' * `rankmix_error_argument`: an unknown argument.
#' * `rankmix_error_unjudged`: data without grades, from functions that need grades.
#' * `rankmix_warning_leak`: a feature reveals the relevance.
#' * `rankmix_warning_document`: a feature is named like document ids, such as `docid`.
#' * `rankmix_warning_id`: a double id of 2^53 or more may have been rounded. Read such ids as text.
#'
#' @section Cost: One pass over the features and a sort of n numbers. If a feature is left out, the
#'   others are copied.
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
#' # Revenue as the relevance, and the confidence in each number
#' sales <- data.frame(bm25 = c(1.2, 0.3, 0.5), revenue = c(12.5, 0, 3.99),
#'                     sure = c(1, 0.5, 1), query = 1)
#' ranking_data(sales, relevance = revenue, query = query, document_weight = sure)
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
                                 weight = NULL, threads = NULL, position = NULL,
                                 document_weight = NULL, ..., labels = NULL) {
  check_no_others(..., known = data_arguments)
  threads <- check_threads(threads)
  x <- as_feature_matrix(x)
  check_given(missing(query), "query", query_usage)
  refuse_null(substitute(relevance), relevance, "relevance")
  refuse_null(substitute(document), document, "document")
  refuse_null(substitute(weight), weight, "weight")
  refuse_null(substitute(position), position, "position")
  refuse_null(substitute(document_weight), document_weight, "document_weight")
  refuse_null(substitute(labels), labels, "labels")
  data_of_rows(x, relevance, query, document, weight,
               feature_schema(feature_names(x), !is.null(colnames(x))), threads,
               position = position, document_weight = document_weight, labels = labels)
}

#' @rdname ranking_data
#' @export
ranking_data.data.frame <- function(x, relevance = NULL, query, document = NULL,
                                    weight = NULL, threads = NULL, position = NULL,
                                    document_weight = NULL, ..., labels = NULL) {
  check_no_others(..., known = data_arguments)
  frame_data(x, rlang::enquo(relevance), rlang::enquo(query), rlang::enquo(document),
             rlang::enquo(weight), check_threads(threads), position = rlang::enquo(position),
             document_weight = rlang::enquo(document_weight), labels = rlang::enquo(labels))
}

#' @rdname ranking_data
#' @export
ranking_data.formula <- function(x, data, query, document = NULL, weight = NULL,
                                 threads = NULL, position = NULL, document_weight = NULL, ...,
                                 labels = NULL) {
  check_no_others(..., known = c("data", data_arguments))
  check_given(missing(data), "data", "Give the data frame that holds the columns.")
  if (!is.data.frame(data)) {
    stop_input("argument",
               sprintf("`data` must be a data frame for a formula, not %s.",
                       show_value(data)))
  }
  terms <- x[[length(x)]]
  if (rlang::is_call(terms, "|", n = 2L)) {
    x[[length(x)]] <- terms[[2L]]
    stop_input("column", "A formula does not contain the query.",
               remedy = sprintf("Write `ranking_data(%s, data, query = %s)`.", rlang::as_label(x),
                                rlang::as_label(terms[[3L]])))
  }
  relevance <- formula_relevance(x)
  frame_data(data, relevance, rlang::enquo(query), rlang::enquo(document),
             rlang::enquo(weight), check_threads(threads), formula = x,
             position = rlang::enquo(position), document_weight = rlang::enquo(document_weight),
             labels = rlang::enquo(labels))
}

# Makes ranking data from a data frame. The quosures name the columns, see data-columns.R.
frame_data <- function(frame, relevance, query, document, weight, threads,
                       formula = NULL, call = rlang::caller_env(),
                       position = rlang::quo(NULL), document_weight = rlang::quo(NULL),
                       labels = rlang::quo(NULL)) {
  check_names(names(frame), call)
  relevance <- frame_column(relevance, frame, "relevance", call = call)
  if (rlang::quo_is_missing(query)) {
    stop_input("argument", "`query` is not given.",
               remedy = c(usual_remedy(frame, relevance$columns, formula),
                          "Give the name of a column, or a vector with one value per row."),
               call = call)
  }
  query <- frame_column(query, frame, "query", several = TRUE, call = call)
  document <- frame_column(document, frame, "document", call = call)
  weight <- frame_column(weight, frame, "weight", call = call)
  position <- frame_column(position, frame, "position", call = call)
  document_weight <- frame_column(document_weight, frame, "document_weight", call = call)
  labels <- frame_column(labels, frame, "labels", several = TRUE, call = call)
  used <- c(relevance$columns, query$columns, document$columns, weight$columns,
            position$columns, document_weight$columns, labels$columns)
  features <- setdiff(names(frame), used)
  if (!is.null(formula)) {
    features <- formula_features(formula, frame, features, call)
  }
  encoding <- frame_encoding(frame, features, call)
  if (is.null(formula) && is.null(document$value)) warn_document_feature(frame, features)
  x <- encode_frame(frame, features, encoding, call)
  schema <- feature_schema(feature_names(x, call), TRUE,
                           columns_by_role(setdiff(names(frame), features), query), encoding)
  data_of_rows(x, relevance$value, query$value, document$value, weight$value, schema,
               threads, call, position$value, document_weight$value, frame_labels(labels))
}

# Warns of a feature that is named like the ids of documents. Such numbers must not be learned.
warn_document_feature <- function(frame, features) {
  usual <- gsub("[. ]", "_", ascii_lower(features)) %in% foreign_names$document
  if (any(usual)) {
    name <- features[usual][1L]
    warn_input("document", sprintf("The column `%s` is a feature, but has the name of document ids.", name),
               remedy = c(document_remedy(name), "Otherwise rename it, or list the features in a formula."))
  }
}

# Columns that are not features. Columns that define the query get the name "query", so that a model finds them in a
# data frame.
columns_by_role <- function(columns, query) {
  if (!isTRUE(query$named)) {
    return(columns)
  }
  # In the order of the call, because ids of several columns are joined in this order.
  columns <- c(query$columns, setdiff(columns, query$columns))
  names(columns) <- ifelse(columns %in% query$columns, "query", "")
  columns
}

data_arguments <- c("relevance", "query", "document", "weight", "threads", "position",
                    "document_weight", "labels")

query_usage <- paste("Say to which query each row belongs: a column of the data frame, or",
                     "one id per row.")

# Ranking data of a checked matrix and the user's other arguments.
data_of_rows <- function(x, relevance, query, document, weight, schema, threads,
                         call = rlang::caller_env(), position = NULL, document_weight = NULL,
                         labels = NULL) {
  rows <- dim(x)[1L]
  naming_memory({
    query <- single_query(query, rows, call)
    check_same_length(rows, relevance = relevance, query = query,
                      document = document, weight = weight, position = position,
                      document_weight = document_weight, call = call)
    if (!is.null(position)) position <- check_positions(position, call)
    if (!is.null(document_weight)) document_weight <- check_document_weights(document_weight, call)
    labels <- check_labels(labels, rows, relevance, call)
    if (!is.null(relevance)) {
      relevance <- check_relevance(relevance, call)
      kept <- leave_out_leaks(x, relevance, schema, threads, call)
      kept <- leave_out_labels(kept$x, labels, kept$schema, threads, call)
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
                     call, position, document_weight, labels)
  }, call)
}

# The properties of features that a model stores: their names; whether the user named them (`named`);
# the columns of a data frame that are not features, named "query" if they define the query; and the
# coding of factors, see data-encoding.R.
feature_schema <- function(features, named, columns = character(), encoding = list()) {
  list(features = features, named = named, columns = columns, encoding = encoding)
}

schema_of <- function(data) {
  unclass(data)[c("features", "named", "columns", "encoding")]
}

# Checks the rows and computes once what print() shows. `weight` has one number per query.
# `relevance` is NULL for data without grades. A part of the data of several ranks may have only weights of 0.
new_ranking_data <- function(x, relevance, query, query_ids, document, weight, schema,
                             threads, call = rlang::caller_env(), position = NULL,
                             document_weight = NULL, labels = NULL, is_part = FALSE) {
  if (length(query) == 0L) {
    stop_input("empty", "The data have no rows.",
               remedy = "Give at least one document.", call = call)
  }
  if (!is_part) check_some_weight(weight, document_weight, call = call)
  scan <- scan_of(x, threads)
  check_finite(scan, x, schema$features, call)
  sizes <- tabulate(query, length(query_ids))
  data <- structure(
    c(
      list(x = x, relevance = relevance, query = query, query_ids = query_ids,
           document = document, weight = weight),
      if (!is.null(position)) list(position = position),
      if (!is.null(document_weight)) list(document_weight = document_weight),
      if (!is.null(labels)) list(labels = labels),
      schema,
      list(order = order(query) - 1L, offsets = c(0L, cumsum(sizes)),
           constant = schema$features[scan$constant], missing = sum(scan$missing))
    ),
    class = "ranking_data"
  )
  if (has_bins(x)) as_binned(data, threads) else data
}

check_some_weight <- function(weight, document_weight, cluster = NULL, call) {
  # Only functions with a communicator can find out whether another rank has a weight.
  weight_of_ranks <- if (is.null(cluster)) {
    "If other processes of a `cluster` have weights, use `binned_data(cluster = )` on the data frame."
  }
  if (!is.null(weight) && cluster_all(cluster, all(weight == 0))) {
    stop_input("weight", "All queries have the weight 0.",
               remedy = c("Give at least one query a weight above 0.", weight_of_ranks), call = call)
  }
  if (!is.null(document_weight) && cluster_all(cluster, all(document_weight == 0))) {
    stop_input("weight", "All documents have the weight 0.",
               remedy = c("Give some document of the data a weight.", weight_of_ranks), call = call)
  }
}

check_finite <- function(scan, x, features, call) {
  if (length(scan$infinite) == 0L) {
    return(invisible(x))
  }
  row <- scan$infinite[1L]
  stop_input(
    "feature",
    sprintf("Feature `%s` is not finite.", features[scan$infinite[2L]]),
    sprintf("Row %d has %s.", row, format(x[row, scan$infinite[2L]])),
    "Replace it by a number, or by NA where the value is missing.",
    call = call, row = row
  )
}

check_same_length <- function(rows, relevance, query, document, weight, position = NULL,
                              document_weight = NULL, call = rlang::caller_env()) {
  lengths <- c(relevance = if (!is.null(relevance)) length(relevance),
               query = length(query),
               document = if (!is.null(document)) length(document),
               weight = if (!is.null(weight)) length(weight),
               position = if (!is.null(position)) length(position),
               document_weight = if (!is.null(document_weight)) length(document_weight))
  wrong <- lengths != rows
  if (any(wrong)) {
    stop_input(
      "length",
      "The arguments must describe the same documents.",
      sprintf("`x` has %d rows, `%s` has length %d.", rows,
              names(lengths)[wrong][1L], lengths[wrong][1L]),
      c(if (isTRUE(wrong[["query"]]) && is_plain_number(query) && isTRUE(sum(query) == rows)) {
        "If `query` holds the sizes of groups, write `query = query_groups(sizes)`."
      }, "Give one grade and one id for each row of `x`."),
      call = call
    )
  }
}

# The highest grade, as in trec_eval. Gains 2^grade - 1 above 2^53 are rounded.
largest_grade <- 127L

check_grades <- function(relevance, call = rlang::caller_env()) {
  if (is.factor(relevance) || !(is_plain_number(relevance) || is.logical(relevance))) {
    stop_input(
      "grade",
      sprintf("Grades must be numbers 0, 1, 2, ..., not %s.",
              if (is.factor(relevance)) "a factor" else show_value(relevance)),
      remedy = c("Recode them; 0 means not relevant.", grades_as_numbers(relevance)),
      call = call
    )
  }
  bad <- which(is.na(relevance) | relevance < 0 | relevance > largest_grade |
                 relevance != round(relevance))
  if (length(bad) > 0L) {
    stop_input(
      "grade",
      sprintf("Grades must be whole numbers from 0 to %d.", largest_grade),
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

# How to turn a factor or text into grades.
grades_as_numbers <- function(relevance) {
  if (!is.factor(relevance) && !is.character(relevance)) {
    return(NULL)
  }
  values <- if (is.factor(relevance)) levels(relevance) else unique(relevance[!is.na(relevance)])
  if (all(grepl("^[0-9]+$", values))) {
    return("The values are numbers as text: write `as.integer(as.character(relevance))`.")
  }
  if (length(values) > 10L) {
    return(NULL)
  }
  if (is.ordered(relevance)) {
    return("Write `as.integer(relevance) - 1L` if the first level means not relevant.")
  }
  sprintf("Put the values in order, from not relevant to best: `match(relevance, c(%s)) - 1L`.",
          paste0("\"", printable(values), "\"", collapse = ", "))
}

# Checks the displayed positions and returns them as integers.
check_positions <- function(position, call = rlang::caller_env()) {
  if (!is_plain_number(position)) {
    stop_input("position", sprintf("Positions must be numbers 1, 2, ..., not %s.",
                                   show_value(position)), call = call)
  }
  bad <- which(is.na(position) | position < 1 | position != round(position) |
                 position > largest_position)
  if (length(bad) > 0L) {
    stop_input("position",
               sprintf("Positions must be whole numbers from 1 to %s.",
                       plain_number(largest_position)),
               sprintf("Row %d has the position %s.", bad[1L], format(position[bad[1L]])),
               "Give the position of each document in the list that was shown, 1 for the top.",
               call = call, row = bad[1L])
  }
  as.integer(position)
}

largest_position <- 1e5

# `what` is the name of the weights, and `of` is "query" or "document".
check_row_weights <- function(weight, what, of, call) {
  if (!is_plain_number(weight)) {
    stop_input("weight", sprintf("%s must be numbers, not %s.", what, show_value(weight)), call = call)
  }
  bad <- which(!is.finite(weight) | weight < 0)
  if (length(bad) > 0L) {
    stop_input("weight", sprintf("%s must be numbers from 0 on.", what),
               sprintf("Row %d has the weight %s.", bad[1L], format(weight[bad[1L]])),
               sprintf("Drop the %s that are not to count, or give them the weight 0.", of),
               call = call, row = bad[1L])
  }
  check_magnitude(weight, "weight", what, call)
}

# The core adds products of weights, relevance and gradients in fixed point. Magnitudes near the limits of doubles
# would overflow or lose their digits.
check_magnitude <- function(values, class, what, call) {
  largest <- max(abs(values), 0)
  if (largest > 0 && (largest < 2^-900 || largest > 2^900)) {
    stop_input(class, sprintf("%s are too %s to compute with.", what, if (largest > 1) "large" else "small"),
               sprintf("The largest magnitude is %s.", format(largest)), "Multiply all of them by one number.",
               call = call)
  }
}

# Weights of rows as weights of queries.
query_weights <- function(weight, query, query_ids, call = rlang::caller_env()) {
  check_row_weights(weight, "Weights", "queries", call)
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

# Which queries have a weight above 0. Queries of weight 0 count as absent.
positive_weight <- function(data) if (is.null(data$weight)) rep(TRUE, length(data$query_ids)) else data$weight > 0

# Query weights divided by the largest, so that sums do not overflow; NULL if there are none.
# `cluster` has the ranks that hold the other weights.
scaled_weights <- function(weight, cluster = NULL) {
  if (is.null(weight)) return(NULL)
  largest <- cluster_max(cluster, max(weight))
  if (largest > 0) weight / largest else weight
}

#' @export
print.ranking_data <- function(x, ...) {
  sizes <- diff(x$offsets)
  say(sprintf("<%s> %s, %s, %s", class(x)[1L], counted(length(x$query_ids), "query", "queries"),
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
  if (!is.null(x$document_weight)) {
    say(sprintf("Weights of documents: %s to %s", format(min(x$document_weight)),
                format(max(x$document_weight))))
  }
  say(sprintf("Documents per query: %s to %s, median %s", min(sizes),
              max(sizes), format(stats::median(sizes))))
  cat_grades(x)
  if (!is.null(x$position)) say("Positions: 1 to ", max(x$position))
  print_labels(x$labels)
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
  if (!is_graded(data)) {
    shown <- number_text(stats::quantile(data$relevance, c(0, 0.5, 1)), digits = 4, trim = TRUE)
    say(sprintf("Relevance: %s to %s, median %s", shown[1L], shown[3L], shown[2L]))
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

#' @export
dimnames.ranking_data <- function(x) {
  list(NULL, x$features)
}

format_count <- function(n) {
  formatC(n, format = "d", big.mark = ",", decimal.mark = ".")
}
