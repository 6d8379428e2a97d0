# The paired loss of a ranker against a reference, and the test of non-inferiority: is the loss below a margin?
# Input: the values of the same queries. NA counts as 0, and NaN leaves the query out, as in all means over queries.
# Test: one-sided t of E(loss) >= margin, as in equivalence(). `fold` numbers the strata.
# Reference: Schuirmann (1987), doi:10.1007/BF01068419.

# One row: the mean loss, its standard error, the 1 - 2 `level` interval, and the p-value.
loss_row <- function(reference, other, weight, margin, level, fold = NULL) {
  counts <- !is.nan(reference) & !is.nan(other) & (if (is.null(weight)) TRUE else weight > 0)
  zero <- function(values) replace(values, is.na(values), 0)[counts]
  loss <- snapped_difference(zero(reference), zero(other))
  moments <- stratified_moments(loss, weight[counts], fold[counts])
  flat <- has_no_spread(moments$mean, moments$se)
  interval <- loss_interval(loss, moments, flat, level)
  side <- list(mean = margin - moments$mean, se = moments$se, df = moments$df, flat = flat)
  data.frame(lost = moments$mean, se = moments$se, lower = interval[["lower"]], upper = interval[["upper"]],
             p_noninferior = upper_tail_p(side, length(loss)))
}

# If all losses are equal, the interval is unknown, unless they are 0.
loss_interval <- function(loss, moments, flat, level) {
  if (length(loss) > 1L && all(loss == 0)) {
    return(c(lower = 0, upper = 0))
  }
  if (flat) c(lower = NA_real_, upper = NA_real_) else t_interval(moments, 1 - 2 * level)
}

# The adjusted p-values of tests in an order that was fixed before: testing ends at the first p-value above the level.
# If all tests before the first true hypothesis pass, this hypothesis is tested once at the level. So the probability
# that any true hypothesis is rejected is at most the level. Reference: Maurer, Hothorn and Lehmacher (1995).
adjusted_in_sequence <- function(p) cummax(p)
