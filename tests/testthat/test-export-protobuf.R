hex <- function(bytes) paste(as.character(bytes), collapse = " ")

test_that("numbers, texts and lists have the bytes of the encoding's specification", {
  expect_identical(hex(pb_number(1, 150)), "08 96 01")
  expect_identical(hex(pb_texts(2, "testing")), "12 07 74 65 73 74 69 6e 67")
  expect_identical(hex(pb_numbers(4, c(3, 270, 86942))), "22 06 03 8e 02 9e a7 05")
  expect_identical(hex(pb_bytes(3, pb_number(1, 150))), "1a 03 08 96 01")
  expect_identical(hex(pb_floats(7, c(1, -2))), "3a 08 00 00 80 3f 00 00 00 c0")
  expect_identical(hex(pb_texts(5, c("a", "", "a"))), "2a 01 61 2a 00 2a 01 61")
  expect_identical(hex(pb_number(14, 0)), "70 00")
  expect_identical(hex(pb_number(20, 1)), "a0 01 01")
})

test_that("a reader finds the numbers again", {
  x <- c(0, 1, 127, 128, 129, 16383, 16384, 2^21 - 1, 2^21, 2^31, 2^40 + 3, 2^53 - 1)
  expect_identical(pb_packed(varints(x)), x)
  expect_identical(unlist(lapply(x, varints)), varints(x))
  fields <- pb_fields(c(pb_number(3, 2^40), pb_texts(9, "\u00e9"), pb_number(3, 5)))
  expect_identical(pb_all(fields, 3), list(2^40, 5))
  expect_identical(pb_strings(fields, 9), "\u00e9")
  expect_identical(varints(numeric()), raw())
})

test_that("floats are the nearest floats, and larger numbers become the largest float", {
  x <- c(0.1, 1e300, -1e300, Inf, -Inf, 1e-300, NaN)
  read <- readBin(little_endian(x, 4L), "double", 7, 4, endian = "little")
  largest <- (2 - 2^-23) * 2^127
  expect_identical(read, c(f32(0.1), largest, -largest, Inf, -Inf, 0, NaN))
  expect_identical(readBin(little_endian(x, 8L), "double", 7, 8, endian = "little"), x)
})
