test_that("t and Wilcoxon tests agree with stats", {
  set.seed(2)
  for (n in c(3, 8, 49, 50, 300)) {
    a <- runif(n)
    b <- a + rnorm(n, 0.02, 0.2)
    pair <- tidy(compare_values(a, b, resamples = 100))
    t <- stats::t.test(a, b, paired = TRUE)
    # Differences are rounded to 12 digits.
    expect_equal(pair$p_t, t$p.value, tolerance = 1e-9)
    expect_equal(pair$difference, unname(t$estimate), tolerance = 1e-10)
    expect_equal(pair$se, t$stderr, tolerance = 1e-10)
    expect_equal(pair$effect, mean(a - b) / sd(a - b), tolerance = 1e-10)
    expect_equal(pair$p_wilcoxon, stats::wilcox.test(a - b, exact = n <= 50)$p.value,
                 tolerance = 1e-10)
    expect_equal(pair$normality, stats::shapiro.test(a - b)$p.value, tolerance = 1e-9)
    expect_equal(c(pair$lower, pair$upper), as.vector(t$conf.int), tolerance = 1e-9)
  }
})

test_that("the randomisation test of few queries is full enumeration", {
  set.seed(3)
  for (n in 1:12) {
    # The values are tenths, so that many patterns have the observed sum.
    a <- sample(0:10, n, TRUE) / 10
    b <- sample(0:10, n, TRUE) / 10
    pair <- tidy(compare_values(a, b, resamples = 100))
    expect_equal(pair$p_randomization, naive_sign_flips(a - b), tolerance = 1e-15)
  }
})

test_that("results are defined and noted where the usual tests are undefined", {
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
  expect_identical(c(same$lower, same$upper), c(NA_real_, NA_real_))
  # The differences are equal up to rounding.
  rounded <- tidy(compare_values(c(0.3, 0.4, 0.5), c(0.3, 0.4, 0.5) - 0.1))
  expect_identical(rounded$p_t, 2^-2)
  expect_identical(rounded$note, "all differences are the same, p cannot be below 0.25")
  expect_identical(rounded$effect, NA_real_)
  expect_identical(c(rounded$lower, rounded$upper), c(NA_real_, NA_real_))
  expect_identical(c(one$lower, one$upper), c(NA_real_, NA_real_))
  zero <- tidy(compare_values(c(1, 1, 3, 5), c(1, 1, 1, 1), fold = c(1, 1, 2, 2), test = "t",
                              combine = "fisher"))
  expect_identical(zero$note, "a fold with all differences 0")
  expect_equal(zero$p_t, fisher_combine(c(1, stats::t.test(c(2, 4))$p.value), c(0, 1)))
  # A fold with one query always has the p-value 1. The other folds can have smaller p-values.
  fold <- tidy(compare_values(c(1, 2, 3, 5), c(0, 0, 1, 1), fold = c(1, 2, 2, 2), test = "t",
                              combine = "fisher"))
  expect_identical(fold$note, "a fold with one query")
  expect_equal(fold$p_t, fisher_combine(c(1, stats::t.test(c(2, 2, 4))$p.value), c(1, 1)))
})

test_that("signed ranks are exact with ties and zeros, and blind to rounding noise", {
  set.seed(12)
  for (n in 2:12) {
    d <- sample(-3:5, n, TRUE) / 10
    pair <- tidy(compare_values(d, 0 * d, resamples = 100))
    expect_equal(pair$p_wilcoxon, naive_signed_ranks(d), tolerance = 1e-12)
    sums <- outer(d, d, `+`) / 2
    expect_equal(pair$pseudo_median, median(sums[upper.tri(sums, diag = TRUE)]), tolerance = 1e-10)
  }
  # Five wins and 20 ties. No signed-rank test of five differences has a p-value below 2 / 2^5.
  five <- tidy(compare_values(c(rep(1, 5), rep(0, 20)), rep(0, 25)))
  expect_identical(c(five$p_wilcoxon, five$p_randomization), c(0.0625, 0.0625))
  # Precision at 10 as fractions and as counts must give the same p-values.
  set.seed(11)
  a <- rbinom(40, 10, 0.35)
  b <- rbinom(40, 10, 0.22)
  counts <- tidy(compare_values(a, b))
  fractions <- tidy(compare_values(a / 10, b / 10))
  expect_identical(fractions[c("p_wilcoxon", "wins", "ties")], counts[c("p_wilcoxon", "wins", "ties")])
  # More than 50 differences use the normal distribution. The note reports this.
  many <- tidy(compare_values(runif(60), runif(60), test = "wilcoxon"))
  expect_match(many$note, "Wilcoxon approximate")
  # For many pairs, the pseudo-median equals the median of the explicit list of pairs.
  d <- rnorm(1001)
  sums <- outer(d, d, `+`) / 2
  expect_equal(rankmix:::signed_ranks(d, 50L)$pseudo_median, median(sums[upper.tri(sums, diag = TRUE)]),
               tolerance = 1e-9)
})

test_that("equal values that differ by rounding are ties", {
  set.seed(1)
  a <- runif(30)
  pair <- tidy(compare_values(a + 2e-16, a))
  expect_identical(pair$note, "all differences are 0")
  expect_identical(c(pair$p_t, pair$wins, pair$ties), c(1, 0, 1))
})

test_that("weights count by Kish's effective number of queries", {
  set.seed(3)
  weight <- c(1000, rep(1, 49))
  d <- c(1, rnorm(49) / 10)
  compared <- compare_rankers(a = evaluation_of(d, weight = weight),
                              b = evaluation_of(0 * d, weight = weight), seed = 1)
  pair <- tidy(compared)
  effective <- sum(weight)^2 / sum(weight^2)
  expect_equal(pair$n_effective, effective)
  expect_equal(pair$p_t, 2 * pt(-pair$difference / pair$se, effective - 1))
  # One query has nearly all the weight, so the other queries do not help.
  expect_gt(pair$p_t, 0.5)
  expect_identical(c(pair$lower, pair$upper), c(NA_real_, NA_real_))
  expect_output(print(compared), "50 queries (1.1 effective)", fixed = TRUE)
  even <- summary(evaluation_of(d, weight = rep(2, 50)))
  expect_equal(even$n_effective, 50)
  expect_equal(even$lower, summary(evaluation_of(d))$lower)
  expect_null(summary(evaluation_of(d))$n_effective)
})

test_that("weights over folds have the variance HC2 within each fold", {
  d <- c(0.3, -0.1, 0.2, 0, 0.5, 0.1, -0.4, 0.2, 0.2)
  weight <- c(1, 5, 2, 1, 1, 7, 3, 2, 2)
  fold <- rep(c("a", "b"), c(4, 5))
  parts <- lapply(split(seq_along(d), fold), function(own) {
    w <- weight[own]
    mean <- weighted.mean(d[own], w)
    list(square = sum((w / sum(w))^2 * (d[own] - mean)^2 / (1 - w / sum(w))) * (sum(w) / sum(weight))^2,
         df = sum(w)^2 / sum(w^2) - 1)
  })
  squares <- vapply(parts, `[[`, 0, "square")
  df <- vapply(parts, `[[`, 0, "df")
  found <- rankmix:::stratified_moments(d, weight, fold)
  expect_equal(found$se, sqrt(sum(squares)))
  expect_equal(found$df, sum(squares)^2 / sum(squares^2 / df))
  equal <- rankmix:::stratified_moments(d, rep(3, 9), fold)
  expect_equal(equal, rankmix:::stratified_moments(d, NULL, fold))
  # vcovHC(type = "HC2") of the package sandwich.
  own <- rankmix:::value_moments(c(0.5, 0.1, -0.4, 0.2, 0.2), c(1, 7, 3, 2, 2), summed = TRUE)
  expect_equal(own$se^2, 0.0129973748474)
})

test_that("t tests with weights keep their level over folds", {
  set.seed(1)
  times <- repetitions(2000)
  rejected <- vapply(seq_len(times), function(i) {
    d <- ifelse(runif(100) < 1 / 3, 0, rbeta(100, 0.8, 0.8) - rbeta(100, 0.8, 0.8))
    rankmix:::t_test_p(rankmix:::stratified_moments(d, 1 / seq_along(d), sample(rep(1:5, 20))), 100) <= 0.05
  }, NA)
  # Four standard errors of the draws, and 1 % for the few effective queries of a fold.
  expect_lt(mean(rejected), 0.06 + 4 * sqrt(0.05 * 0.95 / times))
})

test_that("sign flips and signed ranks have the exact values of coin", {
  pairs <- tidy(compare_topics(test = "randomization"))
  expect_equal(pairs$p_randomization, peer_values("coin", "sign flips"), tolerance = 1e-10)
  expect_equal(pairs$p_wilcoxon, peer_values("coin", "signed ranks"), tolerance = 1e-10)
  greater <- tidy(compare_topics(c("A", "B"), test = "randomization", alternative = "greater"))
  expect_equal(greater$p_randomization, peer_values("coin", "sign flips, greater"), tolerance = 1e-10)
})
