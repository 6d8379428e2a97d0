# The leaf of each document in each tree, by doubles. Leaves have their numbers in the file.
walked_leaves <- function(forest, x) {
  vapply(seq_len(length(forest$node_begin) - 1L), function(t) {
    tree <- one_tree(forest, t)
    visit <- function(at, row) {
      if (at < 0L) return(length(tree$feature) - at - 1L)
      v <- x[row, tree$feature[at + 1L] + 1L]
      left <- if (is.na(v)) tree$missing_left[at + 1L] == 1L else v <= tree$threshold[at + 1L]
      visit(if (left) tree$left[at + 1L] else tree$right[at + 1L], row)
    }
    vapply(seq_len(nrow(x)), function(row) visit(first_node(tree), row), 0)
  }, numeric(nrow(x)))
}

# The error bound of a sum of n rounded floats: (n + 1) / 2 units in the last place, at the size of the sum.
float_sum_bound <- function(model) {
  parts <- suppressMessages(added_trees(model, NULL), classes = "rankmix_message_export")
  trees <- length(parts$forest$node_begin) - 1L
  largest <- vapply(seq_len(trees), function(t) max(abs(one_tree(parts$forest, t)$values)), 0)
  (trees + 2) * 2^-24 * (sum(largest) + abs(parts$start))
}

trees_of_onnx <- function(read, x) {
  node <- Filter(function(node) node$type == "TreeEnsembleRegressor", read$nodes)[[1L]]
  run_onnx_trees(node$with, onnx_typed(unname(x), 1))
}

test_that("every decision is the same at floats next to thresholds", {
  models <- export_trees()
  models$oblivious <- fit(yetirank(trees = 10), export_data(), seed = 1, verbose = FALSE)
  models$dropped <- fit(gbrt(10, num_leaves = 4, dropout = 0.3), export_data(), seed = 1,
                        verbose = FALSE)
  for (name in names(models)) {
    model <- models[[name]]
    x <- edge_features(model)
    read <- read_onnx(written_onnx(model))
    expect_lte(max(abs(score_onnx(read, x) - linear_score(model, x))), float_sum_bound(model),
               label = name)
    if (name != "product") {
      expect_identical(attr(trees_of_onnx(read, x), "leaves"),
                       walked_leaves(first_rounds(model, model$best_rounds)$forest, x),
                       label = name)
    }
  }
})

test_that("each grade has the sum of its group", {
  data <- export_data()
  for (base in list(base_tree(4), base_hamming_tree(4, "confidence"), base_product(2))) {
    model <- fit(adaboost_mh(base, 5, grouping = "binary"), data, seed = 1, verbose = FALSE)
    graph <- new_onnx_graph(model, model$features, NULL)
    f <- onnx_boosted(graph, model, onnx_view(graph, model), 3)
    x <- edge_features(model)
    expected <- predict(model, x, type = "raw", rounds = 3)
    for (grade in seq_len(model$classes)) {
      column <- onnx_narrow(graph, onnx_columns(graph, f, grade))
      read <- read_onnx(onnx_file(graph, "name", column, 6))
      expect_lt(max(abs(score_onnx(read, x) - expected[, grade])), 4 * 2^-23 * sum(model$alpha))
    }
  }
})

test_that("a model without rounds gives its start", {
  model <- fit(gbrt(3, num_leaves = 4), export_data(), seed = 1, verbose = FALSE)
  model$best_rounds <- 0L
  x <- edge_features(model)
  expect_identical(score_onnx(read_onnx(written_onnx(model)), x), f32(predict(model, x)))
})

test_that("trees with linear models lose nothing but the last rounding", {
  data <- export_data()
  data$x[] <- f32(data$x)
  for (missing in c("mean", "indicator")) {
    model <- fit(m5p(min_data_in_split = 20, prune = FALSE, missing = missing), data, verbose = FALSE)
    expect_gt(length(model$forest$values), 2)
    x <- rbind(edge_features(model), data$x)
    expected <- predict(model, x)
    scores <- score_onnx(read_onnx(written_onnx(model)), x)
    expect_lte(max(abs(scores - expected) / (2^-24 * abs(expected) + 1e-12)), 1)
  }
  # One tree is a single leaf with a number.
  model$forest <- utils::modifyList(model$forest, list(
    feature = integer(), threshold = double(), missing_left = integer(), left = integer(),
    right = integer(), values = 0.1, node_begin = c(0L, 0L), leaf_begin = c(0L, 1L), gain = double(),
    node_documents = double(), leaf_documents = as.double(nrow(data))))
  model$models <- list(begin = c(0L, 0L), feature = integer(), weight = double())
  expect_identical(score_onnx(read_onnx(written_onnx(model)), x), rep(f32(0.1), nrow(x)))
})
