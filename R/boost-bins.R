# The bins of features for what a specification searches: a bandit looks at one feature at
# a time, which is to lie by itself.
#
# Quantiles count a document by its weight.
bins_of <- function(spec, data, threads) {
  bin_features(data$x, as.integer(spec$max_bin), searches_single(spec),
               as.double(data$weight[data$query]), threads)
}

searches_single <- function(spec) {
  inherits(spec$search, "rankmix_bandit")
}

# How often each document counts where weights of queries are counts, which are whole numbers.
# Empty otherwise: weights have no scale then, and documents count once. The core counts in 32
# bits.
document_counts <- function(data) {
  weight <- data$weight
  if (is.null(weight) || any(weight != floor(weight))) {
    return(integer())
  }
  counts <- weight[data$query]
  if (sum(counts) < 2^31) as.integer(counts) else integer()
}

# How many documents there are for `min_data_in_leaf`.
counting_documents <- function(data) {
  counts <- document_counts(data)
  if (length(counts) > 0L) return(sum(counts))
  if (is.null(data$weight)) nrow(data$x) else sum(data$weight[data$query] > 0)
}

# The weights of documents for a booster, empty where they are the same. Counts are not scaled: the
# core takes a document that weighs what it counts for so many copies.
boosting_weights <- function(task) {
  counts <- document_counts(task$data)
  of_data <- identical(task$weights, row_weights(task$data))
  as.double(if (length(counts) > 0L && of_data) counts else task$weights)
}
