test_that("calibrator_naive() follows its formula and its limits", {
  f <- rbind(c(1, -1), c(0.5, 0.25), c(-2, -2))
  p <- rankmix:::naive_probabilities(f, 2)
  expect_equal(p[1, ], c(1.5, 0.5) / 2)
  expect_equal(p[2, ], c(1.25, 1.125) / 2.375)
  expect_equal(p[3, ], c(0.5, 0.5))
  expect_equal(rankmix:::naive_probabilities(f, 0), matrix(0.5, 3, 2))
})

test_that("calibrate() makes a ranker", {
  local_known_warnings("ties")
  train <- example_part("train")
  valid <- example_part("vali")
  model <- fit(adaboost_mh(base_tree(4), rounds = 40), train)
  raw <- unname(predict(model, valid, type = "raw", rounds = 20))
  for (method in all_calibrators()) {
    ranker <- calibrate(model, valid, method, rounds = 20)
    expect_identical(
      predict(ranker, valid),
      rankmix:::calibrated_scores(ranker$fitted, raw, 1L)
    )
    expect_gt(summary(evaluate(ranker, valid, metric_ndcg(10)))$mean, 0.6)
  }
  ranker <- calibrate(model, valid, calibrator_cpc(), rounds = 20)
  prob <- predict(ranker, valid, type = "prob")
  expect_equal(rowSums(prob), rep(1, nrow(valid$x)))
  expect_equal(drop(prob %*% c(0, 1, 3, 7)), predict(ranker, valid))
  expect_identical(dim(predict(ranker, valid, type = "rank")), NULL)
  expect_output(print(ranker), "Calibrator: calibrator_cpc")
  expect_snapshot_error(
    predict(calibrate(model, valid, calibrator_rbc()), valid, type = "prob"),
    class = "rankmix_error_argument"
  )
})

test_that("the former name of the first argument gives an error with the new name", {
  data <- random_data(queries = 5, classes = 3)
  f <- matrix(0.5, nrow(data), 3)
  expect_error(calibrate(classifier = f, data, calibrator_cpc()), "Did you mean `model`?", fixed = TRUE,
               class = "rankmix_error_argument")
})

test_that("grades that the classifier never saw are refused", {
  data <- random_data(classes = 3)
  model <- fit(adaboost_mh(base_stump(), rounds = 5), data)
  expect_snapshot_error(
    calibrate(model, random_data(classes = 5), calibrator_cpc()),
    class = "rankmix_error_grade"
  )
})

test_that("calibrators are values", {
  expect_snapshot(print(calibrator_cpc("log_sigmoid")))
  expect_identical(vapply(all_calibrators(), format, ""),
                   c("calibrator_naive()", "calibrator_cpc(\"log_sigmoid\")",
                     "calibrator_cpc(\"entropy_weighted\", exponent = 2)", "calibrator_cpc(\"expected_loss\")",
                     "calibrator_cpc(\"expected_label_loss\")", "calibrator_cpc(\"soft_ndcg\", sigma = 0.01)",
                     "calibrator_rbc(\"linear\")", "calibrator_rbc(\"logistic\")",
                     sprintf("calibrator_rbc(\"polynomial\", degree = %d)", 2:5), "calibrator_rbc(\"network\")",
                     "calibrator_rbc(\"gaussian_process\")",
                     "calibrator_rbc(\"linear\", normalize = TRUE)", "calibrator_rbc(\"logistic\", normalize = TRUE)",
                     sprintf("calibrator_rbc(\"polynomial\", degree = %d, normalize = TRUE)", 2:5),
                     "calibrator_rbc(\"network\", normalize = TRUE)",
                     "calibrator_rbc(\"gaussian_process\", normalize = TRUE)"))
  expect_length(all_calibrators(normalize = FALSE), 14L)
  expect_identical(vapply(fast_calibrators(), format, ""),
                   c("calibrator_naive()", "calibrator_cpc(\"log_sigmoid\")", "calibrator_rbc(\"linear\")", "calibrator_rbc(\"logistic\")",
                     sprintf("calibrator_rbc(\"polynomial\", degree = %d)", 2:3),
                     "calibrator_rbc(\"linear\", normalize = TRUE)", "calibrator_rbc(\"logistic\", normalize = TRUE)",
                     sprintf("calibrator_rbc(\"polynomial\", degree = %d, normalize = TRUE)", 2:3)))
  expect_snapshot_error(calibrator_cpc("sigmoid"), class = "rankmix_error_argument")
  expect_snapshot_error(calibrator_rbc("cubic"), class = "rankmix_error_argument")
  expect_snapshot_error(calibrator_rbc("polynomial", degree = 6), class = "rankmix_error_argument")
  expect_snapshot_error(calibrator_cpc("soft_ndcg", sigma = 0), class = "rankmix_error_argument")
  expect_snapshot_error(all_calibrators(NA), class = "rankmix_error_argument")
})

test_that("discriminants from elsewhere are calibrated like discriminants of a classifier", {
  valid <- example_part("vali")
  model <- fit(adaboost_mh(base_tree(4), rounds = 30), example_part("train"))
  f <- predict(model, valid, type = "raw")
  for (method in list(calibrator_cpc(), calibrator_rbc("polynomial"))) {
    by_model <- calibrate(model, valid, method)
    by_matrix <- calibrate(f, valid, method)
    expect_identical(by_matrix$fitted, by_model$fitted)
    expect_identical(predict(by_matrix, f), predict(by_model, valid))
    expect_identical(calibrate(as.data.frame(f), valid, method)$fitted, by_model$fitted)
  }
  prob <- predict(calibrate(f, valid, calibrator_cpc()), f, type = "prob")
  expect_equal(rowSums(prob), rep(1, nrow(f)))
  expect_output(print(calibrate(f, valid, calibrator_cpc())), "calibrated discriminants")
  # The range is the largest magnitude. New discriminants beyond the range are clipped and counted.
  naively <- calibrate(f, valid, calibrator_naive())
  expect_identical(naively$fitted$range, max(abs(f)))
  expect_warning(clipped <- predict(naively, f * 3), "beyond the bound",
                 class = "rankmix_warning_range")
  expect_equal(clipped, drop(rankmix:::naive_probabilities(f * 3, max(abs(f))) %*%
                               (2^(0:3) - 1)))
  refuse <- function(code, class) expect_snapshot_error(code, class = class)
  refuse(calibrate(f[-1, ], valid, calibrator_cpc()), "rankmix_error_discriminants")
  refuse(calibrate(replace(f, 7, NA), valid, calibrator_cpc()), "rankmix_error_discriminants")
  refuse(calibrate(f[, 1, drop = FALSE], valid, calibrator_cpc()), "rankmix_error_discriminants")
  refuse(calibrate(f[, 1:2], valid, calibrator_cpc()), "rankmix_error_grade")
  refuse(calibrate("f", valid, calibrator_cpc()), "rankmix_error_argument")
  refuse(predict(calibrate(f, valid, calibrator_cpc()), f[, 1:3]), "rankmix_error_discriminants")
  refuse(predict(calibrate(f, valid, calibrator_cpc()), f, type = "rank"), "rankmix_error_argument")
})

test_that("missing grades and constant discriminants are reported", {
  valid <- example_part("vali")
  f <- predict(fit(adaboost_mh(base_tree(4), rounds = 5), example_part("train")), valid,
               type = "raw")
  low <- valid
  low$relevance <- pmin(valid$relevance, 2L)
  expect_warning(calibrate(f, low, calibrator_cpc()), "grade 3", class = "rankmix_warning_grade")
  expect_warning(calibrate(f * 0 + 1, valid, calibrator_cpc()), class = "rankmix_warning_constant")
})

test_that("classifiers print with every calibrator", {
  train <- example_part("train")
  model <- fit(adaboost_mh(base_tree(4), 10), train, seed = 1)
  for (method in list(calibrator_naive(), calibrator_cpc(), calibrator_rbc("linear"), calibrator_rbc("logistic"), calibrator_rbc("polynomial"),
                      calibrator_rbc("network"), calibrator_rbc("gaussian_process"))) {
    expect_output(print(calibrate(model, train, method)), format(method), fixed = TRUE)
  }
})

test_that("a document's calibrated score does not depend on the others", {
  data <- simulate_ranking(30, features = 6, seed = 4)$data
  model <- fit(adaboost_mh(base_tree(4), 5), data, seed = 1, verbose = FALSE)
  x <- data$x[1:40, ]
  for (method in c(all_calibrators(), list(calibrator_rbc("isotonic")))) {
    calibrated <- suppressWarnings(calibrate(model, data, method))
    together <- predict(calibrated, x)
    alone <- vapply(1:40, function(i) predict(calibrated, x[i, , drop = FALSE]), 0)
    expect_identical(alone, together, label = format(method))
  }
})

test_that("a power of two in the scores changes no calibration, even if their squares overflow or vanish", {
  data <- simulate_ranking(20, features = 5, seed = 3)$data
  data$x[is.na(data$x)] <- 0
  ranker <- fit(mcsvm(cost = 0.1), data)
  scaled <- function(unit) {
    ranker$weights <- ranker$weights * unit
    ranker$intercept <- ranker$intercept * unit
    ranker
  }
  calibrators <- list(calibrator_cpc(), calibrator_rbc("linear"), calibrator_rbc("logistic"), calibrator_rbc("polynomial"),
                      calibrator_rbc("network"), calibrator_rbc("gaussian_process"))
  for (calibrator in calibrators) {
    expected <- predict(calibrate(ranker, data, calibrator), data)
    for (unit in 2^c(-600, 600)) {
      expect_equal(predict(calibrate(scaled(unit), data, calibrator), data), expected, info = format(calibrator))
    }
  }
})
