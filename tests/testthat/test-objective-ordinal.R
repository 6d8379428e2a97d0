test_that("a model has the thresholds before each tree, which maximise the likelihood", {
  data <- random_data(queries = 40, classes = 4, missing = 0.1)
  model <- fit(gbrt(6, num_leaves = 5, min_data_in_leaf = 2, objective = loss_ordinal()), data, seed = 1)
  expect_identical(dimnames(model$thresholds), list(NULL, c("1", "2", "3")))
  w <- rep(1, length(data$query_ids))
  for (t in c(1, 6)) {
    f <- if (t == 1) numeric(nrow(data$x)) else predict(model, data, rounds = t - 1)
    loss <- function(bounds) {
      above <- cbind(1, plogis(outer(f, bounds, "-")), 0)
      -sum(log(above[cbind(seq_along(f), data$relevance + 1L)] -
                 above[cbind(seq_along(f), data$relevance + 2L)]))
    }
    found <- model$thresholds[t, ]
    for (k in 1:3) {
      for (move in c(-1e-3, 1e-3)) {
        expect_lt(loss(found), loss(replace(found, k, found[k] + move)))
      }
    }
  }
  half <- fit(update(model$spec, trees = 3), data, seed = 1)
  expect_identical(fit(half, data, rounds = 6)$thresholds, model$thresholds)
})

test_that("probabilities of the grades are right if the true model is proportional odds", {
  simulation <- simulate_ranking(400, seed = 4)
  data <- simulation$data
  model <- fit(gbrt(100, num_leaves = 8, objective = loss_ordinal()), data, seed = 1)
  test <- simulate_ranking(100, truth = simulation$truth, seed = 5)
  above <- plogis(predict(model, test$data) - model$thresholds[100, "1"])
  truth <- 1 - test$probability[, 1]
  # The truth has proportional odds. The predictions are closer to the truth than the fraction of the grade.
  fraction <- mean(data$relevance >= 1)
  nearer <- t.test((fraction - truth)^2, (above - truth)^2, paired = TRUE, alternative = "greater")
  expect_lt(nearer$p.value, 1e-6)
  # The predictions follow the truth in ten groups of documents with similar predictions.
  group <- cut(rank(above, ties.method = "first"), 10)
  expect_gt(cor(tapply(above, group, mean), tapply(truth, group, mean)), 0.98)
})

test_that("loss_ordinal() supports missing grades and networks, and refuses one grade", {
  data <- random_data(queries = 20, features = 3, classes = 3)
  data$relevance <- 2L * data$relevance
  model <- fit(gbrt(3, num_leaves = 4, min_data_in_leaf = 1, objective = loss_ordinal()), data, seed = 1)
  expect_identical(colnames(model$thresholds), c("2", "4"))
  one <- data
  one$relevance <- rep(1L, nrow(data$x))
  expect_error(fit(gbrt(3, objective = loss_ordinal()), one, seed = 1),
               class = "rankmix_error_one_grade")
  spec <- network_ranker(loss_ordinal(), hidden = 4, epochs = 4)
  expect_identical(fit(spec, data, seed = 1, threads = 3), fit(spec, data, seed = 1))
  expect_snapshot(loss_ordinal())
})
