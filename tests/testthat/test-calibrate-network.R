rbc_case <- function(n = 300, classes = 3, seed = 1) {
  set.seed(seed)
  f <- matrix(rnorm(n * classes), n)
  grades <- pmin(classes - 1L, pmax(0L, as.integer(round(f[, 1] + rnorm(n) / 2))))
  list(f = f, held = held_part(grades), z = 2^grades - 1)
}

fit_rbc <- function(method, case, threads = 2L) {
  rankmix:::fit_calibrator(method, case$f, case$held, 1, threads)
}
scores_of_fit <- function(fitted, f, threads = 1L) {
  rankmix:::calibrated_scores(fitted, f, threads)
}

test_that("the network learns what is not linear, and predicts without nnet", {
  set.seed(11)
  f <- matrix(rnorm(3000), 1000)
  grades <- pmin(2L, as.integer(round(abs(f[, 1]))))
  case <- list(f = f, held = held_part(grades))
  fitted <- fit_rbc(rbc("network"), case)
  expect_gt(cor(scores_of_fit(fitted, f), 2^grades - 1), 0.8)
  expect_lt(cor(scores_of_fit(fit_rbc(rbc(), case), f), 2^grades - 1), 0.3)
  # The same as nnet's own prediction, which takes exp(-15) for 0.
  x <- sweep(sweep(f, 2, fitted$scale$center), 2, fitted$scale$factor, `*`)
  net <- nnet::nnet(x, numeric(1000), size = 5, linout = TRUE, maxit = 0, trace = FALSE,
                    Wts = c(fitted$hidden, fitted$output))
  expect_equal(scores_of_fit(fitted, f), fitted$size * drop(predict(net, x)), tolerance = 1e-6)
  expect_identical(fit_rbc(rbc("network"), case), fitted)
})
