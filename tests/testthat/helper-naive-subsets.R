# The reference for splits of a factor by subsets of its levels.
#
# Problem:   split a node's rows by a set S of levels, so that G_S^2 / (H_S + l2) + G_R^2 / (H_R + l2) is
#            largest, with the sums G of gradients and H of hessians of both sides.
# Input:     the level, gradient and hessian of each row of the node.
# Output:    the levels on the left, and the gain. NULL if no split is allowed.
# Algorithm: levels with at least min_data_per_group rows are sorted by G / (H + cat_smooth), ties by name.
#            Only the first levels of this order, or the last, can form a set, at most max_cat_threshold.
#            Other levels, unseen levels and missing values are on the right.
# Reference: Fisher (1958), doi:10.1080/01621459.1958.10501479: without smoothing, the best of all subsets
#            is among the first levels in the order.
naive_subset_split <- function(level, gradient, hessian, cat_smooth = 10, cat_l2 = 10, max_cat_threshold = 32,
                               min_data_per_group = 100, min_data_in_leaf = 1) {
  groups <- split(seq_along(level), level)
  groups <- groups[lengths(groups) >= min_data_per_group]
  sums <- vapply(groups, function(rows) c(sum(gradient[rows]), sum(hessian[rows])), c(0, 0))
  ordered <- names(groups)[order(sums[1L, ] / (sums[2L, ] + cat_smooth), names(groups), method = "radix")]
  sets <- c(first_levels(ordered, max_cat_threshold), first_levels(rev(ordered), max_cat_threshold))
  best_subset(sets, level, gradient, hessian, cat_l2, min_data_in_leaf)
}

first_levels <- function(ordered, most) {
  lapply(seq_len(min(most, length(ordered))), function(k) ordered[seq_len(k)])
}

# The first of the sets with the largest gain.
best_subset <- function(sets, level, gradient, hessian, l2, min_data_in_leaf) {
  score <- function(rows) {
    if (sum(rows) < min_data_in_leaf) -Inf else sum(gradient[rows])^2 / (sum(hessian[rows]) + l2)
  }
  gains <- vapply(sets, function(set) {
    left <- level %in% set
    score(left) + score(!left) - score(rep(TRUE, length(level)))
  }, 0)
  if (length(gains) > 0L && max(gains) > 0) {
    at <- which.max(gains)
    list(left = sort(sets[[at]]), gain = gains[at])
  }
}

# All sets of levels, without the empty set and the set of all.
all_subsets <- function(levels) {
  bits <- 2^(seq_along(levels) - 1L)
  lapply(seq_len(2^length(levels) - 2L), function(code) levels[bitwAnd(code, bits) > 0L])
}
