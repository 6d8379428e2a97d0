# Features with weighted means 0 and standard deviations 1. Constant features become 0.
standardised <- function(x, weight) {
  fraction <- weight / sum(weight)
  apply(x, 2, function(v) {
    v <- v - sum(fraction * v)
    unit <- sqrt(sum(fraction * v^2))
    if (unit > 1e-10) v / unit else 0 * v
  })
}

# Solves the normal equations for standardised features.
naive_ridge <- function(x, y, weight, penalty) {
  fraction <- weight / sum(weight)
  z <- standardised(x, weight)
  solution <- solve(crossprod(z, fraction * z) + penalty * diag(ncol(z)),
                    crossprod(z, fraction * (y - sum(fraction * y))))
  hat <- 1 + sum(diag(solve(crossprod(z, fraction * z) + penalty * diag(ncol(z)),
                            crossprod(z, fraction * z))))
  list(fitted = as.vector(z %*% solution) + sum(fraction * y), freedom = hat, v = solution)
}

ridge_data <- function(rows = 150, columns = 6, seed = 1) {
  withr::with_seed(seed, {
    x <- matrix(rnorm(rows * columns, mean = 2), rows) %*%
      diag(10^seq(-2, 2, length.out = columns))
    list(x = x, y = as.vector(x %*% rnorm(columns)) / 10 + rnorm(rows) + 5,
         weight = sample(c(0, 0.5, 1, 3), rows, replace = TRUE))
  })
}

ridge_of <- function(d, penalties, weight = d$weight, x = d$x, threads = 1L) {
  rankmix:::linear_ridge_path(x, d$y, weight, penalties, threads)
}

fitted_by <- function(path, x) {
  rankmix:::linear_predict(x, path$weights, path$intercept, 1L)
}

test_that("a path of ridges agrees with the normal equations", {
  d <- ridge_data()
  penalties <- c(10, 1e-4, 0.3)
  for (weight in list(d$weight, rep(1, 150))) {
    path <- ridge_of(d, penalties, weight)
    expect_identical(dim(path$weights), c(6L, 3L))
    expect_identical(path$status, "converged")
    fitted <- fitted_by(path, d$x)
    for (i in seq_along(penalties)) {
      reference <- naive_ridge(d$x, d$y, weight, penalties[i])
      expect_equal(fitted[, i], reference$fitted, tolerance = 1e-10)
      expect_equal(path$freedom[i], reference$freedom, tolerance = 1e-10)
    }
  }
  expect_equal(ridge_of(d, penalties, rep(1, 150)), ridge_of(d, penalties, numeric()),
               tolerance = 1e-12)
})

test_that("penalty 0 is least squares", {
  d <- ridge_data(seed = 2)
  path <- ridge_of(d, 0)
  reference <- stats::lm.wfit(cbind(1, d$x), d$y, d$weight)
  expect_equal(c(path$intercept, path$weights), unname(reference$coefficients), tolerance = 1e-9)
  expect_equal(path$freedom, 7)
  expect_identical(path$rank, 6L)
})

test_that("of many least-squares solutions the solution of least norm is returned", {
  wide <- ridge_data(8, 20, seed = 3)
  wide$weight <- rep(1, 8)
  path <- ridge_of(wide, c(0, 1e-9))
  expect_identical(path$rank, 7L)
  # No residual remains, and the path is continuous at penalty 0.
  expect_equal(fitted_by(path, wide$x)[, 1], wide$y, tolerance = 1e-9)
  expect_equal(path$weights[, 2], path$weights[, 1], tolerance = 1e-6)
  z <- standardised(wide$x, wide$weight)
  singular <- svd(z, nu = 7, nv = 7)
  least <- singular$v %*% (crossprod(singular$u, wide$y - mean(wide$y)) / singular$d[1:7])
  unit <- apply(wide$x, 2, function(v) sqrt(mean((v - mean(v))^2)))
  expect_equal(path$weights[, 1] * unit, as.vector(least), tolerance = 1e-8)
})

test_that("no solution near a ridge is better", {
  d <- ridge_data(seed = 4)
  fraction <- d$weight / sum(d$weight)
  z <- standardised(d$x, d$weight)
  objective <- function(v, b, penalty) {
    sum(fraction * (d$y - b - z %*% v)^2) + penalty * sum(v^2)
  }
  for (penalty in c(0, 0.1, 5)) {
    path <- ridge_of(d, penalty)
    unit <- apply(d$x, 2, function(v) sqrt(sum(fraction * (v - sum(fraction * v))^2)))
    v <- as.vector(path$weights) * unit
    b <- path$intercept + sum(path$weights * colSums(fraction * d$x))
    least <- objective(v, b, penalty)
    withr::with_seed(5, for (trial in 1:20) {
      expect_gt(objective(v + rnorm(6) / 100, b + rnorm(1) / 100, penalty), least)
    })
  }
})

test_that("sparse features, threads and units of features do not matter", {
  skip_if_not_installed("Matrix")
  d <- ridge_data(20000, 6, seed = 6)
  d$x[abs(d$x) < 0.5] <- 0
  penalties <- c(0, 0.01, 1)
  path <- ridge_of(d, penalties)
  expect_identical(ridge_of(d, penalties, threads = 2L), path)
  expect_identical(ridge_of(d, penalties, threads = 4L), path)
  sparse <- Matrix::Matrix(d$x, sparse = TRUE)
  expect_equal(ridge_of(d, penalties, x = sparse), path, tolerance = 1e-10)
  expect_identical(ridge_of(d, penalties, x = sparse, threads = 4L),
                   ridge_of(d, penalties, x = sparse))
  other <- d$x %*% diag(c(1e3, 1e-3, 1, 7, 1e6, 2))
  expect_equal(fitted_by(ridge_of(d, penalties, x = other), other), fitted_by(path, d$x),
               tolerance = 1e-8)
})

test_that("with fewer documents than features, products of documents give the same solution", {
  set.seed(7)
  p <- 1100  # this method is used from 1025 features on, and for at most half as many documents
  x <- matrix(rnorm(40 * p), 40)
  x[, 7] <- 2  # constant
  x[, 9] <- x[, 8]
  y <- rnorm(40)
  weight <- c(runif(38), 0, 0)
  penalties <- c(0, 0.5, 20)
  got <- linear_ridge_path(x, y, weight, penalties, 1L)
  # The same solution from the singular values of the weighted, standardised features.
  fraction <- weight / sum(weight)
  center <- colSums(fraction * x)
  deviation <- sqrt(colSums(fraction * sweep(x, 2, center)^2))
  factor <- ifelse(deviation > 1e-12, 1 / deviation, 0)
  z <- sqrt(fraction) * sweep(sweep(x, 2, center), 2, factor, "*")
  mean_y <- sum(fraction * y)
  t <- sqrt(fraction) * (y - mean_y)
  parts <- svd(z)
  keep <- parts$d^2 > 1e-12 * max(parts$d^2)
  expect_identical(got$rank, sum(keep))
  for (i in seq_along(penalties)) {
    d <- parts$d[keep]
    v <- parts$v[, keep] %*% (d / (d^2 + penalties[i]) * crossprod(parts$u[, keep], t))
    expect_equal(got$weights[, i], as.vector(v) * factor, tolerance = 1e-9)
    expect_equal(got$intercept[i], mean_y - sum(v * factor * center), tolerance = 1e-9)
    expect_equal(got$freedom[i], 1 + sum(d^2 / (d^2 + penalties[i])), tolerance = 1e-9)
  }
  expect_identical(got, linear_ridge_path(x, y, weight, penalties, 2L))
  skip_if_not_installed("Matrix")
  sparse <- methods::as(matrix(x * rbinom(length(x), 1, 0.1), 40), "CsparseMatrix")
  expect_equal(linear_ridge_path(sparse, y, weight, penalties, 1L)$weights,
               linear_ridge_path(as.matrix(sparse), y, weight, penalties, 1L)$weights,
               tolerance = 1e-8)
})

test_that("many sparse features of few documents need no matrix of all pairs of features", {
  skip_if_not_installed("Matrix")
  set.seed(1)
  features <- at_size(1e5, 1e6)
  x <- Matrix::sparseMatrix(i = rep(1:40, each = 5), j = sample(features, 200), x = runif(200),
                            dims = c(40, features))
  data <- ranking_data(x, relevance = rep(c(0, 0, 1, 2), 10), query = rep(1:4, each = 10))
  model <- fit(linear_ranker(penalty = 1), data, threads = 1, verbose = FALSE)
  expect_gt(summary(evaluate(model, data, "ndcg@5"))$mean, 0.99)
})

test_that("sparse columns without entries are left out, and have no weight", {
  skip_if_not_installed("Matrix")
  set.seed(8)
  for (rows in c(40, 400)) {
    x <- matrix(0, rows, 1200)
    used <- sort(sample(1200, 100))
    x[, used] <- rnorm(rows * 100) * rbinom(rows * 100, 1, 0.2)
    x[, 5] <- 2  # constant, with entries
    y <- rnorm(rows)
    dense <- linear_ridge_path(x, y, numeric(), c(0.1, 3), 1L)
    sparse <- linear_ridge_path(methods::as(x, "CsparseMatrix"), y, numeric(), c(0.1, 3), 1L)
    expect_equal(sparse, dense, tolerance = 1e-9)
    expect_true(all(sparse$weights[-used, ] == 0))
    expect_true(all(sparse$scale[-used] == 0))
  }
})

test_that("ridges of many features and documents satisfy the normal equations", {
  set.seed(4)
  n <- 2600
  p <- 2500
  x <- Matrix::sparseMatrix(i = rep(seq_len(n), 6), j = ceiling(p * runif(6 * n)^2), x = rexp(6 * n),
                            dims = c(n, p))
  y <- drop(as.matrix(x[, 1:20] %*% rnorm(20))) + rnorm(n)
  weight <- rep(1:2, n / 2)
  penalties <- c(0.001, 0.1, 10)
  got <- linear_ridge_path(x, y, weight, penalties, 1L)
  expect_identical(got$status, "converged")
  w <- weight / sum(weight)
  mean <- drop(as.matrix(Matrix::crossprod(x, w)))
  unit <- sqrt(pmax(0, drop(as.matrix(Matrix::crossprod(x^2, w))) - mean^2))
  used <- unit > 0
  covariance <- function(values) {
    sums <- drop(as.matrix(Matrix::crossprod(x, w * values))) - mean * sum(w * values)
    (sums / unit)[used]
  }
  right <- covariance(y - sum(w * y))
  for (i in seq_along(penalties)) {
    beta <- (got$weights[, i] * unit)[used]
    fitted <- drop(as.matrix(x %*% got$weights[, i])) + got$intercept[i]
    residual <- right - covariance(fitted) - penalties[i] * beta
    # The distance of the weights from the solution is at most this residual, divided by the penalty.
    expect_lt(sqrt(sum(residual^2)), 2e-8 * sqrt(sum(right^2)))
    expect_equal(sum(w * fitted), sum(w * y), tolerance = 1e-10)
  }
  expect_identical(got, linear_ridge_path(x, y, weight, penalties, 2L))
  expect_true(all(diff(got$freedom) < 0))
  expect_true(all(is.nan(linear_ridge_path(x, y, weight, penalties, 1L, FALSE)$freedom)))
})
