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

test_that("a factor that is split by subsets is drawn as one feature", {
  skip_if_not_installed("ggplot2")
  grDevices::pdf(NULL)
  withr::defer(grDevices::dev.off())
  data <- factor_data(factor_frame(queries = 20, levels = 6, missing = 0.1))
  model <- fit(gbrt(trees = 8, num_leaves = 6, categories = "subsets", cat_smooth = 1, min_data_per_group = 5),
               data, threads = 1)
  shap <- explain(model, data, threads = 1)
  name <- data$encoding[[1L]]$column
  levels <- data$encoding[[1L]]$features
  swarm <- ggplot2::autoplot(shap)
  own <- swarm$data[swarm$data$feature == name, ]
  expect_equal(range(own$contribution), range(rowSums(shap$values[, levels])))
  expect_true(all(is.na(own$level)))
  expect_match(swarm$labels$subtitle, "or a level of a factor", fixed = TRUE)
  depends <- ggplot2::autoplot(shap, "dependence", feature = name)
  level <- max.col(replace(data$x[, levels], is.na(data$x[, levels]), 0), "first")
  present <- !is.na(data$x[, levels[1]])
  expect_identical(depends$data$value, level[present])
  expect_match(depends$labels$caption, format(sum(!present)), fixed = TRUE)
  for (plot in list(swarm, depends)) expect_silent(ggplot2::ggplotGrob(plot))
})
