# An example by hand. In the order of the scores, the grades are 2, 0, 1, 0.
ranked <- ranking_data(cbind(s = c(0.2, 0.9, 0.4, 0.6)), relevance = c(0, 2, 1, 0), query = c(1, 1, 1, 1))
value_of <- function(metric) evaluate(c(0.2, 0.9, 0.4, 0.6), ranked, metric)$value

test_that("a user stops with the probability of the grade", {
  # The user stops with probability (2^2 - 1) / 2^2 at rank 1, and with (2^1 - 1) / 2^2 at rank 3.
  expect_equal(value_of(metric_err(max_grade = 2)), 0.75 + 0.25 * 0.25 / 3)
  expect_equal(value_of(metric_err(2, max_grade = 2)), 0.75)
})
