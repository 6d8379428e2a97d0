compare_values <- function(a, b, ..., fold = NULL, seed = 1) {
  compare_rankers(a = evaluation_of(a, fold = fold), b = evaluation_of(b, fold = fold), ...,
                  seed = seed)
}

test_that("folds are tested one by one and combined", {
  set.seed(4)
  fold <- rep(c("x", "y", "z"), c(10, 30, 60))
  a <- runif(100)
  b <- a + rnorm(100, 0.03, 0.2)
  fisher <- compare_values(a, b, fold = fold, resamples = 500)
  p <- vapply(split(seq_along(fold), fold), function(rows) {
    stats::t.test(a[rows], b[rows], paired = TRUE)$p.value
  }, 0)
  expect_equal(fisher$folds$p_t, unname(p), tolerance = 1e-12)
  expect_equal(fisher$pairs$p_t,
               stats::pchisq(-2 * sum(log(p)), 6, lower.tail = FALSE), tolerance = 1e-12)
  expect_equal(fisher$pairs$p_wilcoxon, fisher_combine(fisher$folds$p_wilcoxon))
  expect_equal(fisher$pairs$p_randomization, fisher_combine(fisher$folds$p_randomization))
  expect_identical(fisher$pairs$folds_ahead, sum(fisher$folds$difference > 0))
  stouffer <- tidy(compare_values(a, b, fold = fold, combine = "stouffer", resamples = 500))
  expect_equal(stouffer$p_t, stouffer_combine(p, fisher$folds$difference, sqrt(c(10, 30, 60))))
  pooled <- tidy(compare_values(a, b, fold = fold, combine = "pool", resamples = 500))
  expect_equal(pooled$p_t, stats::t.test(a - b)$p.value, tolerance = 1e-12)
  # The estimate is over all queries, however they are tested.
  expect_identical(fisher$pairs$difference, pooled$difference)
  expect_identical(fisher$pairs[c("lower", "upper")], pooled[c("lower", "upper")])
})

test_that("pairs are adjusted together, and the best are marked", {
  set.seed(6)
  base <- runif(200)
  values <- list(good = base, near = base + rnorm(200, 0, 0.1), bad = base - 0.2 + rnorm(200, 0, 0.1))
  evaluations <- lapply(values, evaluation_of)
  run <- function(...) do.call(compare_rankers, c(evaluations, list(seed = 1, ...)))
  plain <- run()
  expect_identical(nrow(plain$pairs), 3L)
  expect_equal(plain$pairs$p_holm, stats::p.adjust(plain$pairs$p_t, "holm"))
  expect_equal(plain$pairs$p_bh, stats::p.adjust(plain$pairs$p_t, "BH"))
  signs <- run(test = "randomization")
  expect_equal(signs$pairs$p_holm, stats::p.adjust(signs$pairs$p_randomization, "holm"))
  by_bh <- run(adjust = "BH")
  expect_setequal(by_bh$rankers$p_best[-which.max(by_bh$rankers$mean)],
                  by_bh$pairs$p_bh[by_bh$pairs$a == "good" | by_bh$pairs$b == "good"])
  ranks <- run(test = "wilcoxon", adjust = "none")
  top <- which.max(ranks$rankers$mean)
  with_top <- ranks$pairs$a == ranks$rankers$ranker[top] | ranks$pairs$b == ranks$rankers$ranker[top]
  expect_setequal(ranks$rankers$p_best[-top], ranks$pairs$p_wilcoxon[with_top])
  best <- stats::setNames(plain$rankers$best, plain$rankers$ranker)
  expect_identical(best, c(good = TRUE, near = TRUE, bad = FALSE))
  # The rule follows the level: nobody is worse at the p-value of the worst, all are above it.
  p <- plain$rankers$p_best
  expect_identical(sum(run(level = max(1e-6, min(p, na.rm = TRUE) / 2))$rankers$best),
                   if (min(p, na.rm = TRUE) / 2 > 1e-6) 3L else 2L)
  slight <- lapply(list(a = base, b = base + rep(c(0.05, -0.04), 100), c = base - 0.5),
                   evaluation_of)
  by_level <- function(level) {
    do.call(compare_rankers, c(slight, list(seed = 1, level = level)))$rankers
  }
  between <- max(by_level(0.05)$p_best[1:2], na.rm = TRUE)
  expect_lt(between, 0.4)
  expect_identical(by_level(between + 0.01)$best, c(FALSE, TRUE, FALSE))
  expect_identical(by_level(between - 0.01)$best, c(TRUE, TRUE, FALSE))
})

test_that("seed and resamples matter, threads and other rankers do not", {
  set.seed(7)
  values <- lapply(c(a = 1, b = 2, c = 3), function(i) evaluation_of(runif(100)))
  run <- function(values, ...) do.call(compare_rankers, c(values, list(...)))
  full <- run(values, seed = 1)
  expect_identical(run(values, seed = 1, threads = 1), run(values, seed = 1, threads = 2))
  two <- run(values[1:2], seed = 1)
  columns <- c("lower", "upper", "p_t", "p_randomization")
  expect_identical(two$pairs[columns], full$pairs[1, columns])
  expect_false(identical(run(values, seed = 2)$pairs$lower, full$pairs$lower))
  expect_false(identical(run(values, seed = 1, resamples = 500)$pairs$lower, full$pairs$lower))
  set.seed(1)
  first <- run(values)
  set.seed(1)
  expect_identical(run(values), first)
})
