test_that("cuts are drawn with the required value and the threshold", {
  skip_if_not_installed("ggplot2")
  sample <- withr::with_seed(1, cut_sample(100))
  cut <- cut_list(sample$position, cut_data(sample), "precision >= 0.7")
  plot <- ggplot2::autoplot(cut)
  path <- tidy(cut)[-1, ]
  expect_equal(plot$data$value, c(path$estimate, path$kept))
  expect_equal(unique(plot$data$threshold[plot$data$certified == "certified"]), path$threshold[path$certified])
  expect_error(ggplot2::autoplot(cut, type = "a"), class = "rankmix_error_argument")
})

test_that("cuts match their stored pictures", {
  skip_without_pictures()
  sample <- withr::with_seed(1, cut_sample(100))
  vdiffr::expect_doppelganger("cut by score", ggplot2::autoplot(cut_list(sample$position, cut_data(sample),
                                                                         "precision >= 0.7")))
  vdiffr::expect_doppelganger("cut by rank", ggplot2::autoplot(cut_list(sample$position, cut_data(sample),
                                                                        "recall >= 0.7", by = "rank")))
})
