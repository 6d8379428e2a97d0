test_that("the citation has the year and the papers", {
  cited <- utils::citation("rankmix")
  expect_length(cited, 6L)
  expect_match(cited[[1]]$year, "^20[0-9]{2}$")
  expect_match(cited[[1]]$note, as.character(utils::packageVersion("rankmix")), fixed = TRUE)
  expect_identical(cited[[2]]$doi, "10.1007/s10994-013-5360-9")
  expect_identical(cited[[3]]$year, "2011")
  first <- vapply(2:6, function(i) cited[[i]]$author[[1L]]$family, "")
  expect_identical(first, c("Busa-Fekete", "Busa-Fekete", "Chapelle", "Ruan", "Gulin"))
})

test_that("attaching says nothing, and masks nothing that then fails", {
  skip_if_not_installed("callr")
  said <- callr::r(function() {
    utils::capture.output(library(rankmix), type = "message")
  })
  expect_identical(said, character())
})
