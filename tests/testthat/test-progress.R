test_that("in a script progress is a line every half minute, with the time left", {
  time <- 100
  reporter <- rankmix:::line_reporter("Training", 40, now = function() time)
  expect_no_message(reporter$report(1))
  time <- 129
  expect_no_message(reporter$report(9))
  time <- 130
  expect_message(reporter$report(10), "Training: 25 % after 30 s, about 90 s left", fixed = TRUE,
                 class = "rankmix_message_progress")
  time <- 150
  expect_no_message(reporter$report(20))
  time <- 400
  expect_message(reporter$report(30), "Training: 75 % after 5 min, about 2 min left", fixed = TRUE)
})

test_that("without a known number of rows, progress is the number of rows", {
  time <- 100
  reporter <- rankmix:::line_reporter("Reading", NA_real_, now = function() time)
  expect_no_message(reporter$report(1e5))
  time <- 131
  expect_message(reporter$report(200000), "Reading: 200,000 rows after 31 s", fixed = TRUE,
                 class = "rankmix_message_progress")
})

test_that("before the first step there is no time left in the line", {
  expect_identical(rankmix:::progress_line("Training", 0, 31), "Training: 0 % after 31 s")
  expect_identical(vapply(c(99, 300, 7200), rankmix:::show_seconds, ""),
                   c("99 s", "5 min", "2.0 h"))
})

# A bar that fails on each progress report, like a bar that was closed.
failing_bar <- function() {
  withr::local_options(rlang_interactive = TRUE, .local_envir = parent.frame())
  cli <- asNamespace("cli")
  suppressMessages(trace("cli_progress_update", quote(stop("no such bar")), print = FALSE,
                         where = cli))
  withr::defer(suppressMessages(untrace("cli_progress_update", where = cli)),
               envir = parent.frame())
}

test_that("a progress bar that fails does not stop the work", {
  failing_bar()
  data <- random_data(queries = 8, seed = 1)
  expect_s3_class(fit(adaboost_mh(base_stump(), 5), data, seed = 1), "rankmix_classifier")
  mixture <- tune_and_mix(data[1:5], data[6:8], adaboost_mh(base_stump(), 5), calibrator_naive(), seed = 1)
  expect_s3_class(mixture, "rankmix_mixture")
})
