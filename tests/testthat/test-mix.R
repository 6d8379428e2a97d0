test_that("members can be models, functions and scores", {
  train <- complete_example("train")
  valid <- complete_example("vali")
  test <- complete_example("test")
  model <- fit(adaboost_mh(base_tree(4), rounds = 20), train)
  linear <- lm(y ~ a + b, data.frame(y = train$relevance, a = train$x[, 1], b = train$x[, 2]))
  foreign <- function(data) predict(linear, data.frame(a = data$x[, 1], b = data$x[, 2]))
  mixture <- mix(list(boosted = model, linear = foreign, given = valid$x[, 1]), valid,
                 weights = mix_weights(10, standardize = TRUE))
  by_hand <- predict(model, test) / sd(predict(model, valid)) * mixture$members$weight[1] +
    foreign(test) / sd(foreign(valid)) * mixture$members$weight[2] +
    test$x[, 1] / sd(valid$x[, 1]) * mixture$members$weight[3]
  expect_equal(predict(mixture, test, scores = list(given = test$x[, 1])), unname(by_hand))
  expect_snapshot_error(predict(mixture, test), class = "rankmix_error_scores")
  expect_identical(sort(predict(mixture, test, type = "rank",
                                scores = list(given = test$x[, 1]))[test$query == 1]),
                   seq_len(sum(test$query == 1)))
})

test_that("a missing value of best_feature() counts as the lowest training value", {
  withr::local_seed(3)
  known <- simulate_ranking(60, documents = 8, features = 5, seed = 1)$data
  x <- known$x
  x[sample(length(x), 500)] <- NA
  data <- ranking_data(x, known$relevance, known$query)
  feature <- fit(best_feature(), data)
  trees <- fit(gbrt(20), data, seed = 1, verbose = FALSE)
  scores <- predict(feature, data)
  expect_true(any(scores == -Inf))
  scores <- pmax(scores, feature$lowest)
  weights <- mix_weights(0, standardize = TRUE)
  mixture <- mix(list(feature = feature, trees = trees), data, weights = weights)
  expect_equal(predict(mixture, data), (scores / sd(scores) + predict(trees, data) / sd(predict(trees, data))) / 2)
  expect_equal(mixture$members$value[1], mean(evaluate(scores, data, metric_ndcg(10, ties = "average"))$value))
})

test_that("bad members are refused", {
  valid <- complete_example("vali")
  refuse <- function(code, class = "rankmix_error_scores") {
    expect_snapshot_error(code, class = class)
  }
  refuse(mix(list(a = 1:3), valid))
  refuse(mix(list(a = replace(valid$x[, 1], 2, NA)), valid))
  refuse(mix(list(a = function(data) stop("no model")), valid))
  refuse(mix(list(valid$x[, 1]), valid), "rankmix_error_argument")
  refuse(mix(valid$x[, 1], valid), "rankmix_error_argument")
  refuse(mix(list(a = valid$x[, 1]), valid, weights = mix_weights(threshold = 2)), "rankmix_error_argument")
  refuse(predict(mix(list(a = function(data) data$x[, 1]), valid), valid$x),
         "rankmix_error_argument")
})

test_that("weights of queries change the scale of members as copies do, and weight 0 changes nothing", {
  data <- simulate_ranking(30, documents = 6, features = 5, seed = 1)$data
  more <- simulate_ranking(10, documents = 6, features = 5, seed = 2)$data
  x <- rbind(data$x, 100 * more$x^2)
  grades <- c(data$relevance, more$relevance)
  query <- c(data$query, 30 + more$query)
  rankers <- list(a = function(data) data$x[, 1], b = function(data) data$x[, 2] + data$x[, 3])
  scale <- function(data) mix(rankers, data, threads = 1)$scale
  alone <- scale(data)
  expect_equal(unname(alone), 1 / c(sd(data$x[, 1]), sd(data$x[, 2] + data$x[, 3])))
  expect_equal(scale(ranking_data(x, grades, query, weight = ifelse(query <= 30, 1, 0))), alone)
  copies <- rep(seq_along(query), ifelse(query <= 30, 2, 1))
  again <- ifelse(duplicated(copies), 100, 0)
  copied <- ranking_data(x[copies, ], grades[copies], query[copies] + again)
  expect_equal(scale(ranking_data(x, grades, query, weight = ifelse(query <= 30, 2, 1))), scale(copied))
  expect_equal(scale(ranking_data(x, grades, query, weight = rep(0.3, length(query)))), scale(ranking_data(x, grades, query)))
})
