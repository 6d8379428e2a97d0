test_that("rungs have enough queries, and the last has all", {
  expect_equal(rankmix:::rung_fractions(100), 1)
  expect_equal(rankmix:::rung_fractions(200), c(1 / 3, 1))
  expect_equal(rankmix:::rung_fractions(1000), c(1 / 9, 1 / 3, 1))
})

test_that("the design costs its part of the budget", {
  for (budget in c(10, 30, 100, 1000)) {
    for (fractions in list(1, c(1 / 3, 1), c(1 / 9, 1 / 3, 1))) {
      sizes <- rankmix:::design_sizes(budget, fractions)
      expect_true(all(diff(sizes) <= 0))
      cost <- sum((sizes + 1) * fractions)
      expect_gt(cost, 0.3 * budget)
      # The numbers of candidates are rounded up on later rungs.
      expect_lt(cost, 0.5 * budget + 2)
    }
  }
})

test_that("p-values agree with stats::t.test()", {
  withr::local_seed(1)
  best <- runif(30)
  other <- runif(30)
  expect_equal(rankmix:::race_p_value(best, other, NULL, NULL),
               t.test(best, other, paired = TRUE, alternative = "greater")$p.value)
  values <- cbind(best, best, other - 1)
  found <- rankmix:::worse_candidates(values, colMeans(values), NULL, NULL, 0.05)
  expect_identical(found, c(FALSE, FALSE, TRUE))
})

test_that("the best candidate is dropped with a probability of at most `error`", {
  withr::local_seed(2)
  # Eight candidates have equal means, and their values share the same variation of queries. The first candidate is one
  # of the best.
  times <- repetitions(1500)
  dropped <- replicate(times, {
    values <- rnorm(40) + matrix(rnorm(320, sd = 0.5), 40)
    rankmix:::worse_candidates(values, colMeans(values), NULL, NULL, 0.1)[1L]
  })
  expect_lt(mean(dropped), 0.1 + 3 * sqrt(0.1 * 0.9 / times))
  # The tests have power: they drop candidates that are worse.
  power <- replicate(200, {
    values <- rnorm(40) + matrix(rnorm(320, sd = 0.5), 40) + rep(c(-0.6, 0, 0, 0, 0, 0, 0, 0), each = 40)
    rankmix:::worse_candidates(values, colMeans(values), NULL, NULL, 0.1)[1L]
  })
  expect_gt(mean(power), 0.9)
})
