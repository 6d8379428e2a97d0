test_that("queries keep together in any row order", {
  x <- matrix(1:8 / 8, 4, 2)
  data <- ranking_data(x, c(0, 1, 2, 0), c("b", "a", "b", "a"))
  expect_identical(data$query_ids, c("b", "a"))
  expect_identical(data$query, c(1L, 2L, 1L, 2L))
  expect_identical(data$order, c(0L, 2L, 1L, 3L))
  expect_identical(data$offsets, c(0L, 2L, 4L))
  expect_identical(data$x, x)
  expect_identical(dim(data), c(4L, 2L))
})

test_that("permuting rows permutes predictions and changes no metric", {
  data <- random_data(queries = 20)
  shuffle <- sample(nrow(data$x))
  moved <- ranking_data(data$x[shuffle, ], data$relevance[shuffle],
                        data$query_ids[data$query][shuffle])
  spec <- adaboost_mh(base_tree(4), rounds = 15)
  scores <- predict(fit(spec, data), data)
  expect_identical(predict(fit(spec, moved), moved), scores[shuffle])
  score <- function(s, d) {
    result <- evaluate(s, d, metric_ndcg())
    result$value[order(result$query)]
  }
  noise <- rnorm(nrow(data$x))
  expect_identical(score(noise, data), score(noise[shuffle], moved))
})

test_that("a data frame gives the same data as its parts", {
  frame <- data.frame(a = c(1, 2, NA), grade = c(0L, 1L, 2L),
                      b = c(TRUE, FALSE, TRUE), q = factor(c("u", "v", "u")))
  from_names <- ranking_data(frame, "grade", "q")
  from_parts <- ranking_data(frame[c("a", "b")], c(0, 1, 2), c("u", "v", "u"))
  expect_identical(from_names$features, c("a", "b"))
  expect_equal(from_names$x, from_parts$x)
  expect_identical(from_names$relevance, from_parts$relevance)
  expect_identical(from_names$query_ids, from_parts$query_ids)
})

test_that("ids may be numbers, strings or a factor", {
  x <- matrix(1:3 / 3)
  expect_identical(ranking_data(x, 0:2, c(7.5, 1, 7.5))$query_ids, c(7.5, 1))
  expect_identical(ranking_data(x, 0:2, c("b", "a", "b"))$query_ids, c("b", "a"))
  expect_identical(ranking_data(x, 0:2, factor(c("b", "a", "b")))$query_ids,
                   c("b", "a"))
})

test_that("printing shows queries, grades and constant features", {
  data <- ranking_data(
    cbind(a = c(1, 2, 3, 4, 5), flat = 3, gap = c(NA, 1, 2, 3, 4)),
    c(0, 2, 1, 0, 0), c(1, 1, 1, 2, 2)
  )
  expect_snapshot(print(data))
  expect_lte(length(capture.output(print(data))), 10L)
})

test_that("bad data are refused", {
  x <- matrix(c(1, 2, 3, 4), 2, dimnames = list(NULL, c("a", "b")))
  refuse <- function(code, class) expect_snapshot_error(code, class = class)
  refuse(ranking_data(x, c(0, 1, 2), 1:2), "rankmix_error_length")
  refuse(ranking_data(x, 0:1, 1:3), "rankmix_error_length")
  refuse(ranking_data(x, c(0, -Inf), 1:2), "rankmix_error_grade")
  refuse(ranking_data(x, c(NaN, 1.5), 1:2), "rankmix_error_grade")
  refuse(ranking_data(x, c(0, NA), 1:2), "rankmix_error_grade")
  refuse(ranking_data(x, c("0", "1"), 1:2), "rankmix_error_grade")
  refuse(ranking_data(x, 0:1, c(1, NA)), "rankmix_error_query")
  refuse(ranking_data(x, 0:1, list(1, 2)), "rankmix_error_length")
  refuse(ranking_data(x, 0:1, list()), "rankmix_error_query")
  refuse(ranking_data(x, 0:1, as.difftime(1:2, units = "days")), "rankmix_error_query")
  infinite <- x
  infinite[2, 2] <- -Inf
  refuse(ranking_data(infinite, 0:1, 1:2), "rankmix_error_feature")
  refuse(ranking_data(data.frame(a = letters[1:2]), 0:1, 1:2),
         "rankmix_error_feature")
  refuse(ranking_data("text", 0, 1), "rankmix_error_feature")
  refuse(ranking_data(x[, 0], 0:1, 1:2), "rankmix_error_feature")
  refuse(ranking_data(cbind(a = 1:2, a = 3:4), 0:1, 1:2),
         "rankmix_error_feature")
  refuse(ranking_data(data.frame(a = 1:2, a = 2:1, check.names = FALSE), 0:1, 1:2),
         "rankmix_error_feature")
  refuse(ranking_data(cbind(a = 1:2, 3:4), 0:1, 1:2), "rankmix_error_feature")
  refuse(ranking_data(x[0, ], integer(), integer()), "rankmix_error_empty")
  refuse(ranking_data(data.frame(a = 1:2, g = 0:1), "grade", "q"),
         "rankmix_error_column")
})

test_that("documents have ids if they are given", {
  frame <- data.frame(a = 1:3, grade = 0:2, q = c(1, 1, 2), doc = c(10, 2e5, 3))
  data <- ranking_data(frame, relevance = "grade", query = "q", document = "doc")
  expect_identical(data$document, c("10", "200000", "3"))
  expect_identical(data$features, "a")
  expect_identical(ranking_data(matrix(0, 2), 0:1, 1:2, factor(c("x", "y")))$document,
                   c("x", "y"))
  expect_null(ranking_data(matrix(0, 2), 0:1, 1:2)$document)
  expect_snapshot_error(ranking_data(matrix(0, 2), 0:1, 1:2, document = c(1, NA)),
                        class = "rankmix_error_document")
  expect_snapshot_error(ranking_data(matrix(0, 2), 0:1, 1:2, document = 1:3),
                        class = "rankmix_error_length")
})

test_that("a missing query gets the columns with usual names", {
  frame <- data.frame(qid = c(1, 1, 2), label = c(0, 2, 1), bm25 = 1:3)
  expect_error(ranking_data(frame), "Write `relevance = label, query = qid`", fixed = TRUE)
  expect_error(ranking_data(frame, "qid"), "Write `relevance = label, query = qid`", fixed = TRUE)
  expect_error(ranking_data(frame, label), "Write `query = qid`", fixed = TRUE)
  expect_error(ranking_data(label ~ ., frame), "Write `query = qid`", fixed = TRUE)
  expect_error(ranking_data(label ~ bm25 | qid, frame),
               "Write `ranking_data(label ~ bm25, data, query = qid)`", fixed = TRUE)
  names(frame) <- c("a", "b", "c")
  error <- expect_error(ranking_data(frame), "`query` is not given", fixed = TRUE)
  expect_no_match(conditionMessage(error), "Write")
})

test_that("grades in text or factors get the call that makes numbers", {
  x <- matrix(1:3)
  expect_error(ranking_data(x, factor(c(0, 2, 1)), 1:3), "`as.integer(as.character(relevance))`", fixed = TRUE)
  expect_error(ranking_data(x, c("ok", "bad", "ok"), 1:3), "`match(relevance, c(\"ok\", \"bad\")) - 1L`",
               fixed = TRUE)
  expect_error(ranking_data(x, ordered(c("bad", "ok", "bad")), 1:3), "`as.integer(relevance) - 1L`",
               fixed = TRUE)
})

test_that("sizes of groups in place of queries get query_groups()", {
  expect_error(ranking_data(matrix(1:5), c(0, 1, 0, 1, 0), c(2, 3)), "`query = query_groups(sizes)`",
               fixed = TRUE)
  error <- expect_error(ranking_data(matrix(1:5), c(0, 1, 0, 1, 0), c(1, 1)), class = "rankmix_error_length")
  expect_no_match(conditionMessage(error), "query_groups")
})

test_that("a feature with the name of document ids gets a warning", {
  frame <- data.frame(qid = c(1, 1, 2), grade = c(0, 2, 1), bm25 = 1:3, docid = 11:13)
  expect_warning(ranking_data(frame, grade, qid), "`document = docid`", fixed = TRUE,
                 class = "rankmix_warning_document")
  expect_no_warning(ranking_data(frame, grade, qid, document = docid))
  expect_no_warning(ranking_data(grade ~ bm25 + docid, frame, query = qid))
})
