# An example by hand. In the order of the scores, the grades are 2, 0, 1, 0.
ranked <- ranking_data(cbind(s = c(0.2, 0.9, 0.4, 0.6)), relevance = c(0, 2, 1, 0), query = c(1, 1, 1, 1))
value_of <- function(metric) evaluate(c(0.2, 0.9, 0.4, 0.6), ranked, metric)$value

test_that("the first relevant document counts", {
  expect_equal(value_of(metric_reciprocal_rank()), 1)
  expect_equal(evaluate(-c(0.2, 0.9, 0.4, 0.6), ranked, metric_reciprocal_rank())$value, 1 / 2)
})
