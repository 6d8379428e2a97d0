test_that("importance is drawn, most gain on top", {
  skip_if_not_installed("ggplot2")
  grDevices::pdf(NULL)
  withr::defer(grDevices::dev.off())
  train <- example_part("train")
  more <- withr::with_seed(1, matrix(rnorm(nrow(train) * 10), ncol = 10,
                                     dimnames = list(NULL, letters[1:10])))
  wide <- ranking_data(cbind(train$x, more), train$relevance, train$query)
  for (model in list(fit(gbrt(60, num_leaves = 5), wide), fit(adaboost_mh(base_tree(4), 60), wide))) {
    plot <- ggplot2::autoplot(model, "importance")
    table <- tidy(model)
    expect_gt(nrow(table), 21L)
    expect_equal(plot$data$value, 100 * head(table$fraction, 20))
    expect_identical(rev(levels(plot$data$feature)), head(table$feature, 20))
    expect_match(plot$labels$caption, sprintf("^%d more features", nrow(table) - 20L))
    expect_silent(ggplot2::ggplotGrob(plot))
  }
  best <- ggplot2::autoplot(fit(best_feature(direction = "both"), train))
  expect_false(anyDuplicated(sub("lowest ", "", best$data$feature)) > 0L)
  expect_true(all(diff(best$data$value) <= 0))
})
