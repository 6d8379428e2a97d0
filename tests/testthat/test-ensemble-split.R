train <- example_part("train")
valid <- example_part("vali")
test <- example_part("test")
members <- list(adaboost_mh(base_tree(4), rounds = 20), gbrt(10, num_leaves = 4))
calibrators <- list(calibrator_cpc(), calibrator_rbc("polynomial"))
mixed <- function(holdout, ..., given = members, validation = valid) {
  tune_and_mix(train, validation, given, calibrators, weights = mix_weights(c(0, 30), rounds = 20),
               holdout = holdout, seed = 1, verbose = FALSE, ...)
}

test_that("the name of a method gives the result of its value", {
  for (method in c("crossfit", "split", "same")) {
    expect_identical(mixed(method), mixed(mix_holdout(method = method)))
    expect_identical(mixture(gbrt(), holdout = method)$holdout, mix_holdout(method = method))
  }
  expect_identical(mixture(gbrt(), weights = "ascent")$weights, mix_weights(method = "ascent"))
  expect_identical(mixed("crossfit"), mixed(mix_holdout()))
  expect_identical(mixed("same"), mixed(mix_holdout(method = "same")))
  values <- lapply(c("crossfit", "split", "same"), function(method) mixed(method)$members$value)
  expect_identical(anyDuplicated(values), 0L)
})

# Computes the three parts by hand.
split_by_hand <- function(data, fraction = 0.8) {
  split_parts(split_queries(data, fraction, seed = rankmix:::derived_seed(1, "calibration")), data)
}

test_that("split trains on one part, calibrates on another and weights on a third", {
  mixture <- mixed("split")
  parts <- split_by_hand(train)
  expect_identical(length(parts$train$query_ids), round(0.8 * length(train$query_ids)) |> as.integer())
  seeds <- rankmix:::classifier_seeds(1, 2L)
  for (i in 1:2) {
    model <- fit(members[[i]], parts$train, seed = seeds[i], verbose = FALSE)
    expect_identical(predict(mixture$models[[i]], test), predict(model, test))
  }
  columns <- lapply(calibrators, function(method) {
    calibrated <- calibrate(mixture$models[[1]], parts$test, method, rounds = 20)
    list(valid = predict(calibrated, valid), test = predict(calibrated, test))
  })
  values <- vapply(columns, function(column) slow_mean(column$valid, valid, metric_ndcg(10)), 0)
  # A ranker with one score supports regressions only.
  expect_identical(nrow(mixture$members), 3L)
  expect_equal(mixture$members$value[1:2], values)
  expect_equal(unname(predict(mixture, test, type = "member")[, 1:2]),
               vapply(columns, `[[`, numeric(nrow(test)), "test"))
  expect_equal(summary(evaluate(mixture, valid, metric_ndcg(10, ties = "average")))$mean, mixture$value)
})

test_that("without validation data, method \"split\" first holds out validation queries", {
  mixture <- mixed(mix_holdout(0.7, method = "split"), validation = NULL)
  outer <- split_parts(split_queries(train, 0.7, seed = 1), train)
  inner <- split_by_hand(outer$train, 0.7)
  model <- fit(members[[2]], inner$train, seed = rankmix:::classifier_seeds(1, 2L)[2],
               verbose = FALSE)
  expect_identical(predict(mixture$models[[2]], test), predict(model, test))
  expect_equal(summary(evaluate(mixture, outer$test, metric_ndcg(10, ties = "average")))$mean, mixture$value)
})

test_that("the number of queries that calibrate decides about the preset and the warning", {
  mixture <- tune_and_mix(train, valid, adaboost_mh(base_stump(), 3), holdout = "split", seed = 1,
                          verbose = FALSE)
  expect_identical(mixture$calibrators, "fast_calibrators()")
  parts <- split_by_hand(train)
  lacking <- train
  lacking$relevance[train$query_ids[train$query] %in% parts$test$query_ids] <-
    pmin(lacking$relevance[train$query_ids[train$query] %in% parts$test$query_ids], 1L)
  expect_warning(
    tune_and_mix(lacking, valid, adaboost_mh(base_stump(), 3), calibrators, holdout = "split",
                 seed = 1, verbose = FALSE),
    class = "rankmix_warning_grade"
  )
})

test_that("a folder belongs to one holdout method", {
  folder <- local_folder()
  mixture <- mixed("split", checkpoint = folder)
  expect_identical(mixed("split", checkpoint = folder), mixture)
  expect_error(mixed("crossfit", checkpoint = folder), class = "rankmix_error_run")
})

test_that("refitted members have seen all queries, and nothing else changes", {
  for (method in c("crossfit", "split")) {
    plain <- mixed(method)
    refitted <- mixed(mix_holdout(method = method, refit = TRUE))
    same <- setdiff(names(plain), "models")
    expect_identical(refitted[same], plain[same])
    all <- if (method == "split") {
      parts <- split_by_hand(train)
      c(parts$train, parts$test, valid)
    } else {
      c(train, valid)
    }
    seeds <- rankmix:::classifier_seeds(1, 2L)
    for (i in 1:2) {
      model <- fit(members[[i]], all, seed = seeds[i], verbose = FALSE)
      expect_identical(predict(refitted$models[[i]], test), predict(model, test))
    }
    expect_false(identical(predict(refitted, test), predict(plain, test)))
  }
})

test_that("models that were given trained stay, and paths are trained anew as paths", {
  given <- fit(gbrt(5, num_leaves = 4), train, seed = 5, verbose = FALSE)
  full <- simulate_ranking(60, seed = 1)$data
  parts <- split_parts(split_queries(full, 0.7, seed = 1), full)
  spec <- mixture(fit(gbrt(5), parts$train, seed = 5, verbose = FALSE),
                  mcsvm(c(0.01, 0.1), scale = "standard"), calibrators = calibrator_rbc(),
                  holdout = mix_holdout(refit = TRUE))
  refitted <- fit(spec, parts$train, parts$test, seed = 1, verbose = FALSE)
  stayed <- refitted$models[[1]]
  stayed$own_rounds <- NULL
  expect_identical(stayed, fit(gbrt(5), parts$train, seed = 5, verbose = FALSE))
  alone <- rankmix:::model_steps(fit(mcsvm(c(0.01, 0.1), scale = "standard"), c(parts$train, parts$test)))
  expect_identical(predict(refitted$models[[3]], full), predict(alone[[2]], full))
  expect_length(refitted$models, 3L)
})

test_that("a run with refitting resumes, and members are not refitted if the time has passed", {
  folder <- local_folder()
  holdout <- mix_holdout(refit = TRUE)
  mixture <- mixed(holdout, checkpoint = folder)
  expect_length(list.files(folder, "^task-"), 4L)
  times <- file.mtime(list.files(folder, "^task-", full.names = TRUE))
  expect_identical(mixed(holdout, checkpoint = folder), mixture)
  expect_identical(file.mtime(list.files(folder, "^task-", full.names = TRUE)), times)
  expect_identical(mixed(mix_holdout(), checkpoint = folder), mixed(mix_holdout()))

  clock <- local_clock()
  use_clock(clock)
  specs <- list(slow_spec(2, clock), slow_spec(2, clock), slow_spec(2, clock))
  short <- tune_and_mix(train, valid, specs, calibrator_naive(), weights = mix_weights(rounds = 20),
                        holdout = holdout, budget = mix_budget(seconds = 9), seed = 1,
                        verbose = FALSE)
  expect_length(short$models, 2L)
  expect_identical(sum(names(short$skipped) == "refit"), 0L)
  clock$time <- 0
  shorter <- tune_and_mix(train, valid, specs, list(calibrator_naive(), slow(2)),
                          weights = mix_weights(rounds = 20), holdout = holdout,
                          budget = mix_budget(seconds = 13), seed = 1, verbose = FALSE)
  expect_gt(sum(names(shorter$skipped) == "refit"), 0L)
  expect_output(print(shorter), "Not trained anew")
})

test_that("members of other grades, features or queries are refused, or reported", {
  low <- train
  low$relevance <- pmin(train$relevance, 1L)
  few <- fit(adaboost_mh(base_stump(), rounds = 3), low, verbose = FALSE)
  narrow <- fit(gbrt(3), ranking_data(cbind(other = train$x[, 1]), train$relevance, train$query),
                verbose = FALSE)
  expect_snapshot(error = TRUE, {
    mixed("split", given = few)
    mixed("crossfit", given = few)
    tune_and_mix(ranking_data(structure(train$x, dimnames = list(NULL, train$features)),
                              train$relevance, train$query), valid, narrow, calibrator_rbc(), seed = 1)
    mixed("crossfit", validation = valid[1])
    mixed(mix_holdout(parts = 60))
  })
  # The members may have been trained on other queries than those of `train`.
  other <- fit(gbrt(3), test, verbose = FALSE)
  expect_identical(nrow(mixed("same", given = other)$members), 1L)
  expect_warning(mixed("same", validation = train), class = "rankmix_warning_overlap")
})
