page <- tools::Rd_db("rankmix")[["glossary.Rd"]]

# The terms of the glossary, in the order of the page.
terms_of <- function(part) {
  if (!is.list(part)) return(character())
  own <- if (identical(attr(part, "Rd_tag"), "\\item")) paste(unlist(part[[1L]]), collapse = "")
  c(own, unlist(lapply(part, terms_of)))
}

test_that("the glossary names functions that there are, and sorts its terms", {
  text <- paste(unlist(page), collapse = " ")
  called <- unique(regmatches(text, gregexpr("[A-Za-z.][A-Za-z0-9._]*(?=\\(\\))", text, perl = TRUE))[[1L]])
  expect_gt(length(called), 10L)
  expect_identical(setdiff(called, getNamespaceExports("rankmix")), character())
  terms <- terms_of(page)
  expect_gt(length(terms), 35L)
  expect_identical(terms, sort(unique(terms), method = "radix"))
})
