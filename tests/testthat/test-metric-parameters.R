test_that("impossible metrics are refused", {
  refused <- function(metric) {
    eval(bquote(expect_snapshot_error(.(substitute(metric)),
                                      class = "rankmix_error_argument")))
  }
  refused(metric_ndcg(0))
  refused(metric_ndcg(2.5))
  refused(metric_ndcg(10, empty = 2))
  refused(metric_ndcg(gain = c(0, -1)))
  refused(metric_ndcg(gain = "square"))
  refused(metric_ndcg(gain = c(0, 1e200)))
  refused(metric_ndcg(discount = NA_real_))
  refused(metric_ndcg(discount = c(1, 2, 2)))
  refused(metric_ndcg(short_lists = "long"))
  refused(metric_ndcg(ties = "together"))
  refused(metric_precision(relevant = NA))
  refused(metric_average_precision(10, ties = "together"))
  refused(metric_average_precision(denominator = "all"))
  refused(metric_precision(single_precision = "value"))
  refused(metric_rbp(persistence = 1))
  refused(metric_err(max_grade = 0))
  data <- ranking_data(matrix(0, 2), c(1, 0), c(1, 1))
  refused(evaluate(1:2, data, metric_dcg(discount = function(rank) 1)))
  refused(evaluate(1:2, data, metric_ndcg(discount = function(rank) rank)))
  expect_error(evaluate(1:2, data, metric_dcg(discount = function() 1)), "of dcg fails",
               class = "rankmix_error_argument")
})
