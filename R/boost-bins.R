# The binned features for the search of a specification. A bandit evaluates one feature at a time,
# so each feature is stored contiguously.
#
# Quantiles count a document by its weight. A factor that is split by subsets is one feature.
bins_of <- function(spec, data, threads) {
  categories <- numbered_categories(spec, data)
  if (is_binned(data)) {
    bins <- kept_bins(spec, data)
    return(if (is.null(categories)) bins else number_levels(data$x, categories)$bins)
  }
  x <- number_levels(data$x, categories)
  bin_features(x, as.integer(spec$max_bin), searches_single(spec),
               as.double(unscaled_weights(data)), threads)
}

# The bins of binned data. Their number must be `max_bin` of the specification.
kept_bins <- function(spec, data, call = NULL) {
  x <- opened_bins(data$x, call)
  if (spec$max_bin != data$x$max_bin) {
    stop_input("bins", sprintf("`max_bin` is %s, and the data have up to %d bins a feature.",
                               plain_number(spec$max_bin), data$x$max_bin),
               remedy = sprintf("Set `max_bin = %d`, or bin the data again: `binned_data(max_bin = %s)`.",
                                data$x$max_bin, plain_number(spec$max_bin)), call = call)
  }
  x$bins
}

# Specifications with the same key have the same bins of the same data.
bins_key <- function(spec) paste(spec$max_bin, searches_single(spec), splits_by_subsets(spec))

searches_single <- function(spec) {
  inherits(spec$search, "rankmix_bandit")
}

# How often each document counts. Whole-number weights are counts. With other weights the
# result is empty, and each document counts once. The core counts in 32 bits.
document_counts <- function(data) {
  counts <- unscaled_weights(data)
  if (is.null(counts) || cluster_any(data$cluster, any(counts != floor(counts)))) {
    return(integer())
  }
  if (cluster_sum(data$cluster, sum(counts)) < 2^31) as.integer(counts) else integer()
}

# Number of documents as `min_data_in_leaf` counts them.
counting_documents <- function(data) {
  counts <- document_counts(data)
  weights <- unscaled_weights(data)
  cluster_sum(data$cluster, if (length(counts) > 0L) {
    sum(counts)
  } else if (is.null(weights)) nrow(data$x) else sum(weights > 0))
}

# The document weights for a booster; empty if all are equal. Counts are not scaled: the core treats
# a document of count 2 as two copies.
boosting_weights <- function(task) {
  counts <- document_counts(task$data)
  of_data <- identical(task$weights, row_weights(task$data))
  as.double(if (length(counts) > 0L && of_data) counts else task$weights)
}
