test_that("groups of ranks that do not differ are as long as possible", {
  ranks <- c(a = 1, b = 1.5, c = 1.9, d = 3, e = 3.2)
  groups <- rankmix:::rank_groups(ranks, 0.6)
  # Each bar begins and ends exactly at ranks that it joins.
  expect_equal(unname(groups$from), c(1, 1.5, 3))
  expect_equal(unname(groups$to), c(1.5, 1.9, 3.2))
  expect_identical(nrow(rankmix:::rank_groups(ranks, 5)), 1L)
  expect_identical(nrow(rankmix:::rank_groups(ranks, 0.1)), 0L)
})

test_that("the axis of ranks fits the ranks and the critical difference", {
  near <- rankmix:::rank_axis(c(a = 2.89, b = 3.0, c = 3.14, d = 3.0, e = 2.97), 0.17)
  expect_lt(near$span, 0.5)
  expect_true(near$from <= 2.89 && near$to >= 3.14)
  wide <- rankmix:::rank_axis(c(a = 1, b = 2, c = 3), 1.91)
  expect_identical(c(wide$from, wide$to), c(1, 3))
  skip_if_not_installed("ggplot2")
  expect_error(ggplot2::autoplot(compare_values(0.5, 0.3), "ranks"), class = "rankmix_error_argument")
})

test_that("lines of many rankers decide as Nemenyi's test", {
  skip_if_not_installed("ggplot2")
  values <- many_rankers(20)
  ranked <- compare_over_datasets(values[1:12, ])
  drawn <- ggplot2::autoplot(ranked)
  rows <- drawn$data
  expect_identical(rows$ranker, names(ranked$ranks))
  pairs <- ranked$pairs
  at <- function(ranker) match(ranker, rows$ranker)
  overlap <- rows$upper[at(pairs$a)] > rows$lower[at(pairs$b)] & rows$upper[at(pairs$b)] > rows$lower[at(pairs$a)]
  expect_identical(overlap, pairs$p > 0.05)
  expect_true(any(overlap) && !all(overlap))
  best <- rows$ranker[1]
  p <- function(ranker) pairs$p[pairs$a == best & pairs$b == ranker | pairs$a == ranker & pairs$b == best]
  expect_identical(rows$near[-1], vapply(rows$ranker[-1], p, 0, USE.NAMES = FALSE) > 0.05)
  expect_match(ggplot2::autoplot(ranked, n = 16)$labels$caption, "The 16 best mean ranks of 20 rankers")
  # With fewer rankers the plot has bars, but the critical difference still counts all rankers.
  expect_match(ggplot2::autoplot(ranked, n = 10)$labels$caption, "joined by a bar")
  expect_error(ggplot2::autoplot(ranked, n = 0), class = "rankmix_error_argument")
})

test_that("equal ranks overlap", {
  skip_if_not_installed("ggplot2")
  values <- matrix(0.5, 5, 16, dimnames = list(NULL, paste0("r", 1:16)))
  expect_true(all(ggplot2::autoplot(compare_over_datasets(values))$data$near))
})
