test_that("an evaluation is drawn: all queries, or means", {
  skip_if_not_installed("ggplot2")
  grDevices::pdf(NULL)
  withr::defer(grDevices::dev.off())
  data <- random_data(queries = 12, seed = 3)
  result <- evaluate(list(a = data$x[, 1], b = data$x[, 2]), data,
                     list(metric_ndcg(5, empty = "drop"), metric_err()))
  plot <- ggplot2::autoplot(result)
  expect_silent(ggplot2::ggplotGrob(plot))
  shown <- plot$data[plot$data$ranker == "b" & plot$data$metric == "err", ]
  values <- sort(result$value[result$ranker == "b" & result$metric == "err"])
  # Each query is a step of the curve, and the curve ends at 100 %.
  expect_equal(shown$value, values[c(1:12, 12L)])
  expect_equal(shown$fraction, 100 * 0:12 / 12)
  expect_identical(nrow(plot$data), sum(!is.nan(result$value)) + 4L)
  means <- ggplot2::autoplot(result, "means")
  expect_equal(means$data$mean, summary(result)$mean)
  result$long <- result$documents > 6
  by <- ggplot2::autoplot(result, by = "long")
  expect_equal(by$data$mean, summary(result, by = "long")$mean)
  expect_silent(ggplot2::ggplotGrob(by))
  one <- ggplot2::autoplot(evaluate(data$x[, 1], data, metric_ndcg(5)))
  expect_silent(ggplot2::ggplotGrob(one))
  expect_error(ggplot2::autoplot(result, "pie"), class = "rankmix_error_argument")
  expect_error(ggplot2::autoplot(result[0, ]), class = "rankmix_error_argument")
})

test_that("the first ranker of a group is drawn above the others", {
  skip_if_not_installed("ggplot2")
  data <- random_data(queries = 12, seed = 3)
  result <- evaluate(list(a = data$x[, 1], b = data$x[, 2]), data, "ndcg@5")
  result$long <- result$documents > 6
  built <- ggplot2::ggplot_build(ggplot2::autoplot(result, by = "long"))$data[[2L]]
  first <- ggplot2::autoplot(result, by = "long")$data$ranker == "a"
  expect_true(all(as.numeric(built$y)[first] %% 1 < 0.5))
  expect_true(all(as.numeric(built$y)[!first] %% 1 > 0.5))
})

test_that("the best of many rankers are drawn, and the subtitle reports it", {
  skip_if_not_installed("ggplot2")
  grDevices::pdf(NULL)
  withr::defer(grDevices::dev.off())
  data <- random_data(queries = 12, seed = 3)
  names <- paste("lambdamart with all features, tuned on fold 1, seed", 1:45)
  scores <- stats::setNames(lapply(1:45, function(i) data$relevance + sin(i * seq_along(data$relevance))), names)
  result <- evaluate(scores, data, list(metric_ndcg(5), metric_err()))
  means <- summary(result)
  best <- function(n) {
    err <- means[means$metric == "err", ]
    intersect(names, err$ranker[order(-err$mean)][seq_len(n)])
  }
  drawn <- function(plot) {
    expect_silent(ggplot2::ggplotGrob(plot))
    levels(droplevels(plot$data$ranker))
  }
  curves <- ggplot2::autoplot(result)
  expect_identical(drawn(curves), best(8))
  expect_match(curves$labels$subtitle, "12 queries\nThe 8 highest means of 45 rankers, by err.", fixed = TRUE)
  # The legend leaves most of the height to the panel, and its names differ.
  labels <- curves$scales$get_scales("colour")$labels(names)
  expect_true(all(nchar(labels) <= 26L) && !anyDuplicated(labels))
  expect_identical(drawn(ggplot2::autoplot(result, "means")), best(40))
  expect_identical(drawn(ggplot2::autoplot(result, n = 3)), best(3))
  expect_identical(drawn(ggplot2::autoplot(result, n = Inf)), names)
  result$long <- result$documents > 6
  expect_identical(drawn(ggplot2::autoplot(result, by = "long")), best(8))
  few <- ggplot2::autoplot(evaluate(scores[1:8], data, "ndcg@5"))
  expect_identical(few$labels$subtitle, "12 queries")
  expect_error(ggplot2::autoplot(result, n = 0), class = "rankmix_error_argument")
  cutoffs <- cutoff_curves(scores, data, metric_ndcg(5), cutoffs = 1:3)
  plot <- ggplot2::autoplot(cutoffs)
  last <- cutoffs[cutoffs$convention == cutoffs$convention[nrow(cutoffs)] & cutoffs$cutoff == 3, ]
  expect_identical(drawn(plot), intersect(names, last$ranker[order(-last$mean)][1:8]))
  expect_match(plot$labels$subtitle, "The 8 highest means of 45 rankers, by ndcg@3 of", fixed = TRUE)
  expect_length(drawn(ggplot2::autoplot(cutoffs, n = 12)), 12L)
})
