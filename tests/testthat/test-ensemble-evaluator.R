# An evaluator for two threads, and the scores of each member as a vector.
evaluator_of <- function(metric, data) rankmix:::new_evaluator(metric, data, 2L)
columns_of <- function(scores) lapply(seq_len(ncol(scores)), function(m) as.double(scores[, m]))

test_that("values of candidates agree with evaluate(), on the selected queries", {
  local_known_warnings("ties")
  data <- random_data(queries = 20, seed = 1)
  scores <- random_members(data, 3, 1)
  weights <- cbind(c(0.2, 0.3, 0.5), c(0, 1, 0), NaN)
  shown <- rep(c(1, 0.5, 0), length.out = 20)
  own <- metric_custom("own_dcg", function(grades) {
    top <- utils::head(grades, 5L)
    sum((2^top - 1) / log2(seq_along(top) + 1))
  })
  for (metric in list(metric_ndcg(5), metric_err(), metric_ndcg(5, empty = 1), metric_dcg(5), own)) {
    values <- rankmix:::evaluate_weights(evaluator_of(metric, data), columns_of(scores), weights, shown)
    expect_identical(dim(values), c(20L, 3L))
    expect_true(all(is.nan(values[shown == 0, 1:2])))
    for (k in 1:2) {
      sums <- weights[1, k] * scores[, 1] + weights[2, k] * scores[, 2] + weights[3, k] * scores[, 3]
      expect_identical(values[shown > 0, k], slow_values(sums, data, metric)[shown > 0],
                       info = format(metric))
    }
    # Missing weights give a missing value and a missing mean.
    expect_true(all(is.na(values[, 3]) & !is.nan(values[, 3])))
    means <- rankmix:::mean_values(values, shown)
    expect_identical(is.na(means), c(FALSE, FALSE, TRUE))
    counted <- shown > 0 & !is.nan(values[, 1])
    expect_equal(means[1], stats::weighted.mean(values[counted, 1], shown[counted]))
  }
  expect_equal(rankmix:::evaluate_weights(evaluator_of(own, data), columns_of(scores), weights),
               rankmix:::evaluate_weights(evaluator_of(metric_dcg(5, ties = "order"), data), columns_of(scores),
                                     weights))
})

test_that("a query without a value counts as 0 if it is not left out", {
  data <- ranking_data(cbind(1:9), c(0, 1, 2, 0, 1, 2, 0, 1, 2), c(1, 1, 1, 1, 1, 1, 2, 2, 2))
  metric <- metric_ndcg(5, short_lists = "undefined")
  scores <- list(as.double(1:9))
  values <- rankmix:::evaluate_weights(evaluator_of(metric, data), scores, matrix(1))
  expect_identical(values[2, 1], 0)
  expect_equal(rankmix:::mean_values(values, c(1, 1)),
               summary(evaluate(1:9, data, choosing_metric(metric)))$mean)
})

test_that("documents break ties by their ids, and queries of one grade have no information", {
  query <- c(1, 1, 1, 2, 2)
  data <- ranking_data(cbind(1:5), c(0, 2, 1, 1, 1), query, document = c("a", "b", "c", "a", "b"))
  metric <- metric_ndcg(2, ties = "document")
  evaluator <- evaluator_of(metric, data)
  expect_identical(evaluator$informative, c(TRUE, FALSE))
  scores <- list(c(1, 1, 1, 1, 1))
  evaluator <- rankmix:::with_positions(evaluator, scores)
  expect_identical(rankmix:::evaluate_weights(evaluator, scores, matrix(1))[, 1],
                   slow_values(scores[[1]], data, metric))
})
