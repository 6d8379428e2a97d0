bounds_of <- function() {
  qrels <- as_qrels(data.frame(query = rep(1:9, each = 4), document = c("a", "b", "c", "d"),
                               relevance = c(1, 0, 0, 0, 1, 1, 0, 0, 0, 1, 0, 1)))
  run <- function(...) {
    as_run(data.frame(query = rep(1:9, each = length(c(...))), document = c(...), score = -seq_along(c(...))))
  }
  judgement_bounds(list(old = run("a", "b", "c", "d"), new = run("x", "b", "a", "y"),
                        worst = run("d", "c", "b", "a")), qrels, c("rbp", "map"))
}

test_that("a row is a pair, in the order of the bounds", {
  skip_if_not_installed("ggplot2")
  bounds <- bounds_of()
  plot <- ggplot2::autoplot(bounds)
  expect_identical(levels(plot$data$pair), rev(paste(bounds$pairs$a, "-", bounds$pairs$b)[1:3]))
  expect_identical(plot$data$lowest, bounds$pairs$lowest[1:3])
  expect_match(ggplot2::autoplot(bounds, "average_precision")$labels$caption, "outer")
  expect_error(ggplot2::autoplot(bounds, "ndcg"), class = "rankmix_error_argument")
  expect_error(ggplot2::autoplot(bounds, type = "bars"), class = "rankmix_error_argument")
})

test_that("bounds of differences match their stored pictures", {
  skip_without_pictures()
  vdiffr::expect_doppelganger("judgement bounds", ggplot2::autoplot(bounds_of()))
})
