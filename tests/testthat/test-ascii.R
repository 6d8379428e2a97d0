test_that("the case of letters follows ASCII in every language", {
  expect_identical(ascii_lower("RECIP_RANK"), "recip_rank")
  expect_identical(ascii_upper("query id"), "QUERY ID")
  # ascii_lower() changes ASCII letters only.
  expect_identical(ascii_lower("\u0130\u00c9A"), "\u0130\u00c9a")
})

test_that("names are recognised in a Turkish session, where the small letter of I is another", {
  local_country("LC_CTYPE", "tr_TR")
  expect_identical(as_metric("RECIP_RANK"), metric_reciprocal_rank())
  expect_identical(as_metric("PRECISION@5"), metric_precision(5))
  expect_match(did_you_mean("MIN_DATA_IN_LEAV", "min_data_in_leaf"), "min_data_in_leaf")
  expect_error(fit(gbrt(NUM_ITERATIONS = 3)), "trees")
  folder <- withr::local_tempdir()
  for (part in c("TRAININGSET", "VALI", "TEST")) {
    dir.create(file.path(folder, "FOLD1"), showWarnings = FALSE)
    writeLines(c("1 qid:1 1:1", "0 qid:1 1:2"), file.path(folder, "FOLD1", paste0(part, ".txt")))
  }
  expect_named(read_folds(folder)[[1]], c("train", "valid", "test"))
})
