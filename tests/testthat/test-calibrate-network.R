test_that("the network learns nonlinear functions, and predicts without nnet", {
  set.seed(11)
  f <- matrix(rnorm(3000), 1000)
  grades <- pmin(2L, as.integer(round(abs(f[, 1]))))
  case <- list(f = f, held = held_part(grades))
  fitted <- fit_rbc(calibrator_rbc("network"), case)
  expect_gt(cor(scores_of_fit(fitted, f), 2^grades - 1), 0.8)
  expect_lt(cor(scores_of_fit(fit_rbc(calibrator_rbc(), case), f), 2^grades - 1), 0.3)
  # The predictions are nnet's own predictions up to rounding. nnet replaces exp(-15) by 0.
  x <- sweep(sweep(f, 2, fitted$center), 2, fitted$factor, `*`)
  skip_if_not_installed("nnet")
  net <- nnet::nnet(x, numeric(1000), size = 5, linout = TRUE, maxit = 0, trace = FALSE,
                    Wts = c(fitted$hidden, fitted$output))
  expect_equal(scores_of_fit(fitted, f), fitted$size * drop(predict(net, x)), tolerance = 1e-6)
  expect_identical(fit_rbc(calibrator_rbc("network"), case), fitted)
  # The loss is as low as nnet's loss after the same number of steps from the same initial weights.
  z <- (2^grades - 1) / fitted$size
  for (decay in c(1, 1e-3)) {
    fitted <- fit_rbc(calibrator_rbc("network", weight_decay = decay), case)
    value <- function(hidden, output) {
      units <- stats::plogis(cbind(1, x) %*% matrix(hidden, ncol(f) + 1L))
      sum((z - output[1] - units %*% output[-1])^2) + decay * sum(c(hidden, output)^2)
    }
    net <- nnet::nnet(x, z, size = 5, linout = TRUE, decay = decay, maxit = 50, trace = FALSE,
                      Wts = rankmix:::network_start(ncol(f)))
    hidden <- seq_along(fitted$hidden)
    expect_lte(value(fitted$hidden, fitted$output),
               1.01 * value(net$wts[hidden], net$wts[-hidden]))
  }
})

test_that("the weight decay belongs to the network, and is shown if it is not the default", {
  expect_identical(format(calibrator_rbc("network")), "calibrator_rbc(\"network\")")
  expect_identical(format(calibrator_rbc("network", weight_decay = 0.1)), "calibrator_rbc(\"network\", weight_decay = 0.1)")
  expect_identical(calibrator_rbc("linear", weight_decay = 3), calibrator_rbc("linear"))
  expect_error(calibrator_rbc("network", weight_decay = -1), class = "rankmix_error_argument")
})
