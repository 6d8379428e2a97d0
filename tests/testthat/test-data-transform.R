test_that("standardising equals scale() in every query", {
  data <- random_data(queries = 12, missing = 0.1)
  slow <- data$x
  for (q in unique(data$query)) {
    rows <- data$query == q
    slow[rows, ] <- apply(data$x[rows, , drop = FALSE], 2, function(v) {
      spread <- stats::sd(v, na.rm = TRUE)
      if (is.na(spread) || spread == 0) v - v else (v - mean(v, na.rm = TRUE)) / spread
    })
  }
  fast <- standardize_queries(data)
  expect_equal(fast$x, slow, tolerance = 1e-12)
  expect_identical(fast$features, data$features)
  expect_identical(fast$query, data$query)
  both <- standardize_queries(data, add = TRUE)
  expect_identical(both$x, cbind(data$x, fast$x))
  expect_identical(both$features, c(data$features, paste0(data$features, "_std")))
  expect_identical(standardize_queries(data, threads = 1), fast)
})

test_that("a feature that is constant in a query becomes 0, missing values stay", {
  # The mean of 0.1, 0.1 and 0.1 is not exactly 0.1 in doubles.
  data <- ranking_data(cbind(c(0.1, 0.1, 0.1, 5, NA), c(NA, NA, 2, 1, 1)), 0:4,
                       c(1, 1, 1, 2, 2))
  expect_identical(standardize_queries(data)$x,
                   cbind(c(0, 0, 0, 0, NA), c(NA, NA, 0, 0, 0)))
})

test_that("the largest doubles, which some data have for missing, do not overflow", {
  largest <- .Machine$double.xmax
  data <- ranking_data(cbind(c(1, 2, largest, largest), c(-largest, largest, 0, 0)),
                       c(0, 1, 0, 1), rep(1, 4))
  expect_equal(standardize_queries(data)$x,
               cbind(c(-1, -1, 1, 1) * sqrt(3) / 2, c(-1, 1, 0, 0) * sqrt(3 / 2)))
  expect_snapshot_error(whiten_queries(data), class = "rankmix_error_feature")
})

test_that("values whose squares vanish are standardised like others", {
  data <- random_data(queries = 5)
  tiny <- data
  tiny$x <- data$x * 2^-600
  expect_identical(standardize_queries(tiny)$x, standardize_queries(data)$x)
})

test_that("a model of standardised features predicts for new data that are transformed alike", {
  data <- random_data(queries = 20)
  model <- fit(adaboost_mh(base_stump(), rounds = 5), standardize_queries(data), seed = 1)
  rows <- which(data$query %in% 1:3)
  expect_identical(predict(model, standardize_queries(data))[rows],
                   predict(model, standardize_queries(data[1:3])))
})

test_that("whitened features are uncorrelated with unit variance in every query", {
  set.seed(1)
  query <- rep(1:4, each = 30)
  x <- matrix(rnorm(120 * 5), 120) %*% matrix(rnorm(25), 5)
  data <- ranking_data(x, rep(0:1, 60), query)
  white <- whiten_queries(data)
  for (q in 1:4) {
    expect_equal(stats::cov(white$x[query == q, ]), diag(5), tolerance = 1e-10)
    expect_equal(colMeans(white$x[query == q, ]), rep(0, 5), tolerance = 1e-10)
  }
  expect_identical(white$features, paste0("whitened", 1:5))
  both <- whiten_queries(data, add = TRUE)
  expect_identical(both$x, cbind(data$x, white$x))
})

test_that("a deficient covariance gets a ridge", {
  x <- cbind(c(1, 2, 3), c(2, 4, 6), c(5, 5, 5))
  data <- ranking_data(x, 0:2, rep(1, 3))
  white <- whiten_queries(data, ridge = 0.001)
  # Only one direction has a positive variance, which is 5.
  first <- drop(scale(x, scale = FALSE) %*% (c(1, 2, 0) / sqrt(5)))
  expect_equal(white$x[, 1], first / sqrt(5 + 0.001), tolerance = 1e-8)
  expect_equal(white$x[, 2:3], matrix(0, 3, 2), tolerance = 1e-6)
  lone <- whiten_queries(ranking_data(matrix(7, 1, 2), 1, 1))
  expect_identical(lone$x, matrix(0, 1, 2))
  expect_snapshot_error(whiten_queries(ranking_data(matrix(NA_real_, 2), 0:1, 1:2)),
                        class = "rankmix_error_feature")
})

test_that("grades are grouped as in the table", {
  data <- ranking_data(matrix(0, 5), 0:4, rep(1, 5))
  grouped <- function(grouping) group_grades(data, grouping)$relevance
  expect_identical(grouped("identity"), 0:4)
  expect_identical(grouped("binary"), c(0L, 1L, 1L, 1L, 1L))
  more <- ranking_data(matrix(0, 6), 0:5, rep(1, 6))
  expect_identical(group_grades(more, "binary")$relevance, c(0L, 1L, 1L, 1L, 1L, 1L))
  expect_error(grouped(list(0, 1)), class = "rankmix_error_argument")
  expect_identical(grouped("three"), c(0L, 1L, 1L, 2L, 2L))
  expect_identical(grouped("top"), c(0L, 1L, 1L, 1L, 2L))
  expect_identical(grouped("four"), c(0L, 1L, 1L, 2L, 3L))
  expect_identical(grouped(c(0, 0, 0, 1, 1)), c(0L, 0L, 0L, 1L, 1L))
  expect_snapshot_error(grouped("five"), class = "rankmix_error_argument")
  expect_snapshot_error(grouped(c(0, 2, 1)), class = "rankmix_error_argument")
  expect_snapshot_error(grouped(c(0, 1)), class = "rankmix_error_grade")
})
