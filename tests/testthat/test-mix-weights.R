test_that("weights, c and threshold follow their definitions", {
  valid <- complete_example("vali")
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

test_that("c = 0 weighs equally and a large c does not overflow", {
  equal <- small_mixture(c = 0, rounds = 10)
  expect_equal(equal$members$weight, rep(1 / 6, 6))
  weights <- rankmix:::exponential_weights(200, c(1e6, 0))
  expect_identical(weights, c(1, 0))
})

test_that("thresholds leave out members, and the grid is what it says", {
  omega <- small_mixture(c = 0, rounds = 10)$members$value
  least <- sort(omega)[3]
  mixture <- small_mixture(c = c(0, 20), rounds = 10, threshold = c(-Inf, least, 2))
  expect_identical(nrow(mixture$tuning), 6L)
  expect_true(all(is.na(mixture$tuning$value[mixture$tuning$threshold == 2])))
  valid <- example_part("vali")
  members <- predict(mixture, valid, type = "member")
  for (i in which(mixture$tuning$threshold < 2)) {
    row <- mixture$tuning[i, ]
    weights <- exp(row$c * omega) * (omega > row$threshold)
    mixed <- drop(members %*% weights) / sum(weights)
    expect_equal(summary(evaluate(mixed, valid, ndcg(10)))$mean, row$value)
  }
  only <- small_mixture(c = 0, rounds = 10, threshold = least)
  expect_equal(only$members$weight, (omega > least) / sum(omega > least))
  expect_output(print(only), "threshold")
})

test_that("standardised members weigh by their order, not by their size", {
  valid <- example_part("vali")
  mixture <- small_mixture(c = 0, rounds = 10, standardize = TRUE)
  plain <- small_mixture(c = 0, rounds = 10)
  spread <- apply(predict(plain, valid, type = "member"), 2, sd)
  expect_equal(predict(mixture, valid, type = "member"),
               sweep(predict(plain, valid, type = "member"), 2, spread, `/`))
  expect_equal(summary(evaluate(mixture, valid, ndcg(10)))$mean, mixture$value)
})
