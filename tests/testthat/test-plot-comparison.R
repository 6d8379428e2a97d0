# Each plot has a picture. A change of a picture must be intended.

test_that("comparisons match their stored pictures", {
  skip_if_quick()
  skip_without_pictures()
  compared <- plotted_comparison()
  for (type in c("differences", "p_values", "wins", "scatter", "ranks")) {
    vdiffr::expect_doppelganger(paste("comparison", type), ggplot2::autoplot(compared, type))
  }
  vdiffr::expect_doppelganger("comparison differences with a margin",
                              ggplot2::autoplot(plotted_comparison(margin = 0.05, control = "linear")))
  vdiffr::expect_doppelganger("comparison wins of two others",
                              ggplot2::autoplot(compared, "wins", rankers = c("linear", "feature")))
})

test_that("the critical-difference diagram over data sets matches its stored picture", {
  skip_without_pictures()
  means <- cbind(mixture = c(5, 5, 4, 5, 5, 5, 4, 5), trees = c(4, 4, 5, 4, 4, 4, 5, 4),
                 linear = c(3, 2, 3, 3, 1, 3, 3, 2), feature = c(1, 1, 2, 2, 3, 1, 2, 1),
                 chance = c(2, 3, 1, 1, 2, 2, 1, 3))
  vdiffr::expect_doppelganger("ranks over data sets",
                              ggplot2::autoplot(compare_over_datasets(means)))
})

test_that("errors name the types, rankers and metrics that can be drawn", {
  skip_if_not_installed("ggplot2")
  compared <- plotted_comparison()
  expect_snapshot(error = TRUE, {
    ggplot2::autoplot(compared, "pie")
    ggplot2::autoplot(compared, "wins", rankers = c("mixture", "none"))
    ggplot2::autoplot(compared, metric = "err")
  })
})

test_that("captions explain intervals and p-values", {
  skip_if_not_installed("ggplot2")
  compared <- plotted_comparison()
  expect_match(ggplot2::autoplot(compared)$labels$caption, "simultaneous 95 % intervals of 6 pairs")
  single <- plotted_comparison(adjust = "holm")
  expect_match(ggplot2::autoplot(single)$labels$caption, "interval of this pair\\salone;\\sp\\sadjusted")
  expect_no_match(ggplot2::autoplot(compared, "ranks")$labels$caption, "do not differ")
})

test_that("the scatter of two settings of members matches its stored picture", {
  skip_without_pictures()
  # A minimal mixture with the fields that the plot uses: members, their calibrators and metrics.
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

test_that("plots of more than 15 rankers match their stored pictures", {
  skip_if_quick()
  skip_without_pictures()
  compared <- compare_many(20)
  for (type in c("differences", "p_values", "ranks")) {
    vdiffr::expect_doppelganger(paste("many rankers", type), ggplot2::autoplot(compared, type))
  }
})

test_that("n limits the rankers, and the caption reports it", {
  skip_if_not_installed("ggplot2")
  compared <- compare_many(6)
  for (type in c("differences", "p_values", "ranks")) {
    drawn <- ggplot2::autoplot(compared, type, n = 3)
    expect_match(drawn$labels$caption, "of 6 rankers")
    expect_no_match(ggplot2::autoplot(compared, type)$labels$caption, "of 6 rankers")
  }
  expect_setequal(ggplot2::autoplot(compared, n = 3)$data$ranker, sprintf("ranker%02d", 1:3))
  # The control is always drawn.
  controlled <- ggplot2::autoplot(compare_many(6, control = "ranker06"), n = 2)
  expect_setequal(controlled$data$ranker, sprintf("ranker%02d", c(1, 2, 6)))
  expect_setequal(ggplot2::autoplot(compared, n = Inf)$data$ranker, sprintf("ranker%02d", 1:6))
})

test_that("arguments are checked", {
  skip_if_not_installed("ggplot2")
  compared <- compare_many(3)
  for (n in list(1, "two", NA)) {
    expect_error(ggplot2::autoplot(compared, n = n), class = "rankmix_error_argument")
  }
  for (margin in list(0, -1, "much")) {
    expect_error(ggplot2::autoplot(compared, "wins", margin = margin), class = "rankmix_error_argument")
  }
})

test_that("figures of more rankers are higher", {
  height <- function(k, type = "differences", ...) rankmix:::figure_height(type, character(k), ...)
  expect_identical(height(5), 1.9 + 0.42 * 5)
  expect_identical(height(40), 2.1 + 0.14 * 40)
  expect_identical(height(60), height(40))
  expect_gt(height(5, settings = list(margin = 0.1)), height(5))
  for (type in c("folds", "p_values", "ranks")) expect_gt(height(20, type), 3)
})
