test_that("mixtures and calibrated models are written, with every kind of member", {
  models <- mixed_models()
  expect_true(all(models$mix$members$weight > 0))
  expect_true(all(models$mixture$members$weight > 0))
  data <- float_parts()$test
  for (name in names(models)) {
    scores <- score_onnx(read_onnx(written_onnx(models[[name]])), data$x)
    expect_equal(scores, predict(models[[name]], data), tolerance = 1e-6, label = name)
  }
})

test_that("missing values of best_feature() count as the lowest training value in a mixture", {
  parts <- float_parts()
  x <- parts$train$x
  x[seq(1, length(x), by = 7)] <- NA
  data <- ranking_data(x, parts$train$relevance, parts$train$query)
  feature <- train_floats(best_feature(), data)
  expect_true(any(predict(feature, data) == -Inf))
  both <- mix(list(feature = feature, line = train_floats(linear_ranker(penalty = 0.1), data)), data,
              weights = mix_weights(0))
  expect_equal(score_onnx(read_onnx(written_onnx(both)), x), predict(both, data), tolerance = 1e-6)
})

test_that("members use features by their names", {
  parts <- float_parts()
  part <- function(data, columns) {
    ranking_data(data$x[, columns], data$relevance, data$query)
  }
  first <- train_floats(linear_ranker(penalty = 0.1), part(parts$train, c(5, 2)))
  second <- train_floats(gbrt(5, num_leaves = 4), part(parts$train, c(2, 6, 1)))
  # mix() receives scores, because each ranker uses other features of the data. The rankers are added afterwards.
  both <- mix(list(first = predict(first, parts$test$x[, c(5, 2)]),
                   second = predict(second, parts$test$x[, c(2, 6, 1)])), parts$test,
              weights = mix_weights(0, standardize = FALSE))
  both$rankers <- list(first = first, second = second)
  read <- read_onnx(written_onnx(both))
  columns <- c(5, 2, 6, 1)
  expect_identical(read$metadata$features,
                   json_array(json_string(parts$train$features[columns])))
  expected <- both$members$weight[1] * predict(first, parts$test$x[, c(5, 2)]) +
    both$members$weight[2] * predict(second, parts$test$x[, c(2, 6, 1)])
  expect_equal(score_onnx(read, parts$test$x[, columns]), expected, tolerance = 1e-6)
  unnamed <- function(model) {
    model$named <- FALSE
    model
  }
  both$rankers <- lapply(both$rankers, unnamed)
  expect_snapshot(error = TRUE, written_onnx(both))
})

test_that("a member that lacks a field is not written", {
  parts <- float_parts()
  trees <- train_floats(gbrt(3, num_leaves = 4), parts$train)
  both <- mix(list(trees = trees, line = train_floats(linear_ranker(penalty = 0.1), parts$train)),
              parts$test, weights = mix_weights(0))
  both$rankers$trees$start <- NULL
  expect_error(written_onnx(both), "lacks fields that are needed", class = "rankmix_error_model")
})

test_that("a classifier is written by its linear score, with a message", {
  model <- train_floats(adaboost_mh(base_stump(), 3), export_data(FALSE))
  file <- withr::local_tempfile()
  expect_message(write_model(model, file, "onnx"), class = "rankmix_message_export")
  calibrated <- calibrate(model, export_data(FALSE), calibrator_naive())
  expect_silent(write_model(calibrated, file, "onnx"))
})

test_that("scores that ONNX cannot express are an error with its reason", {
  parts <- float_parts()
  file <- withr::local_tempfile()
  fit_mixture <- function(...) {
    train_floats(mixture(..., calibrators = list(calibrator_rbc()), weights = mix_weights(0)), parts$train,
                 parts$test)
  }
  relevant <- function(data) as.double(data$relevance > 0)
  with_function <- fit_mixture(gbrt(3, num_leaves = 4), first = relevant)
  by_query <- fit_mixture(gbrt(3, num_leaves = 4), grid = mix_grid(features = "standardized"))
  gbrt <- train_floats(gbrt(3, num_leaves = 4), parts$train)
  scores <- mix(list(gbrt = gbrt, given = as.double(parts$test$relevance > 0)), parts$test,
                weights = mix_weights(0))
  standard <- mix(list(gbrt = gbrt), parts$test, weights = mix_weights(0, standardize = "query"))
  custom <- train_floats(new_ranker("mine", function(spec, task) list(),
                                    function(model, x) rowSums(x))(), export_data(FALSE))
  chain <- pair_chain(list(gbrt = gbrt), parts$test)
  expect_snapshot(error = TRUE, {
    write_model(with_function, file, "onnx")
    write_model(by_query, file, "onnx")
    write_model(scores, file, "onnx")
    write_model(standard, file, "onnx")
    write_model(custom, file, "onnx")
    write_model(chain, file, "onnx")
  })
  expect_false(file.exists(file))
})

test_that("the checker of onnx finds nothing wrong", {
  skip_on_cran()
  skip_if(is.null(checking_python()), "no Python with the package onnx")
  folder <- withr::local_tempdir()
  models <- c(all_kinds(), mixed_models())
  for (name in names(models)) {
    writeBin(written_onnx(models[[name]]), file.path(folder, paste0(name, ".onnx")))
  }
  expect_identical(check_all_onnx(folder), length(models))
  # The checker finds errors, such as a node whose input no node produces.
  graph <- new_onnx_graph(models[[1L]], "x", NULL)
  bytes <- onnx_file(graph, "name", onnx_op(graph, "Abs", "nothing"), 1)
  writeBin(bytes, file.path(folder, "wrong.onnx"))
  expect_error(suppressWarnings(check_all_onnx(folder)), "nothing")
})
