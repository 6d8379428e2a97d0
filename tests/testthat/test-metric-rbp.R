# An example by hand. In the order of the scores, the grades are 2, 0, 1, 0.
ranked <- ranking_data(cbind(s = c(0.2, 0.9, 0.4, 0.6)), relevance = c(0, 2, 1, 0), query = c(1, 1, 1, 1))
value_of <- function(metric) evaluate(c(0.2, 0.9, 0.4, 0.6), ranked, metric)$value

test_that("RBP weights each rank by powers of the persistence", {
  expect_equal(value_of(metric_rbp(p = 0.5)), 0.5 * (1 + 0.25))
})

test_that("rbp of trec_eval has the persistence 0.9 and no cut-off", {
  qrels <- as_qrels(data.frame(query = 1, document = c("a", "b", "c"), relevance = c(1, 0, 1)))
  run <- as_run(data.frame(query = 1, document = c("a", "b", "c"), score = 3:1))
  # Ranks 1 and 3 are relevant. trec_eval 10.0 prints 0.1810.
  expect_equal(evaluate(run, qrels, "rbp", convention = "trec_eval")$value, 0.1 * (1 + 0.81))
  expect_error(metric_rbp(10, convention = "trec_eval"), class = "rankmix_error_convention")
  expect_error(metric_rbp(convention = "trec_eval9"), class = "rankmix_error_convention")
})
