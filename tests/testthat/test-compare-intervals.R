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

test_that("the interval by sign flips contains the differences that the test does not reject", {
  set.seed(3)
  d <- round(rnorm(12, 0.3, 0.5), 2)
  pair <- tidy(compare_values(d, 0 * d, interval = "flips"))
  p_at <- function(m) naive_sign_flips(d - m)
  expect_gt(p_at(pair$lower + 1e-4), 0.05)
  expect_lte(p_at(pair$lower - 1e-4), 0.05)
  expect_gt(p_at(pair$upper - 1e-4), 0.05)
  expect_lte(p_at(pair$upper + 1e-4), 0.05)
  # No sign pattern of four queries has a probability as small as 0.05.
  few <- tidy(compare_values(c(1, 2, 3, 4), rep(0, 4), interval = "flips"))
  expect_identical(c(few$lower, few$upper), c(NA_real_, NA_real_))
  # With many queries, the interval is close to the t interval.
  many <- runif(1200)
  by_flips <- tidy(compare_values(many, 1 - many, interval = "flips"))
  by_t <- tidy(compare_values(many, 1 - many))
  expect_equal(by_flips[c("lower", "upper")], by_t[c("lower", "upper")], tolerance = 0.05)
})

test_that("with weights, the interval by random sign flips contains the differences that the test does not reject", {
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

test_that("percentile and BCa intervals agree with boot", {
  d <- skewed_differences
  # boot receives the same means. boot interpolates between neighbouring order statistics on the normal scale, and
  # bootstrap_interval() interpolates linearly.
  of_given_means <- bootstrap_interval
  environment(of_given_means) <- list2env(list(bootstrap_means = function(...) given_means),
                                          parent = environment(bootstrap_interval))
  for (level in c(0.95, 0.8)) {
    case <- paste0("percentile and BCa, given means", if (level == 0.8) ", .8")
    expected <- peer_values("boot", case)
    expect_equal(percentile_ends(given_means, level), expected[1:2], tolerance = 1e-10)
    found <- of_given_means(d, NULL, level, length(given_means), 1, 1L)
    expect_identical(findInterval(found, given_means), findInterval(expected[3:4], given_means))
    gap <- diff(given_means)[findInterval(found, given_means)]
    expect_true(all(abs(found - expected[3:4]) < gap))
  }
})

test_that("BCa intervals from own samples agree with boot, up to sampling errors", {
  skip_if_quick()
  d <- skewed_differences
  expected <- peer_values("boot", "percentile and BCa, own samples")
  found <- tidy(compare_values(d, 0 * d, interval = "bca", resamples = 2e5))
  means <- bootstrap_means(d, numeric(), 2e5, 7, 1L)
  # The tolerance is for two independent sets of samples.
  # The standard error of a quantile is sqrt(p (1 - p) / samples) / density.
  # The bias correction moves both ends, and has a standard error of the same size.
  density <- stats::approxfun(stats::density(means))
  error <- function(end) {
    p <- mean(means <= end)
    4 * sqrt(2) * sqrt(2 * p * (1 - p) / 2e5) / density(end)
  }
  for (i in 1:2) {
    expect_lt(abs(percentile_ends(means, 0.95)[i] - expected[i]), error(expected[i]))
    expect_lt(abs(c(found$lower, found$upper)[i] - expected[2L + i]), error(expected[2L + i]))
  }
})

test_that("BCa intervals do not depend on the scale of weights", {
  d <- skewed_differences
  weight <- rep_len(c(1, 2, 4), length(d))
  interval <- function(scale) {
    pair <- tidy(compare_rankers(a = evaluation_of(d, weight = scale * weight),
                                 b = evaluation_of(0 * d, weight = scale * weight), interval = "bca", resamples = 500,
                                 seed = 1))
    c(pair$lower, pair$upper)
  }
  expect_false(anyNA(interval(1)))
  # Powers of 2 change no bit of the means.
  for (scale in 2^c(-1000, 1000)) expect_identical(interval(scale), interval(1))
})
