# RankBoost with a weight for each pair, round by round, in plain R.
naive_rankboost <- function(data, rounds, weak = "threshold", pairs = "plain") {
  x <- data$x
  v <- if (is.null(data$weight)) rep(1, length(data$query_ids)) else data$weight
  every <- expand.grid(i = seq_len(nrow(x)), j = seq_len(nrow(x)))
  every <- every[data$query[every$i] == data$query[every$j] &
                   data$relevance[every$i] > data$relevance[every$j], ]
  query <- data$query[every$i]
  d <- v[query] / (if (pairs == "query") tabulate(query, length(v))[query] else 1)
  d <- d / sum(d)
  least <- min(d[d > 0])
  candidates <- naive_thresholds_of(x[v[data$query] > 0, , drop = FALSE], weak)
  h <- vapply(candidates, function(k) {
    ifelse(is.na(x[, k$feature]), k$absent, as.numeric(x[, k$feature] > k$threshold))
  }, numeric(nrow(x)))
  steps <- list()
  scores <- 0
  for (t in seq_len(rounds)) {
    difference <- h[every$i, , drop = FALSE] - h[every$j, , drop = FALSE]
    r <- colSums(d * difference)
    # Of values that are equal up to rounding, the first is chosen.
    best <- which(abs(r) > max(abs(r)) - 1e-13)[1L]
    if (abs(r[best]) < 2^-30) break
    bounded <- sign(r[best]) * min(abs(r[best]), 1 - 1e-12)
    alpha <- 0.5 * log((1 + bounded) / (1 - bounded))
    if (weak == "stump") {
      right <- sum(d[difference[, best] > 0]) + least / 2
      wrong <- sum(d[difference[, best] < 0]) + least / 2
      alpha <- 0.5 * log(right / wrong)
    }
    scores <- scores + alpha * h[, best]
    d <- d * exp(-alpha * difference[, best])
    d <- d / sum(d)
    k <- candidates[[best]]
    steps[[t]] <- data.frame(feature = k$feature, threshold = k$threshold, absent = k$absent,
                             alpha = alpha, edge = abs(bounded))
  }
  list(steps = do.call(rbind, steps), scores = scores)
}

# The thresholds of all features, in the order that decides ties. Missing values go above and below each threshold.
naive_thresholds_of <- function(x, weak) {
  found <- list()
  for (f in seq_len(ncol(x))) {
    values <- sort(unique(x[, f]))
    lacks <- anyNA(x[, f])
    absent <- if (weak == "abstaining") 0.5 else if (lacks) c(1, 0) else 1
    for (threshold in values[-1L] - diff(values) / 2) {
      for (a in absent) {
        found <- c(found, list(list(feature = f, threshold = threshold, absent = a)))
      }
    }
    if (lacks && weak != "abstaining") {
      found <- c(found, list(list(feature = f, threshold = Inf, absent = 1)))
    }
  }
  found
}

expect_as_pairs <- function(model, reference, data) {
  forest <- model$forest
  last <- cumsum(diff(forest$node_begin))  # the node of the threshold
  expect_identical(forest$feature[last] + 1L, reference$steps$feature)
  expect_equal(forest$threshold[last], reference$steps$threshold, tolerance = 1e-12)
  expect_equal(model$alpha, reference$steps$alpha, tolerance = 1e-10)
  expect_equal(model$edge, reference$steps$edge, tolerance = 1e-10)
  expect_equal(predict(model, data), reference$scores, tolerance = 1e-10)
}

weighted_queries <- function(data, seed = 1) {
  weight <- withr::with_seed(seed, sample(c(0, 0.5, 1, 3), length(data$query_ids), TRUE))
  ranking_data(data$x, data$relevance, data$query, weight = weight[data$query])
}

test_that("every round of rankboost() agrees with explicit weights of pairs", {
  skip_if_quick()
  for (seed in draws(3)) {
    cases <- list(random_data(12, features = 4, classes = 2, seed = seed),
                  random_data(12, features = 4, classes = 5, seed = seed, distinct = 5),
                  random_data(12, features = 4, seed = seed, missing = 0.2),
                  weighted_queries(random_data(12, features = 4, seed = seed, missing = 0.2)))
    for (data in cases) {
      for (weak in c("threshold", "abstaining", "stump")) {
        for (pairs in c("plain", "query")) {
          reference <- naive_rankboost(data, 15, weak, pairs)
          # There are fewer distinct values than bins, so binned and exact thresholds are the same.
          expect_lte(max(apply(data$x, 2L, function(v) length(unique(v)))), 255L)
          for (bins in c(255, Inf)) {
            model <- fit(rankboost(15, weak, max_bin = bins, pairs = pairs), data)
            expect_as_pairs(model, reference, data)
          }
        }
      }
    }
  }
})

test_that("weights neither overflow nor get lost however far scores are apart", {
  # One feature orders all pairs, so each round chooses it.
  x <- cbind(noise = c(2, 1, 3, 1, 2, 1), perfect = c(3, 3, 1, 3, 1, 1))
  data <- ranking_data(x, c(1, 1, 0, 1, 0, 0), c(1, 1, 1, 2, 2, 2))
  for (weak in c("threshold", "stump")) {
    model <- fit(rankboost(400, weak), data)
    expect_as_pairs(model, naive_rankboost(data, 400, weak), data)
    expect_true(all(is.finite(model$alpha)))
  }
  expect_gt(diff(range(predict(fit(rankboost(400), data), data))), 5000)
})

test_that("the bound holds, and agrees with the weights", {
  for (weak in c("threshold", "abstaining", "stump")) {
    data <- random_data(30, features = 4, seed = 3, missing = 0.1)
    model <- fit(rankboost(40, weak), data)
    h <- predict(model, data)
    losses <- lapply(split(seq_along(h), data$query), function(rows) {
      above <- outer(data$relevance[rows], data$relevance[rows], `>`)
      difference <- outer(h[rows], h[rows], `-`)
      cbind(loss = exp(-difference[above]), wrong = difference[above] <= 0)
    })
    losses <- do.call(rbind, losses)
    expect_equal(glance(model)$bound, mean(losses[, "loss"]), tolerance = 1e-10)
    expect_lte(mean(losses[, "wrong"]), glance(model)$bound)
    if (weak != "stump") {
      expect_true(all(model$z <= sqrt(1 - model$edge^2) + 1e-12))
    }
  }
})

test_that("monotone transforms of features change nothing, negatives turn the sign", {
  data <- random_data(30, features = 3, seed = 4)
  for (bins in c(11, 255, Inf)) {
    model <- fit(rankboost(20, max_bin = bins), data)
    grown <- ranking_data(exp(data$x), data$relevance, data$query)
    expect_equal(fit(rankboost(20, max_bin = bins), grown)$alpha, model$alpha)
    if (bins >= nrow(data$x)) {  # otherwise thresholds depend on the direction
      turned <- ranking_data(-data$x, data$relevance, data$query)
      expect_equal(fit(rankboost(20, max_bin = bins), turned)$alpha, -model$alpha)
    }
  }
})

test_that("more bins find better weak rankers, and all values the best", {
  data <- random_data(200, features = 3, seed = 5)
  edges <- vapply(c(3, 20, 255, Inf), function(bins) {
    fit(rankboost(1, max_bin = bins), data)$edge
  }, 0)
  expect_false(is.unsorted(edges))
  expect_gt(edges[4L], edges[1L])
  # Thresholds lie half-way between neighbouring values.
  model <- fit(rankboost(30, max_bin = Inf), data)
  for (t in 1:30) {
    values <- sort(unique(data$x[, model$forest$feature[t] + 1L]))
    expect_true(any(abs(values[-1] - diff(values) / 2 - model$forest$threshold[t]) < 1e-12))
  }
})

test_that("sparse features give the model of dense features", {
  skip_if_not_installed("Matrix")
  case <- sparse_case(n = 300, features = 12)
  sparse <- ranking_data(case$x, case$relevance, case$query)
  dense <- ranking_data(as.matrix(case$x), case$relevance, case$query)
  for (bins in c(255, Inf)) {
    for (weak in c("threshold", "abstaining")) {
      a <- fit(rankboost(15, weak, bins), sparse)
      b <- fit(rankboost(15, weak, bins), dense)
      expect_identical(a[c("forest", "alpha", "edge", "z")], b[c("forest", "alpha", "edge", "z")])
      expect_identical(predict(a, sparse), predict(b, dense))
    }
  }
})

test_that("validation data choose the number of rounds, and a fit resumes", {
  data <- random_data(40, features = 5, seed = 6, missing = 0.1)
  valid <- random_data(20, features = 5, seed = 7, missing = 0.1)
  valid <- ranking_data(valid$x, valid$relevance, valid$query + 1000)
  for (bins in c(20, Inf)) {
    for (weak in c("threshold", "abstaining", "stump")) {
      spec <- rankboost(60, weak, bins)
      model <- fit(spec, data, valid, metric_ndcg(5))
      expect_equal(model$curve$value, vapply(model$curve$rounds, function(r) {
        mean(evaluate(predict(model, valid, rounds = r), valid, metric_ndcg(5, ties = "average"))$value)
      }, 0))
      stopped <- fit(spec, data, valid, metric_ndcg(5), patience = 6, eval_every = 2)
      expect_identical(stopped$status, "stopped")
      expect_identical(stopped$alpha, model$alpha[seq_along(stopped$alpha)])
      some <- fit(update(spec, rounds = 20), data)
      again <- fit(some, data, rounds = 60)
      expect_identical(again[c("forest", "alpha", "edge", "z")],
                       model[c("forest", "alpha", "edge", "z")])
      expect_error(fit(some, valid, rounds = 60), class = "rankmix_error_newdata")
    }
  }
})

test_that("leaves count the documents, and features never missing in training send missing values to the larger leaf", {
  data <- weighted_queries(random_data(30, features = 3, seed = 8))
  model <- fit(rankboost(10), data)
  counted <- data$weight[data$query] > 0
  forest <- model$forest
  for (t in 1:10) {
    below <- data$x[counted, forest$feature[t] + 1L] <= forest$threshold[t]
    expect_identical(forest$leaf_documents[2 * t - 1:0], c(sum(below), sum(!below)))
    expect_identical(forest$missing_left[t], as.integer(sum(below) >= sum(!below)))
  }
})

test_that("data without pairs, bad settings and a stall are reported", {
  data <- random_data(12, features = 3)
  model <- fit(rankboost(10), data)
  expect_snapshot({
    model
    glance(model)$status
  })
  expect_equal(sum(tidy(model)$gain), sum(model$edge))
  expect_snapshot(error = TRUE, {
    fit(rankboost(), ranking_data(data$x, data$relevance, seq_len(nrow(data$x))))
    fit(rankboost(), ranking_data(data$x, data$relevance, data$query,
                                  weight = rep(0, nrow(data$x))))
    rankboost(0)
    rankboost(weak = "tree")
    rankboost(max_bin = 1)
    rankboost(max_bin = 300)
    rankboost(pairs = "all")
  })
  flat <- ranking_data(matrix(1, nrow(data$x), 2), data$relevance, data$query)
  expect_snapshot(none <- fit(rankboost(), flat))
  expect_identical(none$status, "stalled")
  expect_identical(predict(none, flat), rep(0, nrow(data$x)))
})

test_that("adarank() and rankboost() are members of a mixture", {
  data <- random_data(60, features = 4, seed = 9)
  valid <- random_data(30, features = 4, seed = 10)
  valid <- ranking_data(valid$x, valid$relevance, valid$query + 1000)
  spec <- mixture(adarank(metric_ndcg(5), 20, repeats = 1), rankboost(20), linear_ranker(penalty = 1),
                  calibrators = list(calibrator_rbc()), weights = mix_weights(c(0, 20)))
  mixed <- fit(spec, data, valid, seed = 1)
  expect_length(predict(mixed, valid), nrow(valid$x))
  for (name in c("adarank", "rankboost", "linear")) {
    expect_true(any(grepl(name, tidy(mixed)$classifier)), label = name)
  }
})
