test_that("gains and numbers of splits are counted over the rounds that are used", {
  data <- random_data(queries = 40, features = 5)
  model <- fit(adaboost_mh(tree(5), rounds = 20), data)
  table <- tidy(model)
  expect_identical(sum(table$used), length(model$forest$feature))
  expect_identical(table$used[table$feature == "x1"], sum(model$forest$feature == 0L))
  expect_equal(sum(table$share), 1)
  expect_false(is.unsorted(-table$gain))
  # The edge of a stump is that of constant votes and its gain.
  w <- naive_weights(data$relevance, 3, "relevance")
  y <- matrix(-1, length(data$relevance), 3)
  y[cbind(seq_along(data$relevance), data$relevance + 1)] <- 1
  stumps <- fit(adaboost_mh(stump(), rounds = 1), data)
  expect_equal(stumps$edge, sum(abs(colSums(w * y))) + stumps$forest$gain, tolerance = 1e-6)
  # A tree's is more: a leaf that is split voted as the stump above it, not its best.
  gains <- sum(model$forest$gain[seq_len(model$forest$node_begin[2])])
  expect_gte(model$edge[1], sum(abs(colSums(w * y))) + gains - 1e-6)
  model$best_rounds <- 3L
  expect_identical(sum(tidy(model)$used), model$forest$node_begin[4])
  model$best_rounds <- 1L
  expect_identical(glance(model)$features_used, nrow(tidy(model)))
  expect_lt(glance(model)$features_used, 5L)
})

test_that("the informative features come first", {
  simulation <- simulate_ranking(200, seed = 1)
  for (base in list(tree(8), hamming_tree(8), product(3))) {
    table <- tidy(fit(adaboost_mh(base, rounds = 50), simulation$data))
    expect_match(table$feature[1:8], "signal|query")
    expect_false("constant1" %in% table$feature)
  }
})

test_that("a fit is told in a row", {
  train <- example_part("train")
  valid <- example_part("vali")
  model <- fit(adaboost_mh(tree(4), rounds = 50), train, validation = valid, seed = 1)
  row <- glance(model)
  expect_identical(row$rounds, 50L)
  expect_identical(row$best_rounds, model$best_rounds)
  expect_identical(row$value, max(model$curve$value))
  expect_equal(row$bound, prod(sqrt(1 - model$edge^2)))
  expect_identical(row$edge_last, model$edge[50])
  # The bound holds: the weighted Hamming error of the ensemble is below it.
  f <- predict(model, train, type = "raw", rounds = 50)
  w <- naive_weights(train$relevance, 4, "relevance")
  y <- matrix(-1, nrow(f), 4)
  y[cbind(seq_along(train$relevance), train$relevance + 1)] <- 1
  expect_lte(sum(w * (f * y <= 0)), row$bound)
})

test_that("models of version 0.1.0 have no gains, which is said, but predict", {
  data <- random_data()
  model <- fit(adaboost_mh(tree(3), rounds = 5), data)
  old <- model
  old$forest[c("gain", "round_begin")] <- NULL
  old$groups <- old$spec$grouping <- NULL
  old$spec$base <- structure(list(name = "tree", leaves = 3), class = "rankmix_base")
  expect_identical(format(old$spec), format(model$spec))
  expect_snapshot_error(tidy(old), class = "rankmix_error_argument")
  expect_identical(predict(old, data), predict(model, data))
})

test_that("the training error is that of the staged discriminants, below its bound", {
  skip_if_not_installed("ggplot2")
  grDevices::pdf(NULL)
  withr::defer(grDevices::dev.off())
  data <- random_data(queries = 30, classes = 4)
  data <- ranking_data(data$x, data$relevance, data$query, weight = runif(30)[data$query])
  for (grouping in list("identity", c(0, 1, 1, 2))) {
    for (weights in c("relevance", "uniform")) {
      spec <- adaboost_mh(tree(3), rounds = 80, weights = weights, grouping = grouping)
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
      plain <- fit(adaboost_mh(tree(3), rounds = 80, weights = weights), grouped)
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

test_that("autoplot() shows edges, the bound and the held-out metric", {
  skip_if_not_installed("ggplot2")
  grDevices::pdf(NULL)
  withr::defer(grDevices::dev.off())
  train <- example_part("train")
  model <- fit(adaboost_mh(tree(4), rounds = 50), train, seed = 1)
  plain <- ggplot2::autoplot(model)
  expect_identical(levels(plain$data$panel), c("Edge", "Bound of the training error"))
  expect_silent(ggplot2::ggplotGrob(plain))
  model <- fit(adaboost_mh(tree(4), rounds = 50), train, example_part("vali"), seed = 1)
  plot <- ggplot2::autoplot(model)
  expect_identical(levels(plot$data$panel),
                   c("Edge", "Bound of the training error", "Held-out ndcg@10"))
  held_out <- plot$data[plot$data$held_out, ]
  expect_identical(held_out$round, model$curve$rounds)
  expect_identical(held_out$value, model$curve$value)
  expect_silent(ggplot2::ggplotGrob(plot))
})

test_that("gbrt() has glance(), its gains over rounds and the squared error", {
  train <- example_part("train")
  model <- fit(gbrt(50, leaves = 5), train, example_part("vali"), seed = 1)
  row <- glance(model)
  expect_identical(nrow(row), 1L)
  expect_identical(row$trees, 50L)
  expect_identical(row$best_rounds, model$best_rounds)
  expect_identical(row$features_used, nrow(tidy(model)))
  expect_equal(row$start, mean(train$relevance))
  expect_identical(row$metric, "ndcg@10")
  expect_equal(row$value, mean(evaluate(model, example_part("vali"), ndcg(10))$value))
  skip_if_not_installed("ggplot2")
  grDevices::pdf(NULL)
  withr::defer(grDevices::dev.off())
  plot <- ggplot2::autoplot(model, data = train)
  expect_silent(ggplot2::ggplotGrob(plot))
  rows <- split(plot$data, plot$data$panel)
  # A full step of tree t would take its gain off the mean squared residual; a step of s takes
  # s (2 - s) of it.
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

test_that("importance is drawn, most gain on top", {
  skip_if_not_installed("ggplot2")
  grDevices::pdf(NULL)
  withr::defer(grDevices::dev.off())
  train <- example_part("train")
  more <- matrix(rnorm(nrow(train) * 10), ncol = 10, dimnames = list(NULL, letters[1:10]))
  wide <- ranking_data(cbind(train$x, more), train$relevance, train$query)
  for (model in list(fit(gbrt(60, leaves = 5), wide), fit(adaboost_mh(tree(4), 60), wide))) {
    plot <- ggplot2::autoplot(model, "importance")
    table <- tidy(model)
    expect_equal(plot$data$value, 100 * head(table$share, 20))
    expect_identical(rev(levels(plot$data$feature)), head(table$feature, 20))
    expect_match(plot$labels$caption, sprintf("^%d more features", nrow(table) - 20L))
    expect_silent(ggplot2::ggplotGrob(plot))
  }
  best <- ggplot2::autoplot(fit(best_feature(direction = "both"), train))
  expect_false(anyDuplicated(sub("lowest ", "", best$data$feature)) > 0L)
  expect_true(all(diff(best$data$value) <= 0))
})
