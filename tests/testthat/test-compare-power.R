test_that("the power of the t test agrees with power.t.test()", {
  for (n in c(2, 5, 20, 200)) {
    for (difference in c(0.05, 0.3, 1)) {
      expected <- power.t.test(n, difference, 1, type = "one.sample", strict = TRUE)$power
      expect_equal(power_of(1, n, difference)$power, expected, tolerance = 1e-8)
    }
  }
  one_sided <- power.t.test(20, 0.3, 1, type = "one.sample", alternative = "one.sided")$power
  expect_equal(rankmix:::t_power(0.3 * sqrt(20), 19, 0.05, 1L), one_sided)
})

test_that("the detectable difference is found with the given power", {
  difference <- sakai_topics[, "A"] - sakai_topics[, "B"]
  expect_equal(detectable(sd(difference), queries = 20)$difference, 0.1046994, tolerance = 1e-6)
  compared <- compare_topics(c("A", "B"))
  found <- detectable(compared)
  expect_equal(found$difference, 0.1046994, tolerance = 1e-6)
  expect_equal(found$half_width, qt(0.975, 19) * sd(difference) / sqrt(20))
  expect_equal(power_of(compared, difference = found$difference)$power, 0.8)
  expect_identical(detectable(compared, 0.9)$power, 0.9)
})

test_that("large noncentralities have the right power", {
  # The t test of two queries and many pairs has a large noncentrality, for which pt() is inaccurate.
  critical <- qt(1 - 0.0025, 1)
  exact <- integrate(function(z) {
    dnorm(z - 150) * pchisq((z / critical)^2, 1)
  }, 100, 200, rel.tol = 1e-10)$value
  expect_equal(rankmix:::noncentral_t_above(critical, 1, 150), exact, tolerance = 1e-5)
  expect_identical(rankmix:::t_power(Inf, 10, 0.05), 1)
  expect_equal(rankmix:::t_power(36.99, 3, 1e-4), rankmix:::t_power(37.01, 3, 1e-4), tolerance = 1e-3)
  few <- detectable(1, queries = 2, pairs = 10)
  expect_equal(power_of(1, 2, few$difference, pairs = 10)$power, 0.8, tolerance = 1e-5)
})

test_that("several pairs share the level, unless the comparison does not adjust", {
  three <- compare_topics()
  expect_equal(detectable(three)$level, rep(0.05 / 3, 3))
  expect_identical(detectable(compare_topics(adjust = "none"))$level, rep(0.05, 3))
  expect_equal(detectable(three, pairs = 2)$level, rep(0.025, 3))
  expect_identical(detectable(three, level = 0.1, pairs = 1)$level, rep(0.1, 3))
  expect_identical(detectable(three)[c("a", "b")], three$pairs[c("a", "b")])
  one_sided <- three
  one_sided$settings$alternative <- "greater"
  expect_lt(detectable(one_sided)$difference[1L], detectable(three)$difference[1L])
})

test_that("folds and weights use the standard error of the comparison", {
  set.seed(3)
  a <- runif(60)
  b <- runif(60)
  fold <- rep(1:3, each = 20)
  a[1:20] <- a[1:20] + 1
  compared <- compare_values(a, b, fold = fold, resamples = 100)
  found <- power_of(compared, difference = 0.2)
  moments <- rankmix:::stratified_moments(a - b, NULL, fold)
  expect_equal(found$power, rankmix:::t_power(0.2 / moments$se, moments$df, 0.05))
  twice <- power_of(compared, 120, 0.2)
  expect_equal(twice$power, rankmix:::t_power(0.2 / moments$se * sqrt(2), 2 * moments$df + 1, 0.05))
  weight <- rep(c(1, 3), 30)
  weighted <- compare_rankers(a = evaluation_of(a, weight = weight), b = evaluation_of(b, weight = weight),
                              seed = 1, resamples = 100)
  moments <- rankmix:::stratified_moments(a - b, weight)
  expect_equal(power_of(weighted, difference = 0.2)$power,
               rankmix:::t_power(0.2 / moments$se, sum(weight)^2 / sum(weight^2) - 1, 0.05))
})

test_that("the sentence rounds up, and is about the median pair", {
  two <- compare_topics(c("A", "B"))
  expect_identical(rankmix:::detectable_sentence(two, "ndcg@10"),
                   "With 20 queries, differences of 0.105 are found with 80 % power.")
  three <- compare_topics()
  middle <- sort(detectable(three)$difference)[2L]
  expect_identical(rankmix:::detectable_sentence(three, "ndcg@10", 0.9),
                   sprintf("With 20 queries, differences of about %s are found with 90 %% power.",
                           rankmix:::rounded_up(sort(detectable(three, 0.9)$difference)[2L])))
  expect_gt(as.numeric(rankmix:::rounded_up(middle)), middle)
  expect_identical(vapply(c(0.031, 0.0301, 0.00123, 12.3451), rankmix:::rounded_up, ""),
                   c("0.031", "0.031", "0.0013", "12.346"))
  one <- suppressWarnings(compare_values(0.5, 0.3, resamples = 100))
  expect_null(rankmix:::detectable_sentence(one, "ndcg@10"))
})

test_that("without a spread there is no power", {
  same <- compare_values(rep(0.5, 5), rep(0.3, 5), resamples = 100)
  expect_identical(detectable(same)$difference, NA_real_)
  expect_identical(power_of(same, difference = 0.1)$power, NA_real_)
})

test_that("observed power is refused, with the reason", {
  compared <- compare_topics(c("A", "B"))
  expect_error(power_of(compared), "smallest difference that matters", class = "rankmix_error_argument")
  expect_error(power_of(compared, difference = "observed"), "function of the p-value",
               class = "rankmix_error_argument")
  for (argument in c("observed", "observed_difference", "post_hoc", "posthoc", "achieved")) {
    given <- stats::setNames(list(TRUE), argument)
    expect_error(do.call(power_of, c(list(compared, difference = 0.1), given)), "function of the p-value",
                 class = "rankmix_error_argument")
    expect_error(do.call(detectable, c(list(compared), given)), "function of the p-value",
                 class = "rankmix_error_argument")
    expect_error(do.call(queries_needed, c(list(0.1, 1), given)), "function of the p-value",
                 class = "rankmix_error_argument")
  }
})

test_that("bad input is refused", {
  compared <- compare_topics(c("A", "B"))
  refused <- function(expr) expect_error(expr, class = "rankmix_error_argument")
  refused(power_of())
  refused(detectable())
  refused(detectable("a"))
  refused(detectable(0, queries = 10))
  refused(detectable(0.1))
  refused(power_of(0.1, difference = 1))
  for (queries in list(1, 2.5, "a", NA, numeric())) refused(detectable(0.1, queries = queries))
  for (difference in list(0, -1, NA, "a", c(1, 2))) refused(power_of(compared, difference = difference))
  for (power in list(0.01, 1, 0, 2, "a")) refused(detectable(compared, power))
  refused(detectable(compared, metric = "err"))
  refused(detectable(compared, level = 0.9))
  refused(detectable(compared, pairs = 0))
  refused(detectable(compared, nothing = 1))
})

test_that("fewer than two effective queries detect nothing", {
  expect_identical(rankmix:::detectable_effect(0.001, 0.05, 2L, 0.8), NA_real_)
  expect_identical(rankmix:::t_power(3, 0.001, 0.05), 0)
  weight <- c(1, 1e-4, 1e-4, 1e-4, 1e-4)
  compared <- compare_rankers(a = evaluation_of(c(.1, .2, .3, .5, .4), weight = weight),
                              b = evaluation_of(c(.2, .2, .5, .1, .9), weight = weight), seed = 1)
  expect_identical(detectable(compared)$difference, NA_real_)
  expect_output(print(compared), "1.0 effective", fixed = TRUE)
})
