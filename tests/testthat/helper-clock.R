# A clock that tests control.

# Replaces the package's clock until the test ends. The test sets `time`, which advances by `step` at each
# reading.
local_clock <- function(step = 0, env = parent.frame()) {
  clock <- new.env()
  clock$time <- 0
  local_function("seconds_now", function() {
    clock$time <- clock$time + step
    clock$time
  }, env)
  clock
}

# Replaces a function of the package until the test ends.
local_function <- function(name, value, env = parent.frame()) {
  namespace <- asNamespace("rankmix")
  replace <- function(value) {
    unlockBinding(name, namespace)
    assign(name, value, namespace)
    lockBinding(name, namespace)
  }
  old <- get(name, namespace)
  replace(value)
  withr::defer(replace(old), envir = env)
}

# slow(s) is calibrator_naive(), but each fit advances a clock by s seconds and is counted by the clock.
# slow_spec() is a specification whose training advances the clock.
slow <- function(seconds) rankmix:::new_calibrator("slow", seconds = seconds)
slow_spec <- function(seconds, clock, spec = adaboost_mh(base_stump(), rounds = 3)) {
  row <- rankmix:::entry_of(spec)
  train <- row$train
  row$train <- function(spec, task) {
    clock$time <- clock$time + seconds
    train(spec, task)
  }
  structure(spec, row = row)
}

use_clock <- function(clock, env = parent.frame()) {
  clock$fits <- 0
  naively <- function(inputs, times) {
    lapply(inputs, function(input) {
      slow <- vapply(input$methods, function(method) method$name == "slow", NA)
      clock$fits <- clock$fits + times * sum(slow)
      clock$time <- clock$time + times * sum(vapply(input$methods[slow], `[[`, 0, "seconds"))
      input$methods[slow] <- list(calibrator_naive())
      input
    })
  }
  fits <- asNamespace("rankmix")$fit_calibrators
  crossfits <- asNamespace("rankmix")$crossfit_scores
  local_function("fit_calibrators", function(inputs, held, threads, progress = NULL) {
    fits(naively(inputs, 1), held, threads, progress)
  }, env)
  local_function("crossfit_scores", function(inputs, held, parts, threads, progress = NULL) {
    crossfits(naively(inputs, parts), held, parts, threads, progress)
  }, env)
}
