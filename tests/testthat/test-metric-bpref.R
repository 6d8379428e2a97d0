# An example by hand. In the order of the scores, the grades are 2, 0, 1, 0.
ranked <- ranking_data(cbind(s = c(0.2, 0.9, 0.4, 0.6)), relevance = c(0, 2, 1, 0), query = c(1, 1, 1, 1))
value_of <- function(metric) evaluate(c(0.2, 0.9, 0.4, 0.6), ranked, metric)$value

test_that("irrelevant documents above relevant documents are counted", {
  # Of two relevant documents, the second has one of two irrelevant documents above it.
  expect_equal(value_of(metric_bpref()), (1 + (1 - 1 / 2)) / 2)
})
