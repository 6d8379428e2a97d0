expect_same_as_naive <- function(data, rounds, leaves, weights = "relevance") {
  base <- if (leaves == 2) base_stump() else base_tree(leaves)
  model <- fit(adaboost_mh(base, rounds = rounds, weights = weights,
                           precision = "double"), data)
  expect_length(model$alpha, rounds)
  slow <- replay_adaboost(model, data, leaves, weights)
  # In double precision, the search misses the best split by rounding errors only.
  expect_lte(max(slow$shortfall), 1e-12)
  expect_equal(model$edge, slow$edge, tolerance = 1e-12)
  expect_equal(model$alpha, log((1 + slow$edge) / (1 - slow$edge)) / 2,
               tolerance = 1e-12)
  expect_equal(unname(predict(model, data, type = "raw")), slow$f,
               tolerance = 1e-11)
}

test_that("ties go to the lower feature, then to the lower threshold", {
  x <- c(1, 2, 3, 4, 5)
  # Splitting 1 from the rest gains as much as splitting 5 from the rest.
  data <- ranking_data(unname(cbind(x, x)), c(1, 0, 0, 0, 1), rep(1, 5))
  model <- fit(adaboost_mh(base_stump(), rounds = 1, weights = "uniform"), data)
  expect_identical(model$forest$feature, 0L)
  expect_identical(model$forest$threshold, 1.5)
})

test_that("stumps equal the best of all stumps", {
  for (seed in draws(5)) {
    expect_same_as_naive(random_data(seed = seed), rounds = 8, leaves = 2)
  }
})

test_that("trees equal a tree grown by trying every split", {
  for (seed in draws(5)) {
    for (leaves in c(3, 6)) {
      expect_same_as_naive(random_data(classes = 2 + seed, seed = seed),
                           rounds = 4, leaves = leaves)
    }
  }
})

test_that("single precision changes the weights by its rounding, and nothing more", {
  skip_if_quick()
  data <- random_data(queries = 40, seed = 4)
  # Different weights avoid ties between splits. Rounding would decide such ties.
  data <- ranking_data(data$x, data$relevance, data$query, weight = runif(40)[data$query])
  fits <- lapply(c("single", "double"), function(precision) {
    fit(adaboost_mh(base_tree(4), rounds = at_size(40, 100), precision = precision), data)
  })
  expect_false(identical(fits[[1]]$edge, fits[[2]]$edge))
  expect_identical(fits[[1]]$forest$feature[1:30], fits[[2]]$forest$feature[1:30])
  expect_equal(fits[[1]]$edge[1:10], fits[[2]]$edge[1:10], tolerance = 1e-6)
  slow <- replay_adaboost(fits[[1]], data, 4, "relevance")
  expect_equal(fits[[1]]$edge, slow$edge, tolerance = 1e-5)
})

test_that("edges agree with the weights after many rounds, in both precisions", {
  skip_if_quick()
  # The trees soon separate these small data, so the edges are large. An error of the sum of the weights would grow in
  # each round.
  for (seed in draws(3)) {
    data <- random_data(queries = 12, features = 6, seed = seed)
    y <- matrix(-1, length(data$relevance), 3)
    y[cbind(seq_along(data$relevance), data$relevance + 1)] <- 1
    initial <- naive_weights(data$relevance, 3, "relevance")
    for (base in list(base_tree(8), base_product(3), base_tree(8, "confidence"))) {
      for (precision in c("single", "double")) {
        model <- fit(adaboost_mh(base, rounds = 400, precision = precision), data)
        expect_length(model$alpha, 400L)
        f <- predict(model, data, type = "raw", rounds = c(99, 100, 399, 400))
        for (at in c(1, 3)) {
          w <- initial * exp(-y * f[, , at])
          w <- w / sum(w)
          t <- c(100, NA, 400)[at]
          h <- (f[, , at + 1] - f[, , at]) / model$alpha[t]
          z <- sum(w * exp(-model$alpha[t] * h * y))
          edge <- if (identical(base$votes, "sign")) sum(w * y * h) else sqrt(1 - z^2)
          expect_equal(model$edge[t], edge, tolerance = if (precision == "single") 1e-4 else 1e-8)
        }
      }
    }
  }
})

test_that("edges agree with repeated and uniform weights after many rounds", {
  for (seed in draws(5)) {
    expect_same_as_naive(random_data(distinct = 4, seed = seed), rounds = 4,
                         leaves = 5, weights = "uniform")
  }
})

test_that("missing values go to the side with the larger edge", {
  skip_if_quick()
  for (seed in draws(5)) {
    expect_same_as_naive(random_data(missing = 0.3, seed = seed), rounds = 5,
                         leaves = 4)
  }
  # With two grades, weights of opposite sign often cancel. Missing values whose weights cancel do not affect the
  # search. They must still go to the side to which predictions send them.
  for (seed in draws(30)) {
    data <- random_data(classes = 2, missing = 0.25, seed = seed)
    model <- fit(adaboost_mh(base_tree(6), rounds = 5, weights = "uniform",
                             precision = "double"), data)
    slow <- replay_adaboost(model, data, 6, "uniform")
    expect_equal(model$edge, slow$edge, tolerance = 1e-12)
    expect_equal(unname(predict(model, data, type = "raw")), slow$f,
                 tolerance = 1e-11)
  }
  # The grade depends only on whether the value is missing.
  x <- matrix(c(1, NA, 2, NA, 3, NA))
  model <- fit(adaboost_mh(base_stump(), rounds = 1),
               ranking_data(x, c(0, 1, 0, 1, 0, 1), rep(1, 6)))
  expect_identical(model$forest$threshold, Inf)
  expect_gt(predict(model, matrix(NA_real_)), predict(model, matrix(100)))
})

test_that("without missing values in training, new missing values follow the majority", {
  x <- matrix(c(1, 2, 3, 4, 5, 10))
  data <- ranking_data(x, c(0, 0, 0, 0, 0, 1), rep(1, 6))
  model <- fit(adaboost_mh(base_stump(), rounds = 1), data)
  expect_identical(predict(model, matrix(NA_real_)), predict(model, matrix(1)))
})

test_that("constant features are never split and all-constant data still fit", {
  local_known_warnings("constant")
  data <- ranking_data(matrix(1, 6, 2), c(0, 1, 0, 0, 2, 0), rep(1:2, 3))
  model <- fit(adaboost_mh(base_tree(4), rounds = 3), data)
  expect_identical(model$forest$feature, integer())
  expect_length(unique(predict(model, data)), 1L)
})

test_that("a fit without an edge stalls and reports it", {
  local_known_warnings("constant")
  data <- ranking_data(matrix(1, 4), c(0, 1, 0, 1), rep(1, 4))
  model <- fit(adaboost_mh(base_stump(), rounds = 5, weights = "uniform"), data)
  expect_identical(model$status, "stalled")
  expect_length(model$alpha, 0L)
  expect_length(predict(model, data), 4L)
  expect_identical(fit(adaboost_mh(base_stump(), rounds = 5), random_data())$status,
                   "limit")
})

test_that("an unlucky draw of features does not end the training", {
  set.seed(1)
  x <- cbind(rnorm(200), matrix(rep(1:2, 900), 200, 9))
  data <- ranking_data(x, as.integer(x[, 1] > 0.3), rep(1:20, 10))
  model <- fit(adaboost_mh(base_stump(), rounds = 20, feature_fraction = 0.1), data,
               seed = 1)
  expect_identical(model$status, "limit")
  flat <- ranking_data(cbind(x[, 1], matrix(0, 200, 9)), data$relevance,
                       data$query)
  model <- fit(adaboost_mh(base_stump(), rounds = 20, feature_fraction = 0.1), flat)
  expect_identical(unique(model$forest$feature), 0L)
})

test_that("thresholds come from all rows, in any order", {
  n <- 120000
  x <- matrix(0, n)
  rare <- seq_len(n) %% 3 != 1
  set.seed(1)
  x[rare] <- rnorm(sum(rare))
  data <- ranking_data(x, as.integer(x > 1), rep(1:1200, 100))
  model <- fit(adaboost_mh(base_stump(), rounds = 1), data)
  expect_equal(model$forest$threshold, 1, tolerance = 0.05)
  shuffle <- sample(n)
  moved <- ranking_data(x[shuffle, , drop = FALSE], data$relevance[shuffle],
                        data$query[shuffle])
  expect_identical(fit(adaboost_mh(base_stump(), rounds = 1), moved)$forest,
                   model$forest)
})

test_that("a perfect learner gets a finite weight", {
  data <- ranking_data(matrix(c(1, 2, 3, 4)), c(0, 0, 1, 1), rep(1, 4))
  model <- fit(adaboost_mh(base_stump(), rounds = 3), data)
  expect_equal(model$edge, rep(1 - 1e-12, 3))
  expect_true(all(is.finite(model$alpha)))
  expect_identical(evaluate(model, data, metric_ndcg())$value, 1)
})

test_that("the same seed gives the same model on 1, 2 and 4 threads", {
  data <- random_data(queries = 1500, features = 20, missing = 0.1)
  spec <- adaboost_mh(base_tree(8), rounds = 10, feature_fraction = 0.6)
  one <- fit(spec, data, seed = 7, threads = 1)
  expect_identical(fit(spec, data, seed = 7, threads = 2), one)
  expect_identical(fit(spec, data, seed = 7, threads = 4), one)
  expect_identical(predict(one, data, threads = 1),
                   predict(one, data, threads = 4))
})

test_that("set.seed() decides random draws, and every option changes the fit", {
  data <- random_data(queries = 60, features = 6)
  fitted <- function(..., seed = 1) {
    model <- fit(adaboost_mh(...), data, seed = seed)
    predict(model, data, type = "raw")
  }
  base <- fitted(base_tree(4), rounds = 10)
  expect_false(identical(fitted(base_tree(5), rounds = 10), base))
  expect_false(identical(fitted(base_stump(), rounds = 10), base))
  expect_false(identical(fitted(base_tree(4), rounds = 11), base))
  expect_false(identical(fitted(base_tree(4), rounds = 10, weights = "uniform"), base))
  expect_false(identical(fitted(base_tree(4), rounds = 10, max_bin = 5), base))
  half <- fitted(base_tree(4), rounds = 10, feature_fraction = 0.5)
  expect_false(identical(half, base))
  expect_false(identical(
    fitted(base_tree(4), rounds = 10, feature_fraction = 0.5, seed = 2), half
  ))
  drawn <- function() {
    set.seed(5)
    fit(adaboost_mh(base_tree(4), rounds = 10, feature_fraction = 0.5), data)
  }
  expect_identical(drawn(), drawn())
})

test_that("with few bins thresholds are quantiles", {
  set.seed(1)
  x <- matrix(rexp(1000))
  data <- ranking_data(x, as.integer(x > 1), rep(1:100, 10))
  model <- fit(adaboost_mh(base_stump(), rounds = 1, max_bin = 4), data)
  expect_true(any(abs(model$forest$threshold - quantile(x, 1:3 / 4)) < 0.02))
})

test_that("specifications print and are checked", {
  expect_snapshot(print(adaboost_mh(base_tree(8), weights = "uniform", max_bin = 31)))
  expect_snapshot(print(base_stump()))
  expect_identical(adaboost_mh(base_tree(8)), adaboost_mh(base_tree(8), rounds = 1000))
  refuse <- function(code) {
    expect_snapshot_error(code, class = "rankmix_error_argument")
  }
  refuse(base_tree(1))
  refuse(adaboost_mh("tree"))
  refuse(adaboost_mh(rounds = 0))
  refuse(adaboost_mh(weights = "equal"))
  refuse(adaboost_mh(max_bin = 256))
  refuse(adaboost_mh(feature_fraction = 0))
  expect_error(adaboost_mh(search = search_bandit(), feature_fraction = NA),
               class = "rankmix_error_argument")
  unknown <- adaboost_mh(base_tree(3), rounds = 1)
  unknown$base$name <- "oak"
  expect_error(fit(unknown, random_data()), "no base learner oak")
})

test_that("each round draws its own fraction of the features", {
  data <- random_data(queries = 60, features = 10, seed = 3)
  for (base in list(base_tree(16), base_hamming_tree(16), base_product(6))) {
    for (fraction in c(0.01, 0.3, 1)) {
      model <- fit(adaboost_mh(base, rounds = 30, feature_fraction = fraction), data, seed = 1)
      forest <- model$forest
      first <- forest$node_begin[forest$round_begin + 1L]
      used <- lapply(seq_along(model$alpha), function(t) {
        unique(forest$feature[seq.int(first[t] + 1L, length.out = diff(first)[t])])
      })
      # The fraction of the 10 features is rounded, and at least one feature is used.
      expect_lte(max(lengths(used)), max(1, round(fraction * 10)))
      expect_gt(length(unique(unlist(used))), 8L)
    }
  }
})
