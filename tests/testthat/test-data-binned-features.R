test_that("features of binned data have the shape and names of the matrix", {
  data <- simulate_ranking(10, features = 5, seed = 1)$data
  x <- binned_data(data, verbose = FALSE)$x
  expect_identical(dim(x), dim(data$x))
  expect_identical(colnames(x), data$features)
  expect_false(anyNA(x))
  expect_identical(dim(x[1:3, 2:1]), c(3L, 2L))
  expect_identical(colnames(x[, 2:1]), data$features[2:1])
  expect_error(as.matrix(x), class = "rankmix_error_values")
  expect_error(is.na(x), class = "rankmix_error_values")
  expect_error(rankmix:::scan_features(x, 1L), "binned data have no values of features")
})

test_that("orders by content need all features", {
  data <- simulate_ranking(10, features = 5, seed = 1)$data
  binned <- binned_data(data, verbose = FALSE)[, 1:2]
  expect_error(fit(gbrt(trees = 2, bagging_fraction = 0.5), binned), class = "rankmix_error_values")
  expect_identical(fit(gbrt(trees = 2), binned, seed = 1, verbose = FALSE)$forest,
                   fit(gbrt(trees = 2), data[, 1:2], seed = 1, verbose = FALSE)$forest)
})
