unjudged_case <- function() {
  data <- random_data(queries = 12, seed = 3)
  list(judged = data,
       unjudged = ranking_data(data$x, query = data$query, document = seq_along(data$query)))
}

test_that("data are made without grades", {
  frame <- data.frame(site = c("a", "a", "b"), bm25 = c(1, 2, 3), clicks = 4:6)
  wanted <- ranking_data(as.matrix(frame[2:3]), query = frame$site)
  expect_null(wanted$relevance)
  expect_identical(dim(wanted), c(3L, 2L))
  same <- c("x", "relevance", "query", "query_ids", "features", "order", "offsets")
  for (data in list(ranking_data(frame, query = site),
                    ranking_data(frame, relevance = NULL, query = "site"),
                    ranking_data(~ bm25 + clicks, frame, query = site),
                    ranking_data(~ ., data = frame, query = site))) {
    expect_identical(unclass(data)[same], unclass(wanted)[same])
  }
  skip_if_not_installed("data.table")
  file <- withr::local_tempfile(fileext = ".csv")
  utils::write.csv(frame, file, row.names = FALSE)
  expect_identical(unclass(read_ranking(file, query = site))[same], unclass(wanted)[same])
})

test_that("unjudged data print, have a summary and can be split", {
  case <- unjudged_case()
  data <- case$unjudged
  expect_snapshot(data)
  expect_identical(names(summary(data)$queries), c("query", "documents"))
  expect_output(print(summary(data)), "documents per query")
  expect_false("relevance" %in% names(as.data.frame(data)))
  expect_identical(nrow(as.data.frame(data)), nrow(data))
  for (part in list(data[2:4], data[1:3], data[, 1:2],
                    subset(data, documents > 2), c(data[1:2], data[3:4]),
                    split_parts(split_queries(data, 0.5, seed = 1), data)$test,
                    split_parts(query_folds(data, 3, seed = 1), data, 2)$valid,
                    standardize_queries(data), standardize_queries(data, add = TRUE),
                    whiten_queries(data))) {
    expect_null(part$relevance)
    expect_s3_class(part, "ranking_data")
  }
  expect_identical(standardize_queries(data)$x, standardize_queries(case$judged)$x)
  expect_snapshot_error(c(data[1:2], case$judged[3]), class = "rankmix_error_unjudged")
})

test_that("every ranker gives unjudged data the predictions of judged data", {
  case <- unjudged_case()
  train <- random_data(queries = 40, seed = 5)
  valid <- random_data(queries = 30, seed = 6)
  train$query_ids <- train$query_ids + 1000L
  specs <- list(adaboost_mh(base_stump(), rounds = 5), adaboost_mh(base_tree(4), rounds = 5),
                gbrt(trees = 5, num_leaves = 4), mcsvm(scale = "standard"), best_feature())
  models <- lapply(specs, fit, train)
  models$calibrated <- calibrate(models[[1]], valid, calibrator_cpc())
  models$mixture <- tune_and_mix(train, valid, list(specs[[1]], mcsvm(scale = "standard")),
                                 list(calibrator_naive(), calibrator_cpc()), verbose = FALSE,
                                 grid = mix_grid(features = rankmix:::feature_sets))
  models$mix <- mix(list(a = models[[1]], b = models[[3]]), valid)
  for (model in models) {
    for (type in c("score", "rank")) {
      expect_identical(predict(model, case$unjudged, type = type),
                       predict(model, case$judged, type = type))
    }
  }
  for (type in c("prob", "raw", "label")) {
    expect_identical(predict(models[[1]], case$unjudged, type = type),
                     predict(models[[1]], case$judged, type = type))
  }
  expect_identical(predict(models$mixture, case$unjudged, type = "member"),
                   predict(models$mixture, case$judged, type = "member"))
  expect_identical(aggregate_ranks(models[c("mix", "mixture")], case$unjudged),
                   aggregate_ranks(models[c("mix", "mixture")], case$judged))
  file <- withr::local_tempfile()
  write_run(predict(models$mix, case$unjudged), file, case$unjudged)
  expect_identical(nrow(read_run(file)), nrow(case$unjudged))
})

test_that("functions that need grades name grades in their error", {
  case <- unjudged_case()
  data <- case$unjudged
  judged <- random_data(queries = 20, seed = 9)
  model <- fit(adaboost_mh(base_stump(), rounds = 3), judged)
  refuse <- function(code) {
    expect_error(code, class = "rankmix_error_unjudged")
  }
  for (spec in list(adaboost_mh(base_stump(), rounds = 3), gbrt(3), mcsvm(), best_feature())) {
    refuse(fit(spec, data))
  }
  for (spec in list(adaboost_mh(base_stump(), rounds = 3), gbrt(3), mcsvm())) {
    refuse(fit(spec, judged, data))
  }
  refuse(fit(model, data, rounds = 4))
  refuse(evaluate(model, data, metric_ndcg(10)))
  refuse(evaluate(runif(nrow(data)), data, "map"))
  refuse(calibrate(model, data, calibrator_naive()))
  refuse(calibrate(matrix(0, nrow(data), 2), data, calibrator_naive()))
  refuse(mix(list(a = model, b = model), data))
  refuse(tune_and_mix(data))
  refuse(tune_and_mix(judged, data))
  refuse(compare_rankers(a = model, b = runif(nrow(data)), data = data, metric = metric_ndcg(10)))
  refuse(benchmark_rankers(list(a = gbrt(3)), query_folds(data, 3, seed = 1), data = data))
  refuse(benchmark_rankers(list(a = gbrt(3)), list(train = judged, test = data)))
  refuse(learning_curve(list(a = gbrt(3)), list(train = judged, test = data)))
  refuse(cutoff_curves(runif(nrow(data)), data))
  refuse(convention_report(runif(nrow(data)), data))
  refuse(group_grades(data, "binary"))
  refuse(as_qrels(data))
  refuse(write_qrels(data, tempfile()))
  refuse(split_queries(data, 0.5, stratify = TRUE))
  refuse(query_folds(data, 3, stratify = TRUE))
  refuse(plot(data))
  skip_if_not_installed("ggplot2")
  refuse(ggplot2::autoplot(data))
  refuse(ggplot2::autoplot(model, data = data))
  refuse(ggplot2::autoplot(calibrate(model, judged, calibrator_cpc()), data = data))
  refuse(write_letor(data, tempfile()))
  expect_error(subset(data, relevant > 0), class = "rankmix_error_argument")
  expect_snapshot_error(evaluate(model, data, metric_ndcg(10)), class = "rankmix_error_unjudged")
  expect_snapshot_error(benchmark_rankers(list(a = gbrt(3)), list(train = judged, test = data)),
                        class = "rankmix_error_unjudged")
  expect_snapshot_error(write_letor(data, tempfile()), class = "rankmix_error_unjudged")
})

test_that("LETOR text of unjudged data has the given grade", {
  case <- unjudged_case()
  file <- withr::local_tempfile()
  write_letor(case$unjudged, file, unjudged = 0)
  back <- suppressMessages(read_letor(file))
  expect_identical(back$relevance, integer(nrow(case$unjudged)))
  expect_identical(unname(back$x), case$unjudged$x)
  write_letor(case$judged, file, unjudged = 0)
  expect_identical(suppressMessages(read_letor(file))$relevance, case$judged$relevance)
})

test_that("the error for a whole simulation names the element with the data", {
  simulated <- simulate_ranking(queries = 5, seed = 1)
  expect_error(fit(gbrt(trees = 2), simulated, seed = 1), "Take its `$data`", fixed = TRUE,
               class = "rankmix_error_argument")
  expect_error(simulate_clicks(simulated, seed = 1), "Take its `$data`", fixed = TRUE,
               class = "rankmix_error_argument")
  expect_no_error(fit(gbrt(trees = 2), simulated$data, seed = 1))
})

test_that("the error for features in place of data shows how to make data", {
  expect_snapshot_error(fit(linear_ranker(), matrix(1, 3, 2), c(0, 1, 2)),
                        class = "rankmix_error_argument")
  expect_snapshot_error(fit(linear_ranker(), data.frame(a = 1:3), c(0, 1, 2)),
                        class = "rankmix_error_argument")
  split <- split_queries(example_part("vali"), 0.5, seed = 1)
  expect_snapshot_error(fit(linear_ranker(), split$train), class = "rankmix_error_argument")
  expect_snapshot_error(fit(linear_ranker(), split), class = "rankmix_error_argument")
})

test_that("the error for other objects names the call that makes ranking data", {
  frame <- data.frame(qid = c(1, 1, 2), label = c(0, 2, 1), bm25 = 1:3)
  expect_error(fit(gbrt(), frame), "`ranking_data(frame, relevance = label, query = qid)`", fixed = TRUE)
  expect_error(fit(gbrt(), label ~ ., frame), "`ranking_data(formula, frame, query = id)`", fixed = TRUE)
  expect_error(fit(gbrt(), "train.txt"), "`read_letor(file)`", fixed = TRUE)
  data <- ranking_data(frame, label, qid)
  expect_error(fit(gbrt(), data, list(data)), "not a list of them", fixed = TRUE)
})
