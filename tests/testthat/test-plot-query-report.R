plotted_report <- function() {
  by <- data.frame(query = 1:20, kind = rep(c("short", "long"), 10), size = 1:20)
  query_report(sakai_topics, "A", "B", by = by, resamples = 200, seed = 1)
}

test_that("queries are sorted, and the most influential have names", {
  skip_if_not_installed("ggplot2")
  report <- plotted_report()
  plot <- ggplot2::autoplot(report, n = 3)
  expect_false(is.unsorted(-plot$data$difference))
  expect_identical(sort(plot$data$label[plot$data$named]), sort(as.character(tidy(report)$query[1:3])))
  expect_identical(plot$labels$subtitle, "10 better, 5 equal, 5 worse of 20 queries")
  expect_no_error(ggplot2::ggplot_build(ggplot2::autoplot(report, n = 0)))
  same <- query_report(unname(sakai_topics[, c(1, 1)]), resamples = 100)
  expect_no_error(ggplot2::ggplot_build(ggplot2::autoplot(same)))
})

test_that("groups have their interaction", {
  skip_if_not_installed("ggplot2")
  plot <- ggplot2::autoplot(plotted_report(), "groups")
  expect_match(levels(plot$data$panel), "^(kind|size): interaction p")
  expect_error(ggplot2::autoplot(query_report(sakai_topics, resamples = 100), "groups"),
               class = "rankmix_error_argument")
  expect_error(ggplot2::autoplot(plotted_report(), "pairs"), class = "rankmix_error_argument")
  expect_error(ggplot2::autoplot(plotted_report(), n = -1), class = "rankmix_error_argument")
})

test_that("reports match their stored pictures", {
  skip_without_pictures()
  vdiffr::expect_doppelganger("report of queries", ggplot2::autoplot(plotted_report()))
  vdiffr::expect_doppelganger("report of groups", ggplot2::autoplot(plotted_report(), "groups"))
})
