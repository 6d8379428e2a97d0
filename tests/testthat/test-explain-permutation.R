test_that("drops agree with shuffles within queries, with intervals over queries", {
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

test_that("a level of 1, which has no interval, is refused", {
  data <- random_data(queries = 5, features = 2)
  expect_error(permutation_importance(fit(best_feature(), data), data, times = 1, level = 1),
               "confidence level", class = "rankmix_error_argument")
})

test_that("values stay in their query, and all orders occur", {
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
                "drop of ndcg@10.*feature +drop")
})

test_that("print() has decimals, and a warning is shown once", {
  named <- function(features) {
    data <- random_data(queries = 10, features = features)
    colnames(data$x) <- letters[seq_len(features)]
    ranking_data(data$x, data$relevance, data$query)
  }
  data <- named(3)
  model <- fit(gbrt(trees = 3), data)
  table <- permutation_importance(model, data, times = 2, seed = 1)
  table$drop[3] <- -1e-17
  text <- capture.output(print(table))
  expect_match(text[1], "drop of ndcg@10 (", fixed = TRUE)
  expect_no_match(text, "e-")
  more <- named(4)
  count <- 0
  withCallingHandlers({
    permutation_importance(model, more, times = 2, seed = 1)
    partial_dependence(model, more, more$features[1], points = 4)
  }, rankmix_warning_newdata = function(w) {
    count <<- count + 1
    rlang::cnd_muffle(w)
  })
  expect_identical(count, 2)
})

test_that("shuffles show progress", {
  data <- random_data(queries = 5, features = 2)
  reported <- NULL
  local_function("progress_bar", function(label, total, verbose) {
    list(report = function(done, total) reported <<- c(reported, done / total), close = function() NULL)
  })
  permutation_importance(function(data) data$x[, 1], data, times = 2, seed = 1)
  expect_equal(reported, 1:4 / 4)
})

test_that("all levels of a factor are shuffled together", {
  data <- ranking_data(colour_frame(), grade, query = query)
  # A document with two levels, or none, would be an error here.
  ranker <- function(data) {
    colour <- data$x[, startsWith(data$features, "colour="), drop = FALSE]
    expect_true(all(is.na(rowSums(colour)) | rowSums(colour) == 1))
    data$x[, "x"] + ifelse(is.na(colour[, 1]), 0, colour[, "colour=red"])
  }
  table <- permutation_importance(ranker, data, times = 3, seed = 1)
  expect_setequal(table$feature, c("colour", "size", "x"))
  shuffled <- with_seed(1, shuffled_rows(data))
  model <- fit(gbrt(trees = 10, num_leaves = 4, min_data_in_leaf = 3), data)
  one <- permutation_importance(model, data, times = 1, features = "colour", seed = 1)
  changed <- data
  columns <- startsWith(data$features, "colour=")
  changed$x[, columns] <- data$x[shuffled, columns]
  metric <- metric_ndcg(10, ties = "average")
  drop <- evaluate(model, data, metric)$value - evaluate(model, changed, metric)$value
  expect_equal(one$drop, mean(drop, na.rm = TRUE))
  expect_error(permutation_importance(model, data, features = "colour=red"), "`features = \"colour\"`",
               class = "rankmix_error_argument", fixed = TRUE)
})
