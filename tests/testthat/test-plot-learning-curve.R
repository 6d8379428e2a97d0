test_that("learning curves and cut-offs look as they did", {
  skip_if_quick()
  skip_without_pictures()
  parts <- list(train = example_part("train"), valid = example_part("vali"),
                test = example_part("test"))
  rankers <- list(second = function(data) data$x[, 2], best = best_feature())
  curve <- learning_curve(rankers, parts, fractions = c(0.1, 0.4, 0.7, 1),
                          order = c("random", "hard_first", "easy_first"), seed = 1)
  vdiffr::expect_doppelganger("learning curves", ggplot2::autoplot(curve))
  scores <- list(first = parts$test$x[, 1], second = parts$test$x[, 2],
                 third = parts$test$x[, 3])
  vdiffr::expect_doppelganger("cut-offs",
                              ggplot2::autoplot(cutoff_curves(scores, parts$test, metric_ndcg(10))))
})

test_that("a learning curve of one fraction shows its intervals", {
  skip_if_not_installed("ggplot2")
  grDevices::pdf(NULL)
  withr::defer(grDevices::dev.off())
  parts <- list(train = example_part("train"), test = example_part("test"))
  rankers <- list(second = function(data) data$x[, 2], best = best_feature())
  curve <- learning_curve(rankers, parts, fractions = 0.5, seed = 1, verbose = FALSE)
  plot <- ggplot2::autoplot(curve)
  # ggplot2 gives a message for a line with a single point, so no line is drawn.
  expect_silent(ggplot2::ggplotGrob(plot))
  drawn <- lapply(seq_along(plot$layers), function(i) ggplot2::layer_data(plot, i))
  ranges <- Filter(function(d) nrow(d) == 2L && all(c("ymin", "ymax") %in% names(d)), drawn)
  expect_length(ranges, 1L)
  expect_setequal(ranges[[1L]]$ymin, summary(curve)$lower)
  # The intervals are side by side.
  expect_identical(anyDuplicated(ranges[[1L]]$x), 0L)
})
