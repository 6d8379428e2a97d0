test_that("all parts are put together", {
  case <- ppi_case()
  found <- suppressWarnings(evaluate_ppi(case$scores, case$data, c("ndcg@5", "precision@3"), human = case$human,
                                         machine = case$machine, calibrator = NULL, seed = 1))
  values <- found$values[["precision@3"]]
  human <- values$human[1:20, "two"]
  machine <- values$machine[, "two"]
  row <- found$rankers[found$rankers$metric == "precision@3" & found$rankers$ranker == "two", ]
  expected <- naive_ppi(human, machine[1:20], machine[21:60])
  expect_equal(unlist(row[names(expected)]), unlist(expected))
  expect_equal(c(row$lower, row$upper), expected$mean + c(-1, 1) * qt(0.975, expected$df) * expected$se)
  expect_equal(row$machine_mean, mean(machine))
  expect_equal(row$bias, mean(machine[1:20] - human))
  # Pairs have estimates of differences.
  pair <- found$pairs[found$pairs$metric == "precision@3" & found$pairs$a == "best" & found$pairs$b == "two", ]
  difference <- naive_ppi(values$human[1:20, "best"] - human, values$machine[1:20, "best"] - machine[1:20],
                          values$machine[21:60, "best"] - machine[21:60])
  expect_equal(c(pair$difference, pair$se, pair$df), c(difference$mean, difference$se, difference$df))
  expect_equal(pair$p, 2 * pt(-abs(difference$mean / difference$se), difference$df))
  own <- found$pairs$metric == "precision@3"
  expect_equal(found$pairs$p_adjusted[own], p.adjust(found$pairs$p[own], "holm"))
})

test_that("calibration, probabilities and the bootstrap give near estimates", {
  case <- ppi_case(120, 60)
  run <- function(machine, ...) {
    suppressWarnings(evaluate_ppi(case$scores["best"], case$data, "ndcg@5", human = case$human, machine = machine,
                                  seed = 1, ...))$rankers
  }
  plain <- run(case$machine, calibrator = NULL)
  for (other in list(run(case$machine), run(case$probability), run(case$machine, interval = "bootstrap"),
                     run(case$machine + 0.5))) {
    expect_lt(abs(other$mean - plain$mean), 2 * plain$se)
    expect_lt(other$se, other$human_se * 1.1)
  }
  # A linear change of the machine's grades changes nothing.
  expect_equal(run(case$machine), run(10 * case$machine - 3))
})

test_that("a seed gives the same result, on any number of threads", {
  case <- ppi_case()
  run <- function(...) {
    suppressWarnings(evaluate_ppi(case$scores, case$data, "ndcg@5", human = case$human, machine = case$machine,
                                  seed = 5, interval = "bootstrap", resamples = 200, ...))
  }
  first <- run(threads = 1)
  second <- run(threads = 2)
  expect_identical(first$rankers, second$rankers)
  expect_identical(first$pairs, second$pairs)
})

test_that("a machine that favours a ranker is reported", {
  case <- ppi_case(100, 60)
  favours <- ifelse(case$scores$two > median(case$scores$two), pmin(case$data$relevance + 2, 4), case$data$relevance)
  expect_warning(evaluate_ppi(case$scores, case$data, metric_ndcg(5, ties = "average"), human = case$human,
                              machine = favours, calibrator = NULL, seed = 1), "raise `two` against `best`",
                           class = "rankmix_warning_machine")
  # A machine without errors gives no warning.
  exact <- expect_no_warning(
    evaluate_ppi(case$scores, case$data, metric_ndcg(5, ties = "average"), human = case$human,
                 machine = case$data$relevance, calibrator = NULL, seed = 1)
  )
  expect_true(all(exact$pairs$p_bias == 1))
  expect_equal(exact$rankers$mean, exact$rankers$machine_mean)
})

test_that("no option is ignored", {
  case <- ppi_case(120, 40)
  run <- function(...) {
    suppressWarnings(evaluate_ppi(case$scores, case$data, "ndcg@5", human = case$human, machine = case$machine,
                                  seed = 1, ...))
  }
  plain <- run(calibrator = NULL)
  width <- function(x) x$rankers$upper - x$rankers$lower
  expect_identical(run(calibrator = NULL, lambda = 0)$rankers$mean, plain$rankers$human_mean)
  one <- run(calibrator = NULL, lambda = 1)$rankers
  expect_equal(one$mean, one$machine_mean - one$bias)
  expect_true(all(width(run(calibrator = NULL, level = 0.8)) < width(plain)))
  boot <- run(calibrator = NULL, interval = "bootstrap")
  expect_true(all(width(boot) != width(plain)))
  expect_false(identical(boot$rankers$lower, run(calibrator = NULL, interval = "bootstrap", resamples = 500)$rankers$lower))
  expect_identical(run(calibrator = NULL, adjust = "none")$pairs$p_adjusted, plain$pairs$p)
  expect_equal(run(calibrator = NULL, adjust = "BH")$pairs$p_adjusted, p.adjust(plain$pairs$p, "BH"))
  # Each option of the calibration changes the result.
  calibrated <- run()
  for (other in list(run(draws = 3), run(folds = 2), run(calibrator = calibrator_rbc("linear")), plain)) {
    expect_false(identical(other$rankers$machine_mean, calibrated$rankers$machine_mean))
  }
})

test_that("one ranker has no pairs", {
  case <- ppi_case()
  found <- evaluate_ppi(case$scores$one, case$data, "ndcg@5", human = case$human, machine = case$machine, seed = 1)
  expect_identical(found$rankers$ranker, "ranker")
  expect_identical(nrow(tidy(found, what = "pairs")), 0L)
})

test_that("arguments are checked", {
  case <- ppi_case(10, 5)
  run <- function(...) evaluate_ppi(case$scores, case$data, "ndcg@5", ...)
  expect_error(run(machine = case$machine), "`human`", class = "rankmix_error_argument")
  expect_error(run(human = case$human), "`machine`", class = "rankmix_error_argument")
  both <- function(...) run(human = case$human, machine = case$machine, ...)
  expect_error(both(calibrator = calibrator_cpc()), "calibrator_rbc", class = "rankmix_error_argument")
  expect_error(both(lambda = -1), "`lambda`", class = "rankmix_error_argument")
  expect_error(both(interval = "normal"), "`interval`", class = "rankmix_error_argument")
  expect_error(both(adjust = "maxt"), "`adjust`", class = "rankmix_error_argument")
  expect_error(both(resamples = 10), "`resamples`", class = "rankmix_error_argument")
  expect_error(evaluate_ppi(data = case$data, metrics = "ndcg@5", human = case$human, machine = case$machine), "`x`",
               class = "rankmix_error_argument")
  expect_error(evaluate_ppi(case$scores, human = case$human, machine = case$machine), "`data`",
               class = "rankmix_error_argument")
  table <- as_evaluation(cbind(a = 1:5 / 5, b = 5:1 / 5), metric = "m")
  expect_error(evaluate_ppi(case$scores, human = table, machine = table), "not used", class = "rankmix_error_argument")
})

test_that("differences without spread have no false certainty", {
  expect_identical(ppi_p(data.frame(difference = c(0, 0.1, 0.1), se = c(0, NA, 0), df = 3,
                                          human_queries = 4)), c(1, 1, 0.125))
})
