# Shapley values by their definition: the value of every subset of the features.

# `value(known)` of a logical vector is the score when these features are known.
naive_shapley <- function(value, features) {
  subsets <- as.matrix(expand.grid(rep(list(c(FALSE, TRUE)), features)))
  values <- apply(subsets, 1L, value)
  bits <- 2^(seq_len(features) - 1)
  size <- rowSums(subsets)
  vapply(seq_len(features), function(j) {
    without <- which(!subsets[, j])
    weight <- factorial(size[without]) * factorial(features - size[without] - 1) /
      factorial(features)
    sum(weight * (values[without + bits[j]] - values[without]))
  }, 0)
}

# The value of a tree if only some features are known. At a split on an unknown feature, the sides are
# weighted by their numbers of training documents.
naive_known_value <- function(forest, tree, values, x, known) {
  node_first <- forest$node_begin[tree]
  leaf_first <- forest$leaf_begin[tree]
  if (forest$node_begin[tree + 1] == node_first) return(values[leaf_first + 1])
  documents <- function(at) {
    if (at >= 0) forest$node_documents[node_first + at + 1]
    else forest$leaf_documents[leaf_first - at]
  }
  walk <- function(at) {
    if (at < 0) return(values[leaf_first - at])
    node <- node_first + at + 1
    left <- forest$left[node]
    right <- forest$right[node]
    f <- forest$feature[node] + 1
    if (known[f]) {
      goes_left <- x[f] <= forest$threshold[node]
      if (is.na(x[f])) goes_left <- forest$missing_left[node] == 1
      levels <- levels_of_nodes(forest, tree)[[at + 1]]
      if (length(levels) > 0) goes_left <- x[f] %in% levels
      return(walk(if (goes_left) left else right))
    }
    all <- documents(left) + documents(right)
    fraction <- if (all > 0) documents(left) / all else 0.5
    fraction * walk(left) + (1 - fraction) * walk(right)
  }
  walk(0)
}

# Contributions and base by covers. `values` are the leaf values that are added to the score.
naive_by_cover <- function(forest, values, x) {
  trees <- seq_len(length(forest$node_begin) - 1)
  value <- function(row, known) {
    sum(vapply(trees, function(t) naive_known_value(forest, t, values, row, known), 0))
  }
  features <- ncol(x)
  list(values = t(apply(x, 1L, function(row) {
         naive_shapley(function(known) value(row, known), features)
       })),
       base = value(x[1, ], rep(FALSE, features)))
}

# Contributions if unknown features are taken from the rows of a background. `score` is a function of a
# matrix.
naive_by_background <- function(score, x, background) {
  t(apply(x, 1L, function(row) {
    naive_shapley(function(known) {
      mixed <- background
      mixed[, known] <- rep(row[known], each = nrow(background))
      mean(score(mixed))
    }, ncol(x))
  }))
}
