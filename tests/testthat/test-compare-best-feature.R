test_that("the best feature agrees with a search by hand", {
  data <- random_data(queries = 30, features = 5, missing = 0.1, seed = 3)
  data <- ranking_data(`colnames<-`(data$x, letters[1:5]), data$relevance, data$query)
  for (metric in list(metric_ndcg(10), metric_err(), metric_precision(2))) {
    means <- vapply(1:5, function(j) {
      scores <- ifelse(is.na(data$x[, j]), -Inf, data$x[, j])
      summary(evaluate(scores, data, choosing_metric(metric)))$mean
    }, 0)
    model <- fit(best_feature(metric), data)
    expect_identical(model$feature, letters[which.max(means)])
    expect_equal(tidy(model)$value, sort(means, decreasing = TRUE))
    j <- which.max(means)
    expect_identical(predict(model, data), ifelse(is.na(data$x[, j]), -Inf, data$x[, j]))
    expect_identical(evaluate(model, data, metric)$value,
                     evaluate(predict(model, data), data, metric)$value)
  }
})

test_that("lower values may be better", {
  data <- random_data(queries = 30, features = 3, seed = 4)
  turned <- ranking_data(-data$x, data$relevance, data$query)
  up <- fit(best_feature(), data)
  both <- fit(best_feature(direction = "both"), turned)
  expect_identical(both$sign, -1)
  expect_identical(both$feature, up$feature)
  expect_identical(predict(both, turned), predict(up, data))
  expect_identical(nrow(tidy(both)), 6L)
})

test_that("best_feature() supports sparse data, further columns and type = 'rank' like other rankers", {
  skip_if_not_installed("Matrix")
  data <- random_data(queries = 20, features = 40, distinct = 3, seed = 5)
  x <- data$x
  x[x == 1] <- 0
  colnames(x) <- paste0("f", 1:40)
  dense <- ranking_data(x, data$relevance, data$query)
  sparse <- ranking_data(Matrix::Matrix(x, sparse = TRUE), data$relevance, data$query)
  model <- fit(best_feature(), dense)
  expect_identical(tidy(fit(best_feature(), sparse)), tidy(model))
  expect_identical(predict(model, sparse), predict(model, dense))
  shuffled <- as.data.frame(x[, 40:1])
  expect_identical(predict(model, shuffled), predict(model, dense))
  ranks <- predict(model, dense, type = "rank")
  expect_identical(order(dense$query, ranks), order(dense$query, -predict(model, dense)))
  expect_identical(predict(unserialize(serialize(model, NULL)), dense), predict(model, dense))
})

test_that("best features print, and bad settings are refused", {
  data <- ranking_data(cbind(bm25 = c(3, 1, 2)), c(1, 0, 2), c(1, 1, 1))
  expect_snapshot({
    best_feature()
    best_feature("err", direction = "both")
    fit(best_feature(), data)
  })
  none <- ranking_data(cbind(1:2), c(0, 0), c(1, 1))
  expect_snapshot(error = TRUE, {
    best_feature(direction = "down")
    best_feature("speed")
    fit(best_feature(metric_ndcg(10, empty = "drop")), none)
    fit(best_feature(), 1:3)
  })
})
