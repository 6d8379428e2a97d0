simulated_discriminants <- function(n = 400, classes = 4, seed = 1) {
  set.seed(seed)
  f <- matrix(rnorm(n * classes), n)
  list(f = f, grades = sample.int(classes, n, TRUE) - 1L)
}

test_that("the log-sigmoid target equals its definition", {
  case <- simulated_discriminants()
  for (theta in list(c(1, 0), c(3, -0.5), c(0.1, 2))) {
    for (weights in list(numeric(), runif(length(case$grades)))) {
      fast <- rankmix:::log_sigmoid_target(case$f, case$grades, weights, theta[1],
                                           theta[2], 2L)
      documents <- if (length(weights) > 0L) weights else 1
      expect_equal(fast[["value"]],
                   naive_log_sigmoid(case$f, case$grades, theta[1], theta[2], documents))
    }
  }
})

test_that("its gradient agrees with finite differences", {
  case <- simulated_discriminants(seed = 2)
  weights <- runif(length(case$grades))
  value <- function(a, b) naive_log_sigmoid(case$f, case$grades, a, b, weights)
  # Central differences err by about h^2 and rounding / h: 1e-6 at this scale.
  h <- 1e-5
  for (theta in list(c(1, 0), c(3, -0.5), c(0.1, 2))) {
    a <- theta[1]
    b <- theta[2]
    fast <- rankmix:::log_sigmoid_target(case$f, case$grades, weights, a, b, 2L)
    expect_equal(fast[["da"]], (value(a + h, b) - value(a - h, b)) / (2 * h),
                 tolerance = 1e-6)
    expect_equal(fast[["db"]], (value(a, b + h) - value(a, b - h)) / (2 * h),
                 tolerance = 1e-6)
  }
})

test_that("extreme discriminants give finite probabilities that sum to 1", {
  f <- rbind(c(-1e4, -1e4, -2e4), c(1e4, 1e4, -1e4), c(0, 0, 0))
  p <- rankmix:::sigmoid_probabilities(f, 5, 0, 1L)
  expect_equal(rowSums(p), rep(1, 3))
  expect_equal(p[1, ], c(0.5, 0.5, 0))
  expect_equal(p[3, ], rep(1 / 3, 3))
})

test_that("cpc() recovers planted parameters", {
  set.seed(4)
  n <- 20000
  f <- matrix(runif(n * 3, -4, 4), n)
  p <- rankmix:::sigmoid_probabilities(f, 1.7, 0.6, 2L)
  grades <- max.col(log(p) - log(-log(matrix(runif(n * 3), n)))) - 1L
  fitted <- rankmix:::fit_calibrator(cpc(), f, grades, NULL, 4, 2L)
  # Standard errors of a and b are about 0.02 and 0.03 here.
  expect_lt(abs(fitted$a - 1.7), 0.1)
  expect_lt(abs(fitted$b - 0.6), 0.15)
})

test_that("cpc() finds the best of a dense grid", {
  for (seed in 1:4) {
    data <- random_data(queries = 60, seed = seed)
    model <- fit(adaboost_mh(tree(4), rounds = 20), data)
    f <- unname(predict(model, data, type = "raw"))
    range <- sum(model$alpha)
    fitted <- rankmix:::fit_calibrator(cpc(), f, data$relevance, NULL, range, 2L)
    grid <- expand.grid(a = exp(seq(-4, 6, 0.5)) / range,
                        b = seq(-2, 2, 0.1) * range)
    values <- mapply(function(a, b) {
      rankmix:::log_sigmoid_target(f, data$relevance, numeric(), a, b, 1L)[["value"]]
    }, grid$a, grid$b)
    expect_lte(fitted$value, min(values) + 1e-6)
    expect_true(fitted$converged)
  }
})

test_that("naive() follows its formula and its limits", {
  f <- rbind(c(1, -1), c(0.5, 0.25), c(-2, -2))
  p <- rankmix:::naive_probabilities(f, 2)
  expect_equal(p[1, ], c(1.5, 0.5) / 2)
  expect_equal(p[2, ], c(1.25, 1.125) / 2.375)
  expect_equal(p[3, ], c(0.5, 0.5))
  expect_equal(rankmix:::naive_probabilities(f, 0), matrix(0.5, 3, 2))
})

test_that("rbc(\"linear\") is least squares, also for collinear discriminants", {
  case <- simulated_discriminants(classes = 3, seed = 5)
  fitted <- rankmix:::fit_calibrator(rbc(), case$f, case$grades, 1, 1L)
  expect_equal(fitted$beta, unname(coef(lm(2^case$grades - 1 ~ case$f))))
  collinear <- cbind(case$f[, 1], -case$f[, 1], case$f[, 2])
  fitted <- rankmix:::fit_calibrator(rbc(), collinear, case$grades, 1, 1L)
  scores <- rankmix:::calibrated_scores(fitted, collinear, 1L)
  expect_equal(scores, unname(fitted(lm(2^case$grades - 1 ~ collinear))))
})

test_that("calibrate() makes a ranker", {
  train <- example_part("train")
  valid <- example_part("vali")
  model <- fit(adaboost_mh(tree(4), rounds = 40), train)
  raw <- unname(predict(model, valid, type = "raw", rounds = 20))
  for (method in all_calibrators()) {
    ranker <- calibrate(model, valid, method, rounds = 20)
    expect_identical(
      predict(ranker, valid),
      rankmix:::calibrated_scores(ranker$fitted, raw, 1L)
    )
    expect_gt(summary(evaluate(ranker, valid, ndcg(10)))$mean, 0.6)
  }
  ranker <- calibrate(model, valid, cpc(), rounds = 20)
  prob <- predict(ranker, valid, type = "prob")
  expect_equal(rowSums(prob), rep(1, nrow(valid$x)))
  expect_equal(drop(prob %*% c(0, 1, 3, 7)), predict(ranker, valid))
  expect_identical(dim(predict(ranker, valid, type = "rank")), NULL)
  expect_output(print(ranker), "Calibrator: cpc")
  expect_snapshot_error(
    predict(calibrate(model, valid, rbc()), valid, type = "prob"),
    class = "rankmix_error_argument"
  )
})

test_that("grades that the classifier never saw are refused", {
  data <- random_data(classes = 3)
  model <- fit(adaboost_mh(stump(), rounds = 5), data)
  expect_snapshot_error(
    calibrate(model, random_data(classes = 5), cpc()),
    class = "rankmix_error_grade"
  )
})

test_that("calibrators are values", {
  expect_snapshot(print(cpc("log_sigmoid")))
  expect_identical(vapply(all_calibrators(), format, ""),
                   c("naive()", "cpc(\"log_sigmoid\")", "rbc(\"linear\")"))
  expect_snapshot_error(cpc("sigmoid"), class = "rankmix_error_argument")
  expect_snapshot_error(rbc("cubic"), class = "rankmix_error_argument")
})
