test_that("evaluations and grades give the same values", {
  case <- ppi_case(12, 5)
  with_grades <- function(grades, part) {
    frame <- as.data.frame(case$data)
    frame$relevance <- as.integer(grades)
    frame <- frame[part, ]
    without_tie_warning(evaluate(lapply(case$scores, `[`, part), ranking_data(frame, relevance, query),
                                 c("ndcg@5", "precision@3")))
  }
  all <- rep(TRUE, nrow(case$data))
  apart <- values_of_evaluations(with_grades(case$human, !is.na(case$human)), with_grades(case$machine, all), NULL)
  metrics <- list(metric_ndcg(5), metric_precision(3))
  together <- without_tie_warning(values_of_rankers(case$scores, case$data, metrics, case$human, case$machine,
                                                    list(calibrator = NULL, threads = 1L), NULL))
  expect_equal(apart, together)
  expect_identical(names(apart), c("ndcg@5", "precision@3"))
  expect_identical(which(is.na(apart[[1L]]$human[, 1L])), 6:12)
})

test_that("queries are matched by id, in any order", {
  machine <- as_evaluation(cbind(a = 1:6 / 10, b = 6:1 / 10), metric = "m")
  human <- machine[machine$query %in% c(5, 2, 3), ]
  human <- human[rev(seq_len(nrow(human))), ]
  found <- values_of_evaluations(human, machine, NULL)$m
  expect_identical(which(!is.na(found$human[, "a"])), c(2L, 3L, 5L))
  expect_equal(found$human[c(2, 3, 5), ], found$machine[c(2, 3, 5), ])
})

test_that("values of other queries or rankers are refused", {
  machine <- as_evaluation(cbind(a = 1:6 / 10, b = 6:1 / 10), metric = "m")
  other <- as_evaluation(cbind(a = 1:6 / 10, c = 6:1 / 10), metric = "m")
  expect_error(evaluate_ppi(human = other, machine = machine), "`c` is in only one", class = "rankmix_error_argument")
  expect_error(evaluate_ppi(human = as_evaluation(cbind(a = 1:6, b = 6:1), metric = "x"), machine = machine),
               "no metric in common", class = "rankmix_error_argument")
  expect_error(evaluate_ppi(human = machine, machine = machine[machine$query != "4", ]), "no machine grades",
               class = "rankmix_error_queries")
  expect_error(evaluate_ppi(human = machine[machine$query %in% c("1", "2"), ], machine = machine),
               "Fewer than three", class = "rankmix_error_queries")
  expect_error(evaluate_ppi(human = machine, machine = data.frame(a = 1)), "evaluate", class = "rankmix_error_argument")
  machine$value[2L] <- NaN
  expect_error(evaluate_ppi(human = machine, machine = machine), "leaves queries out", class = "rankmix_error_values")
})

test_that("grades and probabilities are checked", {
  case <- ppi_case(10, 5)
  run <- function(human = case$human, machine = case$machine, ...) {
    evaluate_ppi(case$scores, case$data, "ndcg@5", human = human, machine = machine, ...)
  }
  expect_error(run(human = case$human[-1L]), "one grade a row", class = "rankmix_error_argument")
  expect_error(run(human = rep(NA_real_, nrow(case$data))), "no grade", class = "rankmix_error_argument")
  expect_error(run(human = replace(case$human, 1L, NA)), "of some documents only", class = "rankmix_error_grade")
  expect_error(run(human = replace(case$human, 1L, 0.5)), "whole numbers", class = "rankmix_error_grade")
  few <- ifelse(case$data$query <= 2L, case$human, NA)
  expect_error(run(human = few), "Fewer than three", class = "rankmix_error_queries")
  expect_error(run(human = as.character(case$human)), "numbers as text", class = "rankmix_error_argument")
  expect_error(run(level = 0.05), "confidence level", class = "rankmix_error_argument")
  expect_error(run(machine = case$machine[-1L]), "one number per row", class = "rankmix_error_argument")
  expect_error(run(machine = replace(case$machine, 3L, NA)), "Row 3 has NA",
               class = "rankmix_error_argument")
  expect_error(run(machine = case$machine + 0.5, calibrator = NULL), "whole numbers", class = "rankmix_error_grade")
  expect_error(run(machine = case$probability[-1L, ]), "must be a matrix", class = "rankmix_error_argument")
  expect_error(run(machine = 2 * case$probability), "row 1 are not a distribution", class = "rankmix_error_argument")
  # Queries of weight 0 are left out.
  frame <- as.data.frame(case$data)
  frame$weight <- ifelse(case$data$query <= 2, 0, 1)
  case$data <- ranking_data(frame, relevance, query, weight = weight)
  expect_identical(without_tie_warning(run(calibrator = NULL, seed = 1))$rankers$human_queries, rep(3L, 3))
})

test_that("ties that change a mean are reported, as by evaluate()", {
  case <- ppi_case(12, 5)
  tied <- round(case$scores$best)
  expect_warning(evaluate_ppi(tied, case$data, "ndcg@5", human = case$human, machine = case$machine, seed = 1),
                 class = "rankmix_warning_ties")
})

test_that("grades of a machine may be doubles", {
  case <- ppi_case()
  run <- function(machine, metric) {
    evaluate_ppi(case$scores["best"], case$data, metric, human = case$human, machine = machine, calibrator = NULL,
                 seed = 1)$rankers
  }
  for (metric in c("ndcg@5", "err@5")) expect_identical(run(as.double(case$machine), metric), run(case$machine, metric))
  # The mean over the queries with human grades has the gains of grades.
  judged <- !is.na(case$human)
  data <- ranking_data(case$data$x[judged, ], as.integer(case$human[judged]), case$data$query[judged])
  expect_equal(run(as.double(case$machine), "ndcg@5")$human_mean,
               mean(evaluate(case$scores$best[judged], data, "ndcg@5")$value))
})

test_that("human queries of weight 0 do not count", {
  case <- ppi_case()
  judged <- tapply(!is.na(case$human), case$data$query, any)
  case$data$weight <- as.double(!judged)
  expect_error(evaluate_ppi(case$scores, case$data, human = case$human, machine = case$machine, seed = 1, "ndcg@5"),
               "Fewer than three queries", class = "rankmix_error_queries")
})

test_that("evaluations with folds are refused", {
  folds <- evaluation_of(1:20 / 20, fold = rep(1:2, 10))
  expect_error(evaluate_ppi(human = folds, machine = folds), "with folds", class = "rankmix_error_queries")
})
