test_that("progress has one step a task, also for the final fits and with a budget", {
  clock <- local_clock()
  use_clock(clock)
  models <- two_models()
  # The second classifier has 10 rounds, so T = 20 adds no work for this classifier.
  count <- function(crossfit, each = 1) {
    clock$time <- clock$fits <- 0
    lines <- capture_messages(
      tune_and_mix(example_part("train"), example_part("vali"), models, list(slow(31), slow(31)),
                   weights = mix_weights(0, rounds = c(3, 10, 20)),
                   holdout = holdout_of_parts(crossfit), seed = 1, verbose = TRUE)
    )
    sub("\n$", "", lines)
  }
  # The first and the second T have four members each, and the last T has two.
  lines <- count(1)
  expect_identical(clock$fits, 10)
  expect_identical(lines, c("Calibrating: 40 % after 2 min, about 3 min left",
                            "Calibrating: 80 % after 4 min, about 62 s left",
                            "Calibrating: 100 % after 5 min, about 0 s left"))
  # Cross-fitting doubles the number of fits, and adds four final fits.
  expect_identical(sub(" %.*", "", count(2)),
                   sprintf("Calibrating: %d", floor(100 * c(4, 8, 10, 14) / 14)))
  expect_identical(clock$fits, 24)
  # Members that are left out take no time.
  reports <- numeric()
  counter <- rankmix:::step_counter(10, function(done, total) reports <<- c(reports, done))
  counter$step()
  counter$fewer(8)
  counter$step()
  counter$step()
  expect_identical(reports, c(1, 10, 10))
  # The counter can report fractions of a step.
  reports <- numeric()
  counter <- rankmix:::step_counter(10, function(done, total) reports <<- c(reports, done))
  counter$step(4)
  counter$partly(2)
  counter$step(2)
  expect_identical(reports, c(4, 6, 6))
  # Training ends when the time budget is used.
  clock$time <- 0
  budget <- rankmix:::new_budget(Inf, 20)
  clock$time <- 10
  spent <- rankmix:::fraction_spent(budget)
  counter <- rankmix:::step_counter(10, function(done, total) reports <<- c(reports, done), spent)
  for (time in c(10, 12, 15, 30)) {
    clock$time <- time
    counter$step()
  }
  expect_identical(reports[4:7], c(1, 2, 5, 10))
})

test_that("calibrators are ordered from the cheapest to the most expensive", {
  cheapest_first <- function(calibrators) {
    vapply(calibrators[order(rankmix:::calibrator_ranks(calibrators))], format, "")
  }
  expect_identical(cheapest_first(list(slow(1), calibrator_cpc("soft_ndcg"), calibrator_rbc("gaussian_process"), calibrator_cpc(),
                                       calibrator_rbc("network"), calibrator_rbc("polynomial"), calibrator_rbc("logistic"), calibrator_rbc(),
                                       calibrator_naive())),
                   c("calibrator_naive()", "calibrator_rbc(\"linear\")", "calibrator_rbc(\"polynomial\", degree = 2)",
                     "calibrator_rbc(\"logistic\")", "calibrator_cpc(\"log_sigmoid\")", "calibrator_rbc(\"network\")",
                     "calibrator_rbc(\"gaussian_process\")", "calibrator_cpc(\"soft_ndcg\", sigma = 0.01)", "calibrator_slow(1)"))
})
