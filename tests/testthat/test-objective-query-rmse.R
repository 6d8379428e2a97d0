test_that("linear_ranker() minimises loss_query_rmse(): least squares of centred documents", {
  data <- random_data(queries = 25, features = 3, seed = 2)
  model <- fit(linear_ranker(loss_query_rmse(), penalty = 1e-10), data)
  centred <- function(v) v - ave(v, data$query)
  x <- apply(data$x, 2, centred)
  plain <- lm.fit(x, centred(2^data$relevance - 1))$coefficients
  expect_equal(unname(coef(model)[data$features]), unname(plain), tolerance = 1e-6)
})

test_that("loss_query_rmse() does not learn differences between queries, unlike squared error", {
  local_known_warnings("constant")
  data <- random_data(queries = 40, features = 2, classes = 2, seed = 4)
  # This feature separates queries with many good documents from other queries. The feature is constant within queries.
  level <- rep_len(c(0, 1), length(data$query_ids))
  data$relevance <- as.integer(data$relevance + 2 * level[data$query])
  data$x[, 2] <- level[data$query]
  used <- function(objective) {
    model <- fit(gbrt(5, num_leaves = 2, min_data_in_leaf = 1, objective = objective), data, seed = 1)
    model$forest$feature
  }
  expect_true(1L %in% used(loss_squared()))
  expect_false(1L %in% used(loss_query_rmse()))
})

test_that("targets are grades or gains", {
  data <- random_data(queries = 20, features = 2)
  trees <- function(objective) {
    fit(gbrt(3, num_leaves = 4, min_data_in_leaf = 1, objective = objective), data, seed = 1)$forest
  }
  expect_identical(trees(loss_query_rmse()), trees(loss_query_rmse("grade")))
  gains <- data
  gains$relevance <- as.integer(2^data$relevance - 1)
  expect_identical(trees(loss_query_rmse("gain")),
                   fit(gbrt(3, num_leaves = 4, min_data_in_leaf = 1, objective = loss_query_rmse()), gains,
                       seed = 1)$forest)
  expect_snapshot({
    loss_query_rmse("gain")
    network_ranker(loss_query_rmse(), hidden = 4)
  })
  expect_snapshot_error(loss_query_rmse("rank"), class = "rankmix_error_argument")
})
