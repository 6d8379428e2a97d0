test_that("the numbers of queries agree with power.t.test()", {
  needed <- function(effect) queries_needed(effect, sd = 1)$queries
  expect_identical(c(needed(0.5), needed(0.2), needed(0.1)), c(34, 199, 787))
  oracle <- power.t.test(delta = 0.2, sd = 1, power = 0.8, type = "one.sample", strict = TRUE)$n
  expect_equal(oracle, 198.1513, tolerance = 1e-5)
  # Five rankers have ten pairs. The pairs share the level.
  ten <- power.t.test(delta = 0.2, sd = 1, power = 0.8, type = "one.sample", strict = TRUE, sig.level = 0.005)
  expect_identical(queries_needed(0.2, sd = 1, rankers = 5)$queries, ceiling(ten$n))
  expect_identical(queries_needed(0.2, sd = 1, pairs = 10)$queries, ceiling(ten$n))
  found <- queries_needed(0.2, sd = 1)
  expect_gte(found$power, 0.8)
  expect_lt(power_of(1, found$queries - 1, 0.2)$power, 0.8)
  expect_identical(queries_needed(100, sd = 1)$queries, 2)
})

test_that("the numbers for the analysis of variance agree with Sakai and power.anova.test()", {
  needed <- function(rankers, design) {
    queries_needed(0.1, sd = sqrt(2 * 0.0219), test = "anova", rankers = rankers, design = design)$queries
  }
  expect_identical(vapply(c(2, 5, 10, 20), needed, 0, "one-way"), c(36, 54, 70, 91))
  expect_identical(vapply(c(2, 5, 10, 20), needed, 0, "two-way"), c(37, 54, 70, 91))
  oracle <- power.anova.test(groups = 5, between.var = 0.1^2 / 2 / 4, within.var = 0.0219, power = 0.8)$n
  expect_identical(ceiling(oracle), 54)
  # For two rankers, the two-way analysis of variance equals the paired t test.
  expect_identical(needed(2, "two-way"), queries_needed(0.1, sd = sqrt(2 * 0.0219))$queries)
})

test_that("the expected half width equals the wanted half width", {
  n <- queries_needed(0.05, sd = 0.2, test = "interval")$queries
  expected <- function(n) {
    qt(0.975, n - 1) * 0.2 * sqrt(2 / (n - 1)) * gamma(n / 2) / gamma((n - 1) / 2) / sqrt(n)
  }
  expect_lte(expected(n), 0.05)
  expect_gt(expected(n - 1), 0.05)
  set.seed(1)
  widths <- replicate(4000, qt(0.975, 9) * sd(rnorm(10)) / sqrt(10))
  expect_equal(rankmix:::expected_half_width(10, 1, 0.05), mean(widths), tolerance = 0.02)
})

test_that("a plan prints its test and its numbers", {
  withr::local_options(width = 80)
  difference <- sakai_topics[, "A"] - sakai_topics[, "B"]
  expect_snapshot({
    queries_needed(0.02, sd = 0.1)
    queries_needed(0.02, sd = 0.1, rankers = 5)
    queries_needed(0.05, sd = 0.2, test = "interval")
    queries_needed(0.05, sd = 0.2, test = "anova", rankers = 4)
    queries_needed(0.05, pilot = list(difference, sakai_topics))
    queries_needed(0.05, pilot = difference, upper_limit = FALSE)
    queries_needed(0.05, pilot = difference, test = "simulate", draws = 500, seed = 1)
  })
  expect_identical(tidy(queries_needed(0.02, sd = 0.1))$queries, 199)
  expect_identical(nrow(tidy(queries_needed(0.02, sd = 0.1))), 1L)
})

test_that("bad input is refused", {
  refused <- function(expr) expect_error(expr, class = "rankmix_error_argument")
  refused(queries_needed())
  refused(queries_needed(sd = 1))
  for (difference in list(0, -1, NA, "observed")) refused(queries_needed(difference, sd = 1))
  refused(queries_needed(0.1))
  refused(queries_needed(0.1, sd = 1, pilot = 1:3))
  refused(queries_needed(0.1, sd = 0))
  refused(queries_needed(0.1, sd = 1, power = 0.04))
  refused(queries_needed(0.1, sd = 1, power = 1))
  refused(queries_needed(0.1, sd = 1, level = 0.6))
  refused(queries_needed(0.1, sd = 1, test = "wilcoxon"))
  refused(queries_needed(0.1, sd = 1, rankers = 1))
  refused(queries_needed(0.1, sd = 1, pairs = 0))
  refused(queries_needed(0.1, sd = 1, test = "anova", pairs = 2))
  refused(queries_needed(0.1, sd = 1, design = "latin"))
  refused(queries_needed(0.1, sd = 1, test = "simulate"))
  refused(queries_needed(0.1, pilot = 1:9, upper_limit = NA))
  refused(queries_needed(1e-6, sd = 1))
  refused(queries_needed(0.1, sd = 1, nothing = 1))
})
