# The definitions of the paper, document by document.
naive_stop <- function(i, place, z, G) {
  R <- function(y) (2^y - 1) / 2^G
  above <- which(place < place[i])
  R(z[i]) * prod(1 - R(z[above]))
}
naive_err <- function(place, y, G) {
  sum(vapply(seq_along(y), function(i) naive_stop(i, place, y, G) / place[i], 0))
}
places <- function(scores) rank(-scores, ties.method = "first")

test_that("both sides of theorem 2 agree with its definitions", {
  set.seed(1)
  for (i in 1:50) {
    n <- sample(1:8, 1)
    y <- sample(0:4, n, TRUE)
    scores <- rnorm(n, 1.5, 2)
    clipped <- pmin(scores, 4)
    pi <- places(clipped)
    rho <- rank(-(y + clipped * 1e-9), ties.method = "first")
    sides <- bound_err(y, scores, max_grade = 4)
    expect_equal(sides$excess, naive_err(rho, y, 4) - naive_err(pi, y, 4), tolerance = 1e-9)
    expect_equal(sides$places, sqrt(sum((1 / rho - 1 / pi)^2)), tolerance = 1e-9)
    stops <- vapply(seq_len(n), function(i) {
      naive_stop(i, rho, y, 4) - naive_stop(i, pi, clipped, 4)
    }, 0)
    expect_equal(sides$stops, sqrt(sum(stops^2)), tolerance = 1e-9)
    expect_identical(sides$bound, sides$places * sides$stops)
  }
})

test_that("theorem 2 holds, the right way round", {
  set.seed(2)
  queries <- at_size(1200, 3000)
  query <- rep(seq_len(queries), sample(1:10, queries, TRUE))
  for (G in c(1, 4)) {
    y <- sample(0:G, length(query), TRUE)
    for (noise in c(0.5, 1, 3)) {
      sides <- bound_err(y, y + rnorm(length(y), 0, noise), query, G)
      expect_true(all(sides$excess >= -1e-12))
      expect_true(all(sides$excess <= sides$bound + 1e-12))
      # As printed in the paper, the left side is never above 0, so the inequality would be trivial.
      expect_gt(sum(sides$excess > 1e-6), 100)
    }
  }
  expect_equal(bound_err(y, y, query, 4)$excess, rep(0, queries), tolerance = 1e-12)
  expect_equal(bound_err(y, y, query, 4)$bound, rep(0, queries), tolerance = 1e-12)
})

test_that("step (11) needs scores that are clipped, step (12) holds in sum only", {
  set.seed(3)
  pointwise <- 0
  below <- 0
  for (i in 1:300) {
    n <- sample(2:6, 1)
    y <- sample(0:4, n, TRUE)
    scores <- runif(n, 0, 6)
    pi <- places(scores)
    rho <- places(y)
    F_pi <- vapply(seq_len(n), naive_stop, 0, pi, y, 4)
    F_rho <- vapply(seq_len(n), naive_stop, 0, rho, y, 4)
    pointwise <- pointwise + any(F_pi < F_rho - 1e-12)
    expect_gte(sum(F_pi / pi), sum(F_rho / pi) - 1e-12)
    believed <- vapply(seq_len(n), naive_stop, 0, pi, scores, 4)
    below <- below + (sum(believed / pi) < sum(believed / rho) - 1e-12)
    clipped <- vapply(seq_len(n), naive_stop, 0, pi, pmin(scores, 4), 4)
    expect_gte(sum(clipped / pi), sum(clipped / rho) - 1e-12)
  }
  expect_gt(pointwise, 0)
  expect_gt(below, 0)
})

test_that("both sides of theorem 1 agree with its definitions, and the theorem holds", {
  set.seed(4)
  p <- matrix(rgamma(200 * 5, 0.7), 200)
  p <- p / rowSums(p)
  cumulative <- vapply(1:4, function(k) rowSums(p[, (k + 1):5, drop = FALSE]), numeric(200))
  h <- cumulative + rnorm(800, 0, 0.3)
  sides <- bound_cocr(h, p)
  expect_equal(sides$excess, (rowSums(h) - drop(p %*% 0:4))^2, tolerance = 1e-12)
  expect_equal(sides$bound, 4 * rowSums((h - cumulative)^2), tolerance = 1e-12)
  expect_true(all(sides$excess <= sides$bound + 1e-12))
  # Predictions that are all too high by the same amount attain the bound.
  tight <- bound_cocr(cumulative + 0.1, p)
  expect_equal(tight$excess, tight$bound, tolerance = 1e-10)
  expect_equal(bound_cocr(h[, 1, drop = FALSE], cbind(1 - cumulative[, 1], cumulative[, 1]))$excess,
               (h[, 1] - cumulative[, 1])^2, tolerance = 1e-12)
})

test_that("weights of costs change the quantity that predictions estimate", {
  local_known_warnings("constant")
  p <- c(0.6, 0.2, 0.1, 0.07, 0.03)
  best <- function(cost) {
    w <- rankmix:::subproblem_weights(rankmix:::named_cost(cost, 5))
    sum(vapply(1:4, function(k) sum(p[(k + 1):5] * w[(k + 1):5, k]) / sum(p * w[, k]), 0))
  }
  expect_equal(best("absolute"), 0.73)
  expect_equal(best("squared"), 0.872, tolerance = 1e-3)
  expect_equal(best("oerr"), 1.292, tolerance = 1e-3)
  # cocr() finds the same values on documents with equal features.
  grades <- rep(0:4, 100 * p)
  alike <- ranking_data(cbind(rep(0, 100)), grades, rep(1, 100))
  for (cost in rankmix:::cost_names) {
    model <- fit(cocr(linear_ranker(penalty = 1), cost), alike, verbose = FALSE)
    expect_equal(predict(model, alike)[1], best(cost), tolerance = 1e-12)
  }
})

test_that("bad input is refused", {
  p <- matrix(0.2, 3, 5)
  expect_snapshot(error = TRUE, {
    bound_cocr(matrix(0.5, 3, 5), p)
    bound_cocr(matrix(NA_real_, 3, 4), p)
    bound_cocr(matrix(0.5, 3, 4), 2 * p)
    bound_err(c(0, 1.5), c(1, 2))
    bound_err(c(0, 1), c(1, NA))
    bound_err(c(0, 3), c(1, 2), max_grade = 2)
    bound_err(c(0, 3), c(1, 2), query = 1)
  })
})
