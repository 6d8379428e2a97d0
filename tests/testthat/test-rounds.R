# Common rules of all rankers that are trained in rounds.

held_out_parts <- function() {
  data <- random_data(queries = 40, classes = 4, missing = 0.1)
  valid <- random_data(queries = 20, classes = 4, missing = 0.1, seed = 2)
  list(train = data, valid = ranking_data(valid$x, valid$relevance, valid$query + 1000))
}

parts <- function() list(train = example_part("train"), valid = example_part("vali"))

with_rounds <- function(spec, rounds) {
  spec[[entry_of(spec)$rounds]] <- rounds
  spec
}

round_specs <- list(
  adaboost_mh(base_tree(4), rounds = 60, grouping = c(0, 1, 1, 2)),
  gbrt(60, num_leaves = 5, min_data_in_leaf = 2),
  gbrt(60, num_leaves = 2, min_data_in_leaf = 2, max_bin = 10),
  gbrt(60, max_depth = 3, min_data_in_leaf = 2, feature_fraction = 0.6, bagging_fraction = 0.7),
  gbrt(60, num_leaves = 5, min_data_in_leaf = 2, precision = "double")
)

test_that("a resumed fit equals an uninterrupted fit, bit for bit", {
  data <- held_out_parts()$train
  weighted <- data
  weighted$weight <- rep_len(c(0, 1, 2.5), length(data$query_ids))
  for (spec in round_specs) {
    for (data in list(data, weighted)) {
      whole <- fit(spec, data, seed = 3)
      half <- fit(with_rounds(spec, 23), data, seed = 3)
      file <- withr::local_tempfile()
      saveRDS(half, file)
      expect_identical(fit(readRDS(file), data, rounds = 60, threads = 2), whole)
      expect_identical(fit(half, data, rounds = 23)$forest, half$forest)
    }
  }
})

test_that("a fit from a checkpoint equals an uninterrupted fit, with patience and without", {
  parts <- held_out_parts()
  for (spec in round_specs[c(1, 2, 5)]) {
    file <- withr::local_tempfile()
    whole <- fit(spec, parts$train, parts$valid, seed = 3)
    patient <- fit(with_rounds(spec, 400), parts$train, parts$valid, seed = 3, patience = 40)
    expect_identical(patient$status, "stopped")
    fit(with_rounds(spec, 17), parts$train, seed = 3, checkpoint = file, checkpoint_every = 5)
    go_on <- function(spec, ...) {
      fit(spec, parts$train, parts$valid, checkpoint = file, checkpoint_every = 9, ...)
    }
    expect_identical(go_on(spec), whole)
    expect_identical(go_on(with_rounds(spec, 400), patience = 40), patient)
  }
})

test_that("gbrt() resumes with its own data alone", {
  data <- held_out_parts()$train
  other <- held_out_parts()$valid
  model <- fit(gbrt(5, num_leaves = 4, min_data_in_leaf = 2), data, seed = 1)
  expect_error(fit(model, other, rounds = 9), class = "rankmix_error_newdata")
  unused <- data
  unused$x <- cbind(data$x, seq_len(nrow(data$x)))
  expect_error(fit(model, unused, rounds = 9), class = "rankmix_error_newdata")
  regraded <- data
  regraded$relevance[1] <- 3L - regraded$relevance[1]
  expect_error(fit(model, regraded, rounds = 9), class = "rankmix_error_newdata")
  file <- withr::local_tempfile()
  fit(gbrt(5, num_leaves = 4), data, checkpoint = file)
  refuse <- function(...) expect_error(fit(..., checkpoint = file), class = "rankmix_error_checkpoint")
  refuse(gbrt(5, num_leaves = 5), data)
  refuse(gbrt(4, num_leaves = 4), data)
  refuse(adaboost_mh(base_tree(4)), data)
  refuse(gbrt(9, num_leaves = 4), other)
  expect_error(fit(model, data, rounds = 4), class = "rankmix_error_argument")
  # A file that was written by hand may lack the digest.
  unknown <- model
  unknown$digest <- NULL
  expect_error(fit(unknown, data, rounds = 9), class = "rankmix_error_newdata")
})

test_that("the metric is evaluated in rounds of the user's choice, on the scores of predict()", {
  parts <- held_out_parts()
  for (spec in round_specs) {
    model <- fit(with_rounds(spec, 50), parts$train, parts$valid, seed = 1, patience = 400,
                 eval_every = 7)
    # If the first number of rounds is the best, smaller numbers are tried, too.
    expect_identical(setdiff(model$curve$rounds, 1:6), c(seq(7L, 49L, 7L), 50L))
    for (at in c(1, 4, 8)) {
      scores <- predict(model, parts$valid, rounds = model$curve$rounds[at])
      expect_equal(summary(evaluate(scores, parts$valid, metric_ndcg(10, ties = "average")))$mean, model$curve$value[at])
    }
    # The frequency of evaluations does not change the rounds.
    expect_identical(model$forest, fit(with_rounds(spec, 50), parts$train, seed = 1)$forest)
  }
  stopped <- fit(with_rounds(round_specs[[2]], 400), parts$train, parts$valid, patience = 1,
                 eval_every = 3)
  expect_identical(stopped$status, "stopped")
  expect_identical(rounds_used(stopped) %% 3L, 0L)
  expect_error(fit(round_specs[[2]], parts$train, parts$valid, patience = 5, eval_every = 0),
               class = "rankmix_error_argument")
})

test_that("validation data choose the number of rounds", {
  train <- example_part("train")
  valid <- example_part("vali")
  spec <- adaboost_mh(base_tree(8), rounds = 100)
  model <- fit(spec, train, validation = valid, metric = metric_ndcg(5))
  expect_identical(model$curve$rounds, c(10L, 20L, 50L, 100L))
  by_hand <- vapply(model$curve$rounds, function(rounds) {
    scores <- predict(model, valid, rounds = rounds)
    summary(evaluate(scores, valid, metric_ndcg(5, ties = "average")))$mean
  }, numeric(1))
  expect_equal(model$curve$value, by_hand)
  expect_identical(model$best_rounds, model$curve$rounds[which.max(by_hand)])
  expect_identical(predict(model, valid),
                   predict(model, valid, rounds = model$best_rounds))
  expect_false(identical(fit(spec, train, validation = valid, metric = metric_err())$curve,
                         model$curve))
  expect_identical(fit(spec, train)$best_rounds, 100L)
  expect_output(print(model), "Best on the validation data: ndcg@5")
})

test_that("training stops when the metric has not risen for `patience` rounds", {
  data <- parts()
  spec <- adaboost_mh(base_tree(6), rounds = 2000)
  model <- fit(spec, data$train, data$valid, seed = 1, patience = 60)
  expect_identical(model$status, "stopped")
  curve <- model$curve
  expect_identical(curve$rounds, seq(10L, nrow(curve) * 10L, 10L))
  best <- which.max(curve$value)
  expect_identical(model$best_rounds, curve$rounds[best])
  expect_identical(nrow(curve) - best, 6L)
  expect_identical(length(model$alpha), nrow(curve) * 10L)
  # A fit with this number of rounds gives the same model, and the same values of the curve.
  whole <- fit(adaboost_mh(base_tree(6), rounds = length(model$alpha)), data$train, seed = 1)
  expect_identical(model$forest, whole$forest)
  expect_identical(model$alpha, whole$alpha)
  for (at in c(1, best)) {
    scores <- predict(whole, data$valid, rounds = curve$rounds[at])
    expect_equal(summary(evaluate(scores, data$valid, metric_ndcg(10, ties = "average")))$mean, curve$value[at])
  }
})

test_that("without a need to stop all rounds are used", {
  data <- parts()
  model <- fit(adaboost_mh(base_stump(), rounds = 25), data$train, data$valid, patience = 500)
  expect_identical(model$status, "limit")
  expect_identical(model$curve$rounds, c(10L, 20L, 25L))
  refuse <- function(code) expect_snapshot_error(code, class = "rankmix_error_argument")
  refuse(fit(adaboost_mh(base_stump()), data$train, patience = 10))
  refuse(fit(adaboost_mh(base_stump()), data$train, data$valid, patience = 0))
})

test_that("early stopping and checkpoints go together", {
  data <- parts()
  withr::local_dir(withr::local_tempdir())
  spec <- adaboost_mh(base_tree(6), rounds = 2000, feature_fraction = 0.5)
  whole <- fit(spec, data$train, data$valid, seed = 4, patience = 40)
  short <- spec
  short$rounds <- 15
  fit(short, data$train, seed = 4, checkpoint = "model.rds", checkpoint_every = 7)
  resumed <- fit(spec, data$train, data$valid, checkpoint = "model.rds",
                 checkpoint_every = 33, patience = 40)
  expect_identical(resumed, whole)
  # A checkpoint with more rounds than the stopped model gives the same model.
  again <- fit(spec, data$train, data$valid, checkpoint = "model.rds", patience = 40)
  expect_identical(again, whole)
})

test_that("a booster that learns nothing stops at 0 rounds, and predicts", {
  local_known_warnings("constant")
  nothing <- ranking_data(matrix(1, 60, 1), rep(0:1, 30), rep(1:6, each = 10))
  other <- ranking_data(matrix(1, 40, 1), rep(0:1, 20), rep(7:10, each = 10))
  for (spec in list(adaboost_mh(base_stump(), rounds = 50, weights = "uniform"), gbrt(trees = 50))) {
    model <- fit(spec, nothing, other, patience = 10, seed = 1)
    expect_identical(model$status, "stalled")
    expect_identical(model$best_rounds, 0L)
    expect_identical(var(predict(model, other)), 0)
    expect_identical(model$curve$rounds, 0L)
  }
})

test_that("any metric value stops", {
  data <- parts()
  model <- fit(adaboost_mh(base_stump(), rounds = 200), data$train, data$valid,
               metric = metric_average_precision(), patience = 30, seed = 1)
  expect_identical(model$metric, metric_average_precision())
  custom <- metric_custom("top", function(grades) grades[1])
  model <- fit(adaboost_mh(base_stump(), rounds = 60), data$train, data$valid, metric = custom,
               patience = 30, seed = 1)
  best <- which.max(model$curve$value)
  scores <- predict(model, data$valid, rounds = model$curve$rounds[best])
  top <- naive_per_query(scores, data$valid, function(s, grades) grades[which.max(s)])
  expect_equal(model$curve$value[best], mean(top))
})

test_that("fewer rounds are tried where the first number is the best", {
  data <- held_out_parts()
  # The training grades are reversed, so the validation metric falls with each round.
  turned <- ranking_data(data$train$x, max(data$train$relevance) - data$train$relevance,
                         data$train$query)
  valid <- data$train
  valid$query_ids <- valid$query_ids + 1000
  spec <- gbrt(30, num_leaves = 5, min_data_in_leaf = 2, learning_rate = 1)
  for (patience in list(NULL, 10)) {
    model <- fit(spec, turned, valid, patience = patience, threads = 1)
    expect_identical(model$curve$rounds[1:10], 1:10)
    expect_identical(model$best_rounds, model$curve$rounds[which.max(model$curve$value)])
    expect_lt(model$best_rounds, 10L)
  }
  expect_identical(fewer_rounds(10L), 1:9)
  expect_identical(fewer_rounds(60L), c(1L, 2L, 5L, 10L, 20L, 50L))
})
