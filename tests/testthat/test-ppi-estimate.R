test_that("estimates agree with the slow reference", {
  for (seed in draws(20)) {
    case <- ppi_sample(n = 5 + seed, m = 3 + 2 * seed, seed = seed)
    others <- column_moments(cbind(case$other), rep(1, length(case$other)))
    for (lambda in list(NULL, 0, 0.4, 1)) {
      found <- ppi_estimates(cbind(case$y), cbind(case$human), rep(1, length(case$y)), others, lambda)
      expect_equal(unlist(found[c("mean", "se", "df", "lambda")]),
                   unlist(naive_ppi(case$y, case$human, case$other, lambda)), tolerance = 1e-12)
    }
  }
})

test_that("the estimate agrees with the package ppi_py", {
  # The reference is ppi_py at a commit of November 2024: ppi_mean_pointestimate() and ppi_mean_ci() with lam = 1 and
  # lam = 0.5, alpha = 0.05. ppi_py divides by the number of queries in standard errors.
  y <- c(0.2, 0.4, 0.9, 0.5)
  f <- c(0.3, 0.3, 1, 0.6)
  g <- c(0.1, 0.8, 0.7, 0.2, 0.6)
  # The published lambda' uses only the other queries for the machine mean: lambda' = lambda m / (n + m).
  for (own in c(1, 0.5)) {
    found <- ppi_estimates(cbind(y), cbind(f), rep(1, 4), column_moments(cbind(g), rep(1, 5)), own * 9 / 5)
    expect_equal(found$mean, own * mean(g) + mean(y - own * f))
    expect_equal(found$se, sqrt(own^2 * var(g) / 5 + var(y - own * f) / 4))
  }
})

test_that("lambda = 0 and complete human grades give the t interval of human values", {
  case <- ppi_sample()
  others <- column_moments(cbind(case$other), rep(1, 40))
  expected <- t.test(case$y)
  without <- ppi_estimates(cbind(case$y), cbind(case$human), rep(1, 12), others, 0)
  complete <- ppi_estimates(cbind(case$y), cbind(case$human), rep(1, 12), NULL, NULL)
  for (found in list(without, complete)) {
    ends <- t_ends(found$mean, found$se, found$df, 0.95)
    expect_equal(unlist(ends, use.names = FALSE), as.numeric(expected$conf.int))
    expect_equal(found$equivalent_queries, 12)
  }
})

test_that("machine values without spread are ignored", {
  case <- ppi_sample()
  found <- ppi_estimates(cbind(case$y), cbind(rep(0.3, 12)), rep(1, 12),
                         column_moments(cbind(rep(0.3, 40)), rep(1, 40)), NULL)
  expect_identical(found$lambda, 0)
  expect_equal(found$mean, mean(case$y))
})

test_that("a perfect machine makes all queries count", {
  case <- ppi_sample()
  found <- ppi_estimates(cbind(case$human), cbind(case$human), rep(1, 12),
                         column_moments(cbind(case$other), rep(1, 40)), NULL)
  all <- c(case$human, case$other)
  expect_equal(found$mean, mean(all))
  expect_equal(found$se, sd(all) / sqrt(52))
  expect_equal(found$lambda, 1)
})

test_that("columns are independent, and equal weights change nothing", {
  one <- ppi_sample(seed = 1)
  two <- ppi_sample(seed = 2)
  both <- ppi_estimates(cbind(one$y, two$y), cbind(one$human, two$human), rep(2, 12),
                        column_moments(cbind(one$other, two$other), rep(2, 40)), NULL)
  for (j in 1:2) {
    case <- list(one, two)[[j]]
    expect_equal(both[j, ], ppi_estimates(cbind(case$y), cbind(case$human), rep(1, 12),
                                          column_moments(cbind(case$other), rep(1, 40)), NULL),
                 ignore_attr = TRUE)
  }
})

test_that("weights agree with the weighted mean", {
  case <- ppi_sample()
  weight <- rep(1:2, 6)
  found <- ppi_estimates(cbind(case$y), cbind(case$human), weight, NULL, NULL)
  expected <- summarise_values(case$y, weight, 0.95)
  expect_equal(c(found$mean, found$se, found$df + 1),
               c(expected$mean, expected$se, expected$n_effective), ignore_attr = TRUE)
  # The estimate of lambda is the coefficient of a weighted regression.
  others <- column_moments(cbind(case$other), rep(1, 40))
  found <- ppi_estimates(cbind(case$y), cbind(case$human), weight, others, NULL)
  expect_equal(found$lambda, unname(coef(lm(case$y ~ case$human, weights = weight))[2L]))
})

test_that("moments of two sets agree with moments of both together", {
  values <- matrix(ppi_sample()$other, 10)
  weight <- c(1, 2, 1, 3, 1, 1, 2, 5, 1, 1)
  expect_equal(joined_moments(column_moments(values[1:4, ], weight[1:4]), column_moments(values[5:10, ], weight[5:10])),
               column_moments(values, weight))
})

test_that("fewer than three human queries have no interval", {
  found <- ppi_estimates(cbind(c(0.1, 0.4)), cbind(c(0.2, 0.3)), c(1, 1),
                         column_moments(cbind(c(0.1, 0.5)), c(1, 1)), NULL)
  expect_identical(found$se, NA_real_)
  expect_identical(unlist(t_ends(0.1, NA_real_, 3, 0.95), use.names = FALSE), c(NA_real_, NA_real_))
})

test_that("the bootstrap is studentised, with the same draws for all columns", {
  case <- ppi_sample(n = 60, m = 200)
  judged <- rep(c(TRUE, FALSE), c(60, 200))
  machine <- cbind(a = c(case$human, case$other), b = 1)
  drawn <- ppi_draws(rep(1, 260), judged, machine, 400, seed = 3)
  expect_identical(dim(drawn$judged), c(60L, 400L))
  expect_identical(dim(drawn$other), c(400L, 2L))
  expect_equal(drawn$other[, 2L], rep(1, 400), ignore_attr = TRUE)
  expect_equal(mean(drawn$other[, 1L]), mean(case$other), tolerance = 0.01)
  others <- column_moments(cbind(case$other), rep(1, 200))
  ends <- bootstrap_ends(case$y, case$human, rep(1, 60), others, NULL, drawn$judged, drawn$other[, 1L], 0.95)
  found <- ppi_estimates(cbind(case$y), cbind(case$human), rep(1, 60), others, NULL)
  by_t <- t_ends(found$mean, found$se, found$df, 0.95)
  # The values are nearly normal, so both intervals are close to each other.
  expect_lt(abs(ends$lower - by_t$lower), 0.2 * found$se * 2)
  expect_lt(abs(ends$upper - by_t$upper), 0.2 * found$se * 2)
  # One draw with the reference implementation.
  i <- drawn$judged[, 7L]
  own <- ppi_estimates(cbind(case$y[i]), cbind(case$human[i]), rep(1, 60),
                       replace(others, "mean", drawn$other[7L, 1L]), NULL)
  expect_equal(own$lambda, unname(coef(lm(case$y[i] ~ case$human[i]))[2L]))
})

test_that("the bootstrap gives no interval without spread", {
  ends <- bootstrap_ends(rep(0.5, 5), rep(0.5, 5), rep(1, 5), NULL, NULL, matrix(1:5, 5, 4), NULL, 0.95)
  expect_identical(unlist(ends, use.names = FALSE), c(NA_real_, NA_real_))
})
