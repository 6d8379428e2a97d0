test_that("weights are drawn by grade, and a path by its held-out metric", {
  skip_if_not_installed("ggplot2")
  data <- simulate_ranking(60, seed = 1)$data
  parts <- split_parts(split_queries(data, 0.7, seed = 1), data)
  path <- fit(mcsvm(c(0.01, 1)), parts$train, parts$test)
  expect_equal(ggplot2::autoplot(path)$data$y, glance(path)$value)
  model <- path$path[[2]]
  drawn <- ggplot2::autoplot(model)$data
  expect_equal(drawn$weight, coef(model)[cbind(match(drawn$feature, model$features),
                                               as.integer(drawn$grade))])
  # Without validation data the steps that each cost took.
  alone <- fit(mcsvm(c(0.01, 1)), parts$train)
  expect_equal(ggplot2::autoplot(alone)$data$y, glance(alone)$steps)
})

test_that("weights of linear() are drawn, and its path but for the penalty 0", {
  skip_if_not_installed("ggplot2")
  data <- simulate_ranking(60, seed = 1)$data
  parts <- split_parts(split_queries(data, 0.7, seed = 1), data)
  path <- fit(linear(penalty = c(0, 0.1, 1)), parts$train, parts$test)
  drawn <- ggplot2::autoplot(path)$data
  expect_equal(drawn$x, c(0.1, 1))
  expect_equal(drawn$y, glance(path)$value[match(drawn$x, glance(path)$penalty)])
  model <- fit(linear(penalty = 1), parts$train)
  weights <- ggplot2::autoplot(model)$data
  expect_equal(weights$value, unname(coef(model)[as.character(weights$feature)]))
})
