# Rank correlations of two orders of the same items: Kendall's tau and the AP correlation.
#
# Input: two numeric vectors, higher is better. `x` is the reference order of the AP correlation.
# Cost: O(n log n) for n items.

order_measures <- c("tau", "tau_b", "tau_ap", "rbo")

# Values without rounding noise, so that values that are equal in theory are ties.
snapped_values <- function(x) {
  x[abs(x) < snap_tolerance * max(abs(x), 0)] <- 0
  signif(x, snap_digits)
}

# Tau-a divides by all pairs, so ties make it smaller. Tau-b divides by the pairs without ties.
kendall_tau <- function(x, y, corrected) {
  n <- length(x)
  if (n < 2L) {
    return(NA_real_)
  }
  untied <- c(untied_pairs(x), untied_pairs(y))
  all <- n * (n - 1) / 2
  if (any(untied == 0)) {
    return(if (corrected) NA_real_ else 0)
  }
  compared <- if (untied[1L] == untied[2L]) untied[1L] else sqrt(untied[1L]) * sqrt(untied[2L])
  pairs <- ordered_pairs(x, y)
  # The concordant minus the discordant pairs of each item with items above it in y. Pairs that are tied in x are
  # neither.
  concordance <- sum(2 * pairs$higher_before + pairs$equal_before - as.double(pairs$before))
  concordance / if (corrected) compared else all
}

# For each item in the order of y, the best first: the number of items `before` its group of ties in y, and how many of
# these have a higher and an equal x. The same within its group, whose other items are `others`.
ordered_pairs <- function(x, y) {
  by_y <- order(-y)
  sizes <- tabulate(match(-y, sort(unique(-y))))
  ends <- cumsum(sizes)
  pairs <- pairs_above(match(x, sort(unique(x)))[by_y] - 1L, ends)
  c(pairs, list(before = rep(ends - sizes, sizes), others = rep(sizes - 1L, sizes)))
}

untied_pairs <- function(x) {
  counts <- as.double(tabulate(match(x, unique(x))))
  length(x) * (length(x) - 1) / 2 - sum(counts * (counts - 1) / 2)
}

# The AP correlation of the estimated order y with the true order x (Yilmaz, Aslam and Robertson 2008,
# doi:10.1145/1390334.1390435), with ties by Urbano and Marrero (2017, doi:10.1145/3121050.3121106).
tau_ap <- function(x, y, ties) {
  if (length(x) < 2L) {
    return(NA_real_)
  }
  if (ties == "a") tau_ap_expected(x, y) else (tau_ap_tied(x, y) + tau_ap_tied(y, x)) / 2
}

# The mean over all orders of tied items. Tied items of x are in either order with equal probability. An item
# of a group of t tied items in y has k = 0, ..., t - 1 others of its group above it, and each of the others
# is as likely to be among them.
tau_ap_expected <- function(x, y) {
  pairs <- ordered_pairs(x, y)
  above <- pairs$higher_before + pairs$equal_before / 2
  terms <- above / pmax(pairs$before, 1)
  tied <- which(pairs$others > 0L)
  if (length(tied) > 0L) {
    # An item of a group of t items after b others: the mean of (above + k within) / (b + k) over k = 0, ..., t - 1.
    # The first item of the order has no items above it.
    within <- (pairs$higher_within + pairs$equal_within / 2)[tied] / pairs$others[tied]
    means <- vapply(split(tied, pairs$before[tied]), function(own) {
      k <- seq_along(own) - 1
      divisors <- pmax(pairs$before[own[1L]] + k, 1)
      c(mean(1 / divisors), mean(k / divisors))
    }, numeric(2L))
    group <- match(pairs$before[tied], colnames(means))
    terms[tied] <- above[tied] * means[1L, group] + within * means[2L, group]
  }
  2 * sum(terms) / (length(x) - 1) - 1
}

# Ties count as no information: only items of higher groups are above an item, and pairs that are tied in x
# do not agree.
tau_ap_tied <- function(x, y) {
  pairs <- ordered_pairs(x, y)
  lower <- pairs$before > 0
  if (!any(lower)) {
    return(NA_real_)
  }
  2 * sum(pairs$higher_before[lower] / pairs$before[lower]) / sum(lower) - 1
}

# The positions of the items with equal values, the highest value first.
descending_groups <- function(y) unname(split(seq_along(y), match(y, sort(unique(y), decreasing = TRUE))))
