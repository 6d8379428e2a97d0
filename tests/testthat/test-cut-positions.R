test_that("numbers are rounded down to digits, monotonically", {
  x <- withr::with_seed(1, c(rnorm(2000) * 10^sample(-20:20, 2000, TRUE), 10^(-20:20), -10^(-20:20), 0, -0.5, 0.29,
                             1000 * (1 - 2^-53), -1000 * (1 + 2^-52), 1e-300, -1e-300, 1e300))
  for (digits in c(1, 3, 6)) {
    below <- rankmix:::floor_digits(x, digits)
    expect_true(all(below <= x))
    expect_false(is.unsorted(below[order(x)]))
    usual <- abs(x) > 1e-19 & abs(x) < 1e19
    expect_equal(below[usual], signif(below[usual], digits), tolerance = 1e-14)
    expect_true(all((x - below)[usual] / abs(x[usual]) <= 10^(1 - digits)))
  }
  expect_identical(rankmix:::floor_digits(c(1.2345, -1.2345, 999.96, 0.29, 7), 3), c(1.23, -1.24, 999, 0.29, 7))
  expect_identical(rankmix:::floor_decimals(c(0.29, 0.58, 0.1299, 1, 0, 0.999), 2), c(0.29, 0.58, 0.12, 1, 0, 0.99))
})

test_that("tied documents have the last rank of their group, in any order of rows", {
  data <- ranking_data(cbind(a = 1:8), rep(0:1, 4), c(1, 2, 1, 2, 1, 2, 1, 2))
  scores <- c(3, 1, 3, 1, 5, 1, 2, 7)
  expect_identical(rankmix:::last_ranks(scores, data), c(3L, 4L, 3L, 4L, 1L, 4L, 4L, 1L))
  random <- random_data(20)
  tied <- round(random$x[, 1])
  slow <- ave(-tied, random$query, FUN = function(s) rank(s, ties.method = "max"))
  expect_equal(rankmix:::last_ranks(tied, random), slow)
  # Infinite scores are tied, too.
  infinite <- replace(tied, tied < 0, -Inf)
  expect_equal(last_ranks(infinite, random), last_ranks(replace(tied, tied < 0, -1e9), random))
})

test_that("a cut by score is applied to a source", {
  data <- simulate_ranking(100, documents = 6, features = 5, seed = 1)$data
  model <- fit(linear_ranker(penalty = 1), data[1:40], threads = 1)
  cut <- cut_list(model, data[41:100], "recall >= 0.5", level = NULL, threads = 1)
  frame <- as.data.frame(data)
  source <- data_source(frame, relevance = relevance, query = query, chunk = 50, verbose = FALSE)
  expect_identical(predict(cut, source, threads = 1), predict(cut, data, threads = 1))
})
