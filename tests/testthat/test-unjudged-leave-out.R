run_of <- function(...) {
  documents <- list(...)
  as_run(data.frame(query = rep(seq_along(documents), lengths(documents)), document = unlist(documents),
                    score = -sequence(lengths(documents))))
}
runs <- list(one = run_of(c("a", "b", "c"), c("a", "d")), two = run_of(c("b", "a", "c"), c("d", "a")),
             new = run_of(c("x", "a", "y"), c("y", "a")))
qrels <- as_qrels(data.frame(query = c(1, 1, 1, 1, 2, 2, 2), document = c("a", "b", "x", "z", "a", "d", "y"),
                             relevance = c(1, 1, 1, 0, 0, 1, 1)))

test_that("documents of one run alone become unjudged", {
  found <- tidy(leave_out_runs(runs, qrels, depth = 2, metric = c("map", "precision@1")))
  map <- found[found$metric == "average_precision", ]
  expect_identical(map$run, names(runs))
  expect_identical(map$unique, c(0L, 0L, 2L))
  expect_identical(map$unique_relevant, c(0L, 0L, 2L))
  # In query 1 there are three relevant documents, and two without x. In query 2 there are two, and one without y.
  expect_equal(map$value, c((2 / 3 + 1 / 4) / 2, (2 / 3 + 1 / 2) / 2, (2 / 3 + 1 / 2) / 2))
  expect_equal(map$value_without[3], (1 / 2 / 2 + 0) / 2)
  expect_equal(map$change, map$value_without - map$value)
  expect_equal(map$relative_change[3], map$change[3] / map$value[3])
  expect_equal(map$rank, c(3, 1.5, 1.5))
  expect_equal(map$rank_without[3], 3)
  # Without x and y, the other runs are evaluated with fewer judgements.
  fewer <- as_qrels(as.data.frame(qrels)[!qrels$document %in% c("x", "y"), ])
  means <- function(qrels) summary(evaluate(runs, qrels, "map"))$mean
  expect_equal(map$tau[3], cor(means(qrels), means(fewer), method = "kendall"))
  expect_equal(map$value_without[3], means(fewer)[3])
})

test_that("runs of a group are left out together", {
  more <- c(runs, list(again = runs$new))
  alone <- tidy(leave_out_runs(more, qrels, 2))
  expect_identical(alone$unique, rep(0L, 4))
  together <- leave_out_runs(more, qrels, 2, groups = c("x", "y", "new", "new"))
  expect_identical(tidy(together)$unique, c(0L, 0L, 2L, 2L))
  expect_identical(tidy(together)$group, c("x", "y", "new", "new"))
  expect_snapshot(together)
})

test_that("judgements that no run contributed stay", {
  found <- leave_out_runs(runs, qrels, 1)
  # Only z of query 1 is in no top 1 of any run.
  expect_identical(found$uncontributed, 1L)
  expect_identical(tidy(found)$unique, c(2L, 2L, 2L))
  expect_snapshot(found)
})

test_that("tau and relative changes may be undefined", {
  none <- as_qrels(transform(as.data.frame(qrels), relevance = 0))
  found <- tidy(leave_out_runs(runs, none, 2))
  expect_identical(found$tau, rep(NA_real_, 3))
  expect_identical(found$relative_change, rep(NA_real_, 3))
  expect_output(print(leave_out_runs(runs, none, 2)), "largest drop: 0.0000")
})

test_that("wrong input is an error", {
  expect_error(leave_out_runs(runs, qrels), class = "rankmix_error_argument")
  expect_error(leave_out_runs(runs, depth = 1), class = "rankmix_error_argument")
  expect_error(leave_out_runs(), class = "rankmix_error_argument")
  expect_error(leave_out_runs(runs, qrels, 0), class = "rankmix_error_argument")
  expect_error(leave_out_runs(runs$one, qrels, 1), class = "rankmix_error_argument")
  expect_error(leave_out_runs(runs, qrels, 1, groups = c(one = "a", two = "b", other = "c")),
               "names of the runs", class = "rankmix_error_argument")
  expect_snapshot_error(leave_out_runs(runs, qrels, 1, groups = c("a", "b")),
                        class = "rankmix_error_argument")
  expect_snapshot_error(leave_out_runs(runs, qrels, 1, groups = c("a", "a", "a")),
                        class = "rankmix_error_argument")
  expect_error(leave_out_runs(list(a = runs$one, b = as_run(as.data.frame(runs$two)[1:3, ])), qrels, 1),
               class = "rankmix_error_topics")
})
