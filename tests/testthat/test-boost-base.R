expect_same_rounds <- function(model, slow, data) {
  expect_lte(max(slow$shortfall), 1e-12)
  expect_equal(model$edge, slow$edge, tolerance = 1e-12)
  expect_equal(unname(predict(model, data, type = "raw")), slow$f, tolerance = 1e-11)
}

test_that("Hamming trees equal trees grown by trying every split", {
  for (seed in draws(5)) {
    for (leaves in c(2, 3, 7)) {
      data <- random_data(classes = 2 + seed, missing = 0.1, seed = seed)
      model <- fit(adaboost_mh(base_hamming_tree(leaves), rounds = 5, precision = "double"), data)
      slow <- replay_adaboost(model, data, leaves, "relevance", replay_hamming)
      expect_same_rounds(model, slow, data)
    }
  }
})

test_that("products agree with fitting each stump anew by trying every split", {
  tied <- 0L
  for (seed in draws(5)) {
    for (terms in c(2, 3, 6)) {
      data <- random_data(classes = 2 + seed %% 3, missing = 0.1, seed = seed)
      # Each query has its own weight, which leaves few ties.
      data <- ranking_data(data$x, data$relevance, data$query,
                           weight = (1 + sqrt(2) * seq_len(max(data$query)))[data$query])
      model <- fit(adaboost_mh(base_product(terms), rounds = 4, precision = "double"), data)
      slow <- replay_adaboost(model, data, terms, "relevance", replay_product)
      expect_same_rounds(model, slow, data)
      expect_lte(max(diff(model$forest$round_begin)), terms)
      tied <- tied + slow$tied
    }
  }
  # Ties weaken the comparison in `tied` of the 60 rounds.
  expect_lte(tied, 5L)
})

test_that("terms of a product that split the documents in the same way are distinguished", {
  # A feature and its mirror image give stumps with equal or opposite sides.
  for (seed in draws(4)) {
    data <- random_data(classes = 3, seed = seed)
    data$x[, 2] <- -data$x[, 1]
    data$x[, 4] <- -data$x[, 3]
    model <- fit(adaboost_mh(base_product(6), rounds = 4, precision = "double"), data)
    slow <- replay_adaboost(model, data, 6, "relevance", replay_product)
    expect_same_rounds(model, slow, data)
  }
})

test_that("products learn the exclusive or, which stumps cannot", {
  set.seed(1)
  x <- matrix(runif(800, -1, 1), 400)
  data <- ranking_data(x, as.integer(x[, 1] * x[, 2] > 0), rep(1:40, 10))
  stumps <- fit(adaboost_mh(base_stump(), rounds = 1, weights = "uniform"), data)
  products <- fit(adaboost_mh(base_product(2), rounds = 1, weights = "uniform"), data)
  expect_gt(products$edge, 2 * stumps$edge)
  # More terms and more cycles never lower the edge.
  edges <- vapply(1:5, function(m) {
    fit(adaboost_mh(base_product(m), rounds = 1), random_data(seed = 3))$edge
  }, numeric(1))
  expect_false(is.unsorted(edges))
})

test_that("a product of one term and a tree of two leaves are stumps", {
  data <- random_data(classes = 4, missing = 0.1)
  spec <- function(base) adaboost_mh(base, rounds = 15)
  stumps <- fit(spec(base_stump()), data)
  for (base in list(base_product(1), base_tree(2), base_hamming_tree(2))) {
    model <- fit(spec(base), data)
    expect_identical(model$alpha, stumps$alpha)
    expect_identical(predict(model, data), predict(stumps, data))
  }
})

test_that("base learners give the same model on any number of threads, and for sparse features", {
  skip_if_not_installed("Matrix")
  data <- example_part("train")
  sparse <- read_letor(system.file("extdata", "train.txt.gz", package = "rankmix"),
                       sparse = TRUE)
  for (base in list(base_hamming_tree(8), base_product(3), base_product(10))) {
    spec <- adaboost_mh(base, rounds = 10)
    one <- fit(spec, data, threads = 1)
    for (other in list(fit(spec, data, threads = 2), fit(spec, data, threads = 4),
                       fit(spec, sparse, threads = 2))) {
      expect_identical(other$forest, one$forest)
      expect_identical(other$alpha, one$alpha)
    }
    # Predictions for a few rounds equal the predictions of a shorter fit.
    short <- fit(adaboost_mh(base, rounds = 4), data)
    expect_identical(predict(one, data, rounds = 4), predict(short, data))
  }
})

test_that("constant features and perfect features are learned", {
  local_known_warnings("constant")
  flat <- ranking_data(matrix(1, 6, 2), c(0, 1, 2, 0, 0, 0), rep(1, 6))
  perfect <- ranking_data(matrix(1:6, 6, 2), c(0, 0, 0, 1, 1, 1), rep(1, 6))
  for (base in list(base_hamming_tree(4), base_product(3))) {
    expect_length(fit(adaboost_mh(base, rounds = 3), flat)$alpha, 3L)
    model <- fit(adaboost_mh(base, rounds = 3), perfect)
    expect_identical(model$edge[1], 1 - 1e-12)
    expect_identical(order(predict(model, perfect), decreasing = TRUE)[1:3], 4:6)
  }
})

test_that("base learners print and are checked", {
  expect_identical(format(base_hamming_tree(8)), "base_hamming_tree(8)")
  expect_identical(format(base_product(3)), "base_product(3)")
  expect_identical(format(base_stump()), "base_stump()")
  expect_identical(format(adaboost_mh(base_product(3))), "adaboost_mh(base_product(3))")
  refuse <- function(code) expect_snapshot_error(code, class = "rankmix_error_argument")
  refuse(base_hamming_tree(1))
  refuse(base_product(0))
  refuse(base_product(17))
  refuse(adaboost_mh("tree"))
})
