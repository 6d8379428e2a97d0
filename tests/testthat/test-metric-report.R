test_that("a report agrees with evaluate() under each convention", {
  local_known_warnings("ties")
  case <- report_case()
  report <- convention_report(case$scores, case$data, metric_ndcg(3))
  expect_identical(unique(report$table$convention),
                   unique(conventions()$convention[conventions()$metric == "ndcg"]))
  for (convention in unique(report$table$convention)) {
    means <- summary(evaluate(case$scores, case$data, metric_ndcg(3),
                              convention = convention))
    rows <- report$table[report$table$convention == convention, ]
    expect_identical(rows$mean, means$mean)
    expect_identical(rows$queries, as.numeric(means$queries))
    expect_equal(rows$rank, rank(-means$mean))
  }
})

test_that("pairs that swap ranks are found", {
  data <- ranking_data(matrix(0, 3), c(2, 0, 1), rep(1, 3), document = 1:3)
  scores <- data.frame(tied = rep(0, 3), firm = c(2, 3, 1), worse = c(1, 3, 2))
  report <- convention_report(scores, data, metric_ndcg(3),
                              conventions = c("ranklib", "gdeval", "catboost"))
  means <- with(report$table, tapply(mean, list(ranker, convention), c))
  expect_gt(means["tied", "ranklib"], means["firm", "ranklib"])
  expect_lt(means["tied", "catboost"], means["firm", "catboost"])
  swap <- report$swaps[report$swaps$ranker == "tied" & report$swaps$other == "firm", ]
  expect_match(swap$ahead, "ranklib")
  expect_match(swap$behind, "catboost")
  expect_false(any(report$swaps$ranker == "firm"))
})

test_that("conventions that do not apply are left out with a reason", {
  data <- ranking_data(matrix(0, 4), c(3, 0, 1, 0), rep(1:2, each = 2))
  scores <- data.frame(a = c(1, 1, 2, 1), b = 4:1)
  report <- convention_report(scores, data, metric_average_precision())
  expect_setequal(report$left_out$convention,
                  c("letor3", "letor4", "yahoo", "gdeval", "xgboost", "sklearn",
                    "trec_eval", "trec_eval9"))
  expect_snapshot(print(report))
  expect_snapshot_error(
    convention_report(scores, data, metric_bpref(), conventions = "mslr"),
    class = "rankmix_error_convention"
  )
})

test_that("a report prints", {
  case <- report_case()
  report <- convention_report(case$scores, case$data, "ndcg@3")
  expect_snapshot(print(report))
  lone <- convention_report(case$scores$tied, case$data, "ndcg@3")
  expect_identical(unique(lone$table$ranker), "scores")
})

test_that("means that differ by rounding noise share a rank", {
  expect_identical(rank_means(c(0.5, 0.7, 0.5 + 1e-14, 0.1)), c(2, 1, 2, 4))
  around <- 0.1234567890125 + c(-2e-14, 2e-14)
  expect_identical(rank_means(around), c(1, 1))
  expect_identical(rank_means(c(NA, 0.2, 0.3)), c(NA, 2, 1))
})

test_that("bad reports are refused", {
  case <- report_case()
  expect_snapshot_error(
    convention_report(case$scores, case$data, conventions = "letor5"),
    class = "rankmix_error_convention"
  )
  expect_snapshot_error(
    convention_report(case$scores, case$data, metric_ndcg(10, convention = "mslr")),
    class = "rankmix_error_argument"
  )
  expect_snapshot_error(
    convention_report(case$scores, case$data, metric_custom("mine", mean)),
    class = "rankmix_error_convention"
  )
})

test_that("a report of one ranker prints in the singular", {
  data <- random_data(queries = 5, features = 2)
  expect_match(capture.output(print(convention_report(data$x[, 1], data)))[1L], "1 ranker by", fixed = TRUE)
})
