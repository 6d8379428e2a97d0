test_that("the forest plot has the simultaneous intervals and the verdicts", {
  skip_if_not_installed("ggplot2")
  compared <- plotted_comparison()
  rows <- ggplot2::autoplot(compared)$data
  top <- compared$rankers$ranker[which.max(compared$rankers$mean)]
  expect_identical(rows$ranker[rows$verdict == "reference"], top)
  for (ranker in setdiff(rows$ranker, top)) {
    pair <- compared$pairs[compared$pairs$a %in% c(top, ranker) & compared$pairs$b %in% c(top, ranker), ]
    row <- rows[rows$ranker == ranker, ]
    sign <- if (pair$a == ranker) 1 else -1
    expect_equal(row$difference, sign * pair$difference)
    expect_equal(c(row$lower, row$upper), sort(sign * c(pair$sim_lower, pair$sim_upper)))
    expect_identical(row$p, pair$p_adjusted)
    expect_identical(row$verdict, if (pair$p_adjusted > 0.05) "undecided" else "worse")
  }
  expect_identical(rows$best, compared$rankers$best[match(rows$ranker, compared$rankers$ranker)])
})

test_that("the rows are sorted by their differences in every layer", {
  skip_if_not_installed("ggplot2")
  compared <- compare_many(12)
  limits <- ggplot2::layer_scales(ggplot2::autoplot(compared))$y$get_limits()
  expect_false(is.unsorted(compared$rankers$mean[match(limits, compared$rankers$ranker)]))
  expect_length(limits, 12L)
})

test_that("with a margin the interval of equivalence is drawn too", {
  skip_if_not_installed("ggplot2")
  compared <- plotted_comparison(margin = 0.05, control = "linear")
  drawn <- ggplot2::autoplot(compared)
  rows <- drawn$data[drawn$data$verdict != "reference", ]
  pairs <- compared$pairs[match(rows$ranker, compared$pairs$a), ]
  expect_equal(rows$near_lower, pairs$tost_lower)
  expect_equal(rows$near_upper, pairs$tost_upper)
  expect_identical(rows$verdict, pairs$verdict)
  expect_match(drawn$labels$caption, "Band: the margin, 0.05")
  expect_identical(drawn$data$ranker[drawn$data$verdict == "reference"], "linear")
})

test_that("a relative margin has a band with a control only", {
  skip_if_not_installed("ggplot2")
  controlled <- plotted_comparison(margin = 0.1, relative_margin = TRUE, control = "linear")
  expect_match(ggplot2::autoplot(controlled)$labels$caption, "Band: the margin, 10 % of")
  rated <- controlled$rankers
  expect_equal(rankmix:::margin_of_plot(controlled$pairs, rated, "linear", controlled$settings),
               0.1 * rated$mean[rated$ranker == "linear"])
  free <- plotted_comparison(margin = 0.1, relative_margin = TRUE)
  expect_match(ggplot2::autoplot(free)$labels$caption, "It has no band")
})

test_that("more than 15 rankers have names without p-values", {
  skip_if_not_installed("ggplot2")
  labels <- function(k) {
    drawn <- ggplot2::autoplot(compare_many(k))
    ggplot2::layer_scales(drawn)$y$labels
  }
  expect_match(labels(15)[["ranker02"]], "\np ")
  expect_no_match(labels(16)[["ranker02"]], "\n")
  expect_match(labels(16)[["ranker01"]], "^[*] ")
})

test_that("pairs without an interval have a point", {
  skip_if_not_installed("ggplot2")
  compared <- compare_values(c(0.5, 0.6), c(0.3, 0.5))
  expect_no_warning(ggplot2::ggplot_build(ggplot2::autoplot(compared)))
})
