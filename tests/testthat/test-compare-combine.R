test_that("Fisher's and Stouffer's p-values agree with their definitions", {
  set.seed(1)
  for (n in c(1, 2, 5, 30)) {
    p <- runif(n)
    x <- -2 * sum(log(p))
    expect_equal(fisher_combine(p), stats::pchisq(x, 2 * n, lower.tail = FALSE),
                 tolerance = 1e-12)
    signs <- sample(c(-1, 1), n, TRUE)
    weight <- runif(n)
    z <- signs * stats::qnorm(1 - p / 2)
    expect_equal(stouffer_combine(p, signs, weight),
                 2 * stats::pnorm(-abs(sum(weight * z) / sqrt(sum(weight^2)))),
                 tolerance = 1e-12)
  }
  # The combination of a single p-value is the same p-value.
  expect_equal(fisher_combine(0.03), 0.03, tolerance = 1e-12)
  expect_equal(stouffer_combine(0.03, -1), 0.03, tolerance = 1e-12)
})

test_that("p-values of 0 and 1 are defined, and directions cancel by Stouffer alone", {
  expect_identical(fisher_combine(c(0, 0.5)), 0)
  expect_identical(fisher_combine(c(1, 1, 1)), 1)
  expect_identical(stouffer_combine(c(0, 0.5), c(1, -1)), 0)
  expect_identical(stouffer_combine(c(0, 0), c(1, -1)), 1)
  expect_identical(stouffer_combine(c(0, 1), c(0, 1)), 1)
  expect_equal(stouffer_combine(c(0.01, 0.01), c(1, -1)), 1)
  expect_lt(fisher_combine(c(0.01, 0.01)), 0.002)
  # A test of weight 0 does not count.
  expect_equal(stouffer_combine(c(0.2, 0), c(1, -1), c(1, 0)), 0.2)
})

test_that("combining bad p-values is an error", {
  expect_snapshot(error = TRUE, {
    fisher_combine(numeric())
    fisher_combine("a")
    fisher_combine(c(0.1, NA))
    fisher_combine(c(0.1, 1.5))
    stouffer_combine(c(0.1, 0.2), 1)
    stouffer_combine(0.1, 1, -1)
  })
  expect_error(fisher_combine(2), class = "rankmix_error_argument")
})
