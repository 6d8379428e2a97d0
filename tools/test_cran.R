# The tests that CRAN runs. CRAN wants less than three minutes, so it runs the files of tests/cran-files.txt only.
#
#   Rscript tools/test_cran.R            runs them, and reports their seconds of processor time
#   Rscript tools/test_cran.R --write    times each file of tests, and writes the list of quick ones

Sys.unsetenv(c("NOT_CRAN", "RANKMIX_DATA"))
Sys.setenv(OMP_THREAD_LIMIT = "2", TESTTHAT_PARALLEL = "false")
setwd("tests")

# Seconds of processor time that a file may take, with about a third of a second for reading the helpers.
file_seconds <- 2

seconds_of <- function(code) {
  before <- proc.time()
  force(code)
  sum((proc.time() - before)[-3L])
}

quick_files <- function() {
  library(rankmix)
  names <- sub("^test-(.*)\\.R$", "\\1", list.files("testthat", "^test-.*\\.R$"))
  times <- vapply(names, function(name) {
    seconds_of(testthat::test_dir("testthat", package = "rankmix", load_package = "installed", reporter = "silent",
                                  filter = paste0("^", name, "$")))
  }, 0)
  cat(sprintf("%d files take %.0f s, %d of them at most %g s each\n", length(times), sum(times),
              sum(times <= file_seconds), file_seconds))
  names[times <= file_seconds]
}

if (identical(commandArgs(trailingOnly = TRUE), "--write")) {
  writeLines(quick_files(), "cran-files.txt")
} else {
  cat(sprintf("Tests of CRAN: %.0f s of processor time\n", seconds_of(source("testthat.R"))))
}
