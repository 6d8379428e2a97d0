qrels <- as_qrels(data.frame(
  query = c("1", "1", "1", "1", "2", "2"),
  document = c("a", "b", "c", "e", "a", "x"),
  relevance = c(2, 0, 1, 1, 0, 1)
))
run <- as_run(data.frame(
  query = c("2", "1", "1", "1", "2"),
  document = c("x", "d", "b", "a", "y"),
  score = c(1, 4, 3, 2, 1)
))

test_that("a run is ranked, its judgements make the ideal", {
  local_known_warnings("ties")
  value <- function(metric) evaluate(run, qrels, metric)$value
  # Query 1 retrieves d (not judged), b (grade 0) and a (grade 2). It misses c and e (grade 1 each).
  ideal <- 3 + 1 / log2(3) + 1 / log2(4)
  # Query 2 retrieves x (grade 1) and y (not judged) with equal scores, in this order.
  expect_equal(value(metric_ndcg()), c(3 / log2(4) / ideal, 1))
  expect_equal(value(metric_average_precision()), c(1 / 3 / 3, 1))
  expect_equal(value(metric_recall(2)), c(0, 1))
  expect_equal(value(metric_precision(5)), c(1 / 5, 1 / 5))
  expect_equal(value(metric_r_precision()), c(1 / 3, 1))
  # Document b is judged irrelevant and is above a. Document d is not judged, so bpref ignores it.
  expect_equal(value(metric_bpref()), c((1 - 1 / 1) / 3, 1))
  expect_equal(value(metric_err(max_grade = 2)), c(3 / 4 / 3, 1 / 4))
  expect_identical(evaluate(run, qrels, metric_ndcg())$documents, c(3L, 2L))
  # trec_eval ranks y above x.
  tied <- evaluate(run, qrels, "mrr", convention = "trec_eval")
  expect_equal(tied$value, c(1 / 3, 1 / 2))
})

test_that("a run of all judged documents gives the values of their scores", {
  data <- random_data(queries = 20, classes = 4)
  documents <- sprintf("d%d", seq_len(nrow(data$x)))
  set.seed(3)
  scores <- round(rnorm(nrow(data$x)), 1)
  data <- ranking_data(data$x, data$relevance, data$query_ids[data$query],
                       document = documents)
  run <- as_run(data.frame(query = data$query_ids[data$query],
                           document = documents, score = scores))
  metrics <- list("ndcg@10", "map", "bpref", "r_precision", "recall@5")
  by_run <- evaluate(run, as_qrels(data), metrics, convention = "trec_eval")
  by_data <- evaluate(scores, data, metrics, convention = "trec_eval")
  expect_equal(by_run$value, by_data$value)
  expect_identical(by_run$query, as.character(by_data$query))
})

test_that("queries of only one side are an error, or follow `topics`", {
  local_known_warnings("ties")
  more <- as_run(rbind(as.data.frame(run),
                       data.frame(query = "3", document = "a", score = 1,
                                  tag = "rankmix")))
  less <- as_run(as.data.frame(run)[run$query == "2", ])
  expect_snapshot_error(evaluate(more, qrels, metric_ndcg()),
                        class = "rankmix_error_topics")
  expect_snapshot_error(evaluate(less, qrels, metric_ndcg()),
                        class = "rankmix_error_topics")
  expect_snapshot_error(evaluate(list(good = run, short = less), qrels, metric_ndcg()),
                        class = "rankmix_error_topics")
  expect_identical(evaluate(less, qrels, metric_ndcg(), topics = "common")$query, "2")
  padded <- evaluate(less, qrels, list(metric_ndcg(), metric_precision(), metric_bpref()),
                     topics = "qrels")
  expect_identical(padded$value, c(0, 1, 0, 1 / 2, 0, 1))
  expect_identical(padded$documents[1], 0L)
  expect_identical(evaluate(more, qrels, metric_ndcg(), topics = "qrels")$value,
                   evaluate(run, qrels, metric_ndcg())$value)
  other <- as_run(data.frame(query = "9", document = "a", score = 1))
  expect_snapshot_error(evaluate(other, qrels, metric_ndcg(), topics = "common"),
                        class = "rankmix_error_topics")
})

test_that("several runs are evaluated at once", {
  local_known_warnings("ties")
  reverse <- as_run(data.frame(query = run$query, document = run$document,
                               score = -run$score))
  both <- evaluate(list(run = run, reverse = reverse), qrels, "ndcg")
  expect_identical(both$value[both$ranker == "run"],
                   evaluate(run, qrels, metric_ndcg())$value)
  expect_identical(nrow(summary(both)), 2L)
  expect_snapshot_error(evaluate(1:3, qrels, metric_ndcg()),
                        class = "rankmix_error_argument")
  expect_snapshot_error(evaluate(run, run, metric_ndcg()),
                        class = "rankmix_error_argument")
})

test_that("several runs have the same queries and the scale of grades", {
  judged <- as_qrels(data.frame(query = c(1, 2), document = "a", relevance = c(1, 4)))
  one <- as_run(data.frame(query = 1, document = "a", score = 1))
  two <- as_run(data.frame(query = 1:2, document = "a", score = 1))
  result <- evaluate(list(one = one, two = two), judged, list(metric_err(), metric_ndcg()),
                     topics = "common")
  expect_identical(result$query, rep("1", 4))
  expect_identical(result$metric, rep(c("err", "ndcg"), each = 2))
  expect_equal(result$value, c(1 / 16, 1 / 16, 1, 1))
})

test_that("a run that was changed is checked again", {
  expect_error(evaluate(rbind(run, run), qrels, metric_ndcg()),
               class = "rankmix_error_document")
  expect_error(evaluate(run, rbind(qrels, qrels), metric_ndcg()),
               class = "rankmix_error_document")
  broken <- run
  broken$score[1] <- NA
  expect_error(evaluate(broken, qrels, metric_ndcg()), class = "rankmix_error_scores")
  expect_error(evaluate(run[, c("query", "document")], qrels, metric_ndcg()),
               class = "rankmix_error_column")
  graded <- qrels
  graded$relevance[1] <- 1.5
  expect_error(evaluate(run, graded, metric_ndcg()), class = "rankmix_error_grade")
  data <- random_data()
  expect_snapshot_error(evaluate(run, data, metric_ndcg()),
                        class = "rankmix_error_argument")
})

test_that("a short list shrinks its cut-off in the ideal ranking too", {
  judged <- as_qrels(data.frame(query = 1, document = c("a", "b", "c"),
                                relevance = c(2, 3, 1)))
  one <- as_run(data.frame(query = 1, document = "a", score = 1))
  value <- function(metric) evaluate(one, judged, metric)$value
  expect_identical(value(metric_ndcg(10, short_lists = "shrink")), value(metric_ndcg(1)))
  expect_identical(value(metric_average_precision(10, denominator = "cutoff",
                                           short_lists = "shrink")), 1)
  none <- as_run(data.frame(query = 2, document = "a", score = 1))
  expect_identical(
    evaluate(none, judged, list(metric_ndcg(10, short_lists = "shrink"), metric_precision()),
             topics = "qrels")$value,
    c(0, 0)
  )
})

test_that("grades below 0 are not judged", {
  part <- as_qrels(data.frame(query = "1", document = c("a", "b", "c"),
                              relevance = c(1, -2, 0)))
  ranked <- as_run(data.frame(query = "1", document = c("b", "c", "a"),
                              score = 3:1))
  expect_equal(evaluate(ranked, part, metric_bpref())$value, 0)
  expect_equal(evaluate(ranked, part, metric_ndcg(gain = "linear"))$value, 1 / log2(4))
})

test_that("judgements in place of the run give an error with a remedy", {
  qrels <- as_qrels(data.frame(query = "q1", document = c("a", "b"), relevance = c(1, 0)))
  run <- as_run(data.frame(query = "q1", document = c("a", "b"), score = c(2, 1)))
  expect_error(evaluate(qrels, run, "map"), "Write `evaluate(run, qrels, ", fixed = TRUE)
})
