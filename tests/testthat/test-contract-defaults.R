# ?rankers describes the effects of row order and of weights. These tests check the description with default settings,
# on data whose features have thousands of distinct values.

many <- simulate_ranking(120, features = 6, seed = 21)$data
with_rows <- function(rows) {
  ranking_data(many$x[rows, ], many$relevance[rows], many$query[rows])
}
largest_change <- function(spec, one, other) {
  learned <- lapply(list(one, other), function(data) {
    predict(fit(spec, data, seed = 1, threads = 1, verbose = FALSE), many$x)
  })
  max(abs(learned[[1L]] - learned[[2L]])) / max(abs(learned[[1L]]))
}

test_that("the order of rows changes nothing by default", {
  shuffled <- with_rows(withr::with_seed(2, sample(nrow(many$x))))
  specs <- list(gbrt(10), lambdamart(trees = 10),
                rankboost(20), adaboost_mh(rounds = 10))
  for (spec in specs) {
    expect_identical(largest_change(spec, with_rows(seq_len(nrow(many$x))), shuffled), 0,
                     label = format(spec))
  }
  expect_lt(largest_change(linear_ranker(), many, shuffled), 1e-12)
  expect_lt(largest_change(mcsvm(), many, shuffled), 1e-6)
})

test_that("the order of rows changes nothing with random documents, noise or starts", {
  skip_if_quick()
  shuffled <- with_rows(withr::with_seed(2, sample(nrow(many$x))))
  specs <- list(gbrt(10, bagging_fraction = 0.5), gbrt(10, query_fraction = 0.5),
                gbrt(10, bagging_fraction = 0.5, objective = loss_pairwise()),
                lambdamart(metric_err(), trees = 5, bagging_fraction = 0.5),
                adaboost_mh(rounds = 10, bagging_fraction = 0.5), yetirank(trees = 5),
                bagging(gbrt(5, bagging_fraction = 0.5), times = 2),
                smoothrank(penalty = 0.1),
                smoothrank(start = "least_squares", schedule = 2^(3:-3), penalty = c(0, 0.01)))
  for (spec in specs) {
    expect_identical(largest_change(spec, with_rows(seq_len(nrow(many$x))), shuffled), 0,
                     label = format(spec))
  }
})

# `weight` is the number of copies of each query.
with_weight <- function(weight) {
  ranking_data(many$x, many$relevance, many$query, weight = weight[many$query])
}
with_copies <- function(weight) {
  rows <- rep(seq_len(nrow(many$x)), weight[many$query])
  copy <- sequence(weight[many$query])
  ranking_data(many$x[rows, ], many$relevance[rows], many$query[rows] + 1000 * (copy - 1))
}

test_that("whole weights equal copies of a query, with default settings", {
  expect_gte(sum(apply(many$x, 2L, function(values) length(unique(values))) > 1000L), 3L)
  monotone <- stats::setNames(1, many$features[1L])
  exact <- list(gbrt(10), gbrt(10, min_data_in_leaf = 1), gbrt(10, precision = "double"),
                gbrt(10, growth = "oblivious"), gbrt(5, monotone_constraints = monotone),
                gbrt(5, interaction_constraints = list(many$features[1:2]), feature_cost = rep(0.05, ncol(many$x))),
                gbrt(10, dropout = 0.3), adaboost_mh(rounds = 10),
                adaboost_mh(rounds = 5, precision = "double"),
                adaboost_mh(base_tree(8, votes = "confidence"), rounds = 10),
                adaboost_mh(base_hamming_tree(4), rounds = 5), adaboost_mh(base_product(2), rounds = 5))
  close <- list(lambdamart(trees = 10), lambdamart(trees = 10, min_data_in_leaf = 1),
                gbrt(10, objective = loss_softmax()), gbrt(10, lambda_l2 = 1), rankboost(20),
                rankboost(20, max_bin = Inf), rankboost(20, pairs = "query"), mcsvm(),
                linear_ranker(penalty = 1))
  for (weight in list(rep(1:2, length.out = 120), rep(1:3, length.out = 120),
                      rep(c(0, 1, 2), each = 40))) {
    weighted <- with_weight(weight)
    copies <- with_copies(weight)
    for (spec in exact) {
      expect_identical(largest_change(spec, weighted, copies), 0, label = format(spec))
    }
    for (spec in close) {
      expect_lt(largest_change(spec, weighted, copies), 1e-10, label = format(spec))
    }
  }
})

test_that("without whole weights a document counts once for min_data_in_leaf", {
  whole <- rep(1:2, length.out = 120)
  smallest_leaf <- function(weight) {
    model <- fit(gbrt(10), with_weight(weight), threads = 1, verbose = FALSE)
    min(model$forest$leaf_documents)
  }
  expect_gte(smallest_leaf(whole), 20L)
  expect_gte(smallest_leaf(whole / 3), 20L)
  # Multiplying all weights by a number changes nothing, except that whole weights are counts of documents.
  expect_identical(largest_change(gbrt(10), with_weight(whole / 4), with_weight(whole / 8)), 0)
  expect_gt(largest_change(gbrt(10), with_weight(whole), with_weight(whole / 2)), 1e-3)
  expect_identical(largest_change(gbrt(10), many, with_weight(rep(1, 120))), 0)
})

test_that("documents are counted by whole weights that 32 bits can add up", {
  counts <- function(weight) {
    rankmix:::document_counts(list(weight = weight, query = c(1L, 1L, 2L)))
  }
  expect_identical(counts(NULL), integer())
  expect_identical(counts(c(2, 3)), c(2L, 2L, 3L))
  expect_identical(counts(c(0, 3)), c(0L, 0L, 3L))
  expect_identical(counts(c(0.5, 1)), integer())
  expect_identical(counts(c(2^30 - 1, 1)), as.integer(c(2^30 - 1, 2^30 - 1, 1)))
  expect_identical(counts(c(2^30, 1)), integer())
  documents <- function(weight) {
    rankmix:::counting_documents(list(x = matrix(0, 3, 1), weight = weight,
                                      query = c(1L, 1L, 2L)))
  }
  expect_equal(documents(NULL), 3)
  expect_equal(documents(c(2, 3)), 7)
  expect_equal(documents(c(0.5, 0)), 2)
})

test_that("a checkpoint of counts is not resumed on weights of another scale", {
  path <- withr::local_tempfile(fileext = ".rds")
  whole <- rep(1:2, length.out = 120)
  fit(gbrt(4), with_weight(whole), threads = 1, verbose = FALSE, checkpoint = path)
  expect_error(fit(gbrt(8), with_weight(whole / 2), threads = 1, verbose = FALSE,
                   checkpoint = path), class = "rankmix_error_checkpoint")
})

test_that("smoothrank() joins copies of a query into one with their weight", {
  weight <- rep(1:2, length.out = 120)
  expect_identical(largest_change(smoothrank(penalty = 0.1, schedule = 2^(3:-3)), with_weight(weight),
                                  with_copies(weight)), 0)
})
