# Lists with ties, with one document, with equal scores, and without a relevant document. There are five grades.
metric_case <- function(seed, queries = 30, classes = 5) {
  data <- random_data(queries = queries, classes = classes, seed = seed)
  set.seed(seed)
  list(data = data, scores = round(rnorm(nrow(data$x)), seed %% 2))
}

# Compares a metric with its reference implementation for every query.
expect_reference <- function(case, metric, ..., tolerance = 1e-13) {
  slow <- naive_per_query(case$scores, case$data, function(s, g) {
    naive_value(metric$name, s, g, ...)
  })
  expect_equal(evaluate(case$scores, case$data, metric)$value, slow,
               tolerance = tolerance)
}

test_that("gains, discounts and cut-offs are as defined", {
  local_known_warnings("ties")
  halves <- function(rank) 0.5^rank
  for (seed in seq_len(at_size(2, 3))) {
    case <- metric_case(seed)
    for (k in c(1, 3, 10, Inf)) {
      expect_reference(case, metric_ndcg(k), k = k)
      expect_reference(case, metric_ndcg(k, empty = 0.5), k = k, empty = 0.5)
      expect_reference(case, metric_ndcg(k, gain = "linear", discount = "letor"), k = k,
                       gain = "linear", discount = "letor")
      expect_reference(case, metric_ndcg(k, discount = "reciprocal"), k = k,
                       discount = "reciprocal")
      # The ideal ranking is by gains and not by grades.
      expect_reference(case, metric_ndcg(k, gain = c(0, 5, 1, 1, 2), discount = c(3, 2, 1)),
                       k = k, gain = c(0, 5, 1, 1, 2), discount = c(3, 2, 1))
      expect_reference(case, metric_dcg(k, discount = c(0, 2, 1)), k = k, discount = c(0, 2, 1))
      expect_reference(case, metric_dcg(k, discount = "log"), k = k, discount = "log")
      expect_reference(case, metric_dcg(k, discount = halves), k = k, discount = halves)
      expect_reference(case, metric_dcg(k, discount = "none"), k = k, discount = "none")
      expect_reference(case, metric_mean_ndcg(k), k = k)
    }
  }
})

test_that("the other metrics are as defined", {
  local_known_warnings("ties")
  for (seed in 1:3) {
    case <- metric_case(seed)
    for (k in c(1, 3, 10, Inf)) {
      expect_reference(case, metric_err(k, max_grade = 4), k = k, max_grade = 4)
      expect_reference(case, metric_average_precision(k), k = k)
      expect_reference(case, metric_average_precision(k, relevant = 2, denominator = "cutoff"),
                       k = k, relevant = 2, denominator = "cutoff")
      expect_reference(case, metric_precision(k, relevant = 2), k = k, relevant = 2)
      expect_reference(case, metric_precision(k, short_lists = "shrink"), k = k, shrink = TRUE)
      expect_reference(case, metric_recall(k), k = k)
      expect_reference(case, metric_reciprocal_rank(k, relevant = 3, empty = 1), k = k,
                       relevant = 3, empty = 1)
      expect_reference(case, metric_rbp(k, persistence = 0.5), k = k, persistence = 0.5)
    }
    expect_reference(case, metric_r_precision(relevant = 2), relevant = 2)
    expect_reference(case, metric_bpref())
    expect_reference(case, metric_bpref(relevant = 2), relevant = 2)
  }
})

test_that("values agree with values computed by hand", {
  local_known_warnings("ties")
  data <- ranking_data(matrix(0, 3), c(0, 2, 1), c(1, 1, 1))
  value <- function(scores, metric) evaluate(scores, data, metric)$value
  # The input order breaks ties: grades 0, 2, 1.
  expected <- (3 / log2(3) + 1 / log2(4)) / (3 + 1 / log2(3))
  expect_equal(value(c(1, 1, 1), metric_ndcg()), expected)
  expect_equal(value(c(1, 3, 2), metric_ndcg()), 1)
  expect_equal(value(c(1, 1, 1), metric_err(max_grade = 2)),
               3 / 4 / 2 + (1 - 3 / 4) * (1 / 4) / 3)
  expect_equal(value(c(1, 1, 1), metric_average_precision()), (1 / 2 + 2 / 3) / 2)
  expect_equal(value(c(1, 1, 1), metric_bpref()), 0)
  expect_equal(value(c(1, 1, 1), metric_rbp()), 0.2 * (0.8 + 0.64))
  # Each document is at rank 1 in one third of the orders. Two documents are relevant.
  expect_equal(value(c(1, 1, 1), metric_precision(1, ties = "average")), 2 / 3)
})

test_that("a single precision score is a score rounded", {
  local_known_warnings("ties")
  data <- ranking_data(matrix(0, 2), c(0, 1), c(1, 1))
  scores <- c(1, 1 + 1e-12)
  expect_equal(evaluate(scores, data, metric_reciprocal_rank())$value, 1)
  expect_equal(evaluate(scores, data, metric_reciprocal_rank(single_precision = "scores"))$value,
               0.5)
  third <- ranking_data(matrix(0, 3), c(0, 0, 1), c(1, 1, 1))
  expect_identical(evaluate(3:1, third, metric_reciprocal_rank(single_precision = "value"))$value,
                   11184811 / 2^25)
})

test_that("empty queries count by `empty`, or are left out", {
  data <- ranking_data(matrix(0, 4), c(0, 0, 1, 0), c(1, 1, 2, 2))
  scores <- c(2, 1, 1, 2)
  half <- 1 / log2(3)
  for (metric in c("ndcg", "mean_ndcg", "dcg", "err", "average_precision",
                   "precision", "recall", "reciprocal_rank", "r_precision",
                   "bpref", "rbp")) {
    value <- function(...) {
      evaluate(scores, data, do.call(paste0("metric_", metric), list(...)))$value[1]
    }
    expect_identical(value(), 0)
    expect_identical(value(empty = 0.25), 0.25)
    expect_identical(value(empty = "drop"), NaN)
  }
  dropped <- summary(evaluate(scores, data, metric_ndcg(empty = "drop")))
  expect_equal(dropped$mean, half)
  expect_identical(dropped$queries, 1L)
})

test_that("short lists count by `short_lists`", {
  data <- ranking_data(matrix(0, 5), c(1, 0, 0, 1, 0), c(1, 1, 2, 2, 2))
  value <- function(short) {
    summary(evaluate(5:1, data, metric_precision(3, short_lists = short)))
  }
  expect_equal(value("pad")$mean, (1 / 3 + 1 / 3) / 2)
  expect_equal(value("shrink")$mean, (1 / 2 + 1 / 3) / 2)
  expect_equal(value("zero")$mean, (0 + 1 / 3) / 2)
  expect_equal(value("undefined")$mean, (0 + 1 / 3) / 2)
  expect_equal(value("undefined")$queries, 2L)
  expect_equal(value("drop")$mean, 1 / 3)
  expect_equal(value("drop")$queries, 1L)
  lone <- function(short) evaluate(5:1, data, metric_ndcg(3, short_lists = short))$value[1]
  expect_identical(lone("undefined"), NA_real_)
  expect_identical(lone("drop"), NaN)
  # No query has four documents, so the mean is undefined, too.
  none <- summary(evaluate(5:1, data, metric_ndcg(4, short_lists = "undefined")))
  expect_identical(none$mean, NA_real_)
  expect_identical(none$queries, 2L)
  # `short_lists` is applied before `empty`, so a short list has the same value for all grades.
  empty <- ranking_data(matrix(0, 2), c(0, 0), c(1, 1))
  expect_identical(evaluate(2:1, empty, metric_ndcg(3, empty = 1, short_lists = "zero"))$value,
                   0)
})

test_that("the highest grade comes from the data unless given", {
  data <- ranking_data(matrix(0, 2), c(1, 0), c(1, 1))
  expect_equal(evaluate(c(2, 1), data, metric_err())$value, 1 / 2)
  expect_equal(evaluate(c(2, 1), data, metric_err(max_grade = 2))$value, 1 / 4)
  high <- ranking_data(matrix(0, 2), c(3, 0), c(1, 1))
  expect_snapshot_error(evaluate(1:2, high, metric_err(max_grade = 2)),
                        class = "rankmix_error_grade")
  expect_snapshot_error(evaluate(1:2, high, metric_ndcg(gain = c(0, 1, 3))),
                        class = "rankmix_error_grade")
})

test_that("monotone transforms of scores change nothing", {
  local_known_warnings("ties")
  case <- metric_case(3)
  metrics <- list(metric_ndcg(5), metric_err(), metric_average_precision(ties = "average"))
  expect_identical(
    evaluate(case$scores, case$data, metrics)$value,
    evaluate(exp(3 * case$scores) - 7, case$data, metrics)$value
  )
})

test_that("infinite scores rank first or last, and -0 ties with 0", {
  local_known_warnings("ties")
  data <- ranking_data(matrix(0, 4), c(1, 0, 0, 2), c(1, 1, 1, 1))
  value <- function(scores) evaluate(scores, data, metric_ndcg())$value
  expect_identical(value(c(-Inf, 0, 1, Inf)), value(1:4))
  expect_identical(value(c(-0, 0, -1, -2)), value(c(0, -0, -1, -2)))
})

test_that("metrics print and compare as values", {
  expect_identical(format(metric_ndcg(10)), "ndcg@10")
  expect_identical(format(metric_ndcg(10, empty = 1)), "ndcg@10(empty = 1)")
  expect_identical(format(metric_ndcg(empty = "drop")), "ndcg(empty = \"drop\")")
  expect_identical(format(metric_err()), "err")
  expect_identical(format(metric_err(5, max_grade = 4)), "err@5(max_grade = 4)")
  expect_identical(format(metric_ndcg(10, convention = "yahoo")),
                   "ndcg@10(convention = \"yahoo\")")
  expect_identical(metric_ndcg(10), metric_ndcg(10L))
  # A setting that was given is kept, because a convention must not change it.
  expect_identical(format(metric_ndcg(10, empty = 0)), "ndcg@10(empty = 0)")
  expect_identical(metric_ndcg(gain = 0:2), metric_ndcg(gain = c(0, 1, 2)))
  expect_false(identical(metric_ndcg(10), metric_ndcg(10, empty = 1)))
  expect_snapshot(print(metric_ndcg(10)))
})

test_that("a query is empty if the discounts of all its gains are 0", {
  data <- ranking_data(matrix(0, 2), c(1, 0), c(1, 1))
  value <- function(metric) evaluate(2:1, data, metric)$value
  expect_identical(value(metric_ndcg(discount = 0, empty = 1)), 1)
  expect_identical(value(metric_mean_ndcg(discount = 0, empty = 0.5)), 0.5)
  expect_identical(value(metric_dcg(discount = 0)), 0)
})

test_that("a cut-off beyond any list is the whole list", {
  local_known_warnings("ties")
  case <- metric_case(2)
  expect_identical(evaluate(case$scores, case$data, metric_ndcg(1e300))$value,
                   evaluate(case$scores, case$data, metric_ndcg(Inf))$value)
  expect_identical(format(metric_ndcg(100000)), "ndcg@100000")
})


test_that("the documents of some queries equal the documents of a subset", {
  data <- random_data(queries = 9, seed = 2)
  data$weight <- seq(0.5, 2.5, 0.25)
  kept <- rep(c(TRUE, FALSE, TRUE), 3)
  part <- judged_part(judged_documents(data), kept)
  expected <- judged_documents(data[which(kept)])
  for (name in c("relevance", "order", "offsets", "query", "query_ids", "document", "weight")) {
    expect_identical(part[[name]], expected[[name]], info = name)
  }
})
