# Values of rankers side by side, query by query.

# For each metric: `fold` (NULL without folds), `query`, `weight` (NULL without weights) and `values`, queries x
# rankers. Queries that do not count are left out. For a benchmark with repeated trainings, `values` are means over
# the trainings, and `trainings` has the values of each training.
paired_values <- function(evaluated, call = rlang::caller_env()) {
  averaged <- average_repeats(as.data.frame(evaluated$table), evaluated$grades)
  table <- averaged$table
  rankers <- unique(table$ranker)
  if (length(rankers) < 2L) {
    stop_input("argument", "A comparison needs two or more rankers.",
               remedy = "Give two or more.", call = call)
  }
  metrics <- lapply(split_by(table, "metric"), function(rows) {
    side_by_side(rows, rankers, call)
  })
  metrics <- lapply(metrics, function(paired) {
    paired <- only_counting(paired, call)
    paired$repeats <- averaged$repeats
    paired$keys <- averaged$keys
    paired
  })
  add_trainings(metrics, evaluated$trainings, evaluated$grades)
}

# Splits row numbers by the values of a column, in order of first appearance.
split_by <- function(table, column) {
  split(table, factor(table[[column]], unique(table[[column]])))
}

side_by_side <- function(rows, rankers, call) {
  key <- query_keys(rows$fold, rows$query)
  all <- unique(key)
  first <- match(all, key)
  columns <- lapply(stats::setNames(rankers, rankers), function(ranker) {
    own <- which(rows$ranker == ranker)
    if (anyDuplicated(key[own])) {
      stop_input("queries", sprintf("`%s` has a query twice.", ranker),
                 sprintf("Query %s.", enumerate(rows$query[own][duplicated(key[own])])),
                 "Evaluate each ranker once, or name the folds in a column `fold`.",
                 call = call)
    }
    at <- match(all, key[own])
    if (anyNA(at)) {
      lacking <- rows$query[first[is.na(at)]]
      stop_input("queries", "The rankers were not evaluated on the same queries.",
                 sprintf("`%s` lacks %d of %d, such as %s.", ranker, length(lacking),
                         length(all), enumerate(lacking)),
                 "Compare them on queries that all rankers have.", call = call)
    }
    own[at]
  })
  beside <- function(name) {
    matrix(vapply(columns, function(own) as.double(rows[[name]][own]), numeric(length(all))),
           length(all), dimnames = list(NULL, rankers))
  }
  weights <- if (!is.null(rows$weight)) beside("weight")
  if (!is.null(weights) && any(weights != weights[, 1L])) {
    stop_input("queries", "The rankers were evaluated with different weights of queries.",
               remedy = "Evaluate them on the same data.", call = call)
  }
  list(fold = rows$fold[first], query = rows$query[first],
       weight = if (!is.null(weights)) unname(weights[, 1L]), values = beside("value"))
}

only_counting <- function(paired, call) {
  # NA, which is not NaN, counts as 0.
  out <- is.nan(paired$values)
  mixed <- which(rowSums(out) > 0L & rowSums(out) < ncol(out))
  if (length(mixed) > 0L) {
    stop_input("values", "Some queries count for one ranker and not for another.",
               sprintf("Query %s does not count for `%s`.", enumerate(paired$query[mixed]),
                       colnames(out)[colSums(out[mixed, , drop = FALSE]) > 0L][1L]),
               "Evaluate all rankers with the same metric on the same data.", call = call)
  }
  keep <- rowSums(out) == 0L & (if (is.null(paired$weight)) TRUE else paired$weight > 0)
  if (!any(keep)) {
    stop_input("values", "No query counts for the metric.",
               remedy = "Compare on queries with relevant documents.", call = call)
  }
  values <- paired$values[keep, , drop = FALSE]
  if (any(is.infinite(values))) {
    stop_input("values", "Values of metrics must be finite.", call = call)
  }
  undefined <- colSums(is.na(values))
  values[is.na(values)] <- 0
  list(fold = paired$fold[keep], query = paired$query[keep], weight = paired$weight[keep],
       values = values, undefined = undefined)
}

weights_differ <- function(paired) length(unique(paired$weight)) > 1L

# Queries that several folds test ---------------------------------------------------------

# A query that several folds test with the same judgements is one query: its values are averaged over the
# folds. `grades` has a digest of the judgements by the keys of query_keys(), or is NULL. If NULL, queries
# with equal ids and equal numbers of documents and of relevant documents are the same query. If any id has different
# judgements in two folds, ids are new in each fold, and all queries are different. Returns the `table`; if values
# were averaged, also the smallest and largest number of folds of a query (`repeats`), and the `keys` of all queries.
average_repeats <- function(table, grades = NULL) {
  if (is.null(table$fold) || nrow(table) == 0L) {
    return(list(table = table))
  }
  keys <- query_keys(table$fold, table$query)
  first <- !duplicated(keys)
  id <- id_text(table$query)
  judged <- if (is.null(grades)) paste(table$documents, table$relevant) else grades[keys]
  judgements <- if (length(judged) == 0L) id[first] else paste(id, judged)[first]
  counts <- table(id[first])
  if (all(counts == 1L) || length(unique(judgements)) > length(counts)) {
    return(list(table = table))
  }
  ranker <- if (is.null(table$ranker)) "" else table$ranker
  key <- paste(ranker, table$metric, id, sep = "\r")
  key <- match(key, unique(key))
  rows <- table[!duplicated(key), ]
  # NA counts as 0. NaN leaves the query out of the mean. A query is left out if it is NaN in every
  # fold.
  value <- replace(table$value, is.na(table$value) & !is.nan(table$value), 0)
  counted <- !is.nan(value)
  sums <- rowsum(cbind(ifelse(counted, value, 0), counted), key, reorder = FALSE)
  rows$value <- ifelse(sums[, 2L] > 0, sums[, 1L] / sums[, 2L], NaN)
  rows$fold <- NULL
  list(table = rows, repeats = range(counts), keys = unique(keys))
}
