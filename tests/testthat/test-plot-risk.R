test_that("the front has the rankers that no ranker exceeds", {
  expect_identical(rankmix:::on_front(c(1, 2, 3, 3), c(3, 2, 1, 0)), c(TRUE, TRUE, TRUE, FALSE))
  expect_identical(rankmix:::on_front(c(1, 1), c(1, 1)), c(TRUE, TRUE))
  expect_identical(rankmix:::label_sides(c(1, 1)), 0.5)
})

test_that("risks are drawn for one value of alpha", {
  skip_if_not_installed("ggplot2")
  found <- risk(sakai_topics, "B")
  plot <- ggplot2::autoplot(found)
  expect_identical(unique(plot$data$alpha), 5)
  expect_match(plot$labels$subtitle, "losses count 6 times")
  expect_identical(unique(ggplot2::autoplot(found, alpha = 1)$data$alpha), 1)
  expect_error(ggplot2::autoplot(found, alpha = 2), class = "rankmix_error_argument")
  expect_error(ggplot2::autoplot(found, metric = "err"), class = "rankmix_error_argument")
  expect_error(ggplot2::autoplot(found, type = "a"), class = "rankmix_error_argument")
})

test_that("risks match their stored pictures", {
  skip_without_pictures()
  vdiffr::expect_doppelganger("risk", ggplot2::autoplot(risk(sakai_topics, "B")))
  compared <- compare_topics(test = "randomization", adjust = "maxt", resamples = 1000)
  vdiffr::expect_doppelganger("risk of a comparison", ggplot2::autoplot(risk(compared, "C"), alpha = 1))
})
