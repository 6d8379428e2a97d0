test_that("estimates print in 80 columns", {
  case <- ppi_case()
  found <- suppressWarnings(evaluate_ppi(case$scores, case$data, c("ndcg@5", "precision@3"), human = case$human,
                                         machine = case$machine, seed = 1))
  expect_snapshot(print(found))
  expect_snapshot(print(suppressWarnings(evaluate_ppi(case$scores$one, case$data, "ndcg@5", human = case$human,
                                                      machine = case$machine, interval = "bootstrap", seed = 1))))
  expect_true(all(nchar(capture.output(print(found))) <= 80))
})

test_that("tables are tidy", {
  case <- ppi_case()
  found <- suppressWarnings(evaluate_ppi(case$scores, case$data, "ndcg@5", human = case$human, machine = case$machine,
                                         seed = 1))
  expect_identical(tidy(found), found$rankers)
  expect_identical(tidy(found, what = "pairs"), found$pairs)
  expect_error(tidy(found, what = "folds"), "`what`", class = "rankmix_error_argument")
})
