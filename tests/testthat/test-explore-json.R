# Ids that would end a script, open a comment or be read as HTML.
hostile_ids <- c("</script><script>alert(1)</script>", "<!--", "a\"b\\", "line\nbreak\ttab", "\u65e5\u672c \u2028",
                 "&lt;")

test_that("hostile ids and texts are read back unchanged, and are no part of the page", {
  ids <- rep(hostile_ids, each = 2)
  x <- cbind(c(1, 2), rep(1:6, each = 2))
  colnames(x) <- hostile_ids[c(1, 3)]
  data <- ranking_data(x, rep(c(0, 1, 1, 0), 3), ids, paste(ids, c("first", "second")))
  rankers <- stats::setNames(list(x[, 1], -x[, 1]), hostile_ids[1:2])
  page <- explored_page(rankers, data, title = hostile_ids[1L], document_text = ids, query_text = rev(hostile_ids),
                        features = colnames(x))
  expect_identical(page$index$ids, hostile_ids)
  expect_identical(page$index$texts, rev(hostile_ids))
  expect_identical(page$index$rankers, hostile_ids[1:2])
  expect_identical(page$index$title, hostile_ids[1L])
  expect_identical(page$index$features, colnames(x))
  expect_setequal(explored_documents(page, 1L)$id, data$document[1:2])
  expect_false(grepl("<script>alert", page$text, fixed = TRUE))
  # Ids must not open or close scripts.
  expect_identical(lengths(regmatches(page$text, gregexpr("</script", page$text))),
                   lengths(regmatches(page$text, gregexpr("<script", page$text))))
  expect_false(grepl("<!--", page$text, fixed = TRUE))
})

test_that("text that is no UTF-8 is shown with escapes", {
  data <- ranking_data(cbind(1:2), 0:1, c("caf\xe9", "caf\xe9"))
  page <- explored_page(list(a = 1:2, b = 2:1), data)
  expect_match(page$index$ids, "^caf")
  expect_true(validUTF8(page$text))
})

test_that("numbers have the digits of the page, and odd values have a form", {
  expect_identical(rankmix:::page_numbers(c(1 / 3, NA, Inf, -Inf, 0, 1e6), "%.4g"),
                   c("0.3333", "null", "\"Inf\"", "\"-Inf\"", "0", "1e+06"))
  expect_identical(rankmix:::value_numbers(c(1 / 3, 1, NaN, 123456.7890123)), c("0.333333", "1", "null", "123456.789"))
  data <- ranking_data(cbind(x = c(1, NA, 3)), c(0, 1, 0), c(1, 1, 1))
  page <- explored_page(list(a = c(-Inf, 1 / 3, Inf), b = 1:3), data, features = "x")
  expect_identical(explored_documents(page, 1L)$score0, c(-Inf, 0.33333, Inf))
  expect_identical(explored_documents(page, 1L)$feature0, c(1L, NA, 3L))
  # Without document ids, row numbers are used.
  expect_identical(explored_documents(page, 1L)$id, 1:3)
})

test_that("blocks have their queries, also for rows in any order", {
  count <- 250L
  set.seed(1)
  query <- sample(rep(seq_len(count), 3L))
  data <- ranking_data(cbind(x = rnorm(3L * count)), rep_len(0:2, 3L * count), query)
  page <- explored_page(list(a = data$x[, 1], b = -data$x[, 1]), data, depth = 1)
  expect_setequal(grep("^block", names(page), value = TRUE), paste0("block-", 0:2))
  expect_true(all(unlist(lapply(page[paste0("block-", 0:2)], `[[`, "count")) == 2L))
  for (q in c(1L, 100L, 101L, 250L)) {
    own <- explored_documents(page, q)
    expect_true(all(data$query[own$id] == q))
    expect_equal(own$feature0, signif(data$x[own$id, 1], 4))
  }
})

test_that("sparse features and revenue are supported", {
  skip_if_not_installed("Matrix")
  case <- sparse_case()
  data <- ranking_data(case$x, case$relevance + 0.5, case$query)
  names <- data$features[c(1, 7)]
  page <- explored_page(list(a = as.vector(case$x[, 1]), b = as.vector(case$x[, 7])), data, features = names,
                        metric = metric_ndcg(5, ties = "order"))
  own <- explored_documents(page, 4L)
  expect_equal(own$feature1, signif(as.vector(case$x[own$id, 7]), 4))
  expect_equal(own$grade, data$relevance[own$id])
})
