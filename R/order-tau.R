# Rank correlations of two orders of the same items: Kendall's tau and the AP correlation.
#
# Input: two numeric vectors, higher is better. `x` is the reference order of the AP correlation.
# Cost: O(n^2) for n items.

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
  # C - D is a whole number.
  concordance <- round(stats::cor(x, y, method = "kendall") * compared)
  concordance / if (corrected) compared else all
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
  x <- x[order(-y)]
  ends <- cumsum(tabulate(match(-y, sort(unique(-y)))))
  # Row i, column j: how far item i is above item j in x.
  higher <- outer(x, x, `>`) + outer(x, x, `==`) / 2
  diag(higher) <- 0
  if (length(ends) == length(x)) {
    above <- colSums(higher * upper.tri(higher))
    return(2 * sum(above[-1L] / seq_len(length(x) - 1L)) / (length(x) - 1) - 1)
  }
  terms <- vapply(seq_along(ends), function(g) {
    before <- if (g == 1L) 0L else ends[g - 1L]
    own <- seq.int(before + 1L, ends[g])
    above <- colSums(higher[seq_len(before), own, drop = FALSE])
    if (length(own) == 1L) {
      # The first item of the order has no items above it.
      return(if (before > 0L) above / before else 0)
    }
    within <- colSums(higher[own, own]) / (length(own) - 1)
    k <- seq_along(own) - 1
    sum(vapply(seq_along(own), function(i) {
      mean((above[i] + k * within[i]) / pmax(before + k, 1))
    }, 0))
  }, 0)
  2 * sum(terms) / (length(x) - 1) - 1
}

# Ties count as no information: only items of higher groups are above an item, and pairs that are tied in x
# do not agree.
tau_ap_tied <- function(x, y) {
  groups <- descending_groups(y)
  lower <- groups[-1L]
  if (length(lower) == 0L) {
    return(NA_real_)
  }
  above <- x[groups[[1L]]]
  terms <- vapply(lower, function(group) {
    total <- sum(vapply(x[group], function(value) mean(above > value), 0))
    above <<- c(above, x[group])
    total
  }, 0)
  2 * sum(terms) / sum(lengths(lower)) - 1
}

# The positions of the items with equal values, the highest value first.
descending_groups <- function(y) unname(split(seq_along(y), match(y, sort(unique(y), decreasing = TRUE))))
