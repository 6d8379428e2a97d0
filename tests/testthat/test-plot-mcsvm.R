test_that("weights are drawn by grade, and a path by its validation metric", {
  skip_if_not_installed("ggplot2")
  data <- simulate_ranking(60, seed = 1)$data
  parts <- split_parts(split_queries(data, 0.7, seed = 1), data)
  path <- fit(mcsvm(c(0.01, 1)), parts$train, parts$test)
  expect_equal(ggplot2::autoplot(path)$data$y, glance(path)$value)
  model <- path$path[[2]]
  drawn <- ggplot2::autoplot(model)$data
  expect_equal(drawn$weight, coef(model)[cbind(match(drawn$feature, model$features),
                                               as.integer(drawn$grade))])
  # Without validation data, the plot shows the steps for each cost.
  alone <- fit(mcsvm(c(0.01, 1)), parts$train)
  expect_equal(ggplot2::autoplot(alone)$data$y, glance(alone)$steps)
})

test_that("weights of linear_ranker() are drawn, and its path but for the penalty 0", {
  skip_if_not_installed("ggplot2")
  data <- simulate_ranking(60, seed = 1)$data
  parts <- split_parts(split_queries(data, 0.7, seed = 1), data)
  path <- fit(linear_ranker(penalty = c(0, 0.1, 1)), parts$train, parts$test)
  drawn <- ggplot2::autoplot(path)$data
  expect_equal(drawn$x, c(0.1, 1))
  expect_equal(drawn$y, glance(path)$value[match(drawn$x, glance(path)$penalty)])
  model <- fit(linear_ranker(penalty = 1), parts$train)
  weights <- ggplot2::autoplot(model)$data
  expect_equal(weights$value, unname(coef(model)[as.character(weights$feature)]))
})

test_that("paths of linear models are drawn as weights, standardised", {
  skip_if_not_installed("ggplot2")
  data <- simulate_ranking(60, seed = 1)$data
  parts <- split_parts(split_queries(data, 0.7, seed = 1), data)
  path <- fit(ranksvm(10^(-3:1)), parts$train, parts$test)
  plot <- ggplot2::autoplot(path, "weights")
  drawn <- plot$data
  expect_identical(nlevels(drawn$feature), rankmix:::max_coloured)
  model <- path$path[[2]]
  here <- drawn[drawn$x == 0.01, ]
  expect_equal(here$weight, unname((coef(model) * model$scale)[as.character(here$feature)]))
  # All other weights are smaller in magnitude along the whole path.
  others <- plot$layers[[2]]$data
  expect_identical(nrow(others) + nrow(drawn), 5L * length(model$features))
  expect_lte(max(abs(others$weight)), min(tapply(abs(drawn$weight), drawn$feature, max)))
  expect_equal(ggplot2::autoplot(path)$data$y, glance(path)$value)
  ridge <- fit(linear_ranker(), parts$train, parts$test)
  expect_false(any(ggplot2::autoplot(ridge, "weights")$data$x == 0))
  expect_error(ggplot2::autoplot(fit(mcsvm(c(0.1, 1)), parts$train), "weights"),
               class = "rankmix_error_argument")
  skip_without_pictures()
  vdiffr::expect_doppelganger("ranksvm path", ggplot2::autoplot(path))
  vdiffr::expect_doppelganger("ranksvm weights", plot)
  vdiffr::expect_doppelganger("ridge weights", ggplot2::autoplot(ridge, "weights"))
})
