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

test_that("attaching prints nothing", {
  skip_if_not_installed("callr")
  said <- callr::r(function() {
    utils::capture.output(library(rankmix), type = "message")
  })
  expect_identical(said, character())
})

# `explain()` is the generic of the package generics. dplyr has its own generic `explain()`, for which rankmix
# registers methods: see test-generics.R.
test_that("no exported name masks, or is masked by, one of the packages that users attach", {
  skip_if_not_installed("callr")
  others <- Filter(rlang::is_installed, c("dplyr", "yardstick", "generics", "cli"))
  conflicts_of <- function(order) {
    callr::r(function(order) {
      for (package in order) library(package, character.only = TRUE, warn.conflicts = FALSE)
      ours <- getNamespaceExports("rankmix")
      Filter(function(name) {
        homes <- Filter(function(home) {
          home != "package:rankmix" && exists(name, home, inherits = FALSE)
        }, search())
        same <- vapply(homes, function(home) {
          identical(get(name, home, inherits = FALSE), getExportedValue("rankmix", name))
        }, NA)
        !all(same)
      }, intersect(ours, conflicts()))
    }, list(order))
  }
  allowed <- if ("dplyr" %in% others) "explain" else character()
  expect_identical(conflicts_of(c("rankmix", others)), allowed)
  expect_identical(conflicts_of(c(others, "rankmix")), allowed)
})
