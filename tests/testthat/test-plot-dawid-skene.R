test_that("a panel is the confusion matrix of an assessor", {
  skip_if_not_installed("ggplot2")
  model <- dawid_skene(drawn_votes(80, 2)$votes)
  plot <- ggplot2::autoplot(model)
  expect_identical(nrow(plot$data), 27L)
  own <- plot$data[plot$data$assessor == "llm" & plot$data$true == "1" & plot$data$given == "2", ]
  expect_equal(own$p, model$confusion["1", "2", "llm"])
  expect_identical(levels(ggplot2::autoplot(model, assessors = "llm")$data$assessor), "llm")
  expect_error(ggplot2::autoplot(model, assessors = "nobody"), "The assessors are", class = "rankmix_error_argument")
})
