test_that("there is one row per query and metric", {
  data <- random_data(queries = 7)
  scores <- rnorm(nrow(data$x))
  result <- evaluate(scores, data, list(ndcg(10), err()))
  expect_s3_class(result, "rankmix_evaluation")
  expect_identical(nrow(result), 14L)
  expect_identical(result$query, rep(data$query_ids, 2))
  expect_identical(result$documents, rep(tabulate(data$query), 2))
  expect_identical(unique(result$metric), c("ndcg@10", "err"))
})

test_that("summary() gives mean, standard error and number of queries", {
  data <- random_data(queries = 9)
  result <- evaluate(rnorm(nrow(data$x)), data, list(ndcg(10), err()))
  table <- summary(result)
  values <- result$value[result$metric == "err"]
  expect_identical(table$metric, c("ndcg@10", "err"))
  expect_equal(table$mean[2], mean(values))
  expect_equal(table$se[2], sd(values) / sqrt(9))
  expect_identical(table$queries, c(9L, 9L))
})

test_that("a model and its scores evaluate alike", {
  data <- random_data()
  model <- fit(adaboost_mh(stump(), rounds = 5), data)
  expect_identical(evaluate(model, data, ndcg()),
                   evaluate(predict(model, data), data, ndcg()))
})

test_that("models of other packages are evaluated by their predict()", {
  data <- random_data()
  model <- structure(list(), class = "rankmix_test_foreign")
  registerS3method("predict", "rankmix_test_foreign",
                   function(object, newdata) newdata$x[, 1])
  expect_identical(evaluate(model, data, ndcg()),
                   evaluate(data$x[, 1], data, ndcg()))
})

test_that("threads change nothing", {
  data <- random_data(queries = 300)
  scores <- rnorm(nrow(data$x))
  expect_identical(evaluate(scores, data, ndcg(), threads = 1),
                   evaluate(scores, data, ndcg(), threads = 4))
})

test_that("an evaluation prints its means", {
  data <- ranking_data(matrix(0, 4), c(0, 1, 1, 0), c(1, 1, 2, 2))
  expect_snapshot(print(evaluate(4:1, data, list(ndcg(10), err()))))
})

test_that("bad scores are refused", {
  data <- ranking_data(matrix(0, 4), c(0, 1, 1, 0), c(1, 1, 2, 2))
  expect_snapshot_error(evaluate(1:3, data, ndcg()),
                        class = "rankmix_error_scores")
  expect_snapshot_error(evaluate(c(1, NA, NaN, 2), data, ndcg()),
                        class = "rankmix_error_scores")
  expect_snapshot_error(evaluate("a", data, ndcg()),
                        class = "rankmix_error_scores")
  expect_snapshot_error(evaluate(1:4, data, list(ndcg(5), ndcg(5L))),
                        class = "rankmix_error_argument")
  twice <- evaluate(1:4, data, ndcg())
  expect_snapshot_error(summary(rbind(twice, twice)),
                        class = "rankmix_error_argument")
  expect_snapshot_error(evaluate(1:4, data$x, ndcg()),
                        class = "rankmix_error_argument")
  expect_snapshot_error(evaluate(1:4, data, "ndcg"),
                        class = "rankmix_error_argument")
})
