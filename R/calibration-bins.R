# Bins of predicted probabilities, and the bootstrap of queries.
#
# Input: the prediction, relevance, weight and query of each document. Output: a row for each bin, and the error.
# All resamples need only the sums of each query in each bin. A sample is stored as the number of copies of each
# query.

# Predictions and observations minus the means of their query. Queries of one document are left out.
centred_by_query <- function(predicted, observed, weight, query) {
  total <- as.vector(rowsum(weight, query))
  centred <- function(x) {
    means <- as.vector(rowsum(weight * x, query)) / total
    # Equal predictions stay equal in spite of rounding.
    round(x - means[match(query, sort(unique(query)))], 12)
  }
  kept <- tabulate(query)[query] > 1L & total[match(query, sort(unique(query)))] > 0
  lapply(list(predicted = centred(predicted), observed = centred(observed), weight = weight, query = query),
         `[`, kept)
}

binned_calibration <- function(view, bins, level, resamples, seed) {
  if (length(view$predicted) == 0L || sum(view$weight) == 0) {
    return(no_calibration())
  }
  bin <- equal_groups(view$predicted, bins)
  bin <- match(bin, sort(unique(bin)))
  query <- match(view$query, unique(view$query))
  count <- max(bin)
  # Sums of documents, bins x queries.
  sums <- lapply(list(weight = view$weight, predicted = view$weight * view$predicted,
                      observed = view$weight * view$observed), function(x) sums_by(x, bin, query))
  whole <- calibration_of_sums(lapply(sums, function(s) cbind(rowSums(s))))
  samples <- if (max(query) > 1L) calibration_samples(sums, whole, resamples, seed)
  tail <- (1 - level) / 2
  ends <- if (is.null(samples)) matrix(NA_real_, 2L, count) else {
    apply(samples$observed, 1L, stats::quantile, c(tail, 1 - tail), names = FALSE, na.rm = TRUE)
  }
  list(bins = data.frame(bin = seq_len(count), documents = tabulate(bin, count), predicted = whole$predicted[, 1L],
                         observed = whole$observed[, 1L], lower = ends[1L, ], upper = ends[2L, ]),
       error = error_interval(sum(abs(whole$difference)), samples$distance, level))
}

sums_by <- function(x, bin, query) {
  out <- matrix(0, max(bin), max(query))
  sums <- rowsum(x, bin + (query - 1L) * max(bin))
  out[as.integer(rownames(sums))] <- sums
  out
}

# Means of bins and c_b = w_b (y_b - p_b), from sums in columns of samples.
calibration_of_sums <- function(sums) {
  list(predicted = sums$predicted / sums$weight, observed = sums$observed / sums$weight,
       difference = (sums$observed - sums$predicted) / rep(colSums(sums$weight), each = nrow(sums$weight)))
}

# For each resample: the observed fractions of the bins, and the distance from the result for all queries.
calibration_samples <- function(sums, whole, resamples, seed) {
  queries <- ncol(sums$weight)
  found <- with_seed(seed, lapply(resample_chunks(resamples, queries), function(chunk) {
    drawn <- t(bootstrap_counts(length(chunk), queries))
    # The order of the sums of %*% depends on the BLAS.
    sample <- calibration_of_sums(lapply(sums, mix_scores, drawn, 1L))
    list(observed = sample$observed, distance = colSums(abs(sample$difference - whole$difference[, 1L])))
  }))
  list(observed = do.call(cbind, lapply(found, `[[`, "observed")), distance = unlist(lapply(found, `[[`, "distance")))
}

# By the triangle inequality, the error differs from its true value by at most this distance.
error_interval <- function(error, distance, level) {
  if (is.null(distance)) {
    return(data.frame(error = error, lower = NA_real_, upper = NA_real_, by_chance = NA_real_, p_value = NA_real_))
  }
  # If all sampled queries have weight 0, the sample has no value.
  distance <- distance[!is.nan(distance)]
  width <- stats::quantile(distance, level, names = FALSE)
  data.frame(error = error, lower = max(0, error - width), upper = min(1, error + width), by_chance = mean(distance),
             p_value = (1 + sum(distance >= error * (1 - 1e-9))) / (length(distance) + 1))
}

# The result if all queries have one document.
no_calibration <- function() {
  none <- numeric()
  list(bins = data.frame(bin = integer(), documents = integer(), predicted = none, observed = none, lower = none,
                         upper = none),
       error = data.frame(error = NA_real_, lower = NA_real_, upper = NA_real_, by_chance = NA_real_,
                          p_value = NA_real_))
}
