test_that("validation queries that are also in the training data are a warning", {
  data <- random_data()
  expect_snapshot_warning(
    fit(adaboost_mh(base_stump(), rounds = 2), data, validation = data),
    class = "rankmix_warning_overlap"
  )
})

test_that("equal ids are the same, whatever their type", {
  shift <- function(ids) {
    data <- random_data()
    data$query_ids <- ids
    data
  }
  n <- length(random_data()$query_ids)
  expect_warning(
    fit(adaboost_mh(base_stump(), rounds = 2), shift(seq_len(n) * 1e5),
        validation = shift(100000L * seq_len(n))),
    class = "rankmix_warning_overlap"
  )
})

test_that("validation data with further features are reported once", {
  frame <- function(data, names) {
    frame <- stats::setNames(as.data.frame(data$x), names)
    ranking_data(frame, data$relevance, data$query + 1000 * length(names))
  }
  train <- frame(random_data(features = 3), c("a", "b", "c"))
  valid <- frame(random_data(features = 4, seed = 2), c("d", "c", "b", "a"))
  count <- function(code) {
    warned <- 0
    withCallingHandlers(code, rankmix_warning_newdata = function(w) {
      warned <<- warned + 1
      rlang::cnd_muffle(w)
    })
    warned
  }
  spec <- adaboost_mh(base_stump(), rounds = 5)
  expect_identical(count(fit(spec, train, validation = valid)), 1)
  expect_identical(count(tune_and_mix(train, valid, spec)), 1)
})

test_that("validation data are checked before anything is trained", {
  data <- random_data()
  valid <- random_data(features = 3, seed = 2)
  spec <- adaboost_mh(base_stump(), rounds = 1e6)
  expect_error(fit(spec, data, validation = valid), class = "rankmix_error_newdata")
  expect_error(tune_and_mix(data, valid, spec), class = "rankmix_error_newdata")
  other <- ranking_data(data$x, data$relevance, data$query + 1000)
  expect_snapshot_error(
    fit(spec, data, validation = other, metric = metric_ndcg(100, short_lists = "drop")),
    class = "rankmix_error_metric"
  )
})

test_that("validation data that cannot choose are refused by every ranker", {
  data <- random_data(queries = 30)
  case <- function(change, ...) {
    other <- random_data(queries = 12, seed = 2)
    ranking_data(other$x, change(other$relevance, other$query), other$query + 1000, ...)
  }
  bad <- list(
    none_relevant = case(function(grade, query) 0 * grade),
    one_query = case(function(grade, query) grade)["1002"],
    all_alike = case(function(grade, query) query %% 3),
    one_differs = case(function(grade, query) ifelse(query == 2, grade, query %% 3)),
    weights = case(function(grade, query) grade,
                   weight = as.numeric(random_data(queries = 12, seed = 2)$query == 2))
  )
  spec <- adaboost_mh(base_stump(), rounds = 10)
  model <- fit(spec, data)
  scores <- function(data) data$x[, 1]
  for (valid in bad) {
    refuse <- function(code) {
      expect_error(code, class = "rankmix_error_validation")
    }
    for (one in list(spec, gbrt(10), mcsvm(c(0.1, 1)), mcsvm())) {
      refuse(fit(one, data, valid, metric = metric_ndcg(10, empty = 1)))
    }
    refuse(fit(spec, data, valid, patience = 5))
    refuse(fit(model, data, valid, rounds = 20))
    refuse(tune_and_mix(data, valid, spec, calibrator_naive()))
    refuse(mix(list(a = model, b = scores), valid))
    fold <- list(train = data, valid = valid, test = random_data(seed = 3))
    fold$test$query_ids <- fold$test$query_ids + 5000L
    refuse(benchmark_rankers(list(a = spec), fold))
    refuse(benchmark_rankers(list(a = best_feature()), fold,
                             tune = list(a = list(direction = c("higher", "both")))))
    refuse(learning_curve(list(a = gbrt(10)), fold, fractions = 1))
    # These rankers do not use the validation data, so they are not refused.
    expect_s3_class(benchmark_rankers(list(a = best_feature(), b = scores), fold,
                                      verbose = FALSE), "rankmix_benchmark")
    expect_snapshot_error(fit(spec, data, valid), class = "rankmix_error_validation")
  }
  refuse(tune_and_mix(data[1:2], members = spec, holdout = mix_holdout(0.5)))
  expect_snapshot_error(mix(list(a = model, b = scores), bad$none_relevant),
                        class = "rankmix_error_validation")
  expect_snapshot_error(benchmark_rankers(list(a = spec), list(fold, fold)),
                        class = "rankmix_error_validation")
  # Two queries are enough for a choice.
  good <- case(function(grade, query) grade)
  good <- good[rankmix:::differing_queries(good)[1:2]]
  expect_s3_class(fit(spec, data, good), "rankmix_ranker")
})
