ascent_model <- function(...) {
  data <- simulate_ranking(60, features = 8, seed = 1)$data
  parts <- split_parts(split_queries(data, 0.7, seed = 1), data)
  fit(coordinate_ascent(metric_ndcg(5), restarts = 6), parts$train, ..., seed = 1)
}

test_that("the metric is drawn after each sweep of all restarts", {
  skip_if_not_installed("ggplot2")
  model <- ascent_model()
  plot <- ggplot2::autoplot(model)
  expect_equal(plot$data, model$curve)
  expect_match(plot$labels$caption, sprintf("%d, is chosen by this metric",
                                            which.max(glance(model)$training)))
})

test_that("the plot matches its stored picture", {
  skip_without_pictures()
  vdiffr::expect_doppelganger("coordinate ascent", ggplot2::autoplot(ascent_model()))
})
