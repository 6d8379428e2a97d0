# Metrics of each form. The grades of the scale are 0, 1 and 2.
bounded_metrics <- list(
  "precision@3", "precision", "rbp", "rbp@3", "dcg@4", metric_dcg(gain = "linear", discount = "letor"),
  "recall@3", "f_measure@3", metric_f_measure(beta = 2), "r_precision", "success@2", "mrr", "ndcg@3", "ndcg",
  metric_ndcg(4, gain = c(0, 2, 3)), metric_ndcg(gain = c(1, 0, 2), discount = "log"), "map", "map@3",
  metric_average_precision(4, denominator = "cutoff"), metric_err(max_grade = 2),
  metric_err(3, max_grade = 2), metric_precision(3, relevant = 2), metric_recall(3, relevant = 2),
  metric_average_precision(relevant = 2), metric_ndcg(2, discount = c(1, 0.2))
)
names(bounded_metrics) <- paste0("m", seq_along(bounded_metrics))

test_that("bounds of one run are the lowest and highest value over all grades", {
  for (seed in draws(36)) {
    case <- unjudged_case(seed, unjudged = 2 + seed %% 3)
    runs <- case[c("a", "b")]
    found <- evaluate(runs, case$qrels, bounded_metrics, bounds = TRUE)
    for (query in c("q1", "q2")) for (run in c("a", "b")) {
      all <- values_of_all_grades(case, query, runs[run], bounded_metrics)
      own <- found[found$query == query & found$ranker == run, ]
      expect_identical(own$metric, names(all))
      expect_equal(own$lowest, unname(vapply(all, min, 0)), tolerance = 1e-12, info = paste(seed, query, run))
      expect_equal(own$highest, unname(vapply(all, max, 0)), tolerance = 1e-12,
                   info = paste(seed, query, run))
    }
  }
})

test_that("bounds of a difference are the lowest and highest difference over all grades", {
  exact <- vapply(bounded_metrics, function(m) rankmix:::is_exact_difference(as_metric(m)), NA)
  expect_identical(unname(which(!exact)), c(17:21, 24L))
  for (seed in draws(36)) {
    case <- unjudged_case(seed, unjudged = 2 + seed %% 3)
    runs <- case[c("a", "b")]
    found <- tidy(judgement_bounds(runs, case$qrels, bounded_metrics), "queries")
    for (query in c("q1", "q2")) {
      all <- values_of_all_grades(case, query, runs, bounded_metrics)
      lowest <- unname(vapply(all, function(v) min(v[, 1L] - v[, 2L]), 0))
      highest <- unname(vapply(all, function(v) max(v[, 1L] - v[, 2L]), 0))
      own <- found[found$query == query, ]
      expect_identical(own$metric, names(all))
      expect_equal(own$lowest[exact], lowest[exact], tolerance = 1e-10, info = paste(seed, query))
      expect_equal(own$highest[exact], highest[exact], tolerance = 1e-10, info = paste(seed, query))
      expect_true(all(own$lowest <= lowest + 1e-10))
      expect_true(all(own$highest >= highest - 1e-10))
    }
  }
})

test_that("documents are sorted once only if the cuts do not depend on R", {
  agree <- function(name, k) {
    rankmix:::own_divisors_agree(list(), list(name = name, k = k, short_lists = "pad"))
  }
  expect_true(agree("recall", Inf))
  expect_true(agree("f_measure", 3))
  # F of the whole list depends on the length of the list.
  expect_false(agree("f_measure", Inf))
})

test_that("the numbers of documents with at least each gain do not increase", {
  set.seed(1)
  for (i in 1:20) {
    parts <- list(numerator = matrix(rnorm(12), 4), ideal = matrix(0, 4, 3))
    counts <- rankmix:::best_chain(parts, 0)
    expect_true(all(diff(counts) <= 0))
    ways <- as.matrix(expand.grid(0:3, 0:3, 0:3))
    ways <- ways[ways[, 1] >= ways[, 2] & ways[, 2] >= ways[, 3], ]
    sums <- apply(ways, 1L, function(m) sum(parts$numerator[cbind(m + 1, 1:3)]))
    expect_equal(sum(parts$numerator[cbind(counts + 1, 1:3)]), max(sums))
  }
})
