test_that("gains and numbers of splits are counted over the rounds that are used", {
  data <- random_data(queries = 40, features = 5)
  model <- fit(adaboost_mh(base_tree(5), rounds = 20), data)
  table <- tidy(model)
  expect_identical(sum(table$used), length(model$forest$feature))
  expect_identical(table$used[table$feature == "x1"], sum(model$forest$feature == 0L))
  expect_equal(sum(table$fraction), 1)
  expect_false(is.unsorted(-table$gain))
  # The edge of a stump is the edge of constant votes plus the gain of the stump.
  w <- naive_weights(data$relevance, 3, "relevance")
  y <- matrix(-1, length(data$relevance), 3)
  y[cbind(seq_along(data$relevance), data$relevance + 1)] <- 1
  stumps <- fit(adaboost_mh(base_stump(), rounds = 1), data)
  expect_equal(stumps$edge, sum(abs(colSums(w * y))) + stumps$forest$gain, tolerance = 1e-6)
  # The edge of a tree can be larger than this sum. Before its split, a leaf had the votes of the stump above it, and
  # not its own best votes.
  gains <- sum(model$forest$gain[seq_len(model$forest$node_begin[2])])
  expect_gte(model$edge[1], sum(abs(colSums(w * y))) + gains - 1e-6)
  model$best_rounds <- 3L
  expect_identical(sum(tidy(model)$used), model$forest$node_begin[4])
  model$best_rounds <- 1L
  expect_identical(glance(model)$features_used, nrow(tidy(model)))
  expect_lt(glance(model)$features_used, 5L)
})

test_that("the informative features come first", {
  simulation <- simulate_ranking(200, seed = 1)
  for (base in list(base_tree(8), base_hamming_tree(8), base_product(3))) {
    table <- tidy(fit(adaboost_mh(base, rounds = 50), simulation$data))
    expect_match(table$feature[1:8], "signal|query")
    expect_false("constant1" %in% table$feature)
  }
})

test_that("a fit is reported in a row", {
  train <- example_part("train")
  valid <- example_part("vali")
  model <- fit(adaboost_mh(base_tree(4), rounds = 50), train, validation = valid, seed = 1)
  row <- glance(model)
  expect_identical(row$rounds, 50L)
  expect_identical(row$best_rounds, model$best_rounds)
  expect_identical(row$value, max(model$curve$value))
  expect_equal(row$bound, prod(sqrt(1 - model$edge^2)))
  expect_identical(row$edge_last, model$edge[50])
  # The bound holds: the weighted Hamming error of the ensemble is below it.
  f <- predict(model, train, type = "raw", rounds = 50)
  w <- naive_weights(train$relevance, 4, "relevance")
  y <- matrix(-1, nrow(f), 4)
  y[cbind(seq_along(train$relevance), train$relevance + 1)] <- 1
  expect_lte(sum(w * (f * y <= 0)), row$bound)
})
