# Time that passes only where a test says so.

# The package's clock until the test ends; `time` is set by the test.
local_clock <- function(env = parent.frame()) {
  clock <- new.env()
  clock$time <- 0
  namespace <- asNamespace("rankmix")
  old <- namespace$seconds_now
  replace_clock <- function(value) {
    unlockBinding("seconds_now", namespace)
    assign("seconds_now", value, namespace)
    lockBinding("seconds_now", namespace)
  }
  replace_clock(function() clock$time)
  withr::defer(replace_clock(old), envir = env)
  clock
}

# slow(s) is naive() whose fit takes s seconds of a clock, and counts itself there;
# slow_spec() is a specification whose training does.
slow <- function(seconds) rankmix:::new_calibrator("slow", seconds = seconds)
slow_spec <- function(seconds, clock, spec = adaboost_mh(stump(), rounds = 3)) {
  row <- rankmix:::row_of(spec)
  train <- row$train
  row$train <- function(spec, task) {
    clock$time <- clock$time + seconds
    train(spec, task)
  }
  structure(spec, row = row)
}

use_clock <- function(clock) {
  clock$fits <- 0
  register <- function(generic, class, method) {
    registerS3method(generic, class, method, envir = asNamespace("rankmix"))
  }
  register("fit_calibrator", "rankmix_slow", function(method, f, held, range, threads) {
    clock$time <- clock$time + method$seconds
    clock$fits <- clock$fits + 1
    rankmix:::new_fitted(method, range = range)
  })
  register("calibrated_probabilities", "rankmix_fitted_slow", function(fitted, f, threads) {
    rankmix:::naive_probabilities(f, fitted$range)
  })
}
