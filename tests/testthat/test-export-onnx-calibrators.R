# Discriminants are rounded to floats, so that both programs have the same input.
discriminants_and_grades <- function() {
  data <- simulate_ranking(60, features = 6, grades = c(0.6, 0.3, 0.1), seed = 3)$data
  grades <- 3L
  f <- withr::with_seed(1, matrix(stats::rnorm(nrow(data) * grades), nrow(data)))
  f <- f + outer(data$relevance, seq_len(grades) - 1, function(a, b) 0.7 * (a == b))
  list(data = data, f = matrix(f32(f), nrow(f)))
}

expect_calibrated <- function(calibrated, f, expected, label) {
  scores <- score_onnx(read_onnx(written_onnx(calibrated)), f)
  wrong <- abs(scores - expected) / (2^-24 * abs(expected) + 1e-10 * max(abs(expected)))
  expect_lte(max(wrong), 1, label = label)
}

test_that("every calibrator of discriminants is rounded once", {
  held <- discriminants_and_grades()
  beyond <- rbind(held$f, matrix(f32(3 * held$f), nrow(held$f)), 0)
  methods <- c(all_calibrators(normalize = FALSE),
               list(calibrator_naive("grade"), calibrator_rbc("isotonic"), calibrator_rbc("linear", normalize = TRUE)))
  for (method in methods) {
    calibrated <- calibrate(held$f, held$data, method)
    expected <- suppressWarnings(predict(calibrated, beyond), classes = "rankmix_warning_range")
    expect_calibrated(calibrated, beyond, expected, format(method))
  }
})

test_that("every regression of one score is rounded once", {
  held <- discriminants_and_grades()
  one <- held$f[, 3, drop = FALSE]
  judged <- held_out(held$data, 1L)
  methods <- Filter(one_score_suffices, c(all_calibrators(FALSE), list(calibrator_rbc("isotonic"))))
  for (method in methods) {
    fitted <- fit_calibrator(method, one, judged, NULL, 1L)
    graph <- new_onnx_graph(structure(list(classes = 1L), class = "rankmix_ranker"), NULL, NULL)
    score <- onnx_calibration(graph, fitted, onnx_wide(graph, "features"), 1L)
    read <- read_onnx(onnx_file(graph, "name", onnx_narrow(graph, score), 1))
    expected <- calibrated_scores(fitted, one, 1L)
    wrong <- abs(score_onnx(read, one) - expected) /
      (2^-24 * abs(expected) + 1e-10 * max(abs(expected)))
    expect_lte(max(wrong), 1, label = format(method))
  }
})

test_that("if no part is positive, all grades are equally probable", {
  held <- discriminants_and_grades()
  calibrated <- calibrate(held$f, held$data, calibrator_naive())
  lowest <- matrix(f32(-2 * calibrated$fitted$range), 2, 3)
  expected <- suppressWarnings(predict(calibrated, lowest), classes = "rankmix_warning_range")
  expect_identical(score_onnx(read_onnx(written_onnx(calibrated)), lowest), f32(expected))
  calibrated$fitted$range <- 0
  expect_identical(score_onnx(read_onnx(written_onnx(calibrated)), held$f),
                   rep(f32(4 / 3), nrow(held$f)))
})

test_that("terms agree with the core", {
  # In this order: 1, x, x^2, y, y^2, x y.
  expect_identical(onnx_polynomial_terms(2L, 2L),
                   rbind(c(1L, 1L), c(3L, 1L), c(5L, 1L), c(4L, 1L), c(6L, 1L), c(3L, 4L)))
  for (count in 1:4) {
    for (degree in 2:5) {
      expect_identical(nrow(onnx_polynomial_terms(count, degree)),
                       as.integer(choose(count + degree, degree)))
    }
  }
})
