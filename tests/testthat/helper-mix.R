# Weights of members by loops over everything, for mixtures. `scores` is documents x members.

# The weighting method of the paper.
paper_weighting <- function(...) mix_weights(..., prior = "member", choose = "best")

# Scores of `count` members. The scores depend weakly on the grades, and several scores tie.
random_members <- function(data, count, seed, levels = 6) {
  set.seed(seed)
  scores <- vapply(seq_len(count), function(m) {
    round((data$relevance + stats::rnorm(length(data$relevance), sd = 1 + m / 4)) * levels / 4)
  }, numeric(length(data$relevance)))
  colnames(scores) <- letters[seq_len(count)]
  scores
}

# The metric of each query.
slow_values <- function(scores, data, metric) {
  evaluation <- evaluate(as.vector(scores), data, choosing_metric(metric))
  evaluation$value
}

# The mean of the metric over some queries.
slow_mean <- function(scores, data, metric, queries = seq_along(data$query_ids)) {
  mean_of_queries(slow_values(scores, data, metric), data, queries)
}

mean_of_queries <- function(values, data, queries) {
  values <- values[queries]
  if (is.null(data$weight)) mean(values, na.rm = TRUE) else {
    stats::weighted.mean(values, data$weight[queries], na.rm = TRUE)
  }
}

# The means of many rankings, which one call evaluates in less time.
slow_means <- function(rankings, data, metric, queries) {
  names(rankings) <- paste0("ranking", seq_along(rankings))
  values <- evaluate(rankings, data, choosing_metric(metric))$value
  apply(matrix(values, ncol = length(rankings)), 2L, mean_of_queries, data, queries)
}

# Forward selection by a loop: the counts of members after each of the numbers of `steps`.
naive_selection <- function(scores, data, metric, start, steps, queries) {
  mean_of <- function(counts) slow_mean(drop(scores %*% counts), data, metric, queries)
  one <- function(m) replace(numeric(ncol(scores)), m, 1)
  alone <- vapply(seq_len(ncol(scores)), function(m) mean_of(one(m)), 0)
  best <- order(-alone)
  begins <- lapply(seq_len(min(start, ncol(scores))), function(n) one(best[seq_len(n)]))
  values <- vapply(begins, mean_of, 0)
  sequence <- list(begins[[which.max(values)]])
  value <- max(values)
  for (step in seq_len(max(steps))) {
    tried <- lapply(best, function(m) sequence[[step]] + one(m))
    together <- vapply(tried, mean_of, 0)
    sequence[[step + 1L]] <- tried[[which.max(together)]]
    value <- c(value, max(together))
  }
  vapply(steps, function(most) {
    counts <- sequence[[which.max(value[seq_len(most + 1L)])]]
    counts / sum(counts)
  }, numeric(ncol(scores)))
}

# The t at which the metric of a + t b is highest. Tries the middles of all intervals between crossings. Of
# equally good intervals, the interval nearest to 0 is used. The result is 0 if this interval contains 0.
naive_step <- function(a, b, data, metric, least, most, queries) {
  crossings <- unlist(lapply(queries, function(q) {
    rows <- which(data$query == q)
    as.vector(outer(a[rows], a[rows], `-`) / outer(b[rows], b[rows], function(x, y) y - x))
  }))
  crossings <- crossings[is.finite(crossings) & crossings > least & crossings < most]
  at <- sort(c(least, most, crossings))
  at <- at[c(TRUE, diff(at) > 1e-10)]
  from <- at[-length(at)]
  to <- at[-1L]
  middle <- from + (to - from) / 2
  values <- slow_means(lapply(middle, function(t) a + t * b), data, metric, queries)
  # Neighbouring intervals of equal value are merged.
  run <- cumsum(c(TRUE, abs(diff(values)) > 1e-10))
  from <- tapply(from, run, min)
  to <- tapply(to, run, max)
  value <- tapply(values, run, max)
  away <- pmax(from, -to, 0)
  best <- which(value > max(value) - 1e-10)
  k <- best[which.min(away[best])]
  if (from[k] < 0 && to[k] > 0) 0 else from[[k]] + (to[[k]] - from[[k]]) / 2
}

naive_ascent <- function(scores, data, metric, queries, cycles = 10) {
  count <- ncol(scores)
  mean_of <- function(weights) slow_mean(drop(scores %*% weights), data, metric, queries)
  order <- order(-vapply(seq_len(count), function(m) {
    mean_of(replace(numeric(count), m, 1))
  }, 0))
  weights <- rep(1 / count, count)
  value <- mean_of(weights)
  for (cycle in seq_len(cycles)) {
    before <- weights
    for (m in order) {
      now <- drop(scores %*% weights)
      step <- naive_step(now, scores[, m] - now, data, metric, -weights[m] / (1 - weights[m]), 1,
                         queries)
      moved <- (1 - step) * weights
      moved[m] <- moved[m] + step
      if (mean_of(moved) > value + 1e-10) {
        weights <- moved
        value <- mean_of(moved)
      }
    }
    if (identical(before, weights)) break
  }
  weights
}
