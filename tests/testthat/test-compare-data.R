# A benchmark of functions, and its data with ids, weights and folds.
weighted_benchmark <- function() {
  data <- random_data(queries = 12, features = 3, seed = 4)
  ranking_data(data$x, data$relevance, paste0("q", data$query), paste0("d", seq_len(nrow(data))),
               1 + data$query %% 2)
}

column_benchmark <- function(data, folds, ...) {
  rankers <- list(a = function(data) data$x[, 1], b = function(data) data$x[, 2])
  benchmark_rankers(rankers, folds, data = data, seed = 1, verbose = FALSE, ...)
}

# A copy of the data with other values of some fields.
changed <- function(data, x = data$x, relevance = data$relevance, query = data$query_ids[data$query],
                    document = data$document, weight = data$weight[data$query]) {
  ranking_data(x, relevance, query, document, weight)
}

test_that("the data of a benchmark are recognised, in any form", {
  tested <- rankmix:::tested_parts
  data <- weighted_benchmark()
  folds <- query_folds(data, 3, seed = 1)
  benchmark <- column_benchmark(data, folds)
  parts <- lapply(1:3, function(fold) split_parts(folds, data, fold))
  expected <- stats::setNames(lapply(parts, `[[`, "test"), paste0("fold", 1:3))
  expect_equal(tested(benchmark, data), expected)
  expect_equal(tested(benchmark, parts), expected)
  expect_equal(tested(benchmark, stats::setNames(parts, names(expected))[3:1]), expected)
  # Queries that are in no test part are ignored.
  other <- random_data(queries = 3, features = 3, seed = 5)
  n <- nrow(other)
  more <- c(data, ranking_data(other$x, other$relevance, paste0("other", other$query), paste0("e", 1:n), rep(1, n)))
  expect_equal(lapply(tested(benchmark, more), `[[`, "x"), lapply(expected, `[[`, "x"))
  one <- column_benchmark(NULL, parts[[2L]])
  expect_equal(tested(one, parts[[2L]]), list(test = parts[[2L]]$test))
  expect_equal(tested(one, list(test = parts[[2L]])), list(test = parts[[2L]]$test))
  several <- column_benchmark(NULL, stats::setNames(parts, c("x", "y", "z")))
  expect_equal(tested(several, data), stats::setNames(expected, c("x", "y", "z")))
})

test_that("sparse features have digests of their values", {
  skip_if_not_installed("Matrix")
  data <- weighted_benchmark()
  x <- data$x
  x[abs(x) < 0.5] <- 0
  sparse <- changed(data, x = Matrix::Matrix(x, sparse = TRUE))
  folds <- query_folds(sparse, 3, seed = 1)
  benchmark <- column_benchmark(sparse, folds)
  expect_equal(as.matrix(rankmix:::tested_parts(benchmark, sparse)$fold2$x),
               as.matrix(split_parts(folds, sparse, 2)$test$x))
  x[which(x != 0)[3L]] <- 7
  expect_error(rankmix:::tested_parts(benchmark, changed(data, x = Matrix::Matrix(x, sparse = TRUE))),
               "the values of the feature `x1` differ", class = "rankmix_error_data")
  # A stored zero is equal to an absent entry.
  stored <- sparse$x
  stored@x[1L] <- 0
  dropped <- Matrix::drop0(stored)
  expect_identical(rankmix:::sparse_digests(stored), rankmix:::sparse_digests(dropped))
  expect_false(identical(rankmix:::sparse_digests(stored), rankmix:::sparse_digests(sparse$x)))
})

test_that("a digest changes with any value, and with no other feature", {
  data <- random_data(queries = 4, features = 4, seed = 2)
  digests <- rankmix:::feature_digests(data)
  expect_named(digests, data$features)
  expect_identical(anyDuplicated(unname(digests)), 0L)
  for (i in c(1L, nrow(data))) {
    for (j in 1:4) {
      other <- data
      other$x[i, j] <- other$x[i, j] + 1e-9
      expect_identical(which(unname(rankmix:::feature_digests(other) != digests)), j)
    }
  }
  part <- data[2:3]
  expect_identical(rankmix:::feature_digests(data, which(data$query %in% 2:3)), rankmix:::feature_digests(part))
  expect_null(rankmix:::feature_digests(binned_data(data, max_bin = 4)))
})

test_that("other data are an error with the first difference", {
  data <- weighted_benchmark()
  folds <- query_folds(data, 3, seed = 1)
  benchmark <- column_benchmark(data, folds)
  check <- function(data) rankmix:::tested_parts(benchmark, data)
  n <- nrow(data)
  test <- benchmark$data$fold1$test
  first <- match(test$query_ids[1L], data$query_ids)
  rows <- which(data$query == first)
  swap <- replace(seq_len(n), rows[1:2], rows[2:1])
  grade <- replace(data$relevance, rows[2L], data$relevance[rows[2L]] + 1)
  lines <- data$query_ids[data$query]
  moved <- data$x
  moved[, 2:3] <- moved[, 2:3] * 2
  renamed <- data$x
  colnames(renamed) <- c("x1", "other", "x3")
  expect_snapshot(error = TRUE, {
    check(data[setdiff(seq_along(data$query_ids), first)])
    check(ranking_data(data$x[-rows[1L], ], data$relevance[-rows[1L]], lines[-rows[1L]], data$document[-rows[1L]],
                       data$weight[data$query[-rows[1L]]]))
    check(changed(data, relevance = grade))
    check(changed(data, document = data$document[swap]))
    check(changed(data, document = NULL))
    check(changed(data, weight = 2 * data$weight[data$query]))
    check(changed(data, weight = NULL))
    check(changed(data, x = moved))
    check(changed(data, x = renamed))
    check(changed(data, x = data$x[, 1:2]))
    check(changed(data, x = cbind(data$x, 1:n)))
    check(binned_data(data))
    check(data$x)
    check(list(1))
    check(lapply(1:2, function(fold) split_parts(folds, data, fold)))
    check(lapply(3:1, function(fold) split_parts(folds, data, fold)))
    check(ranking_data(data$x, query = lines))
  })
  order <- order(-seq_len(n))
  reversed <- ranking_data(data$x[order, ], data$relevance[order], lines[order], data$document[order],
                           data$weight[data$query[order]])
  expect_error(check(reversed), "row [0-9]+ belongs to query q[0-9]+, and belonged to q[0-9]+ in the benchmark",
               class = "rankmix_error_data")
})

test_that("benchmarks without digests compare the judgements", {
  data <- weighted_benchmark()
  benchmark <- column_benchmark(data, query_folds(data, 3, seed = 1))
  for (fold in names(benchmark$data)) benchmark$data[[fold]]$features <- NULL
  expect_named(rankmix:::tested_parts(benchmark, changed(data, x = data$x * 2)), names(benchmark$data))
  expect_error(rankmix:::tested_parts(benchmark, changed(data, relevance = rev(data$relevance))),
               class = "rankmix_error_data")
})
