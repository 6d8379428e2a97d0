data <- complete_simulation(60, 7)
parts <- split_parts(split_queries(data, 0.7, seed = 1), data)

test_that("the weights of features in subproblems are drawn", {
  skip_if_not_installed("ggplot2")
  model <- fit(cocr(linear_ranker(penalty = 0.1)), parts$train, verbose = FALSE)
  drawn <- ggplot2::autoplot(model)
  of <- coef(model)[as.character(drawn$data$feature[3]), as.character(drawn$data$grade[3])]
  spread <- sd(parts$train$x[, as.character(drawn$data$feature[3])])
  n <- nrow(parts$train$x)
  expect_equal(drawn$data$weight[3], of * spread * sqrt((n - 1) / n), tolerance = 1e-10)
  trees <- fit(cocr(gbrt(20, num_leaves = 4)), parts$train, verbose = FALSE)
  bars <- ggplot2::autoplot(trees)
  expect_equal(as.vector(tapply(bars$data$weight, bars$data$grade, sum)), rep(1, 4))
  own <- fit(cocr(function(x, y, weights) function(x) x[, 1]), parts$train, verbose = FALSE)
  expect_error(ggplot2::autoplot(own), class = "rankmix_error_argument")
  skip_without_pictures()
  vdiffr::expect_doppelganger("features of subproblems", drawn)
})

test_that("paths are drawn by penalty and cost", {
  skip_if_not_installed("ggplot2")
  path <- fit(cocr(linear_ranker(penalty = c(0, 0.01, 1, 100)), c("oerr", "squared")), parts$train,
              parts$test, verbose = FALSE)
  drawn <- ggplot2::autoplot(path)
  expect_equal(drawn$data$value, glance(path)$value[glance(path)$penalty > 0])
  costs <- fit(cocr(linear_ranker(penalty = 1), c("oerr", "squared")), parts$train, parts$test,
               verbose = FALSE)
  expect_identical(ggplot2::autoplot(costs)$data$x, c("oerr", "squared"))
  sizes <- fit(cocr(m5p(c(10, 200)), "squared"), parts$train, parts$test, verbose = FALSE)
  expect_length(unique(ggplot2::autoplot(sizes)$data$x), 2L)
  expect_output(print(sizes), "m5p(min_data_in_split = 200)", fixed = TRUE)
  open <- path
  open$chosen <- NA_integer_
  expect_error(ggplot2::autoplot(open), class = "rankmix_error_path")
  expect_error(ggplot2::autoplot(path, "weights"), class = "rankmix_error_argument")
  skip_without_pictures()
  vdiffr::expect_doppelganger("a path of costs", drawn)
})
