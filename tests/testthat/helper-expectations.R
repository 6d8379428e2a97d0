# Expectations that do not call testthat's comparison for identical values. Most values of tests are identical, and the
# comparison takes longer than most of the code under test. testthat compares and reports all other values.

unless_identical <- function(expectation) {
  function(object, expected, ..., label = code_text(substitute(object)),
           expected.label = code_text(substitute(expected))) {
    if (identical(object, expected)) {
      succeed()
      return(invisible(object))
    }
    expectation(object, expected, ..., label = label, expected.label = expected.label)
  }
}

# The first line of code, to name a value in the message of a failure.
code_text <- function(code) paste0("`", deparse(code, nlines = 1L), "`")

expect_identical <- unless_identical(testthat::expect_identical)
expect_equal <- unless_identical(testthat::expect_equal)

unless_constant <- function(expectation, constant) {
  function(object, info = NULL, label = code_text(substitute(object))) {
    if (identical(object, constant)) {
      succeed()
      return(invisible(object))
    }
    expectation(object, info = info, label = label)
  }
}

expect_true <- unless_constant(testthat::expect_true, TRUE)
expect_false <- unless_constant(testthat::expect_false, FALSE)
expect_null <- unless_constant(testthat::expect_null, NULL)
