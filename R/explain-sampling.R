# Shapley values of any scores, by permutations of the features.

# Number of matrix entries that are scored in one call.
sampled_numbers <- 4e6

# Draw k has one permutation and one background document, the same for all documents.
sampled_contributions <- function(score, x, background, times, seed) {
  draws <- with_seed(seed, list(
    rows = rep_len(sample.int(nrow(background)), times),
    orders = lapply(seq_len(times), function(k) sample.int(ncol(x)))
  ))
  sums <- squares <- x * 0
  sums[] <- squares[] <- 0
  for (k in seq_len(times)) {
    from <- background[draws$rows[k], ]
    order <- draws$orders[[k]]
    pair <- (walked_contributions(score, x, from, order) +
               walked_contributions(score, x, from, rev(order))) / 2
    sums <- sums + pair
    squares <- squares + pair^2
  }
  values <- sums / times
  variance <- pmax(squares / times - values^2, 0)
  list(values = values,
       base = mean(score(background[draws$rows, , drop = FALSE])), method = "sampling",
       error = if (times > 1) sqrt(variance / (times - 1)))
}

# Replaces the features of the background by the features of the documents, one by one, and returns
# the changes in the scores.
walked_contributions <- function(score, x, from, order, numbers = sampled_numbers) {
  features <- length(order)
  steps <- features + 1L
  values <- matrix(0, nrow(x), features)
  step_of <- match(seq_len(features), order)  # step from which on the feature has the document's value
  block <- max(1L, floor(numbers / (features * steps)))
  for (first in seq(1L, nrow(x), by = block)) {
    rows <- first:min(nrow(x), first + block - 1L)
    document <- rep(rows, each = steps)
    taken <- outer(rep(seq_len(steps) - 1L, length(rows)), step_of, `>=`)
    mixed <- x[document, , drop = FALSE]
    mixed[!taken] <- matrix(from, nrow(mixed), features, byrow = TRUE)[!taken]
    scores <- matrix(score(mixed), steps)
    values[rows, order] <- t(diff(scores))
  }
  values
}
