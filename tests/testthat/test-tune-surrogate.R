test_that("the surrogate has the density, mean and variance of the textbook", {
  withr::local_seed(1)
  x <- matrix(runif(24), 8)
  y <- rnorm(8)
  parameters <- c(log(c(0.3, 0.7, 1.2)), log(0.2))
  # The kernel by its definition, pair by pair.
  kernel <- function(a, b) {
    r <- sqrt(5 * sum(((a - b) / c(0.3, 0.7, 1.2))^2))
    (1 + r + r^2 / 3) * exp(-r)
  }
  k <- outer(1:8, 1:8, Vectorize(function(i, j) kernel(x[i, ], x[j, ]))) + diag(0.2 + 1e-8, 8)
  inverse <- solve(k)
  mean <- sum(inverse %*% y) / sum(inverse)
  variance <- drop(t(y - mean) %*% inverse %*% (y - mean)) / 8
  fitted <- rankmix:::surrogate_at(parameters, x, y)
  expect_equal(c(fitted$mean, fitted$variance), c(mean, variance))
  density <- -sum(c(log(c(0.3, 0.7, 1.2)) - log(0.5))^2) / 2 - (log(0.2) - log(0.1))^2 / 8 -
    4 * log(variance) - log(det(k)) / 2
  expect_equal(rankmix:::surrogate_loss(parameters, x, y), -density)
  new <- matrix(runif(6), 2)
  cross <- t(apply(new, 1, function(a) apply(x, 1, kernel, b = a)))
  predicted <- rankmix:::predict_surrogate(fitted, new)
  expect_equal(predicted$mean, mean + drop(cross %*% inverse %*% (y - mean)))
  expect_equal(predicted$sd^2, variance * (1 - diag(cross %*% inverse %*% t(cross))))
})

test_that("expected improvement is its integral", {
  one <- function(mean, sd, best) integrate(function(z) pmax(mean + sd * z - best, 0) * dnorm(z), -8, 8)$value
  predicted <- list(mean = c(0.1, -0.5, 1), sd = c(0.3, 1, 0.1))
  expect_equal(rankmix:::expected_improvement(predicted, 0.2),
               c(one(0.1, 0.3, 0.2), one(-0.5, 1, 0.2), one(1, 0.1, 0.2)), tolerance = 1e-5)
  expect_identical(rankmix:::expected_improvement(list(mean = c(1, -1), sd = c(0, 0)), 0.5), c(0.5, 0))
})

test_that("proposals approach the maximum of a smooth function", {
  withr::local_seed(3)
  value <- function(p) -rowSums((p - rep(c(0.3, 0.8), each = nrow(p)))^2) + rnorm(nrow(p), sd = 0.005)
  points <- rankmix:::latin_points(12, 2)
  fraction <- rep(c(1 / 3, 1), 6)
  values <- value(points)
  for (round in 1:4) {
    new <- rankmix:::propose_points(points, fraction, values, 4L)
    expect_identical(dim(new), c(4L, 2L))
    expect_identical(nrow(unique(new)), 4L)
    points <- rbind(points, new)
    fraction <- c(fraction, rep(1, 4))
    values <- c(values, value(new))
  }
  # Random points are this close with a probability of about 0.1.
  last <- points[25:28, ]
  expect_lt(min(sqrt(rowSums((last - rep(c(0.3, 0.8), each = 4))^2))), 0.1)
})
