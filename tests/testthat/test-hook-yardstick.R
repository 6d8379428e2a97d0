test_that("the value is the mean that evaluate() gives", {
  local_known_warnings("ties")
  data <- random_data(queries = 20, seed = 6)
  scores <- round(data$x[, 1], 1)
  query <- paste0("q", data$query_ids[data$query])
  for (name in rankmix:::metric_names()) {
    metric <- rankmix:::component_constructor("metric", name)
    expect_identical(metric_vec(metric(), data$relevance, scores, query),
                     summary(evaluate(scores, data, metric()))$mean, label = name)
  }
  expect_identical(metric_vec("ndcg@3(ties = \"average\")", data$relevance, scores, factor(query)),
                   summary(evaluate(scores, data, metric_ndcg(3, ties = "average")))$mean)
})

test_that("weights, several queries and missing values are used", {
  data <- random_data(queries = 20, seed = 6)
  scores <- data$x[, 1]
  weight <- runif(20)[data$query]
  weighted <- ranking_data(data$x, data$relevance, data$query, weight = weight)
  expect_equal(metric_vec("ndcg", data$relevance, scores, data$query, case_weights = weight),
               summary(evaluate(scores, weighted, metric_ndcg()))$mean, tolerance = 1e-14)
  expect_identical(metric_vec("ndcg", data$relevance, scores, list(data$query, data$query)),
                   metric_vec("ndcg", data$relevance, scores, data$query))
  holed <- replace(scores, 3, NA)
  expect_identical(metric_vec("ndcg", data$relevance, holed, data$query), NA_real_)
  expect_identical(metric_vec("ndcg", data$relevance, holed, data$query, na_rm = TRUE),
                   metric_vec("ndcg", data$relevance[-3], scores[-3], data$query[-3]))
  # Scores that equal the grades give no message about leaks.
  expect_silent(metric_vec("ndcg", data$relevance, data$relevance, data$query))
})

test_that("bad input is reported", {
  expect_snapshot_error(metric_vec("ndcg", c(1, 0), c(1, 2)), class = "rankmix_error_argument")
  expect_snapshot_error(metric_vec("ndcg", c(1, 0), 1, c(1, 1)), class = "rankmix_error_length")
  expect_snapshot_error(metric_vec("ndcg", c(1, Inf), c(1, 2), c(1, 1)), class = "rankmix_error_grade")
  expect_snapshot_error(metric_vec(metric_ndcg(1:2), c(1, 0), c(1, 2), c(1, 1)),
                        class = "rankmix_error_argument")
  expect_snapshot_error(metric_vec("ndcg", c(1, 0), c(1, 2), c(1, 1), cutoff = 2))
})

test_that("yardstick's summarizer accepts metric_vec()", {
  summarise <- from_package("yardstick", "numeric_metric_summarizer")
  data <- random_data(queries = 20, seed = 6)
  frame <- data.frame(grade = as.double(data$relevance), score = data$x[, 1])
  found <- summarise("ndcg", metric_vec, frame, grade, score,
                     fn_options = list(metric = "ndcg", query = data$query))
  expect_identical(found$.estimate, metric_vec("ndcg", frame$grade, frame$score, data$query))
})
