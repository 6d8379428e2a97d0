test_that("the plot shows the means, the intervals, the floor and the choice", {
  skip_if_not_installed("ggplot2")
  front <- small_front(two_labels(100), floor = c(relevance = 0.1), steps = 4)
  built <- ggplot2::ggplot_build(ggplot2::autoplot(front))
  expect_equal(built$data[[1L]]$xintercept, front$points$value_relevance[1L] - 0.1)
  points <- built$data[[length(built$data)]]
  expect_equal(points$x, front$points$value_relevance)
  expect_equal(points$y, front$points$value_revenue)
  expect_identical(which(points$shape == 17), front$choice$point)
  rows <- front$differences[front$differences$objective == "revenue", ]
  bars <- built$data[[length(built$data) - 1L]]
  expect_equal(bars$ymin, rows$value - rows$difference + rows$lower)
  test <- ggplot2::ggplot_build(ggplot2::autoplot(front, sample = "test", objectives = c("revenue", "relevance")))
  expect_equal(test$data[[length(test$data)]]$x, front$test$value[front$test$objective == "revenue"])
  expect_equal(test$data[[1L]]$yintercept, front$test$value[1L] - 0.1)
  data <- two_labels(40)
  plain <- small_front(data[1:20], data[21:40], steps = 2)
  expect_snapshot(error = TRUE, {
    ggplot2::autoplot(plain, objectives = "relevance")
    ggplot2::autoplot(plain, sample = "test")
  })
})
