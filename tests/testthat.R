library(testthat)
library(rankmix)

# All tests take some ten minutes. CRAN runs the files that take up to two seconds each, see tools/test_cran.R.
filter <- if (!identical(Sys.getenv("NOT_CRAN"), "true")) {
  paste0("^(", paste(readLines("cran-files.txt"), collapse = "|"), ")$")
}
test_check("rankmix", filter = filter)
