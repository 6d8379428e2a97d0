weighted_data <- function(seed = 1, ...) {
  data <- random_data(queries = 20, seed = seed, ...)
  weight <- round(runif(20, 0, 3), 1)
  weight[2] <- 0
  ranking_data(data$x, data$relevance, data$query_ids[data$query],
               weight = weight[data$query])
}

test_that("weights belong to queries", {
  data <- ranking_data(matrix(1:4), c(0, 1, 0, 1), c("b", "a", "b", "a"),
                       weight = c(2, 0.5, 2, 0.5))
  expect_identical(data$weight, c(2, 0.5))
  expect_identical(data["a"]$weight, 0.5)
  expect_identical(as.data.frame(data)$weight, c(2, 0.5, 2, 0.5))
  expect_null(ranking_data(matrix(1:4), c(0, 1, 0, 1), c("b", "a", "b", "a"))$weight)
  frame <- data.frame(x = 1:4, grade = c(0, 1, 0, 1), q = c("b", "a", "b", "a"),
                      w = c(2, 0.5, 2, 0.5))
  expect_identical(ranking_data(frame, grade, q, weight = w)$weight, c(2, 0.5))
  expect_identical(ranking_data(frame, grade, q, weight = w)$features, "x")
  joined <- c(data, ranking_data(matrix(5), 1, "c"))
  expect_identical(joined$weight, c(2, 0.5, 1))
  expect_error(c(data, ranking_data(matrix(5), 1, "b"), shared = "same"),
               class = "rankmix_error_weight")
  expect_identical(standardize_queries(data)$weight, data$weight)
  expect_snapshot(print(data))
})

test_that("bad weights are refused", {
  x <- matrix(1:3)
  refuse <- function(weight, class = "rankmix_error_weight") {
    expect_snapshot_error(ranking_data(x, 0:2, c(1, 1, 2), weight = weight),
                          class = class)
  }
  refuse(c(1, 2, 1))
  refuse(c(1, 1, -1))
  refuse(c(1, 1, NA))
  refuse(c(1, 1, Inf))
  refuse(c(0, 0, 0))
  refuse(c("1", "1", "1"))
  refuse(1:2, "rankmix_error_length")
})

test_that("weighted boosting equals weighted boosting by trying every split", {
  skip_if_quick()
  for (seed in 1:3) {
    data <- weighted_data(seed)
    for (weights in c("relevance", "uniform")) {
      model <- fit(adaboost_mh(base_tree(4), rounds = 6, weights = weights,
                               precision = "double"), data)
      slow <- replay_adaboost(model, data, 4, weights)
      expect_lte(max(slow$shortfall), 1e-12)
      expect_equal(model$edge, slow$edge, tolerance = 1e-12)
    }
  }
})

test_that("a query of weight 2 acts as two queries, and a query of weight 0 is absent", {
  data <- random_data(queries = 12)
  double <- ranking_data(data$x, data$relevance, data$query,
                         weight = c(2, 0, rep(1, 10))[data$query])
  twice <- c(data[-2], data[1], shared = "new")
  spec <- adaboost_mh(base_tree(4), rounds = 10)
  a <- fit(spec, double)
  b <- fit(spec, twice)
  expect_equal(a$alpha, b$alpha, tolerance = 1e-12)
  expect_identical(a$forest[c("feature", "values")], b$forest[c("feature", "values")])
  scores <- predict(a, data)
  mean_of <- function(data) {
    summary(evaluate(predict(a, data), data, list(metric_ndcg(5), metric_err())))$mean
  }
  expect_equal(mean_of(double), mean_of(twice))
  # Only the value of the target is compared, because its minimum is flat. The value is half as large, because the
  # largest weight counts as 1.
  target <- function(data) calibrate(a, data, calibrator_cpc())$fitted$value
  expect_equal(2 * target(double), target(twice), tolerance = 1e-8)
  beta <- function(data) calibrate(a, data, calibrator_rbc())$fitted$beta
  expect_equal(beta(double), beta(twice))
})

test_that("the order of the rows does not matter to weighted boosting", {
  data <- weighted_data(4)
  rows <- sample(length(data$relevance))
  shuffled <- ranking_data(data$x[rows, ], data$relevance[rows], data$query[rows],
                           weight = data$weight[data$query][rows])
  spec <- adaboost_mh(base_tree(4), rounds = 10)
  expect_identical(fit(spec, shuffled)$alpha, fit(spec, data)$alpha)
})

test_that("means and their errors are weighted", {
  data <- weighted_data(5)
  result <- evaluate(data$x[, 1], data, metric_ndcg(5))
  expect_identical(result$weight, data$weight)
  table <- summary(result)
  w <- data$weight[!is.nan(result$value)]
  v <- result$value[!is.nan(result$value)]
  expect_equal(table$mean, weighted.mean(v, w))
  expect_identical(table$queries, sum(w > 0))
  n <- sum(w > 0)
  expect_equal(table$se,
               sqrt(n / (n - 1) * sum(w^2 * (v - weighted.mean(v, w))^2)) / sum(w))
  # Equal weights give the same results as no weights.
  equal <- ranking_data(data$x, data$relevance, data$query,
                        weight = rep(3, length(data$relevance)))
  none <- ranking_data(data$x, data$relevance, data$query)
  plain <- summary(evaluate(data$x[, 1], none, metric_ndcg(5)))
  weighted <- summary(evaluate(data$x[, 1], equal, metric_ndcg(5)))
  expect_equal(weighted[names(plain)], plain)
  expect_equal(weighted$n_effective, plain$queries)
})

test_that("weights of validation queries tune", {
  train <- random_data(queries = 40, seed = 1)
  valid <- random_data(queries = 40, seed = 2)
  weighted <- ranking_data(valid$x, valid$relevance, valid$query + 1000,
                           weight = ifelse(valid$query <= 2, 1, 0))
  few <- ranking_data(valid$x, valid$relevance, valid$query + 1000)[1:2]
  spec <- adaboost_mh(base_tree(4), rounds = 100)
  tune <- function(data) {
    suppressWarnings(tune_and_mix(train, data, spec, list(calibrator_naive()), seed = 1))
  }
  expect_equal(tune(weighted)$tuning, tune(few)$tuning)
  expect_equal(fit(spec, train, validation = weighted)$curve,
               fit(spec, train, validation = few)$curve)
})

test_that("only the ratios of weights matter", {
  data <- weighted_data(6)
  model <- fit(adaboost_mh(base_stump(), rounds = 5), data)
  scale <- function(by) {
    ranking_data(data$x, data$relevance, data$query, weight = (data$weight * by)[data$query])
  }
  wanted <- summary(evaluate(data$x[, 1], data, metric_ndcg(5)))
  for (by in c(2^-890, 2^-40, 2^890)) {
    expect_identical(summary(evaluate(data$x[, 1], scale(by), metric_ndcg(5))), wanted)
    expect_identical(fit(adaboost_mh(base_stump(), rounds = 5), scale(by))$alpha, model$alpha)
    expect_identical(calibrate(model, scale(by), calibrator_cpc())$fitted,
                     calibrate(model, data, calibrator_cpc())$fitted)
  }
})

test_that("parts whose queries all have weight 0 are refused", {
  data <- ranking_data(matrix(1:6), c(0, 1, 0, 1, 0, 1), c(1, 1, 2, 2, 3, 3),
                       weight = c(0, 0, 0, 0, 1, 1))
  expect_error(data[1:2], class = "rankmix_error_weight")
  expect_error(data[1], class = "rankmix_error_weight")
  report <- convention_report(list(a = 1:6, b = 6:1), data, metric_ndcg(5),
                              conventions = c("lightgbm", "ranklib"))
  expect_identical(unique(report$table$queries), 1)
  expect_equal(report$table$mean[report$table$ranker == "a"], c(1, 1))
})

test_that("weights and relevance near the limits of doubles are refused", {
  data <- weighted_data(6)
  make <- function(relevance = data$relevance, weight = data$weight[data$query], ...) {
    ranking_data(data$x, relevance, data$query, weight = weight, ...)
  }
  for (by in c(2^-1000, 2^1000)) {
    expect_error(make(weight = (data$weight * by)[data$query]), "too (large|small)", class = "rankmix_error_weight")
    expect_error(make(document_weight = rep(by, nrow(data))), "too (large|small)", class = "rankmix_error_weight")
    expect_error(make(relevance = data$x[, 1] * by), "too (large|small)", class = "rankmix_error_grade")
  }
  # Small weights beside large ones are allowed.
  expect_no_error(make(weight = replace(data$weight, 2, 1e-300)[data$query]))
})

test_that("weights whose squares are 0 have standard errors", {
  data <- weighted_data(6)
  small <- ranking_data(data$x, data$relevance, data$query, weight = (data$weight * 1e-180)[data$query])
  expect_equal(summary(evaluate(data$x[, 1], small, "ndcg@5")), summary(evaluate(data$x[, 1], data, "ndcg@5")))
  # Only queries without a value have large weights.
  values <- c(0.2, 0.5, 0.9, NaN)
  expect_equal(value_moments(values, c(1, 2, 3, 1e180)), value_moments(values, c(1, 2, 3, 3)))
})
