content_data <- function(x = NULL) {
  data <- random_data(queries = 8, features = 3, seed = 2)
  if (is.null(x)) {
    x <- data$x
    x[2, 1] <- NA
    x[3, 2] <- -0
    x[5, ] <- 0
  }
  ranking_data(x, data$relevance, data$query)
}

test_that("documents of a query are in the order of a digest of their content", {
  data <- content_data()
  rows <- rankmix:::rows_of_content(data, 1L) + 1L
  expect_identical(data$query[rows], sort(data$query))
  expect_identical(content_positions(data)[rows], sequence(diff(data$offsets)))
  skip_if_not_installed("Matrix")
  sparse <- content_data(Matrix::Matrix(data$x, sparse = TRUE))
  expect_identical(rankmix:::rows_of_content(sparse, 2L) + 1L, rows)
})

test_that("data in content order are the same for any order of the rows", {
  data <- content_data()
  weight <- seq_along(data$query_ids) / 2
  written <- function(rows) {
    ranking_data(data$x[rows, ], data$relevance[rows], paste0("q", data$query[rows]),
                 document = paste(rows), weight = weight[data$query[rows]])
  }
  one <- written(seq_len(nrow(data$x)))
  by_content <- rankmix:::data_by_content(one, 1L)
  other <- written(withr::with_seed(1, sample(nrow(data$x))))
  expect_false(identical(other, one))
  expect_identical(rankmix:::data_by_content(other, 2L), by_content)
  # Both objects have the same data in another order.
  rows <- as.integer(by_content$document)
  expect_identical(sort(rows), seq_len(nrow(data$x)))
  expect_identical(by_content$x, one$x[rows, ])
  expect_identical(by_content$relevance, one$relevance[rows])
  expect_identical(by_content$query_ids[by_content$query], one$query_ids[one$query][rows])
  expect_identical(by_content$weight[by_content$query], one$weight[one$query][rows])
  expect_identical(by_content$order, seq_along(rows) - 1L)
  expect_identical(diff(by_content$offsets), tabulate(by_content$query))
})

test_that("equal documents that were shown at different positions are distinguished by these", {
  x <- matrix(1, 4, 2)
  data <- ranking_data(x, c(0, 0, 0, 0), rep("a", 4), position = c(3, 1, 4, 2))
  expect_identical(rankmix:::rows_of_content(data, 1L), c(1L, 3L, 0L, 2L))
})

test_that("smoothrank() treats whole weights of queries as copies, bit for bit, at its default settings", {
  data <- example_part("vali")[seq_len(at_size(8, 12))]
  weight <- rep_len(c(1, 0, 3, 2), length(data$query_ids))
  weighted <- data
  weighted$weight <- weight
  copies <- lapply(1:3, function(k) {
    part <- data[which(weight >= k)]
    part$query_ids <- paste(part$query_ids, k)
    part
  })
  trained <- function(data) coef(fit(smoothrank(), data, seed = 1, verbose = FALSE))
  expect_identical(trained(weighted), trained(do.call("c", copies)))
})
