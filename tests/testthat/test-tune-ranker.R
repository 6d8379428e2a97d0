tuning_data <- function(queries = 60, seed = 1) simulate_ranking(queries, documents = 8, seed = seed)$data

tune_small <- function(...) {
  defaults <- list(rankers = gbrt(20), budget = 8, patience = 10, seed = 1, threads = 1, verbose = FALSE)
  given <- list(...)
  do.call(tune_ranker, c(given, defaults[setdiff(names(defaults), names(given))]))
}

test_that("the model is fit() of the best specification on the same data", {
  data <- tuning_data()
  found <- tune_small(data = data[1:40], validation = data[41:60])
  expect_s3_class(found, "rankmix_tuning")
  table <- found$candidates
  expect_identical(found$best, which.max(ifelse(table$fraction == 1, table$value, -Inf)))
  expect_identical(table$outcome[found$best], "best")
  expect_equal(unlist(found$spec[c("num_leaves", "learning_rate")]),
               unlist(table[found$best, c("num_leaves", "learning_rate")]))
  metric <- rankmix:::choosing_metric(metric_ndcg(10))
  expect_identical(predict(found, data[41:60]), predict(found$model, data[41:60]))
  expect_equal(summary(evaluate(found$model, data[41:60], metric))$mean, table$value[found$best])
  expect_equal(unname(colMeans(found$values)), table$value[as.integer(colnames(found$values))])
  expect_lte(found$spent, 8 + 1e-9)
  again <- tune_small(data = data[1:40], validation = data[41:60])
  same <- setdiff(names(found), "trainings")
  expect_identical(again[same], found[same])
})

test_that("folds choose rounds and steps of a path for a model of all data", {
  data <- tuning_data()
  found <- tune_small(data = data, folds = 3)
  rounds <- round(found$candidates$rounds[found$best])
  expect_identical(as.double(found$spec$trees), rounds)
  expect_identical(predict(found, data), predict(fit(found$spec, data, seed = found$model$seed, verbose = FALSE), data))
  expect_identical(nrow(found$values), 60L)
  path <- tune_small(rankers = ranksvm(cost = c(0.01, 1, 100)), data = data, folds = 2)
  expect_length(path$spec$cost, 1L)
  expect_true(path$spec$cost %in% c(0.01, 1, 100))
})

test_that("several rankers share one search, and weights of queries count", {
  data <- tuning_data(80)
  data <- weighted <- ranking_data(data$x, data$relevance, data$query, weight = rep(rep_len(c(1, 3), 80), each = 8))
  found <- tune_small(rankers = list(trees = gbrt(10), ascent = coordinate_ascent(restarts = 1), plain = linear_ranker()),
                      data = data[1:50], validation = data[51:80], budget = 12,
                      space = list(ascent = list(restarts = c(1, 2))))
  expect_setequal(unique(found$candidates$ranker), c("trees", "ascent", "plain"))
  expect_identical(sum(found$candidates$ranker == "plain"), 1L)
  expect_setequal(found$candidates$restarts[found$candidates$ranker == "ascent"], c(1, 2))
  best <- found$values[, as.character(found$best)]
  expect_equal(weighted.mean(best, data[51:80]$weight), found$candidates$value[found$best])
})

test_that("an outer loop measures the gain on queries that the search has not seen", {
  data <- tuning_data(60)
  found <- tune_small(data = data[1:40], validation = data[41:60], outer = 3, budget = 4)
  expect_identical(found$gain$method, "nested, 3 folds")
  # Computes the result by hand: a search without each fold, with the seed of the fold.
  splits <- rankmix:::tuning_splits(data[1:40], NULL, 3, rankmix:::derived_seed(1, "outer"))
  metric <- rankmix:::choosing_metric(metric_ndcg(10))
  differences <- vapply(1:3, function(f) {
    own <- tune_small(data = data[1:40][splits[[f]]$train], validation = data[41:60], budget = 4,
                      seed = rankmix:::derived_seed(1, "outer", f))
    default <- fit(gbrt(20), data[1:40][splits[[f]]$train], data[41:60], metric, patience = 10, verbose = FALSE,
                   seed = rankmix:::derived_seed(rankmix:::derived_seed(1, "outer", f), "training", 1L))
    test <- data[1:40][splits[[f]]$valid]
    mean(evaluate(own$model, test, metric)$value - evaluate(default, test, metric)$value, na.rm = TRUE)
  }, 0)
  sizes <- lengths(lapply(splits, `[[`, "valid"))
  by_folds <- resampled_t(differences, 40 - sizes, sizes)
  expect_equal(unlist(found$gain[c("gain", "lower", "upper")], use.names = FALSE),
               unlist(by_folds[c("difference", "lower", "upper")], use.names = FALSE))
})

test_that("an interrupted search resumes from its directory with the same result", {
  data <- tuning_data()
  folder <- withr::local_tempdir()
  whole <- tune_small(data = data[1:40], validation = data[41:60], directory = folder)
  files <- list.files(folder, "^task-", full.names = TRUE)
  expect_gt(length(files), 5L)
  kept <- file.mtime(files[-(1:3)])
  unlink(files[1:3])
  again <- tune_small(data = data[1:40], validation = data[41:60], directory = folder)
  same <- setdiff(names(whole), "trainings")
  expect_identical(again[same], whole[same])
  expect_identical(file.mtime(files[-(1:3)]), kept)
  expect_error(tune_small(data = data[1:30], validation = data[41:60], directory = folder),
               class = "rankmix_error_run")
})

test_that("workers give the same result", {
  skip_if_not_installed("future")
  skip_on_cran()
  data <- tuning_data()
  here <- tune_small(data = data[1:40], folds = 2, budget = 4)
  future::plan(future::multisession, workers = 2)
  withr::defer(future::plan(future::sequential))
  there <- tune_small(data = data[1:40], folds = 2, budget = 4)
  same <- setdiff(names(here), "trainings")
  expect_identical(there[same], here[same])
})

test_that("a budget of time ends the search", {
  data <- tuning_data()
  started <- proc.time()[["elapsed"]]
  found <- tune_small(data = data[1:40], validation = data[41:60], budget = "0.5s")
  expect_gte(nrow(found$candidates), 1L)
  expect_identical(rankmix:::read_budget("1h 30m"), list(units = Inf, seconds = 5400))
  expect_identical(rankmix:::read_budget("2d")$seconds, 172800)
})

test_that("failed candidates are reported, and a failed default is an error", {
  data <- tuning_data()
  fragile <- new_ranker("fragile_ranker", parameters = list(power = 1),
                        train = function(spec, task) if (spec$power > 2) stop("too large") else 1,
                        predict = function(model, x) x[, 1])
  expect_warning(
    found <- tune_small(rankers = fragile(), data = data[1:40], validation = data[41:60],
                        space = list(power = c(1, 2, 3))),
    class = "rankmix_warning_failed"
  )
  expect_match(found$candidates$outcome[found$candidates$power == 3], "^failed: .*too large")
  expect_error(tune_small(rankers = fragile(power = 5), data = data[1:40], validation = data[41:60]),
               "too large", class = "rankmix_error_failed")
})

test_that("errors name wrong arguments", {
  data <- tuning_data(20)
  expect_snapshot(error = TRUE, {
    tune_ranker()
    tune_ranker(gbrt(), data, budget = 1)
    tune_ranker(gbrt(), data, budget = "soon")
    tune_ranker(gbrt, data)
    tune_ranker(list(gbrt(), gbrt()), data)
    tune_ranker(list(first = function(data) data$x[, 1]), data)
    tune_ranker(gbrt(), data, folds = 1)
    tune_ranker(gbrt(), data, error = 0)
    tune_ranker(gbrt(), 3)
    tune_ranker(gbrt(), data, validation = 3)
  })
})

test_that("the metric, the error, the patience and the level are used", {
  data <- tuning_data(100)
  tuned <- function(...) tune_small(data = data[1:60], validation = data[61:100], rankers = gbrt(60), ...)
  plain <- tuned()
  expect_false(identical(tuned(metric = "precision@1")$candidates$value, plain$candidates$value))
  expect_lt(max(tuned(patience = 10)$trainings$trained), max(tuned(patience = NULL)$trainings$trained))
  narrow <- tuned(level = 0.5)$gain
  expect_identical(narrow$gain, plain$gain$gain)
  expect_lt(narrow$upper - narrow$lower, plain$gain$upper - plain$gain$lower)
  space <- list(learning_rate = tuning_range(1e-5, 0.3, log = TRUE))
  worse <- function(error) sum(tuned(error = error, space = space, budget = 16)$candidates$outcome == "worse")
  expect_gt(worse(0.5), worse(1e-6))
})

test_that("default settings that cannot be trained are an error with the reason", {
  data <- random_data(queries = 12, seed = 1)
  rated <- ranking_data(data$x, data$relevance + 0.5, data$query)
  error <- tryCatch(tune_ranker(adaboost_mh(rounds = 5), rated[1:8], rated[9:12], budget = 3, seed = 1, threads = 1,
                                verbose = FALSE), error = identity)
  expect_s3_class(error, "rankmix_error_failed")
  expect_match(conditionMessage(error), "cannot be tuned")
  expect_match(conditionMessage(error), "needs grades")
  expect_no_match(conditionMessage(error), "failed:")
})
