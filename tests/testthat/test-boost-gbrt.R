# The gains of all splits of the given rows under squared error, and the best split.
naive_drops <- function(x, r, w, thresholds, least) {
  whole <- sum(w * r)^2 / sum(w)
  do.call(rbind, lapply(seq_len(ncol(x)), function(f) {
    tests <- naive_tests(x[, f], thresholds[[f]])
    # Rows are tests. The columns are sums of w r, of w, and of documents that count.
    left <- crossprod(tests$left, cbind(w * r, w, w > 0))
    right <- crossprod(!tests$left, cbind(w * r, w, w > 0))
    drops <- data.frame(feature = rep(f, length(tests$threshold)), threshold = tests$threshold,
                        missing_left = tests$missing_left,
                        drop = left[, 1L]^2 / left[, 2L] + right[, 1L]^2 / right[, 2L] - whole)
    drops[left[, 3L] >= least & right[, 3L] >= least, ]
  }))
}

# The largest change of a leaf value by rounding. In single precision without weights, residuals are multiples of 2^-36
# of the sum of their magnitudes. So are the contributions of trees.
rounding_of_leaves <- function(model, data) {
  if (model$spec$precision == "double" || !is.null(data$weight)) {
    return(1e-12)
  }
  y <- data$relevance
  sum(abs(y - mean(y))) * 2^-36 * (0.5 + 0.5 / model$spec$learning_rate) + 1e-12
}

# Checks a model tree by tree. Returns the predictions and the largest shortfall of a split against the best split of
# its leaf.
replay_gbrt <- function(model, data, least) {
  x <- data$x
  w <- if (is.null(data$weight)) rep(1, nrow(x)) else data$weight[data$query]
  w <- w / sum(w)
  y <- data$relevance
  f <- rep(sum(w * y), nrow(x))
  thresholds <- lapply(seq_len(ncol(x)), function(j) naive_thresholds(x[, j]))
  forest <- model$forest
  shortfall <- 0
  for (t in seq_len(length(forest$node_begin) - 1L)) {
    r <- y - f
    nodes <- seq(forest$node_begin[t], length.out = diff(forest$node_begin)[t])
    rows <- list("0" = seq_len(nrow(x)))
    h <- rep(NA_real_, nrow(x))
    for (k in seq_along(nodes) - 1L) {
      node <- nodes[k + 1L] + 1L
      at <- rows[[as.character(k)]]
      drops <- naive_drops(x[at, , drop = FALSE], r[at], w[at], thresholds, least)
      best <- max(drops$drop)
      values <- x[at, forest$feature[node] + 1L]
      left <- ifelse(is.na(values), forest$missing_left[node] == 1L,
                     values <= forest$threshold[node])
      node_score <- function(i) sum(w[i] * r[i])^2 / sum(w[i])
      drop <- node_score(at[left]) + node_score(at[!left]) - node_score(at)
      shortfall <- max(shortfall, best - drop, abs(drop - forest$gain[node]))
      for (side in c("left", "right")) {
        child <- forest[[side]][node]
        inside <- if (side == "left") at[left] else at[!left]
        if (child >= 0L) {
          rows[[as.character(child)]] <- inside
        } else {
          value <- forest$values[forest$leaf_begin[t] - child]
          mean <- sum(w[inside] * r[inside]) / sum(w[inside])
          expect_lte(abs(value - mean), rounding_of_leaves(model, data))
          h[inside] <- value
        }
      }
    }
    f <- f + model$spec$learning_rate * h
  }
  list(shortfall = shortfall, f = f)
}

test_that("every split of gbrt() is the best, and leaves are mean residuals", {
  for (seed in draws(4)) {
    for (precision in c("single", "double")) {
      data <- random_data(queries = 20, missing = 0.1, seed = seed)
      model <- fit(gbrt(5, num_leaves = 6, learning_rate = 0.3, min_data_in_leaf = 3,
                        precision = precision), data)
      slow <- replay_gbrt(model, data, 3)
      expect_lte(slow$shortfall, 1e-8)
      expect_equal(predict(model, data), slow$f, tolerance = 1e-10)
    }
  }
})

# Both precisions must find the same splits, also over many rounds.
expect_same_precisions <- function(data, ...) {
  single <- fit(gbrt(precision = "single", ...), data, seed = 1)
  double <- fit(gbrt(precision = "double", ...), data, seed = 1)
  parts <- c("feature", "threshold", "left", "right", "missing_left")
  expect_identical(single$forest[parts], double$forest[parts])
  expect_lte(max(abs(predict(single, data) - predict(double, data))), 1e-7)
  single
}

test_that("sums stay precise when residuals vanish or grow", {
  set.seed(2)
  x <- matrix(runif(1800), 600)
  grade <- pmin(4, floor(5 * x[, 1] * x[, 2] + x[, 3]))
  exact <- ranking_data(x, grade, rep(1:30, each = 20))
  model <- expect_same_precisions(exact, trees = 150, num_leaves = 12, min_data_in_leaf = 1, learning_rate = 0.7)
  expect_lt(mean(abs(grade - predict(model, exact))), 0.01 * mean(abs(grade - mean(grade))))
  # Three documents have large residuals. Leaves need 40 documents, so trees spread these residuals to other documents.
  x <- matrix(rnorm(180000), 3000)
  grade <- rep(c(4, 0), c(3, 2997))
  few <- ranking_data(x, grade, rep(1:30, each = 100))
  model <- expect_same_precisions(few, trees = 60, num_leaves = 4, min_data_in_leaf = 40, learning_rate = 0.5)
  expect_gt(mean(abs(grade - predict(model, few))), 3 * mean(abs(grade - mean(grade))))
})

test_that("kept sums of the root agree with the rows", {
  # Stumps, bounded depth, and rounds that use a fraction of the features or documents. The sums of the root are kept
  # if a histogram for each leaf is small, so there are few bins.
  data <- random_data(queries = 150, features = 5, missing = 0.1, seed = 8)
  expect_same_precisions(data, trees = 20, num_leaves = 2, min_data_in_leaf = 3, max_bin = 10)
  expect_same_precisions(data, trees = 20, max_depth = 3, min_data_in_leaf = 3, max_bin = 10)
  expect_same_precisions(data, trees = 20, num_leaves = 9, max_depth = 4, feature_fraction = 0.5, max_bin = 5)
  expect_same_precisions(data, trees = 20, num_leaves = 6, bagging_fraction = 0.5, max_bin = 10)
})

test_that("weights of queries change the trees of gbrt()", {
  data <- random_data(queries = 20, seed = 2)
  data$weight <- seq(0.5, 2, length.out = 20)
  for (precision in c("single", "double")) {
    model <- fit(gbrt(4, num_leaves = 4, min_data_in_leaf = 2, precision = precision), data)
    slow <- replay_gbrt(model, data, 2)
    # Residuals are rounded to 2^-30 of the sum of their magnitudes in single precision, and 2^22 times finer in double
    # precision. Weights are rounded to 2^-30 of their sum.
    expect_lte(slow$shortfall, if (precision == "single") 1e-6 else 1e-8)
    expect_equal(predict(model, data), slow$f, tolerance = 1e-10)
  }
})

test_that("a document of weight 2 acts as two copies, and a document of weight 0 is absent", {
  data <- random_data(queries = 25, missing = 0.1, seed = 6)
  data$weight <- rep_len(c(1, 2, 0), length(data$query_ids))
  again <- which(data$weight[data$query] == 2)
  rows <- c(which(data$weight[data$query] > 0), again)
  query <- c(data$query[rows[seq_len(length(rows) - length(again))]], data$query[again] + 1000)
  copies <- ranking_data(data$x[rows, ], data$relevance[rows], query)
  for (precision in c("single", "double")) {
    spec <- gbrt(10, num_leaves = 5, min_data_in_leaf = 1, learning_rate = 0.5, precision = precision)
    weighted <- fit(spec, data)
    copied <- fit(spec, copies)
    parts <- c("feature", "left", "right")
    expect_identical(weighted$forest[parts], copied$forest[parts])
    # In each of ten boosting rounds, residuals are rounded to 2^-36 of the sum of their magnitudes. This is 2^-36 n of
    # the average magnitude. Documents of weight 0 are not compared, because they move thresholds between values.
    seen <- data$weight[data$query] > 0
    expect_lte(max(abs(predict(weighted, data) - predict(copied, data))[seen]),
               10 * 2^-36 * nrow(copies) * max(data$relevance))
  }
})

test_that("leaf sizes count documents, whatever the weights", {
  local_known_warnings("constant")
  n <- 20
  data <- ranking_data(cbind(a = seq_len(n)), rep(0:1, each = n / 2), seq_len(n))
  data$weight <- rep(c(1e-3, 1), each = n / 2)
  allowed <- fit(gbrt(1, num_leaves = 2, min_data_in_leaf = n / 2), data)
  expect_identical(allowed$forest$threshold, n / 2 + 0.5)
  expect_identical(fit(gbrt(1, num_leaves = 2, min_data_in_leaf = n / 2 + 1), data)$status, "stalled")
  data$weight[1:4] <- 0
  threshold <- function(least) {
    fit(gbrt(1, num_leaves = 2, min_data_in_leaf = least), data)$forest$threshold
  }
  # The best split has 6 and 10 documents of positive weight on its sides. The middle split has 8 on each side.
  expect_identical(threshold(6), n / 2 + 0.5)
  expect_identical(threshold(7), n / 2 + 1.5)
  expect_identical(threshold(8), n / 2 + 2.5)
  expect_identical(threshold(9), numeric())
})

test_that("depth bounds trees, and gives the same trees as leaves without a bound", {
  data <- random_data(queries = 60, seed = 3)
  deep <- fit(gbrt(5, max_depth = 3, min_data_in_leaf = 1), data)
  expect_lte(max(diff(deep$forest$leaf_begin)), 8)
  bounded <- fit(gbrt(5, num_leaves = 8, max_depth = 3, min_data_in_leaf = 1), data)
  expect_identical(deep$forest, bounded$forest)
  depth <- function(node, tree) {
    at <- tree$node_begin[1] + node + 1L
    below <- c(tree$left[at], tree$right[at])
    1 + max(0, vapply(below[below >= 0], depth, 0, tree = tree))
  }
  expect_identical(depth(0L, deep$forest), 3)
  free <- fit(gbrt(5, num_leaves = 8, min_data_in_leaf = 1), data)
  expect_gt(depth(0L, free$forest), 3)
})

test_that("gbrt() gives the same model on any number of threads, and chooses the best number of trees", {
  data <- random_data(queries = 80, seed = 4)
  valid <- random_data(queries = 30, seed = 5)
  valid$query_ids <- valid$query_ids + 1000
  spec <- gbrt(60, num_leaves = 5, min_data_in_leaf = 5, feature_fraction = 0.7, bagging_fraction = 0.6)
  one <- fit(spec, data, validation = valid, seed = 3, threads = 1)
  four <- fit(spec, data, validation = valid, seed = 3, threads = 4)
  expect_identical(one, four)
  expect_false(identical(one$forest, fit(spec, data, seed = 4)$forest))
  expect_identical(one$best_rounds, one$curve$rounds[which.max(one$curve$value)])
  # The curve uses the mean over the orders of tied documents.
  averaged <- metric_ndcg(10, ties = "average")
  expect_equal(summary(evaluate(one, valid, averaged))$mean, max(one$curve$value))
  stopped <- fit(gbrt(2000, num_leaves = 4), data, validation = valid, patience = 20)
  expect_identical(stopped$status, "stopped")
  path <- withr::local_tempfile()
  saveRDS(one, path)
  expect_identical(predict(readRDS(path), data), predict(one, data))
})

test_that("gbrt() stops where nothing can be split, and orders an easy case", {
  local_known_warnings("constant")
  flat <- ranking_data(cbind(a = rep(1, 8)), c(0, 1, 0, 1, 0, 1, 0, 1), rep(1:2, each = 4))
  model <- fit(gbrt(10, num_leaves = 4, min_data_in_leaf = 1), flat)
  expect_identical(model$status, "stalled")
  expect_equal(predict(model, flat), rep(0.5, 8))
  easy <- ranking_data(cbind(a = 1:8), rep(0:1, each = 4), rep(1:2, 4))
  model <- fit(gbrt(400, num_leaves = 2, learning_rate = 0.5, min_data_in_leaf = 1), easy)
  expect_equal(predict(model, easy), rep(c(0, 1), each = 4))
  expect_identical(predict(model, easy, type = "rank"),
                   c(3L, 3L, 4L, 4L, 1L, 1L, 2L, 2L))
  expect_identical(tidy(model)$feature, "a")
})

test_that("a leaf of exactly min_data_in_leaf documents is allowed", {
  local_known_warnings("constant")
  for (n in c(8, 12, 20, 36)) {
    data <- ranking_data(cbind(a = seq_len(n)), rep(0:1, each = n / 2), rep(1, n))
    allowed <- fit(gbrt(1, num_leaves = 2, min_data_in_leaf = n / 2), data)
    expect_identical(allowed$forest$threshold, n / 2 + 0.5)
    expect_identical(fit(gbrt(1, num_leaves = 2, min_data_in_leaf = n / 2 + 1), data)$status, "stalled")
  }
})

test_that("gbrt() stops where nothing but rounding is left", {
  data <- ranking_data(cbind(a = 1:8), rep(0:1, each = 4), rep(1:2, 4))
  model <- fit(gbrt(5000, num_leaves = 2, learning_rate = 0.9, min_data_in_leaf = 1), data)
  expect_identical(model$status, "stalled")
  expect_equal(predict(model, data), rep(c(0, 1), each = 4), tolerance = 1e-12)
})

test_that("every option of gbrt() changes the model", {
  data <- random_data(queries = 60, features = 6, seed = 7)
  forest <- function(...) fit(gbrt(8, num_leaves = 5, min_data_in_leaf = 4, ...), data, seed = 1)$forest
  default <- forest()
  expect_false(identical(forest(max_bin = 8)$threshold, default$threshold))
  expect_false(identical(forest(feature_fraction = 0.3)$feature, default$feature))
  expect_false(identical(forest(bagging_fraction = 0.5)$values, default$values))
  # The splits are the same, but gains are more precise.
  exact <- forest(precision = "double")
  expect_identical(exact$feature, default$feature)
  expect_false(identical(exact$gain, default$gain))
  expect_equal(exact$gain, default$gain, tolerance = 1e-6)
})

test_that("gbrt() prints, and refuses impossible settings", {
  expect_identical(format(gbrt()), "gbrt(trees = 500, num_leaves = 31, learning_rate = 0.1)")
  expect_identical(format(gbrt(max_depth = 4, min_data_in_leaf = 1)),
                   "gbrt(trees = 500, max_depth = 4, learning_rate = 0.1, min_data_in_leaf = 1)")
  refuse <- function(code) expect_error(code, class = "rankmix_error_argument")
  refuse(gbrt(trees = 0))
  refuse(gbrt(num_leaves = 1))
  refuse(gbrt(max_depth = 0))
  refuse(gbrt(learning_rate = 0))
  refuse(gbrt(max_bin = 256))
  refuse(gbrt(min_data_in_leaf = 0))
  refuse(gbrt(bagging_fraction = 1.5))
  refuse(gbrt(precision = "half"))
  model <- fit(gbrt(2), random_data())
  refuse(predict(model, random_data(), type = "raw"))
})

test_that("queries are drawn whole, whatever their order", {
  data <- random_data(queries = 60, features = 4, missing = 0.1, seed = 5)
  for (objective in list(loss_squared(), loss_pairwise())) {
    spec <- gbrt(10, num_leaves = 6, min_data_in_leaf = 2, query_fraction = 0.5, objective = objective)
    model <- fit(spec, data, seed = 1)
    turned <- data[rev(seq_along(data$query_ids))]
    again <- fit(spec, turned, seed = 1, threads = 3)
    expect_identical(model$forest, again$forest)
    expect_false(identical(model$forest, fit(spec, data, seed = 2)$forest))
    expect_false(identical(model$forest, fit(update(spec, query_fraction = 1), data)$forest))
  }
})

test_that("fractions of documents are drawn by their content, whatever the order of the rows", {
  data <- random_data(queries = 60, features = 4, missing = 0.1, seed = 5)
  turned <- data[rev(seq_along(data$query_ids))]
  scattered <- withr::with_seed(1, order(sample(60)[data$query] + runif(nrow(data$x)) / 2))
  moved <- ranking_data(data$x[scattered, ], data$relevance[scattered],
                        data$query_ids[data$query[scattered]])
  for (objective in list(loss_squared(), loss_pairwise(), loss_lambda(metric_ndcg(5)))) {
    for (growth in c("leaves", "oblivious")) {
      spec <- gbrt(10, max_depth = 3, min_data_in_leaf = 2, bagging_fraction = 0.5, growth = growth,
                   objective = objective)
      model <- fit(spec, data, seed = 1)
      expect_identical(fit(spec, turned, seed = 1, threads = 3)$forest, model$forest)
      expect_false(identical(fit(spec, data, seed = 2)$forest, model$forest))
      expect_identical(fit(spec, moved, seed = 1)$forest, model$forest)
    }
  }
})

test_that("a tree on a fraction of documents splits as a tree of these documents alone", {
  data <- random_data(queries = 12, features = 2, seed = 6)
  r <- data$relevance - mean(data$relevance)
  thresholds <- lapply(1:2, function(j) naive_thresholds(data$x[, j]))
  positions <- content_positions(data)
  for (seed in 1:6) {
    drawn <- logical(nrow(data$x))
    for (q in seq_along(data$query_ids)) {
      rows <- which(data$query == q)
      drawn[rows] <- naive_drawn(positions[rows], seed, 0,
                                 as.character(data$query_ids[q]), 0.4)
    }
    slow <- naive_best_drop(data$x, r, drawn, thresholds)
    model <- fit(gbrt(1, num_leaves = 2, min_data_in_leaf = 1, bagging_fraction = 0.4,
                      precision = "double"), data, seed = seed)
    expect_equal(model$forest$gain, slow[[1L]] / nrow(data$x), tolerance = 1e-7)
    expect_identical(as.numeric(model$forest$feature) + 1, as.numeric(slow[[2L]]))
  }
})

test_that("a tree on a fraction of queries splits like a tree of these queries alone", {
  data <- random_data(queries = 7, features = 2, seed = 6)
  r <- data$relevance - mean(data$relevance)
  thresholds <- lapply(1:2, function(j) naive_thresholds(data$x[, j]))
  subsets <- as.matrix(expand.grid(rep(list(c(FALSE, TRUE)), 7)))
  slow <- t(apply(subsets, 1, function(drawn) {
    naive_best_drop(data$x, r, drawn[data$query], thresholds)
  }))
  sizes <- vapply(1:60, function(seed) {
    model <- fit(gbrt(1, num_leaves = 2, min_data_in_leaf = 1, query_fraction = 0.4,
                      precision = "double"), data, seed = seed)
    same <- abs(slow[, 1] / nrow(data$x) - model$forest$gain) < 1e-8 &
      slow[, 2] == model$forest$feature + 1
    expect_gt(sum(same, na.rm = TRUE), 0)
    mean(rowSums(subsets[which(same), , drop = FALSE]))
  }, 0)
  # Each of seven queries is drawn with probability 0.4. The tolerance is five standard errors.
  expect_lt(abs(mean(sizes) - 2.8), 5 * sqrt(7 * 0.4 * 0.6 / 60))
})

test_that("fractions that make no sense are refused", {
  expect_snapshot(error = TRUE, {
    gbrt(bagging_fraction = 0.5, query_fraction = 0.5)
    gbrt(query_fraction = 0)
  })
})

test_that("dropped trees and their factors agree with a slow reference", {
  data <- random_data(queries = 15, features = 3, seed = 9)
  for (precision in c("single", "double")) {
    spec <- gbrt(12, num_leaves = 4, learning_rate = 0.3, min_data_in_leaf = 2, dropout = 0.3,
                 precision = precision)
    model <- fit(spec, data, seed = 5)
    slow <- naive_dropout(model, 12)
    expect_gt(length(unlist(slow$dropped)), 5)
    expect_equal(rankmix:::round_weights(model), slow$weights, tolerance = 1e-12)
    again <- replay_dropout(model, data, 2)
    expect_lte(again$shortfall, 1e-7)
    expect_equal(predict(model, data), again$f, tolerance = 1e-10)
  }
  # Each round drops each earlier tree with probability 0.1. The tolerance is five standard errors.
  model$spec <- gbrt(200, dropout = 0.1)
  count <- length(unlist(naive_dropout(model, 200)$dropped))
  pairs <- 200 * 199 / 2
  expect_lt(abs(count - 0.1 * pairs), 5 * sqrt(0.1 * 0.9 * pairs))
})

test_that("with dropped trees, the first r rounds of a model are the model of r trees", {
  data <- random_data(queries = 50, features = 4, missing = 0.1, seed = 10)
  valid <- random_data(queries = 20, features = 4, missing = 0.1, seed = 11)
  valid$query_ids <- valid$query_ids + 1000
  for (objective in list(loss_squared(), loss_pairwise())) {
    spec <- gbrt(30, num_leaves = 5, learning_rate = 0.3, min_data_in_leaf = 2, dropout = 0.2,
                 objective = objective, monotone_constraints = if (objective$name == "squared") c(1, 0, 0, 0))
    model <- fit(spec, data, seed = 2)
    expect_identical(fit(spec, data, seed = 2, threads = 4), model)
    short <- fit(update(spec, trees = 10), data, seed = 2)
    stages <- predict(model, valid, rounds = c(30, 0, 10))
    expect_identical(stages[, 3], predict(short, valid))
    expect_identical(stages[, 1], predict(model, valid))
    expect_identical(stages[, 2], rep(model$start, nrow(valid$x)))
    further <- fit(short, data, rounds = 30)
    expect_identical(further$forest, model$forest)
    expect_identical(predict(further, valid), predict(model, valid))
    # Early stopping evaluates these models. A fit that resumes from a checkpoint gives the same model.
    watched <- fit(spec, data, valid, metric_ndcg(10), seed = 2, patience = 10, eval_every = 5)
    slow <- vapply(watched$curve$rounds, function(r) {
      summary(evaluate(fit(update(spec, trees = r), data, seed = 2), valid,
                       metric_ndcg(10, ties = "average")))$mean
    }, 0)
    expect_equal(watched$curve$value, slow, tolerance = 1e-12)
    file <- withr::local_tempfile()
    fit(update(spec, trees = 12), data, seed = 2, checkpoint = file, checkpoint_every = 4)
    resumed <- fit(spec, data, seed = 2, checkpoint = file, checkpoint_every = 4)
    expect_identical(resumed$forest, model$forest)
    expect_false(identical(fit(update(spec, dropout = 0), data, seed = 2)$forest, model$forest))
  }
  expect_error(gbrt(dropout = 1), class = "rankmix_error_argument")
})

test_that("subproblems of cocr() drop trees, and early stopping uses the same scores", {
  data <- random_data(queries = 40, features = 3, seed = 12)
  valid <- random_data(queries = 20, features = 3, seed = 13)
  valid$query_ids <- valid$query_ids + 1000
  spec <- cocr(gbrt(20, num_leaves = 4, min_data_in_leaf = 2, dropout = 0.3))
  model <- fit(spec, data, valid, metric_ndcg(10), seed = 1, patience = 20, eval_every = 10)
  slow <- summary(evaluate(predict(model, valid, rounds = 10), valid,
                           metric_ndcg(10, ties = "average")))$mean
  expect_equal(model$curve$value[model$curve$rounds == 10], slow, tolerance = 1e-12)
})

test_that("a fit with its own bins gives the trees of a fit with shared bins", {
  # The binned matrix is so large that fit() reorders it in place.
  documents <- 60000L
  set.seed(5)
  x <- matrix(rnorm(documents * 72L), documents)
  data <- ranking_data(x, as.integer(x[, 1L] + x[, 2L] > 1.5), seq_len(documents) %/% 40L)
  shared <- rankmix:::bins_of(list(max_bin = 16), data, 2L)
  for (spec in list(lambdamart(metric_ndcg(5), trees = 13, num_leaves = 4, max_bin = 16),
                    gbrt(trees = 13, num_leaves = 4, max_bin = 16))) {
    sharing <- rankmix:::new_task(data, 1, 2L, bins = function(spec) shared)
    of_shared <- rankmix:::grow_gbrt(spec, sharing, NULL)
    alone <- rankmix:::new_task(data, 1, 2L)
    bins <- alone$bins(spec)
    alone$bins <- function(spec) bins
    of_own <- rankmix:::grow_gbrt(spec, alone, NULL)
    expect_identical(of_own, of_shared)
    # The bins cannot be read any more, because their row order has changed.
    expect_error(rankmix:::training_digest(bins, data$relevance, numeric(), 2L, NULL), "pointer")
  }
})
