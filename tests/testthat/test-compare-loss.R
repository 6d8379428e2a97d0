draw_values <- function(n = 30, loss = 0.02) {
  reference <- runif(n)
  list(reference = reference, other = reference - loss + rnorm(n, sd = 0.1))
}

test_that("the loss, its interval and its test agree with t.test()", {
  withr::local_seed(1)
  values <- draw_values()
  row <- rankmix:::loss_row(values$reference, values$other, NULL, 0.05, 0.1)
  test <- t.test(values$reference, values$other, paired = TRUE, mu = 0.05, alternative = "less")
  expect_equal(row$p_noninferior, test$p.value)
  wanted <- t.test(values$reference, values$other, paired = TRUE, conf.level = 0.8)
  expect_equal(c(row$lower, row$upper), as.vector(wanted$conf.int))
  expect_equal(row$lost, wanted$estimate[[1L]])
})

test_that("the test agrees with equivalence(), with weights and folds", {
  withr::local_seed(2)
  values <- draw_values(60, 0.01)
  weight <- sample(1:3, 60, TRUE)
  fold <- rep(1:3, 20)
  paired <- list(values = cbind(a = values$other, b = values$reference), weight = weight, fold = fold)
  settings <- list(margin = 0.03, level = 0.05, adjust = "none", resamples = 100, seed = 1)
  wanted <- rankmix:::add_equivalence(data.frame(a = "a", b = "b"), paired, settings)
  row <- rankmix:::loss_row(values$reference, values$other, weight, 0.03, 0.05, fold)
  expect_equal(row$p_noninferior, wanted$p_noninferior)
  expect_equal(c(row$lower, row$upper), -c(wanted$tost_upper, wanted$tost_lower))
})

test_that("undefined losses have defined results", {
  expect_identical(rankmix:::loss_row(rep(1, 5), rep(1, 5), NULL, 0.01, 0.05)$p_noninferior, 2^-5)
  expect_identical(unlist(rankmix:::loss_row(rep(1, 5), rep(1, 5), NULL, 0.01, 0.05)[c("lower", "upper")]),
                   c(lower = 0, upper = 0))
  expect_identical(rankmix:::loss_row(rep(1, 5), rep(0.5, 5), NULL, 0.01, 0.05)$p_noninferior, 1)
  expect_identical(rankmix:::loss_row(rep(1, 5), rep(0.5, 5), NULL, 0.01, 0.05)$lower, NA_real_)
  expect_identical(rankmix:::loss_row(1, 1, NULL, 0.01, 0.05)$p_noninferior, 1)
  expect_identical(rankmix:::loss_row(c(NaN, 1, NA), c(NaN, 1, 0), NULL, 0.01, 0.05)$lost, 0)
  expect_identical(rankmix:::loss_row(c(1, 0, 9), c(0, 0, 0), c(3, 1, 0), 0.1, 0.05)$lost, 0.75)
})

test_that("a sequence ends at the first failure", {
  expect_identical(rankmix:::adjusted_in_sequence(c(0.01, 0.05, 0.2, 0.01)), c(0.01, 0.05, 0.2, 0.2))
  expect_identical(rankmix:::adjusted_in_sequence(numeric()), numeric())
})
