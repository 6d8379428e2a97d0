test_that("scores are standardised query by query, on new data too", {
  valid <- example_part("vali")
  test <- example_part("test")
  rankers <- list(first = function(data) replace(data$x[, 1], is.na(data$x[, 1]), 0) * 100,
                  second = function(data) rowSums(data$x[, 2:3], na.rm = TRUE),
                  constant = function(data) rep(3, nrow(data$x)))
  by_hand <- function(scores, data) {
    stats::ave(scores, data$query, FUN = function(x) {
      if (length(x) < 2L || stats::sd(x) == 0) 0 * x else (x - mean(x)) / stats::sd(x)
    })
  }
  mixture <- mix(rankers, valid, c = c(0, 20), standardize = "query")
  columns <- vapply(rankers, function(f) by_hand(f(test), test), numeric(nrow(test)))
  expect_equal(predict(mixture, test, type = "member"), columns)
  expect_equal(predict(mixture, test), drop(columns %*% mixture$members$weight))
  expect_equal(summary(evaluate(mixture, valid, ndcg(10)))$mean, mixture$value)
  expect_identical(mix(rankers, valid, weigh = weighing(c(0, 20), standardize = "query")), mixture)

  train <- example_part("train")
  boosted <- tune_and_mix(train, valid, list(adaboost_mh(tree(4), 10), gbrt(10)),
                          list(naive(), rbc()), weigh = weighing(standardize = "query"),
                          hold_out = "same", seed = 1, verbose = FALSE)
  plain <- tune_and_mix(train, valid, boosted$classifiers, list(naive(), rbc()),
                        weigh = weighing(rounds = boosted$rounds), hold_out = "same", seed = 1,
                        verbose = FALSE)
  expect_equal(predict(boosted, test, type = "member"),
               apply(predict(plain, test, type = "member"), 2L, by_hand, test))
  expect_equal(summary(evaluate(boosted, valid, ndcg(10)))$mean, boosted$value)
  expect_snapshot(error = TRUE, predict(boosted, test$x))
})

test_that("members that are all worse than chance, or all equal, are mixed", {
  valid <- example_part("vali")
  worse <- list(a = function(data) -data$relevance, b = function(data) -2 * data$relevance)
  chance <- mean(vapply(1:20, function(seed) {
    set.seed(seed)
    summary(evaluate(runif(nrow(valid)), valid, ndcg(10)))$mean
  }, 0))
  for (method in c("exponential", "selection", "ascent")) {
    mixture <- mix(worse, valid, weigh = method, seed = 1)
    expect_lt(mixture$value, chance)
    expect_equal(sum(mixture$members$weight), 1)
    equal <- mix(list(a = function(data) rep(1, nrow(data)), b = function(data) rep(1, nrow(data))),
                 valid, weigh = method, seed = 1)
    expect_equal(sum(equal$members$weight), 1)
    expect_identical(unique(equal$members$value),
                     summary(evaluate(rep(1, nrow(valid)), valid, ndcg(10)))$mean)
  }
})
