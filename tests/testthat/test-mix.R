rankers_of_example <- function() {
  list(first = function(data) data$x[, 1], third = function(data) -data$x[, 3],
       all = function(data) rowSums(data$x))
}
complete_part <- function(name) {
  data <- example_part(name)
  data$x[is.na(data$x)] <- 0
  data
}

test_that("weights, c and threshold follow their definitions", {
  valid <- complete_part("vali")
  scores <- vapply(rankers_of_example(), function(f) f(valid), numeric(nrow(valid$x)))
  omega <- summary(evaluate(scores, valid, err()))$mean
  mixture <- mix(rankers_of_example(), valid, err(), c = c(0, 3, 100, Inf),
                 threshold = c(-Inf, sort(omega)[1]))
  expect_equal(mixture$members$value, omega)
  for (i in seq_len(nrow(mixture$tuning))) {
    row <- mixture$tuning[i, ]
    weights <- if (row$c == Inf) as.numeric(omega == max(omega)) else exp(row$c * (omega - max(omega)))
    weights <- weights * (omega > row$threshold)
    mixed <- drop(scores %*% weights) / sum(weights)
    expect_equal(row$value, summary(evaluate(mixed, valid, err()))$mean)
  }
  first <- which.max(mixture$tuning$value)
  expect_identical(mixture$c, mixture$tuning$c[first])
  expect_identical(mixture$threshold, mixture$tuning$threshold[first])
  expect_equal(predict(mixture, valid), drop(scores %*% mixture$members$weight))
  expect_equal(unname(predict(mixture, valid, type = "member")), unname(scores))
  expect_equal(summary(evaluate(mixture, valid, err()))$mean, mixture$value)
  expect_output(print(mixture), "3 rankers")
  expect_s3_class(ggplot2::autoplot(mixture), "ggplot")
  expect_s3_class(ggplot2::autoplot(mixture, type = "tuning"), "ggplot")
})

test_that("members can be models, functions and scores", {
  train <- complete_part("train")
  valid <- complete_part("vali")
  test <- complete_part("test")
  model <- fit(adaboost_mh(tree(4), rounds = 20), train)
  linear <- lm(y ~ a + b, data.frame(y = train$relevance, a = train$x[, 1], b = train$x[, 2]))
  foreign <- function(data) predict(linear, data.frame(a = data$x[, 1], b = data$x[, 2]))
  mixture <- mix(list(boosted = model, linear = foreign, given = valid$x[, 1]), valid, c = 10,
                 standardize = TRUE)
  by_hand <- predict(model, test) / sd(predict(model, valid)) * mixture$members$weight[1] +
    foreign(test) / sd(foreign(valid)) * mixture$members$weight[2] +
    test$x[, 1] / sd(valid$x[, 1]) * mixture$members$weight[3]
  expect_equal(predict(mixture, test, scores = list(given = test$x[, 1])), unname(by_hand))
  expect_snapshot_error(predict(mixture, test), class = "rankmix_error_scores")
  expect_identical(sort(predict(mixture, test, type = "rank",
                                scores = list(given = test$x[, 1]))[test$query == 1]),
                   seq_len(sum(test$query == 1)))
})

test_that("bad members are refused", {
  valid <- complete_part("vali")
  refuse <- function(code, class = "rankmix_error_scores") {
    expect_snapshot_error(code, class = class)
  }
  refuse(mix(list(a = 1:3), valid))
  refuse(mix(list(a = replace(valid$x[, 1], 2, NA)), valid))
  refuse(mix(list(a = function(data) stop("no model")), valid))
  refuse(mix(list(valid$x[, 1]), valid), "rankmix_error_argument")
  refuse(mix(valid$x[, 1], valid), "rankmix_error_argument")
  refuse(mix(list(a = valid$x[, 1]), valid, threshold = 2), "rankmix_error_argument")
  refuse(predict(mix(list(a = function(data) data$x[, 1]), valid), valid$x),
         "rankmix_error_argument")
})

test_that("aggregated ranks follow their definitions", {
  set.seed(3)
  query <- rep(1:4, c(7, 1, 5, 2))
  n <- length(query)
  shuffled <- sample(n)
  # Few distinct values, so that there are ties.
  scores <- matrix(sample.int(4, n * 4, TRUE), n)
  query <- query[shuffled]
  data <- ranking_data(scores, sample(0:2, n, TRUE), query)
  for (method in c("borda", "mc1", "mc2", "mc3", "mc4", "borda_chain")) {
    for (damping in c(0.05, 0.5)) {
      fast <- aggregate_ranks(matrix(as.double(scores), n,
                                     dimnames = list(NULL, letters[1:4])), data, method, damping)
      for (q in unique(query)) {
        slow <- naive_aggregate(scores[query == q, , drop = FALSE], method, damping)
        expect_equal(fast[query == q], slow, info = method)
      }
      expect_identical(aggregate_ranks(matrix(as.double(scores), n,
                                              dimnames = list(NULL, letters[1:4])),
                                       data, method, damping, threads = 4), fast)
    }
  }
})

test_that("a unanimous order is kept by every aggregation", {
  data <- ranking_data(cbind(1:6), rep(0:1, 3), rep(1, 6))
  scores <- data.frame(a = 1:6 * 1.0, b = (1:6)^3, c = exp(1:6))
  for (method in c("borda", "mc1", "mc2", "mc3", "mc4", "borda_chain")) {
    expect_identical(order(aggregate_ranks(scores, data, method)), 1:6)
  }
  expect_snapshot_error(aggregate_ranks(scores, data, "mc5"), class = "rankmix_error_argument")
  expect_snapshot_error(aggregate_ranks(scores, data, damping = 0),
                        class = "rankmix_error_argument")
})
