# The weighting methods. Each is a function of the members and of the query weights (0 for queries that it
# must not use). It returns weights for each of its settings: members x settings, the simplest setting
# first. A member is the vector of its scores, and `prior` its weight before its metric is used.

# A data frame with a row for each setting of a method.
weighting_settings <- function(weighting) {
  switch(weighting$method,
         exponential = data.frame(c = rep(weighting$c, each = length(weighting$threshold)),
                                  threshold = rep(weighting$threshold, length(weighting$c))),
         selection = data.frame(steps = weighting$steps),
         ascent = data.frame(shrinkage = weighting$shrinkage))
}

# `own` is the metric of each member, queries x members.
member_weights_by <- function(weighting, scores, own, prior, evaluator, query_weights, seed) {
  switch(weighting$method,
         exponential = exponential_columns(weighting, query_means(own, query_weights), prior),
         selection = selection_weights(weighting, scores, evaluator, query_weights, seed),
         ascent = shrunk_weights(found_weights(scores, evaluator, query_weights), prior,
                                 weighting$shrinkage))
}

# NaN if no query counts, or no member is above the threshold.
exponential_columns <- function(weighting, omega, prior) {
  settings <- weighting_settings(weighting)
  if (anyNA(omega)) {
    return(matrix(NaN, length(omega), nrow(settings)))
  }
  matrix(unlist(Map(exponential_weights, settings$c, list(omega), settings$threshold,
                    list(prior))), length(omega))
}

# Counts of the members added by forward selection, over all bags of members. In a bag the
# sequence ends at its best step.
selection_weights <- function(weighting, scores, evaluator, query_weights, seed) {
  count <- length(scores)
  max_steps <- max(weighting$steps)
  query_weights <- query_weights * evaluator$informative
  bags <- member_bags(count, weighting$bags, seed)
  counts <- matrix(0, count, length(weighting$steps))
  for (bag in bags) {
    found <- if (evaluator$custom) {
      slow_selection(scores, bag, evaluator, query_weights, weighting$start, max_steps)
    } else {
      forward_selection(scores, bag, evaluator$held, query_weights, weighting$start, max_steps, evaluator$threads)
    }
    for (k in seq_along(weighting$steps)) {
      reached <- found$first:(found$first + weighting$steps[k])
      end <- reached[which.max(found$values[reached])]
      counts[, k] <- counts[, k] + tabulate(found$added[seq_len(end)], count) / end
    }
  }
  sweep(counts, 2L, colSums(counts), `/`)
}

# Without bags of at least this size, half of the members would be too few.
min_bagged_members <- 10L

# The members of each bag: all members, or a random half for each of several bags.
member_bags <- function(count, bags, seed) {
  if (bags == 1L || count < min_bagged_members) {
    return(list(seq_len(count)))
  }
  lapply(seq_len(bags), function(bag) {
    sort(with_seed(derived_seed(seed, "bag", bag), sample.int(count, ceiling(count / 2))))
  })
}

# Like forward_selection() of the core, for custom metrics.
slow_selection <- function(scores, among, evaluator, query_weights, start, steps) {
  mean_of <- function(sums) {
    means <- mean_values(evaluate_weights(evaluator, sums, diag(length(sums)), query_weights),
                         query_weights)
    replace(means, is.na(means), -Inf)
  }
  order <- among[order(-mean_of(scores[among]))]
  tried <- utils::head(order, start)
  sums <- Reduce(`+`, scores[tried], accumulate = TRUE)
  values <- mean_of(sums)
  first <- which.max(values)
  sum <- sums[[first]]
  added <- tried[seq_len(first)]
  values <- values[seq_len(first)]
  for (step in seq_len(steps)) {
    together <- mean_of(lapply(order, function(m) sum + scores[[m]]))
    best <- which.max(together)
    sum <- sum + scores[[order[best]]]
    added <- c(added, order[best])
    values <- c(values, together[best])
  }
  list(added = added, values = values, first = first)
}

max_ascent_cycles <- 10L

found_weights <- function(scores, evaluator, query_weights) {
  query_weights <- query_weights * evaluator$informative
  if (evaluator$custom) {
    return(slow_ascent(scores, evaluator, query_weights))
  }
  ascent_weights(scores, evaluator$held, query_weights, max_ascent_cycles, evaluator$threads)
}

# Like ascent_weights() of the core, but on a grid of weights, for custom metrics.
slow_ascent <- function(scores, evaluator, query_weights) {
  count <- length(scores)
  weights <- rep(1 / count, count)
  value <- -Inf
  for (cycle in seq_len(max_ascent_cycles)) {
    before <- weights
    for (m in seq_len(count)) {
      # Candidate fractions of this member in the mixture.
      fractions <- unique(c(weights[m], seq(0, 1, 0.05)))
      candidates <- vapply(fractions, function(fraction) {
        others <- replace(weights, m, 0)
        if (sum(others) == 0) {
          return(weights)
        }
        replace(others / sum(others) * (1 - fraction), m, fraction)
      }, numeric(count))
      candidates <- matrix(candidates, count)
      means <- mean_values(evaluate_weights(evaluator, scores, candidates, query_weights), query_weights)
      best <- which.max(means)
      if (length(best) == 1L && means[best] > value) {
        value <- means[best]
        weights <- candidates[, best]
      }
    }
    if (identical(weights, before)) break
  }
  weights
}

# (1 - s) w + s p for each s, p being the prior.
shrunk_weights <- function(weights, prior, shrinkage) {
  outer(weights, 1 - shrinkage) + outer(prior, shrinkage)
}
