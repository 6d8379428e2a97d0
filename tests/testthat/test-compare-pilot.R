pooled <- function(pilot, metric = NULL) rankmix:::pooled_pilots(pilot, metric)

test_that("a pilot may be a comparison, an evaluation, a matrix or differences", {
  a_b <- sakai_topics[, c("A", "B")]
  difference <- a_b[, "A"] - a_b[, "B"]
  kinds <- list(difference, a_b, as.data.frame(a_b), compare_topics(c("A", "B")),
                rbind(evaluation_of(a_b[, "A"], rep("A", 20)), evaluation_of(a_b[, "B"], rep("B", 20))))
  for (pilot in kinds) {
    found <- pooled(pilot)
    expect_equal(found$variance, var(difference))
    expect_equal(c(found$df, found$queries, found$efficiency), c(19, 20, 1))
  }
  expect_error(pooled(compare_topics(), "err"), class = "rankmix_error_argument")
})

test_that("the variance of several rankers is twice the residual variance", {
  found <- pooled(sakai_topics)
  # The book's residual variance, V_E2, is 0.8317 / 38.
  expect_equal(found$variance, 2 * 0.8317 / 38, tolerance = 1e-4)
  expect_equal(c(found$df, found$pair_df), c(38, 19))
  fit <- anova(lm(as.vector(sakai_topics) ~ factor(row(sakai_topics)) + factor(col(sakai_topics))))
  expect_equal(found$variance, 2 * fit$`Mean Sq`[3L])
})

test_that("several pilots are pooled by their degrees of freedom", {
  set.seed(1)
  first <- rnorm(10)
  second <- rnorm(30, 5, 3)
  found <- pooled(list(first, other = second))
  expect_equal(found$variance, (9 * var(first) + 29 * var(second)) / 38)
  expect_equal(c(found$df, found$collections, found$queries), c(38, 2, 40))
})

test_that("the upper limit is the default for small pilots only", {
  small <- rankmix:::planned_variance(list(variance = 2, df = 19, pair_df = 19), NULL)
  expect_equal(small$variance, 2 * 19 / qchisq(0.2, 19))
  expect_true(small$upper_limit)
  large <- rankmix:::planned_variance(list(variance = 2, df = 100, pair_df = 100), NULL)
  expect_identical(large$variance, 2)
  expect_identical(rankmix:::planned_variance(list(variance = 2, df = 19, pair_df = 19), FALSE)$variance, 2)
  # The upper limit exceeds the true variance in four of five pilots.
  set.seed(2)
  limits <- replicate(4000, {
    rankmix:::planned_variance(list(variance = var(rnorm(20)), df = 19, pair_df = 19), NULL)$variance
  })
  expect_equal(mean(limits >= 1), 0.8, tolerance = 0.03)
})

test_that("weights plan the effective number of queries", {
  set.seed(3)
  weight <- rep(c(1, 3), 100)
  a <- runif(200)
  b <- runif(200)
  weighted <- compare_rankers(a = evaluation_of(a, weight = weight), b = evaluation_of(b, weight = weight),
                              seed = 1, resamples = 100)
  found <- pooled(weighted)
  expect_equal(found$efficiency, 0.8)
  plan <- queries_needed(0.05, pilot = weighted)
  expect_identical(plan$queries, ceiling(plan$effective / 0.8))
  expect_identical(plan$effective, queries_needed(0.05, sd = sqrt(found$variance))$queries)
  expect_error(queries_needed(0.05, pilot = weighted, test = "simulate"), "weights",
               class = "rankmix_error_argument")
})

test_that("folds give the variance within folds", {
  set.seed(4)
  fold <- rep(1:3, each = 20)
  a <- runif(60) + fold
  b <- runif(60)
  found <- pooled(compare_values(a, b, fold = fold, resamples = 100))
  expect_equal(found$variance, mean(vapply(split(a - b, fold), var, 0)))
})

test_that("bad pilots are refused by name", {
  expect_error(pooled("a"), "`pilot`", class = "rankmix_error_argument")
  expect_error(pooled(list(1:3, "a")), "pilot[[2]]", fixed = TRUE, class = "rankmix_error_argument")
  expect_error(pooled(list(first = 1)), "pilot$first", fixed = TRUE, class = "rankmix_error_argument")
  expect_error(pooled(list()), class = "rankmix_error_argument")
  expect_error(pooled(matrix(1:3, 3)), class = "rankmix_error_argument")
  expect_error(pooled(c(1, NA, 2)), class = "rankmix_error_argument")
  expect_error(pooled(rep(0.1, 5)), "all the same", class = "rankmix_error_values")
  expect_error(pooled(evaluation_of(1:3 / 3)), class = "rankmix_error_argument")
})
