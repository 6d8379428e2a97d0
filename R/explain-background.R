# The data that a model keeps of its training documents. They are the background of explain() for new documents,
# even for a single one. Models explained by counts in their trees keep nothing. Weighted sums keep the means.
# Other models keep some documents.

# With 100 documents, each of the default `times` draws of explain() uses a different document.
kept_documents <- 100L
# Limit of the numbers kept, 8 MB. Very wide data keep fewer documents.
kept_numbers <- 1e6

# Adds `background` to the model: the `means` of the features for a weighted sum, else `documents`.
with_background <- function(model, data, threads) {
  if (inherits(model, c("rankmix_gbrt_model", "rankmix_rankboost_model"))) {
    return(model)
  }
  if (is_binned(data)) {
    model$background <- list(documents = data$x$background)
    return(model)
  }
  weights <- row_weights(data)
  if (is.null(weights)) weights <- rep(1, nrow(data$x))
  kept <- list()
  if (is_linear_model(model) || inherits(model, "rankmix_mcsvm_model")) {
    x <- data$x
    if (needs_filling(model$filling, x)) x <- fill_features(model$filling, x, threads)
    kept$means <- known_values(x, as.double(weights), threads)$mean
  }
  if (!is_linear_model(model)) {
    kept$documents <- spread_documents(data$x, weights, content_order(data$x, weights))
  }
  model$background <- kept
  # No model of the path is chosen yet, so each of them gets the background.
  if (is_open(model)) {
    model$path[] <- lapply(model$path, function(step) {
      step$background <- kept
      step
    })
  }
  model
}

# The documents of weight above 0, in an order by content: equal documents are neighbours, and
# similar documents are close.
content_order <- function(x, weights) {
  order <- order(content_keys(x, weights), weights, method = "radix")
  order[weights[order] > 0]
}

# Takes documents at equal steps of cumulative weight in content order. A document of weight 2 is
# taken as often as two copies of it.
spread_documents <- function(x, weights, order) {
  documents <- as.matrix(x[spread_rows(ncol(x), weights, order), , drop = FALSE])
  storage.mode(documents) <- "double"
  dimnames(documents) <- NULL
  documents
}

spread_count <- function(features, documents) max(1, min(kept_documents, documents, kept_numbers %/% features))

spread_rows <- function(features, weights, order) {
  count <- spread_count(features, length(order))
  reached <- cumsum(weight_units(weights[order]))
  points <- (seq_len(count) - 0.5) / count * reached[length(reached)]
  order[findInterval(points, reached) + 1L]
}

# Weights up to 1 as whole numbers. Their sums over up to 2^31 documents are exact, so they do not depend on the
# order of documents.
weight_units <- function(weights) ceiling(weights * 2^22)

# The documents that a model of binned data keeps, from the rows of all ranks. The documents are read before
# their values are removed. The keys of these documents are found first.
stored_background <- function(data, threads, cluster = NULL) {
  x <- data$x
  weights <- as.double(scaled_weights(unscaled_weights(data), cluster))
  # Equal weights are not expanded, because a vector of ones for many documents would need much memory.
  documents <- cluster_sum(cluster, if (length(weights) == 0L) nrow(x) else sum(weights > 0))
  rows <- store_spread_rows(x$pointer, x$columns, weights, weight_units(weights),
                            spread_count(length(x$columns), documents), threads, cluster)$rows
  if (is.null(cluster)) {
    return(store_rows(x$pointer, x$columns, rows))
  }
  rows[rows == 0L] <- NA
  # The first rank that has a document of the key sends it.
  rank <- cluster_min(cluster, ifelse(is.na(rows), cluster$size, cluster$rank))
  own <- store_rows(x$pointer, x$columns, rows[rank == cluster$rank])
  sent <- lapply(cluster_gather(cluster, vectors_to_raw(list(as.double(t(own))))), raw_to_vectors, names = "values")
  documents <- matrix(unlist(lapply(sent, `[[`, "values")), ncol = length(x$columns), byrow = TRUE)
  documents[order(order(rank)), , drop = FALSE]
}

# The user's `background`, or the training documents that the model keeps.
background_documents <- function(model, background, features, call) {
  if (!is.null(background)) {
    return(background)
  }
  documents <- model$background$documents
  if (is.null(documents) || ncol(documents) != features) stop_no_background(call)
  documents
}

background_means <- function(model, background, threads, call) {
  if (is.null(background)) {
    if (is.null(model$background$means)) stop_no_background(call)
    return(model$background$means)
  }
  if (needs_filling(model$filling, background)) {
    background <- fill_features(model$filling, background, threads)
  }
  colMeans(background)
}

stop_no_background <- function(call) {
  stop_input("argument", "The model has no documents to compare with.",
             "Results of `mix()`, models inside other models and imported models keep none.",
             "Give `background`, such as the training data.", call = call)
}

# Checks a background read from a file. A mixture has no features; its members have.
check_background <- function(model, inputs = NULL) {
  kept <- model$background
  broken <- "Its `background` is broken."
  need(is.null(kept) || is.list(kept) && all(names(kept) %in% c("means", "documents")), broken)
  need(is.null(kept$means) || is_numbers(kept$means, inputs), broken)
  documents <- kept$documents
  need(is.null(documents) || is.double(documents) && is.matrix(documents) &&
         nrow(documents) > 0L &&
         (is.null(model$features) || ncol(documents) == length(model$features)) &&
         !any(is.infinite(documents)), broken)
}
