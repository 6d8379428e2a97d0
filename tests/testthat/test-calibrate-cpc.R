targets <- c("log_sigmoid", "entropy_weighted", "expected_loss", "expected_label_loss",
             "soft_ndcg")

fast_target <- function(target, f, held, a, b, threads = 2L, exponent = 2, sigma = 0.01) {
  if (target == "soft_ndcg") {
    return(rankmix:::soft_ndcg_target(sigma, f, held, a, b, threads))
  }
  rankmix:::sigmoid_target(target, exponent, f, held$relevance, held$weight, a, b, threads)
}

discriminant_case <- function(n = 300, classes = 4, seed = 1, weighted = FALSE) {
  set.seed(seed)
  f <- matrix(rnorm(n * classes), n)
  grades <- sample.int(classes, n, TRUE) - 1L
  held <- held_part(grades)
  if (weighted) {
    held$weight <- runif(length(held$offsets) - 1L)[held$query]
  }
  list(f = f, held = held)
}

thetas <- list(c(1, 0), c(3, -0.5), c(0.1, 2))

test_that("every target equals its definition", {
  for (weighted in c(FALSE, TRUE)) {
    case <- discriminant_case(weighted = weighted)
    for (target in targets) {
      for (theta in thetas) {
        fast <- fast_target(target, case$f, case$held, theta[1], theta[2])
        expect_equal(fast[["value"]],
                     naive_target(target, case$f, case$held, theta[1], theta[2]),
                     tolerance = 1e-12, info = target)
      }
    }
  }
  case <- discriminant_case(seed = 3)
  expect_equal(fast_target("entropy_weighted", case$f, case$held, 1, 0, exponent = 0.5)[["value"]],
               naive_target("entropy_weighted", case$f, case$held, 1, 0, exponent = 0.5))
  expect_equal(fast_target("entropy_weighted", case$f, case$held, 1, 0, exponent = 0),
               fast_target("log_sigmoid", case$f, case$held, 1, 0))
  for (sigma in c(1e-4, 0.3, 50)) {
    expect_equal(fast_target("soft_ndcg", case$f, case$held, 2, 0, sigma = sigma)[["value"]],
                 naive_target("soft_ndcg", case$f, case$held, 2, 0, sigma = sigma),
                 tolerance = 1e-12)
  }
})

test_that("every gradient agrees with finite differences", {
  # Central differences have an error of about h^2 plus rounding / h, which is 1e-6 here. The error is larger for the
  # soft NDCG, whose derivatives are large.
  h <- 1e-6
  for (weighted in c(FALSE, TRUE)) {
    case <- discriminant_case(seed = 2, weighted = weighted)
    for (target in targets) {
      for (theta in thetas) {
        value <- function(a, b) naive_target(target, case$f, case$held, a, b)
        a <- theta[1]
        b <- theta[2]
        fast <- fast_target(target, case$f, case$held, a, b)
        gradients <- c((value(a + h, b) - value(a - h, b)) / (2 * h),
                       (value(a, b + h) - value(a, b - h)) / (2 * h))
        expect_equal(fast[c("da", "db")], c(da = gradients[1], db = gradients[2]),
                     tolerance = if (target == "soft_ndcg") 1e-4 else 1e-6, info = target)
      }
    }
  }
})

test_that("the soft NDCG converges to NDCG as sigma goes to 0", {
  data <- random_data(queries = 30, seed = 4)
  f <- cbind(-data$x[, 1], data$x[, 2], data$x[, 1])
  held <- rankmix:::held_out(data, 1L)
  p <- rankmix:::sigmoid_probabilities(f, 2, 0.1, 1L)
  ndcg_sum <- sum(evaluate(drop(p %*% c(0, 1, 3)), data, metric_ndcg(empty = 0))$value)
  soft <- fast_target("soft_ndcg", f, held, 2, 0.1, sigma = 1e-6)[["value"]]
  expect_equal(-soft, ndcg_sum, tolerance = 1e-3)
})

test_that("targets have the same bits on any number of threads", {
  case <- discriminant_case(n = 20000, seed = 5)
  for (target in targets) {
    one <- fast_target(target, case$f, case$held, 2, 0.1, threads = 1L)
    expect_identical(fast_target(target, case$f, case$held, 2, 0.1, threads = 4L), one)
  }
})

test_that("saturated sigmoids give finite targets and gradients", {
  f <- rbind(c(-1e4, -1e4, -2e4), c(1e4, 1e4, -1e4), c(0, 0, 0), c(1e4, -1e4, 0))
  held <- held_part(c(0L, 1L, 2L, 1L), size = 4)
  for (target in targets) {
    expect_true(all(is.finite(fast_target(target, f, held, 5, 0))), info = target)
  }
})

test_that("calibrator_cpc() finds the best of a dense grid", {
  for (target in targets) {
    for (seed in seq_len(at_size(1, 3))) {
      data <- random_data(queries = 60, seed = seed)
      model <- fit(adaboost_mh(base_tree(4), rounds = 20), data)
      f <- unname(predict(model, data, type = "raw"))
      held <- rankmix:::held_out(data, 1L)
      fitted <- rankmix:::fit_calibrator(calibrator_cpc(target), f, held, sum(model$alpha), 2L)
      grid <- expand.grid(a = exp(seq(-6, 6, 0.4)) / sd(f),
                          b = mean(f) + seq(-4, 4, 0.2) * sd(f))
      values <- mapply(function(a, b) {
        fast_target(target, f, held, a, b, 1L)[["value"]]
      }, grid$a, grid$b)
      expect_lte(fitted$value, min(values) + 1e-6 * abs(min(values)))
      expect_equal(fitted$value, fast_target(target, f, held, fitted$a, fitted$b)[["value"]])
    }
  }
})

test_that("on data of known probabilities each target is lower than by calibrator_naive()", {
  simulation <- simulate_ranking(300, seed = 7)
  held_back <- simulate_ranking(300, truth = simulation$truth, seed = 8)
  model <- fit(adaboost_mh(base_tree(4), rounds = 60), simulation$data)
  f <- unname(predict(model, held_back$data, type = "raw"))
  held <- rankmix:::held_out(held_back$data, 2L)
  range <- sum(model$alpha)
  naive_p <- rankmix:::naive_probabilities(f, range)
  divergence <- function(p) {
    true <- held_back$probability
    sum(ifelse(true > 0, true * log(true / p), 0))
  }
  # The targets of given probabilities, by their formulas.
  of_probabilities <- function(target, p) {
    own <- p[cbind(seq_len(nrow(p)), held$relevance + 1)]
    l <- matrix(seq_len(ncol(p)) - 1, nrow(p), ncol(p), byrow = TRUE)
    v <- drop(p %*% (2^(seq_len(ncol(p)) - 1) - 1))
    switch(target, log_sigmoid = -sum(log(own)),
           entropy_weighted = -sum(log(own) * rowSums(-p * log(p))^2),
           expected_loss = sum((l - held$relevance)^2 * p),
           expected_label_loss = sum((rowSums(l * p) - held$relevance)^2),
           soft_ndcg = sum(vapply(seq_along(held$ideal), function(q) {
             rows <- which(held$query == q)
             naive_soft_ndcg(v[rows], 2^held$relevance[rows] - 1, 0.01)
           }, numeric(1))))
  }
  for (target in targets) {
    fitted <- rankmix:::fit_calibrator(calibrator_cpc(target), f, held, range, 2L)
    expect_lt(fitted$value, of_probabilities(target, naive_p))
  }
  calibrated <- calibrate(model, held_back$data, calibrator_cpc())
  expect_lt(divergence(predict(calibrated, held_back$data, type = "prob")),
            divergence(naive_p))
})

test_that("calibrator_cpc() recovers planted parameters", {
  set.seed(4)
  n <- 20000
  f <- matrix(runif(n * 3, -4, 4), n)
  p <- rankmix:::sigmoid_probabilities(f, 1.7, 0.6, 2L)
  grades <- max.col(log(p) - log(-log(matrix(runif(n * 3), n)))) - 1L
  fitted <- rankmix:::fit_calibrator(calibrator_cpc(), f, held_part(grades), 4, 2L)
  # Standard errors of a and b are about 0.02 and 0.03 here.
  expect_lt(abs(fitted$a - 1.7), 0.1)
  expect_lt(abs(fitted$b - 0.6), 0.15)
})
