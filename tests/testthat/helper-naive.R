# Slow reference implementations of the core. The metrics are in helper-naive-metrics.R.

naive_per_query <- function(scores, data, value) {
  vapply(seq_along(data$query_ids), function(q) {
    rows <- which(data$query == q)
    value(scores[rows], data$relevance[rows])
  }, numeric(1))
}

# AdaBoost.MH by trying every split of every leaf, in plain doubles.

naive_weights <- function(grades, classes, scheme, documents = 1) {
  own <- documents * if (scheme == "relevance") 2^grades else rep(1, length(grades))
  w <- matrix(own / (classes - 1), length(grades), classes)
  w[cbind(seq_along(grades), grades + 1)] <- own
  w / sum(w)
}

# Thresholds half-way between neighbouring distinct values.
naive_thresholds <- function(x) {
  values <- sort(unique(x))
  (values[-1] + values[-length(values)]) / 2
}

# All tests of a feature on some values: their thresholds, whether missing values go left, and `left`, whether a value
# goes left. The columns of `left` are tests.
naive_tests <- function(values, thresholds, missing_alone = FALSE) {
  missing <- is.na(values)
  left <- outer(values, thresholds, "<=") & !missing
  tests <- list(threshold = thresholds, missing_left = rep(FALSE, length(thresholds)), left = left)
  if (!any(missing)) {
    return(tests)
  }
  # Known values on the left and missing values alone on the right.
  alone <- if (missing_alone) Inf
  times <- c(length(thresholds), length(thresholds), length(alone))
  list(threshold = c(thresholds, thresholds, alone), missing_left = rep(c(FALSE, TRUE, FALSE), times),
       left = cbind(left, left | missing, if (missing_alone) !missing))
}

# All splits of `rows` by every threshold, with their gains and votes. `g` are the signed weights w y. The columns of
# `v` are splits.
naive_splits <- function(x, g, rows, thresholds) {
  own <- g[rows, , drop = FALSE]
  parts <- lapply(seq_len(ncol(x)), function(feature) {
    tests <- naive_tests(x[rows, feature], thresholds[[feature]], missing_alone = TRUE)
    list(feature = rep(feature, length(tests$threshold)), threshold = tests$threshold,
         missing_left = tests$missing_left, v = crossprod(own, tests$left) - crossprod(own, !tests$left))
  })
  field <- function(name) unlist(lapply(parts, `[[`, name))
  v <- do.call(cbind, lapply(parts, `[[`, "v"))
  list(feature = field("feature"), threshold = field("threshold"), missing_left = field("missing_left"),
       gain = colSums(abs(v)) - sum(abs(colSums(own))), v = v)
}

best_gain <- function(splits) max(0, splits$gain)

split_at <- function(splits, k) c(lapply(splits[1:4], `[`, k), list(v = splits$v[, k]))

# Replays the growth of one tree of a model. Returns the discriminants h of the tree and the largest
# shortfall. These gains are compared: a chosen split with the best split of its leaf; the leaf's best gain
# with the best gain of all leaves; the reported gain with the chosen split. Votes with the wrong sign are a
# shortfall, too. Ties are no shortfall.
replay_tree <- function(model, t, x, g, thresholds, max_leaves) {
  forest <- model$forest
  nodes <- seq(forest$node_begin[t], length.out = diff(forest$node_begin)[t])
  classes <- ncol(g)
  leaf <- function(rows, v, pointer) {
    splits <- naive_splits(x, g, rows, thresholds)
    list(rows = rows, v = v, pointer = pointer, splits = splits,
         gain = best_gain(splits))
  }
  all <- seq_len(nrow(x))
  leaves <- list(leaf(all, colSums(g), if (length(nodes) > 0L) 0L else -1L))
  shortfall <- 0
  for (k in seq_along(nodes) - 1L) {
    node <- nodes[k + 1L] + 1L
    at <- which(vapply(leaves, `[[`, 0L, "pointer") == k)
    feature <- forest$feature[node] + 1L
    found <- leaves[[at]]$splits
    side <- found$missing_left == forest$missing_left[node] | !anyNA(x[leaves[[at]]$rows, feature])
    split <- Filter(function(k) isTRUE(all.equal(found$threshold[k], forest$threshold[node], 1e-14)),
                    which(found$feature == feature & side))[[1L]]
    split <- split_at(found, split)
    gains <- vapply(leaves, `[[`, numeric(1), "gain")
    shortfall <- max(shortfall, max(gains) - split$gain,
                     abs(split$gain - forest$gain[node]))
    rows <- leaves[[at]]$rows
    values <- x[rows, split$feature]
    left <- ifelse(is.na(values), forest$missing_left[node] == 1L,
                   values <= split$threshold)
    leaves[[at]] <- leaf(rows[left], split$v, forest$left[node])
    leaves <- c(leaves, list(leaf(rows[!left], -split$v, forest$right[node])))
  }
  if (length(leaves) < max_leaves) {
    shortfall <- max(shortfall, vapply(leaves, `[[`, numeric(1), "gain"))
  }
  h <- matrix(0, nrow(x), classes)
  for (l in seq_along(leaves)) {
    at <- (forest$leaf_begin[t] + l - 1L) * classes
    votes <- forest$values[at + seq_len(classes)]
    shortfall <- max(shortfall, -votes * leaves[[l]]$v)
    h[leaves[[l]]$rows, ] <- rep(votes, each = length(leaves[[l]]$rows))
  }
  list(h = h, shortfall = shortfall)
}

# Replays one Hamming tree: a tree on the labels times the votes v. The votes v must be the votes of the best
# stump.
replay_hamming <- function(model, t, x, g, thresholds, max_leaves) {
  classes <- ncol(g)
  at <- model$forest$leaf_begin[t] * classes
  leaves <- model$forest$leaf_begin[t + 1L] - model$forest$leaf_begin[t]
  votes <- matrix(model$forest$values[at + seq_len(leaves * classes)], classes)
  v <- votes[, 1L]
  stopifnot(all(votes == v) || all(abs(v %*% votes) == classes))
  scalar <- model
  scalar$forest$values <- integer(model$forest$leaf_begin[t] + leaves)
  scalar$forest$values[model$forest$leaf_begin[t] + seq_len(leaves)] <- votes[1L, ] * v[1L]
  tree <- replay_tree(scalar, t, x, g %*% v, thresholds, max_leaves)
  # The first split of the scalar tree has the edge of the best stump.
  first <- naive_stump(x, g %*% v, thresholds)$edge
  list(h = tree$h %*% t(v),
       shortfall = max(tree$shortfall, naive_stump(x, g, thresholds)$edge - first))
}

# The best stump on the labels g: its edge, its split if there is one, and its votes for each document. If
# splits tie, the first split is used, and `tied` shows whether the other splits have other votes.
naive_stump <- function(x, g, thresholds) {
  splits <- naive_splits(x, g, seq_len(nrow(x)), thresholds)
  whole <- colSums(g)
  signs <- function(v) ifelse(v < 0, -1, 1)
  if (best_gain(splits) <= naive_tie) {
    return(list(edge = sum(abs(whole)), tied = FALSE,
                votes = matrix(signs(whole), nrow(x), ncol(g), byrow = TRUE)))
  }
  votes_of <- function(split) {
    value <- x[, split$feature]
    left <- ifelse(is.na(value), split$missing_left, value <= split$threshold)
    outer(ifelse(left, 1, -1), signs(split$v))
  }
  best <- lapply(which(splits$gain >= max(splits$gain) - naive_tie), split_at, splits = splits)
  votes <- votes_of(best[[1L]])
  list(edge = sum(abs(whole)) + best[[1L]]$gain, split = best[[1L]], votes = votes,
       tied = !all(vapply(best, function(s) identical(votes_of(s), votes), NA)))
}
naive_tie <- 1e-12

# Learns a product. Each new stump is the best stump on the labels times the product of the other stumps.
# Stumps are added until none raises the edge. Then each stump is refitted in turn until none raises the edge,
# and more stumps are tried.
naive_product <- function(x, g, thresholds, max_terms) {
  terms <- list()
  edge <- -Inf
  tied <- FALSE
  improve <- function(j) {
    others <- Reduce(`*`, lapply(terms[-j], `[[`, "votes"), matrix(1, nrow(g), ncol(g)))
    found <- naive_stump(x, g * others, thresholds)
    better <- found$edge > edge + naive_tie
    if (better) {
      tied <<- tied || found$tied
      edge <<- found$edge
      terms[[j]] <<- found
    }
    better
  }
  add <- function() length(terms) < max_terms && improve(length(terms) + 1L)
  repeat {
    while (add()) NULL
    raised <- FALSE
    j <- 0L
    stale <- length(terms) - 1L  # the last stump was fitted to the current other stumps
    while (stale > 0L) {
      j <- j %% length(terms) + 1L
      better <- improve(j)
      raised <- raised || better
      stale <- if (better) length(terms) - 1L else stale - 1L
    }
    if (!raised || !add()) {
      return(list(edge = edge, terms = terms, tied = tied))
    }
  }
}

# Replays one product: multiplies its stumps. Returns the difference of its edge from the edge of the naive
# product, and of the reported gains from the gains of its stumps. The difference is infinite if the splits
# differ. If the naive product had a tie, the result is how much another stump, or one more stump, would raise
# the edge.
replay_product <- function(model, round, x, g, thresholds, max_terms) {
  classes <- ncol(g)
  forest <- model$forest
  terms <- seq(forest$round_begin[round] + 1L, forest$round_begin[round + 1L])
  slow <- naive_product(x, g, thresholds, max_terms)
  read <- lapply(terms, function(t) {
    votes <- forest$values[forest$leaf_begin[t] * classes + seq_len(classes)]
    node <- forest$node_begin[t] + 1L
    if (forest$node_begin[t + 1L] < node) {
      return(list(votes = matrix(votes, nrow(x), classes, byrow = TRUE), gain = NULL))
    }
    value <- x[, forest$feature[node] + 1L]
    missing_left <- forest$missing_left[node] == 1L
    left <- ifelse(is.na(value), missing_left, value <= forest$threshold[node])
    list(votes = outer(ifelse(left, 1, -1), votes), gain = forest$gain[node],
         split = list(feature = forest$feature[node] + 1L, threshold = forest$threshold[node],
                      missing_left = missing_left && anyNA(value)))
  })
  h <- Reduce(`*`, lapply(read, `[[`, "votes"))
  # The edge of each stump minus the edge of constant votes in its place. h / votes is the product of the
  # other stumps.
  off <- max(0, unlist(lapply(read, function(term) {
    abs(sum(g * h) - sum(abs(colSums(g * h * term$votes))) - term$gain)
  })))
  splits <- function(terms) {
    lapply(terms, function(term) term$split[c("feature", "threshold", "missing_left")])
  }
  if (!slow$tied) {
    same <- isTRUE(all.equal(splits(read), splits(slow$terms), tolerance = 1e-14))
    shortfall <- if (same) max(off, abs(slow$edge - sum(g * h))) else Inf
    return(list(h = h, shortfall = shortfall, tied = FALSE))
  }
  edges <- vapply(read, function(term) {
    naive_stump(x, g * h * term$votes, thresholds)$edge  # h / votes
  }, numeric(1))
  if (length(terms) < max_terms) {
    edges <- c(edges, naive_stump(x, g * h, thresholds)$edge)
  }
  list(h = h, shortfall = max(off, max(edges) - sum(g * h)), tied = TRUE)
}

# Replays a whole fit in plain doubles, trying every split of every leaf.
replay_adaboost <- function(model, data, max_leaves, scheme, replay = replay_tree) {
  classes <- max(data$relevance) + 1
  documents <- if (is.null(data$weight)) 1 else data$weight[data$query]
  w <- naive_weights(data$relevance, classes, scheme, documents)
  y <- matrix(-1, length(data$relevance), classes)
  y[cbind(seq_along(data$relevance), data$relevance + 1)] <- 1
  thresholds <- lapply(seq_len(ncol(data$x)), function(f) {
    naive_thresholds(data$x[rep(documents, length.out = nrow(data$x)) > 0, f])
  })
  f <- y * 0
  edge <- shortfall <- numeric(length(model$alpha))
  tied <- 0L
  for (t in seq_along(model$alpha)) {
    tree <- replay(model, t, data$x, w * y, thresholds, max_leaves)
    edge[t] <- sum(w * y * tree$h)
    shortfall[t] <- tree$shortfall
    tied <- tied + isTRUE(tree$tied)
    alpha <- log((1 + edge[t]) / (1 - edge[t])) / 2
    w <- w * exp(-alpha * tree$h * y)
    w <- w / sum(w)
    f <- f + alpha * tree$h
  }
  list(edge = edge, shortfall = shortfall, f = f, tied = tied)
}

naive_log_sigmoid <- function(f, grades, a, b, documents = 1) {
  s <- 1 / (1 + exp(-a * (f - b)))
  p <- s / rowSums(s)
  -sum(documents * log(p[cbind(seq_along(grades), grades + 1)]))
}

# Fills missing values of matrices with values of the first matrix, `train`, whose rows have
# weights: by the mean, by 0, or by the mean with an indicator column for each feature that has missing values
# in `train`.
naive_fill <- function(train, matrices, method, weight = rep(1, nrow(train))) {
  train <- train[weight > 0, , drop = FALSE]
  weight <- weight[weight > 0]
  numbers <- numeric(ncol(train))
  for (j in seq_len(ncol(train))) {
    known <- !is.na(train[, j])
    if (method != "zero" && any(known)) {
      numbers[j] <- sum(weight[known] * train[known, j]) / sum(weight[known])
    }
  }
  marked <- if (method == "indicator") which(colSums(is.na(train)) > 0) else integer()
  lapply(matrices, function(x) {
    marks <- 1 * is.na(x[, marked, drop = FALSE])
    for (j in seq_len(ncol(x))) x[is.na(x[, j]), j] <- numbers[j]
    unname(cbind(x, marks))
  })
}
