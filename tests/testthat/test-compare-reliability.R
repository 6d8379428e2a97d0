crossed <- function() as.matrix(read.csv(test_path("fixtures", "query-training.csv")))

# A study with the mean squares that follow from printed variance components.
study <- function(s, q, e, n, k, queries, level, target = 0.95) {
  squares <- c(rankers = n * s + e, queries = k * q + e, rest = e)
  rankmix:::reliability_study(squares, n, k, queries, target, level)
}

test_that("coefficients, intervals and numbers of queries agree with gt4ireval", {
  # TREC-3 has 50 queries and 40 systems. The values are from the vignette of gt4ireval.
  found <- study(0.0071668, 0.022642, 0.01092, 50, 40, 50, 0.95)
  expect_equal(found$coefficients$estimate, c(0.97043, 0.91436), tolerance = 1e-5)
  expect_equal(found$coefficients$lower, c(0.95569, 0.86034), tolerance = 1e-5)
  expect_equal(found$coefficients$upper, c(0.98213, 0.95054), tolerance = 1e-5)
  expect_identical(found$needed$queries, c(29, 89))
  expect_identical(found$needed$lower, c(18, 50))
  expect_identical(found$needed$upper, c(45, 155))
  # The worst quarter of the systems is left out.
  found <- study(0.0028117, 0.028093, 0.010152, 50, 30, 50, 0.95)
  expect_equal(found$coefficients$estimate, c(0.93265, 0.78613), tolerance = 1e-5)
  expect_equal(found$coefficients$lower, c(0.89311, 0.66141), tolerance = 2e-5)
  expect_equal(found$coefficients$upper, c(0.96287, 0.88039), tolerance = 2e-5)
  expect_identical(found$needed$queries, c(69, 259))
  expect_identical(found$needed$lower, c(37, 130))
  expect_identical(found$needed$upper, c(114, 487))
})

test_that("components agree with lme4, and effects with anova()", {
  d <- crossed()
  found <- reliability(d, c(40, 80))
  # The expected values are from lme4 1.1-31: lmer(value ~ 1 + (1 | query) + (1 | ranker)).
  expect_equal(found$components$variance, c(0.00021847961, 0.0082884644, 0.0023158547), tolerance = 1e-7)
  expect_equal(sum(found$components$fraction), 1)
  long <- data.frame(v = as.vector(d), q = factor(rep(1:40, 5)), s = factor(rep(1:5, each = 40)))
  table <- anova(lm(v ~ s + q, long))
  expect_identical(found$effects$source, c("ranker", "query", "residual"))
  expect_equal(found$effects$f[1:2], table[["F value"]][1:2])
  expect_equal(found$effects$p[1:2], table[["Pr(>F)"]][1:2])
  f <- table[["F value"]][1]
  expect_equal(found$effects$omega_squared[1], 4 * (f - 1) / (4 * (f - 1) + 200))
  long$fold <- factor(rep(rep(1:4, c(7, 13, 10, 10)), 5))
  nested <- anova(lm(v ~ fold + q + s + fold:s, long))
  found <- reliability(d, fold = long$fold[1:40])
  expect_identical(found$effects$source, c("ranker", "query", "fold", "ranker:fold", "residual"))
  expect_equal(found$effects$mean_square, nested[["Mean Sq"]][c(3, 2, 1, 4, 5)])
  expect_equal(found$effects$df, nested[["Df"]][c(3, 2, 1, 4, 5)])
})

test_that("erho2 is Cronbach's alpha, and more queries are more reliable", {
  d <- crossed()
  found <- tidy(reliability(d, c(20, 40, 80)))
  by_ranker <- t(d)
  alpha <- 40 / 39 * (1 - sum(apply(by_ranker, 2, var)) / var(rowSums(by_ranker)))
  expect_equal(found$estimate[found$coefficient == "erho2" & found$queries == 40], alpha)
  expect_true(all(diff(found$estimate[1:3]) > 0))
  expect_true(all(found$lower < found$estimate & found$estimate < found$upper))
  expect_true(all(found$estimate[4:6] < found$estimate[1:3]))
  # The needed number of queries reaches the target, and a number smaller by one does not.
  needed <- reliability(d, target = c(0.6, 0.9))$needed
  for (i in seq_len(nrow(needed))) {
    own <- tidy(reliability(d, needed$queries[i] - 1:0))
    own <- own$estimate[own$coefficient == needed$coefficient[i]]
    expect_true(own[1] < needed$target[i] && own[2] >= needed$target[i])
  }
})

test_that("undefined cases are NA or at the limits", {
  equal <- reliability(matrix(0.1, 3, 3), target = 0.9)
  expect_true(all(is.na(equal$coefficients$estimate)) && all(is.na(equal$needed$queries)))
  additive <- tidy(reliability(outer(1:4, 1:3, `+`) / 10))
  expect_identical(additive$estimate[1], 1)
  expect_true(all(is.na(additive$lower)))
  # The rankers have equal means.
  none <- reliability(rbind(c(1, 2), c(2, 1), c(1, 2), c(2, 1)), target = 0.9)
  expect_identical(none$coefficients$estimate, c(0, 0))
  expect_identical(none$needed$queries, c(Inf, Inf))
  expect_match(none$note, "negative")
  expect_identical(tidy(none)$lower, c(0, 0))
})

test_that("evaluations, benchmarks and comparisons give the values", {
  test <- example_part("test")
  rankers <- lapply(c(f1 = 1, f2 = 2, f3 = 3), function(j) test$x[, j])
  evaluated <- evaluate(rankers, test, c("ndcg@10", "err"))
  values <- matrix(evaluated$value[evaluated$metric == "err"], ncol = 3)
  by_hand <- tidy(reliability(values))
  expect_equal(tidy(reliability(evaluated, metric = "err")), by_hand)
  compared <- compare_rankers(evaluated, test = "t", seed = 1)
  expect_equal(tidy(reliability(compared, metric = "err")), by_hand)
  expect_identical(reliability(evaluated)$metric, "ndcg@10")
  expect_equal(tidy(reliability(as.data.frame(values))), by_hand)
  benchmark <- run_benchmark(small_rankers()[3:4])
  found <- reliability(benchmark)
  expect_identical(found$effects$source[3], "fold")
  expect_identical(glance(found)$queries, length(unique(benchmark$results$query)))
  weighted <- evaluated
  weighted$weight <- match(weighted$query, unique(weighted$query))
  expect_error(reliability(weighted), "weights", class = "rankmix_error_argument")
})

test_that("reliability prints, and bad input is an error", {
  d <- crossed()
  expect_snapshot({
    reliability(d, c(40, 100), c(0.6, 0.9))
    reliability(matrix(1, 3, 3))
  })
  expect_snapshot(error = TRUE, {
    reliability()
    reliability(1:3)
    reliability(d[, 1, drop = FALSE])
    reliability(matrix(letters[1:4], 2))
    reliability(replace(d, 50, NA))
    reliability(d, queries = 0)
    reliability(d, target = 1)
    reliability(d, level = 2)
    reliability(d, fold = 1:2)
  })
})
