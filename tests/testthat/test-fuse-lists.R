first <- run_of(list(q1 = c(a = 3, b = 2), q2 = c(a = 1)))
refuse <- function(code, class) expect_snapshot_error(code, class = class)

test_that("runs that have nothing in common are refused", {
  topics <- as_run(data.frame(query = c("1", "2"), document = "a", score = 1))
  refuse(fuse(list(first = first, other = topics)), "rankmix_error_topics")
  refuse(fuse(list(first = first, again = first, other = topics)), "rankmix_error_topics")
  documents <- as_run(data.frame(query = c("q1", "q1", "q2"), document = c("A", "B", "A"),
                                 score = 1))
  refuse(fuse(list(first = first, other = documents)), "rankmix_error_document")
  refuse(fuse(list(first = first, again = first, other = documents)),
         "rankmix_error_document")
  data <- ranking_data(cbind(1:4), c(0, 1, 0, 1), c(1, 1, 2, 2))
  refuse(fuse(list(a = c(1, NA, 2, NA), b = c(NA, 1, NA, 2)), data), "rankmix_error_document")
  refuse(fuse(list(a = c(1, 2, NA, NA), b = c(NA, NA, 1, 2)), data), "rankmix_error_topics")
  # One common document of one query is enough.
  near <- documents
  near$document[3] <- "a"
  expect_identical(nrow(fuse(list(first = first, near = near))), 5L)
})

test_that("a document occurs once in a query of a run", {
  twice <- data.frame(query = "q1", document = c("a", "b", "a"), score = 1:3)
  refuse(fuse(list(first = first, twice = twice)), "rankmix_error_document")
  twice <- first
  twice$document[2] <- "a"
  refuse(fuse(list(twice = twice, first = first)), "rankmix_error_document")
})

test_that("data frames are read as runs", {
  refuse(fuse(list(first = first, other = data.frame(query = 1, score = 2))),
         "rankmix_error_column")
  refuse(fuse(list(first = first, other = data.frame(query = "q1", document = "a",
                                                     score = NA_real_))),
         "rankmix_error_scores")
  broken <- first
  broken$score[2] <- NaN
  expect_error(fuse(list(first = first, other = broken)), class = "rankmix_error_scores")
  # Ids may be numbers, and ranks may replace scores.
  plain <- data.frame(query = c(1, 1), document = c(7, 8), rank = 1:2)
  scored <- as_run(data.frame(query = "1", document = c("8", "7"), score = 1:2))
  fused <- fuse(list(plain = plain, scored = scored))
  expect_identical(fused$document, c("7", "8"))
  expect_equal(fused$score, c(2 / 61, 2 / 62))
})

test_that("ids are compared as text, whatever their encoding", {
  utf8 <- "caf\u00e9"
  latin1 <- iconv(utf8, "UTF-8", "latin1")
  a <- as_run(data.frame(query = "q", document = c(utf8, "x"), score = 2:1))
  b <- a
  b$document[1] <- latin1
  fused <- fuse(list(a = a, b = b))
  expect_identical(nrow(fused), 2L)
  expect_equal(fused$score[1], 2 / 61)
})

test_that("columns of scores are checked", {
  data <- random_data()
  n <- nrow(data$x)
  refuse(fuse(list(a = data$x[, 1], b = 1), data), "rankmix_error_scores")
  refuse(fuse(list(a = data$x[, 1], b = rep("x", n)), data), "rankmix_error_scores")
  refuse(fuse(data.frame(a = seq_len(n), b = seq_len(n)), data, ties = "document"),
         "rankmix_error_document")
  # Rankers and functions are applied to the data.
  model <- fit(gbrt(trees = 3), data)
  asked <- fuse(list(model = model, first = function(data) data$x[, 1]), data)
  expect_identical(asked, fuse(list(model = predict(model, data), first = data$x[, 1]), data))
})

test_that("parts of lists agree with the whole", {
  runs <- lapply(random_runs(2), run_of)
  lists <- rankmix:::fusion_lists(runs, NULL, 1L)
  part <- rankmix:::take_lists(lists, c(3L, 1L))
  expect_identical(part$query_ids, lists$query_ids[c(3, 1)])
  expect_identical(part$scores, lists$scores[part$rows, ])
  expect_identical(lists$query[part$rows], c(3L, 1L)[part$query])
  expect_identical(part$query[part$order + 1L], sort(part$query))
})
