test_that("naive scores are the expected gains of naive probabilities", {
  set.seed(4)
  f <- matrix(rnorm(3000), 600)
  f[1:3, ] <- -2
  f[4, 2] <- 9
  for (range in c(0, 0.5, 2)) {
    expect_identical(naive_scores(f, range), expected_gain(naive_probabilities(f, range)))
  }
  expect_identical(naive_scores(f[, 1:2], 2), expected_gain(naive_probabilities(f[, 1:2], 2)))
})
