test_that("the reliability of probabilities and of gains follows its definition", {
  valid <- example_part("vali")
  model <- fit(adaboost_mh(base_tree(4), rounds = 30), example_part("train"))
  calibrated <- calibrate(model, valid, calibrator_cpc())
  table <- calibrated$reliability
  p <- predict(calibrated, valid, type = "prob")
  for (grade in 0:3) {
    part <- table[table$grade == grade, ]
    expect_equal(sum(part$documents), nrow(p))
    expect_equal(sum(part$documents * part$predicted), sum(p[, grade + 1]))
    expect_equal(sum(part$documents * part$observed), sum(valid$relevance == grade))
    expect_false(is.unsorted(part$predicted))
  }
  gains <- calibrate(model, valid, calibrator_rbc())$reliability
  expect_equal(sum(gains$documents * gains$observed), sum(2^valid$relevance - 1))
  test <- example_part("test")
  skip_if_not_installed("ggplot2")
  for (plot in list(ggplot2::autoplot(calibrated),
                    ggplot2::autoplot(calibrated, test),
                    ggplot2::autoplot(calibrate(model, valid, calibrator_rbc()), test),
                    ggplot2::autoplot(calibrate(model, valid, calibrator_naive())))) {
    expect_s3_class(plot, "ggplot")
    expect_silent(ggplot2::ggplot_build(plot))
  }
  f <- predict(model, valid, type = "raw")
  by_matrix <- ggplot2::autoplot(calibrate(f, valid, calibrator_cpc()), test,
                                 discriminants = predict(model, test, type = "raw"))
  expect_equal(by_matrix$data, ggplot2::autoplot(calibrated, test)$data)
})
