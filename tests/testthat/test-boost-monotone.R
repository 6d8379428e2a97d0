test_that("trees with signs of features agree with trying every split within bounds", {
  skip_if_quick()
  for (seed in draws(3)) {
    data <- random_data(queries = 15, features = 4, missing = if (seed == 2) 0.1 else 0,
                        seed = seed)
    signs <- c(1, -1, 0, 1)
    for (precision in c("single", "double")) {
      model <- fit(gbrt(6, num_leaves = 6, learning_rate = 0.4, min_data_in_leaf = 2, monotone_constraints = signs,
                        precision = precision), data)
      slow <- naive_monotone(data$x, data$relevance, signs, 6, 6, 0.4, 2)
      expect_equal(predict(model, data), slow$f, tolerance = 1e-8)
    }
  }
})

test_that("predictions are monotone in features of a sign, exactly", {
  signs <- c(1, -1, 0, 1)
  for (seed in draws(2)) {
    data <- random_data(queries = 25, features = 4, missing = 0.1, seed = seed)
    weighted <- data
    weighted$weight <- rep_len(c(1, 2.5, 0.3), length(data$query_ids))
    some <- data$x[seq(1, nrow(data$x), length.out = 25), ]
    check <- function(model) {
      for (f in which(signs != 0)) {
        expect_lte(largest_fall(model, some, f, signs[f]), 0)
      }
      model
    }
    spec <- gbrt(15, num_leaves = 8, learning_rate = 0.5, min_data_in_leaf = 2, monotone_constraints = signs)
    check(fit(spec, data))
    check(fit(update(spec, precision = "double"), weighted))
    check(fit(update(spec, num_leaves = 2, bagging_fraction = 0.3), data, seed = 1))
    check(fit(update(spec, num_leaves = 9, query_fraction = 0.4), data, seed = 1))
    check(fit(update(spec, objective = loss_pairwise(), lambda_l2 = 0.1), data))
    check(fit(update(spec, objective = loss_softmax(), precision = "double"), weighted))
    # Without constraints, some scores fall.
    expect_gt(largest_fall(fit(update(spec, monotone_constraints = NULL), data), some, 1, 1), 0)
  }
})

test_that("models with monotone constraints resume, and constraints are given by name or by position", {
  data <- random_data(queries = 40, features = 4, missing = 0.1, seed = 3)
  data$features <- colnames(data$x) <- c("a", "b", "c", "d")
  for (objective in list(loss_squared(), loss_pairwise())) {
    spec <- gbrt(12, num_leaves = 6, min_data_in_leaf = 2, monotone_constraints = c(b = -1, a = 1),
                 objective = objective)
    whole <- fit(spec, data, seed = 1)
    short <- fit(update(spec, trees = 5), data, seed = 1)
    expect_identical(fit(short, data, rounds = 12)$forest, whole$forest)
    expect_identical(fit(update(spec, monotone_constraints = c(1, -1, 0, 0)), data, seed = 1)$forest,
                     whole$forest)
    expect_identical(fit(spec, data, seed = 1, threads = 4), whole)
    free <- fit(update(spec, monotone_constraints = c(a = 0)), data, seed = 1)
    expect_identical(free$forest, fit(update(spec, monotone_constraints = NULL), data, seed = 1)$forest)
    expect_false(identical(free$forest, whole$forest))
  }
  expect_identical(format(gbrt(monotone_constraints = c(bm25 = 1, `no` = -1))),
                   "gbrt(trees = 500, num_leaves = 31, learning_rate = 0.1, monotone_constraints = c(bm25 = 1, no = -1))")
})

test_that("impossible monotone constraints are refused", {
  expect_snapshot(error = TRUE, {
    gbrt(monotone_constraints = c(a = 2))
    gbrt(monotone_constraints = c(a = 1, a = -1))
    gbrt(monotone_constraints = "a")
  })
  data <- random_data(queries = 10, features = 3)
  expect_snapshot(error = TRUE, {
    fit(gbrt(2, monotone_constraints = c(1, -1)), data)
    fit(gbrt(2, monotone_constraints = c(bm25 = 1)), data)
  })
})
