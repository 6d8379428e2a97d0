test_that("aggregated ranks follow their definitions", {
  set.seed(3)
  query <- rep(1:4, c(7, 1, 5, 2))
  n <- length(query)
  shuffled <- sample(n)
  # Few distinct values, so that there are ties.
  scores <- matrix(sample.int(4, n * 4, TRUE), n)
  query <- query[shuffled]
  data <- ranking_data(scores, sample(0:2, n, TRUE), query)
  for (method in c("borda", "mc1", "mc2", "mc3", "mc4", "borda_chain")) {
    for (damping in c(0.05, 0.5)) {
      fast <- aggregate_ranks(matrix(as.double(scores), n,
                                     dimnames = list(NULL, letters[1:4])), data, method, damping)
      for (q in unique(query)) {
        slow <- naive_aggregate(scores[query == q, , drop = FALSE], method, damping)
        expect_equal(fast[query == q], slow, info = method)
      }
      expect_identical(aggregate_ranks(matrix(as.double(scores), n,
                                              dimnames = list(NULL, letters[1:4])),
                                       data, method, damping, threads = 4), fast)
    }
  }
})

test_that("a unanimous order is kept by every aggregation", {
  data <- ranking_data(cbind(1:6), rep(0:1, 3), rep(1, 6))
  scores <- data.frame(a = 1:6 * 1.0, b = (1:6)^3, c = exp(1:6))
  for (method in c("borda", "mc1", "mc2", "mc3", "mc4", "borda_chain")) {
    expect_identical(order(aggregate_ranks(scores, data, method)), 1:6)
  }
  expect_snapshot_error(aggregate_ranks(scores, data, "mc5"), class = "rankmix_error_argument")
  expect_snapshot_error(aggregate_ranks(scores, data, damping = 0),
                        class = "rankmix_error_argument")
})
