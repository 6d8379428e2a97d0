test_that("sampled values sum to the score, and converge to the values over all subsets", {
  data <- random_data(queries = 20, features = 3)
  rows <- 1:4
  background <- data$x[11:20, ]
  for (model in list(fit(adaboost_mh(base_tree(4), rounds = 10), data),
                     fit(network_ranker(hidden = 3, epochs = 3), data, seed = 1),
                     fit(m5p(), data))) {
    score <- function(x) predict(model, x)
    shap <- explain(model, data$x[rows, ], background = background, times = 200, seed = 1)
    expect_identical(shap$method, "sampling")
    expect_lt(max(abs(shap$scores - score(data$x[rows, ]))), 1e-10)
    naive <- naive_by_background(score, data$x[rows, ], background)
    off <- abs(shap$values - naive)
    # 200 draws from 10 documents use each document 20 times. The reported error treats the draws as random.
    expect_true(all(off <= 4 * shap$error + 1e-12))
    expect_identical(explain(model, data$x[rows, ], background = background, times = 200,
                             seed = 1)$values, shap$values)
    expect_false(identical(explain(model, data$x[rows, ], background = background, times = 7,
                                   seed = 2)$values,
                           explain(model, data$x[rows, ], background = background, times = 7,
                                   seed = 3)$values))
  }
})

test_that("two features and one background document have no sampling error", {
  data <- random_data(queries = 20, features = 2)
  model <- fit(network_ranker(hidden = 3, epochs = 3), data, seed = 1)
  shap <- explain(model, data, background = data$x[3, , drop = FALSE], times = 1, seed = 1)
  naive <- naive_by_background(function(x) predict(model, x), data$x[1:9, ],
                               data$x[3, , drop = FALSE])
  expect_equal(unname(shap$values[1:9, ]), naive, tolerance = 1e-10)
  expect_null(shap$error)
})

test_that("blocks of documents change nothing", {
  data <- random_data(queries = 10, features = 3)
  x <- data$x
  score <- function(x) x[, 1] * x[, 2] + x[, 3]
  whole <- walked_contributions(score, x, x[1, ], c(2L, 3L, 1L))
  expect_identical(walked_contributions(score, x, x[1, ], c(2L, 3L, 1L), numbers = 30), whole)
  expect_equal(whole[, 3], x[, 3] - x[1, 3])
  expect_equal(whole[, 2], x[1, 1] * (x[, 2] - x[1, 2]))
  expect_equal(whole[, 1], (x[, 1] - x[1, 1]) * x[, 2])
})

test_that("mixtures are explained", {
  train <- example_part("train")
  model <- fit(mixture(gbrt(20), linear_ranker(penalty = 1)), train, example_part("vali"), seed = 1,
               verbose = FALSE)
  rows <- train$x[1:3, ]
  shap <- explain(model, rows, background = train$x[5:9, ], times = 2, seed = 1)
  expect_lt(max(abs(shap$scores - predict(model, rows))), 1e-10)
})
