test_that("estimates are drawn with intervals", {
  skip_if_not_installed("ggplot2")
  case <- ppi_case()
  found <- suppressWarnings(evaluate_ppi(case$scores, case$data, "ndcg@5", human = case$human, machine = case$machine,
                                         seed = 1))
  plot <- ggplot2::autoplot(found)
  expect_identical(nrow(plot$data), 9L)
  expect_identical(levels(plot$data$ranker), found$rankers$ranker[order(found$rankers$mean)])
  expect_equal(plot$data$lower[1:3], found$rankers$lower)
  # The first kind of grades is at the top and has the first colour.
  expect_no_warning(points <- ggplot2::ggplot_build(plot)$data[[2L]])
  y <- as.numeric(points$y)
  expect_equal(sort(y[points$colour == ranker_colours(3L)[1L]]), as.vector(tapply(y, round(y), max)))
  expect_error(ggplot2::autoplot(found, metric = "map"), class = "rankmix_error_argument")
})
