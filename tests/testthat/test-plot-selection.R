test_that("the plot shows each size with its interval and the margin", {
  skip_if_not_installed("ggplot2")
  data <- simulate_ranking(60, documents = 10, seed = 1)$data
  found <- select_features(gbrt(10), data, margin = 0.02, drop = 0.5, seed = 1, threads = 1, verbose = FALSE)
  plot <- ggplot2::autoplot(found)
  built <- ggplot2::ggplot_build(plot)
  expect_equal(built$data[[1L]]$yintercept, 0.02)
  expect_equal(built$data[[3L]]$y, found$steps$lost)
  expect_equal(built$data[[3L]]$shape, ifelse(found$steps$enough, 16, 1))
})
