compare_values <- function(a, b, ..., fold = NULL, seed = 1) {
  compare_rankers(a = evaluation_of(a, fold = fold), b = evaluation_of(b, fold = fold), ...,
                  seed = seed)
}

test_that("t and Wilcoxon are those of stats", {
  set.seed(2)
  for (n in c(3, 8, 49, 50, 300)) {
    a <- runif(n)
    b <- a + rnorm(n, 0.02, 0.2)
    pair <- tidy(compare_values(a, b, resamples = 100))
    t <- stats::t.test(a, b, paired = TRUE)
    expect_equal(pair$p_t, t$p.value, tolerance = 1e-12)
    expect_equal(pair$difference, unname(t$estimate), tolerance = 1e-12)
    expect_equal(pair$se, t$stderr, tolerance = 1e-12)
    expect_equal(pair$effect, mean(a - b) / sd(a - b), tolerance = 1e-12)
    expect_equal(pair$p_wilcoxon, stats::wilcox.test(a - b)$p.value, tolerance = 1e-12)
    expect_equal(pair$normality, stats::shapiro.test(a - b)$p.value, tolerance = 1e-12)
  }
})

test_that("the randomisation test of few queries is full enumeration", {
  set.seed(3)
  for (n in 1:12) {
    # Tenths, so that many patterns have the observed sum.
    a <- sample(0:10, n, TRUE) / 10
    b <- sample(0:10, n, TRUE) / 10
    pair <- tidy(compare_values(a, b, resamples = 100))
    expect_equal(pair$p_randomization, naive_sign_flips(a - b), tolerance = 1e-15)
  }
})

test_that("the bootstrap interval is the accelerated one", {
  set.seed(5)
  a <- rexp(40)
  b <- numeric(40)
  pair <- tidy(compare_values(a, b, resamples = 2000, seed = 9))
  means <- rankmix:::bootstrap_means(a, numeric(), 2000, 9, 1L)
  expect_equal(c(pair$lower, pair$upper), naive_bca(a, means, 0.95), tolerance = 1e-10)
  expect_equal(mean(means), mean(a), tolerance = 0.02)
  expect_equal(sd(means), sd(a) * sqrt(39 / 40) / sqrt(40), tolerance = 0.05)
  wide <- tidy(compare_values(a, b, resamples = 2000, seed = 9, level = 0.01))
  expect_lt(wide$lower, pair$lower)
  expect_gt(wide$upper, pair$upper)
})

test_that("what tests leave undefined is defined, and said", {
  equal <- tidy(compare_values(c(0.1, 0.5, 0.2), c(0.1, 0.5, 0.2)))
  expect_identical(unlist(equal[c("p_t", "p_wilcoxon", "p_randomization")], use.names = FALSE),
                   c(1, 1, 1))
  expect_identical(equal$note, "all differences are 0")
  expect_identical(c(equal$lower, equal$upper), c(0, 0))
  one <- tidy(compare_values(0.5, 0.2))
  expect_identical(c(one$p_t, one$p_randomization), c(1, 1))
  expect_identical(one$note, "one query")
  same <- tidy(compare_values(rep(1, 6), rep(0.5, 6)))
  expect_identical(same$p_t, 2^-5)
  expect_identical(same$p_randomization, 2^-5)
  expect_identical(same$note, "all differences are the same")
  expect_identical(c(same$lower, same$upper), c(0.5, 0.5))
  # Differences that are the same but for rounding.
  rounded <- tidy(compare_values(c(0.3, 0.4, 0.5), c(0.3, 0.4, 0.5) - 0.1))
  expect_identical(rounded$p_t, 2^-2)
  expect_identical(rounded$note, "all differences are the same")
  expect_identical(rounded$effect, NA_real_)
  expect_identical(rounded$lower, rounded$upper)
  zero <- tidy(compare_values(c(1, 1, 3, 5), c(1, 1, 1, 1), fold = c(1, 1, 2, 2)))
  expect_identical(zero$note, "a fold with all differences 0")
  expect_equal(zero$p_t, fisher_combine(c(1, stats::t.test(c(2, 4))$p.value)))
  # A fold of one query cannot tell, the others can.
  fold <- tidy(compare_values(c(1, 2, 3, 5), c(0, 0, 1, 1), fold = c(1, 2, 2, 2)))
  expect_identical(fold$note, "a fold with one query")
  expect_equal(fold$p_t, fisher_combine(c(1, stats::t.test(c(2, 2, 4))$p.value)))
})
