test_that("samples are drawn within folds", {
  set.seed(1)
  counts <- bootstrap_counts(50, 6, c("a", "a", "b", "b", "b", "b"))
  expect_identical(rowSums(counts[, 1:2]), rep(2, 50))
  expect_identical(rowSums(counts), rep(6, 50))
  many <- bootstrap_counts(4000, 3)
  expect_equal(colMeans(many), rep(1, 3), tolerance = 0.05)
})

test_that("chunks hold all samples, and each chunk fits the memory", {
  chunks <- resample_chunks(5, max_drawn_weights / 2)
  expect_identical(unname(chunks), list(1:2, 3:4, 5L))
  expect_identical(lengths(resample_chunks(3, 10 * max_drawn_weights), use.names = FALSE), c(1L, 1L, 1L))
})

test_that("percentiles leave out undefined samples", {
  expect_identical(percentile_ends(c(NA, 1), 0.95), c(NA_real_, NA_real_))
  expect_equal(percentile_ends(c(NA, 1:99), 0.9), c(5, 95))
})
