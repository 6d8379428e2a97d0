test_that("a float goes to the same side of the written threshold", {
  t <- withr::with_seed(2, c(rnorm(200), rnorm(50) * 1e-42, rnorm(20) * 1e-300, 0, 1, -1))
  t <- c(t, f32(t), Inf, -Inf, 1e300, -1e300, 3.5e38, -3.5e38, (2 - 2^-23) * 2^127)
  written <- float_up_to(t)
  expect_identical(written, f32(written))
  for (by in -3:3) {
    size <- pmax(2^floor(log2(pmax(abs(t), 2^-126))) * 2^-23, 2^-149)
    x <- f32(t + by * size)
    expect_identical(x <= written, x <= t)
  }
  x <- f32(c(-Inf, Inf, 0, -0, 2^-149, -2^-149, (2 - 2^-23) * 2^127, -(2 - 2^-23) * 2^127))
  expect_identical(outer(x, written, `<=`), outer(x, t, `<=`))
})

test_that("the replacement of missing values goes to the side of its number", {
  data <- export_data()
  x <- data$x
  x[] <- f32(x)
  model <- fit(linear_ranker(penalty = 0.1, missing = "indicator"), data, verbose = FALSE)
  graph <- new_onnx_graph(model, c("other", model$features), NULL)
  view <- onnx_view(graph, model)
  expect_identical(view$column, c(1:6, 1:6) + 1L)
  expect_identical(view$mark, rep(c(FALSE, TRUE), each = 6))
  filled <- fill_features(model$filling, x, 1L)
  fill <- model$filling$numbers[1]
  # Splits of each feature and missing-value indicator at many thresholds. Some thresholds lie between the fill value
  # and its float.
  cases <- expand.grid(feature = 0:11, threshold = c(fill, f32(fill), fill * (1 + c(-1, 1) * 1e-9),
                                                     0, 0.5, 1, -0.5, 2), missing = 0:1)
  splits <- onnx_splits(view, list(feature = cases$feature, threshold = cases$threshold,
                                   missing_left = cases$missing))
  for (i in seq_len(nrow(cases))) {
    v <- x[, splits$column[i] - 1L]
    left <- ifelse(is.na(v), splits$missing_left[i], v <= splits$threshold[i])
    expect_identical(unname(left), unname(filled[, cases$feature[i] + 1L] <= cases$threshold[i]))
  }
})

test_that("inputs are the features that the model uses", {
  data <- export_data()
  data$x[] <- f32(data$x)
  for (missing in c("mean", "zero", "indicator")) {
    model <- fit(linear_ranker(penalty = 0.1, missing = missing), data, verbose = FALSE)
    graph <- new_onnx_graph(model, rev(model$features), NULL)
    at <- onnx_inputs(graph, onnx_view(graph, model))
    bytes <- onnx_file(graph, "name", onnx_narrow(graph, onnx_columns(graph, at, 2)), 6)
    expect_identical(score_onnx(read_onnx(bytes), data$x[, 6:1]),
                     f32(fill_features(model$filling, data$x, 1L)[, 2]))
  }
})
