# Run directories over ranks (run-directory.R), for the checkpoint of a mixture. Rank 0 opens the folder and writes
# the results of tasks. All ranks read them, so the folder must be shared. A resumed run may have another number of
# ranks.

# `open()` opens the run. Only rank 0 calls it.
open_run_of_ranks <- function(folder, cluster, open, call = rlang::caller_env()) {
  if (is.null(cluster) || is.null(folder)) {
    return(open())
  }
  run <- if (cluster$rank == 0L) open()
  own <- if (is.null(run)) raw() else vectors_to_raw(list(run$identity, as.double(run$seed)))
  sent <- raw_to_vectors(cluster_gather(cluster, own)[[1L]], c("identity", "seed"))
  check_folder_of_ranks(folder, cluster, call)
  if (is.null(run)) run <- read_only_run(normalizePath(folder), sent$identity, sent$seed)
  run$agree <- function(results) results_of_ranks(results, cluster)
  run
}

check_folder_of_ranks <- function(folder, cluster, call) {
  ranks <- cluster_sum(cluster, replace(numeric(cluster$size), cluster$rank + 1L, !dir.exists(folder)))
  if (any(ranks > 0)) {
    stop_input("cluster", sprintf("Rank %d cannot see the checkpoint folder '%s'.", which(ranks > 0)[1L] - 1L, folder),
               remedy = "Give a folder that all machines share.", call = call)
  }
}

read_only_run <- function(folder, identity, seed) {
  list(folder = folder, seed = seed, identity = identity, load = function(task) load_task(folder, identity, task),
       save = function(task, result) NULL, forget = function(task) NULL, close = function() NULL)
}

# The results that all ranks could read. The others are computed again.
results_of_ranks <- function(results, cluster) {
  missing <- cluster_sum(cluster, as.double(lengths(results) == 0L)) > 0
  results[missing] <- list(NULL)
  cluster_handshake(cluster, list(`results of the checkpoint` = rlang::hash(results)))
  results
}

# What identifies binned training data, on any number of ranks. The digest has bins, relevance and queries. The digests
# of other roles have their numbers in place of the relevance.
contents_of_binned <- function(data, threads) {
  of <- function(numbers) {
    if (!is.null(numbers)) {
      bins_digest(data$x$bins, as.double(numbers), data$query, enc2utf8(id_text(data$query_ids)), threads, data$cluster)
    }
  }
  list(digest = data$digest, max_bin = data$x$max_bin, features = data$features,
       weight = of(if (!is.null(data$weight)) data$weight[data$query]), position = of(data$position),
       document_weight = of(data$document_weight))
}

# What identifies validation data: all vectors, in the order of the ids.
contents_of_validation <- function(data) {
  data <- sorted_by_id(data)
  # One column at a time, so that the features are not copied.
  x <- vapply(seq_len(ncol(data$x)), function(j) rlang::hash(as.double(data$x[, j])), "")
  c(list(x = x, query = id_text(data$query_ids)[data$query]),
    lapply(stats::setNames(nm = c("relevance", "weight", "position", "document_weight")), function(role) {
      if (!is.null(data[[role]])) as.double(data[[role]])
    }))
}
