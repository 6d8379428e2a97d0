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

test_that("reliability is weighted, and leaves out documents of weight 0", {
  data <- random_data(30, seed = 2)
  f <- cbind(data$x[, 1], -data$x[, 1])
  grade <- pmin(data$relevance, 1)
  of <- function(rows, ...) {
    calibrate(f[rows, ], ranking_data(data$x[rows, ], grade[rows], data$query[rows], ...), calibrator_naive())$reliability
  }
  rows <- seq_along(grade)
  counts <- rows %% 3 > 0
  expect_equal(of(rows, document_weight = as.numeric(counts)), of(which(counts)))
  weight <- rep_len(c(1, 5), length(rows))
  weighted <- of(rows, document_weight = weight)
  expect_identical(weighted$documents, of(rows)$documents)
  p <- predict(calibrate(f, ranking_data(data$x, grade, data$query), calibrator_naive()), f, type = "prob")[, 2]
  group <- rankmix:::equal_groups(p, 10)
  expect_equal(weighted$observed[weighted$grade == 1],
               vapply(split(seq_along(p), group), function(i) stats::weighted.mean(grade[i], weight[i]), 0),
               ignore_attr = TRUE)
})
