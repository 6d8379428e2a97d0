# The bins of drift(): cuts of features, and the fraction of each query's documents in each bin.

# The thresholds of the rounds in use by the name of the feature; an empty list for models without trees.
model_thresholds <- function(model) {
  if (!inherits(model, of_trees)) {
    return(list())
  }
  forest <- first_rounds(model, model$best_rounds)$forest
  # Splits by sets of levels have no threshold.
  plain <- if (is.null(forest$set_begin)) rep(TRUE, length(forest$feature)) else diff(forest$set_begin) == 0L
  plain <- plain & is.finite(forest$threshold)
  lapply(split(forest$threshold[plain], features_of_trees(model)[forest$feature[plain] + 1L]),
         function(own) sort(unique(own)))
}

# The queries of both data sets: the `query` of each document, from 1, the reference first; of each query its
# number of documents, its weight, and whether it is new. `by_id` orders them by data set and id, so that
# permutations do not depend on the order of rows.
drift_queries <- function(parts) {
  counts <- vapply(parts, function(data) length(data$query_ids), 1L)
  query <- c(parts$reference$query, counts[["reference"]] + parts$new$query)
  weights <- lapply(parts, function(data) {
    if (is.null(data$weight)) rep(1, length(data$query_ids)) else as.double(data$weight)
  })
  new <- rep(c(FALSE, TRUE), counts)
  ids <- unlist(lapply(parts, function(data) id_text(data$query_ids)), use.names = FALSE)
  list(query = query, sizes = tabulate(query, sum(counts)), weight = unlist(weights, use.names = FALSE),
       new = new, by_id = order(new, ids, method = "radix"))
}

# The cuts of a feature, at most `max_bin` - 1: the thresholds, or the distinct values if there are none. If
# there are too many, the cuts nearest to equal fractions are used. `weight` is the weight of each document.
feature_cuts <- function(values, weight, thresholds, max_bin) {
  known <- !is.na(values)
  sorted <- order(values[known])
  value <- values[known][sorted]
  if (length(value) == 0L) {
    return(numeric())
  }
  total <- cumsum(weight[known][sorted])
  last <- !duplicated(value, fromLast = TRUE)
  value <- value[last]
  below <- total[last] / total[length(total)]
  if (is.null(thresholds)) {
    thresholds <- value[-length(value)]
    fraction <- below[-length(below)]
  } else {
    fraction <- c(0, below)[findInterval(thresholds, value) + 1L]
  }
  # A cut below or above all values makes no bin.
  useful <- fraction > 0 & thresholds < value[length(value)]
  nearest_cuts(thresholds[useful], fraction[useful], max_bin)
}

# `fraction` increases.
nearest_cuts <- function(cuts, fraction, max_bin) {
  if (length(cuts) < max_bin) {
    return(cuts)
  }
  wanted <- seq_len(max_bin - 1) / max_bin
  left <- pmax(findInterval(wanted, fraction), 1L)
  right <- pmin(left + 1L, length(cuts))
  unique(cuts[ifelse(wanted - fraction[left] <= fraction[right] - wanted, left, right)])
}

# The fractions of each query's documents in the bins, queries x bins. Values up to a cut are in the bin below
# it. The last bin holds the missing values.
bin_fractions <- function(values, cuts, queries) {
  bin <- findInterval(values, cuts, left.open = TRUE) + 1L
  missing <- length(cuts) + 2L
  bin[is.na(bin)] <- missing
  count <- length(queries$sizes)
  matrix(tabulate(queries$query + (bin - 1L) * count, count * missing), count) / queries$sizes
}

# The rows of the fractions of one feature, without an empty bin of missing values.
bin_rows <- function(name, cuts, fractions, queries) {
  mean_of <- function(own) colSums(fractions[own, , drop = FALSE] * queries$weight[own]) / sum(queries$weight[own])
  rows <- data.frame(feature = name, bin = seq_len(ncol(fractions)), above = c(-Inf, cuts, NA),
                     to = c(cuts, Inf, NA), reference = mean_of(!queries$new), new = mean_of(queries$new))
  rows[!is.na(rows$to) | rows$reference + rows$new > 0, ]
}

# The fractions of missing values, and of new values outside the range of the reference. Each query has its
# weight.
value_rows <- function(values, fractions, queries) {
  of_new <- queries$new[queries$query]
  missing <- fractions[, ncol(fractions)]
  mean_of <- function(x, own) sum(x[own] * queries$weight[own]) / sum(queries$weight[own])
  known <- !is.na(values)
  outside <- NA_real_
  if (any(known & !of_new) && any(known & of_new)) {
    range <- range(values[known & !of_new])
    beyond <- known & of_new & (values < range[1L] | values > range[2L])
    count <- length(queries$sizes)
    present <- tabulate(queries$query[known], count)
    fraction <- tabulate(queries$query[beyond], count) / present
    outside <- mean_of(fraction, queries$new & present > 0L)
  }
  data.frame(missing_reference = mean_of(missing, !queries$new), missing_new = mean_of(missing, queries$new),
             outside = outside)
}
