# Records the values of the progress bar while `code` runs.
shown_progress <- function(code) {
  seen <- list(done = numeric(), totals = numeric(), bars = 0)
  local_function("progress_bar", function(label, total, verbose) {
    if (label == "Tuning" && verbose) seen$bars <<- seen$bars + 1
    report <- function(done, total) {
      seen$done <<- c(seen$done, done)
      seen$totals <<- c(seen$totals, total)
    }
    list(report = if (verbose && label == "Tuning") report, after = function(offset) NULL, close = function() NULL)
  })
  seen$value <- force(code)
  seen
}

test_that("the done fraction is the work divided by the budget, or the time that has passed", {
  time <- 0
  seen <- shown_progress({
    progress <- rankmix:::tuning_progress(2, 100, TRUE, function() time)
    first <- progress$start(5, 1)
    time <- 10
    first$report(1)
    first$limit(9.8)
    first$report(2)
    time <- 90
    first$report(3)
    first$report(Inf)
    second <- progress$start(5, 1)
    second$limit(9.8)
    second$report(5)
    # The reported fraction never falls.
    second$limit(100)
    second$report(6)
  })
  expect_equal(seen$done, c(0.1, 0.2, 0.9, 1, 1.5, 1.5))
  expect_equal(seen$totals, rep(2, 6))
})

test_that("one bar shows the work of the whole search", {
  data <- simulate_ranking(60, documents = 6, seed = 3)$data
  tune <- function(...) {
    tune_ranker(gbrt(5), data, budget = 4, folds = 3, patience = 3, seed = 2, threads = 1, ...)
  }
  seen <- shown_progress(tune())
  expect_identical(seen$bars, 1)
  # The work after each training of a split. At the end of a rung, the sum is reported again.
  work <- cumsum(rep(seen$value$trainings$fraction, each = 3) / 3)
  expect_equal(unique(round(seen$done, 9)), unique(round(c(work / (4 + 1 / 3), 1), 9)))
  expect_false(is.unsorted(seen$done))
  quiet <- shown_progress(tune(verbose = FALSE))
  expect_length(quiet$done, 0L)
  expect_identical(quiet$value$candidates, seen$value$candidates)
})

test_that("the bar includes outer folds, and ends where a resumed search ends", {
  skip_if_quick()
  data <- simulate_ranking(60, documents = 6, seed = 3)$data
  folder <- local_folder()
  tune <- function() {
    suppressMessages(tune_ranker(gbrt(5), data, budget = 3, folds = 2, outer = 2, patience = 3, seed = 2, threads = 1,
                                 directory = folder))
  }
  seen <- shown_progress(tune())
  expect_identical(seen$bars, 1)
  expect_setequal(seen$totals, 3)
  expect_false(is.unsorted(seen$done))
  expect_true(all(1:3 %in% seen$done))
  again <- shown_progress(tune())
  expect_false(is.unsorted(again$done))
  expect_identical(max(again$done), 3)
})

test_that("a budget of time limits the time left", {
  skip_if_quick()
  data <- simulate_ranking(40, documents = 6, seed = 3)$data
  seen <- shown_progress(tune_ranker(gbrt(5), data[1:25], data[26:40], budget = "2s", patience = 3, seed = 2,
                                     threads = 1))
  expect_false(is.unsorted(seen$done))
  expect_identical(max(seen$done), 1)
})
