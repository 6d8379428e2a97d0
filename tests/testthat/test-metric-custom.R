test_that("a custom metric receives the ranked grades", {
  local_known_warnings("ties")
  data <- random_data(queries = 20, classes = 4, seed = 4)
  set.seed(4)
  scores <- round(rnorm(nrow(data$x)))
  mine <- metric_custom("own_dcg", function(grades) {
    sum((2^grades - 1) / log2(seq_along(grades) + 1))
  })
  expect_equal(evaluate(scores, data, mine)$value,
               evaluate(scores, data, metric_dcg())$value)
  worst <- metric_custom("worst", function(grades) {
    sum((2^grades - 1) / log2(seq_along(grades) + 1))
  }, ties = "worst")
  expect_equal(evaluate(scores, data, worst)$value,
               evaluate(scores, data, metric_dcg(ties = "worst"))$value)
})

test_that("a custom metric is evaluated beside others, for several rankers", {
  data <- random_data(queries = 20, classes = 4, seed = 4)
  columns <- as.data.frame(data$x[, 1:2])
  top <- metric_custom("top", function(grades) grades[1])
  result <- evaluate(columns, data, list(metric_ndcg(3), top, metric_err()))
  expect_identical(unique(result$metric), c("ndcg@3", "top", "err"))
  expect_identical(result$value[result$metric == "top"],
                   evaluate(columns, data, top)$value)
  expect_identical(result[result$metric == "err", "value"],
                   evaluate(columns, data, metric_err())$value)
  # A custom metric can be the validation metric of a fit.
  model <- fit(adaboost_mh(base_stump(), rounds = 20), data, seed = 1,
               validation = ranking_data(data$x, data$relevance, -data$query),
               metric = top)
  expect_identical(model$metric$name, "top")
})

test_that("NaN leaves a query out", {
  data <- ranking_data(matrix(0, 3), c(1, 0, 1), c(1, 1, 2))
  lone <- metric_custom("pairs", function(grades) {
    if (length(grades) == 1) NaN else 0.5
  })
  result <- evaluate(3:1, data, lone)
  expect_identical(result$value, c(0.5, NaN))
  expect_identical(summary(result)$queries, 1L)
})

test_that("objects that are not metrics are refused", {
  data <- ranking_data(matrix(0, 2), c(1, 0), c("q7", "q7"))
  expect_snapshot_error(evaluate(1:2, data, metric_custom("two", range)),
                        class = "rankmix_error_metric")
  expect_error(evaluate(1:2, data, metric_custom("na", function(g) NA)),
               class = "rankmix_error_metric")
  expect_error(evaluate(1:2, data, metric_custom("bad", function(g) stop("boom"))),
               "query q7", class = "rankmix_error_metric")
  expect_snapshot_error(metric_custom("ndcg", mean),
                        class = "rankmix_error_argument")
  expect_snapshot_error(metric_custom("mine", "mean"),
                        class = "rankmix_error_argument")
  expect_snapshot_error(metric_custom("mine", mean, ties = "average"),
                        class = "rankmix_error_argument")
})

test_that("a function without a name gets an example", {
  expect_error(metric_custom(function(y) 1), "?metric_custom", fixed = TRUE)
})

test_that("the name of a custom metric is one string", {
  for (name in list(3, c("a", "b"), character())) {
    expect_error(metric_custom(function(relevance) 1, name = name), "`name` must be one string",
                 class = "rankmix_error_argument")
  }
})
