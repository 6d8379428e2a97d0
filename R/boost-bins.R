# The bins of features for what a specification searches: a bandit looks at one feature at
# a time, which is to lie by itself.
#
# Quantiles count a document by its weight.
bins_of <- function(spec, data, threads) {
  bin_features(data$x, as.integer(spec$bins), searches_single(spec),
               as.double(data$weight[data$query]), threads)
}

# How often each document counts where it stands for several: where weights of queries are
# counts, which are whole numbers. Otherwise nothing: weights have no scale then, and documents
# count once. The core counts in 32 bits.
document_counts <- function(data) {
  weight <- data$weight
  if (is.null(weight) || any(weight != floor(weight))) {
    return(integer())
  }
  counts <- weight[data$query]
  if (sum(counts) < 2^31) as.integer(counts) else integer()
}

# What tells apart training data. Counts of documents matter by themselves, not only their ratios.
digest_of <- function(task, bins, grades, weights) {
  if (length(document_counts(task$data)) > 0L) weights <- weights * max(task$data$weight)
  training_digest(bins, as.integer(grades), weights, task$threads)
}

searches_single <- function(spec) {
  inherits(spec$search, "rankmix_bandit")
}
