parts <- function() {
  train <- example_part("train")
  list(train = train, valid = example_part("vali"))
}

test_that("training stops when the metric has not risen for so many rounds", {
  data <- parts()
  spec <- adaboost_mh(tree(6), rounds = 2000)
  model <- fit(spec, data$train, data$valid, seed = 1, patience = 60)
  expect_identical(model$status, "stopped")
  curve <- model$curve
  expect_identical(curve$rounds, seq(10L, nrow(curve) * 10L, 10L))
  best <- which.max(curve$value)
  expect_identical(model$best_rounds, curve$rounds[best])
  expect_identical(nrow(curve) - best, 6L)
  expect_identical(length(model$alpha), nrow(curve) * 10L)
  # The model is the one that a fit of so many rounds gives, and so is the curve.
  whole <- fit(adaboost_mh(tree(6), rounds = length(model$alpha)), data$train, seed = 1)
  expect_identical(model$forest, whole$forest)
  expect_identical(model$alpha, whole$alpha)
  for (at in c(1, best)) {
    scores <- predict(whole, data$valid, rounds = curve$rounds[at])
    expect_equal(summary(evaluate(scores, data$valid, ndcg(10)))$mean, curve$value[at])
  }
})

test_that("without a need to stop all rounds are used", {
  data <- parts()
  model <- fit(adaboost_mh(stump(), rounds = 25), data$train, data$valid, patience = 500)
  expect_identical(model$status, "limit")
  expect_identical(model$curve$rounds, c(10L, 20L, 25L))
  refuse <- function(code) expect_snapshot_error(code, class = "rankmix_error_argument")
  refuse(fit(adaboost_mh(stump()), data$train, patience = 10))
  refuse(fit(adaboost_mh(stump()), data$train, data$valid, patience = 0))
})

test_that("early stopping and checkpoints go together", {
  data <- parts()
  withr::local_dir(withr::local_tempdir())
  spec <- adaboost_mh(tree(6), rounds = 2000, feature_share = 0.5)
  whole <- fit(spec, data$train, data$valid, seed = 4, patience = 40)
  short <- spec
  short$rounds <- 15
  fit(short, data$train, seed = 4, checkpoint = "model.rds", checkpoint_every = 7)
  resumed <- fit(spec, data$train, data$valid, checkpoint = "model.rds",
                 checkpoint_every = 33, patience = 40)
  expect_identical(resumed, whole)
  # A checkpoint that is beyond the stop gives the same model.
  again <- fit(spec, data$train, data$valid, checkpoint = "model.rds", patience = 40)
  expect_identical(again, whole)
})

test_that("what can learn nothing stops at 0 rounds, and predicts", {
  nothing <- ranking_data(matrix(1, 60, 1), rep(0:1, 30), rep(1:6, each = 10))
  other <- ranking_data(matrix(1, 40, 1), rep(0:1, 20), rep(7:10, each = 10))
  for (spec in list(adaboost_mh(stump(), rounds = 50, weights = "uniform"), gbrt(trees = 50))) {
    model <- fit(spec, nothing, other, patience = 10, seed = 1)
    expect_identical(model$status, "stalled")
    expect_identical(model$best_rounds, 0L)
    expect_identical(var(predict(model, other)), 0)
    expect_identical(model$curve$rounds, 0L)
  }
})

test_that("any metric value stops", {
  data <- parts()
  model <- fit(adaboost_mh(stump(), rounds = 200), data$train, data$valid,
               metric = average_precision(), patience = 30, seed = 1)
  expect_identical(model$metric, average_precision())
  custom <- custom_metric("top", function(grades) grades[1])
  model <- fit(adaboost_mh(stump(), rounds = 60), data$train, data$valid, metric = custom,
               patience = 30, seed = 1)
  best <- which.max(model$curve$value)
  scores <- predict(model, data$valid, rounds = model$curve$rounds[best])
  top <- naive_per_query(scores, data$valid, function(s, grades) grades[which.max(s)])
  expect_equal(model$curve$value[best], mean(top))
})
