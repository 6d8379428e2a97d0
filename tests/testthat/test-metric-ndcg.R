# An example by hand. In the order of the scores, the grades are 2, 0, 1, 0.
ranked <- ranking_data(cbind(s = c(0.2, 0.9, 0.4, 0.6)), relevance = c(0, 2, 1, 0), query = c(1, 1, 1, 1))
value_of <- function(metric) evaluate(c(0.2, 0.9, 0.4, 0.6), ranked, metric)$value

test_that("gains are discounted by the logarithm of the rank", {
  dcg3 <- 3 + 1 / log2(4)
  expect_equal(value_of(metric_dcg(3)), dcg3)
  expect_equal(value_of(metric_ndcg(3)), dcg3 / (3 + 1 / log2(3)))
  expect_equal(value_of(metric_ndcg(1)), 1)
  expect_equal(value_of(metric_mean_ndcg(2)), (1 + 3 / (3 + 1 / log2(3))) / 2)
})
