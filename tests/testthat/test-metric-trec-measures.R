# The grades 2, 0, 1, 0, 3 are at ranks 1, 2, 3, 5, 6. Rank 4 is not judged. Another document of grade 1 is not
# retrieved.
small_qrels <- function() {
  as_qrels(data.frame(query = 1, document = c("a", "b", "c", "e", "f", "x"),
                      relevance = c(2, 0, 1, 0, 3, 1)))
}
small_run <- function() {
  as_run(data.frame(query = 1, document = c("a", "b", "c", "d", "e", "f"), score = 6:1))
}
small_value <- function(...) evaluate(small_run(), small_qrels(), metric_trec(...))$value

test_that("measures of a small list agree with the formulas", {
  expect_equal(small_value("relative_P", k = 5), 2 / 4)
  expect_equal(small_value("relative_P", k = 2), 1 / 2)
  expect_equal(small_value("Rprec_mult", multiple = 0.5), 1 / 2)
  expect_equal(small_value("Rprec_mult", multiple = 2), 3 / 8)
  expect_identical(small_value("Rprec_mult", multiple = 0.01), 0)
  expect_equal(small_value("set_relative_P"), 3 / 4)
  expect_equal(small_value("set_map"), 9 / 24)
  expect_equal(small_value("utility"), 3 - 3)
  expect_equal(small_value("utility", weights = c(2, -1, 0.5, 0.1), collection = 20), 4.8)
  expect_equal(small_value("gm_map"), log((1 + 2 / 3 + 3 / 6) / 4))
  expect_equal(small_value("gm_bpref"), log((1 + (1 - 1 / 2) + (1 - 2 / 2)) / 4))
  expect_equal(small_value("yaap"), log((1 + 13 / 6) / (1 + 4 - 13 / 6)))
  expect_equal(small_value("binG"), (1 + 1 / log2(3) + 1 / log2(5)) / 4)
  expect_equal(small_value("G"), (2 / log2(2 + 3 - 2) + 1 / log2(2 + 6 - 3) + 3 / log2(2 + 9 - 6)) / 7)
  expect_equal(small_value("unj", k = 5), 1 / 5)
  expect_equal(small_value("unj", k = 10), 1 / 10)
  expect_equal(small_value("rbp_resid", persistence = 0.8), 0.8^6 + 0.2 * 0.8^3)
  expect_identical(small_value("num_nonrel_judged_ret", relevant = 2), 3)
})

test_that("averages of NDCG agree with the formulas", {
  dcg <- cumsum(c(2, 0, 1, 0, 0, 3) / log2(2:7))
  best <- cumsum(c(3, 2, 1, 1, 0, 0) / log2(2:7))
  expect_equal(small_value("ndcg_rel"), sum((dcg / best)[c(1, 3, 6, 6)]) / 4)
  expect_equal(small_value("Rndcg"), mean((dcg / best)[c(1, 2, 4, 6)]))
  # The list has only one document after rank 4, the last relevant rank of the ideal ranking. Then the end of the list
  # does not count.
  shorter <- small_run()[1:5, ]
  expect_equal(evaluate(shorter, small_qrels(), "Rndcg")$value, mean((dcg / best)[c(1, 2, 4)]))
})

test_that("infAP infers the precision in the pool", {
  # In the order of the list: relevant, irrelevant, in the pool but not judged, relevant, not in the pool, irrelevant,
  # relevant. One relevant document is not retrieved.
  qrels <- as_qrels(data.frame(query = 1, document = c("a", "b", "c", "d", "f", "g", "x"),
                               relevance = c(1, 0, -1, 1, 0, 1, 1)))
  run <- as_run(data.frame(query = 1, document = letters[1:7], score = 7:1))
  expect_equal(evaluate(run, qrels, "infAP")$value, 0.53125, tolerance = 1e-5)
  # In this pool, all documents are judged.
  qrels <- as_qrels(data.frame(query = 1, document = letters[1:6], relevance = c(1, 0, 1, 1, 0, 1)))
  run <- as_run(data.frame(query = 1, document = letters[1:5], score = 5:1))
  expect_equal(evaluate(run, qrels, "infAP")$value, 0.6041664583, tolerance = 1e-9)
})

test_that("queries without relevant or without retrieved documents have the values of trec_eval", {
  run <- as_run(data.frame(query = c("a", "c"), document = "x", score = 1))
  qrels <- as_qrels(data.frame(query = c("a", "b", "c"), document = "x", relevance = c(0, 1, 1)))
  value <- function(...) evaluate(run, qrels, metric_trec(...), topics = "qrels")$value
  for (name in c("binG", "G", "ndcg_rel", "Rndcg", "set_relative_P", "num_rel_ret")) {
    expect_identical(value(name), c(0, 0, 1))
  }
  expect_identical(value("relative_P", k = 5), c(0, 0, 1))
  expect_identical(value("gm_bpref"), c(log(1e-5), log(1e-5), 0))
  expect_equal(value("yaap"), c(0, log(1 / 2), log(2)))
  expect_identical(value("utility"), c(-1, 0, 1))
  expect_identical(value("num_q"), c(1, 1, 1))
  expect_identical(value("num_ret"), c(1, 0, 1))
  expect_identical(value("num_rel"), c(0, 1, 1))
  expect_identical(value("rbp_resid"), c(0, 0, 0))
  expect_identical(value("unj", k = 1), c(0, 0, 0))
})
