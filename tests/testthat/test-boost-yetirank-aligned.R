# Compares the aligned solver of yetirank() with dense pseudo-inverses.

aligned_data <- simulate_ranking(25, documents = c(2, 12), features = 6, seed = 21)$data

aligned_round <- function(spec, data, x, round, seed = 3) {
  data$order <- rankmix:::rows_of_content(data, 1L)
  documents <- rankmix:::objective_documents(data, data$relevance, numeric(), data$weight)
  pairs <- rankmix:::yeti_pairs(rankmix:::yeti_objective(spec, data), documents, x, seed, round)
  pairs <- pairs[, pairs[3, ] > 0, drop = FALSE]
  list(i = pairs[1, ], j = pairs[2, ], w = pairs[3, ])
}
system_of <- function(pairs, x, leaf, leaves) {
  naive_leaf_system(pairs$i, pairs$j, pairs$w, x, leaf, leaves)
}
score_of <- function(pairs, x, leaf) {
  s <- system_of(pairs, x, leaf, max(leaf))
  sum(s$v * (pseudo_inverse(s$m) %*% s$v))
}
nodes_of <- function(forest, t) {
  seq(forest$node_begin[t] + 1, length.out = diff(forest$node_begin[t + 0:1]))
}
goes_left <- function(forest, node, x) {
  value <- x[, forest$feature[node]]
  ifelse(is.na(value), forest$missing_left[node] != 0, value <= forest$threshold[node])
}
# The leaf of each document, from 1.
leaf_of <- function(forest, t, x) {
  nodes <- nodes_of(forest, t)
  vapply(seq_len(nrow(x)), function(row) {
    at <- 0
    repeat {
      node <- nodes[at + 1]
      at <- if (goes_left(forest, node, x[row, , drop = FALSE])) forest$left[node] else
        forest$right[node]
      if (at < 0) return(-at)
    }
  }, 0)
}
leaf_values <- function(forest, t) {
  forest$values[seq(forest$leaf_begin[t] + 1, length.out = diff(forest$leaf_begin[t + 0:1]))]
}
# The feature and threshold of each level of a tree.
levels_of <- function(forest, t) {
  nodes <- nodes_of(forest, t)
  unique(data.frame(feature = forest$feature[nodes], threshold = forest$threshold[nodes],
                    missing_left = forest$missing_left[nodes]))
}
first_of_forest <- function(forest) {
  # The core counts features from 0.
  forest$feature <- forest$feature + 1L
  forest
}
replayed <- function(spec, data, seed = 3) {
  model <- fit(spec, data, seed = seed, verbose = FALSE)
  list(forest = first_of_forest(model$forest), model = model,
       x = cbind(0, predict(model, data, rounds = seq_len(spec$trees))))
}

test_that("values of leaves come from the pseudo-inverse and have mean 0 in each component of connected leaves", {
  for (setup in c("aligned", "yetirank")) {
    for (solver in c("aligned", "values")) {
      spec <- yetirank(trees = 6, max_depth = 4, learning_rate = 0.5, setup = setup, solver = solver,
                       rankings = 15,
                       confusion = if (setup == "yetirank") yeti_confusion$russian)
      run <- replayed(spec, aligned_data)
      for (t in 1:6) {
        pairs <- aligned_round(spec, aligned_data, run$x[, t], t - 1)
        leaf <- leaf_of(run$forest, t, aligned_data$x)
        values <- leaf_values(run$forest, t)
        s <- system_of(pairs, run$x[, t], leaf, length(values))
        expect_equal(values, as.vector(pseudo_inverse(s$m) %*% s$v), tolerance = 1e-6)
        expect_equal(run$x[, t + 1], run$x[, t] + 0.5 * values[leaf])
      }
    }
  }
})

test_that("leaves that no pairs connect have the mean 0 each", {
  # With few pairs and many leaves, no pair connects some of the leaves.
  data <- withr::with_seed(1, ranking_data(matrix(rnorm(80), 40), sample(0:1, 40, TRUE),
                                           rep(1:20, each = 2)))
  spec <- yetirank(trees = 5, max_depth = 6, bagging_fraction = 1, learning_rate = 1)
  run <- replayed(spec, data)
  components <- vapply(1:5, function(t) {
    pairs <- aligned_round(spec, data, run$x[, t], t - 1)
    leaf <- leaf_of(run$forest, t, data$x)
    values <- leaf_values(run$forest, t)
    s <- system_of(pairs, run$x[, t], leaf, length(values))
    expect_equal(values, as.vector(pseudo_inverse(s$m) %*% s$v), tolerance = 1e-6)
    spectrum <- eigen(s$m)$values
    sum(spectrum < 1e-9 * max(spectrum))
  }, 0)
  expect_gt(max(components), 1)
})

test_that("each level is the best of all tests, and gains are the drop of the sum", {
  holes <- aligned_data$x
  holes[seq(2, length(holes), by = 6)] <- NA
  with_holes <- ranking_data(holes, aligned_data$relevance, aligned_data$query)
  for (data in list(aligned_data, with_holes)) {
    spec <- yetirank(trees = 3, max_depth = 3, learning_rate = 0.3, rankings = 10, bagging_fraction = 1,
                     max_bin = 12)
    run <- replayed(spec, data)
    trees <- fit(gbrt(trees = 60, max_depth = 1, max_bin = 12, min_data_in_leaf = 1, learning_rate = 0.3), data,
                 seed = 1, verbose = FALSE)
    thresholds <- lapply(seq_len(ncol(data$x)), function(f) {
      values <- sort(unique(data$x[, f]))
      if (length(values) <= 12) c((values[-1] + values[-length(values)]) / 2, Inf) else {
        c(sort(unique(c(run$forest$threshold[run$forest$feature == f],
                        trees$forest$threshold[trees$forest$feature == f - 1]))), Inf)
      }
    })
    for (t in 1:3) {
      x <- run$x[, t]
      pairs <- aligned_round(spec, data, x, t - 1)
      leaf <- rep(1, nrow(data$x))
      score <- 0
      tests <- levels_of(run$forest, t)
      side <- function(feature, threshold, missing_left) {
        value <- data$x[, feature]
        ifelse(is.na(value), missing_left != 0, value <= threshold)
      }
      for (level in seq_len(nrow(tests))) {
        test <- tests[level, ]
        cut <- function(left) score_of(pairs, x, match(paste(leaf, left),
                                                       unique(paste(leaf, left))))
        mine <- side(test$feature, test$threshold, test$missing_left)
        chosen <- cut(mine)
        best <- max(unlist(lapply(seq_along(thresholds), function(f) {
          sides <- if (anyNA(data$x[, f])) 0:1 else 0
          vapply(thresholds[[f]], function(at) {
            max(vapply(sides, function(missing_left) cut(side(f, at, missing_left)), 0))
          }, 0)
        })))
        expect_gte(chosen, best * (1 - 1e-7))
        expect_gt(chosen, score)
        score <- chosen
        leaf <- match(paste(leaf, mine), unique(paste(leaf, mine)))
      }
      expect_equal(sum(run$forest$gain[nodes_of(run$forest, t)]), score, tolerance = 1e-6)
      # The gain is the decrease of the quadratic objective.
      s <- 1 / (1 + exp(x[pairs$i] - x[pairs$j]))
      values <- leaf_values(run$forest, t)[leaf_of(run$forest, t, data$x)]
      after <- sum(pairs$w * (values[pairs$i] - values[pairs$j] - s)^2)
      expect_equal(sum(pairs$w * s^2) - after, score, tolerance = 1e-6)
    }
  }
})

test_that("neither a small ridge nor the scale of all weights changes the leaves", {
  spec <- yetirank(trees = 8, max_depth = 4, rankings = 20)
  expected <- predict(fit(spec, aligned_data, seed = 3, verbose = FALSE), aligned_data)
  for (ridge in c(1e-12, 1e-8)) {
    found <- fit(update(spec, ridge = ridge), aligned_data, seed = 3, verbose = FALSE)
    expect_equal(predict(found, aligned_data), expected, tolerance = 1e-6)
  }
  light <- ranking_data(aligned_data$x, aligned_data$relevance, aligned_data$query,
                        weight = rep(0.01, nrow(aligned_data$x)))
  for (solver in c("aligned", "values", "pointwise")) {
    expected <- predict(fit(update(spec, solver = solver), aligned_data, seed = 3,
                            verbose = FALSE), aligned_data)
    found <- predict(fit(update(spec, solver = solver), light, seed = 3, verbose = FALSE),
                     aligned_data)
    expect_equal(found, expected, tolerance = 1e-8)
  }
  large <- fit(update(spec, ridge = 10), aligned_data, seed = 3, verbose = FALSE)
  expect_gt(max(abs(predict(large, aligned_data) - predict(
    fit(spec, aligned_data, seed = 3, verbose = FALSE), aligned_data))), 0.01)
})

test_that("screening all features changes nothing, and fewer features or pairs change the model", {
  spec <- yetirank(trees = 6, max_depth = 3, rankings = 20)
  expected <- predict(fit(spec, aligned_data, seed = 3, verbose = FALSE), aligned_data)
  with <- function(...) {
    predict(fit(update(spec, ...), aligned_data, seed = 3, verbose = FALSE), aligned_data)
  }
  expect_identical(with(screen = ncol(aligned_data$x)), expected)
  expect_false(identical(with(screen = 1), expected))
  expect_false(identical(with(pair_fraction = 0.5), expected))
})

test_that("solver = \"values\" searches like the pointwise solver, and sets values like the aligned solver", {
  first_tests <- function(solver, seed) {
    levels_of(replayed(yetirank(trees = 1, max_depth = 4, solver = solver, rankings = 15),
                       aligned_data, seed)$forest, 1)
  }
  other <- vapply(1:5, function(seed) {
    pointwise <- first_tests("pointwise", seed)
    expect_identical(first_tests("values", seed), pointwise)
    !identical(first_tests("aligned", seed), pointwise)
  }, NA)
  expect_gt(sum(other), 0)
})

# Checks the levels of all trees. Returns the features that have no cost at the end, and the largest shortfall of a
# level. The shortfall is the distance to the best allowed test, relative to the score. A tree uses the pairs whose
# documents are both drawn.
replay_limited <- function(spec, data, costs, groups, seed = 3) {
  x <- data$x
  run <- replayed(spec, data, seed)
  tests <- do.call(rbind, lapply(seq_len(ncol(x)), function(f) {
    data.frame(feature = f, threshold = naive_thresholds(x[, f]))
  }))
  positions <- content_positions(data)
  drawn_in <- function(round) {
    drawn <- rep(TRUE, nrow(x))
    for (q in if (spec$bagging_fraction < 1) seq_along(data$query_ids)) {
      rows <- which(data$query == q)
      drawn[rows] <- naive_drawn(positions[rows], seed, round, as.character(data$query_ids[q]), spec$bagging_fraction)
    }
    drawn
  }
  first <- NULL
  shortfall <- 0
  for (t in seq_len(spec$trees)) {
    scores <- run$x[, t]
    pairs <- aligned_round(spec, data, scores, t - 1)
    score_after <- function(pairs, leaf, test) {
      split <- paste(leaf, x[, test$feature] <= test$threshold)
      score_of(pairs, scores, match(split, unique(split)))
    }
    score_all <- function(pairs, leaf, which) {
      vapply(which, function(k) score_after(pairs, leaf, tests[k, ]), 0)
    }
    leaf <- rep(1, nrow(x))
    if (is.null(first)) first <- max(score_all(pairs, leaf, seq_len(nrow(tests))))
    drawn <- drawn_in(t - 1)
    used <- drawn[pairs$i] & drawn[pairs$j]
    pairs <- lapply(pairs, `[`, used)
    prices <- function(features) costs[features] * first * mean(drawn)^2
    score <- 0
    tested <- integer()
    levels <- levels_of(run$forest, t)
    for (level in seq_len(nrow(levels))) {
      test <- levels[level, ]
      allowed <- if (length(tested) == 0L) seq_len(ncol(x)) else {
        unlist(Filter(function(group) all(tested %in% group), groups))
      }
      expect_true(test$feature %in% allowed)
      which <- which(tests$feature %in% allowed)
      best <- max(score_all(pairs, leaf, which) - prices(tests$feature[which]))
      chosen <- score_after(pairs, leaf, test)
      shortfall <- max(shortfall, (best - (chosen - prices(test$feature))) / chosen)
      expect_gt(chosen - prices(test$feature), score)
      expect_equal(sum(run$forest$gain[nodes_of(run$forest, t)][node_levels(run$forest, t) == level]), chosen - score,
                   tolerance = 1e-6)
      score <- chosen
      costs[test$feature] <- 0
      tested <- c(tested, test$feature)
      split <- paste(leaf, x[, test$feature] <= test$threshold)
      leaf <- match(split, unique(split))
    }
  }
  list(shortfall = shortfall, free = costs == 0, model = run$model)
}
# The level of each node, from 1.
node_levels <- function(forest, t) {
  nodes <- nodes_of(forest, t)
  of <- match(paste(forest$feature, forest$threshold, forest$missing_left)[nodes],
              unique(paste(forest$feature, forest$threshold, forest$missing_left)[nodes]))
  of
}

test_that("a level of a pairwise tree has the cost of its feature once, and a tree has features of one group", {
  data <- withr::with_seed(4, {
    x <- matrix(sample(5, 160 * 5, TRUE), 160)
    ranking_data(x, pmin(2, pmax(0, round((x[, 1] + x[, 2]) / 4 + rnorm(160, sd = 0.5)))), rep(1:20, each = 8))
  })
  costs <- c(0.2, 0.05, 0, 0.3, 0.01)
  groups <- list(c(1, 3), c(2, 3, 4), c(4, 5))
  named <- lapply(groups, function(group) data$features[group])
  for (fraction in c(1, 0.6)) {
    spec <- yetirank(trees = 5, max_depth = 3, learning_rate = 0.3, rankings = 10, bagging_fraction = fraction,
                     feature_cost = costs, interaction_constraints = named)
    slow <- replay_limited(spec, data, costs, groups)
    expect_lte(slow$shortfall, 1e-7)
    expect_identical(unname(unpaid_costs(slow$model) == 0), slow$free)
    expect_equal(glance(slow$model)$feature_cost, sum(costs[slow$free]))
    free <- update(spec, feature_cost = NULL, interaction_constraints = NULL)
    expect_false(identical(fit(free, data, seed = 3)$forest, slow$model$forest))
  }
})

test_that("yetirank() with costs and groups is reproducible: threads, resumption, screening, the order of rows", {
  costs <- c(0.5, 0.02, 0.2, 0, 0.1, 0.05)
  groups <- list(aligned_data$features[1:3], aligned_data$features[3:6])
  back <- rev(seq_len(nrow(aligned_data$x)))
  turned <- ranking_data(aligned_data$x[back, ], aligned_data$relevance[back],
                         aligned_data$query_ids[aligned_data$query[back]])
  for (set in list(list(), list(screen = 2), list(solver = "values"), list(solver = "pointwise"), list(setup = "mse"))) {
    spec <- do.call(yetirank, c(list(trees = 8, max_depth = 3, learning_rate = 0.3, rankings = 10, feature_cost = costs,
                                     interaction_constraints = groups), set))
    whole <- fit(spec, aligned_data, seed = 1)
    expect_identical(fit(spec, aligned_data, seed = 1, threads = 3), whole)
    short <- fit(update(spec, trees = 3), aligned_data, seed = 1)
    expect_identical(fit(short, aligned_data, rounds = 8)$forest, whole$forest)
    expect_identical(fit(spec, turned, seed = 1)$forest, whole$forest)
    forest <- whole$forest
    for (t in 1:8) {
      names <- aligned_data$features[unique(forest$feature[nodes_of(forest, t)]) + 1L]
      expect_true(any(vapply(groups, function(group) all(names %in% group), NA)))
    }
    free <- update(spec, feature_cost = NULL, interaction_constraints = NULL)
    expect_false(identical(fit(free, aligned_data, seed = 1)$forest, forest))
    all_free <- update(spec, feature_cost = rep(0, 6), interaction_constraints = list(aligned_data$features))
    expect_identical(fit(all_free, aligned_data, seed = 1)$forest, fit(free, aligned_data, seed = 1)$forest)
  }
  expect_warning(stalled <- fit(yetirank(trees = 3, rankings = 5, feature_cost = rep(20, 6)), aligned_data, seed = 1),
                 class = "rankmix_warning_constant")
  expect_identical(stalled$status, "stalled")
})
