effects <- function() {
  data.frame(dataset = c("MQ2007", "MQ2008", "OHSUMED", "MSLR-WEB10K"), a = "ours", b = "trees",
             difference = c(0.02, 0.05, -0.01, 0.03), se = c(0.008, 0.02, 0.012, 0.01))
}

test_that("a forest plot has the data sets, the diamond and the new data set", {
  skip_if_not_installed("ggplot2")
  result <- compare_over_datasets(effects())
  drawn <- ggplot2::ggplot_build(ggplot2::autoplot(result))$data
  expect_identical(nrow(drawn[[2]]), 4L)
  expect_equal(drawn[[2]]$xmin[1], 0.02 - qnorm(0.975) * 0.008)
  pair <- tidy(result)
  expect_equal(drawn[[4]]$x, pair$predicted_lower)
  expect_equal(range(drawn[[5]]$x), c(pair$lower, pair$upper))
  expect_s3_class(plot(result), "ggplot") |> suppressWarnings()
})

test_that("a pooled difference without an interval is a point", {
  skip_if_not_installed("ggplot2")
  same <- transform(effects(), difference = 0.02)
  shown <- ggplot2::autoplot(compare_over_datasets(same))
  expect_match(shown$labels$subtitle, "+0.0200 [no interval]", fixed = TRUE)
  drawn <- expect_silent(ggplot2::ggplot_build(shown))$data
  expect_identical(drawn[[4]]$x, 0.02)
  expect_length(drawn, 4L)
})

test_that("a pair is chosen by its rankers", {
  skip_if_not_installed("ggplot2")
  x <- rbind(effects(), transform(effects(), b = "feature", difference = difference + 0.1))
  result <- compare_over_datasets(x)
  shown <- ggplot2::autoplot(result, rankers = c("feature", "ours"))
  expect_match(shown$labels$title, "ours against feature")
  for (bad in list("ours", c("ours", "x"), c("trees", "feature"))) {
    expect_error(ggplot2::autoplot(result, rankers = bad), class = "rankmix_error_argument")
  }
  result$pairs$difference[1] <- NA
  expect_error(ggplot2::autoplot(result), "not pooled", class = "rankmix_error_argument")
})

test_that("a forest plot matches its stored picture", {
  skip_without_pictures()
  vdiffr::expect_doppelganger("effects", ggplot2::autoplot(compare_over_datasets(effects())))
})
