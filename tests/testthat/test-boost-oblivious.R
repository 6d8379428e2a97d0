# Gradients and hessians for given scores, by their formulas. For squared error the weights sum to 1, so gains are
# decreases of the mean squared residual.
oblivious_gradients <- function(spec, f, data) {
  w <- if (is.null(data$weight)) rep(1, nrow(data)) else data$weight[data$query]
  counts <- w > 0
  if (spec$objective$name == "squared") {
    w <- w / sum(w)
    return(list(g = w * (f - data$relevance), h = w, counts = counts, unit = 1))
  }
  g <- h <- numeric(nrow(data))
  for (i in seq_len(nrow(data))) {
    for (j in which(data$query == data$query[i] & data$relevance < data$relevance[i])) {
      p <- 1 / (1 + exp(f[i] - f[j]))
      g[c(i, j)] <- g[c(i, j)] + w[i] * c(-p, p)
      h[c(i, j)] <- h[c(i, j)] + w[i] * p * (1 - p)
    }
  }
  list(g = g, h = h, counts = counts, unit = 1 / 2)
}

node_score <- function(s, rows, l2) {
  h <- sum(s$h[rows]) + l2
  if (h > 0) sum(s$g[rows])^2 / h else 0
}

is_left <- function(test, x) {
  own <- x[, test$feature]
  ifelse(is.na(own), test$missing_left, own <= test$threshold)
}

# The gains of tests in each leaf, or NA if a side would have too few documents. The columns of `left` are tests.
gains_of_tests <- function(left, leaves, s, least, l2) {
  score <- function(sums) ifelse(sums[, 2L] + l2 > 0, sums[, 1L]^2 / (sums[, 2L] + l2), 0)
  of_leaf <- function(rows) {
    own <- cbind(s$g, s$h, s$counts)[rows, , drop = FALSE]
    sides <- left[rows, , drop = FALSE]
    a <- crossprod(sides, own)
    b <- crossprod(!sides, own)
    ifelse(a[, 3L] < least | b[, 3L] < least, NA, score(a) + score(b) - node_score(s, rows, l2))
  }
  matrix(vapply(leaves, of_leaf, numeric(ncol(left))), ncol(left))
}

# The features of all tests, and the documents on their left.
all_tests <- function(x) {
  tests <- lapply(seq_len(ncol(x)), function(feature) {
    naive_tests(x[, feature], naive_thresholds(x[, feature]), missing_alone = TRUE)$left
  })
  list(feature = rep(seq_len(ncol(x)), vapply(tests, ncol, 0L)), left = do.call(cbind, tests))
}

# The test of each level of a tree, with the nodes of the level.
levels_of_tree <- function(forest, t) {
  nodes <- seq(forest$node_begin[t] + 1L, length.out = diff(forest$node_begin)[t])
  test <- paste(forest$feature, forest$threshold, forest$missing_left)[nodes]
  runs <- rle(test)
  last <- cumsum(runs$lengths)
  lapply(seq_along(last), function(k) {
    of <- nodes[seq(to = last[k], length.out = runs$lengths[k])]
    list(feature = forest$feature[of[1]] + 1L, threshold = forest$threshold[of[1]],
         missing_left = forest$missing_left[of[1]] == 1L, nodes = of)
  })
}

# The largest change of a leaf value by rounding. Without weights, residuals are multiples of 2^-36 of the sum of their
# magnitudes. So are the contributions of trees.
rounding_of_values <- function(model, data) {
  spec <- model$spec
  if (spec$objective$name != "squared" || spec$precision == "double" || !is.null(data$weight)) {
    return(1e-10)
  }
  y <- data$relevance
  sum(abs(y - mean(y))) * 2^-36 * (0.5 + 0.5 / spec$learning_rate) + 1e-12
}

# The features that share a group with all features tested so far. The root may test any feature.
features_allowed <- function(tested, groups, features) {
  if (length(tested) == 0L) return(seq_len(features))
  sort(unique(unlist(Filter(function(group) all(tested %in% group), groups))))
}

# Checks a model tree by tree. Returns the scores and whether gains are reported correctly. Also returns the largest
# shortfall of a level against the best test, relative to the sum of gradients. `costs` are the feature costs, which
# are paid once. All features of a tree are in one of the `groups`.
replay_oblivious <- function(model, data, least, costs = numeric(ncol(data$x)), groups = list(seq_len(ncol(data$x)))) {
  x <- data$x
  spec <- model$spec
  forest <- model$forest
  tests <- all_tests(x)
  f <- rep(model$start, nrow(x))
  shortfall <- 0
  first_gain <- NULL
  for (t in seq_len(length(forest$node_begin) - 1L)) {
    s <- oblivious_gradients(spec, f, data)
    gains <- function(left, leaves) gains_of_tests(left, leaves, s, least, spec$lambda_l2)
    leaves <- list(seq_len(nrow(x)))
    levels <- levels_of_tree(forest, t)
    if (is.null(first_gain)) first_gain <- max(0, gains(tests$left, leaves), na.rm = TRUE)
    tested <- integer()
    best_test <- function() {
      allowed <- features_allowed(tested, groups, ncol(x))
      reduced <- rowSums(gains(tests$left, leaves), na.rm = TRUE) - costs[tests$feature] * first_gain
      max(ifelse(tests$feature %in% allowed, reduced, 0))
    }
    for (test in levels) {
      left <- is_left(test, x)
      own <- drop(gains(cbind(left), leaves))
      best <- best_test()
      split_leaves <- which(!is.na(own))
      expect_identical(length(test$nodes), length(split_leaves))
      reported <- abs(own[split_leaves] * s$unit - forest$gain[test$nodes])
      price <- costs[test$feature] * first_gain
      shortfall <- max(shortfall, c(best - (sum(own, na.rm = TRUE) - price), reported) / sum(abs(s$g)))
      expect_true(test$feature %in% features_allowed(tested, groups, ncol(x)))
      tested <- c(tested, test$feature)
      costs[test$feature] <- 0
      for (leaf in split_leaves) {
        rows <- leaves[[leaf]]
        leaves[[leaf]] <- rows[left[rows]]
        leaves[[length(leaves) + 1L]] <- rows[!left[rows]]
      }
    }
    if (length(levels) < spec$max_depth) {
      shortfall <- max(shortfall, best_test() / sum(abs(s$g)))
    }
    values <- forest$values[seq(forest$leaf_begin[t] + 1L, forest$leaf_begin[t + 1L])]
    expect_identical(length(values), length(leaves))
    counted <- vapply(leaves, function(rows) sum(s$counts[rows]), 0L)
    expect_identical(forest$leaf_documents[forest$leaf_begin[t] + seq_along(leaves)], counted)
    for (leaf in seq_along(leaves)) {
      rows <- leaves[[leaf]]
      h <- sum(s$h[rows]) + spec$lambda_l2
      step <- if (h > 0) -sum(s$g[rows]) / h else 0
      expect_lte(abs(values[leaf] - step), rounding_of_values(model, data))
      f[rows] <- f[rows] + spec$learning_rate * values[leaf]
    }
  }
  list(shortfall = shortfall, f = f, free = costs == 0)
}

oblivious <- function(..., trees = 4, max_depth = 4, min_data_in_leaf = 2) {
  gbrt(trees, ..., max_depth = max_depth, min_data_in_leaf = min_data_in_leaf, growth = "oblivious")
}

test_that("every level is the best test of all leaves together, and leaves are steps", {
  skip_if_quick()
  for (seed in draws(6)) {
    for (precision in c("single", "double")) {
      data <- random_data(queries = 15, missing = 0.15, distinct = if (seed %% 2 == 0) 4 else Inf,
                          seed = seed)
      for (weighted in c(FALSE, TRUE)) {
        if (weighted) data$weight <- rep_len(c(1, 0, 2.5), length(data$query_ids))
        for (spec in list(oblivious(precision = precision, learning_rate = 0.4),
                          oblivious(precision = precision, min_data_in_leaf = 1),
                          oblivious(precision = precision, objective = loss_pairwise(), lambda_l2 = 0.5),
                          oblivious(precision = precision, objective = loss_pairwise()))) {
          model <- fit(spec, data, seed = 1)
          slow <- replay_oblivious(model, data, spec$min_data_in_leaf)
          # Gradients and hessians are rounded to 2^-30 of their sums.
          expect_lte(slow$shortfall, 1e-7)
          expect_equal(predict(model, data), slow$f, tolerance = 1e-9)
        }
      }
    }
  }
})

test_that("a level has the cost of its feature once, and all features of a tree are in a group", {
  skip_if_quick()
  costs <- c(0.1, 0.4, 0.01, 0, 0.05)
  groups <- list(1:2, 2:4, c(4, 5))
  for (seed in draws(4)) {
    data <- random_data(queries = 15, features = 5, missing = if (seed %% 2 == 0) 0.15 else 0, seed = seed)
    named <- lapply(groups, function(group) data$features[group])
    for (precision in c("single", "double")) {
      for (objective in list(loss_squared(), loss_pairwise())) {
        spec <- oblivious(trees = 5, learning_rate = 0.4, precision = precision, objective = objective)
        for (limits in list(list(feature_cost = costs), list(interaction_constraints = named),
                            list(feature_cost = costs, interaction_constraints = named))) {
          model <- fit(do.call(update, c(list(spec), limits)), data, seed = 1)
          slow <- replay_oblivious(model, data, 2, if (is.null(limits$feature_cost)) numeric(5) else costs,
                                   if (is.null(limits$interaction_constraints)) list(1:5) else groups)
          expect_lte(slow$shortfall, 1e-7)
          expect_equal(predict(model, data), slow$f, tolerance = 1e-9)
          expect_false(identical(model$forest, fit(spec, data, seed = 1)$forest))
          if (!is.null(limits$feature_cost)) {
            expect_identical(unname(unpaid_costs(model) == 0), slow$free)
            expect_equal(glance(model)$feature_cost, sum(costs[slow$free]))
          }
        }
      }
    }
  }
})

test_that("oblivious trees of depth 1 with costs agree with trees of two leaves", {
  costs <- c(0.4, 0.02, 0.2, 0)
  for (seed in draws(4)) {
    data <- random_data(queries = 40, missing = 0.1, seed = seed)
    for (objective in list(loss_squared(), loss_pairwise(), loss_softmax())) {
      spec <- oblivious(trees = 12, max_depth = 1, objective = objective, bagging_fraction = 0.7, feature_cost = costs)
      two <- gbrt(12, num_leaves = 2, min_data_in_leaf = 2, objective = objective, bagging_fraction = 0.7,
                  feature_cost = costs)
      expect_identical(fit(spec, data, seed = 1)$forest, fit(two, data, seed = 1)$forest)
    }
  }
})

test_that("costs and groups keep oblivious trees reproducible: threads, resumption, samples, factors, files", {
  data <- random_data(queries = 40, features = 6, missing = 0.1, seed = 3)
  costs <- c(0.5, 0.02, 0.2, 0, 0.1, 0.05)
  limited <- function(...) {
    oblivious(trees = 12, max_depth = 3, feature_cost = costs,
              interaction_constraints = list(data$features[1:3], data$features[3:6]), ...)
  }
  for (spec in list(limited(), limited(bagging_fraction = 0.5), limited(objective = loss_pairwise()),
                    limited(dropout = 0.3), limited(objective = loss_lambda(), precision = "double"))) {
    whole <- fit(spec, data, seed = 1)
    expect_identical(fit(spec, data, seed = 1, threads = 3), whole)
    short <- fit(update(spec, trees = 5), data, seed = 1)
    expect_identical(fit(short, data, rounds = 12)$forest, whole$forest)
  }
  file <- withr::local_tempfile(fileext = ".json")
  write_model(whole, file)
  expect_identical(glance(read_model(file))$feature_cost, glance(whole)$feature_cost)
  expect_identical(format(read_model(file)$spec), format(whole$spec))
  free <- update(whole$spec, feature_cost = rep(0, 6), interaction_constraints = list(data$features))
  none <- update(free, feature_cost = NULL, interaction_constraints = NULL)
  expect_identical(fit(free, data, seed = 1)$forest, fit(none, data, seed = 1)$forest)
})

test_that("oblivious trees of depth 1 agree with trees of two leaves", {
  for (seed in draws(4)) {
    data <- random_data(queries = 40, missing = 0.1, seed = seed)
    for (objective in list(loss_squared(), loss_pairwise(), loss_softmax())) {
      one <- fit(oblivious(trees = 12, max_depth = 1, objective = objective), data, seed = 1)
      two <- fit(gbrt(12, num_leaves = 2, min_data_in_leaf = 2, objective = objective), data, seed = 1)
      expect_identical(one$forest, two$forest)
    }
  }
})

test_that("threads, the order of rows and sparse features change nothing", {
  skip_if_quick()
  case <- sparse_case()
  dense <- ranking_data(as.matrix(case$x), case$relevance, case$query)
  sparse <- ranking_data(case$x, case$relevance, case$query)
  back <- rev(seq_len(nrow(dense)))
  turned <- ranking_data(as.matrix(case$x)[back, ], case$relevance[back], case$query[back])
  for (objective in list(loss_squared(), loss_softmax())) {
    spec <- oblivious(trees = 15, max_depth = 6, objective = objective, min_data_in_leaf = 5)
    one <- fit(spec, dense, seed = 1, threads = 1)
    expect_gt(max(diff(one$forest$leaf_begin)), 10)
    expect_identical(fit(spec, dense, seed = 1, threads = 3), one)
    expect_identical(fit(spec, sparse, seed = 1)$forest, one$forest)
    expect_identical(predict(one, sparse), predict(one, dense))
    expect_identical(fit(spec, turned, seed = 1)$forest, one$forest)
    part <- update(spec, bagging_fraction = 0.5, feature_fraction = 0.4)
    sampled <- fit(part, dense, seed = 1, threads = 1)
    expect_false(identical(sampled$forest, one$forest))
    expect_identical(fit(part, dense, seed = 1, threads = 3), sampled)
    expect_identical(fit(part, sparse, seed = 1)$forest, sampled$forest)
  }
})

test_that("kept sums of the root agree with the rows", {
  # The sums of the root are kept in single precision if a histogram for each leaf is small.
  data <- random_data(queries = 150, features = 5, missing = 0.1, seed = 8)
  parts <- c("feature", "threshold", "left", "right", "missing_left")
  for (depth in 1:3) {
    single <- fit(oblivious(trees = 40, max_depth = depth, max_bin = 5), data, seed = 1)
    double <- fit(update(single$spec, precision = "double"), data, seed = 1)
    expect_identical(single$forest[parts], double$forest[parts])
    expect_lte(max(abs(predict(single, data) - predict(double, data))), 1e-7)
  }
})

test_that("trees with more leaves than kept histograms are the same", {
  skip_if_quick()
  # The buffer of 12 MB holds about 15 histograms of 400 features.
  set.seed(3)
  x <- matrix(rnorm(1500 * 400), 1500)
  x[sample(length(x), 50000)] <- NA
  data <- ranking_data(x, pmin(2, rpois(1500, 0.7)), rep(1:75, each = 20))
  model <- fit(oblivious(trees = 2, max_depth = 7, learning_rate = 1, min_data_in_leaf = 1), data, seed = 1)
  expect_gt(max(diff(model$forest$leaf_begin)), 60)
  # Features that no tree uses are constant, so they need no histograms.
  used <- sort(unique(model$forest$feature)) + 1L
  few <- ranking_data(x[, used], data$relevance, data$query)
  alone <- fit(model$spec, few, seed = 1)
  expect_identical(used[alone$forest$feature + 1L], model$forest$feature + 1L)
  parts <- c("threshold", "missing_left", "left", "right", "values", "leaf_documents")
  expect_identical(alone$forest[parts], model$forest[parts])
})

test_that("a leaf is not split where a side would have too few documents", {
  local_known_warnings("constant")
  data <- random_data(queries = 40, missing = 0.1, seed = 9)
  for (least in c(1, 5, 20)) {
    model <- fit(oblivious(trees = 6, max_depth = 6, min_data_in_leaf = least), data, seed = 1)
    expect_gte(min(model$forest$leaf_documents), least)
    for (t in 1:6) expect_lte(length(levels_of_tree(model$forest, t)), 6)
  }
  # Some levels split only some of the leaves.
  expect_lt(max(diff(model$forest$leaf_begin)), 2^6)
  flat <- ranking_data(cbind(a = rep(1, 8)), rep(0:1, 4), rep(1:2, each = 4))
  expect_identical(fit(oblivious(), flat)$status, "stalled")
})

test_that("models of oblivious trees resume, stop early, are read at stages and saved", {
  skip_if_quick()
  data <- random_data(queries = 60, missing = 0.1, seed = 4)
  valid <- random_data(queries = 30, seed = 5)
  valid$query_ids <- valid$query_ids + 1000
  for (objective in list(loss_squared(), loss_pairwise())) {
    spec <- oblivious(trees = 40, learning_rate = 0.05, bagging_fraction = 0.6, objective = objective)
    whole <- fit(spec, data, valid, seed = 1, patience = 1000)
    half <- fit(update(spec, trees = 15), data, seed = 1)
    expect_identical(fit(half, data, valid, rounds = 40, patience = 1000), whole)
    stages <- predict(whole, valid, rounds = c(10, 25, 40))
    expect_identical(unname(stages[, 2]), predict(whole, valid, rounds = 25))
    expect_identical(whole$best_rounds, whole$curve$rounds[which.max(whole$curve$value)])
    stopped <- fit(update(spec, trees = 2000, learning_rate = 0.5), data, valid, patience = 20)
    expect_identical(stopped$status, "stopped")
    path <- withr::local_tempfile()
    saveRDS(whole, path)
    expect_identical(predict(readRDS(path), data), predict(whole, data))
    expect_equal(sum(tidy(half)$gain), sum(half$forest$gain))
  }
})

test_that("specifications of oblivious trees print and are updated, and wrong settings are refused", {
  expect_identical(format(gbrt(growth = "oblivious")),
                   "gbrt(trees = 500, learning_rate = 0.1, growth = \"oblivious\")")
  expect_identical(format(gbrt(max_depth = 3, growth = "oblivious")),
                   "gbrt(trees = 500, max_depth = 3, learning_rate = 0.1, growth = \"oblivious\")")
  expect_identical(update(gbrt(), growth = "oblivious"), gbrt(growth = "oblivious"))
  expect_identical(update(gbrt(growth = "oblivious"), growth = "leaves"), gbrt())
  expect_identical(update(gbrt(max_depth = 4), growth = "oblivious"),
                   gbrt(max_depth = 4, growth = "oblivious"))
  expect_false(gbrt(max_depth = 6) == gbrt(growth = "oblivious"))
  expect_identical(names(tuning_grid(gbrt(growth = "oblivious"))), "learning_rate")
  expect_true("num_leaves" %in% names(tuning_grid(gbrt())))
  expect_snapshot(error = TRUE, {
    gbrt(num_leaves = 8, growth = "oblivious")
    gbrt(max_depth = 11, growth = "oblivious")
    gbrt(monotone_constraints = c(a = 1), growth = "oblivious")
    gbrt(growth = "symmetric")
    update(gbrt(num_leaves = 8), growth = "oblivious")
  })
})
