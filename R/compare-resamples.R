# Bootstrap samples of queries, or of other units, as counts.

# The numbers of samples that are drawn together, so that they fit the memory.
resample_chunks <- function(resamples, n) {
  size <- max(1L, floor(max_drawn_weights / n))
  split(seq_len(resamples), (seq_len(resamples) - 1L) %/% size)
}

# How often each of n queries is in each sample, samples x queries; drawn within the folds.
bootstrap_counts <- function(samples, n, fold = NULL) {
  counts <- matrix(0, samples, n)
  for (rows in split(seq_len(n), joined_strata(fold, n))) {
    size <- length(rows)
    drawn <- sample.int(size, size * samples, replace = TRUE)
    at <- (drawn - 1) * samples + rep(seq_len(samples), each = size)
    counts[, rows] <- tabulate(at, samples * size)
  }
  counts
}

# Resamples in which a measure is undefined, such as without any grade, do not count.
percentile_ends <- function(values, level) {
  values <- values[!is.na(values)]
  if (length(values) < 2L) {
    return(c(NA_real_, NA_real_))
  }
  stats::quantile(values, c(1 - level, 1 + level) / 2, names = FALSE, type = 6)
}
