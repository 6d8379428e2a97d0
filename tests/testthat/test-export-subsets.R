# Adds fields that prediction does not use.
with_counts <- function(forest) {
  nodes <- length(forest$feature)
  c(forest, list(gain = numeric(nodes), node_documents = integer(nodes),
                 leaf_documents = integer(length(forest$values))))
}

test_that("trees of thresholds are the trees with sets, bit for bit", {
  for (seed in draws(6)) {
    frame <- factor_frame(missing = 0.1, seed = seed)
    frame$region <- factor(sample(c("n", "e", "s", "w"), nrow(frame), TRUE))
    data <- factor_data(frame)
    model <- fit(gbrt(5, num_leaves = 8, min_data_in_leaf = 2, categories = "subsets", cat_l2 = 1,
                      max_bin = 7, min_data_per_group = 5), data)
    expect_gt(length(model$forest$set_levels), 0L)
    plain <- model
    plain$forest <- with_counts(threshold_trees(model$forest, model, NULL))
    plain$categories <- NULL
    expect_identical(predict(plain, data), predict(model, data))
    # The trees leave out tests whose result follows from the tests above.
    expect_lt(length(plain$forest$feature), 12 * 4 * length(model$forest$feature))
  }
})

test_that("formats of other programs hold models with sets", {
  frame <- factor_frame(missing = 0.1)
  data <- factor_data(frame)
  model <- fit(gbrt(5, num_leaves = 6, min_data_in_leaf = 2, categories = "subsets",
                    min_data_per_group = 5), data)
  for (ending in c("onnx", "c")) {
    write_model(model, withr::local_tempfile(fileext = paste0(".", ending)))
  }
  for (format in c("lightgbm", "ranklib", "solr", "elasticsearch")) {
    file <- withr::local_tempfile()
    write_model(model, file, format, missing = "zero")
    expect_gt(file.size(file), 1000)
  }
  skip_if(!nzchar(compiler_of_c()), "There is no compiler of C")
  expect_same_c(model, data$x, "sets")
})

test_that("too many copies are refused", {
  model <- fit(gbrt(1, num_leaves = 6, min_data_in_leaf = 2, categories = "subsets", min_data_per_group = 5),
               factor_data(factor_frame()))
  expect_snapshot(error = TRUE, threshold_trees(model$forest, model, NULL, most = 10L))
})
