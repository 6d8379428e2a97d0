test_that("stages show the smooth metric, and the metric on data", {
  skip_if_not_installed("ggplot2")
  data <- simulate_ranking(20, features = 9, seed = 1)$data
  data <- ranking_data(ifelse(is.na(unname(data$x)), 0, data$x), data$relevance, data$query)
  model <- fit(smoothrank(metric_ndcg(5), penalty = c(0.1, 1), schedule = c(4, 1, 0.25)), data)
  picture <- ggplot2::autoplot(model, "stages", data = data, metric = metric_err())
  shown <- picture$data
  expect_identical(levels(shown$set), c("training, smooth ndcg@5", "data"))
  expect_equal(shown$value[1:3], model$stages$value)
  expect_equal(shown$value[5], mean(evaluate(predict(model, data, stage = 2), data, metric_err())$value))
  expect_identical(shown$sigma, rep(c(4, 1, 0.25), 2))
  expect_no_error(ggplot2::ggplot_build(picture))
  weights <- ggplot2::autoplot(model$path[[2]], "weights")
  expect_no_error(ggplot2::ggplot_build(weights))
  of_first <- weights$data[weights$data$feature == levels(weights$data$feature)[1], ]
  expect_equal(max(abs(of_first$weight)), max(abs(model$path[[2]]$stage_weights)))
  expect_no_error(ggplot2::ggplot_build(ggplot2::autoplot(model, "weights")))
  chosen <- fit(model$spec, data[1:15], data[16:20], verbose = FALSE)
  expect_no_error(ggplot2::ggplot_build(ggplot2::autoplot(chosen)))
  one <- ggplot2::autoplot(model$path[[1]])
  expect_identical(nlevels(one$data$set), 1L)
  expect_snapshot_error(ggplot2::autoplot(model, "stages", data = list(data)),
                        class = "rankmix_error_argument")
  expect_snapshot_error(ggplot2::autoplot(model$path[[1]], "metric"),
                        class = "rankmix_error_argument")
})
