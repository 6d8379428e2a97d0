test_that("a partial dependence is the mean score with the value in every document", {
  data <- random_data(queries = 15, features = 3, distinct = 5)
  model <- fit(gbrt(trees = 8, num_leaves = 6, min_data_in_leaf = 1), data)
  table <- partial_dependence(model, data, c("x2", "x1"))
  expect_identical(table$feature, rep(c("x2", "x1"), each = 5))
  expect_identical(table$value, as.double(rep(1:5, 2)))
  x <- data$x
  x[, 2] <- 4
  expect_equal(table$score[4], mean(predict(model, x)))
})

test_that("values are quantiles if there are many", {
  x <- c(NA, 3, 1, 2, 2, 2)
  expect_identical(grid_values(x, 5), c(1, 2, 3))
  expect_identical(grid_values(1:101, 5), as.integer(c(1, 26, 51, 76, 101)))
})

test_that("bad input is reported", {
  data <- random_data()
  model <- fit(gbrt(trees = 3, num_leaves = 4, min_data_in_leaf = 1), data)
  expect_snapshot_error(partial_dependence(model, data, "y"), class = "rankmix_error_argument")
  expect_snapshot_error(partial_dependence(model, data, 1), class = "rankmix_error_argument")
  data$x[, 2] <- NA
  expect_snapshot_error(partial_dependence(model, data, "x2"), class = "rankmix_error_argument")
})

test_that("a missing feature gets an example", {
  data <- random_data(queries = 5, features = 2)
  expect_error(partial_dependence(data$x[, 1], data), "`data$features`", fixed = TRUE)
})

test_that("scores that have a meaning within a query only have no partial dependence", {
  data <- simulate_ranking(20, documents = 8, features = 5, seed = 1)$data
  staged <- fit(cascade(linear_ranker(penalty = 1), gbrt(3, min_data_in_leaf = 3), keep = 3), data, seed = 1,
                threads = 1, verbose = FALSE)
  expect_error(partial_dependence(staged, data, "signal1"), "within a query only", class = "rankmix_error_argument")
})

test_that("a factor has the value of each level in every document", {
  frame <- colour_frame()
  data <- ranking_data(frame, grade, query = query)
  model <- fit(gbrt(trees = 10, num_leaves = 4, min_data_in_leaf = 3), data)
  table <- partial_dependence(model, data, c("colour", "size", "x"), points = 3)
  expect_identical(table$feature, rep(c("colour", "size", "x"), each = 3))
  expect_identical(table$level, c("blue", "green", "red", rep(NA, 6)))
  expect_identical(table$value[1:6], as.double(rep(1:3, 2)))
  for (name in c("blue", "green", "red")) {
    changed <- frame
    changed$colour <- factor(name, levels(frame$colour))
    expect_equal(table$score[table$level %in% name], mean(predict(model, changed)))
  }
})

test_that("the most frequent levels are used, without levels that do not occur", {
  frame <- colour_frame()
  data <- ranking_data(frame, grade, query = query)
  model <- fit(gbrt(trees = 3, num_leaves = 4, min_data_in_leaf = 3), data)
  counts <- table(frame$colour)
  table <- partial_dependence(model, data, "colour", points = 2)
  expect_identical(table$level, sort(names(sort(-counts))[1:2]))
  expect_false("unused" %in% partial_dependence(model, data, "colour")$level)
})

test_that("a single level of a factor is refused", {
  data <- ranking_data(colour_frame(), grade, query = query)
  model <- fit(gbrt(trees = 3, num_leaves = 4, min_data_in_leaf = 3), data)
  expect_snapshot_error(partial_dependence(model, data, "colour=red"), class = "rankmix_error_argument")
})

test_that("the mean score is weighted", {
  data <- with_seed(1, ranking_data(matrix(stats::rnorm(60), 20), rep(0:1, 10), rep(1:4, each = 5)))
  weighted <- ranking_data(data$x, data$relevance, data$query, weight = rep(c(0, 1, 2, 0), each = 5))
  copied <- ranking_data(data$x[c(6:15, 11:15), ], data$relevance[c(6:15, 11:15)], rep(1:3, each = 5))
  product <- function(data) data$x[, 1] * data$x[, 2]
  score <- partial_dependence(product, weighted, "x1", points = 30)
  expect_equal(score$score, score$value * mean(copied$x[, 2]))
})
