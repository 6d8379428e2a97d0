# The file computes in doubles, and rounds only its result.
expect_rounded_once <- function(model, x, expected = predict(model, x)) {
  scores <- score_onnx(read_onnx(written_onnx(model)), x)
  odd <- !is.finite(expected)
  expect_identical(scores[odd], expected[odd])
  wrong <- abs(scores - expected)[!odd] / (2^-24 * abs(expected[!odd]) + 1e-12 *
                                             max(abs(expected[!odd])))
  expect_lte(max(wrong), 1, label = ranker_text(model))
}

float_data <- function() {
  data <- export_data()
  data$x[] <- f32(data$x)
  data
}

test_that("sums are rounded once", {
  x <- float_data()$x
  for (missing in c("mean", "indicator")) {
    for (model in export_sums(missing)) expect_rounded_once(model, x, linear_score(model, x))
  }
})

test_that("with one feature a missing value is below all values", {
  data <- float_data()
  model <- fit(best_feature(direction = "both"), data, verbose = FALSE)
  expect_rounded_once(model, data$x)
  expect_true(any(predict(model, data$x) == -Inf))
})

test_that("networks agree with a computation in floats", {
  data <- float_data()
  for (normalize in c("none", "batch", "layer")) {
    for (activation in c("relu", "tanh", "logistic")) {
      model <- fit(network_ranker(hidden = c(8, 5), epochs = 3, learning_rate = 0.03, normalize = normalize,
                           activation = activation, log1p = activation == "tanh",
                           missing = "indicator"), data, seed = 1, verbose = FALSE)
      expected <- predict(model, data$x)
      scores <- score_onnx(read_onnx(written_onnx(model)), data$x)
      expect_equal(scores, expected, tolerance = 1e-5, label = paste(normalize, activation))
    }
  }
  for (spec in list(ranknet(epochs = 2), listnet(hidden = c(6, 4), epochs = 2))) {
    model <- fit(spec, data, seed = 1, verbose = FALSE)
    expect_equal(score_onnx(read_onnx(written_onnx(model)), data$x), predict(model, data$x),
                 tolerance = 1e-5)
  }
})

test_that("bags see the features of their members", {
  data <- float_data()
  train <- function(base, ...) {
    fit(bagging(base, 4, ...), data, seed = 1, verbose = FALSE)
  }
  expect_rounded_once(train(linear_ranker(penalty = 0.1, missing = "indicator"), fraction = 0.5,
                            feature_fraction = 0.5), data$x)
  expect_rounded_once(train(m5p(min_data_in_split = 30, prune = FALSE, missing = "indicator"),
                            fraction = 0.6, feature_fraction = 0.5), data$x)
  model <- train(gbrt(5, num_leaves = 4), fraction = 0.5)
  expect_equal(score_onnx(read_onnx(written_onnx(model)), data$x), predict(model, data$x),
               tolerance = 1e-6)
})

test_that("predictions of COCR agree with its regressions", {
  local_known_warnings("constant")
  data <- float_data()
  train <- function(base, ...) fit(cocr(base, ...), data, seed = 1, verbose = FALSE)
  expect_rounded_once(train(linear_ranker(penalty = 0.1, missing = "indicator")), data$x)
  expect_rounded_once(train(linear_ranker(penalty = 0.1, missing = "zero"), ranker = "hard"), data$x)
  expect_rounded_once(train(m5p(min_data_in_split = 30, prune = FALSE)), data$x)
  trees <- train(gbrt(6, num_leaves = 4))
  expect_equal(score_onnx(read_onnx(written_onnx(trees)), data$x), predict(trees, data$x),
               tolerance = 1e-6)
  # In this subproblem, all documents have the same target.
  trees$parts[[1L]] <- 1
  expect_equal(score_onnx(read_onnx(written_onnx(trees)), data$x), predict(trees, data$x),
               tolerance = 1e-6)
  hard <- train(gbrt(6, num_leaves = 4), ranker = "hard")
  expect_snapshot(error = TRUE, written_onnx(hard))
})
