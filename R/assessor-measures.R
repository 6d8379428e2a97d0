# Chance-corrected agreement: 1 - (observed disagreement) / (expected disagreement).
#
# Input: `counts`, units x grades, has how many assessors gave each grade to each unit. Krippendorff's alpha
# and Fleiss' kappa need no more. A weight of each unit makes bootstrap samples cheap. Cohen's kappa needs the
# pairs of grades of two assessors. All return `estimate`, `observed` and `expected`, the disagreements; NA if
# the expected disagreement is 0.

chance_corrected <- function(observed, expected) {
  c(estimate = if (is.na(expected) || expected <= 0) NA_real_ else 1 - observed / expected,
    observed = observed, expected = expected)
}

# Krippendorff (2011): coincidences o_ck are the pairs of grades c and k in a unit, divided by the number of
# grades of the unit minus 1. All units have two grades or more. Returns a function of the weights of the
# units. `distance` is a function of the marginal totals.
krippendorff_alpha <- function(counts, distance) {
  scaled <- counts / (rowSums(counts) - 1)
  diagonal <- cbind(seq_len(ncol(counts)), seq_len(ncol(counts)))
  function(weight) {
    own <- scaled * weight
    coincidences <- crossprod(own, counts)
    coincidences[diagonal] <- coincidences[diagonal] - colSums(own)
    totals <- rowSums(coincidences)
    n <- sum(totals)
    squares <- distance(totals)
    expected <- sum(outer(totals, totals) * squares) / (n * (n - 1))
    chance_corrected(sum(coincidences * squares) / n, expected)
  }
}

# The squared differences of all pairs of grades by scale of measurement.
grade_distance <- function(grades, scale) {
  if (scale == "ordinal") {
    return(ordinal_distance)
  }
  squares <- switch(
    scale,
    nominal = 1 - diag(length(grades)),
    interval = outer(grades, grades, "-")^2,
    ratio = {
      sums <- outer(grades, grades, "+")
      ifelse(sums == 0, 0, (outer(grades, grades, "-") / sums)^2)
    }
  )
  function(totals) squares
}

# The number of grades between two grades, with half of both ends.
ordinal_distance <- function(totals) {
  middle <- cumsum(totals) - totals / 2
  outer(middle, middle, "-")^2
}

# Fleiss (1971): all units have the same number of grades.
fleiss_kappa <- function(counts, weight) {
  size <- rowSums(counts)
  agreeing <- rowSums(counts * (counts - 1)) / (size * (size - 1))
  share <- colSums(weight * counts) / sum(weight * size)
  chance_corrected(1 - sum(weight * agreeing) / sum(weight), 1 - sum(share^2))
}

# Cohen (1960, 1968) of two assessors, whose grades are numbered 1, 2, ... `costs` are the disagreements of
# all pairs of grades, with 0 for equal grades.
cohen_kappa <- function(first, second, weight, costs) {
  size <- ncol(costs)
  joint <- matrix(0, size, size)
  sums <- rowsum(weight, (second - 1L) * size + first)
  joint[as.integer(rownames(sums))] <- sums
  joint <- joint / sum(joint)
  chance_corrected(sum(joint * costs), sum(outer(rowSums(joint), colSums(joint)) * costs))
}

# The costs of weighted kappa: the difference of two grades (linear) or its square, relative to the largest.
kappa_costs <- function(positions, weights) {
  costs <- abs(outer(positions, positions, "-"))
  if (max(costs) > 0) costs <- costs / max(costs)
  switch(weights, none = 1 * (costs > 0), linear = costs, quadratic = costs^2)
}
