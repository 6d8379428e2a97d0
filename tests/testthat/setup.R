# Two threads everywhere: machines that check packages allow no more.
options(rankmix.threads = 2L)

# An error of rlang records all calls above it, which takes longer than the check that raises it.
options("rlang:::disable_trace_capture" = TRUE)

# testthat formats a hint for each snapshot, also for one that has not changed. That is a tenth of the time of all tests.
if (identical(Sys.getenv("NOT_CRAN"), "true") && exists("snapshot_accept_hint", asNamespace("testthat"), inherits = FALSE)) {
  utils::assignInNamespace("snapshot_accept_hint", function(variant, file, ...) {
    sprintf("* Run testthat::snapshot_accept('%s') to accept the change.", file)
  }, "testthat")
}
