test_that("the bootstrap of the gain is its definition", {
  withr::local_seed(1)
  values <- matrix(runif(60), 20)
  weight <- runif(20)
  found <- rankmix:::bootstrap_gain(values, 2L, weight, 0.9, 5)
  # The reference: one resample after the other.
  gains <- withr::with_seed(5, replicate(1000, {
    drawn <- sample.int(20, replace = TRUE)
    means <- apply(values, 2, function(v) weighted.mean(v[drawn], weight[drawn]))
    out <- setdiff(1:20, drawn)
    best <- which.max(means)
    weighted.mean(values[out, best] - values[out, 2L], weight[out])
  }), .rng_kind = "Mersenne-Twister")
  expect_equal(found$gain, mean(gains))
  expect_equal(c(found$lower, found$upper), unname(quantile(gains, c(0.05, 0.95))))
})

test_that("equal candidates have no gain, although the best value has a gain", {
  withr::local_seed(2)
  times <- repetitions(60)
  gains <- replicate(times, {
    values <- rnorm(50) + matrix(rnorm(1000), 50)
    c(bootstrap = rankmix:::bootstrap_gain(values, 1L, NULL, 0.95, 1)$gain,
      best = max(colMeans(values)) - mean(values[, 1L]))
  })
  se <- apply(gains, 1, sd) / sqrt(times)
  expect_lt(rowMeans(gains)[["bootstrap"]], 3 * se[["bootstrap"]])
  expect_gt(rowMeans(gains)[["best"]], 0.2)
})

test_that("a candidate that is always better has its gain", {
  withr::local_seed(3)
  base <- rnorm(80)
  found <- rankmix:::bootstrap_gain(cbind(base, base + 0.3, base - 1), 1L, NULL, 0.95, 1)
  expect_equal(found$gain, 0.3)
  expect_equal(found$lower, 0.3)
})
