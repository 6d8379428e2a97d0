report_topics <- function(...) query_report(sakai_topics, "A", "B", ..., resamples = 200, seed = 1)

test_that("each query has its difference, influence and p-value", {
  found <- tidy(report_topics())
  d <- sakai_topics[, "A"] - sakai_topics[, "B"]
  expect_identical(nrow(found), 20L)
  expect_equal(found$difference, unname(d)[found$query])
  expect_equal(found$influence, unname((d - mean(d)) / 19)[found$query])
  expect_false(is.unsorted(-abs(found$influence)))
  p <- vapply(seq_along(d), function(q) t.test(d[-q])$p.value, 0)
  expect_equal(found$p_without, p[found$query])
  expect_identical(found$verdict, c("worse", "equal", "better")[sign(round(found$difference, 9)) + 2])
  expect_equal(found$mean, rowMeans(sakai_topics)[found$query])
  expect_identical(found$query[found$hardness == 1L], 7L)
  expect_identical(sum(tidy(report_topics(tolerance = 0.1))$verdict == "equal"), sum(abs(d) < 0.1 + 1e-9))
})

test_that("leaving queries out uses weights and folds", {
  d <- c(0.3, -0.1, 0.2, 0, 0.4, 0.25)
  naive <- function(weight, fold, values = d) {
    moments <- lapply(seq_along(values), function(q) {
      rankmix:::stratified_moments(values[-q], weight[-q], fold[-q])
    })
    list(mean = vapply(moments, `[[`, 0, "mean"),
         p = vapply(moments, rankmix:::t_test_p, 0, n = length(values) - 1L))
  }
  weight <- c(1, 2, 1, 0.5, 1, 3)
  expect_equal(rankmix:::without_each(d, weight, NULL), naive(weight, NULL))
  expect_equal(rankmix:::without_each(d, NULL, NULL), naive(NULL, NULL))
  fold <- rep(c("a", "b"), 3)
  expect_equal(rankmix:::without_each(d, weight, fold), naive(weight, fold))
  # Folds of one or two queries, and folds without a difference.
  for (small in list(c(1, 1, 2, 2, 2, 3), c(1, 2, 2, 3, 3, 3), c(1, 1, 1, 2, 2, 2), 1:6)) {
    expect_equal(rankmix:::without_each(d, weight, small), naive(weight, small))
  }
  set.seed(1)
  many <- c(round(rnorm(30), 2), rep(0.5, 4), rep(0, 6))
  fold <- rep(1:5, c(20, 7, 3, 4, 6))
  expect_equal(rankmix:::without_each(many, NULL, fold), naive(NULL, fold, many))
  weight <- runif(40, 0.2, 3)
  expect_equal(rankmix:::without_each(many, weight, fold), naive(weight, fold, many))
  expect_equal(rankmix:::without_each(rep(0.1, 6), NULL, rep(1:2, 3)), naive(NULL, rep(1:2, 3), rep(0.1, 6)))
  expect_identical(rankmix:::without_each(0.1, NULL, NULL), list(mean = NA_real_, p = 1))
  expect_identical(rankmix:::without_each(c(0.1, 0.2), NULL, NULL)$p, c(1, 1))
  expect_equal(rankmix:::without_each(rep(0.1, 4), NULL, NULL)$p, rep(2^-2, 4))
})

test_that("data in place of a ranker's name are an error", {
  expect_error(query_report(sakai_topics, simulate_ranking(5, seed = 1)$data), "`a` must be one of",
               class = "rankmix_error_argument")
})

test_that("evaluations have columns for groups", {
  data <- read_letor(system.file("extdata", "test.txt.gz", package = "rankmix"))
  values <- evaluate(list(first = data$x[, 1], second = data$x[, 2]), data, "ndcg@10")
  agreement <- ranking_agreement(data$x[, 1], data$x[, 2], data)
  report <- query_report(values, by = c("relevant", "documents"), agreement = agreement, resamples = 200,
                         seed = 1)
  queries <- tidy(report)
  own <- values[values$ranker == "first", ]
  expect_identical(queries$relevant, own$relevant[match(queries$query, own$query)])
  expect_identical(queries$rbo, agreement$rbo[match(queries$query, agreement$query)])
  expect_identical(tidy(report, "tests")$column, c("relevant", "documents"))
  expect_identical(sum(tidy(report, "groups")$queries), 2L * nrow(queries))
  expect_identical(c(report$a, report$b), c("first", "second"))
  # A comparison has the same differences.
  compared <- compare_rankers(values, resamples = 100, seed = 1)
  other <- tidy(query_report(compared, "first", "second", resamples = 100))
  expect_identical(other$difference, queries$difference)
  expect_equal(query_report(compared, resamples = 100)$p, compared$pairs$p_t)
  expect_error(query_report(compared, by = "relevant"), "none", class = "rankmix_error_argument")
})

test_that("groups of other columns are matched by query", {
  by <- data.frame(query = 20:1, kind = rep(c("short", "long"), 10), size = 1:20)
  report <- report_topics(by = by)
  expect_identical(tidy(report, "tests")$column, c("kind", "size"))
  groups <- tidy(report, "groups")
  d <- sakai_topics[, "A"] - sakai_topics[, "B"]
  expect_equal(groups$difference[groups$group == "long"], mean(d[seq(1, 19, 2)]))
  expect_error(report_topics(by = by[-1, ]), "lacks", class = "rankmix_error_queries")
  expect_error(report_topics(by = by[c(1, 1:20), ]), "twice", class = "rankmix_error_queries")
  expect_error(report_topics(by = by["kind"]), "`query`", class = "rankmix_error_argument")
  expect_error(report_topics(by = by["query"]), class = "rankmix_error_argument")
})

test_that("the benchmark's folds are strata", {
  benchmark <- fixed_benchmark()
  report <- query_report(benchmark, "feature", "second", by = "relevant", metric = "ndcg@10", resamples = 100)
  queries <- tidy(report)
  expect_identical(nrow(queries), nrow(unique(benchmark$results[c("fold", "query")])))
  expect_true("relevant" %in% names(queries))
})

test_that("bad input is refused", {
  refused <- function(...) expect_error(query_report(...), class = "rankmix_error_argument")
  refused()
  refused(sakai_topics, "A", "D")
  refused(sakai_topics, "A", "A")
  refused(sakai_topics[, 1, drop = FALSE])
  refused(sakai_topics, tolerance = -1)
  refused(sakai_topics, level = 2)
  refused(sakai_topics, groups = 1)
  refused(sakai_topics, by = "value_a")
  refused(sakai_topics, by = 1)
  refused(sakai_topics, agreement = 1)
  refused(evaluation_of(1:3 / 3))
  expect_error(tidy(report_topics(), "groups"), "no groups", class = "rankmix_error_argument")
  expect_error(tidy(report_topics(), "pairs"), class = "rankmix_error_argument")
})
