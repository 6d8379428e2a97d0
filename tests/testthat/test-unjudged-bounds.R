# The ranking has the grades 1 0 ? 1 0 ? 1, where ? is not judged.
qrels <- as_qrels(data.frame(query = "1", document = c("a", "b", "d", "e", "g"),
                             relevance = c(1, 0, 1, 0, 1)))
run <- as_run(data.frame(query = "1", document = letters[1:7], score = 7:1))

fixture <- function(name) test_path("fixtures", "unjudged", name)
printed <- function(measure, run) {
  values <- read.csv(fixture("values.csv"), comment.char = "#")
  values$value[values$measure == measure & values$run == run]
}

test_that("RBP has the residual of unjudged documents and of the end of the list", {
  found <- evaluate(run, qrels, metric_rbp(persistence = 0.8), bounds = TRUE)
  expect_equal(found$value, 0.3548288)
  expect_equal(found$rbp_residual, 0.4032512)
  # The highest value does not include documents after the end of the list.
  expect_equal(found$highest - found$value, 0.4032512 - 0.8^7)
  cut <- evaluate(run, qrels, metric_rbp(3, persistence = 0.8), bounds = TRUE)
  expect_equal(cut$rbp_residual, 0.8^3 + 0.2 * 0.8^2)
  judged <- evaluate(run, as_qrels(data.frame(query = "1", document = letters[1:7], relevance = 0)), "rbp",
                     bounds = TRUE)
  expect_equal(judged$rbp_residual, 0.8^7)
  expect_null(evaluate(run, qrels, "map", bounds = TRUE)$rbp_residual)
})

test_that("residuals and condensed lists agree with trec_eval", {
  run <- read_run(fixture("run.txt"))
  qrels <- read_qrels(fixture("qrels.txt"))
  metrics <- list(high = metric_rbp(relevant = 1, convention = "trec_eval"),
                  low = metric_rbp(persistence = 0.8, relevant = 1, convention = "trec_eval"))
  found <- evaluate(run, qrels, metrics, bounds = TRUE)
  of <- function(metric, column) found[[column]][found$metric == metric]
  expect_equal(of("high", "rbp_residual"), printed("rbp_resid", "whole"), tolerance = 1e-9)
  expect_equal(of("low", "rbp_residual"), printed("rbp_resid_p=0.8", "whole"), tolerance = 1e-9)

  metrics <- list(map = "map", ndcg = "ndcg", P_5 = "precision@5", bpref = "bpref")
  condensed <- evaluate(run, qrels, metrics, convention = "trec_eval", judged_only = TRUE)
  for (name in names(metrics)) {
    expect_equal(condensed$value[condensed$metric == name], printed(name, "condensed"), tolerance = 1e-9)
  }
  # bpref ignores unjudged documents.
  whole <- evaluate(run, qrels, "bpref", convention = "trec_eval")
  expect_equal(whole$value, condensed$value[condensed$metric == "bpref"])
})

test_that("condensed lists have only judged documents", {
  found <- evaluate(list(a = run, b = run), qrels, c("precision@3", "judged"), judged_only = TRUE)
  expect_identical(found$documents, rep(5L, 4))
  expect_equal(found$value, c(2 / 3, 2 / 3, 1, 1))
  expect_equal(evaluate(run, qrels, "precision@3")$value, 1 / 3)
})

test_that("summary() has the means of the bounds, print() shows them", {
  two <- as_qrels(rbind(as.data.frame(qrels), data.frame(query = "2", document = "a", relevance = 0)))
  runs <- as_run(rbind(as.data.frame(run)[1:3], transform(as.data.frame(run)[1:3], query = "2")))
  found <- evaluate(list(x = runs), two, c("rbp", "precision@5"), bounds = TRUE)
  means <- summary(found)
  expect_equal(means$lowest, c(mean(found$lowest[1:2]), mean(found$lowest[3:4])))
  expect_equal(means$highest, c(mean(found$highest[1:2]), mean(found$highest[3:4])))
  expect_equal(means$rbp_residual, c(mean(found$rbp_residual[1:2]), NA))
  expect_snapshot(print(found, n = 2))
  expect_null(summary(evaluate(runs, two, "map"))$lowest)
})

test_that("bounds of evaluations are accepted by comparisons", {
  found <- evaluate(list(a = run, b = run), qrels, "rbp", bounds = TRUE)
  expect_identical(tidy(compare_rankers(found, seed = 1))$difference, 0)
})

test_that("the highest grade of unjudged documents comes from the judgements, or is given", {
  dcg <- function(...) evaluate(run, qrels, metric_dcg(3, gain = "linear"), bounds = TRUE, ...)$highest
  expect_equal(dcg(), 1 + 1 / 2)
  expect_equal(dcg(max_grade = 3), 1 + 3 / 2)
  # The metric's lowest relevant grade may be higher.
  expect_equal(evaluate(run, qrels, metric_precision(3, relevant = 2), bounds = TRUE)$highest, 1 / 3)
  expect_snapshot_error(evaluate(run, as_qrels(data.frame(query = "1", document = "a", relevance = 2)), "dcg",
                                 bounds = TRUE, max_grade = 1), class = "rankmix_error_grade")
  expect_error(evaluate(run, qrels, "dcg", max_grade = 1), class = "rankmix_error_argument")
  expect_error(evaluate(run, qrels, metric_err(max_grade = 1), bounds = TRUE, max_grade = 2),
               class = "rankmix_error_grade")
})

test_that("a document with a negative grade may be relevant although it is not retrieved", {
  named <- as_qrels(rbind(as.data.frame(qrels), data.frame(query = "1", document = "z", relevance = -1)))
  found <- evaluate(run, named, "recall", bounds = TRUE)
  expect_equal(found$value, 1)
  expect_equal(found$lowest, 3 / 4)
})

test_that("values that do not depend on grades stay", {
  short <- as_run(as.data.frame(run)[1:2, ])
  for (rule in c("zero", "undefined", "drop")) {
    found <- evaluate(short, qrels, metric_precision(3, short_lists = rule), bounds = TRUE)
    expect_identical(found$lowest, found$value)
    expect_identical(found$highest, found$value)
  }
  shrunk <- evaluate(as_run(as.data.frame(run)[1:3, ]), qrels, metric_precision(5, short_lists = "shrink"),
                     bounds = TRUE)
  expect_equal(c(shrunk$lowest, shrunk$highest), c(1, 2) / 3)
})

test_that("metrics without bounds are an error", {
  expect_snapshot_error(evaluate(run, qrels, "bpref", bounds = TRUE), class = "rankmix_error_argument")
  expect_snapshot_error(evaluate(run, qrels, metric_ndcg(empty = "drop"), bounds = TRUE),
                        class = "rankmix_error_argument")
  expect_snapshot_error(evaluate(run, qrels, metric_ndcg(ties = "average"), bounds = TRUE),
                        class = "rankmix_error_argument")
  expect_error(evaluate(run, qrels, "gm_map", bounds = TRUE), class = "rankmix_error_argument")
  expect_snapshot_error(evaluate(run, qrels, "map", bounds = TRUE, judged_only = TRUE),
                        class = "rankmix_error_argument")
  data <- random_data(queries = 3)
  expect_snapshot_error(evaluate(data$x[, 1], data, "map", bounds = TRUE), class = "rankmix_error_argument")
  expect_error(evaluate(data$x[, 1], data, "map", judged_only = TRUE), class = "rankmix_error_argument")
  expect_error(evaluate(run, qrels, "map", bounds = 1), class = "rankmix_error_argument")
})
