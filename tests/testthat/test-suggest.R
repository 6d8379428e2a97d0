test_that("near names are suggested, others are not", {
  expect_identical(did_you_mean("qurey", c("grade", "query", "bm25")),
                   "Did you mean `query`?")
  expect_identical(did_you_mean("QUERY", c("grade", "query")), "Did you mean `query`?")
  expect_identical(did_you_mean("grdae", "grade"), "Did you mean `grade`?")
  expect_identical(did_you_mean("query", c("query_id", "clicks")),
                   "Did you mean `query_id`?")
  expect_identical(did_you_mean("relevance_grade", "relevance"),
                   "Did you mean `relevance`?")
  expect_identical(did_you_mean("f12", c("f1", "f2", "g12")),
                   "Did you mean `f1` or `f2` or `g12`?")
  expect_null(did_you_mean("rank", c("grade", "site", "bm25")))
  expect_null(did_you_mean("ab", c("xy", "q")))
  expect_null(did_you_mean("query", character()))
  expect_null(did_you_mean(NA_character_, "query"))
  expect_null(did_you_mean("query", c(NA, "")))
})

test_that("the nearest wins", {
  expect_identical(did_you_mean("relevence", c("relevance", "relevances")),
                   "Did you mean `relevance`?")
})

test_that("a regular expression is no pattern here", {
  expect_null(did_you_mean(".*.*", c("query", "grade")))
})
