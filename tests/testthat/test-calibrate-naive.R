test_that("naive scores are the expected gains of naive probabilities", {
  set.seed(4)
  f <- matrix(rnorm(3000), 600)
  f[1:3, ] <- -2
  f[4, 2] <- 9
  for (range in c(0, 0.5, 2)) {
    expect_identical(naive_scores(f, range), expected_gain(naive_probabilities(f, range)))
  }
  expect_identical(naive_scores(f[, 1:2], 2), expected_gain(naive_probabilities(f[, 1:2], 2)))
})

test_that("grades instead of gains are averaged", {
  data <- random_data(queries = 40, classes = 4, seed = 2)
  held <- random_data(queries = 30, classes = 4, seed = 3)
  model <- fit(adaboost_mh(base_tree(4), 20), data, seed = 1, verbose = FALSE)
  by_gain <- calibrate(model, held, calibrator_naive())
  by_grade <- calibrate(model, held, calibrator_naive(score = "grade"))
  p <- predict(by_gain, held, type = "prob")
  expect_identical(predict(by_grade, held, type = "prob"), p)
  expect_equal(predict(by_grade, held), unname(p[, 2] + 2 * p[, 3] + 3 * p[, 4]))
  expect_equal(predict(by_gain, held), unname(p[, 2] + 3 * p[, 3] + 7 * p[, 4]))
  expect_false(identical(order(predict(by_grade, held)), order(predict(by_gain, held))))
  # With two grades, grades and gains are the same.
  two <- fit(adaboost_mh(base_tree(4), 20, grouping = "identity"),
             random_data(queries = 40, classes = 2, seed = 2), seed = 1, verbose = FALSE)
  few <- random_data(queries = 30, classes = 2, seed = 3)
  expect_identical(predict(calibrate(two, few, calibrator_naive("grade")), few),
                   predict(calibrate(two, few, calibrator_naive()), few))
})

test_that("both scores are members of one mixture", {
  data <- random_data(queries = 40, classes = 4, seed = 2)
  held <- random_data(queries = 30, classes = 4, seed = 3)
  held$query_ids <- held$query_ids + 100
  mixture <- tune_and_mix(data, held, adaboost_mh(base_tree(4), 20),
                          list(calibrator_naive(), calibrator_naive("grade")), seed = 1, threads = 1, verbose = FALSE)
  expect_identical(mixture$members$calibrator, c("calibrator_naive()", "calibrator_naive(\"grade\")"))
  members <- predict(mixture, held, type = "member")
  model <- mixture$models[[1]]
  for (i in 1:2) {
    method <- list(calibrator_naive(), calibrator_naive("grade"))[[i]]
    rounds <- mixture$rounds
    expect_equal(unname(members[, i]), predict(calibrate(model, held, method, rounds = rounds), held))
  }
  skip_if_not_installed("ggplot2")
  expect_setequal(rankmix:::short_labels(mixture$members),
                  c("tree(4) + naive", "tree(4) + naive grade"))
})

test_that("calibrator_naive() is a value, and prints the averaged quantity", {
  expect_identical(calibrator_naive(), calibrator_naive("gain"))
  expect_false(identical(calibrator_naive(), calibrator_naive("grade")))
  expect_identical(names(unclass(calibrator_naive())), "name")
  expect_snapshot({
    calibrator_naive()
    calibrator_naive(score = "grade")
  })
  expect_snapshot(error = TRUE, {
    calibrator_naive("label")
    calibrator_naive(2)
  })
})
