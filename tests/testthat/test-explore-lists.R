# The rows of a query in the order of the list, by a rule for ties.
naive_order <- function(scores, data, query, ties) {
  rows <- which(data$query == query)
  by <- switch(ties, order = rows, average = rows, best = -data$relevance[rows], worst = data$relevance[rows],
               document = -rank(data$document[rows]))
  rows[order(-scores[rows], by, rows)]
}

test_that("lists have the order of the scores, with ties by the rule of the metric", {
  for (seed in draws(6)) {
    data <- tied_data(seed)
    rankers <- list(a = data$x[, 1], b = data$x[, 2])
    for (ties in c("order", "average", "best", "worst", "document")) {
      page <- explored_page(rankers, data, metric = metric_ndcg(3, ties = ties), depth = 4)
      for (query in seq_along(data$query_ids)) {
        orders <- lapply(rankers, naive_order, data = data, query = query, ties = ties)
        found <- explored_documents(page, query)
        rows <- match(found$id, data$document)
        # The rows are exactly the documents of both top lists.
        expect_setequal(rows, unique(unlist(lapply(orders, utils::head, 4))))
        expect_identical(found$rank0, match(rows, orders$a))
        expect_identical(found$rank1, match(rows, orders$b))
        expect_identical(as.double(found$grade), as.double(data$relevance[rows]))
        expect_equal(as.double(found$score0), data$x[rows, 1])
      }
      expect_identical(page$index$ties, ties)
    }
  }
})

test_that("scores that are equal in single precision are tied if the metric rounds them", {
  data <- ranking_data(cbind(x = c(0, 0)), c(1, 0), c(1, 1))
  scores <- list(a = c(1, 1 + 1e-12), b = c(1, 0))
  exact <- explored_page(scores, data, metric = metric_ndcg(2, ties = "order"))
  expect_identical(explored_documents(exact, 1L)$rank0, c(2L, 1L))
  single <- explored_page(scores, data, metric = metric_ndcg(2, ties = "order", single_precision = "scores"))
  expect_identical(explored_documents(single, 1L)$rank0, c(1L, 2L))
})

test_that("the queries with the largest difference of any two rankers are the most changed", {
  values <- cbind(c(0, 0.5, NaN, 0.2), c(0.1, 0.5, 1, 0.9), c(0.8, 0.5, 1, 0.2))
  expect_identical(rankmix:::changed_queries(values, 2), c(1L, 4L))
  expect_identical(rankmix:::changed_queries(values, 10), c(1L, 4L, 2L, 3L))
})
