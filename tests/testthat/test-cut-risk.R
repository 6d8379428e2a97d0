risk_of <- function(text) rankmix:::check_risk(text)

test_that("p-values agree with the bets, one after the other", {
  slow <- function(loss, alpha, delta) {
    n <- length(loss)
    capital <- highest <- 1
    variance <- 0.25
    for (i in seq_len(n)) {
      bet <- min(0.9 / (1 - alpha), sqrt(2 * log(1 / delta) / (n * variance)))
      capital <- capital * (1 + bet * (alpha - loss[i]))
      highest <- max(highest, capital)
      means <- vapply(1:i, function(j) (0.5 + sum(loss[1:j])) / (j + 1), 0)
      variance <- (0.25 + sum((loss[1:i] - means)^2)) / (i + 1)
    }
    1 / highest
  }
  withr::with_seed(1, for (alpha in c(0.02, 0.1, 0.5)) {
    for (loss in list(rbeta(40, 1, 9), rbinom(60, 1, 0.05), numeric(30), rep(1, 5), 0.3)) {
      expect_equal(rankmix:::betting_p(loss, alpha, 0.05), slow(loss, alpha, 0.05))
    }
  })
})

test_that("p-values are uniform or larger if the mean loss is alpha", {
  withr::with_seed(2, {
    times <- repetitions(2000)
    binary <- replicate(times, rankmix:::betting_p(rbinom(100, 1, 0.1), 0.1, 0.05))
    skewed <- replicate(times, rankmix:::betting_p(rbeta(100, 0.2, 1.8), 0.1, 0.05))
    for (p in list(binary, skewed)) {
      for (level in c(0.01, 0.05, 0.2)) expect_lt(mean(p <= level), level + 3 * sqrt(level * (1 - level) / times))
    }
    # The test has power where the mean loss is well below alpha.
    expect_gt(mean(replicate(200, rankmix:::betting_p(rbeta(200, 0.2, 3.8), 0.1, 0.05)) <= 0.05), 0.9)
  })
})

test_that("paths agree with each threshold alone", {
  sample <- with_relevant(withr::with_seed(3, cut_sample(80)))
  n <- max(sample$query)
  for (text in c("precision >= 0.7", "recall >= 0.7")) {
    risk <- risk_of(text)
    for (level in list(0.9, NULL)) {
      path <- rankmix:::cut_path(sample, risk, level)
      losses <- vapply(path$position, function(t) slow_losses(sample, t, risk$name), numeric(n))
      expect_equal(path$estimate, 1 - colMeans(losses))
      expect_equal(path$kept, vapply(path$position, function(t) sum(sample$position >= t) / n, 0))
      worst <- t(apply(losses, 1L, cummax))
      passes <- if (is.null(level)) (colSums(worst) + 1) / (n + 1) <= risk$alpha else {
        apply(losses, 2L, rankmix:::betting_p, risk$alpha, 0.1) <= 0.1
      }
      expect_equal(path$certified, cumprod(passes | seq_along(passes) == 1) == 1)
      expect_true(any(path$certified[-1]) && !all(path$certified))
    }
  }
  expect_equal(path$position[1], -Inf)
})

test_that("the smallest number of queries is the first number with a possible cut", {
  for (alpha in c(0.05, 0.1, 0.4)) {
    n <- rankmix:::min_queries(alpha, 0.95)
    expect_lte(rankmix:::betting_p(numeric(n), alpha, 0.05), 0.05)
    expect_gt(rankmix:::betting_p(numeric(n - 1), alpha, 0.05), 0.05)
  }
  expect_identical(rankmix:::min_queries(0.1, NULL), 9)
})

# The true risk of each threshold, from many queries, and the thresholds that samples choose.
simulate_cuts <- function(text, level, repetitions, queries, seed) {
  risk <- risk_of(text)
  draw <- if (risk$name == "recall") function(n) with_relevant(cut_sample(n)) else cut_sample
  withr::with_seed(seed, {
    truth <- rankmix:::cut_path(draw(10000), risk, NULL)
    truth <- truth[order(truth$position), ]
    replicate(repetitions, {
      path <- rankmix:::cut_path(draw(queries), risk, level)
      position <- c(max(which(path$certified)), max(which(path$estimate >= risk$bound)))
      # A threshold between two thresholds of the truth keeps the same documents as the next one.
      truth$estimate[pmin(findInterval(path$position[position], truth$position, left.open = TRUE) + 1L, nrow(truth))]
    })
  })
}

test_that("the risk is above its bound at most at the level", {
  times <- repetitions(200)
  limit <- function(p) p + 3 * sqrt(p * (1 - p) / times)
  for (text in c("precision >= 0.8", "recall >= 0.8")) {
    found <- simulate_cuts(text, 0.9, times, 100, 4)
    expect_lt(mean(found[1, ] < 0.8), limit(0.1))
    # Without the tests, thresholds at the bound fail about half of the time.
    expect_gt(mean(found[2, ] < 0.8), 0.25)
    # The cut is not far more cautious than needed.
    expect_lt(mean(found[1, ]), 0.87)
  }
})

test_that("without a level the expected risk is at most its bound", {
  times <- repetitions(200)
  recall <- simulate_cuts("recall >= 0.8", NULL, times, 60, 5)[1, ]
  error <- 3 * sd(recall) / sqrt(times)
  expect_gt(mean(recall), 0.8 - error)
  expect_lt(mean(recall), 0.8 + 1 / 61 + 0.01 + error)
  precision <- simulate_cuts("precision >= 0.8", NULL, repetitions(100), 60, 6)[1, ]
  expect_gt(mean(precision), 0.8)
})
