# The schedule and the race of tune_ranker().
#
# Rungs are growing fractions of the training queries. On each rung every candidate that is left is trained, and
# evaluated on all validation queries. A candidate leaves for one of two reasons: a paired test shows that it is
# worse than the best of its rung, or the budget is not large enough for it. Reference: Jamieson and Talwalkar
# (2016), Non-stochastic best arm identification (successive halving); Lopez-Ibanez et al. (2016), The irace
# package (racing by tests).

# The factor between the sizes of two rungs, and the largest number of rungs.
rung_factor <- 3
max_rungs <- 3L

# The smallest rung must have enough queries to distinguish settings.
min_rung_queries <- 60L

# Fractions of the training queries, the last is 1.
rung_fractions <- function(queries) {
  below <- seq_len(max_rungs) - 1L
  fractions <- rung_factor^-rev(below)
  fractions[fractions == 1 | fractions * queries >= min_rung_queries]
}

# The fraction of the budget for the random design. The rest is for proposals of the surrogate.
design_share <- 0.5

# The numbers of candidates on each rung, so that the design costs `share` of the budget. One unit of budget is
# one training on all training queries. The default candidate is on every rung, too, and is not counted here.
design_sizes <- function(budget, fractions, share = design_share) {
  levels <- seq_along(fractions) - 1L
  cost <- sum(fractions * rung_factor^-levels)
  first <- max(1, floor((share * budget - sum(fractions)) / cost))
  pmax(1, ceiling(first * rung_factor^-levels))
}

# Number of proposals that are trained together. It does not depend on the number of workers, so results do
# not either.
proposal_batch <- 4L

# The p-value of "the candidate is not worse than the best": the one-sided t-test of the paired differences of
# validation queries, within folds.
race_p_value <- function(best, candidate, weight, fold) {
  difference <- snapped_difference(best, candidate)
  t_test_p(stratified_moments(difference, weight, fold), length(difference), "greater")
}

# Which candidates of a rung are shown to be worse than its best. `values` has a column for each. The best of all
# candidates is dropped with a probability of at most `error`: each is compared with one of the others, so
# Bonferroni's correction counts all others.
worse_candidates <- function(values, means, weight, fold, error) {
  best <- which.max(means)
  vapply(seq_along(means), function(i) {
    i != best && race_p_value(values[, best], values[, i], weight, fold) < error / (length(means) - 1L)
  }, NA)
}
