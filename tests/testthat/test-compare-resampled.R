x <- c(0.02, 0.01, 0.03, -0.005, 0.015)

test_that("the corrected t test and its posterior agree with the papers", {
  found <- resampled_t(x, train = 400, test = 100, margin = 0.01)
  expect_equal(found$statistic, 1.612554, tolerance = 1e-6)
  expect_equal(found$p, 0.182136, tolerance = 1e-5)
  expect_equal(found$p_better, 0.6655359, tolerance = 1e-6)
  expect_equal(found$p_better + found$p_equal + found$p_worse, 1)
  expect_equal(found$df, 4)
  half <- qt(0.975, 4) * found$se
  expect_equal(c(found$lower, found$upper), mean(x) + c(-half, half))
  # The test part is tiny, so the corrected test equals Student's t test.
  expect_equal(resampled_t(x, 1e12, 1e-3)$p, t.test(x)$p.value, tolerance = 1e-9)
  mirrored <- resampled_t(-x, 400, 100, margin = 0.01)
  expect_equal(c(mirrored$p, mirrored$p_worse), c(found$p, found$p_better))
  sized <- resampled_t(x, train = c(300, 500, 400, 400, 400), test = 100)
  expect_equal(sized$se, sqrt((0.2 + mean(100 / c(300, 500, 400, 400, 400))) * var(x)))
})

test_that("differences without a spread are defined", {
  zero <- resampled_t(c(0, 0, 0), 4, 1)
  expect_identical(c(zero$p, zero$lower, zero$p_better), c(1, NA, NA))
  equal <- resampled_t(c(0.1, 0.1), 4, 1)
  expect_identical(c(equal$p, equal$statistic), c(NA_real_, NA_real_))
})

test_that("resampled tests print, and bad input is an error", {
  expect_snapshot({
    resampled_t(x, 400, 100)
    resampled_t(x, 400, 100, margin = 0.01)
    resampled_t(c(0.1, 0.1), 4, 1)
    resampled_t(x, 400, 100)["df"]
  })
  expect_snapshot(error = TRUE, {
    resampled_t()
    resampled_t(x)
    resampled_t(x, 400)
    resampled_t(0.1, 4, 1)
    resampled_t(c(0.1, NA), 4, 1)
    resampled_t(x, 0, 1)
    resampled_t(x, 4, c(1, 2))
    resampled_t(x, 4, 1, margin = -1)
    resampled_t(x, 4, 1, level = 0)
  })
})
