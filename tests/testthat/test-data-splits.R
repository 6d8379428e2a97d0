test_that("a split is a partition of the queries, the same for a seed", {
  data <- random_data(queries = 50)
  ids <- as.character(data$query_ids)
  for (stratify in c(FALSE, TRUE)) {
    split <- split_queries(data, 0.8, stratify = stratify, seed = 3)
    expect_setequal(c(split$train, split$test), ids)
    expect_length(split$train, 40)
    expect_length(split$test, 10)
    expect_identical(split, split_queries(data, 0.8, stratify = stratify, seed = 3))
    expect_false(identical(split$train, split_queries(data, 0.8, stratify = stratify,
                                                      seed = 4)$train))
  }
  parts <- split_parts(split, data)
  expect_identical(as.character(parts$test$query_ids), split$test)
  expect_identical(nrow(parts$train$x) + nrow(parts$test$x), nrow(data$x))
})

test_that("each query tests once and validates once", {
  data <- random_data(queries = 23)
  for (stratify in c(FALSE, TRUE)) {
    folds <- query_folds(data, 5, stratify = stratify, seed = 1)
    for (part in c("test", "valid")) {
      assigned <- unlist(lapply(folds$folds, `[[`, part))
      expect_identical(sort(assigned), sort(as.character(data$query_ids)))
    }
    for (fold in folds$folds) {
      expect_setequal(unlist(fold), as.character(data$query_ids))
      expect_identical(anyDuplicated(unlist(fold)), 0L)
    }
  }
  parts <- split_parts(folds, data, fold = 2)
  expect_identical(names(parts), c("train", "valid", "test"))
  expect_setequal(as.character(parts$valid$query_ids), folds$folds[[2]]$valid)
})

test_that("set.seed() decides, and a seed does not change the generator", {
  data <- random_data(queries = 30)
  set.seed(1)
  first <- split_queries(data, 0.5)
  set.seed(1)
  expect_identical(split_queries(data, 0.5), first)
  set.seed(1)
  expected <- runif(1)
  set.seed(1)
  split_queries(data, 0.5, seed = 9)
  expect_identical(runif(1), expected)
})

test_that("stratified parts are similar", {
  set.seed(1)
  sizes <- rep(c(2, 40), each = 50)
  query <- rep(seq_along(sizes), sizes)
  data <- ranking_data(matrix(0, length(query)), rbinom(length(query), 1, 0.3), query)
  spread <- function(stratify) {
    vapply(1:20, function(seed) {
      split <- split_queries(data, 0.8, stratify = stratify, seed = seed)
      long <- sizes[as.integer(split$test)] == 40
      mean(long)
    }, numeric(1))
  }
  expect_true(all(spread(TRUE) == 0.5))
  expect_gt(stats::sd(spread(FALSE)), 0.03)
})

test_that("splits print, and impossible splits are refused", {
  data <- random_data(queries = 10)
  expect_snapshot(print(split_queries(data, 0.7, seed = 1)))
  expect_snapshot(print(query_folds(data, 3, stratify = TRUE, seed = 1)))
  expect_snapshot_error(split_queries(data, 0.01), class = "rankmix_error_argument")
  expect_snapshot_error(query_folds(data, 11), class = "rankmix_error_argument")
  expect_snapshot_error(query_folds(data, 2), class = "rankmix_error_argument")
  other <- ranking_data(matrix(0, 2), 0:1, c("a", "b"))
  expect_error(split_parts(split_queries(data, 0.5, seed = 1), other),
               class = "rankmix_error_query")
  expect_error(split_parts(query_folds(data, 3, seed = 1), data),
               class = "rankmix_error_argument")
})

test_that("queries are split into parts with given names", {
  data <- random_data(queries = 50, features = 2)
  fractions <- c(train = 0.6, valid = 0.2, test = 0.2)
  for (stratify in c(FALSE, TRUE)) {
    split <- split_queries(data, fractions, stratify = stratify, seed = 1)
    expect_identical(lengths(split[1:3]), c(train = 30L, valid = 10L, test = 10L))
    expect_setequal(unlist(split[1:3]), id_text(data$query_ids))
  }
  parts <- split_parts(split, data)
  expect_named(parts, names(fractions))
  expect_identical(id_text(parts$valid$query_ids), split$valid)
  expect_identical(split_queries(data, unname(fractions), seed = 2),
                   split_queries(data, fractions, seed = 2))
  # A single number is the fraction of the first of two parts.
  expect_identical(split_queries(data, c(0.8, 0.2), seed = 3), split_queries(data, 0.8, seed = 3))
  expect_identical(lengths(split_queries(data, c(a = 0.5, b = 0.3, c = 0.1, d = 0.1),
                                         seed = 1)[1:4]),
                   c(a = 25L, b = 15L, c = 5L, d = 5L))
  expect_snapshot(print(split))
  refuse <- function(code) expect_snapshot_error(code, class = "rankmix_error_argument")
  refuse(split_queries(data, c(train = 0.6, test = 0.3)))
  refuse(split_queries(data, c(0.4, 0.2, 0.2, 0.2)))
  refuse(split_queries(data, c(train = 0.99, valid = 0.005, test = 0.005)))
  refuse(split_queries(data, prop = 0.8))
  refuse(query_folds(data, v = 5))
  refuse(query_folds(data, k = 5))
})

test_that("split_parts() without `fold`, and a fraction for the test part, give an error with a remedy", {
  data <- random_data(queries = 9)
  folds <- query_folds(data, 3, seed = 1)
  expect_error(split_parts(folds[[1]], data), "`split_parts(folds, data, fold = 1)`", fixed = TRUE)
  expect_error(split_queries(data, test_size = 0.2), "write `fraction = 0.8`", fixed = TRUE)
})

test_that("splits do not depend on the order of rows and queries", {
  set.seed(1)
  for (ids in list(1:40, paste0("q", 1:40), c(1:20, paste0("q", 1:20)))) {
    query <- rep(ids, each = 3)
    data <- ranking_data(matrix(rnorm(120)), rep(0:2, 40), query)
    rows <- sample(120)
    other <- ranking_data(data$x[rows, , drop = FALSE], data$relevance[rows], query[rows])
    for (stratify in c(FALSE, TRUE)) {
      parts <- lapply(list(data, other), function(x) lapply(split_queries(x, 0.7, stratify, seed = 2)[1:2], sort))
      expect_identical(parts[[2L]], parts[[1L]])
      folds <- lapply(list(data, other), function(x) {
        lapply(query_folds(x, 4, stratify, seed = 2)$folds, lapply, sort)
      })
      expect_identical(folds[[2L]], folds[[1L]])
    }
  }
  # Whole numbers are in the order of numbers.
  expect_identical(queries_by_id(list(query_ids = c(10L, 9L, 100L))), c(2L, 1L, 3L))
  expect_identical(queries_by_id(list(query_ids = c("q10", "q9", "q100"))), c(1L, 3L, 2L))
})
