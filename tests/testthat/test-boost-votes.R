# The decrease of Z by confidence-rated votes on some rows: W - 2 sqrt(W+ W-), summed over the columns of g. The matrix
# g has the signed weights.
z_value <- function(g) {
  plus <- colSums(pmax(g, 0))
  minus <- colSums(pmax(-g, 0))
  sum(plus + minus - 2 * sqrt(plus * minus))
}

# The largest gain over all splits of these rows, and the gain of one split.
z_gain <- function(x, g, rows, feature, threshold, missing_left) {
  values <- x[rows, feature]
  left <- ifelse(is.na(values), missing_left, values <= threshold)
  z_value(g[rows[left], , drop = FALSE]) + z_value(g[rows[!left], , drop = FALSE]) -
    z_value(g[rows, , drop = FALSE])
}
best_z_gain <- function(x, g, rows, thresholds) {
  own <- g[rows, , drop = FALSE]
  # z_value() of the rows in which a column of `side` is TRUE, for each column.
  z_values <- function(side) {
    plus <- crossprod(pmax(own, 0), side)
    minus <- crossprod(pmax(-own, 0), side)
    colSums(plus + minus - 2 * sqrt(plus * minus))
  }
  gains <- lapply(seq_len(ncol(x)), function(f) {
    left <- naive_tests(x[rows, f], thresholds[[f]])$left
    z_values(left) + z_values(!left) - z_value(own)
  })
  max(0, unlist(gains))
}

# Checks tree t on the labels g. Returns the leaf of each row and the shortfall of the splits. A tree with fewer leaves
# than possible has a shortfall, too.
replay_rated_tree <- function(model, t, x, g, thresholds, max_leaves) {
  forest <- model$forest
  nodes <- seq(forest$node_begin[t], length.out = diff(forest$node_begin)[t])
  all <- seq_len(nrow(x))
  if (length(nodes) == 0L) {
    return(list(leaf = rep(1L, nrow(x)), shortfall = best_z_gain(x, g, all, thresholds)))
  }
  leaves <- list(list(pointer = 0L, rows = all, best = best_z_gain(x, g, all, thresholds)))
  shortfall <- 0
  for (k in seq_along(nodes) - 1L) {
    node <- nodes[k + 1L] + 1L
    at <- which(vapply(leaves, `[[`, 0L, "pointer") == k)
    rows <- leaves[[at]]$rows
    feature <- forest$feature[node] + 1L
    missing_left <- forest$missing_left[node] == 1L
    gain <- z_gain(x, g, rows, feature, forest$threshold[node], missing_left)
    shortfall <- max(shortfall, max(vapply(leaves, `[[`, 0, "best")) - gain,
                     abs(gain - forest$gain[node]))
    values <- x[rows, feature]
    left <- ifelse(is.na(values), missing_left, values <= forest$threshold[node])
    child <- function(rows, pointer) {
      list(pointer = pointer, rows = rows, best = best_z_gain(x, g, rows, thresholds))
    }
    leaves[[at]] <- child(rows[left], forest$left[node])
    leaves <- c(leaves, list(child(rows[!left], forest$right[node])))
  }
  if (length(leaves) < max_leaves) {
    shortfall <- max(shortfall, vapply(leaves, `[[`, 0, "best"))
  }
  leaf <- integer(nrow(x))
  for (one in leaves) leaf[one$rows] <- -one$pointer
  list(leaf = leaf, shortfall = shortfall)
}

rated_votes <- function(g, leaf, smoothing) {
  do.call(rbind, lapply(seq_len(max(leaf)), function(i) {
    own <- g[leaf == i, , drop = FALSE]
    0.5 * log((colSums(pmax(own, 0)) + smoothing) / (colSums(pmax(-own, 0)) + smoothing))
  }))
}

leaf_values <- function(forest, t) {
  leaves <- seq(forest$leaf_begin[t], length.out = diff(forest$leaf_begin)[t])
  matrix(forest$values[rep(leaves * forest$outputs, each = forest$outputs) +
                         seq_len(forest$outputs)], ncol = forest$outputs, byrow = TRUE)
}

# Checks a fit with confidence-rated votes. For the signed weights g, `round(t, g)` returns h times alpha and the
# shortfall of round t.
replay_rated <- function(model, data, round) {
  classes <- max(data$relevance) + 1
  w <- naive_weights(data$relevance, classes, "relevance")
  y <- matrix(-1, length(data$relevance), classes)
  y[cbind(seq_along(data$relevance), data$relevance + 1)] <- 1
  thresholds <- lapply(seq_len(ncol(data$x)), function(j) naive_thresholds(data$x[, j]))
  edge <- shortfall <- numeric(length(model$alpha))
  for (t in seq_along(model$alpha)) {
    one <- round(t, w * y, thresholds)
    shortfall[t] <- one$shortfall
    w <- w * exp(-one$h * y)
    edge[t] <- sqrt(1 - sum(w)^2)
    w <- w / sum(w)
  }
  list(edge = edge, shortfall = shortfall)
}

test_that("confidence-rated trees split where Z falls most, and their votes are the best", {
  skip_if_quick()
  for (seed in draws(4)) {
    for (leaves in c(2, 5)) {
      data <- random_data(classes = 2 + seed %% 3, missing = 0.1, seed = seed)
      base <- if (leaves == 2) base_stump("confidence") else base_tree(leaves, "confidence")
      model <- fit(adaboost_mh(base, rounds = 4, precision = "double"), data)
      smoothing <- 1 / (length(data$relevance) * model$classes)
      slow <- replay_rated(model, data, function(t, g, thresholds) {
        found <- replay_rated_tree(model, t, data$x, g, thresholds, leaves)
        votes <- rated_votes(g, found$leaf, smoothing)
        expect_equal(leaf_values(model$forest, t) * model$alpha[t], votes, tolerance = 1e-12)
        expect_equal(model$alpha[t], max(abs(votes)), tolerance = 1e-12)
        list(h = votes[found$leaf, , drop = FALSE], shortfall = found$shortfall)
      })
      expect_equal(model$edge, slow$edge, tolerance = 1e-12)
      expect_lte(max(slow$shortfall), 1e-12)
    }
  }
})

test_that("confidence-rated Hamming trees have the best scalar votes", {
  skip_if_quick()
  for (seed in draws(3)) {
    data <- random_data(classes = 4, missing = 0.1, seed = seed)
    model <- fit(adaboost_mh(base_hamming_tree(5, "confidence"), rounds = 4,
                             precision = "double"), data)
    smoothing <- 1 / (length(data$relevance) * model$classes)
    slow <- replay_rated(model, data, function(t, g, thresholds) {
      values <- leaf_values(model$forest, t)
      big <- which.max(rowSums(abs(values)))
      v <- sign(values[big, ])
      expect_equal(naive_stump(data$x, g %*% v, thresholds)$edge,
                   naive_stump(data$x, g, thresholds)$edge, tolerance = 1e-12)
      # The labels of all grades, multiplied by the signs v, are stacked in one column.
      turned <- t(t(g) * v)
      stacked <- do.call(rbind, lapply(seq_len(ncol(g)), function(l) turned[, l, drop = FALSE]))
      x <- data$x[rep(seq_len(nrow(g)), ncol(g)), , drop = FALSE]
      found <- replay_rated_tree(model, t, x, stacked, thresholds, 5)
      scalar <- rated_votes(stacked, found$leaf, smoothing)
      votes <- scalar %*% v
      expect_equal(values * model$alpha[t], votes, tolerance = 1e-12)
      list(h = votes[found$leaf[seq_len(nrow(g))], , drop = FALSE],
           shortfall = found$shortfall)
    })
    expect_equal(model$edge, slow$edge, tolerance = 1e-12)
    expect_lte(max(slow$shortfall), 1e-12)
  }
})

test_that("a confidence-rated product has the best first stump, the others given", {
  skip_if_quick()
  for (seed in draws(4)) {
    data <- random_data(classes = 3, missing = 0.1, seed = seed)
    plain <- fit(adaboost_mh(base_product(3), rounds = 1, precision = "double"), data)
    model <- fit(adaboost_mh(base_product(3, "confidence"), rounds = 4, precision = "double"),
                 data)
    expect_gte(model$edge[1], plain$edge[1] - 1e-4)
    smoothing <- 1 / (length(data$relevance) * model$classes)
    slow <- replay_rated(model, data, function(t, g, thresholds) {
      trees <- seq.int(model$forest$round_begin[t] + 1L, model$forest$round_begin[t + 1L])
      others <- 1
      for (other in trees[-1L]) {
        leaf <- replay_rated_tree(model, other, data$x, g, thresholds, 2)$leaf
        others <- others * leaf_values(model$forest, other)[leaf, , drop = FALSE]
      }
      turned <- g * others
      found <- replay_rated_tree(model, trees[1L], data$x, turned, thresholds, 2)
      votes <- rated_votes(turned, found$leaf, smoothing)
      expect_equal(leaf_values(model$forest, trees[1L]) * model$alpha[t], votes,
                   tolerance = 1e-12)
      list(h = votes[found$leaf, , drop = FALSE] * others, shortfall = found$shortfall)
    })
    expect_equal(model$edge, slow$edge, tolerance = 1e-12)
    expect_lte(max(slow$shortfall), 1e-12)
  }
})

test_that("confidence-rated votes lower Z faster, resume, and are the same on any number of threads", {
  skip_if_quick()
  data <- example_part("train")
  for (name in c("tree", "hamming_tree", "product")) {
    base <- rankmix:::component_constructor("base", name)
    spec <- adaboost_mh(base(4, "confidence"), rounds = 30)
    one <- fit(spec, data, seed = 1, threads = 1)
    expect_identical(fit(spec, data, seed = 1, threads = 3), one)
    plain <- fit(adaboost_mh(base(4), rounds = 30), data, seed = 1)
    if (name == "tree") expect_lt(glance(one)$bound, glance(plain)$bound)
    half <- fit(adaboost_mh(base(4, "confidence"), rounds = 11), data, seed = 1)
    expect_identical(fit(half, data, rounds = 30), one)
    expect_lte(max(abs(one$forest$values)), 1)
    expect_true(all(abs(predict(one, data, type = "raw")) <= sum(one$alpha)))
  }
})

test_that("votes print, and impossible votes are refused", {
  local_known_warnings("constant")
  expect_identical(format(base_stump("confidence")), "base_stump(votes = \"confidence\")")
  expect_identical(format(base_tree(8, "confidence")), "base_tree(8, votes = \"confidence\")")
  expect_error(base_tree(8, votes = "real"), class = "rankmix_error_argument")
  many <- random_data(queries = 60, classes = 20)
  for (base in list(base_tree(3, "confidence"), base_stump("confidence"), base_product(2, "confidence"))) {
    expect_error(fit(adaboost_mh(base, rounds = 2), many), "16 grades",
                 class = "rankmix_error_grade")
  }
  expect_length(fit(adaboost_mh(base_hamming_tree(3, "confidence"), rounds = 2), many)$alpha, 2L)
  expect_length(fit(adaboost_mh(base_tree(3, "confidence"), rounds = 2,
                                grouping = c(0, rep(1, 19))), many)$alpha, 2L)
  # Constant features allow no split, so there are no votes.
  flat <- random_data()
  flat$x[] <- 1
  expect_lte(length(fit(adaboost_mh(base_tree(3, "confidence"), rounds = 50), flat)$alpha), 6L)
})
