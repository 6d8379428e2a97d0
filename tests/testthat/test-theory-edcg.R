random_probability <- function(n, classes, sharp = 1) {
  x <- matrix(rgamma(n * classes, sharp), n) + 1e-6
  x / rowSums(x)
}

test_that("expected_dcg() is the expectation of DCG", {
  set.seed(1)
  p <- random_probability(4, 3)
  scores <- rnorm(4)
  # The expected value is a sum over all 3^4 grade vectors.
  grades <- as.matrix(expand.grid(0:2, 0:2, 0:2, 0:2))
  expected <- sum(apply(grades, 1, function(g) {
    prod(p[cbind(1:4, g + 1)]) * naive_value("dcg", scores, g)
  }))
  expect_equal(expected_dcg(scores, p), expected)
  expect_equal(expected_dcg(c(scores, scores), rbind(p, p), rep(c("b", "a"), each = 4)),
               rep(expected, 2))
})

test_that("no ranking has a higher expected DCG than that by expected gains", {
  set.seed(2)
  for (i in 1:20) {
    p <- random_probability(6, 4, 0.4)
    best <- expected_dcg(drop(p %*% (2^(0:3) - 1)), p)
    for (j in 1:20) expect_lte(expected_dcg(rnorm(6), p), best + 1e-12)
  }
})

test_that("the bounds hold on random probabilities, and C_1 is the largest factor", {
  set.seed(3)
  for (q in c(1, 1.5, 2, 4, Inf)) {
    for (sharp in c(0.1, 1, 10)) {
      query <- rep(1:40, sample(1:12, 40, TRUE))
      p <- random_probability(length(query), 4, sharp)
      wrong <- random_probability(length(query), 4, sharp)
      near <- 0.999 * p + 0.001 * wrong
      for (estimate in list(wrong, near)) {
        sides <- bound_edcg(p, estimate, query, q)
        expect_true(all(sides$excess >= -1e-12))
        expect_true(all(sides$excess <= sides$proposition1 + 1e-9))
        expect_true(all(sides$proposition1 <= sides$corollary2 + 1e-9))
        by_divergence <- bound_edcg_kl(p, estimate, query)
        expect_true(all(by_divergence$excess <= by_divergence$bound + 1e-9))
        expect_equal(by_divergence$excess, sides$excess)
      }
    }
  }
  # Enumerates all orders of five ranks.
  orders <- as.matrix(expand.grid(rep(list(1:5), 5)))
  orders <- orders[apply(orders, 1, function(o) length(unique(o)) == 5), ]
  discounts <- 1 / log2(2:6)
  for (power in c(1, 2, 7)) {
    factors <- apply(orders, 1, function(o) {
      sum(outer(abs(discounts - discounts[o]), c(0, 1, 3))^power)^(1 / power)
    })
    expect_equal(rankmix:::largest_factor(5, c(0, 1, 3), power), max(factors))
  }
})

test_that("sides follow their formulas", {
  p <- rbind(c(0.2, 0.8), c(0.6, 0.4), c(0.5, 0.5))
  wrong <- rbind(c(0.7, 0.3), c(0.1, 0.9), c(0.5, 0.5))
  sides <- bound_edcg(p, wrong, q = 2)
  discounts <- 1 / log2(2:4)
  # The ranks by v* are 1, 3, 2, and the ranks by v are 3, 1, 2.
  expect_equal(sides$excess, sum(discounts[c(1, 3, 2)] * p[, 2]) - sum(discounts[c(3, 1, 2)] * p[, 2]))
  expect_equal(sides$proposition1,
               sqrt(2 * (discounts[1] - discounts[3])^2) * sqrt(sum((p - wrong)^2)))
  kl <- bound_edcg_kl(p, wrong, epsilon = 0.25)
  expect_equal(kl$divergence, sum(p * log(p / wrong)))
  expect_equal(kl$printed, sqrt(2) * (discounts[1] - discounts[3]) *
                 max(1.5 / (0.5 * apply(1 / wrong, 1, min))) * kl$divergence)
})

test_that("proposition 3 as printed fails close to the truth, with its root it holds", {
  p <- rbind(c(0.5 - 1e-4, 0.5 + 1e-4), c(0.5, 0.5))
  wrong <- rbind(c(0.5, 0.5), c(0.5 - 1e-4, 0.5 + 1e-4))
  sides <- bound_edcg_kl(p, wrong)
  expect_gt(sides$excess, sides$printed)
  expect_lte(sides$excess, sides$bound)
})

test_that("a probability of 0 that is not 0 has an infinite divergence", {
  p <- rbind(c(0.5, 0.5), c(1, 0))
  wrong <- rbind(c(0, 1), c(1, 0))
  expect_identical(bound_edcg_kl(p, wrong)$divergence, Inf)
  expect_identical(bound_edcg_kl(wrong, wrong)$divergence, 0)
})

test_that("numbers that are not probabilities are refused", {
  p <- rbind(c(0.5, 0.5), c(1, 0))
  refuse <- function(code) expect_snapshot_error(code, class = "rankmix_error_argument")
  refuse(expected_dcg(1:2, p * 2))
  refuse(expected_dcg(1:3, p))
  refuse(bound_edcg(p, p[1, , drop = FALSE]))
  refuse(bound_edcg(p, p, q = 0.5))
  refuse(bound_edcg(p, p, query = 1))
  refuse(bound_edcg_kl(p, p, epsilon = 1))
})
