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
