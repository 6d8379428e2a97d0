# The benchmark is computed once, because several tests draw it.
plotted_benchmark <- local({
  made <- NULL
  function() {
    if (is.null(made)) made <<- fixed_benchmark()
    made
  }
})

test_that("benchmarks match their stored pictures", {
  skip_without_pictures()
  benchmark <- plotted_benchmark()
  vdiffr::expect_doppelganger("benchmark folds", ggplot2::autoplot(benchmark))
  vdiffr::expect_doppelganger("benchmark time", ggplot2::autoplot(benchmark, "time"))
  vdiffr::expect_doppelganger("benchmark folds by err",
                              ggplot2::autoplot(benchmark, metric = "err"))
})

test_that("names beside points stay in the panel", {
  skip_if_not_installed("ggplot2")
  rows <- ggplot2::autoplot(plotted_benchmark(), "time")$data
  middle <- mean(range(log(rows$seconds)))
  expect_identical(rows$side, as.numeric(log(rows$seconds) > middle))
  expect_true(all(0:1 %in% rows$side))
})

test_that("times have the differences and intervals of the comparison", {
  skip_if_not_installed("ggplot2")
  benchmark <- plotted_benchmark()
  compared <- compare_rankers(benchmark, seed = 1, resamples = 500)
  rows <- ggplot2::autoplot(benchmark, "time", comparison = compared)$data
  rated <- compared$rankers[compared$rankers$metric == "ndcg@10", ]
  top <- rated$ranker[which.max(rated$mean)]
  expect_identical(rows$ranker[rows$reference], top)
  for (ranker in setdiff(rows$ranker, top)) {
    pair <- compared$pairs[compared$pairs$metric == "ndcg@10" & compared$pairs$a %in% c(top, ranker) &
                             compared$pairs$b %in% c(top, ranker), ]
    row <- rows[rows$ranker == ranker, ]
    sign <- if (pair$a == ranker) 1 else -1
    expect_equal(row$difference, sign * pair$difference)
    expect_equal(c(row$lower, row$upper), sort(sign * c(pair$sim_lower, pair$sim_upper)))
  }
  controlled <- compare_rankers(benchmark, seed = 1, resamples = 500, control = "third")
  rows <- ggplot2::autoplot(benchmark, "time", comparison = controlled)$data
  expect_identical(rows$ranker[rows$reference], "third")
  expect_false(anyNA(rows$lower[!rows$reference]))
  other <- compare_rankers(benchmark, metric = "err", seed = 1, resamples = 500)
  expect_error(ggplot2::autoplot(benchmark, "time", comparison = other), class = "rankmix_error_argument")
  expect_error(ggplot2::autoplot(benchmark, "time", comparison = 1), class = "rankmix_error_argument")
})

test_that("a benchmark of one ranker has times without intervals", {
  skip_if_not_installed("ggplot2")
  data <- example_part("train")
  one <- benchmark_rankers(list(first = function(data) data$x[, 1]), query_folds(data, 3, seed = 1),
                           "ndcg@10", data = data, seed = 1, verbose = FALSE)
  drawn <- ggplot2::autoplot(one, "time")
  expect_identical(drawn$data$difference, 0)
  expect_match(drawn$labels$caption, "no\\sintervals")
})

test_that("folds are joined over rankers, and n limits the rankers", {
  skip_if_not_installed("ggplot2")
  benchmark <- plotted_benchmark()
  drawn <- ggplot2::autoplot(benchmark)
  expect_identical(sort(unique(drawn$data$line)), sort(names(benchmark$data)))
  means <- summary(benchmark)
  means <- means[means$metric == "ndcg@10", ]
  expect_false(is.unsorted(means$mean[match(levels(drawn$data$ranker), means$ranker)]))
  few <- ggplot2::autoplot(benchmark, n = 2)
  expect_identical(nlevels(few$data$ranker), 2L)
  expect_match(few$labels$caption, "The 2 highest means of 3 rankers")
  expect_error(ggplot2::autoplot(benchmark, n = 1), class = "rankmix_error_argument")
})

test_that("of many rankers those have names that no faster ranker equals", {
  rows <- data.frame(mean = c(0.5, 0.4, 0.6, 0.55, 0.5), seconds = c(1, 0.5, 3, 4, 2))
  expect_identical(rankmix:::unbeaten(rows), c(TRUE, TRUE, TRUE, FALSE, FALSE))
})
