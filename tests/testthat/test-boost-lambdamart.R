test_that("lambdamart() is gbrt() of loss_lambda(), and prints as such", {
  spec <- lambdamart(metric_err(), trees = 40, num_leaves = 8, pairs = 3, sigma = 2, normalize = "gap", lambda_l2 = 2,
                     max_bin = 31)
  expect_true(spec == gbrt(40, num_leaves = 8, lambda_l2 = 2, max_bin = 31,
                           objective = loss_lambda(metric_err(), pairs = 3, sigma = 2, normalize = "gap")))
  expect_snapshot({
    lambdamart()
    lambdamart("err", pairs = "all", truncation = NULL, max_depth = 4)
    loss_lambda(metric_ndcg(10), truncation = 30, sigma = 0.5)
    loss_lambda(metric_average_precision(), pairs = 5, normalize = "both")
  })
})

test_that("impossible settings are refused", {
  refuse <- function(code, class = "argument") {
    expect_snapshot_error(code, class = paste0("rankmix_error_", class))
  }
  refuse(lambdamart(metric_bpref()), "metric")
  refuse(lambdamart(metric_success(3)), "metric")
  refuse(lambdamart(metric_custom("mine", function(...) 1)), "metric")
  refuse(loss_lambda(pairs = "some"))
  refuse(loss_lambda(pairs = 0))
  refuse(loss_lambda(pairs = "all", truncation = 5))
  refuse(loss_lambda(sigma = 0))
  refuse(loss_lambda(normalize = "score"))
  data <- simulate_ranking(20, seed = 1)$data
  alone <- ranking_data(data$x, data$relevance, seq_len(nrow(data$x)))
  refuse(fit(lambdamart(), alone), "pairs")
  low <- data
  low$relevance <- pmin(data$relevance, 1L)
  refuse(fit(lambdamart(metric_precision(3, relevant = 2)), low), "pairs")
  refuse(fit(network_ranker(loss_lambda()), alone), "one_grade")
})

# The scores before tree t, and the contribution of tree t divided by the learning rate.
added <- function(model, data, t) {
  before <- if (t == 1) rep(model$start, nrow(data$x)) else predict(model, data, rounds = t - 1)
  list(before = before, value = (predict(model, data, rounds = t) - before) / model$spec$learning_rate)
}

test_that("a leaf is a Newton step of the lambdas of its documents, and has enough documents", {
  data <- simulate_ranking(40, seed = 3)$data
  for (objective in list(loss_lambda(metric_ndcg(5)), loss_lambda(metric_ndcg(), truncation = 4, normalize = "both"),
                         loss_lambda(metric_precision(3), sigma = 2))) {
    model <- fit(gbrt(6, num_leaves = 7, min_data_in_leaf = 15, objective = objective, lambda_l2 = 0.3), data,
                 seed = 1)
    expect_identical(rounds_used(model), 6L)
    for (t in 1:6) {
      tree <- added(model, data, t)
      found <- rankmix:::objective_value(objective, tree$before, data)
      leaf <- match(round(tree$value, 9), unique(round(tree$value, 9)))
      expect_true(all(table(leaf) >= 15))
      expect_gt(max(leaf), 3)
      steps <- -rowsum(found$gradient, leaf) / (rowsum(found$hessian, leaf) + 0.3)
      expect_equal(tree$value, steps[leaf, 1L], tolerance = 1e-7, ignore_attr = TRUE)
    }
  }
})
rounds_used <- rankmix:::rounds_used

test_that("no tree depends on threads, the order of rows or the order of queries", {
  # Features have few distinct values, so that documents tie after each tree.
  data <- simulate_ranking(40, seed = 4)$data
  data <- ranking_data(pmin(pmax(round(data$x), -2), 2), data$relevance, data$query)
  shuffled <- withr::with_seed(2, sample(nrow(data$x)))
  queries <- order(withr::with_seed(3, sample(40))[data$query])
  of_rows <- function(rows) ranking_data(data$x[rows, ], data$relevance[rows], data$query[rows])
  specs <- list(lambdamart(metric_ndcg(10)), lambdamart(metric_err(), normalize = "query"),
                lambdamart(metric_average_precision()), lambdamart(metric_reciprocal_rank()),
                lambdamart(metric_ndcg(), pairs = 3), lambdamart(metric_ndcg(), normalize = "both"))
  specs <- lapply(specs, update, trees = 12, num_leaves = 6, min_data_in_leaf = 5)
  for (spec in specs) {
    model <- fit(spec, data, seed = 1, threads = 1)
    for (threads in c(2, 4)) {
      expect_identical(fit(spec, data, seed = 1, threads = threads), model)
    }
    for (rows in list(shuffled, queries)) {
      other <- fit(spec, of_rows(rows), seed = 1)
      expect_identical(other$forest, model$forest)
      expect_identical(predict(other, data), predict(model, data))
    }
  }
  # The seed affects random draws only.
  expect_identical(fit(specs[[1L]], data, seed = 2)$forest, fit(specs[[1L]], data, seed = 1)$forest)
  for (spec in specs[c(2, 5)]) {
    expect_false(identical(fit(spec, data, seed = 2)$forest, fit(spec, data, seed = 1)$forest))
  }
})

# Rounded gradients keep 27 bits for a thousand documents. No two splits here have gains that differ by less.
test_that("rounded gradients give the same splits and exact leaves", {
  data <- simulate_ranking(40, seed = 7)$data
  holes <- data$x
  holes[withr::with_seed(1, sample(length(holes), 300))] <- NA
  missing <- ranking_data(holes, data$relevance, data$query)
  weighted <- ranking_data(data$x, data$relevance, data$query,
                           weight = rep(c(0.4, 0, 3, 1), 10)[data$query])
  for (on in list(data, missing, weighted)) {
    for (objective in list(loss_lambda(metric_ndcg(5)), loss_query_rmse(), loss_pairwise(), loss_softmax())) {
      for (l2 in c(0, 0.3)) {
        spec <- gbrt(5, num_leaves = 6, min_data_in_leaf = 10, objective = objective, lambda_l2 = l2)
        single <- fit(spec, on, seed = 1)
        double <- fit(update(spec, precision = "double"), on, seed = 1)
        expect_identical(single$forest$feature, double$forest$feature)
        expect_identical(single$forest$threshold, double$forest$threshold)
        expect_identical(single$forest$values, double$forest$values)
        expect_equal(single$forest$gain, double$forest$gain, tolerance = 1e-4)
      }
    }
  }
})

test_that("every setting makes another model", {
  data <- simulate_ranking(40, seed = 5)$data
  scores <- function(...) predict(fit(lambdamart(..., trees = 8, num_leaves = 6), data, seed = 1), data)
  plain <- scores()
  for (other in list(scores(metric_err()), scores(metric_ndcg(3)), scores(metric_ndcg(10)),
                     scores(metric_ndcg(gain = "linear")),
                     scores(metric_ndcg(10, discount = "none")), scores(pairs = 2), scores(truncation = 2),
                     scores(sigma = 2), scores(normalize = "gap"), scores(normalize = "query"),
                     scores(normalize = "both"), scores(min_data_in_leaf = 60), scores(lambda_l2 = 5))) {
    expect_gt(max(abs(other - plain)), 1e-3)
  }
  expect_identical(scores(metric_ndcg()), plain)
  # The lambdas of pairs below the cut-off of the metric are 0. For a metric of whole lists, the default truncation is
  # 30.
  expect_identical(scores(metric_ndcg(10), pairs = "all"), scores(metric_ndcg(10)))
  expect_identical(scores(truncation = 30), plain)
  expect_false(identical(scores(pairs = "all"), plain))
})

test_that("models stop early by their metric, resume, and report the gains of features", {
  parts <- simulate_ranking(160, seed = 6)$data
  parts <- split_parts(split_queries(parts, 0.6, seed = 1), parts)
  spec <- lambdamart(metric_err(), trees = 60, num_leaves = 6)
  whole <- fit(spec, parts$train, parts$test, seed = 1, patience = 1000)
  expect_identical(whole$curve$rounds, seq(10L, 60L, 10L))
  expect_equal(mean(evaluate(predict(whole, parts$test, rounds = 20), parts$test,
                             metric_err(ties = "average"))$value),
               whole$curve$value[2L])
  other <- fit(spec, parts$train, parts$test, metric = metric_ndcg(10), seed = 1, patience = 1000)
  expect_equal(mean(evaluate(predict(other, parts$test, rounds = 20), parts$test,
                             metric_ndcg(10, ties = "average"))$value),
               other$curve$value[2L])
  half <- fit(update(spec, trees = 25), parts$train, seed = 1)
  expect_identical(fit(half, parts$train, parts$test, rounds = 60, patience = 1000), whole)
  file <- withr::local_tempfile()
  drawn <- update(spec, trees = 20, bagging_fraction = 0.5)
  fit(update(drawn, trees = 7), parts$train, seed = 1, checkpoint = file)
  expect_identical(fit(drawn, parts$train, seed = 1, checkpoint = file),
                   fit(drawn, parts$train, seed = 1))
  expect_true(all(tidy(whole)$gain >= 0))
  expect_gt(tidy(whole)$gain[1L], 0)
  # The ranker is better than chance, and not worse than a ranker that learns grades.
  value <- function(scores) mean(evaluate(scores, parts$test, metric_err())$value)
  chance <- withr::with_seed(1, value(runif(nrow(parts$test))))
  expect_gt(value(predict(whole, parts$test)), chance + 0.05)
})

test_that("a network learns by loss_lambda(), whose objective has no value", {
  parts <- simulate_ranking(160, seed = 6)$data
  parts <- split_parts(split_queries(parts, 0.6, seed = 1), parts)
  value <- function(scores) mean(evaluate(scores, parts$test, metric_ndcg(10))$value)
  chance <- withr::with_seed(1, value(runif(nrow(parts$test))))
  for (objective in list(loss_lambda(metric_ndcg(10)), loss_lambda(metric_average_precision(), pairs = 4))) {
    spec <- network_ranker(objective, hidden = 8, epochs = 30, learning_rate = 0.01)
    model <- fit(spec, parts$train, seed = 1, threads = 1)
    expect_gt(value(predict(model, parts$test)), chance + 0.05)
    expect_identical(fit(spec, parts$train, seed = 1, threads = 4), model)
    expect_identical(glance(model)$objective, NA_real_)
  }
  skip_if_not_installed("ggplot2")
  expect_error(ggplot2::autoplot(model), "no value", class = "rankmix_error_argument")
  held <- fit(spec, parts$train, parts$test, seed = 1)
  expect_identical(as.character(unique(ggplot2::autoplot(held)$data$panel)), "Validation average_precision")
})
