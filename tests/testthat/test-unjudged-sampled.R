pool <- data.frame(query = rep(c("q1", "q2"), each = 4), document = letters[1:4],
                   relevance = c(1, NA, 0, 1, 0, 1, 1, -1))
run <- as_run(data.frame(query = rep(c("q1", "q2"), each = 4), document = letters[1:4], score = 4:1))

test_that("the estimators are those that the columns allow", {
  chosen <- function(pool) unique(evaluate_sampled(run, pool)$metric)
  expect_identical(chosen(pool), "infap")
  expect_identical(chosen(transform(pool, stratum = 1)), c("xinfap", "infndcg"))
  expect_identical(chosen(transform(pool, probability = 0.75)), "statap_corrected")
  expect_identical(chosen(transform(pool, stratum = 1, probability = 0.75)),
                   c("xinfap", "infndcg", "statap_corrected"))
})

test_that("several runs make an evaluation that comparisons accept", {
  reverse <- as_run(transform(as.data.frame(run), score = -score))
  found <- evaluate_sampled(list(up = run, down = reverse), pool, c("infap", "statap"))
  expect_s3_class(found, "rankmix_evaluation")
  expect_identical(found$metric, rep(c("infap", "statap"), each = 4))
  expect_identical(found$ranker, rep(rep(c("up", "down"), each = 2), 2))
  expect_identical(found$documents, rep(4L, 8))
  expect_identical(found$relevant, rep(2L, 8))
  compared <- tidy(compare_rankers(found, seed = 1))
  expect_equal(compared$difference[1], mean(found$value[1:2]) - mean(found$value[3:4]))
  expect_snapshot(evaluate_sampled(run, pool, c("infap", "infndcg@2"), relevant = 2, gain = "exponential"))
  # Evaluations with different gains are different metrics.
  by <- function(gain) evaluate_sampled(run, pool, "infndcg", gain = gain)
  expect_error(compare_rankers(a = by("linear"), b = by("exponential")), class = "rankmix_error_argument")
  other <- evaluate_sampled(run, transform(pool, relevance = rev(relevance)), "infndcg")
  expect_error(compare_rankers(a = by("linear"), b = other), class = "rankmix_error_grade")
})

test_that("queries without a relevant document, and those that the run lacks, have 0", {
  none <- transform(pool, relevance = ifelse(query == "q1", relevance, 0))
  found <- evaluate_sampled(run, none, c("infap", "xinfap", "infndcg", "statap"))
  expect_identical(found$value[found$query == "q2"], rep(0, 4))
  less <- as_run(as.data.frame(run)[run$query == "q1", ])
  expect_error(evaluate_sampled(less, pool), class = "rankmix_error_topics")
  expect_identical(evaluate_sampled(less, pool, topics = "common")$query, "q1")
  padded <- evaluate_sampled(less, pool, c("infap", "infndcg", "statap"), topics = "qrels")
  expect_identical(padded$value[padded$query == "q2"], rep(0, 3))
  expect_identical(padded$documents[2], 0L)
})

test_that("equal scores are ordered by decreasing document id", {
  tied <- as_run(transform(as.data.frame(run), score = 1))
  sorted <- as_run(transform(as.data.frame(run), score = rep(1:4, 2)))
  expect_identical(evaluate_sampled(tied, pool)$value, evaluate_sampled(sorted, pool)$value)
})

test_that("wrong judgements are errors that name query and document", {
  sampled <- function(pool, ...) evaluate_sampled(run, pool, ...)
  expect_error(sampled(pool[1:2]), class = "rankmix_error_column")
  expect_error(sampled(1), class = "rankmix_error_argument")
  expect_error(sampled(transform(pool, relevance = 0.5)), class = "rankmix_error_grade")
  expect_error(sampled(transform(pool, relevance = "x")), class = "rankmix_error_grade")
  expect_error(sampled(rbind(pool, pool[1, ])), class = "rankmix_error_document")
  expect_snapshot_error(sampled(transform(pool, stratum = c(1, NA, 1, 1, 1, 1, 1, 1))),
                        class = "rankmix_error_stratum")
  expect_snapshot_error(sampled(transform(pool, stratum = c(1, 2, 1, 1, 1, 1, 1, 1))),
                        class = "rankmix_error_stratum")
  expect_snapshot_error(sampled(transform(pool, stratum = c(1, 1, 1, 1, 1, 1, 2, 2)), "statap"),
                        class = "rankmix_error_stratum")
  expect_snapshot_error(sampled(transform(pool, probability = c(1, 1, 0, 1, 1, 1, 1, 1))),
                        class = "rankmix_error_probability")
  expect_error(sampled(transform(pool, probability = "x")), class = "rankmix_error_probability")
  # A document without a judgement needs no probability.
  expect_no_error(sampled(transform(pool, probability = c(1, NA, 1, 1, 1, 1, 1, NA))))
})

test_that("wrong arguments are errors", {
  expect_snapshot_error(evaluate_sampled(run, pool, "inf_ap"), class = "rankmix_error_argument")
  expect_error(evaluate_sampled(run, pool, c("infap", "infap")), class = "rankmix_error_argument")
  expect_error(evaluate_sampled(run, pool, "infap@5"), class = "rankmix_error_argument")
  expect_error(evaluate_sampled(run, pool, 1), class = "rankmix_error_argument")
  expect_error(evaluate_sampled(1, pool), class = "rankmix_error_argument")
  expect_error(evaluate_sampled(list(run, run), pool), class = "rankmix_error_argument")
  expect_error(evaluate_sampled(run), class = "rankmix_error_argument")
  expect_error(evaluate_sampled(), class = "rankmix_error_argument")
  expect_error(evaluate_sampled(run, pool, relevant = 0), class = "rankmix_error_argument")
  expect_error(evaluate_sampled(run, pool, gain = "log"), class = "rankmix_error_argument")
})
