long_krippendorff <- function() {
  at <- which(!is.na(krippendorff_grades), arr.ind = TRUE)
  data.frame(query = ifelse(at[, 1L] <= 6, "q1", "q2"), document = paste0("d", at[, 1L]),
             assessor = colnames(krippendorff_grades)[at[, 2L]], relevance = krippendorff_grades[at])
}

test_that("data frames and matrices have the same agreement", {
  long <- long_krippendorff()
  wide <- assessor_agreement(krippendorff_grades, "alpha", resamples = 100, seed = 1)
  found <- assessor_agreement(long, "alpha", resamples = 100, seed = 1)
  expect_equal(tidy(found)$estimate, tidy(wide)$estimate)
  expect_equal(tidy(found)[c("units", "left_out")], tidy(wide)[c("units", "left_out")])
  expect_identical(tidy(found)$left_out, 1L)
  expect_equal(found$pairs, wide$pairs)
  # Documents with the same id in two queries are two units.
  long$document <- "d"
  expect_error(assessor_agreement(long), "`A` graded document `d` of query `q1` twice",
               class = "rankmix_error_argument")
  # The row order does not matter.
  shuffled <- long_krippendorff()[c(20:41, 1:19), ]
  expect_equal(tidy(assessor_agreement(shuffled, "alpha", resamples = 100))$estimate, tidy(wide)$estimate)
})

test_that("text and factors are grades", {
  words <- c("bad", "fair", "good", "best", "ideal")
  text <- matrix(words[krippendorff_grades], 12)
  of <- function(...) tidy(assessor_agreement(..., resamples = 100, seed = 1))$estimate
  expect_equal(of(text, "alpha"), of(krippendorff_grades, "alpha"))
  expect_error(of(text, "alpha", "ordinal"), "ordered factor", class = "rankmix_error_argument")
  long <- long_krippendorff()
  long$relevance <- factor(words[long$relevance], words, ordered = TRUE)
  expect_equal(of(long, "alpha", "ordinal"), of(krippendorff_grades, "alpha", "ordinal"))
  expect_error(of(long, "alpha", "interval"), "numbers", class = "rankmix_error_argument")
  expect_equal(of(krippendorff_grades > 2, "alpha", "interval"), of(krippendorff_grades > 2, "alpha"))
})

test_that("bad grades are refused", {
  refused <- function(x, class = "argument", ...) {
    expect_error(assessor_agreement(x, ..., resamples = 100), class = paste0("rankmix_error_", class))
  }
  refused(1:3)
  refused(cbind(1:3))
  refused(cbind(a = 1:3, a = 1:3))
  refused(matrix(list(1), 2, 2))
  refused(matrix(NA_real_, 3, 2), "values")
  refused(cbind(c(1, Inf), 1:2), "values")
  long <- long_krippendorff()
  refused(long[c("query", "document", "relevance")])
  refused(replace(long, "assessor", NA))
  refused(cbind(-1, 1:3), "values", how = "alpha", scale = "ratio")
})
