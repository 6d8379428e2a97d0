test_that("explanations are drawn", {
  skip_if_not_installed("ggplot2")
  grDevices::pdf(NULL)
  withr::defer(grDevices::dev.off())
  train <- example_part("train")
  model <- fit(gbrt(20), train, threads = 1)
  shap <- explain(model, train)
  swarm <- ggplot2::autoplot(shap)
  expect_identical(rev(levels(swarm$data$feature)), head(tidy(shap)$feature, max_swarms))
  expect_true(all(abs(swarm$data$y - as.integer(swarm$data$feature)) <= 0.45))
  first <- swarm$data[swarm$data$feature == tidy(shap)$feature[1], ]
  expect_identical(range(first$contribution), range(shap$values[, tidy(shap)$feature[1]]))
  bars <- ggplot2::autoplot(shap, "importance")
  used <- tidy(shap)$within[tidy(shap)$within > 0]
  expect_equal(bars$data$value, head(used, max_bars))
  points <- ggplot2::autoplot(shap, "dependence")
  expect_identical(points$data$contribution, unname(shap$values[, tidy(shap)$feature[1]]))
  best <- order(-predict(model, train))
  pair <- explain_pair(model, train, best[1], best[60])
  fall <- ggplot2::autoplot(pair)
  expect_lte(nrow(fall$data), max_falls)
  expect_equal(fall$data$from[1], attr(pair, "scores")[["below"]])
  expect_equal(fall$data$to[nrow(fall$data)], attr(pair, "scores")[["above"]])
  expect_equal(fall$data$from[-1], fall$data$to[-nrow(fall$data)])
  costs <- ggplot2::autoplot(permutation_importance(model, train, times = 2, seed = 1))
  depends <- ggplot2::autoplot(partial_dependence(model, train, train$features[1:2], points = 4))
  for (plot in list(swarm, bars, points, fall, costs, depends)) {
    expect_silent(ggplot2::ggplotGrob(plot))
  }
  expect_snapshot_error(ggplot2::autoplot(shap, "dependence", feature = "nothing"),
                        class = "rankmix_error_argument")
  expect_snapshot_error(ggplot2::autoplot(explain_pair(model, train$x[c(1, 1), ], 1, 2)),
                        class = "rankmix_error_argument")
})
