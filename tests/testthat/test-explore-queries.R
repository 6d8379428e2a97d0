test_that("the page is one file without references to other files", {
  data <- tied_data()
  file <- tempfile(fileext = ".html")
  on.exit(unlink(file))
  result <- withVisible(explore_queries(list(a = data$x[, 1], b = data$x[, 2]), data, file,
                                        metric_ndcg(5, ties = "average"), threads = 1))
  expect_identical(result, list(value = file, visible = FALSE))
  text <- paste(readLines(file, encoding = "UTF-8"), collapse = "\n")
  expect_false(grepl("(src|href)=\"|https?://|@import|url[(]", text))
  expect_match(text, "default-src 'none'", fixed = TRUE)
  expect_match(text, "<title>Query by query</title>", fixed = TRUE)
  # Only the page itself opens and closes scripts.
  count <- function(pattern) lengths(regmatches(text, gregexpr(pattern, text)))
  expect_identical(count("<script"), count("</script>"))
})

test_that("values agree with evaluate(), and means with its summary", {
  for (seed in draws(12)) {
    data <- tied_data(seed)
    rankers <- list(a = data$x[, 1], b = data$x[, 2], c = rnorm(nrow(data)))
    metric <- metric_ndcg(3, ties = "average")
    page <- explored_page(rankers, data, metric = metric)
    values <- evaluate(rankers, data, metric)
    expected <- split(values$value, factor(values$ranker, names(rankers)))
    for (r in 1:3) expect_equal(page$index$values[[r]], expected[[r]], tolerance = 1e-6)
    expect_equal(page$index$means, summary(values)$mean, tolerance = 1e-6)
    expect_identical(page$index$ids, as.character(data$query_ids))
    expect_identical(page$index$documents, tabulate(data$query))
    expect_identical(page$index$relevant, values$relevant[seq_along(data$query_ids)])
  }
})

test_that("means have the weights of queries", {
  data <- tied_data()
  weight <- rep_len(c(0, 1, 3), length(data$query_ids))
  data <- ranking_data(data$x, data$relevance, data$query, weight = weight[data$query])
  rankers <- list(a = data$x[, 1], b = data$x[, 2])
  metric <- metric_ndcg(3, ties = "average")
  page <- explored_page(rankers, data, metric = metric)
  expect_true(page$index$weighted)
  expect_equal(page$index$means, summary(evaluate(rankers, data, metric))$mean, tolerance = 1e-6)
})

test_that("queries without a value are null, and short lists count as 0", {
  data <- ranking_data(cbind(c(1, 2, 3, 4)), c(0, 0, 1, 0), c("a", "a", "b", "b"))
  page <- explored_page(list(a = 4:1, b = 1:4), data, metric = metric_ndcg(5, empty = "drop"))
  expect_identical(is.na(page$index$values[[1L]]), c(TRUE, FALSE))
  page <- explored_page(list(a = 4:1, b = 1:4), data, metric = metric_precision(5, short_lists = "undefined"))
  expect_identical(as.double(page$index$values[[1L]]), c(0, 0))
})

test_that("texts are on the page as they are given", {
  data <- tied_data()
  ids <- as.character(data$query_ids)
  rankers <- list(a = data$x[, 1], b = data$x[, 2])
  document_text <- paste("title", seq_len(nrow(data)))
  page <- explored_page(rankers, data, metric = metric_ndcg(3, ties = "order"), document_text = document_text,
                        query_text = c(rev(stats::setNames(paste("about", ids), ids))[-1L], other = "none"))
  expect_identical(page$index$texts, ifelse(ids == ids[length(ids)], "", paste("about", ids)))
  documents <- explored_documents(page, 3L)
  expect_identical(documents$text, document_text[match(documents$id, data$document)])
  long <- explored_page(rankers, data, metric = metric_ndcg(3, ties = "order"),
                        query_text = rep(strrep("x", 300), length(ids)))
  expect_true(all(nchar(long$index$texts) == 200L))
})

test_that("other forms of rankers are supported", {
  data <- tied_data()
  metric <- metric_ndcg(3, ties = "order")
  listed <- explored_page(list(a = data$x[, 1], b = function(data) data$x[, 2]), data, metric = metric)
  framed <- explored_page(data.frame(a = data$x[, 1], b = data$x[, 2]), data, metric = metric)
  expect_identical(framed$text, listed$text)
  matrix <- explored_page(cbind(a = data$x[, 1], b = data$x[, 2]), data, metric = metric)
  expect_identical(matrix$text, listed$text)
})

test_that("ties that decide give the warning of evaluate()", {
  data <- ranking_data(cbind(c(1, 1, 2, 2)), c(0, 1, 0, 1), c(1, 1, 2, 2))
  file <- tempfile(fileext = ".html")
  on.exit(unlink(file))
  expect_warning(explore_queries(list(a = data$x[, 1], b = 1:4), data, file), class = "rankmix_warning_ties")
})

test_that("bad input is refused", {
  data <- random_data()
  two <- list(a = data$x[, 1], b = data$x[, 2])
  expect_snapshot(error = TRUE, {
    explore_queries()
    explore_queries(two)
    explore_queries(two, data)
    explore_queries(two, data, 3)
    explore_queries(two, data, "no-such-folder/page.html")
    explore_queries(two, data$x, "page.html")
    explore_queries(two[1], data, "page.html")
    explore_queries(data$x[, 1], data, "page.html")
    explore_queries(mean, data, "page.html")
    explore_queries(unname(two), data, "page.html")
    explore_queries(list(a = 1:3, b = 1:3), data, "page.html")
    explore_queries(two, data, "page.html", metric = c("ndcg", "err"))
    explore_queries(two, data, "page.html", depth = 0)
    explore_queries(two, data, "page.html", explain = TRUE)
    explore_queries(two, data, "page.html", features = "x9")
    explore_queries(two, data, "page.html", document_text = "one")
    explore_queries(two, data, "page.html", query_text = 1:3)
    explore_queries(two, data, "page.html", query_text = c(z = "none"))
    explore_queries(two, data, "page.html", title = NA_character_)
    explore_queries(two, data, "page.html", digits = 3)
  })
  expect_false(file.exists("page.html"))
})
