mlr3_task <- function(frame) {
  task <- from_package("mlr3", "as_task_regr")(frame, target = "relevance")
  task$set_col_roles("query", "group")
  task
}

test_that("a learner trains and predicts as fit() and predict() do", {
  from_package("mlr3", "as_task_regr")
  frame <- as.data.frame(random_data(queries = 20, features = 3))
  task <- mlr3_task(frame)
  learner <- mlr3_learner(gbrt(trees = 5, num_leaves = 4, min_data_in_leaf = 1), threads = 1)
  learner$train(task)
  data <- ranking_data(frame, relevance = relevance, query = query)
  model <- fit(gbrt(trees = 5, num_leaves = 4, min_data_in_leaf = 1), data, threads = 1)
  expect_identical(learner$predict(task)$response, predict(model, data))
  expect_identical(learner$predict(task)$score(mlr3_measure(metric_ndcg(3)), task = task),
                   c(ndcg_3 = summary(evaluate(model, data, metric_ndcg(3)))$mean))
  new <- learner$predict_newdata(frame[7:1, c("x3", "x2", "x1", "query", "relevance")])
  expect_identical(new$response, predict(model, data)[7:1])
})

test_that("ids of measures are names", {
  expect_identical(measure_id(read_metric("ndcg@3")), "ndcg_3")
  expect_identical(measure_id(read_metric("ndcg@3(ties = \"average\")")), "ndcg_3_ties_average")
  from_package("mlr3", "as_task_regr")
  expect_identical(mlr3_measure("err")$id, "err")
  expect_identical(mlr3_measure("err", id = "mine")$id, "mine")
  expect_error(mlr3_measure("err", id = 3), class = "rankmix_error_argument")
})

test_that("resampling keeps queries together", {
  resample <- from_package("mlr3", "resample")
  task <- mlr3_task(as.data.frame(random_data(queries = 20, features = 3)))
  folds <- from_package("mlr3", "rsmp")("cv", folds = 3)
  set.seed(1)
  done <- resample(task, mlr3_learner(linear_ranker(penalty = 1)), folds)
  query <- task$groups$group
  for (i in 1:3) {
    expect_length(intersect(query[done$resampling$train_set(i)],
                            query[done$resampling$test_set(i)]), 0)
  }
  value <- done$aggregate(mlr3_measure("ndcg@3"))
  expect_true(value > 0.3 && value < 1)
})

test_that("learners of different specifications are distinguished", {
  benchmark_grid <- from_package("mlr3", "benchmark_grid")
  task <- mlr3_task(as.data.frame(random_data(queries = 20, features = 3)))
  learners <- list(mlr3_learner(linear_ranker(penalty = 1)), mlr3_learner(linear_ranker(penalty = 1000)))
  expect_false(learners[[1]]$hash == learners[[2]]$hash)
  expect_identical(learners[[1]]$id, "linear_ranker(penalty = 1)")
  set.seed(1)
  done <- from_package("mlr3", "benchmark")(
    benchmark_grid(task, learners, from_package("mlr3", "rsmp")("cv", folds = 3))
  )
  expect_identical(done$aggregate(mlr3_measure(metric_ndcg(3)))$learner_id,
                   vapply(learners, function(learner) learner$id, ""))
})

test_that("a task without a group and a wrong specification give errors", {
  expect_snapshot_error(mlr3_learner(gbrt), class = "rankmix_error_argument")
  expect_snapshot_error(task_queries(list(groups = NULL), 1:3), class = "rankmix_error_query")
  expect_identical(task_queries(list(groups = data.frame(row_id = 3:1, group = c("a", "b", "b"))),
                                c(1L, 3L)), c("b", "a"))
  task <- from_package("mlr3", "as_task_regr")(data.frame(relevance = c(0, 1), a = 1:2),
                                               target = "relevance")
  expect_error(mlr3_learner(linear_ranker(penalty = 1))$train(task), class = "rankmix_error_query")
})

test_that("a task is fitted by values, with any options of fit()", {
  frame <- as.data.frame(random_data(queries = 12, features = 3))
  names(frame)[3:5] <- c("task", "spec", "x")
  task <- list(data = function(cols) frame[cols], feature_names = c("task", "spec", "x"),
               truth = function() frame$relevance, row_ids = seq_len(nrow(frame)),
               groups = data.frame(row_id = rev(seq_len(nrow(frame))), group = rev(frame$query)))
  data <- ranking_data(frame, relevance = relevance, query = query)
  model <- fit_task(linear_ranker(penalty = 1), task, list(threads = 1))
  expect_identical(predict(model, data), predict(fit(linear_ranker(penalty = 1), data), data))
  expect_silent(fit_task(linear_ranker(penalty = 1), task, list(verbose = FALSE)))
  task$groups <- NULL
  expect_snapshot_error(fit_task(linear_ranker(penalty = 1), task, list()),
                        class = "rankmix_error_query")
})
