# Tests whether a model ranks documents, by one rule for every ranker. fit() fails if the data lack what
# the ranker needs. It warns if the trained model ranks nothing.

# Number of documents that are predicted first. The other documents are predicted only if these documents tie, in blocks
# of queries until a query has two scores. Predictions for all documents at once could need more memory than the fit.
looked_documents <- 1000L
block_documents <- 1e6

warn_learned_nothing <- function(model, task) {
  spec <- model$spec
  differing <- intersect(differing_queries(task$data), which(positive_weight(task$data)))
  order_free <- !cluster_any(task$cluster, length(differing) > 0L)
  if (cluster_all(task$cluster, gives_constants(model, task))) {
    cause <- constant_cause(spec, task, order_free)
    warn_input("constant",
               "The model ranks nothing: it gives all documents of a query the same score.",
               cause[1L], cause[2L])
  } else if (order_free && maximises_metric(spec)) {
    warn_input("constant", "The model has learned nothing: every ranking has the same metric.",
               order_free_cause(task$data)[1L], order_free_cause(task$data)[2L])
  }
  model
}

# TRUE for rankers whose training uses only a metric. best_feature() is not one of them: even if all features
# are equally good, it ranks by one of them.
maximises_metric <- function(spec) {
  inherits(spec, c("rankmix_coordinate_ascent", "rankmix_adarank", "rankmix_smoothrank"))
}

# Whether all documents of each training query have the same score. Queries of weight 0 count as absent.
gives_constants <- function(model, task) {
  data <- task$data
  if (is_open(model)) {
    return(all(vapply(model_steps(model), gives_constants, NA, task)))
  }
  ties <- function(rows) {
    part <- query_part(data, rows)
    # No warning if the model cannot score a training document, for example because of a user's
    # function.
    scores <- tryCatch(as.double(predict(model, part, threads = task$threads)),
                       rankmix_error = function(e) NULL)
    # Compares each document with the first of its query; if each query has one document, with the
    # first of all.
    first <- if (length(several) == 0L) 1L else match(part$query, part$query)
    !is.null(scores) && all(scores == scores[first])
  }
  counts <- positive_weight(data)
  sizes <- tabulate(data$query, length(data$query_ids))
  several <- which(counts & sizes > 1L)
  # A rank may have only queries of weight 0.
  if (!any(counts)) {
    return(TRUE)
  }
  if (length(several) == 0L) {
    return(isTRUE(ties(which(counts))))
  }
  for (queries in query_blocks(several, sizes[several])) {
    if (!isTRUE(ties(queries))) return(FALSE)
  }
  TRUE
}

# The queries in blocks of up to about `block` documents. The first block has at most `first` documents, or one query.
query_blocks <- function(queries, sizes, first = looked_documents, block = block_documents) {
  last <- cumsum(as.double(sizes))
  of_query <- ifelse(last <= first, 0, 1 + last %/% block)
  of_query[1L] <- 0
  unname(split(queries, of_query))
}

# The documents of some queries, to predict for. A part of the data may have only weights of 0, which are no data to
# train on.
query_part <- function(data, queries) {
  data[c("weight", "document_weight")] <- list(NULL)
  take_queries(data, queries)
}

# Why a model gives all documents of a query the same score, and what to do about it: the first
# cause that the training data show.
constant_cause <- function(spec, task, order_free) {
  documents <- counting_documents(task$data)
  least <- leaf_documents(spec)
  if (!cluster_any(task$cluster, anyDuplicated(task$data$query) > 0L)) {
    c("No training query has more than one document.", order_free_cause(task$data)[2L])
  } else if (!cluster_any(task$cluster, any_feature_differs(task$data))) {
    c("No feature differs between the documents of a training query.",
      "Give features in which documents of a query differ.")
  } else if (order_free) {
    order_free_cause(task$data)
  } else if (any(spec$feature_cost > 0)) {
    c("No split gains more than the cost of its feature.",
      "Set a smaller `feature_cost`. Useful costs are between 0.003 and 0.1, see `?gbrt`.")
  } else if (!is.null(least)) {
    c(if (documents < 2 * least) {
        sprintf("The %s training documents are fewer than 2 * `min_data_in_leaf` = %s.",
                format_count(documents), plain_number(2 * least))
      } else {
        sprintf("No split that leaves %s documents on each side lowers the loss.", plain_number(least))
      },
      sprintf("Set a smaller `min_data_in_leaf`, such as `min_data_in_leaf = %d`, or give more data.",
              max(1L, as.integer(min(documents %/% 10, least %/% 2)))))
  } else if (inherits(spec, "rankmix_rankboost")) {
    c("No threshold of a feature orders the pairs of documents better than chance.",
      "Give features that go with the grades, or more queries.")
  }
}

order_free_cause <- function(data) {
  c(sprintf("No training query%s has documents of different grades.",
            if (is.null(data$weight)) "" else " with a weight above 0"),
    "Give queries with documents of several grades.")
}

# The smallest number of documents of a leaf; NULL for rankers without leaves.
leaf_documents <- function(spec) {
  found <- c(spec$min_data_in_leaf, spec$base$min_data_in_leaf)
  if (is_plain_number(found) && length(found) > 0L) min(found)
}

# Tests one feature after the other, until one differs.
any_feature_differs <- function(data) {
  first <- match(data$query, data$query)
  if (has_bins(data$x)) {
    return(bins_differ(opened_bins(data$x)$bins, first))
  }
  for (j in seq_len(ncol(data$x))) {
    values <- data$x[, j]
    if (any(is.na(values) != is.na(values[first])) || any(values != values[first], na.rm = TRUE)) {
      return(TRUE)
    }
  }
  FALSE
}
