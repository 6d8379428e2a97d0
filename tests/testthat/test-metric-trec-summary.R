summary_case <- function(...) {
  data <- ranking_data(cbind(x = c(3, 1, 2, 5, 4)), relevance = c(0, 1, 2, 0, 1),
                       query = c(1, 1, 1, 2, 2), ...)
  evaluate(list(up = data$x[, 1], down = -data$x[, 1]), data,
           list("map", mine = "gm_map", "num_rel_ret", "num_q"))
}

test_that("geometric means, sums and means are those that trec_eval prints", {
  found <- trec_summary(summary_case())
  expect_identical(names(found), c("ranker", "metric", "value", "summary", "queries"))
  expect_identical(unique(found[c("metric", "summary")])$summary, c("mean", "geometric mean", "sum", "sum"))
  up <- c((1 / 2 + 2 / 3) / 2, 1 / 2)
  down <- c((1 + 1) / 2, 1)
  value <- function(metric) found$value[found$metric == metric]
  expect_equal(value("average_precision"), c(mean(up), mean(down)))
  expect_equal(value("mine"), c(sqrt(prod(up)), sqrt(prod(down))))
  expect_identical(value("num_rel_ret"), c(3, 3))
  expect_identical(value("num_q"), c(2, 2))
  expect_identical(unique(found$queries), 2L)
})

test_that("one ranker, metrics of others and queries that do not count are summarised", {
  data <- ranking_data(cbind(x = 1:4), relevance = c(0, 1, 0, 0), query = c(1, 1, 2, 2))
  found <- trec_summary(evaluate(1:4, data, c("ndcg@1(empty = \"drop\")", "gm_map")))
  expect_identical(found$queries, 1:2)
  expect_equal(found$value, c(1, sqrt(1e-5)))
  own <- trec_summary(evaluate(1:4, data, metric_custom("own", length)))
  expect_identical(own$summary, "mean")
})

test_that("objects that are not evaluations are refused", {
  expect_snapshot_error(trec_summary(1), class = "rankmix_error_argument")
  expect_snapshot_error(trec_summary(summary_case(weight = c(1, 1, 1, 2, 2))),
                        class = "rankmix_error_argument")
  expect_snapshot_error(trec_summary(summary_case()[c("query", "metric")]), class = "rankmix_error_column")
})
