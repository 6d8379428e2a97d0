plotted_change <- function(...) {
  data <- example_part("test")
  compare_models(data$x[, 1], data$x[, 2], data, ..., resamples = 200, seed = 1, threads = 1)
}

test_that("queries are sorted, and the default depends on relevance", {
  skip_if_not_installed("ggplot2")
  change <- plotted_change(margin = 0.05)
  plot <- ggplot2::autoplot(change)
  expect_false(is.unsorted(-plot$data$difference))
  expect_match(plot$labels$subtitle, "80 queries")
  data <- example_part("test")
  bare <- compare_models(data$x[, 1], data$x[, 2], ranking_data(data$x, query = data$query), resamples = 100)
  expect_identical(nrow(ggplot2::autoplot(bare)$data), 80L)
  expect_error(ggplot2::autoplot(bare, "queries"), "no relevance", class = "rankmix_error_argument")
  expect_identical(nrow(ggplot2::autoplot(change, "features", n = 3)$data), 3L)
  expect_error(ggplot2::autoplot(change, "all"), class = "rankmix_error_argument")
  same <- compare_models(data$x[, 1], data$x[, 1], data, resamples = 100)
  expect_error(ggplot2::autoplot(same, "features"), "No document moves", class = "rankmix_error_argument")
  expect_no_error(ggplot2::ggplot_build(ggplot2::autoplot(same)))
})

test_that("changes match their stored pictures", {
  skip_without_pictures()
  change <- plotted_change(margin = 0.05)
  for (type in c("queries", "changed", "features")) {
    vdiffr::expect_doppelganger(paste("change of models by", type), ggplot2::autoplot(change, type))
  }
})
