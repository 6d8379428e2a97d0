test_that("the citation has the year and the papers", {
  cited <- utils::citation("rankmix")
  expect_length(cited, 3L)
  expect_match(cited[[1]]$year, "^20[0-9]{2}$")
  expect_match(cited[[1]]$note, as.character(utils::packageVersion("rankmix")), fixed = TRUE)
  expect_identical(cited[[2]]$doi, "10.1007/s10994-013-5360-9")
  expect_identical(cited[[3]]$year, "2011")
})
