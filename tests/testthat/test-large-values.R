# Numbers whose squares or sums overflow. Each ranker must train or raise a classed error, never crash or predict NaN.

large_data <- function(by) {
  withr::with_seed(1, {
    x <- matrix(rnorm(600), 200, dimnames = list(NULL, c("a", "b", "c")))
    grade <- as.integer(cut(x[, 1] + rnorm(200), 4)) - 1L
  })
  x[c(5, 17), 1] <- by
  x[c(33, 90), 1] <- -by
  ranking_data(x, grade, rep(1:20, each = 10))
}

test_that("rankers train on large features, or refuse them", {
  rankers <- list(mcsvm(), ranksvm(), linear_ranker(penalty = 1), m5p(), cocr(m5p()), gbrt(5), adaboost_mh(rounds = 5),
                  lambdamart(trees = 5), rankboost(5), smoothrank())
  for (by in c(1e100, 1e160, 1e300, 1.5e308)) {
    data <- large_data(by)
    for (ranker in rankers) {
      found <- tryCatch(predict(suppressWarnings(fit(ranker, data, seed = 1, threads = 1, verbose = FALSE)), data),
                        rankmix_error = function(e) 0)
      expect_true(all(is.finite(found)), label = sprintf("predictions of %s for %g", format(ranker), by))
    }
  }
})

test_that("calibrators accept large discriminants, or refuse them", {
  model <- fit(mcsvm(), large_data(1), threads = 1, verbose = FALSE)
  for (by in c(1e100, 1e200, 1.5e308)) {
    data <- large_data(by)
    for (method in all_calibrators()) {
      found <- tryCatch(suppressWarnings(predict(calibrate(model, data, method, threads = 1), data)),
                        rankmix_error = function(e) 0)
      expect_true(all(is.finite(found)), label = sprintf("calibrated predictions of %s for %g", format(method), by))
    }
  }
})
