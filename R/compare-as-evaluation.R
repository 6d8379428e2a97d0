#' Tables of values as evaluations
#'
#' Turns a table of values of queries, computed by any tool, into an evaluation. Use it to compare rankers
#' that were evaluated elsewhere. [read_evaluation()] reads such tables from files.
#'
#' @param x The values, one of:
#'   * a matrix or data frame with a row for each query and a column for each ranker. Row names are the ids
#'     of the queries. A data frame may instead have a column `query`, and columns `fold` and `weight`;
#'   * a long data frame with a row for each value, with the columns `query` and `value`. Further columns are
#'     `ranker`, `metric`, `fold`, `weight`, `documents` and `relevant`. Other columns are kept.
#' @param metric The name of the metric, if the table does not name it; default `"value"`. For a table with
#'   a column `metric`, the names of the metrics to keep. By default all are kept.
#' @param columns The columns of a table with other names, as in `c(ranker = "system", value = "score")`. The
#'   names of PyTerrier (`name`, `qid`, `measure`) and ir_measures (`query_id`) need not be given.
#' @param topics The rule if some rankers lack a value of a query. `"error"` (the default) stops. `"common"`
#' keeps only queries for which every ranker has a value of every metric.
#' @param fill A number in place of missing values, such as 0. By default missing values are errors. With 0, a
#'   query that a ranker could not answer counts as a failure, as `trec_eval -c` does.
#'
#' @return A data frame of class `rankmix_evaluation`, as from [evaluate()]. [compare_rankers()],
#'   [compare_over_datasets()] and `summary()` accept it. Rows are in the order of metrics, rankers and
#'   queries. Without a column `ranker`, the table is an evaluation of one ranker.
#' @examples
#' values <- cbind(bm25 = c(0.3, 0.5, 0.2, 0.6), trees = c(0.4, 0.7, 0.2, 0.8))
#' rownames(values) <- c("q1", "q2", "q3", "q4")
#' evaluation <- as_evaluation(values, "ndcg@10")
#' summary(evaluation)
#' compare_rankers(evaluation, seed = 1)
#'
#' long <- data.frame(name = c("bm25", "bm25", "trees"), qid = c("q1", "q2", "q1"),
#'                    measure = "AP", value = c(0.1, 0.3, 0.2))
#' as_evaluation(long, fill = 0)
#'
#' @details A message reports how many queries were left out, or how many values were filled.
#'
#' **Undefined cases.** `NaN` excludes a query from the mean, as in [evaluate()]. `NA` is a missing value:
#' with `fill = 0` it counts as 0. An evaluation from [evaluate()] is returned unchanged, and `NA` counts as 0.
#'
#' Values that a tool printed with 4 decimals are used as they are. If two values differ only in later
#' decimals, rounding makes them ties. So print more decimals if the tool can.
#'
#' @section Conditions:
#' * `rankmix_error_queries`: two values of a ranker, fold, query and metric; a missing value; different
#'   weights of one query.
#' * `rankmix_error_column`: a column is missing, is empty, or has another type.
#' * `rankmix_error_values`: values that are infinite or no numbers.
#' * `rankmix_error_query`: a query without an id.
#' * `rankmix_error_argument`: rankers without names; both `fill` and `topics = "common"`.
#' * `rankmix_message_evaluation`: queries were left out, or values were filled.
#' @export
as_evaluation <- function(x, metric = NULL, columns = NULL, topics = "error", fill = NULL) {
  check_given(missing(x), "x", "Give a matrix of queries x rankers, or a long data frame.")
  evaluation_of_values(x, metric, columns, topics, fill, rlang::current_env())
}

evaluation_of_values <- function(x, metric, columns, topics, fill, call) {
  check_metric_names(metric, call)
  check_choice(topics, "topics", c("error", "common"), call)
  if (!is.null(fill)) {
    check_number(fill, "fill", -1e300, 1e300, call = call)
    if (topics == "common") {
      stop_input("argument", "`fill` and `topics = \"common\"` exclude each other.",
                 remedy = "Give one of them.", call = call)
    }
  }
  if (inherits(x, "rankmix_evaluation")) {
    return(chosen_metrics(x, metric, call))
  }
  if (!is.matrix(x) && !is.data.frame(x)) {
    stop_input("argument", sprintf("`x` must be a matrix or a data frame, not %s.", show_value(x)),
               remedy = "Give queries in rows and rankers in columns, or a long table.", call = call)
  }
  table <- if (is.matrix(x)) wide_values(x, metric, call) else {
    x <- renamed_columns(as.data.frame(x), columns, call)
    if (is.null(x[["value"]])) wide_frame(x, metric, call) else long_values(x, metric, call)
  }
  complete_evaluation(table, topics, fill, call)
}

check_metric_names <- function(metric, call) {
  if (!is.null(metric) && !(is.character(metric) && length(metric) > 0L && all(nzchar(metric)) &&
                              !anyNA(metric))) {
    stop_input("argument", sprintf("`metric` must be the name of a metric, not %s.", show_value(metric)),
               remedy = "For example `metric = \"ndcg@10\"`.", call = call)
  }
}

# The columns of an evaluation, and their names in tables of other tools.
column_aliases <- list(ranker = c("name", "system", "run"), query = c("qid", "query_id", "topic"),
                       metric = "measure", value = character(), fold = character(),
                       weight = character(), documents = character(), relevant = character())

# Renames the columns of `x` to the names of an evaluation: first by `columns`, then by known aliases.
renamed_columns <- function(x, columns, call) {
  good <- is.null(columns) || is.character(columns) && rlang::is_named(columns) &&
    all(names(columns) %in% names(column_aliases)) && !anyDuplicated(names(columns))
  if (!good) {
    stop_input("argument", "`columns` must name columns of the table.",
               sprintf("Its names may be %s.", enumerate(names(column_aliases), 8L)),
               "For example `columns = c(ranker = \"system\", query = \"topic\")`.", call = call)
  }
  lacking <- setdiff(columns, names(x))
  if (length(lacking) > 0L) {
    stop_input("column", sprintf("There is no column %s.", enumerate(lacking)),
               sprintf("There are %s.", enumerate(names(x), 10L)), did_you_mean(lacking[1L], names(x)),
               call = call)
  }
  # Otherwise there would be two columns with this name.
  x[setdiff(names(columns), columns)] <- NULL
  names(x)[match(columns, names(x))] <- names(columns)
  aliases <- if (is.null(x[["value"]])) column_aliases["query"] else column_aliases
  for (name in setdiff(names(aliases), names(x))) {
    at <- match(aliases[[name]], names(x))
    if (!all(is.na(at))) names(x)[at[!is.na(at)][1L]] <- name
  }
  x
}

# Converts tables of queries x rankers to one long table.
wide_values <- function(x, metric, call, query = rownames(x), fold = NULL, weight = NULL) {
  if (nrow(x) == 0L || !is_plain_number(x)) {
    stop_input("values", "`x` must have a row of numbers for each query.",
               if (nrow(x) == 0L) "It has no row." else sprintf("It is of type %s.", typeof(x)), call = call)
  }
  rankers <- ranker_names(x, call, "Give the columns the names of the rankers.")
  if (length(metric) > 1L) {
    stop_input("argument", "A table of queries x rankers has the values of one metric.",
               sprintf("`metric` is %s.", enumerate(metric)),
               "Give a long table for several metrics.", call = call)
  }
  if (is.null(query)) query <- seq_len(nrow(x))
  times <- ncol(x)
  rows <- list(fold = if (!is.null(fold)) rep(fold, times), ranker = rep(rankers, each = nrow(x)),
               query = rep(checked_queries(query, call), times),
               metric = rep(if (is.null(metric)) "value" else metric, length(x)), value = as.double(x),
               weight = if (!is.null(weight)) rep(weight, times))
  checked_values(list2DF(rows[lengths(rows) > 0L]), call)
}

checked_queries <- function(query, call) {
  empty <- which(is.na(query) | is.character(query) & !nzchar(query))
  if (length(empty) > 0L) {
    stop_input("query", sprintf("Row %d has no query id.", empty[1L]),
               remedy = "Every value needs a query. Drop the rows without a query id.", call = call)
  }
  check_ids(query, "query", call)
}

wide_frame <- function(x, metric, call) {
  others <- intersect(c("query", "fold", "weight"), names(x))
  rankers <- x[setdiff(names(x), others)]
  texts <- names(rankers)[!vapply(rankers, is_plain_number, NA)]
  if (length(texts) > 0L) {
    stop_input("column", sprintf("The column `%s` has no numbers.", texts[1L]),
               "Without a column `value` every column is a ranker.",
               "Give the ids of queries as row names, or as a column `query`.", call = call)
  }
  ids <- if (!is.null(x[["query"]])) x[["query"]] else if (.row_names_info(x) > 0L) rownames(x)
  values <- as.matrix(rankers)
  wide_values(values, metric, call, ids, x[["fold"]], x[["weight"]])
}

long_values <- function(x, metric, call) {
  if (nrow(x) == 0L) {
    stop_input("values", "The table has no row.", call = call)
  }
  if (is.null(x[["query"]])) {
    stop_input("column", "The table has no column `query`.",
               sprintf("It has %s.", enumerate(names(x), 10L)),
               "For example `columns = c(query = \"topic_id\")`.", call = call)
  }
  x$query <- checked_queries(x[["query"]], call)
  if (!is.null(x[["metric"]])) {
    x <- kept_metrics(x, metric, call)
  } else if (length(metric) > 1L) {
    stop_input("column", "The table has no column `metric`.",
               sprintf("`metric` has several names: %s.", enumerate(metric)), call = call)
  } else {
    x$metric <- if (is.null(metric)) "value" else metric
  }
  checked_values(x, call)
}

kept_metrics <- function(x, metric, call) {
  x$metric <- as.character(x[["metric"]])
  lacking <- setdiff(metric, x$metric)
  if (length(lacking) > 0L) {
    stop_input("argument", sprintf("The table has no metric %s.", enumerate(lacking)),
               sprintf("It has %s.", enumerate(unique(x$metric), 10L)), did_you_mean(lacking[1L], x$metric),
               call = call)
  }
  if (is.null(metric)) x else x[x$metric %in% metric, , drop = FALSE]
}

checked_values <- function(x, call) {
  if (!is_plain_number(x[["value"]])) {
    stop_input("values", sprintf("The values must be numbers, not %s.", show_value(x[["value"]])),
               call = call)
  }
  for (name in intersect(c("ranker", "fold", "metric"), names(x))) {
    x[[name]] <- if (is_plain_number(x[[name]])) id_text(x[[name]]) else as.character(x[[name]])
    empty <- which(is.na(x[[name]]) | !nzchar(x[[name]]))
    if (length(empty) > 0L) {
      stop_input("column", sprintf("Row %d has no %s.", empty[1L], name), call = call)
    }
    check_names_are_text(x[[name]], call)
  }
  infinite <- which(is.infinite(x$value))
  if (length(infinite) > 0L) {
    stop_input("values", sprintf("%s is infinite.", place_of(x, infinite[1L])), call = call)
  }
  weight <- x[["weight"]]
  if (!is.null(weight)) {
    good <- if (is_plain_number(weight)) is.finite(weight) & weight >= 0 else rep(FALSE, nrow(x))
    if (!all(good)) {
      stop_input("column", sprintf("The weight of query %s must be a number of 0 or more.",
                                   id_text(x$query[!good][1L])), call = call)
    }
  }
  x$value <- as.double(x$value)
  x
}

# "The value of `map` of `bm25` for query `q7` (fold `1`)".
place_of <- function(table, row) {
  sprintf("The value%s%s for query `%s`%s",
          if (table$metric[row] == "value") "" else sprintf(" of `%s`", table$metric[row]),
          if (is.null(table$ranker)) "" else sprintf(" of `%s`", table$ranker[row]),
          id_text(table$query[row]),
          if (is.null(table$fold)) "" else sprintf(" (fold `%s`)", table$fold[row]))
}

# One row for each metric, ranker and query, in this order. `row` has the row of the table, NA if it lacks
# the value.
value_grid <- function(table) {
  key <- query_keys(table$fold, table$query)
  ranker <- if (is.null(table$ranker)) rep("", nrow(table)) else table$ranker
  keys <- unique(key)
  rankers <- unique(ranker)
  metrics <- unique(table$metric)
  position <- match(key, keys) + length(keys) *
    (match(ranker, rankers) - 1 + length(rankers) * (match(table$metric, metrics) - 1))
  count <- length(keys) * length(rankers) * length(metrics)
  row <- rep(NA_integer_, count)
  row[position] <- seq_along(position)
  per_metric <- length(keys) * length(rankers)
  list(row = row, twice = which(duplicated(position))[1L],
       first = match(keys, key)[(seq_len(count) - 1L) %% length(keys) + 1L],
       ranker = rankers[((seq_len(count) - 1L) %/% length(keys)) %% length(rankers) + 1L],
       metric = metrics[(seq_len(count) - 1L) %/% per_metric + 1L])
}

complete_evaluation <- function(table, topics, fill, call) {
  grid <- value_grid(table)
  if (!is.na(grid$twice)) {
    stop_input("queries", sprintf("%s occurs twice.", place_of(table, grid$twice)),
               remedy = if (is.null(table$fold)) {
                 "Give each ranker its own name, or name the folds in a column `fold`."
               } else {
                 "Give each ranker its own name."
               }, call = call)
  }
  check_query_weights(table, call)
  rows <- list(fold = table$fold[grid$first], ranker = if (!is.null(table$ranker)) grid$ranker,
               query = table$query[grid$first], documents = table$documents[grid$row],
               relevant = table$relevant[grid$row], metric = grid$metric, value = table$value[grid$row],
               weight = table$weight[grid$first])
  out <- list2DF(rows[!vapply(rows, is.null, NA)])
  for (name in setdiff(names(table), names(rows))) out[[name]] <- table[[name]][grid$row]
  out <- without_missing(out, topics, fill, call)
  structure(out, class = c("rankmix_evaluation", "data.frame"), rows = nrow(out))
}

check_query_weights <- function(table, call) {
  if (is.null(table$weight)) {
    return(invisible())
  }
  key <- query_keys(table$fold, table$query)
  odd <- which(table$weight != table$weight[match(key, key)])
  if (length(odd) > 0L) {
    stop_input("queries", sprintf("Query `%s` has two different weights.", id_text(table$query[odd[1L]])),
               remedy = "Give the same weight in all rows of a query.", call = call)
  }
}

# Missing values: an error, or their queries are left out, or they are filled.
without_missing <- function(table, topics, fill, call) {
  missing <- is.na(table$value) & !is.nan(table$value)
  if (!any(missing)) {
    return(table)
  }
  whose <- counts_by_ranker(table$ranker[missing])
  if (!is.null(fill)) {
    table$value[missing] <- fill
    say_evaluation(sprintf("%s filled with %s%s.", some_of(missing, "value"), plain_number(fill), whose))
    return(table)
  }
  key <- query_keys(table$fold, table$query)
  out <- key %in% key[missing]
  if (topics == "common" && !all(out)) {
    say_evaluation(sprintf("%s left out: not every ranker has all values.",
                           some_of(out[!duplicated(key)], "query", "queries")))
    return(structure(table[!out, , drop = FALSE], row.names = seq_len(sum(!out))))
  }
  stop_input("queries", sprintf("%s is missing.", place_of(table, which(missing)[1L])),
             c(sprintf("%s missing%s.", some_of(missing, "value"), whose),
               if (topics == "common") "No query has a value of every ranker."),
             c("Set `topics = \"common\"` to leave out the queries with missing values.",
               "`as_evaluation(x, fill = 0)` counts missing values as 0."), call = call)
}

# "3 of 1,000 values are", "1 of 20 queries is".
some_of <- function(some, one, many = paste0(one, "s")) {
  sprintf("%s of %s %s", format_count(sum(some)), counted(length(some), one, many),
          if (sum(some) == 1L) "is" else "are")
}

# ": 3 of `a`, 1 of `b`".
counts_by_ranker <- function(rankers) {
  if (is.null(rankers)) {
    return("")
  }
  counts <- table(factor(rankers, unique(rankers)))
  shown <- utils::head(sprintf("%d of `%s`", counts, names(counts)), 5L)
  if (length(counts) > 5L) shown <- c(shown, "...")
  paste0(": ", paste(shown, collapse = ", "))
}

say_evaluation <- function(text) {
  rlang::inform(text, class = c("rankmix_message_evaluation", "rankmix_message"))
}
