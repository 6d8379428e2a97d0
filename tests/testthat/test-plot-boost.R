test_that("the training error agrees with the staged discriminants, and is below its bound", {
  skip_if_not_installed("ggplot2")
  grDevices::pdf(NULL)
  withr::defer(grDevices::dev.off())
  data <- random_data(queries = 30, classes = 4)
  data <- ranking_data(data$x, data$relevance, data$query, weight = runif(30)[data$query])
  for (grouping in list("identity", c(0, 1, 1, 2))) {
    for (weights in c("relevance", "uniform")) {
      spec <- adaboost_mh(base_tree(3), rounds = 80, weights = weights, grouping = grouping)
      model <- fit(spec, data)
      plot <- ggplot2::autoplot(model, data = data)
      expect_silent(ggplot2::ggplotGrob(plot))
      shown <- plot$data[plot$data$panel == "Training error", ]
      expect_identical(range(shown$round), c(1, 80))
      grouped <- group_grades(data, grouping)
      classes <- max(grouped$relevance) + 1
      w <- naive_weights(grouped$relevance, classes, weights, data$weight[data$query])
      y <- matrix(-1, nrow(data), classes)
      y[cbind(seq_len(nrow(data)), grouped$relevance + 1)] <- 1
      plain <- fit(adaboost_mh(base_tree(3), rounds = 80, weights = weights), grouped)
      f <- predict(plain, data, type = "raw", rounds = shown$round)
      slow <- vapply(seq_along(shown$round), function(i) sum(w[f[, , i] * y <= 0]), numeric(1))
      expect_equal(shown$value, slow, tolerance = 1e-12)
      bound <- cumprod(sqrt(1 - model$edge^2))[shown$round]
      expect_true(all(shown$value <= bound + 1e-6))
      expect_lt(min(shown$value), shown$value[1])
    }
  }
  expect_error(ggplot2::autoplot(model, data = 1), class = "rankmix_error_argument")
  other <- random_data(queries = 30, classes = 6)
  expect_error(ggplot2::autoplot(model, data = other), class = "rankmix_error_newdata")
})

test_that("autoplot() shows edges, the bound and the validation metric", {
  skip_if_not_installed("ggplot2")
  grDevices::pdf(NULL)
  withr::defer(grDevices::dev.off())
  train <- example_part("train")
  model <- fit(adaboost_mh(base_tree(4), rounds = 50), train, seed = 1)
  plain <- ggplot2::autoplot(model)
  expect_identical(levels(plain$data$panel), c("Edge", "Bound of the training error"))
  expect_silent(ggplot2::ggplotGrob(plain))
  model <- fit(adaboost_mh(base_tree(4), rounds = 50), train, example_part("vali"), seed = 1)
  plot <- ggplot2::autoplot(model)
  expect_identical(levels(plot$data$panel),
                   c("Edge", "Bound of the training error", "Validation ndcg@10"))
  held_out <- plot$data[plot$data$held_out, ]
  expect_identical(held_out$round, model$curve$rounds)
  expect_identical(held_out$value, model$curve$value)
  expect_silent(ggplot2::ggplotGrob(plot))
})

test_that("gbrt() has glance(), its gains over rounds and the squared error", {
  train <- example_part("train")
  model <- fit(gbrt(50, num_leaves = 5), train, example_part("vali"), seed = 1)
  row <- glance(model)
  expect_identical(nrow(row), 1L)
  expect_identical(row$trees, 50L)
  expect_identical(row$best_rounds, model$best_rounds)
  expect_identical(row$features_used, nrow(tidy(model)))
  expect_equal(row$start, mean(train$relevance))
  expect_identical(row$metric, "ndcg@10")
  expect_equal(row$value, mean(evaluate(model, example_part("vali"), metric_ndcg(10))$value))
  skip_if_not_installed("ggplot2")
  grDevices::pdf(NULL)
  withr::defer(grDevices::dev.off())
  plot <- ggplot2::autoplot(model, data = train)
  expect_silent(ggplot2::ggplotGrob(plot))
  rows <- split(plot$data, plot$data$panel)
  # With learning rate 1, tree t would reduce the mean squared residual by its gain. With learning rate s, the tree
  # reduces it by s (2 - s) times the gain.
  error <- vapply(c(0, seq_len(50)), function(t) {
    mean((train$relevance - if (t == 0) row$start else predict(model, train, rounds = t))^2)
  }, 0)
  expect_equal(rows[[1]]$value, -diff(error) / (0.1 * 1.9), tolerance = 1e-4)
  expect_equal(rows[[2]]$value, error[-1], tolerance = 1e-12)
  expect_identical(rows[[3]]$value, model$curve$value)
  weighted <- ranking_data(train$x, train$relevance, train$query, weight = seq_len(150)[train$query])
  plot <- ggplot2::autoplot(model, data = weighted)
  w <- weighted$weight[weighted$query]
  expect_equal(plot$data$value[plot$data$panel == levels(plot$data$panel)[2]][50],
               sum(w * (train$relevance - predict(model, train, rounds = 50))^2) / sum(w))
})
