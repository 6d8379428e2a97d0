test_that("queries are taken by id, position or logical value", {
  data <- random_data(queries = 8)
  ids <- data$query_ids
  same <- function(part, wanted) {
    rows <- which(data$query_ids[data$query] %in% wanted)
    expect_identical(part$x, data$x[rows, , drop = FALSE])
    expect_identical(part$relevance, data$relevance[rows])
    expect_identical(part$query_ids[part$query], data$query_ids[data$query[rows]])
    expect_identical(part$features, data$features)
  }
  same(data[c(2, 5)], ids[c(2, 5)])
  same(data[c(5, 2)], ids[c(2, 5)])
  same(data[as.character(ids[3])], ids[3])
  same(data[-1], ids[-1])
  same(data[ids > 4], ids[ids > 4])
  same(head(data, 3), ids[1:3])
  same(head(data, -3), ids[1:5])
  expect_identical(data[seq_along(ids)], data)
})

test_that("queries that are not there are refused", {
  data <- random_data(queries = 3)
  expect_snapshot_error(data["x"], class = "rankmix_error_query")
  expect_snapshot_error(data[7], class = "rankmix_error_query")
  expect_snapshot_error(data[c(TRUE, FALSE)], class = "rankmix_error_query")
  expect_snapshot_error(data[0], class = "rankmix_error_empty")
  expect_error(data[c(1, -2)], class = "rankmix_error_query")
  expect_error(data[1.5], class = "rankmix_error_query")
  expect_error(data[NA], class = "rankmix_error_query")
})

test_that("parts are put together again", {
  data <- random_data(queries = 8)
  first <- as.character(data$query_ids[1:3])
  rest <- as.character(data$query_ids[-(1:3)])
  joined <- c(data[first], data[rest])
  expect_identical(nrow(joined$x), nrow(data$x))
  back <- function(d) {
    frame <- as.data.frame(d)
    frame <- frame[do.call(order, frame), ]
    row.names(frame) <- NULL
    frame
  }
  expect_identical(back(joined), back(data))
  expect_snapshot_error(c(data, data), class = "rankmix_error_query")
  twice <- c(data, data, shared = "same")
  expect_identical(twice$query_ids, data$query_ids)
  expect_identical(diff(twice$offsets), 2L * diff(data$offsets))
  apart <- c(data, data, shared = "new")
  expect_identical(apart$query_ids, c(paste0("1:", data$query_ids),
                                      paste0("2:", data$query_ids)))
  expect_snapshot_error(c(data, ranking_data(matrix(0, 1), 1, "z")),
                        class = "rankmix_error_feature")
  named <- ranking_data(data$x, data$relevance, -data$query, document = seq_along(data$query))
  expect_snapshot_error(c(data, named, shared = "same"),
                        class = "rankmix_error_document")
})

test_that("a data frame holds everything", {
  data <- ranking_data(cbind(a = c(1, NA), b = 3:4), c(0, 2), c("q", "p"),
                       document = c("x", "y"))
  expect_identical(
    as.data.frame(data),
    data.frame(query = c("q", "p"), relevance = c(0L, 2L), document = c("x", "y"),
               a = c(1, NA), b = c(3, 4))
  )
  again <- ranking_data(as.data.frame(data), "relevance", "query", "document")
  expect_identical(again$x[, ], data$x[, ])
})

test_that("a summary counts", {
  data <- ranking_data(cbind(a = c(1, NA, 5), b = NA_real_), c(0, 2, 0),
                       c("q", "q", "p"))
  table <- summary(data)
  expect_identical(table$queries,
                   data.frame(query = c("q", "p"), documents = 2:1,
                              relevant = c(1L, 0L), highest = c(2L, 0L)))
  expect_identical(table$features,
                   data.frame(feature = c("a", "b"), missing = c(1, 3),
                              min = c(1, NA), mean = c(3, NA), max = c(5, NA)))
  expect_snapshot(print(table))
})
