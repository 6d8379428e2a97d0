test_that("lambdamart() is gbrt() of lambda(), and prints as such", {
  spec <- lambdamart(err(), trees = 40, leaves = 8, pairs = 3, sigma = 2, normalize = "gap", l2 = 2,
                     bins = 31)
  expect_true(spec == gbrt(40, leaves = 8, l2 = 2, bins = 31,
                           objective = lambda(err(), pairs = 3, sigma = 2, normalize = "gap")))
  expect_snapshot({
    lambdamart()
    lambdamart("err", pairs = "all", truncation = NULL, depth = 4)
    lambda(ndcg(10), truncation = 30, sigma = 0.5)
    lambda(average_precision(), pairs = 5, normalize = "both")
  })
})

test_that("what cannot be is refused", {
  refuse <- function(code, class = "argument") {
    expect_snapshot_error(code, class = paste0("rankmix_error_", class))
  }
  refuse(lambdamart(bpref()), "metric")
  refuse(lambdamart(success(3)), "metric")
  refuse(lambdamart(custom_metric("mine", function(...) 1)), "metric")
  refuse(lambda(pairs = "some"))
  refuse(lambda(pairs = 0))
  refuse(lambda(pairs = "all", truncation = 5))
  refuse(lambda(sigma = 0))
  refuse(lambda(normalize = "score"))
  data <- simulate_ranking(20, seed = 1)$data
  alone <- ranking_data(data$x, data$relevance, seq_len(nrow(data$x)))
  refuse(fit(lambdamart(), alone), "pairs")
  low <- data
  low$relevance <- pmin(data$relevance, 1L)
  refuse(fit(lambdamart(precision(3, relevant = 2)), low), "pairs")
  refuse(fit(network(lambda()), alone), "one_grade")
})
