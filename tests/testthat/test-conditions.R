test_that("values are shown as a message needs them", {
  expect_identical(rankmix:::show_value(NULL), "NULL")
  expect_identical(rankmix:::show_value(1e5), "100000")
  expect_identical(rankmix:::show_value("a"), "\"a\"")
  expect_identical(rankmix:::show_value(1:3), "an integer vector of length 3")
  expect_identical(rankmix:::show_value(c(1, 2)), "a double vector of length 2")
  expect_identical(rankmix:::show_value(matrix(1, 2, 3)), "a 2 x 3 matrix")
  expect_identical(rankmix:::show_value(gbrt()), "an object of class rankmix_gbrt")
  expect_identical(rankmix:::show_value(factor("a")), "a factor")
  expect_identical(rankmix:::enumerate(c("a", "b", "c"), 2), "`a`, `b` and 1 more")
  expect_identical(rankmix:::enumerate("a"), "`a`")
})

test_that("conditions have the classes, the details and what they come from", {
  error <- tryCatch(rankmix:::stop_input("argument", "It is wrong.", "x is 3.", "Make it 4.",
                                         parent = simpleError("inner")), error = identity)
  expect_s3_class(error, c("rankmix_error_argument", "rankmix_error"), exact = FALSE)
  expect_match(conditionMessage(error), "It is wrong.\nx x is 3.\ni Make it 4.", fixed = TRUE)
  expect_identical(conditionMessage(error$parent), "inner")
  expect_warning(rankmix:::warn_input("scale", "Look out."), class = "rankmix_warning_scale")
})
