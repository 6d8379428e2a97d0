data <- complete_simulation(60, 5)
parts <- split_parts(split_queries(data, 0.7, seed = 1), data)

test_that("trees grown together agree with the trees of each subproblem alone", {
  for (base in list(gbrt(12, num_leaves = 5), gbrt(12, max_depth = 3, learning_rate = 0.3, feature_fraction = 0.5))) {
    for (cost in c("absolute", "oerr")) {
      model <- fit(cocr(base, cost), parts$train, seed = 1, verbose = FALSE)
      costs <- naive_cost(cost, 4)
      w <- naive_subproblem_weights(costs, parts$train$relevance)
      for (k in 1:4) {
        weights <- if (cost == "absolute") NULL else w[, k] / mean(w[, k])
        task <- rankmix:::part_task(rankmix:::new_task(parts$train, 1, 1),
                                    parts$train$relevance >= k, weights)
        alone <- rankmix:::grow_gbrt(base, task, NULL)
        expect_identical(predict(model, parts$test, "level", rounds = c(3, 12))[, k, ],
                         predict(alone, parts$test, rounds = c(3, 12)))
      }
    }
  }
})

test_that("one number of rounds is chosen for all subproblems", {
  spec <- cocr(gbrt(60, num_leaves = 4, learning_rate = 0.3), "squared")
  model <- fit(spec, parts$train, parts$test, verbose = FALSE)
  expect_identical(model$curve$rounds, c(10L, 20L, 50L, 60L))
  scores <- predict(model, parts$test, rounds = model$curve$rounds)
  values <- summary(evaluate(as.data.frame(scores), parts$test, metric_ndcg(10, ties = "average")))$mean
  expect_equal(model$curve$value, values, tolerance = 1e-12)
  expect_identical(model$best_rounds, model$curve$rounds[which.max(model$curve$value)])
  expect_identical(predict(model, parts$test), unname(scores[, which.max(values)]))
})

test_that("training stops early, by the metric of the whole model", {
  spec <- cocr(gbrt(80, num_leaves = 4, learning_rate = 0.3), "oerr")
  stopped <- fit(spec, parts$train, parts$test, patience = 10, eval_every = 5, verbose = FALSE)
  last <- max(stopped$curve$rounds)
  expect_lt(last, 80)
  expect_identical(rankmix:::rounds_used(stopped), last)
  whole <- fit(spec, parts$train, verbose = FALSE)
  expect_equal(predict(stopped, parts$test, rounds = last),
               predict(whole, parts$test, rounds = last), tolerance = 1e-12)
  scores <- predict(whole, parts$test, rounds = stopped$curve$rounds)
  expect_equal(stopped$curve$value,
               summary(evaluate(as.data.frame(scores), parts$test, metric_ndcg(10, ties = "average")))$mean,
               tolerance = 1e-12)
})

test_that("a subproblem that has ended waits for the others", {
  # All documents of the higher grade have the same features, so this subproblem ends early.
  x <- unname(cbind(parts$train$x[, 1:2], 0))
  relevance <- pmin(parts$train$relevance, 1)
  x[relevance == 1, 3] <- 1
  x[1, ] <- c(9, 9, 0)
  relevance[1] <- 2
  train <- ranking_data(x, relevance, parts$train$query)
  model <- fit(cocr(gbrt(40, num_leaves = 4, learning_rate = 1, min_data_in_leaf = 1), "absolute"), train,
               verbose = FALSE)
  rounds <- vapply(model$parts, rankmix:::rounds_used, 0L)
  expect_lt(min(rounds), 40L)
  expect_identical(rankmix:::rounds_used(model), max(rounds))
  levels <- predict(model, train, "level")
  expect_equal(levels[, 1], as.numeric(relevance >= 1), tolerance = 1e-6)
  expect_equal(levels[, 2], as.numeric(relevance >= 2), tolerance = 1e-6)
})

test_that("bases with their own rounds keep them", {
  model <- fit(cocr(network_ranker(loss_squared(), hidden = 3, epochs = 12), "squared"), parts$train,
               parts$test, seed = 1, verbose = FALSE)
  expect_identical(rankmix:::rounds_used(model), 12L)
  # If the first number of rounds is the best, smaller numbers are tried, too.
  expect_true(all(c(10L, 12L) %in% model$curve$rounds))
  expect_error(fit(cocr(network_ranker(loss_squared(), hidden = 3, epochs = 12)), parts$train, parts$test,
                   patience = 3), class = "rankmix_error_option")
})

test_that("the path of a base is the path of the whole", {
  path <- fit(cocr(m5p(c(10, 200)), "squared"), parts$train, parts$test, verbose = FALSE)
  expect_length(path$path, 2L)
  reference <- naive_cocr_parts(m5p(c(10, 200)), parts$train, naive_cost("squared", 4))
  for (i in 1:2) {
    levels <- predict(path$path[[i]], parts$test, "level")
    for (k in 1:4) {
      expect_equal(unname(levels[, k]), predict(reference[[k]]$path[[i]], parts$test),
                   tolerance = 1e-12)
    }
    expect_equal(path$path[[i]]$spec$base, m5p(c(10, 200)[i]))
  }
  expect_identical(path$chosen, which.max(glance(path)$value))
  expect_named(fit(cocr(m5p(c(10, 200)), c("oerr", "squared")), parts$train, parts$test,
                   verbose = FALSE)$path,
               paste(rep(c("oerr", "squared"), each = 2), names(path$path), sep = ", "))
})

test_that("bagged subproblems share their samples", {
  # All subproblems share their samples. So with absolute costs, bagged linear models equal direct regression in each
  # sample.
  ordinal <- fit(cocr(bagging(linear_ranker(penalty = 0.1), times = 7, fraction = 0.5), "absolute"),
                 parts$train, seed = 3, verbose = FALSE)
  direct <- fit(bagging(linear_ranker(loss_squared("grade"), penalty = 0.1), times = 7, fraction = 0.5),
                parts$train, seed = 3, verbose = FALSE)
  expect_equal(predict(ordinal, parts$test), predict(direct, parts$test), tolerance = 1e-12)
})

test_that("trees in step depend neither on threads nor on the order of rows", {
  spec <- cocr(gbrt(6, num_leaves = 4, min_data_in_leaf = 1), "squared")
  one <- fit(spec, parts$train, seed = 1, threads = 1, verbose = FALSE)
  expect_identical(fit(spec, parts$train, seed = 1, threads = 3, verbose = FALSE), one)
  shuffled <- withr::with_seed(2, sample(nrow(parts$train$x)))
  other <- ranking_data(parts$train$x[shuffled, ], parts$train$relevance[shuffled],
                        parts$train$query[shuffled])
  expect_identical(predict(fit(spec, other, verbose = FALSE), parts$test),
                   predict(one, parts$test))
})
