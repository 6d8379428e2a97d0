test_that("estimates from clicks are drawn with a panel for each estimator", {
  skip_if_not_installed("ggplot2")
  simulation <- simulate_ranking(10, seed = 1)
  data <- simulation$data
  log <- simulate_clicks(data, sessions = 20, depth = 5, seed = 2, output = "log")
  new <- list(truth = predict(simulation$truth, data), feature = data$x[, 1])
  found <- evaluate_clicks(new, log, data = data, estimator = c("ips", "dr"), examination = 1 / 1:5)
  drawn <- ggplot2::ggplot_build(ggplot2::autoplot(found))
  expect_equal(drawn$data[[2L]]$x, found$rankers$estimate)
  expect_identical(nrow(drawn$layout$layout), 2L)
  single <- evaluate_clicks(new[1L], log, data = data, examination = 1 / 1:5)
  expect_identical(nrow(ggplot2::ggplot_build(ggplot2::autoplot(single))$layout$layout), 1L)
  expect_error(ggplot2::autoplot(found, type = "x"), class = "rankmix_error_argument")
})
