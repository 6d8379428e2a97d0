test_that("folds are tested one by one and combined", {
  set.seed(4)
  fold <- rep(c("x", "y", "z"), c(10, 30, 60))
  a <- runif(100)
  b <- a + rnorm(100, 0.03, 0.2)
  fisher <- compare_values(a, b, fold = fold, combine = "fisher", interval = "t", resamples = 500)
  p <- vapply(split(seq_along(fold), fold), function(rows) {
    stats::t.test(a[rows], b[rows], paired = TRUE)$p.value
  }, 0)
  sign <- fisher$folds$difference
  expect_equal(fisher$folds$p_t, unname(p), tolerance = 1e-9)
  expect_equal(fisher$pairs$p_t, fisher_combine(p, sign), tolerance = 1e-9)
  expect_equal(fisher$pairs$p_wilcoxon, fisher_combine(fisher$folds$p_wilcoxon, sign))
  expect_equal(fisher$pairs$p_randomization, fisher_combine(fisher$folds$p_randomization, sign))
  expect_identical(fisher$pairs$folds_ahead, sum(fisher$folds$difference > 0))
  stouffer <- tidy(compare_values(a, b, fold = fold, combine = "stouffer", resamples = 500))
  expect_equal(stouffer$p_t, stouffer_combine(p, fisher$folds$difference, sqrt(c(10, 30, 60))))
  pooled <- tidy(compare_values(a, b, fold = fold, resamples = 500))
  # The standard error adds the variances within folds, with the folds' fractions of the queries.
  d <- a - b
  within <- tapply(d, fold, var) / c(10, 30, 60) * (c(10, 30, 60) / 100)^2
  df <- sum(within)^2 / sum(within^2 / (c(10, 30, 60) - 1))
  expect_equal(pooled$se, sqrt(sum(within)), tolerance = 1e-9)
  expect_equal(pooled$p_t, 2 * pt(-abs(mean(d)) / sqrt(sum(within)), df), tolerance = 1e-9)
  half <- qt(0.975, df) * sqrt(sum(within))
  expect_equal(c(pooled$lower, pooled$upper), mean(d) + c(-1, 1) * half, tolerance = 1e-9)
  expect_equal(pooled$heterogeneity, oneway.test(d ~ fold)$p.value, tolerance = 1e-8)
  # The estimate uses all queries, whatever the test.
  expect_identical(fisher$pairs$difference, pooled$difference)
  expect_identical(fisher$pairs[c("lower", "upper")], pooled[c("lower", "upper")])
})

test_that("if folds have opposite directions, no ranker is worse", {
  # Two folds favour a, two folds favour b, and the overall difference is about 0.
  set.seed(1)
  base <- runif(120, 0.2, 0.6)
  shift <- rep(c(0.05, 0.05, -0.05, -0.0505), each = 30)
  fold <- rep(1:4, each = 30)
  b <- base + shift + rnorm(120, 0, 0.05)
  pooled <- compare_values(base, b, fold = fold)
  expect_true(all(pooled$rankers$best))
  expect_gt(tidy(pooled)$p_t, 0.5)
  expect_lt(tidy(pooled)$heterogeneity, 1e-6)
  fisher <- compare_values(base, b, fold = fold, combine = "fisher")
  expect_true(all(fisher$rankers$best))
  expect_lt(fisher_combine(fisher$folds$p_t), 1e-4)
  expect_match(tidy(fisher)$note, "differs in some folds, in both directions")
  # If all folds agree in direction, Fisher's method gives a verdict.
  one_way <- compare_values(base, base + 0.05 + rnorm(120, 0, 0.05), fold = fold, combine = "fisher")
  expect_identical(one_way$rankers$best, c(FALSE, TRUE))
  # The verdict and the interval agree.
  expect_lt(tidy(pooled)$lower, 0)
  expect_gt(tidy(pooled)$upper, 0)
})

test_that("folds of one query form one stratum", {
  joined <- rankmix:::joined_strata
  expect_identical(joined(NULL, 3L), c(1L, 1L, 1L))
  expect_identical(joined(c("a", "a", "b", "c"), 4L), c(1L, 1L, 0L, 0L))
  expect_identical(joined(c("a", "b", "b"), 3L), c(2L, 2L, 2L))
  expect_identical(joined(c("a", "b", "c"), 3L), c(0L, 0L, 0L))
  set.seed(1)
  d <- runif(20)
  expect_equal(tidy(compare_values(d, 1 - d, fold = 1:20))$p_t, tidy(compare_values(d, 1 - d))$p_t)
})

test_that("a single fold of one query is in the same stratum for every order of queries", {
  joined <- rankmix:::joined_strata
  # The largest other fold, and the first by name of equally large folds.
  expect_identical(joined(c("a", "a", "b", "c", "c", "c"), 6L), c(1L, 1L, 3L, 3L, 3L, 3L))
  expect_identical(joined(c("c", "c", "b", "a", "a"), 5L), c(1L, 1L, 3L, 3L, 3L))
  fold <- rep(c("x", "y", "z"), c(1L, 2L, 3L))
  a <- c(0.9, 0.1, 0.3, 0.2, 0.6, 0.4)
  b <- c(0.1, 0.2, 0.5, 0.1, 0.1, 0.3)
  columns <- c("difference", "se", "df", "p_t", "lower", "upper")
  of <- function(rows) {
    pair <- compare_rankers(a = evaluation_of(a[rows], fold = fold[rows], query = rows),
                            b = evaluation_of(b[rows], fold = fold[rows], query = rows), test = "t", seed = 1)
    tidy(pair)[columns]
  }
  expect_equal(of(6:1), of(1:6))
})

test_that("a query that several folds test counts as one query", {
  skip_if_quick()
  set.seed(2)
  once <- list(a = runif(50), b = runif(50))
  ten <- lapply(once, function(values) {
    evaluation_of(rep(values, 10), fold = rep(1:10, each = 50), query = rep(1:50, 10))
  })
  repeated <- do.call(compare_rankers, c(ten, list(seed = 1)))
  plain <- compare_values(once$a, once$b)
  columns <- c("queries", "difference", "se", "lower", "upper", "p_t", "p_wilcoxon")
  expect_equal(tidy(repeated)[columns], tidy(plain)[columns])
  expect_output(print(repeated), "50 queries, tested in 10 folds each")
  expect_error(do.call(compare_rankers, c(ten, list(combine = "fisher"))),
               "tested in 10 folds each", class = "rankmix_error_argument")
  # Values that differ between folds are averaged.
  noisy <- evaluation_of(c(once$a, once$a + 0.2), fold = rep(1:2, each = 50), query = rep(1:50, 2))
  other <- evaluation_of(rep(once$b, 2), fold = rep(1:2, each = 50), query = rep(1:50, 2))
  expect_equal(tidy(compare_rankers(a = noisy, b = other, seed = 1))$difference,
               mean(once$a + 0.1 - once$b))
  # The numbers of documents differ between folds, so equal ids are different queries.
  anew <- noisy
  anew$documents[1:50] <- 9L
  beside <- other
  beside$documents[1:50] <- 9L
  expect_identical(tidy(compare_rankers(a = anew, b = beside, seed = 1))$queries, 100L)
  # The summary of a benchmark averages in the same way.
  data <- example_part("test")
  parts <- list(train = example_part("train"), test = data)
  rankers <- list(first = function(data) data$x[, 1], second = function(data) data$x[, 2])
  many <- benchmark_rankers(rankers, list(a = parts, b = parts, c = parts), seed = 1, verbose = FALSE)
  one <- benchmark_rankers(rankers, parts, seed = 1, verbose = FALSE)
  expect_equal(summary(many)[c("mean", "se", "queries")], summary(one)[c("mean", "se", "queries")])
  expect_equal(tidy(compare_rankers(many, seed = 1))$p_t, tidy(compare_rankers(one, seed = 1))$p_t)
})

test_that("with many rankers sign flips still distinguish them", {
  skip_if_quick()
  set.seed(1)
  values <- sapply(1:20, function(j) runif(50, 0, 0.2) + if (j == 1) 0.7 else 0)
  evaluations <- stats::setNames(lapply(1:20, function(j) evaluation_of(values[, j])), paste0("s", 1:20))
  compared <- do.call(compare_rankers, c(evaluations, list(seed = 1, test = "randomization",
                                                          resamples = 1000)))
  expect_identical(compared$rankers$ranker[compared$rankers$best], "s1")
  expect_output(print(compared), "p <= 0", fixed = TRUE)
  # Five queries have no sign pattern as rare as the family of tests needs. The note reports this.
  few <- lapply(1:5, function(j) evaluation_of(values[1:5, j]))
  names(few) <- letters[1:5]
  noted <- do.call(compare_rankers, c(few, list(seed = 1, adjust = "holm")))
  expect_match(noted$pairs$note[noted$pairs$a == "a"], "p cannot be below", all = TRUE)
})

test_that("signed ranks against the mean give no verdict", {
  set.seed(2)
  b <- runif(200, 0.2, 0.7)
  d <- ifelse(1:200 <= 160, 0.02, -0.15) + rnorm(200, 0, 0.002)
  compared <- compare_values(b + d, b, test = "wilcoxon")
  expect_lt(tidy(compared)$p_wilcoxon, 0.01)
  expect_lt(tidy(compared)$difference, 0)
  expect_gt(tidy(compared)$pseudo_median, 0)
  expect_match(tidy(compared)$note, "mean and ranks disagree")
  expect_true(all(compared$rankers$best))
  # If the signed ranks and the mean agree in direction, there is a verdict.
  expect_identical(sum(compare_values(b + runif(200, 0, 0.05), b, test = "wilcoxon")$rankers$best), 1L)
})

test_that("pairs are adjusted together, and the best are marked", {
  set.seed(6)
  base <- runif(200)
  values <- list(good = base, near = base + rnorm(200, 0, 0.1), bad = base - 0.2 + rnorm(200, 0, 0.1))
  evaluations <- lapply(values, evaluation_of)
  run <- function(...) do.call(compare_rankers, c(evaluations, list(seed = 1, ...)))
  plain <- run(test = "t")
  expect_identical(nrow(plain$pairs), 3L)
  expect_equal(plain$pairs$p_holm, stats::p.adjust(plain$pairs$p_t, "holm"))
  expect_equal(plain$pairs$p_bh, stats::p.adjust(plain$pairs$p_t, "BH"))
  expect_identical(plain$pairs$p_adjusted, plain$pairs$p_holm)
  signs <- run(adjust = "holm")
  expect_equal(signs$pairs$p_holm, stats::p.adjust(signs$pairs$p_randomization, "holm"))
  by_bh <- run(test = "t", adjust = "BH")
  expect_setequal(by_bh$rankers$p_best[-which.max(by_bh$rankers$mean)],
                  by_bh$pairs$p_bh[by_bh$pairs$a == "good" | by_bh$pairs$b == "good"])
  ranks <- run(test = "wilcoxon", adjust = "none")
  top <- which.max(ranks$rankers$mean)
  with_top <- ranks$pairs$a == ranks$rankers$ranker[top] | ranks$pairs$b == ranks$rankers$ranker[top]
  expect_setequal(ranks$rankers$p_best[-top], ranks$pairs$p_wilcoxon[with_top])
  best <- stats::setNames(plain$rankers$best, plain$rankers$ranker)
  expect_identical(best, c(good = TRUE, near = TRUE, bad = FALSE))
  # The marks follow the level. At a level below all p-values, no ranker is worse.
  p <- plain$rankers$p_best
  expect_identical(sum(run(test = "t", level = max(1e-6, min(p, na.rm = TRUE) / 2))$rankers$best),
                   if (min(p, na.rm = TRUE) / 2 > 1e-6) 3L else 2L)
  slight <- lapply(list(a = base, b = base + rep(c(0.05, -0.04), 100), c = base - 0.5),
                   evaluation_of)
  by_level <- function(level) {
    do.call(compare_rankers, c(slight, list(seed = 1, test = "t", level = level)))$rankers
  }
  between <- max(by_level(0.05)$p_best[1:2], na.rm = TRUE)
  expect_lt(between, 0.4)
  expect_identical(by_level(between + 0.01)$best, c(FALSE, TRUE, FALSE))
  expect_identical(by_level(between - 0.01)$best, c(TRUE, TRUE, FALSE))
})

test_that("the seed and the number of resamples change p-values, threads and other rankers do not", {
  skip_if_quick()
  set.seed(7)
  values <- lapply(c(a = 1, b = 2, c = 3), function(i) evaluation_of(runif(100)))
  run <- function(values, ...) do.call(compare_rankers, c(values, list(...)))
  full <- run(values, seed = 1)
  expect_identical(run(values, seed = 1, threads = 1), run(values, seed = 1, threads = 2))
  two <- run(values[1:2], seed = 1)
  columns <- c("lower", "upper", "p_t", "p_randomization")
  expect_identical(two$pairs[columns], full$pairs[1, columns])
  flips <- function(seed, ...) run(values, test = "randomization", seed = seed, ...)$pairs$p_randomization
  expect_false(identical(flips(2), flips(1)))
  expect_false(identical(flips(1, resamples = 500), flips(1)))
  bca <- run(values, seed = 1, interval = "bca")$pairs$lower
  expect_false(identical(run(values, seed = 2, interval = "bca")$pairs$lower, bca))
  expect_false(identical(bca, full$pairs$lower))
  set.seed(1)
  first <- run(values)
  set.seed(1)
  expect_identical(run(values), first)
})
