# Every plot as a picture, which a change of it must be seen to mean.

# Values of four rankers on three folds, the same everywhere.
plotted_comparison <- function(...) {
  n <- 90
  q <- seq_len(n)
  base <- 0.5 + 0.4 * sin(q)
  values <- list(mixture = base + 0.02 * cos(3 * q), trees = base,
                 linear = base - 0.05 + 0.1 * cos(5 * q), feature = base - 0.15 + 0.2 * cos(7 * q))
  values$trees[1:20] <- values$mixture[1:20]
  fold <- rep(c("Fold1", "Fold2", "Fold3"), length.out = n)
  tables <- lapply(values, evaluation_of, fold = fold)
  do.call(compare_rankers, c(tables, list(seed = 1, resamples = 1000, ...)))
}

test_that("comparisons look as they did", {
  skip_if_quick()
  skip_without_pictures()
  compared <- plotted_comparison()
  for (type in c("differences", "p_values", "wins", "scatter", "ranks")) {
    vdiffr::expect_doppelganger(paste("comparison", type), ggplot2::autoplot(compared, type))
  }
  vdiffr::expect_doppelganger("comparison wins of two others",
                              ggplot2::autoplot(compared, "wins", rankers = c("linear", "feature")))
})

test_that("the critical-difference diagram over data sets looks as it did", {
  skip_without_pictures()
  means <- cbind(mixture = c(5, 5, 4, 5, 5, 5, 4, 5), trees = c(4, 4, 5, 4, 4, 4, 5, 4),
                 linear = c(3, 2, 3, 3, 1, 3, 3, 2), feature = c(1, 1, 2, 2, 3, 1, 2, 1),
                 chance = c(2, 3, 1, 1, 2, 2, 1, 3))
  vdiffr::expect_doppelganger("ranks over data sets",
                              ggplot2::autoplot(compare_over_datasets(means)))
})

test_that("the heat map has the p-values that decide", {
  skip_if_not_installed("ggplot2")
  for (adjust in c("holm", "BH", "none")) {
    compared <- plotted_comparison(adjust = adjust)
    pairs <- compared$pairs
    wanted <- pairs[[c(holm = "p_holm", BH = "p_bh", none = "p_randomization")[[adjust]]]]
    expect_identical(pairs$p_adjusted, wanted)
    shown <- ggplot2::autoplot(compared, "p_values")$data
    at <- match(paste(pairs$a, pairs$b), paste(shown$a, shown$b))
    expect_identical(shown$p[at], wanted)
  }
})

test_that("plots say what they cannot show", {
  skip_if_not_installed("ggplot2")
  compared <- plotted_comparison()
  expect_snapshot(error = TRUE, {
    ggplot2::autoplot(compared, "pie")
    ggplot2::autoplot(compared, "wins", rankers = c("mixture", "none"))
    ggplot2::autoplot(compared, metric = "err")
  })
})

test_that("runs of ranks that do not differ are the longest ones", {
  ranks <- c(a = 1, b = 1.5, c = 1.9, d = 3, e = 3.2)
  groups <- rankmix:::rank_groups(ranks, 0.6)
  # No bar is longer than the ranks that it joins.
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
  expect_error(ggplot2::autoplot(compare_values(0.5, 0.3), "ranks"), class = "rankmix_error_argument")
})

test_that("captions say what intervals and p-values are", {
  skip_if_not_installed("ggplot2")
  compared <- plotted_comparison()
  expect_match(ggplot2::autoplot(compared)$labels$caption, "simultaneous 95 % intervals of 6 pairs")
  single <- plotted_comparison(adjust = "holm")
  expect_match(ggplot2::autoplot(single)$labels$caption, "interval of this pair\\salone;\\sp\\sadjusted")
  expect_no_match(ggplot2::autoplot(compared, "ranks")$labels$caption, "do not differ")
})

test_that("the scatter of two settings of members looks as it did", {
  skip_without_pictures()
  # A mixture of which the plot sees only members, their calibrators and metrics.
  methods <- c(lapply(c("linear", "logistic"), calibrator_rbc),
               lapply(c("linear", "logistic"), calibrator_rbc, normalize = TRUE))
  members <- expand.grid(method = 1:4, model = 1:6)
  members$value <- 0.5 + 0.05 * sin(members$model) + 0.01 * members$method
  specs <- lapply(2:7, function(leaves) adaboost_mh(base_tree(leaves)))
  mixture <- structure(
    list(members = members[c("model", "value")], value = 0.58, metric = metric_ndcg(10),
         models = lapply(specs, function(spec) list(spec = spec, feature_set = "original")),
         fitted = lapply(members$method, function(m) list(method = methods[[m]]))),
    class = c("rankmix_mixture", "rankmix_ranker")
  )
  vdiffr::expect_doppelganger("members with two settings",
                              ggplot2::autoplot(mixture, type = "normalization"))
})

test_that("no name leaves its figure", {
  skip_if_quick()
  # Broken after "_", or anywhere; nothing is lost.
  broken <- rankmix:::broken_name
  long <- "boosted_regression_trees_of_twenty"
  expect_identical(broken(long, 20L), c("boosted_regression_", "trees_of_twenty"))
  expect_identical(broken("a ranker of a long name", 20L), strwrap("a ranker of a long name", 20L))
  solid <- strrep("x", 50L)
  for (name in c(long, solid, "a_b", "", paste(long, solid))) {
    lines <- broken(name, 20L)
    expect_true(all(nchar(lines) < 20L))
    expect_identical(gsub(" ", "", paste(lines, collapse = "")), gsub(" ", "", name))
  }
  # Beside points on the right names are on the left.
  skip_if_not_installed("ggplot2")
  rows <- ggplot2::autoplot(fixed_benchmark(), "time")$data
  middle <- mean(range(log(rows$seconds)))
  expect_identical(rows$side, as.numeric(log(rows$seconds) > middle))
  expect_true(all(0:1 %in% rows$side))
})

test_that("p-values fit their cells", {
  expect_identical(rankmix:::p_labels(c(NA, 0, 0.0009, 0.0231, 0.5, 0.9994, 0.9996, 1)),
                   c("", "<.001", "<.001", ".023", ".500", ".999", "1", "1"))
})
