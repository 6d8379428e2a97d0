test_that("case is that of ASCII in every language", {
  expect_identical(ascii_lower("RECIP_RANK"), "recip_rank")
  expect_identical(ascii_upper("query id"), "QUERY ID")
  # Other letters stay.
  expect_identical(ascii_lower("\u0130\u00c9A"), "\u0130\u00c9a")
})
