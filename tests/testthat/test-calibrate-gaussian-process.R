test_that("the Gaussian process agrees with the exact process for few documents", {
  case <- rbc_case(n = 200, seed = 9)
  case$held$weight <- runif(200, 0.5, 1)
  case$held$unit <- 200 / sum(case$held$weight)
  # Weights that are no whole numbers have the mean 1.
  weight <- case$held$weight * case$held$unit
  x <- case$f %*% diag(1 / apply(case$f, 2, rankmix:::weighted_sd, weight = weight))
  fitted <- fit_rbc(calibrator_rbc("gaussian_process"), case)
  kernel <- exp(-as.matrix(dist(x))^2 / (2 * fitted$length^2))
  mean <- weighted.mean(case$z, weight)
  by_hand <- mean + kernel %*% solve(kernel + diag(fitted$noise / weight), case$z - mean)
  expect_equal(scores_of_fit(fitted, case$f), as.vector(by_hand), tolerance = 1e-6)
  # The fitted length and noise have a higher likelihood than neighbouring values.
  likelihood <- function(length, noise) {
    k <- exp(-as.matrix(dist(x))^2 / (2 * length^2)) + diag(noise / weight)
    y <- case$z - mean
    100 * log(drop(y %*% solve(k, y)) / 200) + determinant(k)$modulus / 2
  }
  best <- likelihood(fitted$length, fitted$noise)
  for (step in c(0.8, 1.25)) {
    expect_gte(likelihood(fitted$length * step, fitted$noise), best - 1e-6)
    expect_gte(likelihood(fitted$length, fitted$noise * step), best - 1e-6)
  }
})

test_that("inducing points come close to the exact Gaussian process", {
  skip_if_quick()
  case <- rbc_case(n = 2400, seed = 10)
  few <- fit_rbc(calibrator_rbc("gaussian_process"), case)
  expect_lte(nrow(few$centers), 256L)
  x <- scale(case$f)
  kernel <- exp(-as.matrix(dist(x))^2 / (2 * few$length^2))
  mean <- mean(case$z)
  exact <- mean + drop(kernel %*% solve(kernel + diag(few$noise, 2400), case$z - mean))
  near <- scores_of_fit(few, case$f)
  expect_gt(cor(near, exact), 0.999)
  expect_lt(max(abs(near - exact)), 0.1 * sd(exact))
})
