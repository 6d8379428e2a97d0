plotted_drift <- function() {
  moved <- example_part("test")
  moved$x[, "f1"] <- moved$x[, "f1"] + 1
  drift(function(data) data$x[, 1], moved, example_part("vali"), permutations = 999, seed = 1, threads = 1)
}

test_that("distances, bins and scores are drawn", {
  skip_if_not_installed("ggplot2")
  found <- plotted_drift()
  plot <- ggplot2::autoplot(found, n = 5)
  expect_identical(nrow(plot$data), 7L)
  expect_match(plot$labels$caption, "15 features with smaller distances are not shown")
  expect_identical(as.character(plot$data$word[plot$data$feature == "f1"]), "changed")
  bins <- ggplot2::autoplot(found, "bins", n = 2)$data
  expect_identical(nlevels(bins$feature), 2L)
  expect_equal(as.vector(tapply(bins$fraction, list(bins$feature, bins$data), sum)), rep(1, 4))
  expect_identical(levels(ggplot2::autoplot(found, "scores")$data$feature), rankmix:::drift_score_names)
  expect_error(ggplot2::autoplot(found, "metric"), class = "rankmix_error_argument")
})

test_that("the plot of drift matches its stored picture", {
  skip_without_pictures()
  for (type in c("features", "bins", "scores")) {
    vdiffr::expect_doppelganger(paste("drift by", type), ggplot2::autoplot(plotted_drift(), type))
  }
})
