test_that("normalised scores agree with values computed by hand", {
  # The scores 4, 2, 2, 0 have mean 2, sd sqrt(2) and ranks 1, 2.5, 2.5, 4. The other run has a and e, so N = 5. The
  # first run has no value for e. The second run has no weight, so only N depends on it.
  scores <- c(a = 4, b = 2, c = 2, d = 0)
  runs <- list(x = run_of(list(q = scores)), y = run_of(list(q = c(a = 1, e = 1))))
  value <- function(normalize, missing = "skip") {
    fused <- fuse(runs, method = "comb_sum", normalize = normalize, missing = missing,
                  weights = c(1, 1e-300))
    fused_scores_of(fused)$q[letters[1:5]]
  }
  expect_equal(value("none"), c(a = 4, b = 2, c = 2, d = 0, e = 0))
  expect_equal(value("min_max"), c(a = 1, b = 0.5, c = 0.5, d = 0, e = 0))
  expect_equal(value("sum"), c(a = 0.5, b = 0.25, c = 0.25, d = 0, e = 0))
  expect_equal(value("max"), c(a = 1, b = 0.5, c = 0.5, d = 0, e = 0))
  expect_equal(value("z"), c(a = sqrt(2), b = 0, c = 0, d = -sqrt(2), e = 0))
  expect_equal(value("z", NULL), c(a = sqrt(2), b = 0, c = 0, d = -sqrt(2), e = -sqrt(2)))
  expect_equal(value("rank"), c(a = 1, b = 5 / 8, c = 5 / 8, d = 1 / 4, e = 0))
  expect_equal(value("rank", "last")[["e"]], 1 / 4)
  expect_equal(value("borda", NULL), c(a = 1, b = 0.7, c = 0.7, d = 0.4, e = 0.2))
  expect_equal(value("borda", "zero")[["e"]], 0)
})

test_that("lists of one score and negative scores are defined", {
  value <- function(scores, normalize) {
    runs <- list(x = run_of(list(q = scores)), y = run_of(list(q = c(a = 1))))
    fused_scores_of(fuse(runs, method = "comb_sum", normalize = normalize,
                         weights = c(1, 1e-300)))$q[names(scores)]
  }
  equal <- c(a = -3, b = -3)
  expect_equal(value(equal, "min_max"), c(a = 1, b = 1))
  expect_equal(value(equal, "sum"), c(a = 0.5, b = 0.5))
  expect_equal(value(equal, "max"), c(a = -1, b = -1))
  expect_equal(value(equal, "z"), c(a = 0, b = 0))
  expect_equal(value(c(a = 0, b = 0), "max"), c(a = 0, b = 0))
  # A better document has no smaller value. s / max(s) would reverse negative scores.
  expect_equal(value(c(a = -1, b = -2), "max"), c(a = -0.5, b = -1))
})

test_that("normalised scores do not change with the scale of the scores", {
  runs <- lapply(random_runs(4, distinct = 6), run_of)
  moved <- runs
  moved$r1$score <- 8 * moved$r1$score + 16
  for (normalize in c("min_max", "sum", "z", "rank", "borda")) {
    expect_equal(fuse(moved, method = "comb_sum", normalize = normalize),
                 fuse(runs, method = "comb_sum", normalize = normalize))
  }
  moved$r1$score <- 8 * runs$r1$score
  expect_equal(fuse(moved, method = "comb_sum", normalize = "max"),
               fuse(runs, method = "comb_sum", normalize = "max"))
})

test_that("infinite scores are refused by methods that compute with them", {
  a <- run_of(list(q = c(x = Inf, y = 1)))
  b <- run_of(list(q = c(x = 2, y = -Inf)))
  expect_snapshot_error(fuse(list(a = a, b = b), method = "comb_sum"),
                        class = "rankmix_error_scores")
  expect_identical(fuse(list(a = a, b = b))$document, c("x", "y"))
  expect_identical(fuse(list(a = a, b = b), method = "comb_sum", normalize = "rank")$document,
                   c("x", "y"))
  data <- ranking_data(cbind(1:2), 0:1, c(1, 1))
  expect_snapshot_error(fuse(list(a = c(1, Inf), b = 1:2), data, "comb_max"),
                        class = "rankmix_error_scores")
})
