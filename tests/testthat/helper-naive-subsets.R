# The reference for splits of a factor by subsets of its levels.
#
# Problem:   split a node's rows by a set S of levels, so that G_S^2 / (H_S + l2 + cat_l2) +
#            G_R^2 / (H_R + l2 + cat_l2) - G^2 / (H + l2) is largest, with the sums G of negative gradients
#            and H of hessians of both sides.
# Input:     the level, negative gradient and hessian of each row of the node.
# Output:    the levels on the left, and the gain. NULL if no split is allowed.
# Algorithm: levels are sorted by G / (H + cat_smooth), ties by name. Only the first levels of this order, or
#            the last, can form a set, at most max_cat_threshold. Each candidate has at least
#            min_data_per_group rows more than the candidate before, and the right side keeps at least
#            min_data_per_group rows. Unseen levels and missing values are on the right.
# Reference: Fisher (1958), doi:10.1080/01621459.1958.10501479: without smoothing, the best of all subsets
#            is among the first levels in the order.
naive_subset_split <- function(level, gradient, hessian, cat_smooth = 10, cat_l2 = 10, max_cat_threshold = 32,
                               min_data_per_group = 100, min_data_in_leaf = 1, l2 = 0) {
  groups <- split(seq_along(level), level)
  groups <- groups[lengths(groups) > 0L]
  sums <- vapply(groups, function(rows) c(sum(gradient[rows]), sum(hessian[rows])), c(0, 0))
  ordered <- names(groups)[order(sums[1L, ] / (sums[2L, ] + cat_smooth), names(groups), method = "radix")]
  candidates <- function(ordered) {
    enough_levels(first_levels(ordered, max_cat_threshold), level, min_data_per_group, min_data_in_leaf)
  }
  best_subset(c(candidates(ordered), candidates(rev(ordered))), level, gradient, hessian, l2, cat_l2)
}

# The sets that add enough documents to the set before and leave enough documents on the right.
enough_levels <- function(sets, level, min_data_per_group, min_data_in_leaf) {
  kept <- list()
  before <- 0
  for (set in sets) {
    left <- sum(level %in% set)
    right <- length(level) - left
    if (left < min_data_in_leaf) next
    if (right < max(min_data_in_leaf, min_data_per_group)) break
    if (left - before < min_data_per_group) next
    before <- left
    kept <- c(kept, list(set))
  }
  kept
}

first_levels <- function(ordered, most) {
  lapply(seq_len(min(most, length(ordered))), function(k) ordered[seq_len(k)])
}

# The first of the sets with the largest gain.
best_subset <- function(sets, level, gradient, hessian, l2, cat_l2) {
  score <- function(rows, l2) sum(gradient[rows])^2 / (sum(hessian[rows]) + l2)
  gains <- vapply(sets, function(set) {
    left <- level %in% set
    score(left, l2 + cat_l2) + score(!left, l2 + cat_l2) - score(rep(TRUE, length(level)), l2)
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

# The leaf of each row of a data frame in tree t, by the names of levels.
naive_leaves <- function(model, frame, t) {
  forest <- model$forest
  features <- features_of_trees(model)
  names <- lapply(model$categories, function(entry) {
    levels <- Find(function(of) of$column == entry$column, model$encoding)$levels
    split(levels, factor(entry$numbers, seq_len(max(entry$numbers))))
  })
  names(names) <- vapply(model$categories, `[[`, "", "column")
  walk <- function(at, row) {
    if (at < 0) return(-at)
    node <- forest$node_begin[t] + at + 1
    set <- forest$set_levels[seq_len(diff(forest$set_begin[node + 0:1])) + forest$set_begin[node]]
    feature <- features[forest$feature[node] + 1]
    x <- frame[[feature]][row]
    left <- if (length(set) > 0) {
      as.character(x) %in% unlist(names[[feature]][set])
    } else if (is.na(x)) forest$missing_left[node] == 1 else x <= forest$threshold[node]
    walk(if (left) forest$left[node] else forest$right[node], row)
  }
  root <- if (diff(forest$node_begin[t + 0:1]) > 0) 0 else -1
  vapply(seq_len(nrow(frame)), function(row) walk(root, row), 0)
}

# Documents with a factor that decides the grade, and a number. With `missing`, some levels are missing.
factor_frame <- function(queries = 30, levels = 12, missing = 0, seed = 1) {
  set.seed(seed)
  rows <- queries * 10
  site <- factor(sample(sprintf("s%02d", seq_len(levels)), rows, TRUE), sprintf("s%02d", seq_len(levels)))
  a <- round(rnorm(rows), 2)
  effect <- rnorm(levels)[as.integer(site)]
  grade <- findInterval(effect + a + rnorm(rows) / 2, c(0.5, 1.5, 2.5))
  site[runif(rows) < missing] <- NA
  data.frame(query = rep(seq_len(queries), each = 10), grade = grade, a = a, site = site,
             b = round(rnorm(rows), 1))
}

factor_data <- function(frame, ...) ranking_data(frame, relevance = grade, query = query, ...)
