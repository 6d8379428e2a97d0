test_that("floats next to a number divide floats as the number does", {
  x <- withr::with_seed(1, c(rnorm(500), rnorm(100) * 1e-40, rnorm(100) * 1e35, f32(rnorm(100)),
                             0, 2^-149, -2^-149, 1e-320, -1e-320, 3.5e38, -3.5e38, Inf, -Inf))
  below <- rankmix:::float_below(x)
  above <- rankmix:::float_above(x)
  expect_identical(f32(below), below)
  expect_identical(f32(above), above)
  inside <- abs(x) < 3.4e38
  expect_true(all(below[inside] <= x[inside] & above[inside] > x[inside]))
  # No float lies between both floats.
  middle <- f32((below + above) / 2)[inside]
  expect_true(all(middle == below[inside] | middle == above[inside]))
  expect_true(all(is.finite(c(below, above))))
  expect_identical(rankmix:::next_float(c(0, 2^-149, -2^-149, 1), c(-1, -1, 1, 1)),
                   c(-2^-149, 0, 0, 1 + 2^-23))
})

# The reference values of a forest: follows each tree row by row, and multiplies its values by the weight of the round.
naive_forest <- function(forest, weights, x) {
  sums <- matrix(0, nrow(x), forest$outputs)
  for (r in seq_along(weights)) {
    value <- 1
    for (t in seq.int(forest$round_begin[r] + 1L, forest$round_begin[r + 1L])) {
      leaf <- vapply(seq_len(nrow(x)), function(i) {
        at <- if (forest$node_begin[t] == forest$node_begin[t + 1L]) -1L else 0L
        while (at >= 0L) {
          node <- forest$node_begin[t] + at + 1L
          v <- x[i, forest$feature[node] + 1L]
          left <- if (is.na(v)) forest$missing_left[node] == 1L else v <= forest$threshold[node]
          at <- if (left) forest$left[node] else forest$right[node]
        }
        forest$leaf_begin[t] - at
      }, 0L)
      value <- value * t(matrix(forest$values, forest$outputs))[leaf, , drop = FALSE]
    }
    sums <- sums + weights[r] * value
  }
  sums
}

test_that("trees that are multiplied become one tree with the same decisions", {
  data <- export_data()
  for (base in list(base_product(2), base_product(3), base_product(5), base_product(2, "confidence"))) {
    model <- fit(adaboost_mh(base, 5), data, seed = 1, verbose = FALSE)
    single <- rankmix:::single_trees(model$forest, model, NULL)
    expect_identical(single$round_begin, 0:5)
    x <- rbind(edge_features(model, 60), data$x[1:60, ])
    expect_equal(naive_forest(single, model$alpha, x), naive_forest(model$forest, model$alpha, x),
                 tolerance = 1e-14)
    # Branches that no document can reach are left out.
    expect_true(all(diff(single$leaf_begin) <= 2^base$size))
    parts <- suppressMessages(rankmix:::added_trees(model, NULL))
    expect_equal(naive_forest(parts$forest, rep(1, 5), x)[, 1L], linear_score(model, x),
                 tolerance = 1e-12)
  }
})

test_that("a product without end is refused", {
  model <- fit(adaboost_mh(base_product(16), 1), export_data(), seed = 1, verbose = FALSE)
  file <- withr::local_tempfile()
  wide <- model
  f <- wide$forest
  # Sixteen stumps on different features would need 2^16 leaves.
  f$feature <- rep(0:5, length.out = 16)
  f$threshold <- seq(-1, 1, length.out = 16)
  f$feature <- 0:15
  f$node_begin <- 0:16
  f$leaf_begin <- 2L * 0:16
  f$round_begin <- c(0L, 16L)
  f$missing_left <- rep(0L, 16)
  f$left <- rep(-1L, 16)
  f$right <- rep(-2L, 16)
  f$values <- rep(1, 32 * f$outputs)
  f$gain <- rep(1, 16)
  f$node_documents <- rep(2L, 16)
  f$leaf_documents <- rep(1L, 32)
  wide$forest <- f
  wide$features <- paste0("f", 1:16)
  expect_snapshot(error = TRUE, suppressMessages(write_model(wide, file, "lightgbm")))
})

test_that("the trees of a large forest are taken in linear time", {
  trees <- 40000L
  begin <- 3L * (0:trees)
  forest <- list(node_begin = begin, leaf_begin = begin + 0:trees, outputs = 2L, feature = integer(3L * trees),
                 threshold = as.double(seq_len(3L * trees)), missing_left = integer(3L * trees),
                 left = integer(3L * trees), right = integer(3L * trees), values = as.double(seq_len(8L * trees)))
  time <- system.time(for (t in seq_len(trees)) tree <- rankmix:::one_tree(forest, t))[["user.self"]]
  expect_identical(tree$threshold, 3 * trees - 2:0)
  expect_identical(tree$values, matrix(8 * trees - 7:0, 2L))
  expect_lt(time, 5)
})
