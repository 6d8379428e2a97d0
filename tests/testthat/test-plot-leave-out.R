left_out <- function() {
  run <- function(...) as_run(data.frame(query = 1, document = c(...), score = 4:1))
  runs <- list(one = run("a", "b", "c", "d"), two = run("b", "a", "e", "c"), new = run("x", "a", "y", "b"))
  qrels <- as_qrels(data.frame(query = 1, document = c("a", "b", "e", "x", "y"), relevance = c(1, 1, 0, 1, 0)))
  leave_out_runs(runs, qrels, 3, metric = c("map", "rbp"))
}

test_that("a row is a run, the largest drop on top", {
  skip_if_not_installed("ggplot2")
  plot <- ggplot2::autoplot(left_out())
  expect_identical(utils::tail(levels(plot$data$run), 1L), "new")
  expect_identical(plot$data$label, c("", "", "rank 1 to 3"))
  expect_identical(ggplot2::autoplot(left_out(), "rbp")$data$metric[1], "rbp")
  expect_error(ggplot2::autoplot(left_out(), "ndcg"), class = "rankmix_error_argument")
})

test_that("the plot of left-out runs matches its stored picture", {
  skip_without_pictures()
  vdiffr::expect_doppelganger("leave out runs", ggplot2::autoplot(left_out()))
})
