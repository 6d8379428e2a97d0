# Bins of predicted probabilities, their intervals, and the bootstrap of queries for the error.
#
# Input: the prediction, relevance, weight and query of each document. Output: a row for each bin, and the error.
# Intervals and resamples need only the sums of each query in each bin. A sample is stored as the number of copies of
# each query.
#
# Intervals of bins: queries are clusters. The variance of the observed mean is HC2, and the degrees of freedom are
# Kish's effective number of queries minus 1. Across queries, the observed mean is a fraction. Its interval is Wilson's,
# with the number of independent documents that has the same variance (Korn and Graubard 1998, Survey Methodology 24).
# So the interval has a width also if all or no documents are relevant. Percentiles of the bootstrap have none, and
# covered 77 % for rare relevance.

# Predictions and observations minus the means of their query. Queries of one document are left out.
centred_by_query <- function(predicted, observed, weight, query) {
  total <- as.vector(rowsum(weight, query))
  centred <- function(x) {
    means <- as.vector(rowsum(weight * x, query)) / total
    # Equal predictions stay equal in spite of rounding.
    round(x - means[match(query, sort(unique(query)))], 12)
  }
  kept <- tabulate(query)[query] > 1L
  lapply(list(predicted = centred(predicted), observed = centred(observed), weight = weight, query = query),
         `[`, kept)
}

# `limits` gives the intervals of the bins: fraction_limits() or difference_limits().
binned_calibration <- function(view, bins, level, resamples, seed, limits = fraction_limits) {
  if (length(view$predicted) == 0L) {
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
  observed <- whole$observed[, 1L]
  several <- max(query) > 1L
  ends <- limits(observed, bin_spread(sums, observed), level)
  if (!several) ends[] <- NA_real_
  distance <- if (several) calibration_distances(sums, whole, resamples, seed)
  list(bins = data.frame(bin = seq_len(count), documents = tabulate(bin, count), predicted = whole$predicted[, 1L],
                         observed = observed, ends),
       error = error_interval(sum(abs(whole$difference)), distance, level))
}

# The variance of the observed mean of each bin, and its effective number of queries.
bin_spread <- function(sums, observed) {
  total <- rowSums(sums$weight)
  share <- sums$weight / total
  squares <- ((sums$observed - observed * sums$weight) / total)^2
  variance <- sum_hc2(squares, share)
  # Rounding noise of equal queries becomes 0.
  variance[variance < 1e-24] <- 0
  list(variance = variance, effective = 1 / rowSums(share^2))
}

# Wilson's interval of a fraction. If queries do not differ, or there is only one, each effective query counts as one
# document.
fraction_limits <- function(observed, spread, level) {
  documents <- ifelse(spread$variance > 0, observed * (1 - observed) / spread$variance, spread$effective)
  t <- stats::qt((1 + level) / 2, pmax(spread$effective - 1, 1))
  extra <- t^2 / documents
  middle <- (observed + extra / 2) / (1 + extra)
  half <- t * sqrt(observed * (1 - observed) / documents + extra / (4 * documents)) / (1 + extra)
  data.frame(lower = pmax(0, middle - half), upper = pmin(1, middle + half))
}

# The t interval of a difference to the mean of the query. NA with fewer than two effective queries.
difference_limits <- function(observed, spread, level) {
  df <- ifelse(spread$effective >= 2, spread$effective - 1, NA_real_)
  half <- stats::qt((1 + level) / 2, df) * sqrt(spread$variance)
  data.frame(lower = observed - half, upper = observed + half)
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

# The distance of each resample from the result for all queries.
calibration_distances <- function(sums, whole, resamples, seed) {
  queries <- ncol(sums$weight)
  with_seed(seed, unlist(lapply(resample_chunks(resamples, queries), function(chunk) {
    drawn <- t(bootstrap_counts(length(chunk), queries))
    # The order of the sums of %*% depends on the BLAS.
    sample <- calibration_of_sums(lapply(sums, mix_scores, drawn, 1L))
    colSums(abs(sample$difference - whole$difference[, 1L]))
  }), use.names = FALSE))
}

# By the triangle inequality, the error differs from its true value by at most this distance.
error_interval <- function(error, distance, level) {
  if (is.null(distance)) {
    return(data.frame(error = error, lower = NA_real_, upper = NA_real_, by_chance = NA_real_, p_value = NA_real_))
  }
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
