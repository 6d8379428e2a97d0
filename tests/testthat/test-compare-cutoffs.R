test_that("curves are evaluations at each cut-off by each convention", {
  data <- example_part("test")
  scores <- list(a = data$x[, 1], b = data$x[, 2])
  curves <- cutoff_curves(scores, data, metric_ndcg(10), c(5, 1, 3), c("mslr", "lightgbm"))
  expect_identical(nrow(curves), 12L)
  for (i in seq_len(nrow(curves))) {
    value <- evaluate(scores[[curves$ranker[i]]], data, metric_ndcg(curves$cutoff[i]),
                      convention = curves$convention[i])
    expect_equal(curves$mean[i], summary(value)$mean)
  }
  one <- cutoff_curves(scores$a, data, metric_precision(5), 1:2, c("ranklib", "gdeval"))
  expect_identical(unique(one$ranker), "scores")
  expect_identical(attr(one, "left_out")$convention, "gdeval")
})

test_that("cut-offs that make no sense are reported", {
  data <- example_part("test")
  expect_snapshot(error = TRUE, {
    cutoff_curves(data$x[, 1], data, metric_average_precision())
    cutoff_curves(data$x[, 1], data, metric_ndcg(10), cutoffs = 0:3)
    cutoff_curves(data$x[, 1], data, metric_ndcg(10), cutoffs = "ten")
    cutoff_curves(data$x[, 1], data, metric_ndcg(10, convention = "letor4"))
  })
})
