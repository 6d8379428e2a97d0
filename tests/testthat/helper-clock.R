# Time that passes only where a test says so.

# The package's clock until the test ends; `time` is set by the test, and goes on by `step`
# whenever somebody looks.
local_clock <- function(step = 0, env = parent.frame()) {
  clock <- new.env()
  clock$time <- 0
  local_function("seconds_now", function() {
    clock$time <- clock$time + step
    clock$time
  }, env)
  clock
}

# Another function of the package's until the test ends.
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
