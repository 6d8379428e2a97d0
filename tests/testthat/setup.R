# Two threads everywhere: machines that check packages allow no more.
options(rankmix.threads = 2L)

# An error of rlang records all calls above it, which takes longer than the check that raises it.
options("rlang:::disable_trace_capture" = TRUE)

# testthat sets the options of output for each comparison, and formats a hint for each snapshot, also where nothing
# differs. Together that is a quarter of the time of all tests. These versions only change how a failure looks.
quick_testthat <- list(
  local_reporter_output = function(.env = NULL) invisible(),
  snapshot_accept_hint = function(variant, file, ...) {
    sprintf("* Run testthat::snapshot_accept('%s') to accept the change.", file)
  }
)
if (identical(Sys.getenv("NOT_CRAN"), "true")) {
  for (name in intersect(names(quick_testthat), ls(asNamespace("testthat")))) {
    utils::assignInNamespace(name, quick_testthat[[name]], "testthat")
  }
}
