# The smooth NDCG by the formula of the SmoothRank paper: sums over documents i and ranks j. `order` breaks ties.
naive_smooth_ndcg <- function(f, grades, sigma, k = Inf, order = base::order(-f)) {
  gains <- 2^grades - 1
  discounts <- (seq_along(f) <= k) / log2(seq_along(f) + 1)
  ideal <- sum(sort(gains, decreasing = TRUE) * discounts)
  if (ideal == 0) {
    return(NA_real_)
  }
  sum(outer(gains, discounts) * naive_indicators(f, sigma, order)) / ideal
}

# The derivative of each h_ij by each f_p, by formula (10) for a fixed order of tied documents.
naive_indicator_gradients <- function(f, sigma, order = base::order(-f)) {
  m <- length(f)
  h <- naive_indicators(f, sigma, order)
  gradients <- array(0, c(m, m, m))
  for (j in seq_len(m)) {
    anchor <- order[j]
    away <- f - f[anchor]
    for (i in seq_len(m)) {
      for (p in seq_len(m)) {
        own <- away[i] * ((i == p) - (p == anchor))
        all <- away[p] * h[p, j] - (p == anchor) * sum(away * h[, j])
        gradients[i, j, p] <- -2 / sigma * h[i, j] * (own - all)
      }
    }
  }
  gradients
}

# Queries with a few documents each. Scores have ties unless `ties` is FALSE.
theory_data <- function(seed, queries = 12, ties = TRUE) {
  set.seed(seed)
  query <- rep(seq_len(queries), sample(1:9, queries, TRUE))
  n <- length(query)
  x <- matrix(if (ties) sample(-3:3, 2 * n, TRUE) / 2 else rnorm(2 * n), n)
  ranking_data(x, sample(0:3, n, TRUE, c(0.5, 0.3, 0.1, 0.1)), query)
}

naive_values <- function(scores, data, sigma, k) {
  naive_per_query(scores, data, function(f, g) naive_smooth_ndcg(f, g, sigma, k))
}

sigmas <- c(100, 1, 0.1, 0.004)
cuts <- c(1, 3, Inf)

test_that("the smooth NDCG agrees with the paper, and the exact NDCG is the mean over orders of ties", {
  for (ties in c(TRUE, FALSE)) {
    data <- theory_data(1, ties = ties)
    scores <- data$x[, 1]
    for (sigma in sigmas) {
      for (k in cuts) {
        sides <- bound_smooth_error(scores, data, sigma, k)
        expect_equal(sides$smooth, naive_values(scores, data, sigma, k), tolerance = 1e-12)
        expect_identical(sides$query, data$query_ids)
        expect_identical(is.na(sides$bound), is.na(sides$smooth))
      }
    }
    # Enumerates all orders of five documents that are consistent with the scores.
    q <- which(diff(data$offsets) == 5)[1]
    rows <- which(data$query == q)
    orders <- as.matrix(expand.grid(rep(list(1:5), 5)))
    orders <- orders[apply(orders, 1, anyDuplicated) == 0, ]
    gains <- 2^data$relevance[rows] - 1
    discounts <- c(1, 1, 1, 0, 0) / log2(2:6)
    values <- apply(orders, 1, function(o) sum(gains[order(-scores[rows], o)] * discounts))
    expect_equal(bound_smooth_error(scores, data, 1, 3)$exact[q],
                 mean(values) / sum(sort(gains, TRUE) * discounts))
  }
})

test_that("the value is the same in any order of ties, and continues where they part", {
  set.seed(2)
  for (i in seq_len(at_size(10, 30))) {
    f <- sample(-2:2, 7, TRUE) / 2
    grades <- sample(0:3, 7, TRUE)
    one <- naive_smooth_ndcg(f, grades, 0.3, 3)
    other <- naive_smooth_ndcg(f, grades, 0.3, 3, order = rev(base::order(f)))
    expect_equal(other, one, tolerance = 1e-13)
    if (all(grades == 0)) next
    at <- function(f) bound_smooth_error(f, ranking_data(cbind(f), grades, rep(1, 7)), 0.3, 3)
    expect_equal(at(f)$smooth, one, tolerance = 1e-13)
    # The change is proportional to the step, and Lipschitz's constant bounds it.
    step <- rnorm(7)
    steepest <- 8 * 2 * 7^1.5 / 0.3 * sqrt(sum(step^2))
    for (size in c(1e-4, 1e-6, 1e-8)) {
      expect_lt(abs(at(f + size * step)$smooth - one), steepest * size)
    }
  }
})

test_that("where ties part the gradient jumps", {
  value <- function(f) naive_smooth_ndcg(f, c(2, 0, 1, 0), 0.5, 1)
  jump <- function(f) {
    step <- c(1e-6, 0, 0, 0)
    abs(value(f + step) - 2 * value(f) + value(f - step)) / 1e-6
  }
  expect_gt(jump(c(1, 1, 0, -1)), 0.01)
  expect_lt(jump(c(1, 1.1, 0, -1)), 0.0001)
})

test_that("gradients sum to 0, constants change nothing, scale and width go together", {
  set.seed(3)
  for (i in 1:10) {
    f <- rnorm(6)
    gradients <- naive_indicator_gradients(f, 0.7)
    expect_lt(max(abs(apply(gradients, 1:2, sum))), 1e-12)
    # The gradients equal finite differences.
    for (p in 1:6) {
      step <- 1e-6 * (seq_along(f) == p)
      difference <- (naive_indicators(f + step, 0.7) - naive_indicators(f - step, 0.7)) / 2e-6
      expect_equal(gradients[, , p], difference, tolerance = 1e-6)
    }
  }
  data <- theory_data(4, ties = FALSE)
  scores <- data$x[, 1]
  value <- function(f, sigma) bound_smooth_error(f, data, sigma, 3)$smooth
  for (sigma in sigmas) {
    expect_equal(value(scores + 5, sigma), value(scores, sigma), tolerance = 1e-9)
    expect_identical(value(4 * scores, 16 * sigma), value(scores, sigma))  # powers of 2 are exact
    expect_equal(value(0.3 * scores, 0.09 * sigma), value(scores, sigma), tolerance = 1e-9)
  }
})

test_that("the error is within its bound, with ties and without, which small widths attain", {
  for (seed in seq_len(at_size(3, 10))) {
    for (ties in c(TRUE, FALSE)) {
      data <- theory_data(seed, ties = ties)
      for (sigma in c(10, 1, 0.1, 0.01, 1e-4)) {
        for (k in cuts) {
          sides <- na.omit(bound_smooth_error(data$x[, 2], data, sigma, k))
          expect_true(all(sides$error <= sides$bound + 1e-12))
        }
      }
      if (ties) {
        # Scores are multiples of 1/2, so exp(-1 / 4 / 0.001) is negligible.
        expect_lt(max(sides$error), 1e-12)
      }
    }
  }
  # Two documents, by hand.
  data <- ranking_data(cbind(c(0, 1)), c(0, 1), c(1, 1))
  sides <- bound_smooth_error(c(2, 1), data, 0.5)
  e <- exp(-1 / 0.5)
  d <- 1 / log2(3)
  expect_equal(sides$smooth, (e + d) / (1 + e))
  expect_equal(sides$exact, d)
  expect_equal(sides$gap, 1)
  # At rank 1 the gain is missing, and at rank 2 it is present.
  expect_equal(sides$bound, e * (1 + d))
  # If all documents tie, there is no error.
  tied <- bound_smooth_error(c(1, 1), data, 0.5)
  expect_identical(tied$gap, Inf)
  expect_identical(tied$bound, 0)
  expect_equal(tied$smooth, (1 + d) / 2, tolerance = 1e-15)
  expect_equal(tied$exact, tied$smooth, tolerance = 1e-15)
})

test_that("the smooth NDCG is at least 0, and can be above 1", {
  f <- c(-0.335, -0.022, 0.305, -0.213, -1.454)
  grades <- c(1, 1, 1, 1, 0)
  expect_gt(naive_smooth_ndcg(f, grades, 1), 1.02)
  data <- ranking_data(cbind(f), grades, rep(1, 5))
  expect_gt(bound_smooth_error(f, data, 1)$smooth, 1.02)
  # The smooth NDCG is above 1 here, but the loss of theorem 1 is not below 0.
  expect_identical(bound_smooth_risk(1, data, 1)$training, 0)
  for (seed in 1:5) {
    data <- theory_data(seed)
    expect_true(all(na.omit(bound_smooth_error(data$x[, 1], data, 0.5)$smooth) >= 0))
  }
})

test_that("large widths leave a constant, within its bound", {
  for (seed in 1:10) {
    data <- theory_data(seed)
    scores <- data$x[, 1]
    for (sigma in c(1e4, 64, 1, 0.1)) {
      for (k in cuts) {
        sides <- na.omit(bound_smooth_flat(scores, data, sigma, k))
        expect_true(all(sides$error <= sides$bound + 1e-12))
      }
    }
    # The constant is the value of equal scores, which is also the mean over all orders.
    flat <- bound_smooth_flat(scores, data, 1, 3)$flat
    expect_equal(flat, naive_values(0 * scores, data, 1, 3))
    expect_equal(flat, bound_smooth_error(0 * scores, data, 1, 3)$exact)
  }
  h <- naive_indicators(rnorm(5), 1e9)
  expect_equal(h, matrix(0.2, 5, 5), tolerance = 1e-6)
})

test_that("steps are within Lipschitz's constant, and gradients of indicators within theirs", {
  set.seed(5)
  for (seed in 1:10) {
    data <- theory_data(seed, ties = FALSE)
    near <- data$x[, 1] + rnorm(nrow(data$x), sd = 10^runif(1, -6, 0))
    for (sigma in sigmas) {
      sides <- na.omit(bound_smooth_gradient(data$x[, 1], near, data, sigma, 3))
      expect_true(all(sides$change <= sides$bound + 1e-12))
    }
    f <- rnorm(6)
    sigma <- 10^runif(1, -2, 1)
    largest <- max(abs(naive_indicator_gradients(f, sigma)))
    expect_lte(largest, 8 * diff(range(f)) / 2 / sigma)
  }
  data <- ranking_data(cbind(c(0, 1)), c(0, 1), c(1, 1))
  sides <- bound_smooth_gradient(c(2, 1), c(0, 1), data, 0.5)
  expect_equal(sides$lipschitz, 8 * 1 * 2^1.5 / 0.5)
  expect_equal(sides$distance, 2)
  e <- exp(-1 / 0.5)
  d <- 1 / log2(3)
  # The step swaps the ranks.
  expect_equal(sides$change, abs((e + d) / (1 + e) - (1 + d * e) / (1 + e)))
})

test_that("if weights are divided by a root, another penalty and width give the same objective", {
  data <- theory_data(6, ties = FALSE)
  w <- c(0.7, -1.3)
  for (factor in c(4, 1 / 16)) {  # their roots are powers of 2
    sides <- bound_smooth_scaling(w, data, 0.5, 0.2, factor, 3)
    expect_identical(sides$as_is, sides$scaled)
  }
  sides <- bound_smooth_scaling(w, data, 0.5, 0.2, 3, 3)
  expect_equal(sides$as_is, sides$scaled, tolerance = 1e-12)
  expect_equal(sides$as_is, 0.2 * sum(w^2) -
                 sum(naive_values(drop(data$x %*% w), data, 0.5, 3), na.rm = TRUE))
  # With other penalties and widths, the objectives differ.
  expect_gt(abs(bound_smooth_scaling(w, data, 0.5, 0.2, 3, 3)$as_is -
                  bound_smooth_scaling(w / sqrt(3), data, 0.5, 0.2, 3, 3)$as_is), 1e-3)
  model <- fit(linear_ranker(penalty = 0.1), data, threads = 1)
  expect_identical(bound_smooth_scaling(model, data, 1, 1, 2),
                   bound_smooth_scaling(unname(coef(model)[1:2]), data, 1, 1, 2))
})

# A population of `count` queries with three documents each and small features.
population <- function(count, size) {
  set.seed(7)
  x <- matrix(rnorm(3 * count * 2), ncol = 2)
  x <- size * x / sqrt(max(rowSums(x^2)))
  grades <- c(replicate(count, sample(c(0, 1, 2))))
  ranking_data(x, grades, rep(seq_len(count), each = 3))
}

test_that("theorem 1 holds on a population that is known", {
  all <- population(40, 0.05)
  set.seed(8)
  weights <- matrix(rnorm(40), 2)
  weights <- cbind(weights, 100 * (all$relevance %*% all$x)[1, ])
  weights <- apply(weights, 2, function(w) w / sqrt(sum(w^2)))
  risk <- function(w) mean(1 - bound_smooth_error(drop(all$x %*% w), all, 1)$smooth)
  risks <- apply(weights, 2, risk)
  drawn <- function(n) {
    ids <- sample(40, n, TRUE)
    rows <- unlist(lapply(ids, function(q) which(all$query == q)))
    ranking_data(all$x[rows, ], all$relevance[rows], rep(seq_len(n), each = 3))
  }
  for (i in seq_len(at_size(3, 10))) {
    sample <- drawn(2000)
    bounds <- apply(weights, 2, function(w) {
      unlist(bound_smooth_risk(w, sample, 1, norm = 1 + 1e-12, radius = 0.05 + 1e-12))
    })
    expect_true(all(risks <= bounds["bound", ]))
    # The bound is informative here, because it is well below 1.
    expect_true(all(bounds["bound", ] < 0.6))
    # The training term alone is not a bound.
    expect_true(any(risks > bounds["training", ]))
  }
  one <- bound_smooth_risk(weights[, 1], sample, 0.5, norm = 2, radius = 3, delta = 0.1)
  expect_identical(c(one$queries, one$documents), c(2000L, 3L))
  expect_equal(one$complexity, 24 * (2 * 3 * 3)^2 / (0.5 * sqrt(2000)))
  # The complexity is 3 L B R sqrt(m / n) with L = 8 B R m^1.5 / sigma.
  expect_equal(one$complexity, 3 * (8 * 2 * 3 * 3^1.5 / 0.5) * 2 * 3 * sqrt(3 / 2000))
  expect_equal(one$confidence, sqrt(8 * log(2 / 0.1) / 2000))
  expect_equal(one$training, mean(1 - naive_values(drop(sample$x %*% weights[, 1]), sample, 0.5,
                                                   Inf)))
  expect_identical(one$bound, one$training + one$complexity + one$confidence)
})

test_that("a ranker is as good as its scores, and empty queries have no sides", {
  data <- theory_data(9)
  model <- fit(linear_ranker(penalty = 0.1), data, threads = 1)
  expect_identical(bound_smooth_error(model, data, 1),
                   bound_smooth_error(predict(model, data), data, 1))
  empty <- ranking_data(cbind(1:4), c(0, 0, 1, 0), c("a", "a", "b", "b"))
  for (sides in list(bound_smooth_error(1:4, empty, 1), bound_smooth_flat(1:4, empty, 1))) {
    expect_identical(sides$query, c("a", "b"))
    expect_true(all(is.na(sides[1, -1])))
    expect_false(anyNA(sides[2, ]))
  }
})

test_that("bad input is refused", {
  data <- theory_data(9)
  f <- data$x[, 1]
  argument <- function(code) expect_snapshot_error(code, class = "rankmix_error_argument")
  argument(bound_smooth_error(f, data))
  argument(bound_smooth_error(f, data, 0))
  argument(bound_smooth_flat(f, data, 1, k = 0))
  argument(bound_smooth_scaling(1, data, 1, 0.1, 2))
  argument(bound_smooth_scaling(c(1, 2), data, 1, -1, 2))
  argument(bound_smooth_risk(c(1, 2), data, 1, norm = 0.5))
  argument(bound_smooth_risk(c(1, 2), data, 1, radius = 0.5))
  argument(bound_smooth_risk(c(1, 2), data, 1, delta = 0))
  expect_snapshot_error(bound_smooth_gradient(f, 1:3, data, 1), class = "rankmix_error_scores")
  none <- ranking_data(cbind(1:4), rep(0, 4), rep(1, 4))
  expect_snapshot_error(bound_smooth_error(1:4, none, 1), class = "rankmix_error_one_grade")
})

# A line search may fail because of rounding errors, so that the minimiser ends early. So the minimiser is restarted
# from its last point until it gains nothing.
descend <- function(data, start, centre, sigma, penalty, ...) {
  objective <- Inf
  repeat {
    model <- fit(smoothrank(metric_ndcg(5), start = start, centre = centre, schedule = sigma,
                            penalty = penalty, tolerance = 0, iterations = 5000, ...),
                 data, threads = 1, verbose = FALSE)
    if (model$stages$objective >= objective) break
    objective <- model$stages$objective
    start <- c(unname(coef(model)))
  }
  start
}

test_that("with a centre of 0 the minimiser scales with the root (lemma 1)", {
  data <- simulate_ranking(30, features = 8, seed = 2)$data
  set.seed(1)
  start <- rnorm(8) / 4
  w <- descend(data, start, "zero", 0.5, 0.1)
  expect_gt(sqrt(sum((w - start)^2)), 0.1)
  for (factor in c(4, 1 / 16, 3)) {
    # The minimiser of the scaled problem does not move away from the scaled point.
    there <- descend(data, w / sqrt(factor), "zero", 0.5 / factor, 0.1 * factor)
    # The minimum is flat, so values are compared and not points.
    height <- function(w) bound_smooth_scaling(w, data, 0.5, 0.1, factor, 5)$as_is
    expect_equal(height(sqrt(factor) * there), height(w), tolerance = 1e-5)
    # The objectives are equal, and lower than at the start.
    sides <- bound_smooth_scaling(w, data, 0.5, 0.1, factor, 5)
    expect_equal(sides$scaled, sides$as_is, tolerance = 1e-12)
    expect_lt(sides$as_is, bound_smooth_scaling(start, data, 0.5, 0.1, factor, 5)$scaled - 1)
  }
})

test_that("a large width leaves the centre alone, whatever the start (5.3)", {
  data <- simulate_ranking(30, features = 8, seed = 2)$data
  set.seed(1)
  centre <- rnorm(8) / 4
  away <- vapply(2^c(10, 20, 30), function(sigma) {
    max(vapply(list(centre, 0 * centre, rnorm(8)), function(start) {
      sqrt(sum((descend(data, start, centre, sigma, 1) - centre)^2))
    }, 0))
  }, 0)
  expect_true(all(diff(away) < 0))
  expect_lt(away[3], 1e-4)
})
