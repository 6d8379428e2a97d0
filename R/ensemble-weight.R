# Fourth stage of a mixture: weights of members. A weighting method is a function of the members and of
# the query weights (0 for queries that it must not use). The method returns weights for each of its settings:
# members x settings, the simplest setting first. A member is the vector of its scores, `omega` its mean
# metric, and `prior` its weight before the metric is used.

# The values of c, threshold and T to try. With a single best member, c is fixed.
weights_to_try <- function(weighting, members) {
  if (weighting$members == "one_best") {
    weighting$method <- "exponential"
    weighting$c <- Inf
    weighting$threshold <- -Inf
  }
  if (is.null(weighting$rounds)) weighting$rounds <- usual_rounds(members)
  # Calibrated members are already on one scale.
  if (is.null(weighting$standardize)) weighting$standardize <- FALSE
  weighting
}

# The weights of calibrated members, and the other results that a mixture stores. `about` has the ranker and the
# group of each candidate.
weighted_members <- function(weighting, members, about, evaluator, seed) {
  used <- members$candidates
  omega <- members$metric[used]
  c(list(fitted = members$fitted[used], omega = omega, scale = members$scale[used]),
    weights_by_setting(weighting, members$scores[used], omega, about$group[used], about$ranker[used],
                       evaluator, seed))
}

# For each setting: the `weights` from all queries (members x settings) and the `value`. If the choice
# needs it, also `per_query` (queries x settings). Then `mixing`, how settings are combined (see
# setting_mixing()), the value of the combination, and the contribution of each ranker. `group` has the
# groups of the prior, `ranker` the ranker of each member.
weights_by_setting <- function(weighting, scores, omega, group, ranker, evaluator, seed) {
  evaluator <- with_positions(evaluator, scores)
  prior <- prior_weights(group)
  own <- NULL
  if (plain_choice(weighting)) {
    found <- list(weights = exponential_columns(weighting, omega, prior),
                  value = as.vector(mixture_values(scores, omega, evaluator$data, evaluator$metric, weighting$c,
                                                   weighting$threshold, evaluator$threads, prior)))
  } else {
    own <- member_values(evaluator, scores)
    found <- list(weights = member_weights_by(weighting, scores, own, prior, evaluator, evaluator$weights, seed))
    found$per_query <- if (repeats_of(weighting) > 0) {
      crossed_values(weighting, scores, own, prior, evaluator, seed)
    } else {
      evaluate_weights(evaluator, scores, found$weights)
    }
    found$value <- mean_values(found$per_query, evaluator$weights)
  }
  found$mixing <- setting_mixing(weighting, found, evaluator)
  if (weighting$choose == "averaged" && ncol(found$mixing) > 0L) {
    averaged <- if (repeats_of(weighting) > 0) {
      crossed_values(weighting, scores, own, prior, evaluator, seed, found$mixing)
    } else {
      evaluate_weights(evaluator, scores, put_together(found$weights, found$mixing))
    }
    found$averaged <- mean_values(averaged, evaluator$weights)
  }
  if (length(unique(ranker)) > 1L && ncol(found$mixing) > 0L) {
    if (is.null(own)) own <- member_values(evaluator, scores)
    found$contributions <- evaluate_contributions(weighting, scores, own, group, ranker, found, evaluator, seed)
  }
  found
}

# The choice of the paper, for which means over queries suffice.
plain_choice <- function(weighting) {
  weighting$method == "exponential" && weighting$choose == "best" && repeats_of(weighting) == 0
}

# Methods that fit weights to the metric are optimistic on the queries they were fitted to.
repeats_of <- function(weighting) {
  if (!is.null(weighting$repeats)) weighting$repeats else if (weighting$method == "exponential") 0 else 2
}

# Whether the weighting uses random numbers.
draws <- function(weighting) {
  repeats_of(weighting) > 0 || weighting$method == "selection" && weighting$bags > 1
}

# Cross-validated values: the metric of each query by weights that were found on other queries,
# averaged over the repeats. Queries x settings, or with `mixing` queries x combinations. Queries
# are assigned to folds at random.
crossed_values <- function(weighting, scores, own, prior, evaluator, seed,
                           mixing = diag(nrow(weighting_settings(weighting)))) {
  count <- length(evaluator$weights)
  sum <- 0
  for (again in seq_len(repeats_of(weighting))) {
    drawn <- with_seed(derived_seed(seed, "weigh", again), sample.int(count))
    fold <- integer(count)
    fold[drawn] <- rep_len(seq_len(weighting$folds), count)
    values <- matrix(NaN, count, ncol(mixing))
    for (k in unique(fold)) {
      out <- fold == k
      weights <- put_together(member_weights_by(weighting, scores, own, prior, evaluator,
                                            replace(evaluator$weights, out, 0),
                                            derived_seed(seed, "weigh", again, k)), mixing)
      values[out, ] <- evaluate_weights(evaluator, scores, weights, replace(evaluator$weights, !out, 0))[out, ]
    }
    sum <- sum + values
  }
  sum / repeats_of(weighting)
}

# The metric of the mixture for each threshold and c, thresholds x c. NA if a threshold leaves no
# member. The members above a threshold are the first in order of omega, so one cumulative sum gives
# the mixtures of all thresholds.
mixture_values <- function(scores, omega, data, metric, c, threshold, threads, prior = 1) {
  order <- order(-omega)
  counts <- vapply(threshold, function(least) sum(omega > least), integer(1))
  ends <- sort(unique(counts[counts > 0L]))
  values <- matrix(NA_real_, length(threshold), length(c))
  for (i in seq_along(c)) {
    weights <- exponential_weights(c[i], omega, prior = prior)[order]
    mixed <- mix_first(scores, order - 1L, weights, ends, threads)
    means <- metric_means(metric, mixed, data, threads)
    values[, i] <- means[match(counts, ends)]
  }
  values
}

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

# pi_m, shifted by the largest exponent to avoid overflow; 0 for members that are
# not above the threshold. An infinite c selects the best member alone, the first in a tie.
exponential_weights <- function(c, omega, threshold = -Inf, prior = 1) {
  weights <- if (is.finite(c)) {
    prior * exp(c * (omega - max(omega)))
  } else {
    as.numeric(seq_along(omega) == which.max(omega))
  }
  weights[omega <= threshold] <- 0
  weights / sum(weights)
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

# The prior weights of members: equal for all groups, and equal within a group.
prior_weights <- function(group) {
  first <- match(group, group)
  weights <- 1 / tabulate(first)[first]
  weights / sum(weights)
}

# The group of each member for a prior: its specification, its family, or the member itself.
prior_groups <- function(prior, specification, family) {
  switch(prior, specification = specification, family = family, member = seq_along(family))
}

# For some T at least one member must be above the lowest threshold. `omega` has the metrics of the
# members for each T.
check_some_member <- function(omega, threshold, call = rlang::caller_env()) {
  best <- max(unlist(omega))
  if (best <= threshold[1L]) {
    stop_input("argument", "No member is above `threshold`.",
               sprintf("The best has %s on the validation data, the lowest threshold is %s.",
                       number_text(best, digits = 4), number_text(threshold[1L])),
               "Lower `threshold`; -Inf keeps all members.", call = call)
  }
}

# A function from the scores of a member on the validation data to its scaled scores: unchanged, divided by
# their standard deviation (the `scale` that the member keeps), or standardised query by query.
member_scaling <- function(standardize, data, threads) {
  if (identical(standardize, "query")) {
    return(function(scores) {
      list(scores = standardized_by_query(scores, data, threads), scale = 1)
    })
  }
  function(scores) {
    scale <- if (standardize) spread_scale(scores, data) else 1
    list(scores = if (scale == 1) scores else scores * scale, scale = scale)
  }
}

# 1 / the standard deviation of the scores of all documents, or 1 if all scores are equal.
spread_scale <- function(scores, data) {
  spread <- deviation_of(scores, data)
  if (is.finite(spread) && spread > 0) 1 / spread else 1
}

# The standard deviation of scores, with query weights as numbers of copies.
deviation_of <- function(scores, data) {
  used <- positive_weight(data)[data$query]
  scores <- scores[used]
  weight <- if (is.null(data$weight)) 1 else data$weight[data$query[used]]
  # A power of two changes no digit. Squares of scores in this unit neither overflow nor vanish.
  unit <- 2^floor(log2(max(abs(scores), .Machine$double.xmin)))
  scores <- scores / unit
  unit * if (all(weight == 1)) stats::sd(scores) else weighted_sd(scores, weight)
}

weighted_sd <- function(x, weight) {
  weight <- as_copies(weight)
  centred <- x - sum(weight * x) / sum(weight)
  sqrt(sum(weight * centred^2) / (sum(weight) - 1))
}

# Scores minus the mean of their query, divided by the standard deviation of the query; 0 if this deviation is
# 0.
standardized_by_query <- function(scores, data, threads) {
  standardize_features(cbind(scores), data$order, data$offsets, threads)[, 1L]
}

default_c <- c(0, 1, 2, 5, 10, 20, 50, 100, 150, 200)

check_c <- function(c, call = rlang::caller_env()) {
  if (!is_plain_number(c) || length(c) == 0L || anyNA(c) || any(c < 0 | (c > 200 & c < Inf))) {
    stop_input("argument",
               sprintf("`c` must be numbers from 0 to 200, or Inf, not %s.",
                       show_value(c)),
               call = call)
  }
  sort(unique(c))
}

check_threshold <- function(threshold, call = rlang::caller_env()) {
  if (!is_plain_number(threshold) || length(threshold) == 0L || anyNA(threshold) ||
        any(threshold == Inf)) {
    stop_input("argument",
               sprintf("`threshold` must be numbers, or -Inf, not %s.",
                       show_value(threshold)), call = call)
  }
  sort(unique(threshold))
}
