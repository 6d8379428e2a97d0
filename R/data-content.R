# An order of documents by their content, so that what is drawn or added up in this order does
# not depend on the order of the rows.

# The rows of `data`, from 0, query after query as in `data$order`. The documents of a query are in
# the order of a digest of their features and grades. Documents with the same features and grade are
# interchangeable, unless they were shown at different positions or have different `weights`.
rows_of_content <- function(data, threads, weights = NULL) {
  ties <- if (is.null(data$position)) weights else data$position
  rows_by_content(data$x, as.double(data$relevance), data$query, data$offsets, as.double(ties),
                  threads)
}

# What the core draws documents by: the name of their query, and their place in its content order.
drawing_settings <- function(task) {
  list(order = rows_of_content(task$data, task$threads, task$weights),
       offsets = task$data$offsets, queries = id_text(task$data$query_ids))
}

# The data with their rows in content order, queries by their names. Every sum over rows or over
# queries then has the same bits, whatever the order of the rows was. It takes a copy of the
# features.
data_by_content <- function(data, threads) {
  order <- rows_of_content(data, threads)
  queries <- order(id_text(data$query_ids), method = "radix")
  sizes <- diff(data$offsets)[queries]
  rows <- order[sequence(sizes, data$offsets[queries] + 1L)] + 1L
  data$x <- data$x[rows, , drop = FALSE]
  for (name in intersect(c("relevance", "document", "position"), names(data))) {
    data[name] <- list(data[[name]][rows])
  }
  for (name in c("query_ids", "weight")) data[name] <- list(data[[name]][queries])
  data$query <- rep(seq_along(sizes), sizes)
  data$order <- seq_along(rows) - 1L
  data$offsets <- c(0L, cumsum(sizes))
  data
}

# Data by content in which queries of the same documents are one query, with the sum of their weights.
# Sums over a query of weight 2 and over its two copies then have the same bits. The query has the
# shortest of the names, of equally short ones the first in the order of bytes.
join_equal_queries <- function(data) {
  sizes <- diff(data$offsets)
  # Few queries share these, so that few have to be looked at whole.
  signature <- paste(sizes, rowsum(as.double(data$relevance), data$query), data$x[data$offsets[-1L], 1L])
  suspects <- which(signature %in% signature[duplicated(signature)])
  key <- as.character(seq_along(sizes))
  key[suspects] <- vapply(suspects, function(q) {
    rows <- seq.int(data$offsets[q] + 1L, length.out = sizes[q])
    rlang::hash(list(data$x[rows, , drop = FALSE], as.double(data$relevance[rows]), data$position[rows]))
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
