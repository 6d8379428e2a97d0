# Binned data over ranks: each rank reads its own rows, and all ranks get the bins of one process that reads all
# rows. Before rows are binned, ranks agree on features, roles and types. All functions here are called by all ranks
# in the same order. `cluster` is NULL for a single process, and then nothing changes.

# The arguments that must be equal on all ranks before data are read.
check_calls_agree <- function(source, max_bin, like, cluster, call) {
  if (is.null(cluster)) {
    return(invisible())
  }
  of_like <- if (!is.null(like)) hash_of_values(c(list(like$features), bins_thresholds(like$x$bins)))
  cluster_handshake(cluster, list(
    version = as.character(utils::packageVersion("rankmix")),
    source = if (source$kind %in% c("letor", "ranking_data")) source$kind else "tables",
    max_bin = if (is.null(like)) plain_number(max_bin) else "as in like",
    like = if (is.null(of_like)) "none" else of_like
  ), call)
}

# The rows that a rank has read, with the features and types of all ranks. `columns` are their columns in the store.
agreed_rows <- function(rows, kind, cluster, call) {
  if (is.null(rows$columns)) rows$columns <- seq_along(rows$schema$features)
  if (is.null(cluster)) {
    return(rows)
  }
  optional <- c("relevance", "weight", "position", "document_weight")
  given <- lapply(rows[optional], function(values) if (is.null(values)) "none" else "given")
  names(given) <- optional
  given$labels <- paste(names(rows$labels), collapse = ", ")
  cluster_handshake(cluster, c(given,
                               list("names of features" = if (rows$schema$named) "given" else "none")), call)
  if (kind != "letor") rows <- agreed_features(rows, cluster, call)
  if (!is.null(rows$relevance) && cluster_any(cluster, is.double(rows$relevance))) {
    rows$relevance <- as.double(rows$relevance)
  }
  for (name in names(rows$labels)) {
    if (cluster_any(cluster, is.double(rows$labels[[name]]))) {
      rows$labels[[name]] <- as.double(rows$labels[[name]])
    }
  }
  # Lines of LETOR text need not have a document.
  if (cluster_any(cluster, !is.null(rows$document)) && is.null(rows$document)) {
    rows$document <- rep(NA_character_, length(rows$query))
  }
  rows$query_ids <- agreed_ids(rows$query_ids, cluster)
  check_queries_apart(rows$query_ids, cluster, call)
  rows
}

# Ids are texts if they are texts on any rank, as in a vector of all ids.
agreed_ids <- function(ids, cluster) {
  if (cluster_any(cluster, is.character(ids))) return(id_text(ids))
  if (cluster_any(cluster, is.double(ids))) as.double(ids) else ids
}

check_queries_apart <- function(ids, cluster, call) {
  shared <- shared_query(enc2utf8(id_text(ids)), cluster)
  if (shared$count > 0L) {
    stop_input("cluster", sprintf("Query %s is on rank %d and on rank %d.", shared$id, shared$ranks[1L],
                                  shared$ranks[2L]),
               if (shared$count > 1L) sprintf("%d more queries are on several ranks.", shared$count - 1L),
               "Give all documents of a query to the same rank, such as by files with whole queries.", call = call)
  }
}

# The features, left-out columns and codings of rank 0, and the columns of this rank in their order.
agreed_features <- function(rows, cluster, call) {
  schema <- rows$schema
  names <- c("features", "columns", "roles", "coded", "codes")
  own <- list(schema$features, as.character(schema$columns), rlang::names2(schema$columns),
              encoded_columns(schema$encoding), codes_of(schema$encoding))
  all <- lapply(cluster_gather(cluster, vectors_to_raw(lapply(own, enc2utf8))), raw_to_vectors, names = names)
  first <- all[[1L]]
  for (rank in seq_along(all) - 1L) check_rank_features(first, all[[rank + 1L]], rank, call)
  rows$columns <- rows$columns[match(first$features, enc2utf8(schema$features))]
  schema$features <- first$features
  schema$columns <- first$columns
  if (any(nzchar(first$roles))) names(schema$columns) <- first$roles
  schema$encoding <- schema$encoding[match(first$coded, enc2utf8(encoded_columns(schema$encoding)))]
  rows$schema <- schema
  rows
}

codes_of <- function(encoding) vapply(encoding, code_text, "")

# A text that is the same for two codings of a factor, date or time only if they are equal.
code_text <- function(entry) {
  paste(c(if (is_time_entry(entry)) entry$class else "factor", entry$ordered, entry$levels), collapse = "\r")
}

# `remedy`: what to do if features are missing.
check_rank_features <- function(first, other, rank, call, remedy = character()) {
  lacking <- setdiff(first$features, other$features)
  more <- setdiff(other$features, first$features)
  coded <- union(first$coded, other$coded)
  code_of <- function(side) side$codes[match(coded, side$coded)]
  differ <- coded[!mapply(identical, code_of(first), code_of(other))]
  # Levels of a factor are features, too. The name of the factor is more informative.
  if (length(differ) > 0L) {
    stop_input("cluster", sprintf("`%s` of rank %d has other levels, or is of another type, than on rank 0.",
                                  differ[1L], rank),
               remedy = "Give factors the levels of the data of all ranks: `factor(x, levels = )`.", call = call)
  }
  if (length(lacking) > 0L || length(more) > 0L) {
    stop_input("cluster", sprintf("Rank %d has other features than rank 0.", rank),
               c(if (length(lacking) > 0L) sprintf("Missing: %s.", enumerate(lacking)),
                 if (length(more) > 0L) sprintf("Not on rank 0: %s.", enumerate(more))),
               c("Give all ranks the same columns.",
                 "`read_letor(features = )` keeps trailing features that are 0.", remedy), call = call)
  }
}
