test_that("candidates are dropped by tests and by the budget, never the defaults", {
  data <- simulate_ranking(300, documents = 6, seed = 3)$data
  found <- tune_ranker(gbrt(20), data[1:200], data[201:300], budget = 14, patience = 10, seed = 2, threads = 1,
                       verbose = FALSE, space = list(learning_rate = tuning_range(1e-4, 0.3, log = TRUE)))
  table <- found$candidates
  # Trees with very small learning rates and 20 rounds rank worse. A test shows this.
  expect_true(any(table$outcome == "worse"))
  expect_true(any(table$outcome == "budget"))
  expect_true(table$outcome[1L] %in% c("best", "compared"))
  expect_true(all(table$fraction[table$outcome %in% c("best", "compared")] == 1))
  expect_true(all(table$fraction[table$outcome == "budget"] < 1))
  # A candidate cannot skip a rung.
  by_candidate <- split(found$trainings$fraction, found$trainings$candidate)
  for (fractions in by_candidate) expect_setequal(fractions, if (max(fractions) == 1) c(1 / 3, 1) else 1 / 3)
  expect_equal(found$spent, sum(found$trainings$fraction))
})

test_that("a space with few choices ends when all were tried", {
  data <- simulate_ranking(50, documents = 6, seed = 4)$data
  found <- tune_ranker(gbrt(10), data[1:30], data[31:50], budget = 100, seed = 2, threads = 1, verbose = FALSE,
                       space = list(num_leaves = c(2, 4), lambda_l2 = c(0, 1)))
  expect_identical(nrow(unique(found$candidates[c("num_leaves", "lambda_l2")])), 5L)
  expect_lt(found$spent, 10)
})
