# Training over ranks: each rank calls fit() with its own queries. The training data carry the communicator
# as `data$cluster`, so that every function that needs a number of all documents adds it up over the ranks
# (cluster_sum() and others in cluster.R). Ranks must call these functions in the same order, so a branch before
# such a call may depend only on numbers that are equal on all ranks.

# The highest number over all ranks. Each rank must have numbers.
highest <- function(data, x) cluster_max(data$cluster, max(x))

# The lowest and highest relevance of all ranks, in the type of the data. This is enough for metrics that
# depend on the grades of the data.
relevance_range <- function(data) {
  if (is.null(data$cluster)) {
    return(data$relevance)
  }
  range <- c(cluster_min(data$cluster, min(data$relevance)), highest(data, data$relevance))
  if (is_graded(data)) as.integer(range) else range
}

# The mean of the numbers of all ranks. Its sum is exact, so the order of the numbers does not matter.
mean_of_ranks <- function(x, cluster) query_means_exactly(cbind(as.double(x)), numeric(), cluster)

# The data of this rank for a training over the ranks of `cluster`.
spread_data <- function(data, cluster) {
  data$cluster <- cluster
  data
}

# Sends a number of rank 0 to all ranks.
from_first_rank <- function(cluster, x) {
  cluster_sum(cluster, if (is.null(cluster) || cluster$rank == 0L) x else 0)
}

# The data, seed and messages of fit() on a rank: binned data that carry the communicator, the seed of rank 0,
# and messages of rank 0 alone. Different calls on different ranks are detected here. Without a `cluster` nothing
# changes.
spread_training <- function(spec, data, validation, metric, cluster, seed, threads, patience, eval_every,
                            checkpoint, verbose, call) {
  if (is.null(cluster)) {
    return(list(data = data, validation = validation, seed = seed, verbose = verbose))
  }
  check_cluster(cluster, call)
  check_ranking_data(data, call = call, binned = TRUE)
  if (!is.null(validation)) check_ranking_data(validation, "validation", call = call, binned = TRUE)
  is_mixture <- inherits(spec, "rankmix_mixture_spec")
  if (is_mixture) check_mixture_over_ranks(spec, validation, call)
  cluster_handshake(cluster, facts_of_call(spec, data, validation, metric, patience, eval_every, checkpoint))
  check_features_agree(data, cluster, call)
  if (!is_binned(data)) {
    data <- binned_data(data, max_bin = bins_of_spec(spec, call), threads = threads, verbose = FALSE,
                        cluster = cluster)
  }
  cluster_handshake(cluster, facts_of_data(data))
  validation <- if (is_mixture) gathered_validation(validation, data, cluster, threads, call) else {
    if (!is.null(validation)) spread_data(validation, cluster)
  }
  list(data = spread_data(data, cluster), validation = validation,
       seed = if (!is.null(seed)) from_first_rank(cluster, seed), verbose = verbose && cluster$rank == 0L)
}

# Fails on all ranks if features differ, with their names, or with the names of factors of other levels.
check_features_agree <- function(data, cluster, call) {
  own <- list(data$features, encoded_columns(data$encoding), codes_of(data$encoding))
  sent <- cluster_gather(cluster, vectors_to_raw(lapply(own, enc2utf8)))
  all <- lapply(sent, raw_to_vectors, names = c("features", "coded", "codes"))
  for (rank in seq_along(all) - 1L) {
    check_rank_features(all[[1L]], all[[rank + 1L]], rank, call,
                        c("`ranking_data()` leaves out a feature that equals the relevance on one rank alone.",
                          "`binned_data(cluster = )` compares the documents of all ranks."))
  }
  cluster_handshake(cluster, list(`order of features` = rlang::hash(data$features)), call)
}

# Each rank reads the checkpoint, and rank 0 writes it.
written_by_first <- function(checkpoint, cluster) {
  if (!is.null(checkpoint)) checkpoint$writes <- is.null(cluster) || cluster$rank == 0L
  checkpoint
}

# The facts that must be equal on all ranks before the first reduction.
facts_of_call <- function(spec, data, validation, metric, patience, eval_every, checkpoint) {
  list(version = as.character(utils::packageVersion("rankmix")),
       specification = rlang::hash(fact_text(spec)),
       metric = if (is.null(metric)) "none" else metric_fact(read_metric(metric)),
       patience = if (is.null(patience)) "none" else plain_number(patience),
       eval_every = plain_number(eval_every),
       validation = if (is.null(validation)) "none" else if (is_binned(validation)) "binned" else "plain",
       `columns of the validation data` = if (is.null(validation)) "none" else further_columns(validation),
       data = if (is_binned(data)) "binned data" else "ranking data",
       roles = roles_of(data),
       checkpoint = checkpoint_fact(checkpoint))
}

# The text of a specification or metric. Of functions it has only the code: a custom objective may look up columns of
# the documents of its rank, so captured values differ between ranks.
fact_text <- function(spec) {
  paste(deparse(unclass(spec), control = c("keepNA", "keepInteger", "digits17")), collapse = "")
}

# The hash distinguishes functions, which are not part of the text.
metric_fact <- function(metric) paste(format(metric), rlang::hash(fact_text(metric)))

roles_of <- function(data) paste(roles_given(data), collapse = ", ")

roles_given <- function(data) {
  has <- c(weight = !is.null(data$weight), position = !is.null(data$position),
           document_weight = !is.null(data$document_weight), grades = is_graded(data))
  names(has)[has]
}

# Whole numbers on one rank may be grades by chance, so grades are left out.
further_columns <- function(data) {
  given <- setdiff(roles_given(data), "grades")
  if (length(given) == 0L) "no weights or positions" else given
}

# Each rank reads the checkpoint that rank 0 writes. The results in the folder of a mixture are compared later.
checkpoint_fact <- function(file) {
  if (is.null(file)) "none" else if (dir.exists(file)) "a folder" else if (!file.exists(file)) "not written yet" else {
    rlang::hash_file(file)
  }
}

facts_of_data <- function(data) {
  list(thresholds = rlang::hash(bins_thresholds(opened_bins(data$x)$bins)), max_bin = plain_number(data$x$max_bin))
}

# Number of bins that the specification requests.
bins_of_spec <- function(spec, call) {
  entry <- entry_of(spec)
  parts <- if (is.null(entry$parts)) list() else Filter(is_specification, entry$parts(spec))
  given <- unique(c(spec[["max_bin"]], unlist(lapply(parts, bins_of_spec, call = call))))
  if (length(given) != 1L) {
    stop_input("bins", "The parts of the ranker need different numbers of bins.",
               sprintf("`max_bin` is %s.", enumerate(vapply(given, plain_number, ""))),
               "Set the same `max_bin` in all parts.", call = call)
  }
  given
}
