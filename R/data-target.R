#' Encode factors by mean grades
#'
#' Replaces each factor by one feature: the mean grade of the documents of each level, shrunk towards the
#' mean grade of all documents. Use it for factors of many levels, such as brands or sites, and for linear
#' rankers.
#'
#' @param data The training data with grades, made by [ranking_data()] from a data frame with factors.
#' @param columns The names of the factors. The default `NULL` uses all factors that are not ordered.
#' @param smooth The strength of the shrinkage: the number of documents with the mean grade that are added to
#'   each level. With the default 10, a level of 10 documents gets the average of its mean and the mean of
#'   all. Larger values suit noisy grades and rare levels. 0 (none) or more.
#' @param folds Number of folds of the training data; default 5, at least 2. More folds take more time. The
#'   values of the training data are then more similar to the values of new data. There are never more folds than
#'   queries.
#' @param add Whether to keep the 0/1 features of the factors; default `FALSE`. Factors of more than 1,000
#'   levels have no such features and are always replaced.
#' @param seed The seed of the folds, a whole number. By default R's generator draws one.
#' @param threads Number of threads. Results do not depend on it.
#'
#' @return A value of class `rankmix_target_encoding`. Its `data` is the training data with the new
#'   features, named like `"brand_target"`. Use this data for training. `values` is a list with the value of each level
#'   of each factor, and `mean` is the mean grade. `predict()` encodes new data by these values. The result is ranking
#'   data for ranking data, and a matrix for a matrix or data frame.
#' @examples
#' set.seed(1)
#' frame <- data.frame(grade = sample(0:2, 200, TRUE), query = rep(1:20, each = 10),
#'                     score = rnorm(200), brand = factor(sample(letters, 200, TRUE)))
#' train <- ranking_data(frame[1:150, ], grade, query)
#' test <- ranking_data(frame[151:200, ], grade, query)
#' encoding <- target_encoding(train, seed = 1)
#' encoding
#' model <- fit(linear_ranker(), encoding$data, threads = 1)
#' summary(evaluate(model, predict(encoding, test), metric_ndcg(10)))
#'
#' @details For each level of a factor, sums are over the documents of the level, with grades y and query weights w.
#'   Weights of documents are not used. The mean grade of all documents is \eqn{\bar{y}}{m}, and `smooth` is s. The
#'   value of the level is \deqn{\frac{\sum_i w_i y_i + s \bar{y}}{\sum_i w_i + s}.}{(sum_i w_i y_i + s m) / (sum_i w_i
#'   + s).}
#'
#'   **Training data.** The values for the documents of a fold are computed on the other folds. A document's
#'   own grade, and the grades of its query, are therefore not used. Otherwise the feature would seem better
#'   than it is on new data. So train on `data`, and not on `predict()` of the training data. All documents
#'   of a query are in the same fold. Folds depend on the query ids and the seed, not on the order of rows.
#'
#'   **Unknown values.** Missing values and levels without a document get the mean grade. New data with
#'   levels that the training data do not have give a warning, and the mean grade.
#' @section Conditions: `rankmix_error_argument`: the data have no such factor, or fewer than two queries.
#'   `rankmix_error_feature`: a factor was transformed, such as by [standardize_queries()]. A ranker, a
#'   transformation or [write_letor()] gives the same error for a factor of more than 1,000 levels that was not encoded.
#'   `rankmix_warning_newdata`: new data have new levels.
#' @section Cost: A sort of the documents for each factor.
#' @references Micci-Barreca (2001). A preprocessing scheme for high-cardinality categorical attributes in
#'   classification and prediction problems. ACM SIGKDD Explorations 3. \doi{10.1145/507533.507538}
#' @seealso [gbrt()] with `categories = "subsets"`, [kernel_features()], [standardize_queries()]
#' @export
target_encoding <- function(data, columns = NULL, smooth = 10, folds = 5, add = FALSE, seed = NULL,
                            threads = NULL) {
  check_all_given()
  check_ranking_data(data)
  entries <- target_entries(data, columns)
  check_number(smooth, "smooth", 0, Inf)
  check_count(folds, "folds", min = 2)
  check_flag(add, "add")
  seed <- check_seed(seed)
  threads <- check_threads(threads)
  if (length(data$query_ids) < 2L) {
    stop_input("argument", "Target encoding needs at least two queries, the data have one.")
  }
  fold <- target_folds(data, folds, seed)[data$query]
  of_factor <- lapply(entries, function(entry) {
    sums <- target_sums(data, entry_levels(data$x, data$features, entry), length(entry$levels), fold)
    level_values(sums, smooth)
  })
  means <- of_factor[[1L]]$mean
  encoding <- structure(
    c(list(values = lapply(of_factor, `[[`, "all"), mean = means[1L], smooth = smooth, add = add, seed = seed),
      schema_of(data)),
    class = "rankmix_target_encoding"
  )
  encoded <- vapply(seq_along(entries), function(k) {
    level <- entry_levels(data$x, data$features, entries[[k]])
    known_or_mean(of_factor[[k]]$out_of_fold[cbind(level, fold)], means[1L + fold])
  }, numeric(nrow(data$x)))
  encoding$data <- target_data(data, data$x, encoded, encoding, threads)
  encoding
}

#' @param object An encoding, from `target_encoding()`.
#' @param newdata The data to encode: [ranking data][ranking_data()] with the features of `data`, with or
#'   without grades. Or a data frame or matrix of these features.
#' @param ... Must be empty.
#' @rdname target_encoding
#' @export
predict.rankmix_target_encoding <- function(object, newdata, threads = NULL, ...) {
  check_no_others(...)
  check_given(missing(newdata), "newdata")
  threads <- check_threads(threads)
  x <- as.matrix(match_features(newdata, object, threads))
  encoded <- vapply(names(object$values), function(name) {
    entry <- Find(function(entry) entry$column == name, object$encoding)
    known_or_mean(object$values[[name]][entry_levels(x, object$features, entry)], object$mean)
  }, numeric(nrow(x)))
  encoded <- matrix(encoded, nrow(x))
  if (inherits(newdata, "ranking_data")) {
    return(target_data(newdata, x, encoded, object, threads))
  }
  kept <- target_schema(object)
  x <- cbind(x[, match(kept$old, object$features), drop = FALSE], encoded)
  colnames(x) <- kept$schema$features
  x
}

# The encodings of the factors to replace, named by their columns.
target_entries <- function(data, columns, call = rlang::caller_env()) {
  entries <- stats::setNames(data$encoding, encoded_columns(data$encoding))
  entries <- Filter(Negate(is_time_entry), entries)
  if (is.null(columns)) {
    columns <- names(Filter(function(entry) !entry$ordered, entries))
    if (length(columns) == 0L) {
      stop_input("argument", "The data have no factors that are not ordered.",
                 remedy = "Make the data from a data frame whose columns are factors.", call = call)
    }
  }
  if (!is.character(columns) || length(columns) == 0L || !all(columns %in% names(entries))) {
    stop_input("argument", "`columns` must be names of factors of the data.",
               if (length(entries) > 0L) sprintf("The factors are %s.", enumerate(names(entries))),
               call = call)
  }
  entries <- entries[unique(columns)]
  changed <- vapply(entries, function(entry) isTRUE(entry$changed), NA)
  if (any(changed)) {
    stop_input("feature", sprintf("`%s` was transformed and cannot be encoded.", names(entries)[changed][1L]),
               remedy = "Encode the factors first, then transform the data.", call = call)
  }
  entries
}

# The fold of each query. Queries are drawn in the order of their ids, which row order does not change.
target_folds <- function(data, folds, seed) {
  by_id <- order(id_text(data$query_ids), method = "radix")
  count <- length(by_id)
  fold <- integer(count)
  fold[by_id[with_seed(seed, sample.int(count))]] <- rep_len(seq_len(min(folds, count)), count)
  fold
}

# Weights and weighted grades, summed by level and fold. The last row has missing values. Documents are
# added in the order of their weights and grades, so that row order changes no bit.
target_sums <- function(data, level, levels, fold) {
  weight <- if (is.null(data$weight)) rep(1, length(fold)) else data$weight[data$query]
  level[is.na(level)] <- levels + 1L
  group <- level + (levels + 1L) * (fold - 1L)
  sorted <- order(group, weight, data$relevance)
  groups <- factor(group[sorted], seq_len((levels + 1L) * max(fold)))
  add_up <- function(values) {
    sums <- rowsum(values[sorted], groups, reorder = FALSE)
    all <- numeric(nlevels(groups))
    all[as.integer(rownames(sums))] <- sums
    matrix(all, levels + 1L)
  }
  list(weight = add_up(weight), grade = add_up(weight * data$relevance))
}

# The values of the levels: `all`, computed from all folds, and `out_of_fold`, with a column for each fold, computed
# from the other folds.
# `mean` has the mean grade of all documents, then the means outside of each fold.
level_values <- function(sums, smooth) {
  value_of <- function(kept) {
    weight <- rowSums(sums$weight[, kept, drop = FALSE])
    grade <- rowSums(sums$grade[, kept, drop = FALSE])
    # Folds whose queries all have the weight 0 leave no mean.
    average <- if (sum(weight) > 0) sum(grade) / sum(weight) else NA_real_
    values <- (grade + smooth * average) / (weight + smooth)
    c(average, known_or_mean(values[-length(values)], average))
  }
  folds <- seq_len(ncol(sums$weight))
  all <- value_of(folds)
  outside <- vapply(folds, function(f) known_or_mean(value_of(folds != f), all[1L]), all)
  list(all = all[-1L], out_of_fold = outside[-1L, , drop = FALSE], mean = c(all[1L], outside[1L, ]))
}

known_or_mean <- function(values, mean) {
  ifelse(is.na(values), mean, values)
}

# The level of each row of a matrix of all features.
entry_levels <- function(x, features, entry) {
  coded <- x[, match(entry$features, features), drop = FALSE]
  colnames(coded) <- entry$features
  decode_levels(coded, entry)
}

# The properties of the encoded features, and the names of the features that stay (`old`).
target_schema <- function(encoding, columns = encoding$columns) {
  encoded <- encoded_columns(encoding$encoding) %in% names(encoding$values)
  replaced <- encoded & (!encoding$add | vapply(encoding$encoding, is_wide_factor, NA))
  gone <- encoding$encoding[replaced]
  old <- setdiff(encoding$features, unlist(lapply(gone, `[[`, "features")))
  list(old = old,
       schema = feature_schema(
         check_names(c(old, paste0(names(encoding$values), "_target"))), TRUE,
         c(columns, setdiff(encoded_columns(gone), columns)), encoding$encoding[!replaced]
       ))
}

# The data with the features `x` in the order of the encoding, followed by the encoded factors.
target_data <- function(data, x, encoded, encoding, threads, call = rlang::caller_env()) {
  kept <- target_schema(encoding, data$columns)
  x <- cbind(x[, match(kept$old, encoding$features), drop = FALSE], encoded)
  dimnames(x) <- list(NULL, kept$schema$features)
  new_ranking_data(x, data$relevance, data$query, data$query_ids, data$document, data$weight,
                   kept$schema, threads, call, data$position, data$document_weight,
                   data$labels)
}

#' @export
print.rankmix_target_encoding <- function(x, ...) {
  say(sprintf("<target encoding> %s, mean grade %s, smooth = %s",
              counted(length(x$values), "factor"), signif(x$mean, 4), setting_text(x$smooth)))
  levels <- vapply(lengths(x$values), counted, "", "level")
  say(paste(paste0(names(levels), ": ", levels), collapse = ", "))
  invisible(x)
}
