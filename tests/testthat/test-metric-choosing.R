# Rows of each query in the order of decreasing or increasing grades. The feature `zero` ties all documents.
sorted_part <- function(decreasing, queries = 12, seed = 1, first = 0) {
  set.seed(seed)
  relevance <- rep(c(0L, 0L, 1L, 2L), queries)
  x <- cbind(zero = 0, steps = round(relevance + rnorm(length(relevance))))
  query <- rep(seq_len(queries), each = 4)
  rows <- order(query, if (decreasing) -relevance else relevance, x[, "steps"])
  ranking_data(x[rows, ], relevance[rows], first + query[rows])
}

test_that("a metric chooses by averaged ties unless it sets `ties`", {
  expect_identical(choosing_metric(metric_ndcg(10)), metric_ndcg(10, ties = "average"))
  for (metric in list(metric_ndcg(ties = "order"), metric_ndcg(ties = "worst"), metric_ndcg(convention = "trec_eval"),
                      metric_err(convention = "gdeval"))) {
    expect_identical(choosing_metric(metric), metric)
  }
  expect_identical(choosing_metric(metric_ndcg(convention = "lightgbm")),
                   metric_ndcg(convention = "lightgbm", ties = "average"))
  own <- metric_custom("own", function(grades) 1)
  expect_identical(choosing_metric(own), own)
})

test_that("the order of the rows chooses no feature", {
  falling <- fit(best_feature(), sorted_part(TRUE), threads = 1)
  rising <- fit(best_feature(), sorted_part(FALSE), threads = 1)
  expect_identical(falling$feature, "steps")
  expect_equal(tidy(falling), tidy(rising))
})

test_that("the order of the rows does not affect the choice of rounds, steps of a path and weights", {
  train <- sorted_part(TRUE, 20)
  valid <- lapply(c(TRUE, FALSE), sorted_part, seed = 2, first = 100)
  for (spec in list(gbrt(30, num_leaves = 3, min_data_in_leaf = 2), ranksvm(cost = c(0.01, 1)),
                    linear_ranker(penalty = c(0, 1, 100)))) {
    models <- lapply(valid, function(part) fit(spec, train, part, threads = 1, seed = 1))
    expect_equal(glance(models[[1L]]), glance(models[[2L]]))
  }
  patient <- lapply(valid, function(part) {
    fit(gbrt(30, num_leaves = 3, min_data_in_leaf = 2), train, part, patience = 5, eval_every = 1, threads = 1)
  })
  expect_equal(patient[[1L]]$curve, patient[[2L]]$curve)
  members <- lapply(valid, function(part) {
    # If grades decrease by row and row order broke ties, a constant member would have an NDCG of 1.
    mix(list(nothing = numeric(nrow(part)), steps = part$x[, "steps"]), part, threads = 1)
  })
  expect_equal(members[[1L]]$members$weight, members[[2L]]$members$weight)
  expect_true(all(is.finite(members[[1L]]$members$weight)))
})

test_that("coordinate ascent does not learn the order of the rows", {
  models <- lapply(c(TRUE, FALSE), function(decreasing) {
    fit(coordinate_ascent(restarts = 2), sorted_part(decreasing), seed = 1, threads = 1)
  })
  expect_equal(glance(models[[1L]]), glance(models[[2L]]))
  expect_identical(sign(coef(models[[1L]])[["steps"]]), 1)
})
