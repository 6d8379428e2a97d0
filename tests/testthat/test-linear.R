# Ridge regression on scaled features by the normal equations. Features are scaled by weighted means and standard
# deviations.
naive_ridge <- function(x, y, weight, penalty) {
  w <- weight / sum(weight)
  center <- colSums(w * x)
  z <- sweep(x, 2, center)
  spread <- sqrt(colSums(w * z^2))
  constant <- spread < 1e-12
  z <- sweep(z, 2, ifelse(constant, Inf, spread), "/")
  beta <- solve(crossprod(z, w * z) + diag(penalty + constant, ncol(z)),
                crossprod(z, w * (y - sum(w * y))))
  weights <- drop(beta) / ifelse(constant, Inf, spread)
  list(weights = weights, intercept = sum(w * y) - sum(center * weights))
}

data <- local({
  all <- simulate_ranking(50, features = 6, seed = 3)$data
  x <- all$x
  x[is.na(x)] <- 0
  ranking_data(x, all$relevance, all$query)
})
parts <- split_parts(split_queries(data, 0.7, seed = 1), data)

test_that("linear_ranker() is ridge regression of the gains, with an intercept", {
  for (penalty in c(1e-3, 0.1, 10)) {
    for (target in c("gain", "grade")) {
      model <- fit(linear_ranker(loss_squared(target), penalty = penalty), parts$train)
      y <- if (target == "gain") 2^parts$train$relevance - 1 else parts$train$relevance
      reference <- naive_ridge(parts$train$x, y, rep(1, length(y)), penalty)
      expect_equal(model$weights, unname(reference$weights), tolerance = 1e-9)
      expect_equal(model$intercept, reference$intercept, tolerance = 1e-9)
      expect_equal(predict(model, parts$test),
                   drop(parts$test$x %*% reference$weights + reference$intercept), tolerance = 1e-9)
    }
  }
  expect_identical(predict(fit(linear_ranker(penalty = 1), parts$train), parts$test),
                   predict(fit(linear_ranker(loss_squared("gain"), 1), parts$train), parts$test))
})

test_that("weights of queries are used, in the scaling too", {
  weight <- rep(1:3, length.out = length(parts$train$query_ids))
  train <- ranking_data(parts$train$x, parts$train$relevance, parts$train$query,
                        weight = weight[parts$train$query])
  model <- fit(linear_ranker(penalty = 0.1), train)
  reference <- naive_ridge(train$x, 2^train$relevance - 1, weight[train$query], 0.1)
  expect_equal(model$weights, unname(reference$weights), tolerance = 1e-9)
})

test_that("without a penalty linear_ranker() is least squares, with the smallest weights if features repeat", {
  model <- fit(linear_ranker(penalty = 0), parts$train)
  lm <- stats::lm.fit(cbind(1, parts$train$x), 2^parts$train$relevance - 1)
  fitted <- unname(drop(cbind(1, parts$test$x) %*% ifelse(is.na(lm$coefficients), 0,
                                                          lm$coefficients)))
  expect_equal(predict(model, parts$test), fitted, tolerance = 1e-8)
  twice <- function(data) {
    ranking_data(cbind(data$x, again = data$x[, 2]), data$relevance, data$query)
  }
  repeated <- fit(linear_ranker(penalty = 0), twice(parts$train))
  expect_equal(repeated$weights[2], repeated$weights[7], tolerance = 1e-8)
  expect_equal(2 * repeated$weights[2], model$weights[2], tolerance = 1e-6)
  expect_equal(predict(repeated, twice(parts$test)), fitted, tolerance = 1e-8)
})

test_that("of several penalties validation data choose, or parts of the training queries", {
  penalties <- c(0.01, 1, 100)
  held <- fit(linear_ranker(penalty = penalties), parts$train, parts$test, metric_err())
  values <- vapply(penalties, function(penalty) {
    summary(evaluate(fit(linear_ranker(penalty = penalty), parts$train), parts$test, metric_err()))$mean
  }, 0)
  expect_equal(glance(held)$value, values)
  expect_identical(held$spec$penalty, penalties[which.max(values)])
  expect_identical(predict(held, parts$test),
                   predict(fit(linear_ranker(penalty = held$spec$penalty), parts$train), parts$test))

  alone <- fit(linear_ranker(penalty = penalties), data, metric = metric_err())
  # Computes the same parts by hand. Out-of-fold documents are left out of the fit.
  part <- rankmix:::query_parts(rankmix:::held_out(data, 1L),
                                cbind(predict(alone$path[[1]], data)))
  expect_identical(sort(unique(part)), 1:5)
  scores <- matrix(0, nrow(data$x), 3)
  for (k in 1:5) {
    seen <- data[data$query_ids[unique(data$query[part != k])]]
    for (i in 1:3) {
      model <- fit(linear_ranker(penalty = penalties[i]), seen)
      scores[part == k, i] <- predict(model, data)[part == k]
    }
  }
  by_hand <- vapply(1:3, function(i) summary(evaluate(scores[, i], data, metric_err()))$mean, 0)
  expect_equal(glance(alone)$value, by_hand)
  expect_identical(alone$chosen, which.max(by_hand))
  # The default is a path of penalties.
  expect_length(fit(linear_ranker(), parts$train, parts$test)$path, length(rankmix:::default_penalties))
})

test_that("linear_ranker() prints, plots and has its own class", {
  model <- fit(linear_ranker(penalty = 0.1), parts$train)
  path <- fit(linear_ranker(penalty = c(0.1, 1)), parts$train, parts$test)
  expect_identical(coef(model), c(stats::setNames(model$weights, model$features),
                                  "(Intercept)" = model$intercept))
  expect_identical(tidy(model)$weight, unname(coef(model)))
  expect_lt(glance(fit(linear_ranker(penalty = 10), parts$train))$freedom, glance(model)$freedom)
  expect_snapshot({
    loss_squared("grade")
    linear_ranker()
    linear_ranker(loss_squared("grade"), penalty = c(0.1, 1))
    update(linear_ranker(), penalty = 3)
    model
    path
    summary(model)
  })
  skip_if_not_installed("ggplot2")
  expect_identical(ggplot2::autoplot(path)$data$y, glance(path)$value)
  expect_setequal(ggplot2::autoplot(model)$data$value, model$weights)
})

test_that("bad settings are refused", {
  expect_snapshot(error = TRUE, {
    linear_ranker(loss_squared("labels"))
    linear_ranker(3)
    linear_ranker(penalty = -1)
    linear_ranker(penalty = c(1, 1))
    linear_ranker(lambda = 1)
    predict(fit(linear_ranker(penalty = c(0.1, 1)), parts$train[parts$train$query_ids[1]]), parts$test)
  })
})

# The squares of such values overflow or vanish. A power of two changes no digit of a score.
test_that("features of extremely large or small values are scaled like others", {
  data <- simulate_ranking(12, features = 5, seed = 3)$data
  data$x[is.na(data$x)] <- 0
  some <- data
  specs <- list(linear_ranker(penalty = 0.1), ranksvm(cost = 0.1), mcsvm(cost = 0.1), cocr(linear_ranker(penalty = 0.1)),
                coordinate_ascent(restarts = 1, iterations = 2), linear_ranker(loss_pairwise(), penalty = 0.1))
  for (spec in specs) {
    scores <- predict(fit(spec, data, seed = 1), data)
    for (unit in 2^c(-600, 600)) {
      some$x[, 2] <- data$x[, 2] * unit
      expect_identical(predict(fit(spec, some, seed = 1), some), scores, info = format(spec))
    }
  }
  some$x[, 2] <- data$x[, 2] * 2^600
  sparse <- some
  sparse$x <- methods::as(Matrix::Matrix(some$x, sparse = TRUE), "CsparseMatrix")
  expect_equal(fit(specs[[1]], sparse)$weights, fit(specs[[1]], some)$weights)
})
