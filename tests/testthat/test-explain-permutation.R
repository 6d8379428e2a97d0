test_that("drops are those of shuffles within queries, with intervals over queries", {
  data <- random_data(queries = 15, features = 3)
  model <- fit(gbrt(trees = 8, num_leaves = 6, min_data_in_leaf = 1), data)
  table <- permutation_importance(model, data, metric_ndcg(5), times = 4, seed = 3)
  before <- evaluate(model, data, metric_ndcg(5, ties = "average"))$value
  shuffles <- with_seed(3, lapply(1:4, function(t) shuffled_rows(data)))
  for (j in 1:3) {
    after <- sapply(shuffles, function(rows) {
      x <- data$x
      x[, j] <- x[rows, j]
      evaluate(predict(model, x), data, metric_ndcg(5, ties = "average"))$value
    })
    drop <- before - rowMeans(after)
    drop <- drop[!is.nan(drop)]
    row <- table[table$feature == data$features[j], ]
    expect_equal(row$drop, mean(drop))
    expect_equal(row$se, sd(drop) / sqrt(length(drop)))
    expect_equal(row$upper, mean(drop) + qt(0.975, length(drop) - 1) * row$se)
  }
  expect_equal(attr(table, "value"), mean(before, na.rm = TRUE))
  expect_false(is.unsorted(-table$drop))
  expect_identical(permutation_importance(model, data, metric_ndcg(5), times = 4, seed = 3), table)
})

test_that("values stay in their query, and all orders come up", {
  data <- random_data(queries = 40)
  set.seed(1)
  rows <- shuffled_rows(data)
  expect_identical(data$query[rows], data$query)
  expect_identical(sort(rows), seq_along(rows))
  expect_false(identical(rows, seq_along(rows)))
  three <- ranking_data(matrix(c(1, 2, 3)), c(0, 1, 2), c(1, 1, 1))
  seen <- replicate(200, paste(shuffled_rows(three), collapse = ""))
  expect_length(unique(seen), 6L)
})

test_that("a feature that moves nothing costs nothing", {
  data <- random_data(queries = 20, features = 3)
  data$x[, 3] <- data$query
  table <- permutation_importance(function(data) data$x[, 1] + 100 * data$x[, 3], data, times = 2)
  expect_identical(table$drop[table$feature != "x1"], c(0, 0))
  expect_identical(permutation_importance(function(data) data$x[, 1], data, features = "x1",
                                          times = 2, seed = 1)$feature, "x1")
})

test_that("bad input is reported, and the table is printed", {
  train <- example_part("train")
  model <- fit(gbrt(20), train, threads = 1)
  expect_snapshot_error(permutation_importance(model, train, features = "nothing"),
                        class = "rankmix_error_argument")
  expect_snapshot_error(permutation_importance(model, train$x), class = "rankmix_error_argument")
  expect_snapshot_error(permutation_importance(gbrt(), train), class = "rankmix_error_scores")
  expect_snapshot_error(permutation_importance(model, train, list(metric_ndcg(5), metric_err())),
                        class = "rankmix_error_argument")
  expect_output(print(permutation_importance(model, train, times = 2, seed = 1)),
                "ndcg@10.*drops by.*feature +drop")
})
