test_that("new rounds are trained on the residuals", {
  train <- example_part("train")
  vali <- example_part("vali")
  test <- example_part("test")
  for (spec in list(gbrt(trees = 6, num_leaves = 5), gbrt(trees = 6, lambda_l2 = 2, learning_rate = 0.3))) {
    model <- fit(spec, train, seed = 1, threads = 1, verbose = FALSE)
    new <- renew(model, vali, "rounds", rounds = 4, seed = 7, threads = 1)
    residuals <- vali$relevance - predict(model, vali)
    data <- ranking_data(vali$x, residuals, vali$query)
    added <- fit(update(spec, trees = 4), data, seed = 7, threads = 1, verbose = FALSE)
    expect_equal(predict(new, test), predict(model, test) + predict(added, test), tolerance = 1e-9)
    expect_identical(rankmix:::rounds_used(new), 10L)
    expect_identical(new$best_rounds, 10L)
    expect_identical(format(new$spec), format(update(spec, trees = 10)))
    # The first rounds are the old model, except for the constant.
    expect_equal(predict(new, test, rounds = 6) - new$start, predict(model, test) - model$start)
  }
})

test_that("squared error falls on the new data, and a perfect model gets nothing new", {
  train <- example_part("train")
  vali <- example_part("vali")
  model <- fit(gbrt(trees = 20), train, seed = 1, threads = 1, verbose = FALSE)
  error <- function(model) mean((vali$relevance - predict(model, vali))^2)
  errors <- vapply(c(40, 5), function(rounds) {
    error(renew(model, vali, "rounds", rounds = rounds, threads = 1, seed = 1))
  }, 0)
  expect_false(is.unsorted(c(errors, error(model))))
  data <- vali
  data$relevance <- predict(model, vali)
  same <- renew(model, data, "rounds", rounds = 5, threads = 1)
  expect_equal(predict(same, vali), predict(model, vali))
})

test_that("rounds that validation data did not choose are left out", {
  model <- fit(gbrt(trees = 20), example_part("train"), validation = example_part("vali"), metric = "ndcg@10",
               patience = 20, eval_every = 5, seed = 1, threads = 1, verbose = FALSE)
  model$best_rounds <- 10L
  new <- renew(model, example_part("test"), "rounds", rounds = 3, threads = 1)
  expect_identical(rankmix:::rounds_used(new), 13L)
})

test_that("features are matched by name", {
  train <- example_part("train")
  vali <- example_part("vali")
  named <- function(data, columns = data$features) {
    ranking_data(`colnames<-`(data$x, data$features)[, columns], data$relevance, data$query)
  }
  model <- fit(gbrt(trees = 4), named(train), seed = 1, threads = 1, verbose = FALSE)
  new <- renew(model, named(vali), "rounds", rounds = 3, seed = 1, threads = 1)
  other <- renew(model, named(vali, rev(vali$features)), "rounds", rounds = 3, seed = 1, threads = 1)
  expect_identical(predict(other, vali$x |> `colnames<-`(vali$features)),
                   predict(new, vali$x |> `colnames<-`(vali$features)))
})

test_that("boosting starts from the old scores, for any loss", {
  train <- example_part("train")
  vali <- example_part("vali")
  for (objective in list(loss_pairwise(), loss_softmax(), loss_list_mle(), loss_query_rmse(), loss_lambda("ndcg@10"))) {
    # In single precision, rounding is random and depends on the number of the round.
    spec <- gbrt(trees = 6, num_leaves = 5, objective = objective, lambda_l2 = 1, precision = "double")
    model <- fit(spec, train, seed = 1, threads = 1, verbose = FALSE)
    # On the old data, the new rounds are the next rounds of the fit.
    again <- renew(model, train, "rounds", rounds = 4, seed = 1, threads = 1)
    expect_equal(predict(again, vali), predict(fit(model, train, rounds = 10), vali), tolerance = 1e-9,
                 label = format(objective))
    expect_equal(predict(again, vali, rounds = 6), predict(model, vali))
    # On new data, the new rounds raise NDCG.
    new <- renew(model, vali, "rounds", rounds = 40, seed = 1, threads = 1)
    expect_identical(rankmix:::rounds_used(new), 46L)
    ndcg <- function(model) summary(evaluate(model, vali, metric_ndcg(10, ties = "average")))$mean
    expect_gt(ndcg(new), ndcg(model))
  }
  for (spec in list(lambdamart(trees = 5, num_leaves = 5), gbrt(5, objective = loss_smooth("ndcg@5")),
                    gbrt(5, objective = loss_xendcg()), gbrt(5, objective = loss_squared("gain")),
                    gbrt(5, objective = loss_pairwise(), monotone_constraints = c(f1 = 1)),
                    gbrt(5, objective = loss_softmax(), growth = "oblivious"))) {
    if (!is.null(spec$monotone_constraints)) names(spec$monotone_constraints) <- train$features[1L]
    model <- fit(spec, train, seed = 1, threads = 1, verbose = FALSE)
    new <- renew(model, vali, "rounds", rounds = 20, seed = 2, threads = 2)
    expect_identical(new, renew(model, vali, "rounds", rounds = 20, seed = 2, threads = 1))
    expect_gt(stats::cor(predict(new, vali), vali$relevance), stats::cor(predict(model, vali), vali$relevance))
  }
})

test_that("the residuals are of the target", {
  train <- example_part("train")
  vali <- example_part("vali")
  model <- fit(gbrt(trees = 10, objective = loss_squared("gain")), train, seed = 1, threads = 1, verbose = FALSE)
  new <- renew(model, vali, "rounds", rounds = 200, seed = 1, threads = 1)
  error <- function(model) mean((2^vali$relevance - 1 - predict(model, vali))^2)
  expect_lt(error(new), 0.5 * error(model))
})
