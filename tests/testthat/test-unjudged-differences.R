# Two runs of 12 queries. The pool has the documents of "old". "new" ranks unjudged documents first.
qrels <- as_qrels(data.frame(query = rep(1:12, each = 4), document = c("a", "b", "c", "d"),
                             relevance = c(1, 0, 0, 0, 1, 1, 0, 0, 0, 1, 0, 1)))
run_of <- function(...) {
  as_run(data.frame(query = rep(1:12, each = length(c(...))), document = c(...), score = -seq_along(c(...))))
}
runs <- list(old = run_of("a", "b", "c", "d"), new = run_of("x", "b", "a", "y"),
             worst = run_of("d", "c", "b", "a"))

test_that("bounds of sums over documents agree with the weights", {
  bounds <- judgement_bounds(runs[c("old", "new")], qrels, metric_rbp(persistence = 0.5))
  queries <- tidy(bounds, "queries")
  # In "new", x has the weight .5 and y has .0625. "old" has neither document.
  expect_equal(queries$highest, queries$difference)
  expect_equal(queries$lowest, queries$difference - 0.5625)
  expect_identical(queries$unjudged, rep(2L, 12))
  pair <- tidy(bounds)
  expect_equal(pair$lowest, mean(queries$lowest))
  expect_equal(pair$upper, mean(queries$highest) + qt(0.975, 11) * sd(queries$highest) / sqrt(12))
  expect_equal(pair$lower, mean(queries$lowest) - qt(0.975, 11) * sd(queries$lowest) / sqrt(12))
  expect_identical(pair$verdict, "depends on the unjudged documents")
})

test_that("an unjudged document at one rank in both runs changes no additive difference", {
  same <- list(one = run_of("x", "a", "b"), two = run_of("x", "b", "a"))
  found <- tidy(judgement_bounds(same, qrels, c("precision@2", "rbp", "dcg")), "queries")
  expect_equal(found$lowest, found$difference)
  expect_equal(found$highest, found$difference)
})

test_that("verdicts are by the intervals of both ends", {
  verdict <- function(a, b) {
    rankmix:::bounds_verdict(c(lower = a[1], upper = a[2]), c(lower = b[1], upper = b[2]))
  }
  expect_identical(verdict(c(0.1, 0.2), c(0.2, 0.3)), "better whatever the unjudged documents are")
  expect_identical(verdict(c(-0.3, -0.2), c(-0.2, -0.1)), "worse whatever the unjudged documents are")
  expect_identical(verdict(c(-0.1, 0.2), c(0.2, 0.3)), "depends on the unjudged documents")
  expect_identical(verdict(c(-0.3, -0.2), c(0.2, 0.3)), "depends on the unjudged documents")
  expect_identical(verdict(c(-0.3, -0.2), c(-0.2, 0.1)), "depends on the unjudged documents")
  expect_identical(verdict(c(-0.1, 0.2), c(-0.1, 0.3)), "undecided")
  expect_identical(verdict(c(NA, NA), c(NA, NA)), "undecided")

  # The third query has a smaller difference, so the variance is not 0 and there is an interval.
  found <- tidy(judgement_bounds(runs, qrels, metric_rbp(persistence = 0.5)))
  plain <- evaluate(runs, qrels, metric_rbp(persistence = 0.5))$value
  difference <- plain[1:12] - plain[25:36]
  expect_equal(found$lower[2], mean(difference) - qt(1 - 0.025 / 3, 11) * sd(difference) / sqrt(12))
  better <- list(good = run_of("a", "b", "d", "c"), bad = run_of("c", "x", "y", "z", "d", "b", "a"))
  some <- as_qrels(subset(as.data.frame(qrels), !(document == "b" & query > 9)))
  found <- tidy(judgement_bounds(better, some, metric_rbp(persistence = 0.3)))
  expect_identical(found$verdict, "better whatever the unjudged documents are")
  against <- tidy(judgement_bounds(better, some, metric_rbp(persistence = 0.3), control = "good"))
  expect_identical(against$b, "good")
  expect_identical(against$verdict, "worse whatever the unjudged documents are")
})

test_that("each run keeps its own order of equal scores", {
  tied <- function(...) as_run(data.frame(query = rep(1:12, each = 2), document = c(...), score = 1))
  both <- list(one = tied("a", "x"), two = tied("x", "a"))
  found <- suppressWarnings(tidy(judgement_bounds(both, qrels, "precision@1")))
  expect_equal(found$lowest, -1 / 3)
  expect_equal(found$highest, 2 / 3)
  by_id <- tidy(judgement_bounds(both, qrels, "mrr", convention = "trec_eval"))
  expect_equal(c(by_id$lowest, by_id$highest), c(0, 0))
})

test_that("queries that a run lacks count as empty lists with topics = \"qrels\"", {
  less <- list(old = runs$old, few = as_run(as.data.frame(runs$new)[1:8, ]))
  expect_error(judgement_bounds(less, qrels, "rbp"), class = "rankmix_error_topics")
  expect_identical(tidy(judgement_bounds(less, qrels, "rbp", topics = "common"))$queries, 2L)
  found <- tidy(judgement_bounds(less, qrels, "rbp", topics = "qrels"), "queries")
  expect_equal(found$lowest[3:12], evaluate(runs$old, qrels, "rbp")$value[3:12])
})

test_that("bounds print and have parts", {
  expect_snapshot(judgement_bounds(runs, qrels, c("ndcg@3", "map")))
  expect_snapshot(judgement_bounds(runs[1:2], qrels, "map"))
  bounds <- judgement_bounds(runs, qrels, c("ndcg@3", "map"))
  expect_identical(tidy(bounds)$exact, rep(c(TRUE, FALSE), c(3, 3)) | c(tidy(bounds)$unjudged == 0))
  expect_error(tidy(bounds, "folds"), class = "rankmix_error_argument")
  expect_error(tidy(bounds, "pairs", 1), class = "rankmix_error_argument")
})

test_that("wrong input is an error", {
  bounds <- function(...) judgement_bounds(...)
  expect_snapshot_error(bounds(runs$old, qrels, "map"), class = "rankmix_error_argument")
  expect_snapshot_error(bounds(list(runs$old, runs$new), qrels, "map"), class = "rankmix_error_argument")
  expect_error(bounds(list(a = 1, b = 2), qrels, "map"), class = "rankmix_error_argument")
  expect_error(bounds(runs, qrels), class = "rankmix_error_argument")
  expect_error(bounds(runs), class = "rankmix_error_argument")
  expect_error(bounds(), class = "rankmix_error_argument")
  expect_error(bounds(runs, qrels, "bpref"), class = "rankmix_error_argument")
  expect_error(bounds(runs, qrels, "map", control = "none"), class = "rankmix_error_argument")
  expect_error(bounds(runs, qrels, "map", level = 1), class = "rankmix_error_argument")
  expect_error(bounds(runs, qrels, "dcg", max_grade = 0), class = "rankmix_error_argument")
  expect_snapshot_error(bounds(runs, qrels, metric_precision(3, short_lists = "shrink")),
                        class = "rankmix_error_argument")
})
