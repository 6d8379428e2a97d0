test_that("fractions are drawn anew by the seed, and a resumed fit draws the same fractions", {
  data <- random_data(queries = 30, classes = 4, missing = 0.1)
  spec <- gbrt(12, num_leaves = 5, min_data_in_leaf = 2, objective = loss_xendcg(), lambda_l2 = 1)
  whole <- fit(spec, data, seed = 1)
  expect_false(identical(fit(spec, data, seed = 2)$forest, whole$forest))
  half <- fit(update(spec, trees = 5), data, seed = 1)
  expect_identical(fit(half, data, rounds = 12)$forest, whole$forest)
  expect_identical(fit(spec, data, seed = 1, threads = 3), whole)
})

test_that("a query of weight 2 acts as two copies, and a query of weight 0 is absent", {
  data <- random_data(queries = 20, classes = 4, seed = 6)
  weight <- rep_len(c(1, 0, 2, 3), 20)[data$query]
  scores <- function(rows, query, ...) {
    spec <- gbrt(4, num_leaves = 4, min_data_in_leaf = 2, objective = loss_xendcg(), lambda_l2 = 1)
    predict(fit(spec, ranking_data(data$x[rows, ], data$relevance[rows], query, ...), seed = 1, threads = 1), data$x)
  }
  rows <- rep(seq_along(weight), weight)
  used <- which(weight > 0)
  found <- scores(seq_along(weight), data$query, weight = weight)
  expect_equal(found, scores(rows, data$query[rows] + 1000 * sequence(weight)), tolerance = 1e-8)
  expect_equal(found, scores(used, data$query[used], weight = weight[used]), tolerance = 1e-8)
})

test_that("the mean over seeds converges to the tree of the expected fractions", {
  data <- random_data(queries = 20, features = 2, classes = 3, seed = 3)
  seeds <- 1:200
  # One feature determines the grades, so the tree has one leaf for each grade.
  data$x[, 1] <- data$relevance
  spec <- gbrt(1, num_leaves = 3, learning_rate = 1, min_data_in_leaf = 1, objective = loss_xendcg(), lambda_l2 = 0)
  values <- vapply(seeds, function(seed) {
    f <- predict(fit(spec, data, seed = seed), data)
    vapply(0:2, function(grade) f[data$relevance == grade][1L], 0)
  }, numeric(3))
  # All scores are 0, so the gradients are 1 / n minus the random fractions.
  set.seed(1)
  differ <- vapply(split(data$relevance, data$query), function(g) length(unique(g)) > 1, NA)
  plain <- vapply(seeds, function(seed) {
    g <- h <- numeric(3)
    for (q in which(differ)) {
      grades <- data$relevance[data$query == q]
      fraction <- 2^grades - runif(length(grades))
      p <- 1 / length(grades)
      gradient <- p - fraction / sum(fraction)
      for (k in 0:2) {
        g[k + 1] <- g[k + 1] + sum(gradient[grades == k])
        h[k + 1] <- h[k + 1] + sum(grades == k) * p * (1 - p)
      }
    }
    -g / h
  }, numeric(3))
  for (k in 1:3) expect_gt(t.test(values[k, ], plain[k, ])$p.value, 0.001)
  expect_true(all(diff(rowMeans(values)) > 0))
})

test_that("networks support loss_xendcg()", {
  data <- random_data(queries = 20, features = 3)
  spec <- network_ranker(loss_xendcg(), hidden = 4, epochs = 4)
  model <- fit(spec, data, seed = 1)
  expect_identical(fit(spec, data, seed = 1, threads = 3), model)
  expect_true(all(is.finite(model$values)))
  expect_snapshot(loss_xendcg())
})
