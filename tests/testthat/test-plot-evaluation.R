test_that("an evaluation is drawn: all queries, or means", {
  skip_if_not_installed("ggplot2")
  grDevices::pdf(NULL)
  withr::defer(grDevices::dev.off())
  data <- random_data(queries = 12, seed = 3)
  result <- evaluate(list(a = data$x[, 1], b = data$x[, 2]), data,
                     list(metric_ndcg(5, empty = "drop"), metric_err()))
  plot <- ggplot2::autoplot(result)
  expect_silent(ggplot2::ggplotGrob(plot))
  shown <- plot$data[plot$data$ranker == "b" & plot$data$metric == "err", ]
  values <- sort(result$value[result$ranker == "b" & result$metric == "err"])
  # Each query is a step of the curve, and the curve ends at 100 %.
  expect_equal(shown$value, values[c(1:12, 12L)])
  expect_equal(shown$fraction, 100 * 0:12 / 12)
  expect_identical(nrow(plot$data), sum(!is.nan(result$value)) + 4L)
  means <- ggplot2::autoplot(result, "means")
  expect_equal(means$data$mean, summary(result)$mean)
  result$long <- result$documents > 6
  by <- ggplot2::autoplot(result, by = "long")
  expect_equal(by$data$mean, summary(result, by = "long")$mean)
  expect_silent(ggplot2::ggplotGrob(by))
  one <- ggplot2::autoplot(evaluate(data$x[, 1], data, metric_ndcg(5)))
  expect_silent(ggplot2::ggplotGrob(one))
  expect_error(ggplot2::autoplot(result, "pie"), class = "rankmix_error_argument")
  expect_error(ggplot2::autoplot(result[0, ]), class = "rankmix_error_argument")
})

test_that("the first ranker of a group is drawn above the others", {
  skip_if_not_installed("ggplot2")
  data <- random_data(queries = 12, seed = 3)
  result <- evaluate(list(a = data$x[, 1], b = data$x[, 2]), data, "ndcg@5")
  result$long <- result$documents > 6
  built <- ggplot2::ggplot_build(ggplot2::autoplot(result, by = "long"))$data[[2L]]
  first <- ggplot2::autoplot(result, by = "long")$data$ranker == "a"
  expect_true(all(as.numeric(built$y)[first] %% 1 < 0.5))
  expect_true(all(as.numeric(built$y)[!first] %% 1 > 0.5))
})
