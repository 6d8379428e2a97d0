# An order of documents by their content, so that random samples and sums in this order are invariant
# to row order.

# The rows of `data`, from 0, query after query as in `data$order`. The documents of a query are in
# the order of a digest of their features and grades. Documents with the same features and grade are
# interchangeable, unless they were shown at different positions or have different `weights`.
rows_of_content <- function(data, threads, weights = NULL) {
  ties <- content_ties(data, weights)
  if (is_binned(data)) {
    if (is.null(data$x$content)) {
      stop_input("values", "The order of documents by content needs all features of the binned data.",
                 remedy = "Choose the features when the data are binned: `binned_data(features = )`.")
    }
    return(rows_by_marks(data$x$content, ncol(data), as.double(data$relevance), data$query, data$offsets,
                         as.double(ties)))
  }
  rows_by_content(data$x, as.double(data$relevance), data$query, data$offsets, as.double(ties),
                  threads)
}

# The keys for sampling documents in the core: the query id, and the rank in content order.
drawing_settings <- function(task) {
  list(order = rows_of_content(task$data, task$threads, task$weights),
       offsets = task$data$offsets, queries = id_text(task$data$query_ids))
}

# The data with rows in content order and queries in the order of their names. Every sum over rows or
# queries is then identical, bit for bit, for any row order. The features are copied.
data_by_content <- function(data, threads) {
  order <- rows_of_content(data, threads)
  queries <- order(id_text(data$query_ids), method = "radix")
  sizes <- diff(data$offsets)[queries]
  rows <- order[sequence(sizes, data$offsets[queries] + 1L)] + 1L
  data$x <- data$x[rows, , drop = FALSE]
  for (name in intersect(c("relevance", "document", "position", "document_weight"), names(data))) {
    data[name] <- list(data[[name]][rows])
  }
  data$labels <- labels_of_rows(data$labels, rows)
  for (name in c("query_ids", "weight")) data[name] <- list(data[[name]][queries])
  data$query <- rep(seq_along(sizes), sizes)
  data$order <- seq_along(rows) - 1L
  data$offsets <- c(0L, cumsum(sizes))
  data
}

# The data without queries of weight 0, unless all queries have weight 0. If these queries stayed, sums over
# blocks
# of rows would have other rounding errors.
weighted_queries <- function(data) {
  if (any(data$weight == 0) && any(data$weight > 0)) data[which(data$weight > 0)] else data
}

# Data in content order. Queries with equal documents are joined, and their weights are added. Sums
# over a query of weight 2 and over its two copies are then identical, bit for bit. A joined query
# has the shortest of the ids; among equally short ids, the first in byte order.
join_equal_queries <- function(data) {
  data <- weighted_queries(data)
  sizes <- diff(data$offsets)
  # Queries with different signatures differ, so only few pairs of queries are compared completely.
  signature <- paste(sizes, rowsum(as.double(data$relevance), data$query), data$x[data$offsets[-1L], 1L])
  suspects <- which(signature %in% signature[duplicated(signature)])
  key <- as.character(seq_along(sizes))
  key[suspects] <- vapply(suspects, function(q) {
    rows <- seq.int(data$offsets[q] + 1L, length.out = sizes[q])
    rlang::hash(list(data$x[rows, , drop = FALSE], as.double(data$relevance[rows]), data$position[rows],
                     data$document_weight[rows]))
  }, "")
  if (!anyDuplicated(key)) {
    return(data)
  }
  weight <- if (is.null(data$weight)) rep(1, length(sizes)) else data$weight
  names <- id_text(data$query_ids)
  first <- order(nchar(names, "bytes"), names, method = "radix")
  first <- first[!duplicated(key[first])]
  sums <- as.vector(rowsum(weight, key)[key[first], ])
  kept <- order(first)
  joined <- data[first[kept]]
  joined["weight"] <- list(sums[kept])
  joined
}
