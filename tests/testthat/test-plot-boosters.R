test_that("rounds and weights of adarank() are drawn as they are", {
  skip_if_not_installed("ggplot2")
  data <- random_data(40, features = 5, seed = 6)
  valid <- random_data(20, features = 5, seed = 7)
  valid <- ranking_data(valid$x, valid$relevance, valid$query + 1000)
  model <- fit(adarank(metric_ndcg(5), rounds = 30, repeats = 1), data, valid, metric_ndcg(5))
  drawn <- ggplot2::autoplot(model)$data
  expect_identical(nlevels(drawn$panel), 3L)
  panels <- split(drawn$value, drawn$panel)
  expect_identical(panels[[1L]], model$chosen$mean)
  expect_identical(panels[[2L]], model$chosen$value)
  expect_identical(panels[[3L]], model$curve$value)
  bars <- ggplot2::autoplot(model, "weights")$data
  expect_equal(bars$value, unname(coef(model)[as.character(bars$feature)]))
  expect_error(ggplot2::autoplot(model, "importance"), class = "rankmix_error_argument")
})

test_that("rounds and importance of rankboost() are drawn as they are", {
  skip_if_not_installed("ggplot2")
  data <- random_data(40, features = 5, seed = 6)
  model <- fit(rankboost(30), data)
  drawn <- ggplot2::autoplot(model)$data
  panels <- split(drawn$value, drawn$panel)
  expect_length(panels, 2L)
  expect_identical(panels[[1L]], model$edge)
  expect_equal(panels[[2L]], cumprod(model$z))
  bars <- ggplot2::autoplot(model, "importance")$data
  expect_equal(sum(bars$value), 100)
})

test_that("the plots match their stored pictures", {
  skip_without_pictures()
  data <- simulate_ranking(60, seed = 1)$data
  parts <- split_parts(split_queries(data, 0.7, seed = 1), data)
  ranked <- fit(adarank(metric_ndcg(10), 100, negatives = TRUE, repeats = 1), parts$train, parts$test)
  boosted <- fit(rankboost(100), parts$train, parts$test)
  vdiffr::expect_doppelganger("rounds of adarank", ggplot2::autoplot(ranked))
  vdiffr::expect_doppelganger("weights of adarank", ggplot2::autoplot(ranked, "weights"))
  vdiffr::expect_doppelganger("rounds of rankboost", ggplot2::autoplot(boosted))
})
