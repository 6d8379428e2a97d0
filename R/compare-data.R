# The data of a benchmark, given once more to report(). A benchmark stores the judgements of its test parts, but not
# their features.
#
# Problem: the scores of a benchmark belong to documents by position. With other data, features and reasons would be
# shown at the wrong documents.
# Input: the benchmark and the data. Output: the test part of each fold, or an error with the first difference.
# Method: queries, documents, grades and weights are compared with the stored ones, and each feature by a digest.
# Cost: the digests read each test part once, column by column.

# A digest of each feature, by name. `rows` are the rows of the test part. NULL for binned data: the values before
# binning are not known.
feature_digests <- function(data, rows = seq_len(nrow(data))) {
  if (is_binned(data)) {
    return(NULL)
  }
  digests <- if (is_sparse(data$x)) sparse_digests(data$x[rows, , drop = FALSE]) else {
    # One column after the other, so that the features are not copied at once.
    vapply(seq_len(ncol(data$x)), function(j) rlang::hash(as.double(data$x[rows, j])), "")
  }
  stats::setNames(digests, data$features)
}

# Stored zeros do not count, because they are equal to absent entries.
sparse_digests <- function(x) {
  vapply(seq_len(ncol(x)), function(j) {
    own <- seq.int(x@p[j] + 1L, length.out = x@p[j + 1L] - x@p[j])
    own <- own[is.na(x@x[own]) | x@x[own] != 0]
    rlang::hash(list(x@i[own], x@x[own]))
  }, "")
}

rows_of_ids <- function(data, ids) which(data$query %in% query_positions(data, ids))

# The test part of each fold, by name. `data` is one data set with all test queries, or a list of folds.
tested_parts <- function(benchmark, data, call = rlang::caller_env()) {
  folds <- if (inherits(data, "ranking_data")) NULL else folds_given_again(benchmark, data, call)
  if (is.null(folds)) check_ranking_data(data, call = call)
  lapply(stats::setNames(nm = names(benchmark$data)), function(fold) {
    known <- benchmark$data[[fold]]
    test <- if (is.null(folds)) known_queries(data, known$test) else folds[[fold]]$test
    check_judged(test, call = call)
    refuse_binned(test, "data", call)
    different <- first_difference(known, test)
    if (!is.null(different)) stop_different_data(fold, different, call)
    test
  })
}

stop_different_data <- function(fold, different, call) {
  stop_input("data", "`data` are not the data of the benchmark.", sprintf("Test part of `%s`: %s", fold, different),
             "Give the `data` or the `folds` that `benchmark_rankers()` had.", call = call)
}

folds_given_again <- function(benchmark, data, call) {
  if (is.list(data) && !is.object(data) && inherits(data$test, "ranking_data")) data <- list(test = data)
  good <- is.list(data) && !is.object(data) && length(data) > 0L &&
    all(vapply(data, function(fold) is.list(fold) && inherits(fold$test, "ranking_data"), NA))
  if (!good) {
    stop_input("argument", sprintf("`data` must be ranking data or a list of folds, not %s.", show_value(data)),
               remedy = "Give the `data` or the `folds` that `benchmark_rankers()` had.", call = call)
  }
  if (is.null(names(data))) names(data) <- paste0("fold", seq_along(data))
  lacking <- setdiff(names(benchmark$data), names(data))
  if (length(lacking) > 0L) {
    stop_input("data", "`data` are not the data of the benchmark.",
               sprintf("The benchmark has a fold `%s`. `data` have %s.", lacking[1L], enumerate(names(data))),
               "Give the `folds` that `benchmark_rankers()` had.", call = call)
  }
  data
}

# The queries of a test part within `data`, as far as `data` have them.
known_queries <- function(data, known) {
  ids <- intersect(id_text(known$query_ids), id_text(data$query_ids))
  if (length(ids) == 0L) data else data[ids]
}

# The first difference between a test part of a benchmark and data, in words. NULL without a difference.
first_difference <- function(known, test) {
  judged <- known$test
  different <- query_difference(judged, test)
  if (is.null(different)) different <- document_difference(judged, test)
  if (is.null(different) && !is.null(known$features)) different <- feature_difference(known$features, test)
  different
}

query_difference <- function(judged, test) {
  ids <- id_text(judged$query_ids)
  own <- id_text(test$query_ids)
  lacking <- setdiff(ids, own)
  if (length(lacking) > 0L) {
    return(sprintf("query %s is missing.", lacking[1L]))
  }
  further <- setdiff(own, ids)
  if (length(further) > 0L) {
    return(sprintf("query %s was not in the benchmark.", further[1L]))
  }
  sizes <- tabulate(judged$query, length(ids))
  found <- tabulate(test$query, length(own))[match(ids, own)]
  at <- which(sizes != found)[1L]
  if (!is.na(at)) {
    return(sprintf("query %s has %s, and had %d in the benchmark.", ids[at], counted(found[at], "document"), sizes[at]))
  }
  at <- which(own[test$query] != ids[judged$query])[1L]
  if (!is.na(at)) {
    return(sprintf("row %d belongs to query %s, and belonged to %s in the benchmark.", at, own[test$query[at]],
                   ids[judged$query[at]]))
  }
  if (is.null(test$weight) != is.null(judged$weight)) {
    return(presence_difference("queries", test$weight, "weights"))
  }
  value_difference(judged$weight, test$weight, "weight", sprintf("query %s", ids))
}

document_difference <- function(judged, test) {
  if (is.null(test$document) != is.null(judged$document)) {
    return(presence_difference("documents", test$document, "ids"))
  }
  of_query <- id_text(judged$query_ids)[judged$query]
  row <- sprintf("row %d, query %s,", seq_along(of_query), of_query)
  different <- value_difference(judged$document, test$document, "id", row)
  if (is.null(different)) different <- value_difference(judged$relevance, test$relevance, "relevance", row)
  different
}

# The words for values that only the data or only the benchmark has.
presence_difference <- function(what, given, name) {
  words <- c(paste("no", name), name)
  if (!is.null(given)) words <- rev(words)
  sprintf("%s have %s, and had %s in the benchmark.", what, words[1L], words[2L])
}

# The words for the first value that differs. `what` names the place of each value.
value_difference <- function(known, given, name, what) {
  at <- which(known != given)[1L]
  if (!is.na(at)) {
    sprintf("%s has %s %s, and had %s in the benchmark.", what[at], name, number_text(given[at], digits = 15L),
            number_text(known[at], digits = 15L))
  }
}

feature_difference <- function(digests, test) {
  own <- feature_digests(test)
  lacking <- setdiff(names(digests), names(own))
  if (length(lacking) > 0L) {
    return(sprintf("the feature `%s` is missing.", lacking[1L]))
  }
  further <- setdiff(names(own), names(digests))
  if (length(further) > 0L) {
    return(sprintf("the feature `%s` was not in the benchmark.", further[1L]))
  }
  changed <- names(digests)[own[names(digests)] != digests]
  if (length(changed) > 0L) {
    others <- length(changed) - 1L
    sprintf("the values of the feature `%s`%s differ.", changed[1L],
            if (others > 0L) sprintf(" and of %s", counted(others, "other feature")) else "")
  }
}
