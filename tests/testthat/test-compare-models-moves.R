all_orders <- function(n) {
  if (n == 1L) return(list(1L))
  unlist(lapply(all_orders(n - 1L), function(order) lapply(0:(n - 1L), function(at) append(order, n, at))),
         recursive = FALSE)
}

test_that("chances to be in the top are means over the orders of ties", {
  # The fraction of the orders by score, with tied documents in any order, that have the document in the top k.
  naive <- function(scores, k) {
    tops <- vapply(all_orders(length(scores)), function(order) {
      order <- order[order(-scores[order])]
      seq_along(scores) %in% order[seq_len(k)]
    }, logical(length(scores)))
    rowMeans(tops)
  }
  for (scores in list(c(3, 1, 2, 5), c(1, 1, 1), c(2, 2, 1, 1, 0), c(1, 2, 2, 2, 0), c(-Inf, 0, Inf, 0))) {
    for (k in seq_along(scores)) {
      expect_equal(rankmix:::top_chances(scores, k), naive(scores, k))
    }
  }
})

test_that("changes of the top are fractions of its documents", {
  expect_equal(rankmix:::top_change(4:1, c(4, 1, 2, 3), 2), 0.5)
  expect_equal(rankmix:::top_change(4:1, 1:4, 2), 1)
  expect_equal(rankmix:::top_change(4:1, 1:4, 4), 0)
  expect_equal(rankmix:::top_change(4:1, 1:4, 10), 0)
  # Two documents were tied at rank 1. Now only one of them is at rank 1.
  expect_equal(rankmix:::top_change(c(2, 2, 1), c(2, 1, 0), 1), 0.5)
  set.seed(1)
  for (i in 1:20) {
    old <- sample(30)
    new <- sample(30)
    plain <- length(setdiff(order(-old)[1:7], order(-new)[1:7])) / 7
    expect_equal(rankmix:::top_change(old, new, 7), plain)
  }
})

test_that("ranks within queries agree with rank()", {
  set.seed(2)
  query <- sample(6, 60, TRUE)
  x <- sample(5, 60, TRUE)
  expect_equal(rankmix:::ranks_in_queries(x, match(query, unique(query))),
               ave(x, query, FUN = rank) / ave(x, query, FUN = length))
})

test_that("correlations agree with a loop over queries", {
  data <- random_data(queries = 15, missing = 0.1, distinct = 5, seed = 3)
  old <- data$x[, 1] + 0
  old[is.na(old)] <- 0
  new <- sin(seq_along(old))
  weight <- seq(0.5, 2, length.out = 15)
  naive <- function(feature, weight) {
    parts <- vapply(1:15, function(q) {
      own <- which(data$query == q)
      d <- (rank(new[own]) - rank(old[own])) / length(own)
      keep <- !is.na(data$x[own, feature])
      if (!any(keep)) return(c(0, 0, 0))
      d <- d[keep] - mean(d[keep])
      f <- rank(data$x[own, feature][keep]) / sum(keep)
      f <- f - mean(f)
      c(mean(d * f), mean(d * d), mean(f * f))
    }, numeric(3)) %*% weight
    parts[1] / sqrt(parts[2] * parts[3])
  }
  for (w in list(NULL, weight)) {
    data$weight <- w
    found <- rankmix:::moved_features(list(old = old, new = new), data, data$features, 0.05)
    expected <- vapply(match(found$feature, data$features), naive, 0, weight = if (is.null(w)) rep(1, 15) else w)
    expect_equal(found$correlation, expected)
    expect_false(is.unsorted(-abs(found$correlation)))
    expect_true(all(found$lower <= found$correlation & found$correlation <= found$upper))
  }
})

test_that("the feature that a new model adds is found", {
  set.seed(4)
  n <- 40 * 12
  x <- matrix(rnorm(n * 5), n)
  data <- ranking_data(x, query = rep(1:40, each = 12))
  found <- rankmix:::moved_features(list(old = x[, 1], new = x[, 1] - x[, 3]), data, data$features, 0.05)
  expect_identical(found$feature[1], data$features[3])
  expect_lt(found$upper[1], -0.5)
  constant <- ranking_data(cbind(a = rep(1:40, each = 12), b = x[, 1]), query = rep(1:40, each = 12))
  found <- rankmix:::moved_features(list(old = x[, 1], new = x[, 2]), constant, "a", 0.05)
  expect_identical(c(found$correlation, found$lower), c(NA_real_, NA_real_))
})

test_that("sparse features give the same", {
  skip_if_not_installed("Matrix")
  data <- random_data(queries = 8, distinct = 3)
  sparse <- ranking_data(Matrix::Matrix(data$x, sparse = TRUE), data$relevance, data$query)
  scores <- list(old = data$x[, 1], new = data$x[, 2])
  expect_equal(rankmix:::moved_features(scores, sparse, sparse$features, 0.05)[-1],
               rankmix:::moved_features(scores, data, data$features, 0.05)[-1])
})

test_that("the interval of a correlation covers the true correlation at its level", {
  set.seed(5)
  times <- repetitions(600)
  terms_of <- function(queries) {
    t(vapply(seq_len(queries), function(q) {
      f <- rank(rnorm(10)) / 10
      d <- 0.6 * f + rank(rnorm(10)) / 10
      f <- f - mean(f)
      d <- d - mean(d)
      c(mean(d * f), mean(d^2), mean(f^2))
    }, numeric(3)))
  }
  means <- colMeans(terms_of(20000))
  truth <- means[1] / sqrt(means[2] * means[3])
  all <- terms_of(times * 40)
  covered <- vapply(seq_len(times), function(i) {
    found <- rankmix:::correlation_interval(all[(i - 1) * 40 + 1:40, ], NULL, 0.1)
    found$lower <= truth && truth <= found$upper
  }, NA)
  # The tolerance is four standard errors of the draws.
  expect_lt(abs(mean(covered) - 0.9), 4 * sqrt(0.09 / times))
})
