test_that("bins are drawn with their intervals, of models too", {
  skip_if_not_installed("ggplot2")
  data <- simulate_ranking(40, seed = 1)$data
  model <- calibrate(function(data) -data$x[, 1], data, calibrator_probability(relevant = 2)) |> suppressWarnings()
  found <- calibration_error(model, data, relevant = 2, resamples = 100, seed = 1)
  plot <- ggplot2::autoplot(found)
  expect_equal(plot$data$observed, tidy(found)$observed)
  expect_equal(levels(plot$data$panel), c("Across queries", "Within queries"))
  expect_identical(ggplot2::autoplot(model, data, resamples = 100, seed = 1)$data, plot$data)
  expect_error(ggplot2::autoplot(model), "neither trained nor calibrated", class = "rankmix_error_argument")
  expect_error(ggplot2::autoplot(found, type = "a"), class = "rankmix_error_argument")
})

test_that("probabilities match their stored pictures", {
  skip_without_pictures()
  simulation <- simulate_ranking(60, seed = 1)
  found <- calibration_error(simulation$truth, simulation$data, resamples = 100, seed = 1)
  vdiffr::expect_doppelganger("calibration error", ggplot2::autoplot(found))
})
