test_that("all sources of probabilities are compared, across and within queries", {
  simulation <- simulate_ranking(40, seed = 1)
  data <- simulation$data
  of <- function(model, ...) calibration_error(model, data, resamples = 100, seed = 1, ...)
  found <- of(simulation$truth)
  p <- 1 - simulation$probability[, 1]
  expect_equal(of(p), found)
  expect_equal(of(function(data) p), found)
  expect_equal(unname(tapply(tidy(found)$documents, tidy(found)$scale, sum)), rep(nrow(data), 2), ignore_attr = TRUE)
  expect_identical(tidy(found, what = "errors")$scale, c("across", "within"))
  row <- glance(found)
  expect_identical(c(row$across_error, row$within_p_value), c(found$errors$error[1], found$errors$p_value[2]))
  expect_identical(row$queries, 40L)
  expect_false(identical(of(simulation$truth, relevant = 2)$errors, found$errors))
  expect_identical(max(tidy(of(p, bins = 3))$bin), 3L)
  # All probabilities are equal. Within queries, their differences are 0, so only the bin at 0 is left.
  flat <- tidy(of(rep(0.5, nrow(data))), what = "bins")
  expect_equal(flat$predicted, c(0.5, 0))
  model <- calibrate(data$x[, 1], data, calibrator_probability()) |> suppressWarnings()
  expect_lt(of(predict(model, data$x[, 1], type = "prob"))$errors$error[1], 0.1)
})

test_that("weights count copies, and the order of rows changes nothing", {
  data <- random_data(20)
  p <- plogis(data$x[, 1])
  weighted <- data
  weighted$weight <- rep(1:2, 10)
  twice <- which(data$query %% 2 == 0)
  rows <- c(seq_along(p), twice)
  copies <- ranking_data(data$x[rows, ], data$relevance[rows], c(data$query, 100 + data$query[twice]))
  # There is one bin, because copies of documents would change the quantiles between bins.
  of <- function(p, data, bins = 1) calibration_error(p, data, bins = bins, resamples = 100, seed = 1)
  expect_equal(of(p, weighted)$errors$error, of(p[rows], copies)$errors$error)
  by <- rev(seq_along(p))
  reversed <- ranking_data(data$x[by, ], data$relevance[by], data$query[by])
  expect_equal(of(p[by], reversed, 10)$bins[1:5], of(p, data, 10)$bins[1:5])
})

test_that("queries and documents of weight 0 are left out", {
  set.seed(5)
  p <- runif(200)
  grade <- rbinom(200, 1, p)
  query <- rep(1:20, each = 10)
  of <- function(rows, ...) {
    calibration_error(p[rows], ranking_data(cbind(p)[rows, , drop = FALSE], grade[rows], query[rows], ...), seed = 1)
  }
  # No document of the last bin counts.
  low <- which(p < 0.85)
  expect_identical(of(1:200, document_weight = as.numeric(p < 0.85)), of(low))
  expect_identical(of(1:200, weight = as.numeric(query > 5)), of(which(query > 5)))
})

test_that("calibration errors print with intervals", {
  withr::local_options(width = 80)
  simulation <- simulate_ranking(40, seed = 1)
  expect_snapshot({
    calibration_error(simulation$truth, simulation$data, resamples = 100, seed = 1)
    calibration_error(simulation$truth, simulation$data[1], resamples = 100, seed = 1)
  })
})

test_that("bad input is refused", {
  data <- random_data()
  p <- rep(0.5, nrow(data))
  refuse <- function(code, class = "rankmix_error_argument") expect_snapshot_error(code, class = class)
  refuse(calibration_error())
  refuse(calibration_error(p))
  refuse(calibration_error(p + 1, data), "rankmix_error_probability")
  refuse(calibration_error(fit(best_feature(), data), data), "rankmix_error_calibration")
  refuse(calibration_error(p, data, bins = 0))
  refuse(calibration_error(p, data, relevant = 0))
  refuse(calibration_error(p, data, level = 0.05))
  refuse(calibration_error(p, data, resamples = 1))
  refuse(calibration_error(p, data, group = 1))
  refuse(tidy(calibration_error(p, data, resamples = 100), what = "all"))
})
