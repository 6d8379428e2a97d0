test_that("click models are drawn", {
  skip_if_not_installed("ggplot2")
  judged <- simulate_ranking(6, documents = 5, seed = 1)$data
  log <- simulate_clicks(judged, 50, depth = 5, seed = 2, output = "log")
  for (name in c("pbm", "ubm", "dcm")) {
    model <- click_model(log, name)
    plot <- ggplot2::autoplot(model)
    expect_s3_class(plot, "ggplot")
    expect_no_warning(ggplot2::ggplot_build(plot))
    drawn <- plot$data$estimate
    expect_equal(drawn, model$parameters$estimate[!is.na(model$parameters$estimate)])
  }
  dbn <- click_model(log, "dbn")
  expect_equal(ggplot2::autoplot(dbn, log)$data$estimate, examination(dbn, log)$estimate)
  expect_error(ggplot2::autoplot(dbn), class = "rankmix_error_argument")
})
