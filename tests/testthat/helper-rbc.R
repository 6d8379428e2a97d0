# Regressions of gains on discriminants.

rbc_case <- function(n = 300, classes = 3, seed = 1) {
  set.seed(seed)
  f <- matrix(rnorm(n * classes), n)
  grades <- pmin(classes - 1L, pmax(0L, as.integer(round(f[, 1] + rnorm(n) / 2))))
  list(f = f, held = held_part(grades), z = 2^grades - 1)
}

fit_rbc <- function(method, case, threads = 2L) {
  rankmix:::fit_calibrator(method, case$f, case$held, 1, threads)
}
scores_of_fit <- function(fitted, f, threads = 1L) {
  rankmix:::calibrated_scores(fitted, f, threads)
}

# A regression of each kind.
all_models <- function() lapply(rankmix:::rbc_models, calibrator_rbc)
