skip_if_not_installed("ggplot2")
data <- simulate_ranking(60, features = 6, seed = 1)$data
parts <- split_parts(split_queries(data, 0.7, seed = 1), data)
bag_of_trees <- function(base, times = 6) {
  fit(bagging(base, times = times, fraction = 0.5), parts$train, seed = 2, verbose = FALSE)
}

test_that("importance equals tidy(), and linear models have mean weights", {
  for (base in list(m5p(30, prune = FALSE), gbrt(trees = 2))) {
    model <- bag_of_trees(base)
    picture <- ggplot2::autoplot(model)
    expect_equal(picture$data$value, 100 * tidy(model)$fraction)
    expect_no_error(ggplot2::ggplot_build(picture))
  }
  lines <- bag_of_trees(linear_ranker(penalty = 0.1))
  picture <- ggplot2::autoplot(lines)
  expect_setequal(picture$data$value, utils::head(tidy(lines)$weight, -1L))
  expect_false(is.unsorted(-abs(picture$data$value)))
})

test_that("the metric by number of members agrees with their means", {
  model <- bag_of_trees(m5p(30))
  picture <- ggplot2::autoplot(model, "members", parts$test, metric_ndcg(5))
  expect_identical(picture$data$members, as.double(1:6))
  value <- summary(evaluate(predict(model, parts$test, members = 3), parts$test, metric_ndcg(5)))$mean
  expect_equal(picture$data$value[3L], value)
  expect_no_error(ggplot2::ggplot_build(picture))
  one <- ggplot2::autoplot(bag_of_trees(m5p(30), 1L), "members", parts$test)
  expect_identical(nrow(one$data), 1L)
  expect_error(ggplot2::autoplot(model, "members"), "needs `data`",
               class = "rankmix_error_argument")
})
