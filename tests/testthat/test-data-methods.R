test_that("queries are selected by id, position or logical value", {
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
  expect_identical(data[seq_along(ids)], data)
})

test_that("unknown queries are refused", {
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

test_that("a data frame has all columns of the data", {
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
  expect_error(summary(data, by = "p"), "no argument `by`", class = "rankmix_error_argument")
  table <- summary(data)
  expect_identical(table$queries,
                   data.frame(query = c("q", "p"), documents = 2:1,
                              relevant = c(1L, 0L), highest = c(2L, 0L)))
  expect_identical(table$features,
                   data.frame(feature = c("a", "b"), missing = c(1, 3),
                              min = c(1, NA), mean = c(3, NA), max = c(5, NA)))
  expect_snapshot(print(table))
})

test_that("features are selected by name, position or logical value", {
  frame <- as.data.frame(random_data(queries = 8))
  names(frame)[3:6] <- c("a", "b", "c", "d")
  data <- ranking_data(frame, relevance, query)
  same <- function(part, wanted) {
    expect_identical(part$features, wanted)
    expect_identical(part$x, data$x[, wanted, drop = FALSE])
    expect_identical(part$relevance, data$relevance)
  }
  same(data[, c("c", "a")], c("c", "a"))
  same(data[, -2], c("a", "c", "d"))
  same(data[, data$features > "b"], c("c", "d"))
  same(subset(data, select = c(d, a)), c("d", "a"))
  same(subset(data, select = -c(b, c)), c("a", "d"))
  same(subset(data, select = "b"), "b")
  expect_identical(data[2:4, "b"], data[2:4][, "b"])
  expect_identical(data[2:4, ], data[2:4])
  expect_identical(data[, ], data)
  expect_identical(data[, c("a", "a")], data[, "a"])
  refuse <- function(code, class = "rankmix_error_feature") {
    expect_snapshot_error(code, class = class)
  }
  refuse(data[, "bb"])
  refuse(data[, 5])
  refuse(data[, TRUE])
  refuse(data[, 0], "rankmix_error_empty")
  refuse(subset(data, selct = "a"), "rankmix_error_argument")
})

test_that("a model of some features accepts data with all of them", {
  data <- read_letor(system.file("extdata", "train.txt.gz", package = "rankmix"))
  model <- fit(adaboost_mh(base_stump(), rounds = 3), data[, c("f4", "f2")])
  expect_silent(scores <- predict(model, data))
  expect_identical(predict(model, data[, c("f2", "f4")]), scores)
  expect_identical(predict(model, data$x), scores)
  expect_identical(predict(model, unname(data$x[, c(4, 2)])), scores)
  # Without names, features are matched by position.
  plain <- random_data(queries = 10)
  model <- fit(adaboost_mh(base_stump(), rounds = 3), plain[, c(3, 1)])
  scores <- predict(model, plain[, c(3, 1)])
  expect_identical(predict(model, plain), scores)
  expect_identical(predict(model, plain$x), scores)
  expect_identical(predict(model, plain$x[, c(3, 1)]), scores)
  expect_identical(predict(model, plain[, c(1, 3)]), scores)
  expect_error(predict(model, plain$x[, 1:3]), class = "rankmix_error_newdata")
})

test_that("all levels of a factor are selected together", {
  set.seed(2)
  frame <- data.frame(grade = sample(0:2, 60, TRUE), q = rep(1:12, 5), a = rnorm(60),
                      colour = factor(sample(c("red", "blue", "green"), 60, TRUE)),
                      size = factor(sample(1:3, 60, TRUE), ordered = TRUE))
  data <- ranking_data(frame, grade, q)
  expect_identical(data[, c("colour", "a")]$features,
                   c("colour=blue", "colour=green", "colour=red", "a"))
  expect_snapshot_error(data[, "colour=red"], class = "rankmix_error_feature")
  expect_error(data[, -2], class = "rankmix_error_feature")
  # The remaining columns encode new data in the same way.
  less <- data[, c("size", "colour")]
  expect_identical(as.data.frame(less)[c("colour", "size")], frame[c("colour", "size")])
  model <- fit(adaboost_mh(base_stump(), rounds = 3), less)
  expect_silent(scores <- predict(model, frame))
  expect_identical(predict(model, data), scores)
  without <- data[, c("a", "size")]
  expect_length(without$encoding, 1L)
  model <- fit(adaboost_mh(base_stump(), rounds = 3), without)
  frame$colour <- as.character(frame$colour)
  expect_silent(predict(model, frame))
  # A feature that is computed from a column of a factor can be selected alone.
  both <- standardize_queries(data, add = TRUE)
  expect_identical(both[, c("a", "colour=red_std")]$features, c("a", "colour=red_std"))
})

test_that("queries are selected by the columns of the summary", {
  data <- random_data(queries = 10, seed = 4)
  table <- summary(data)$queries
  keep <- table$relevant > 1 & table$documents < 12
  expect_identical(subset(data, relevant > 1 & documents < 12), data[which(keep)])
  few <- 5
  expect_identical(subset(data, documents >= few), data[table$documents >= 5])
  expect_identical(subset(data, query %in% c("2", "5")), data[c("2", "5")])
  expect_identical(subset(data, highest == 2, 1:2), data[table$highest == 2, 1:2])
  expect_identical(subset(data), data)
  expect_snapshot_error(subset(data, relevnt > 1), class = "rankmix_error_argument")
  expect_snapshot_error(subset(data, TRUE), class = "rankmix_error_argument")
  expect_error(subset(data, documents > 99), class = "rankmix_error_empty")
  weighted <- ranking_data(data$x, data$relevance, data$query, weight = data$query)
  expect_identical(subset(weighted, weight > 7), weighted[weighted$weight > 7])
})

test_that("features that cannot be selected are named", {
  data <- random_data(queries = 6, seed = 1)
  colnames(data$x) <- data$features <- paste0("signal", seq_along(data$features))
  error <- expect_error(subset(data, select = c(signal1, signla2)), "Did you mean `signal2`?",
                        fixed = TRUE, class = "rankmix_error_feature")
  expect_identical(as.character(error$call[[1L]]), "subset")
})

test_that("head() and tail() show documents, as nrow() counts them", {
  data <- random_data(queries = 8, features = 3)
  all <- as.data.frame(data)
  for (n in c(6L, 2L, -3L, nrow(data) + 1L)) {
    expect_equal(head(data, n), head(all, n))
    expect_equal(tail(data, n), tail(all, n))
  }
  expect_equal(head(data), head(all))
  weighted <- ranking_data(data.frame(a = 1:4, colour = factor(c("r", "g", "g", "b"))),
                           relevance = c(0, 1, 2, 0), query = c(2, 1, 1, 2),
                           document = letters[1:4], weight = c(2, 1, 1, 2), position = 4:1)
  expect_equal(head(weighted, 3), head(as.data.frame(weighted), 3))
  # A logical vector with one value for each document must select whole queries.
  expect_identical(data[data$query %in% c(2, 5)], data[c(2, 5)])
  expect_snapshot_error(weighted[c(TRUE, TRUE, FALSE, FALSE)], class = "rankmix_error_query")
  expect_snapshot_error(weighted[1:4], class = "rankmix_error_query")
})

test_that("the summary shows few digits", {
  data <- ranking_data(matrix(c(1, 2, 3) / 7), c(0, 1, 2), c(1, 1, 1))
  expect_match(paste(capture.output(print(summary(data))), collapse = "\n"), "0.1429 0.2857 0.4286", fixed = TRUE)
})

test_that("the columns of ranking data are named by their features", {
  data <- random_data(queries = 6, features = 3)
  expect_identical(colnames(data), data$features)
  expect_null(rownames(data))
})

test_that("a query that is selected twice is an error that names the remedy", {
  data <- random_data(queries = 4)
  expect_error(data[c(1, 3, 1)], "Taken several times: `1`", class = "rankmix_error_query")
  expect_error(data[c("2", "2", "4", "4")], "Taken several times: `2`, `4`", class = "rankmix_error_query")
  expect_identical(data[c(3, 1)]$query_ids, data[c(1, 3)]$query_ids)
})
