# The validation data of all ranks on each rank, for mixtures. Members are trained over the ranks. Calibration
# and weights use validation data alone, so each rank computes them from all validation data, with the same
# result.

# Vectors as bytes, and back. Nothing received is unserialised. The type is 0 for NULL, 1 for integers, 2 for
# doubles and 3 for texts.
vectors_to_raw <- function(vectors) {
  unlist(lapply(vectors, function(v) {
    type <- if (is.null(v)) 0L else if (is.character(v)) 3L else if (is.double(v)) 2L else 1L
    bytes <- if (type == 3L) texts_to_raw(enc2utf8(v)) else if (type > 0L) {
      writeBin(as.vector(v), raw(), endian = "little")
    } else raw()
    c(as.raw(type), writeBin(as.double(c(length(v), length(bytes))), raw(), endian = "little"), bytes)
  }))
}

# The numbers of bytes of UTF-8 texts, NA for NA, and all bytes.
texts_to_raw <- function(texts) {
  lacking <- is.na(texts)
  c(writeBin(replace(nchar(texts, "bytes"), lacking, NA_integer_), raw(), endian = "little"),
    charToRaw(paste(texts[!lacking], collapse = "")))
}

raw_to_vectors <- function(bytes, names) {
  at <- 0
  take <- function(count) {
    part <- bytes[at + seq_len(count)]
    at <<- at + count
    part
  }
  lapply(stats::setNames(nm = names), function(name) {
    type <- as.integer(take(1))
    sizes <- readBin(take(16), "double", 2L, endian = "little")
    part <- take(sizes[2L])
    switch(type + 1L,
           NULL,
           readBin(part, "integer", sizes[1L], endian = "little"),
           readBin(part, "double", sizes[1L], endian = "little"),
           split_texts(part, sizes[1L]))
  })
}

# Texts from the numbers of their bytes and all bytes.
split_texts <- function(bytes, count) {
  sizes <- readBin(bytes[seq_len(4 * count)], "integer", count, endian = "little")
  ends <- cumsum(replace(sizes, is.na(sizes), 0L)) + 4 * count
  vapply(seq_len(count), function(i) {
    if (is.na(sizes[i])) return(NA_character_)
    text <- rawToChar(bytes[ends[i] - sizes[i] + seq_len(sizes[i])])
    Encoding(text) <- "UTF-8"
    text
  }, "")
}

roles_sent <- c("x", "relevance", "query", "query_ids", "document", "weight", "position", "document_weight")

# Queries come in the order of their ids, so that the data do not depend on the ranks. The features are those of the
# training data, in their order, because ranks may have their columns in any order.
gathered_validation <- function(validation, train, cluster, threads, call = rlang::caller_env()) {
  if (is_binned(validation) || is_sparse(validation$x)) {
    stop_input("option", "The validation data of a mixture over several processes must have a plain matrix.",
               "Each process needs the values of all validation queries.",
               "Give `ranking_data()` of a data frame or a matrix.", call = call)
  }
  own <- unclass(validation)[intersect(roles_sent, names(validation))]
  own$x <- as.double(match_features(validation, train, threads, call))
  own$query_ids <- id_text(own$query_ids)
  sent <- cluster_gather(cluster, vectors_to_raw(own[roles_sent]))
  parts <- with_documents(lapply(sent, raw_to_vectors, names = roles_sent))
  ids <- unlist(lapply(parts, function(part) part$query_ids[part$query]))
  check_gathered_queries(parts, call)
  names <- unique(ids)
  names <- names[queries_by_id(list(query_ids = names))]
  query <- match(ids, names)
  rows <- order(query, method = "radix")
  joined <- function(name) unlist(lapply(parts, `[[`, name))[rows]
  x <- do.call(rbind, lapply(parts, function(part) matrix(part$x, ncol = length(train$features))))
  x <- x[rows, , drop = FALSE]
  weight <- unlist(lapply(parts, `[[`, "weight"))
  if (!is.null(weight)) weight <- weight[match(names, unlist(lapply(parts, `[[`, "query_ids")))]
  new_ranking_data(x, joined("relevance"), query[rows], names, joined("document"), weight, schema_of(train),
                   check_threads(threads), call, joined("position"), joined("document_weight"))
}

# Lines of LETOR text need not have a document, also on all lines of a rank.
with_documents <- function(parts) {
  lack <- vapply(parts, function(part) is.null(part$document), NA)
  if (all(lack)) return(parts)
  parts[lack] <- lapply(parts[lack], function(part) {
    part$document <- rep(NA_character_, length(part$query))
    part
  })
  parts
}

check_gathered_queries <- function(parts, call) {
  ids <- unlist(lapply(parts, `[[`, "query_ids"))
  rank <- rep(seq_along(parts) - 1L, vapply(parts, function(part) length(part$query_ids), 0L))
  twice <- ids[duplicated(ids)]
  if (length(twice) > 0L) {
    stop_input("cluster", sprintf("The validation query %s is on the ranks %s.", show_value(twice[1L]),
                                  enumerate(as.character(rank[ids == twice[1L]]))),
               remedy = "Assign whole queries to ranks.", call = call)
  }
}

# Raises an error for options that a mixture does not support over several processes.
check_mixture_over_ranks <- function(spec, validation, call) {
  refuse <- function(problem, remedy) stop_input("option", problem, remedy = remedy, call = call)
  if (is.null(validation)) {
    refuse("A mixture over several processes needs validation data.", "Give each process its `validation` queries.")
  }
  if (spec$holdout$method == "split" || isTRUE(spec$holdout$refit)) {
    refuse("A mixture over several processes cannot split the training data, and cannot refit members.",
           "Leave `method = \"split\"` and `refit` of `mix_holdout()` out.")
  }
  if (is.finite(spec$budget$seconds)) {
    refuse("A mixture over several processes has no limit of seconds.", "Leave `seconds` of `mix_budget()` out.")
  }
}
