test_that("learning curves and cut-offs match their stored pictures", {
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

test_that("only the rankers with the highest means are drawn", {
  skip_if_not_installed("ggplot2")
  rankers <- lapply(stats::setNames(10^(-4:5), paste("penalty", 1:10)), function(penalty) linear_ranker(penalty = penalty))
  parts <- list(train = example_part("train"), test = example_part("test"))
  curve <- learning_curve(rankers, parts, fractions = c(0.5, 1), seed = 1, threads = 1, verbose = FALSE)
  drawn <- function(...) levels(ggplot2::autoplot(curve, ...)$data$ranker)
  table <- summary(curve)
  table <- table[table$fraction == 1, ]
  expect_setequal(drawn(n = 3), table$ranker[order(-table$mean)][1:3])
  expect_length(drawn(), 8)
  expect_length(drawn(n = Inf), 10)
  expect_match(ggplot2::autoplot(curve)$labels$caption, "The 8 highest means of 10 rankers")
})
