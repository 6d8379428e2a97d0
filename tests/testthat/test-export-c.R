compiler <- compiler_of_c()

test_that("a file of C compiles without a warning and gives the same bits", {
  skip_on_cran()
  skip_if(!nzchar(compiler), "no C compiler")
  data <- export_data()
  models <- c(export_trees(), export_sums(), list(
    marked = fit(linear_ranker(penalty = 0.1, missing = "indicator"), data, verbose = FALSE),
    classes = fit(mcsvm(0.1, missing = "indicator", grouping = "binary"), data, verbose = FALSE),
    votes = fit(adaboost_mh(base_hamming_tree(4, "confidence"), 5), data, seed = 1, verbose = FALSE),
    feature = fit(best_feature(), data, verbose = FALSE),
    m5p = fit(m5p(min_data_in_split = 30, missing = "indicator"), data, verbose = FALSE),
    bag = fit(bagging(m5p(min_data_in_split = 30), times = 4, feature_fraction = 0.5), data, seed = 1,
              verbose = FALSE),
    bag_marked = fit(bagging(m5p(min_data_in_split = 30, missing = "indicator"), times = 3), data,
                     seed = 1, verbose = FALSE)
  ))
  no_rounds <- models$trees
  no_rounds$best_rounds <- 0L
  models$no_rounds <- no_rounds
  for (name in names(models)) {
    model <- models[[name]]
    x <- rbind(data$x, if (!is.null(model$forest)) edge_features(model))
    expect_identical(scores_of_c(model, x), predict(model, x), label = name)
  }
})

test_that("names of features cannot end a comment", {
  data <- export_data(FALSE)
  x <- data$x
  colnames(x) <- c("*/ int evil; /*", "??/", "a\\", "b\n#error", "\u00e9", "plain")
  model <- fit(linear_ranker(penalty = 0.1), ranking_data(x, data$relevance, data$query), verbose = FALSE)
  lines <- written(model, "c")
  expect_identical(sum(grepl("*/", lines, fixed = TRUE)), 8L)
  expect_false(any(grepl("#error|[?][?]/|\\\\", lines)))
})
