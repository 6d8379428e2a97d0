test_that("impossible metrics are refused", {
  refused <- function(metric) {
    eval(bquote(expect_snapshot_error(.(substitute(metric)),
                                      class = "rankmix_error_argument")))
  }
  refused(ndcg(0))
  refused(ndcg(2.5))
  refused(ndcg(10, empty = 2))
  refused(ndcg(gain = c(0, -1)))
  refused(ndcg(gain = "square"))
  refused(ndcg(gain = c(0, 1e200)))
  refused(ndcg(discount = NA_real_))
  refused(ndcg(discount = c(1, 2, 2)))
  refused(ndcg(short = "long"))
  refused(ndcg(ties = "together"))
  refused(precision(relevant = 0))
  refused(average_precision(10, ties = "together"))
  refused(average_precision(denominator = "all"))
  refused(precision(single = "value"))
  refused(rbp(persistence = 1))
  refused(err(max_grade = 0))
  data <- ranking_data(matrix(0, 2), c(1, 0), c(1, 1))
  refused(evaluate(1:2, data, dcg(discount = function(rank) 1)))
  refused(evaluate(1:2, data, ndcg(discount = function(rank) rank)))
  expect_error(evaluate(1:2, data, dcg(discount = function() 1)), "of dcg fails",
               class = "rankmix_error_argument")
})
