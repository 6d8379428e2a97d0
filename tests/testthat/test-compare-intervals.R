test_that("the bootstrap interval is the accelerated one", {
  set.seed(5)
  a <- rexp(40)
  b <- numeric(40)
  pair <- tidy(compare_values(a, b, resamples = 2000, seed = 9, interval = "bca"))
  means <- rankmix:::bootstrap_means(a, numeric(), 2000, 9, 1L)
  expect_equal(c(pair$lower, pair$upper), naive_bca(a, means, 0.95), tolerance = 1e-10)
  expect_equal(mean(means), mean(a), tolerance = 0.02)
  expect_equal(sd(means), sd(a) * sqrt(39 / 40) / sqrt(40), tolerance = 0.05)
  wide <- tidy(compare_values(a, b, resamples = 2000, seed = 9, level = 0.01, interval = "bca"))
  expect_lt(wide$lower, pair$lower)
  expect_gt(wide$upper, pair$upper)
})

test_that("the interval by sign flips holds what the test does not reject", {
  set.seed(3)
  d <- round(rnorm(12, 0.3, 0.5), 2)
  pair <- tidy(compare_values(d, 0 * d, interval = "flips"))
  p_at <- function(m) naive_sign_flips(d - m)
  expect_gt(p_at(pair$lower + 1e-4), 0.05)
  expect_lte(p_at(pair$lower - 1e-4), 0.05)
  expect_gt(p_at(pair$upper - 1e-4), 0.05)
  expect_lte(p_at(pair$upper + 1e-4), 0.05)
  # With four queries no sign pattern is as rare as 0.05.
  few <- tidy(compare_values(c(1, 2, 3, 4), rep(0, 4), interval = "flips"))
  expect_identical(c(few$lower, few$upper), c(NA_real_, NA_real_))
  # With many queries the interval is near the t interval.
  many <- runif(1200)
  by_flips <- tidy(compare_values(many, 1 - many, interval = "flips"))
  by_t <- tidy(compare_values(many, 1 - many))
  expect_equal(by_flips[c("lower", "upper")], by_t[c("lower", "upper")], tolerance = 0.05)
})

test_that("the interval by random sign flips holds what the test does not reject, with weights", {
  set.seed(4)
  d <- round(rnorm(30, 0.1, 0.5), 3)
  weight <- sample(1:4, 30, TRUE)
  settings <- list(alternative = "two.sided", level = 0.1, resamples = 2000, seed = 5, threads = 1L)
  ends <- rankmix:::flips_interval(d, weight, 0.1, settings)
  p_at <- function(m) rankmix:::randomization_p(d - m, weight, settings)
  for (end in ends) {
    inside <- end + 1e-6 * sign(mean(ends) - end)
    expect_gt(p_at(inside), 0.1)
    expect_lte(p_at(2 * end - inside), 0.1)
  }
})
