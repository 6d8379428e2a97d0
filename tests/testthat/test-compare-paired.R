test_that("NaN leaves a query out and NA counts as 0", {
  a <- c(0.5, NaN, 0.4, NA)
  b <- c(0.1, NaN, 0.2, 0.3)
  compared <- compare_values(a, b)
  expect_identical(compared$pairs$queries, 3L)
  expect_equal(compared$pairs$difference, mean(c(0.4, 0.2, -0.3)))
  expect_identical(compared$rankers$undefined, c(1, 0))
})

test_that("weights of queries are used", {
  data <- example_part("test")
  weight <- rep_len(c(1, 3), length(data$query_ids))
  weighted <- ranking_data(data$x, data$relevance, data$query, weight = weight[data$query])
  compared <- compare_rankers(a = data$x[, 1], b = data$x[, 2], data = weighted,
                              metric = metric_ndcg(10), seed = 1)
  each <- evaluate(list(a = data$x[, 1], b = data$x[, 2]), weighted, metric_ndcg(10))
  d <- with(each, value[ranker == "a"] - value[ranker == "b"])
  expect_equal(compared$pairs$difference, sum(weight * d) / sum(weight))
  n <- length(d)
  se <- sqrt(n / (n - 1) * sum((weight * (d - compared$pairs$difference))^2)) / sum(weight)
  expect_equal(compared$pairs$p_t, 2 * stats::pt(-abs(compared$pairs$difference / se),
                              sum(weight)^2 / sum(weight^2) - 1))
  expect_identical(compared$pairs$p_wilcoxon, NA_real_)
  # A query counts as often as its weight.
  often <- rep(d, weight)
  expect_equal(compared$pairs$effect * sqrt(n / (n - 1)),
               mean(often) / sqrt(mean((often - mean(often))^2)))
  one <- weighted[1]
  alone <- compare_rankers(a = one$x[, 1], b = one$x[, 2], data = one, metric = metric_ndcg(10))
  expect_identical(alone$pairs$p_t, 1)
  expect_error(compare_rankers(a = data$x[, 1], b = data$x[, 2], data = weighted,
                               metric = metric_ndcg(10), test = "wilcoxon"),
               class = "rankmix_error_argument")
})

test_that("different weights, and queries that all do not count, are refused", {
  data <- random_data(queries = 6)
  weighted <- function(weight) {
    data$weight <- weight
    evaluate(data$x[, 1], data, "ndcg@5")
  }
  expect_error(compare_rankers(a = weighted(1:6), b = weighted(6:1)), "different weights",
               class = "rankmix_error_queries")
  data$relevance[] <- 0L
  nothing <- evaluate(data$x[, 1], data, metric_ndcg(5, empty = "drop"))
  expect_error(compare_rankers(a = nothing, b = nothing), "No query counts", class = "rankmix_error_values")
})
