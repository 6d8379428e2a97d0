test_that("metrics are on the scale of the highest grade of all folds", {
  data <- ranking_data(cbind(c(1:4, 4:1, 1:4)), c(0, 1, 2, 4, 0, 1, 2, 2, 0, 0, 1, 2),
                       rep(1:3, each = 4))
  folds <- list(a = list(train = data["3"], test = data["1"]),
                b = list(train = data["3"], test = data["2"]))
  result <- benchmark_rankers(list(x = function(data) data$x[, 1]), folds, "err",
                              verbose = FALSE)
  both <- data[c("1", "2")]
  expect_identical(result$results$value, evaluate(both$x[, 1], both, metric_err(max_grade = 4))$value)
  expect_identical(unique(result$results$metric), "err")
})

test_that("queries of different folds may have the same ids", {
  data <- benchmark_data()
  parts <- split_parts(query_folds(data, 3, seed = 5), data, 1)
  renamed <- function(data) {
    ranking_data(data$x, data$relevance, paste0("q", data$query))
  }
  two <- list(a = list(train = parts$train, test = renamed(parts$test)),
              b = list(train = parts$train, test = renamed(parts$valid)))
  expect_false(any(two$a$test$query_ids %in% parts$train$query_ids))
  benchmark <- benchmark_rankers(list(
    first = function(data) data$x[, 1],
    # This ranker ranks like the first ranker in one fold only.
    half = function(data) data$x[, if (nrow(data$x) == nrow(two$b$test$x)) 1 else 2]
  ), two, verbose = FALSE)
  pair <- tidy(compare_rankers(benchmark, seed = 1))
  queries <- c(length(two$a$test$query_ids), length(two$b$test$query_ids))
  expect_gte(pair$identical, queries[2] / sum(queries))
  expect_lt(pair$identical, 1)
  whole <- summary(benchmark)
  expect_identical(whole$queries, rep(sum(queries), 2))
})

test_that("folds may be given as they are", {
  parts <- list(train = example_part("train"), valid = example_part("vali"),
                test = example_part("test"))
  one <- benchmark_rankers(small_rankers()["feature"], parts, verbose = FALSE)
  named <- benchmark_rankers(small_rankers()["feature"], list(a = parts, b = parts[-2]),
                             verbose = FALSE)
  expect_identical(unique(named$results$fold), c("a", "b"))
  expect_identical(named$results$value[named$results$fold == "b"], one$results$value)
})

test_that("folds of queries ask for their data", {
  data <- random_data(queries = 12, seed = 3)
  expect_error(benchmark_rankers(best_feature(), query_folds(data, 3, seed = 1)),
               "`data` is not given", class = "rankmix_error_argument")
})

test_that("the error for other objects names the call that makes folds", {
  data <- random_data(queries = 9, features = 2)
  rankers <- list(a = best_feature(), b = best_feature(metric_err()))
  expect_error(benchmark_rankers(rankers, 3, data = data), "`folds = query_folds(data, 3)`", fixed = TRUE)
  expect_error(benchmark_rankers(rankers, query_folds(data, 3), data = data, n_jobs = 2), "Did you mean `threads`",
               fixed = TRUE)
  expect_error(learning_curve(rankers, data), "`data` must be a list of folds", fixed = TRUE)
  expect_error(learning_curve(rankers, data, eval_metric = "map"), "Did you mean `metric`", fixed = TRUE)
})

test_that("weights of test queries are needed in all folds or in none", {
  data <- random_data(queries = 9)
  weighted <- data
  weighted$weight <- 1:9
  expect_error(benchmark_rankers(list(a = best_feature()), list(list(train = data[1:3], test = weighted[4:6]),
                                                               list(train = data[1:3], test = data[7:9]))),
               "Some folds have weights", class = "rankmix_error_argument")
})
