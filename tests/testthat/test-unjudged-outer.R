test_that("the bound of average precision is tight for one unjudged document", {
  # Run a ranks new above x, and run b ranks x above new. Document x is relevant. If new is relevant, both values are
  # 1. Otherwise they are 1/2 and 1.
  run <- function(...) as_run(data.frame(query = "1", document = c(...), score = 2:1))
  qrels <- as_qrels(data.frame(query = "1", document = "x", relevance = 1))
  bounds <- tidy(judgement_bounds(list(a = run("new", "x"), b = run("x", "new")), qrels, "map"))
  expect_equal(c(bounds$lowest, bounds$highest), c(-0.5, 0))
  expect_false(bounds$exact)
})

test_that("the bound of average precision is within the bounds of each run", {
  case <- unjudged_case(3, unjudged = 4)
  runs <- case[c("a", "b")]
  each <- evaluate(runs, case$qrels, "map", bounds = TRUE)
  widest <- each$highest[each$ranker == "a"] - each$lowest[each$ranker == "b"]
  found <- tidy(judgement_bounds(runs, case$qrels, "map"), "queries")
  expect_true(all(found$highest <= widest + 1e-12))
})

test_that("outer bounds are exact without unjudged documents", {
  case <- unjudged_case(1)
  complete <- as_qrels(data.frame(query = rep(c("q1", "q2"), each = 8), document = letters[1:8],
                                  relevance = rep(c(1, 0, 0, 2), 4)))
  bounds <- tidy(judgement_bounds(case[c("a", "b")], complete, c("map", "err")))
  expect_equal(bounds$lowest, bounds$difference)
  expect_equal(bounds$highest, bounds$difference)
  expect_true(all(bounds$exact))
})
