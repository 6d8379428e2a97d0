test_that("the queries with the largest differences are named", {
  skip_if_not_installed("ggplot2")
  values <- cbind(a = c(0.9, 0.5, 0.5, 0.1, 0.4, 0.3), b = c(0.1, 0.5, 0.2, 0.7, 0.3, 0.3))
  rownames(values) <- c("first", "same", "third", "fourth", "fifth", "other")
  compared <- compare_rankers(values, metric = "ndcg@10", seed = 1)
  drawn <- ggplot2::autoplot(compared, "wins", rankers = c("a", "b"), margin = 0.2)
  expect_identical(drawn$data$query[c(1, 2, 3, 6)], c("first", "third", "fifth", "fourth"))
  expect_equal(drawn$data$difference[c(1, 6)], c(0.8, -0.6))
  expect_identical(as.character(drawn$data$who),
                   c(rep("a better", 3), rep("equal", 2), "b better"))
  ends <- rankmix:::extreme_queries(drawn$data)
  expect_identical(ends$label, c("first (+0.800)\nthird (+0.300)\nfifth (+0.100)", "fourth (-0.600)"))
  expect_identical(gsub("\n", " ", drawn$labels$subtitle),
                   "3 better, 2 equal, 1 worse of 6 queries; by more than 0.2: 2 better, 1 worse")
})

test_that("the margin of the comparison is the margin of a query, unless it is relative", {
  skip_if_not_installed("ggplot2")
  subtitle <- function(...) ggplot2::autoplot(compare_many(3, ...), "wins")$labels$subtitle
  expect_match(subtitle(margin = 0.05), "by\\smore\\sthan\\s0.05")
  expect_no_match(subtitle(margin = 0.05, relative_margin = TRUE), "more")
  expect_no_match(subtitle(), "more")
})

test_that("queries of the same name in several folds have the fold's name", {
  paired <- list(query = c("1", "2", "1"), fold = c("f1", "f1", "f2"))
  expect_identical(rankmix:::query_labels(paired), c("f1: 1", "2", "f2: 1"))
  expect_identical(rankmix:::query_labels(list(query = c("1", "2"))), c("1", "2"))
})

test_that("rankers that are equal on all queries have no named query", {
  skip_if_not_installed("ggplot2")
  values <- cbind(a = c(0.4, 0.5, 0.6), b = c(0.4, 0.5, 0.6))
  drawn <- ggplot2::autoplot(compare_rankers(values, metric = "ndcg@10", seed = 1), "wins")
  expect_identical(nrow(rankmix:::extreme_queries(drawn$data)), 0L)
  expect_no_error(ggplot2::ggplot_build(drawn))
  expect_match(drawn$labels$subtitle, "0 better, 3 equal, 0 worse")
})
