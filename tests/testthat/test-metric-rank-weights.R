test_that("weights agree with the formulas", {
  ranks <- c(1, 2, 3, Inf)
  of <- function(name, ..., k = 2, n = 5) rank_weights(list(name = name, k = k, ...), ranks, n)
  expect_equal(of("precision"), c(0.5, 0.5, 0, 0))
  expect_equal(of("precision", k = Inf), c(0.2, 0.2, 0.2, 0))
  expect_equal(of("precision", k = 10, short_lists = "shrink", n = 4), c(0.25, 0.25, 0.25, 0))
  expect_equal(of("rbp", persistence = 0.8, k = Inf), c(0.2, 0.16, 0.128, 0))
  expect_equal(of("dcg", discount = "log2", k = Inf), c(1, 1 / log2(3), 0.5, 0))
  expect_equal(of("ndcg", discount = "letor", k = Inf), c(1, 1, 1 / log2(3), 0))
  expect_equal(of("dcg", discount = "log", k = Inf), c(1 / log(2:4), 0))
  expect_equal(of("dcg", discount = c(1, 0.4), k = Inf), c(1, 0.4, 0, 0))
})

test_that("tied documents share the weights of their ranks, with infinite scores too", {
  weights <- c(1, 0.5, 0.25, 0.125)
  query <- c(1L, 2L, 1L, 1L, 1L)
  for (low in c(-9, -Inf)) {
    expect_equal(tied_rank_weights(c(low, 2, 1, low, Inf), query, weights), c(0.1875, 1, 0.5, 0.1875, 1))
  }
})
