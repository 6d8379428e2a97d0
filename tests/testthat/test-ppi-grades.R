test_that("probabilities of grades are cross-fitted isotonic regressions", {
  case <- ppi_case(queries = 30, judged = 12)
  data <- case$data
  at_least <- calibrated_grades(data, case$human, case$machine, calibrator_rbc("isotonic"), 4, 1, 1L)
  expect_identical(dim(at_least), c(nrow(data), max(case$human, na.rm = TRUE)))
  expect_true(all(at_least >= 0 & at_least <= 1))
  expect_true(all(at_least[, -1L] <= at_least[, -ncol(at_least)]))
  # Within a fold, the probability is a nondecreasing function of the machine's grade.
  fold <- withr::with_seed(1, {
    fold <- integer(30)
    for (own in list(1:12, 13:30)) fold[own] <- shuffled(rep_len(1:4, length(own)))
    fold
  })[data$query]
  part <- fold == 2
  by_grade <- tapply(at_least[part, 1L], case$machine[part], unique, simplify = FALSE)
  expect_true(all(lengths(by_grade) == 1L))
  expect_false(is.unsorted(unlist(by_grade)))
  # The function is fitted to the queries of the other folds.
  known <- !part & !is.na(case$human)
  means <- tapply(case$human[known] >= 1, case$machine[known], mean)
  weights <- table(case$machine[known])
  expected <- stats::isoreg(rep(unname(means), weights))$yf[cumsum(weights)]
  there <- names(means) %in% names(by_grade)
  expect_equal(unname(unlist(by_grade)[names(means)[there]]), expected[there])
})

test_that("probabilities of grades become probabilities of reaching a grade", {
  expect_equal(reached_probabilities(rbind(c(0.5, 0.3, 0.2), c(0, 0, 1))), rbind(c(0.5, 0.2), c(1, 1)))
  expect_equal(reached_probabilities(cbind(0.25, 0.75)), cbind(0.75))
})

test_that("drawn grades have these probabilities, and their metric is the expectation", {
  # There are 500 queries of two documents, so 40 draws give 20,000 samples.
  many <- ranking_data(cbind(a = rep(1:2, 500)), query = rep(1:500, each = 2))
  metrics <- settle_metrics(check_metrics("dcg@1", NULL), 0:2)
  found <- drawn_values(metrics, list(s = rep(c(2, 1), 500)), many, cbind(rep(c(0.6, 0), 500), rep(c(0.25, 0), 500)),
                        40, 1, 1L)
  # The expectation of 2^g - 1 is 0.35 * 1 + 0.25 * 3.
  expect_equal(mean(found), 1.1, tolerance = 0.02)
  data <- ranking_data(cbind(a = 1:2), query = c(1, 1))
  scores <- list(s = c(2, 1))
  expect_identical(drawn_values(metrics, scores, data, cbind(c(1, 0), c(1, 0)), 3, 1, 1L),
                   grade_values(metrics, scores, judged_documents(data), c(2, 0), 1L))
})

test_that("queries with human grades are recognised", {
  case <- ppi_case(10, 4)
  expect_identical(queries_judged(case$data, case$human), rep(c(TRUE, FALSE), c(4, 6)))
})
