test_that("means and ranks are drawn, the best on top", {
  skip_if_not_installed("ggplot2")
  case <- report_case()
  report <- convention_report(case$scores, case$data, "ndcg@3")
  drawn <- ggplot2::ggplot_build(ggplot2::autoplot(report))$data[[2]]
  expect_identical(nrow(drawn), 2L * nrow(report$table))
  expect_setequal(drawn$y[drawn$PANEL == 1], report$table$mean)
  expect_setequal(drawn$y[drawn$PANEL == 2], -report$table$rank)
})

test_that("ranks of many rankers have labels of ranks", {
  skip_if_not_installed("ggplot2")
  case <- report_case()
  set.seed(1)
  many <- as.data.frame(matrix(rnorm(6 * 30), 6))
  plot <- ggplot2::autoplot(convention_report(many, case$data, metric_dcg(3, gain = "linear")))
  labels <- ggplot2::ggplot_build(plot)$layout$panel_params[[2]]$y$get_labels()
  # NA labels are outside the panel.
  labels <- trimws(labels[!is.na(labels)])
  expect_true("1" %in% labels)
  expect_false("0" %in% labels)
})

test_that("only the rankers with the highest means are drawn", {
  skip_if_not_installed("ggplot2")
  data <- random_data(queries = 15, features = 10)
  report <- convention_report(as.data.frame(data$x), data, metric_ndcg(5))
  drawn <- function(...) levels(ggplot2::autoplot(report, ...)$data$ranker)
  first <- report$table[report$table$convention == report$table$convention[1], ]
  best <- function(n) first$ranker[order(-first$mean)][seq_len(n)]
  expect_setequal(drawn(), best(8))
  expect_setequal(drawn(n = 3), best(3))
  expect_length(drawn(n = Inf), 10)
  expect_match(ggplot2::autoplot(report)$labels$subtitle, "The 8 highest means of 10 rankers")
})
