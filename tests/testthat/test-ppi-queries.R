test_that("the number of human queries agrees with the standard error", {
  case <- ppi_case(100, 40)
  found <- suppressWarnings(evaluate_ppi(case$scores[c("best", "two")], case$data, "ndcg@5", human = case$human,
                                         machine = case$machine, calibrator = NULL, seed = 1))
  values <- found$values[[1L]]
  y <- values$human[1:40, 1L] - values$human[1:40, 2L]
  f <- values$machine[, 1L] - values$machine[, 2L]
  line <- lm(y ~ f[1:40])
  residual <- sum(residuals(line)^2) / 38
  explained <- coef(line)[[2L]]^2 * var(f)
  for (n_machine in c(100, 5000)) {
    plan <- queries_needed(0.15, machine = found, machine_queries = n_machine, upper_limit = FALSE)
    power <- function(n) t_power(0.15 / sqrt(residual / n + explained / n_machine), n - 2, 0.05)
    expect_gte(power(plan$queries), 0.8)
    expect_lt(power(plan$queries - 1), 0.8)
    expect_equal(plan$power, power(plan$queries))
  }
  alone <- queries_needed(0.15, sd = sd(y))
  expect_identical(plan$machine$human_only, alone$queries)
  expect_lt(plan$queries, alone$queries)
  expect_snapshot(print(plan))
})

test_that("intervals are planned, and the upper limit has n - 2 degrees of freedom", {
  case <- ppi_case(100, 40)
  found <- suppressWarnings(evaluate_ppi(case$scores, case$data, "ndcg@5", human = case$human,
                                         machine = case$machine, calibrator = NULL, seed = 1))
  plan <- queries_needed(0.2, machine = found, test = "interval")
  expect_lte(planned_half_width(plan, plan$queries), 0.2)
  expect_gt(planned_half_width(plan, plan$queries - 1), 0.2)
  expect_true(plan$upper_limit)
  plain <- queries_needed(0.2, machine = found, test = "interval", upper_limit = FALSE)
  expect_equal(plan$sd^2 / plain$sd^2, 38 / qchisq(0.2, 38))
  skip_if_not_installed("ggplot2")
  expect_s3_class(ggplot2::autoplot(plan), "ggplot")
})

test_that("impossible plans are refused", {
  case <- ppi_case(100, 40)
  found <- suppressWarnings(evaluate_ppi(case$scores, case$data, "ndcg@5", human = case$human,
                                         machine = case$machine, calibrator = NULL, seed = 1))
  expect_error(queries_needed(0.001, machine = found), "all 100 queries do not suffice",
               class = "rankmix_error_argument")
  expect_error(queries_needed(0.1, sd = 1, machine = found), "`sd` and `machine`|`sd`, `machine`",
               class = "rankmix_error_argument")
  expect_error(queries_needed(0.1), "None of", class = "rankmix_error_argument")
  expect_error(queries_needed(0.1, machine = found, test = "anova"), "cannot be used", class = "rankmix_error_argument")
  expect_error(queries_needed(0.1, machine = 3), "evaluate_ppi", class = "rankmix_error_argument")
  one <- evaluate_ppi(case$scores$one, case$data, "ndcg@5", human = case$human, machine = case$machine,
                      calibrator = NULL, seed = 1)
  expect_error(queries_needed(0.1, machine = one), "single ranker", class = "rankmix_error_argument")
})
