test_that("intervals are percentiles over units or queries", {
  set.seed(1)
  truth <- sample(0:2, 60, TRUE)
  grades <- cbind(a = truth, b = ifelse(runif(60) < 0.7, truth, sample(0:2, 60, TRUE)))
  found <- tidy(assessor_agreement(grades, resamples = 500, seed = 1))
  expect_true(found$lower < found$estimate, found$estimate < found$upper)
  # The asymptotic standard error of kappa by Fleiss, Cohen and Everitt (1969) is about 0.08 here.
  expect_equal((found$upper - found$lower) / 3.92, 0.08, tolerance = 0.25)
  expect_identical(tidy(assessor_agreement(grades, resamples = 500, seed = 1)), found)
  long <- data.frame(query = rep(1:6, 20), document = rep(1:60, 2), assessor = rep(c("a", "b"), each = 60),
                     relevance = c(grades))
  by_query <- tidy(assessor_agreement(long, by = "queries", resamples = 500, seed = 1))
  expect_equal(by_query$estimate, found$estimate)
  expect_false(identical(by_query$lower, found$lower))
  expect_error(assessor_agreement(grades, by = "queries"), "`query`", class = "rankmix_error_argument")
  expect_identical(tidy(assessor_agreement(grades[1, , drop = FALSE], "alpha"))$lower, NA_real_)
})

test_that("pairs of assessors have Cohen's kappa", {
  found <- assessor_agreement(krippendorff_grades, "alpha", resamples = 100)$pairs
  expect_identical(nrow(found), 6L)
  own <- krippendorff_grades[complete.cases(krippendorff_grades[, 1:2]), 1:2]
  expect_equal(found$kappa[1L], tidy(assessor_agreement(own, resamples = 100))$estimate)
  expect_identical(found$units[1L], 9L)
  expect_equal(found$agreement[1L], mean(own[, 1] == own[, 2]))
  apart <- cbind(a = c(1, 2, NA), b = c(NA, NA, 1), c = c(1, 2, 1))
  expect_identical(assessor_agreement(apart, "alpha", resamples = 100)$pairs$kappa[1L], NA_real_)
})

test_that("kappa leaves out units without both grades, and reports them", {
  found <- tidy(assessor_agreement(krippendorff_grades[, 1:2], resamples = 100))
  expect_identical(c(found$units, found$left_out), c(9L, 3L))
  expect_error(assessor_agreement(krippendorff_grades), "Unit 1 has 3 grades", class = "rankmix_error_values")
  expect_error(assessor_agreement(krippendorff_grades, "weighted"), "two assessors",
               class = "rankmix_error_argument")
  expect_error(assessor_agreement(cbind(c(1, NA), c(NA, 1))), "two grades", class = "rankmix_error_values")
})

test_that("assessor_agreement() prints in 80 columns", {
  withr::local_options(width = 80)
  expect_snapshot({
    assessor_agreement(krippendorff_grades, "alpha", "ordinal", seed = 1)
    assessor_agreement(krippendorff_grades[, 1:2], "weighted", seed = 1)
    assessor_agreement(matrix(1, 3, 2), seed = 1)
  })
  many <- matrix(rep(1:3, 18), 9)[, rep(1:6, 1)]
  colnames(many) <- paste0(strrep("a_long_name_", 6), 1:6)
  lines <- capture.output(print(assessor_agreement(many, seed = 1, resamples = 100)))
  expect_lte(max(nchar(lines)), 80L)
  expect_match(lines, "5 more", all = FALSE)
})

test_that("bad input is refused", {
  refused <- function(...) expect_error(assessor_agreement(...), class = "rankmix_error_argument")
  refused()
  refused(krippendorff_grades, "tau")
  refused(krippendorff_grades, "alpha", "metric")
  refused(krippendorff_grades, "alpha", by = "documents")
  refused(krippendorff_grades, "alpha", level = 2)
  refused(krippendorff_grades, "alpha", resamples = 1)
  refused(krippendorff_grades[, 1:2], "weighted", weights = "cubic")
  expect_error(tidy(assessor_agreement(krippendorff_grades, "alpha", resamples = 100), 1),
               class = "rankmix_error_argument")
})
