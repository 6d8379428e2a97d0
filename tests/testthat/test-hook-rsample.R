test_that("folds become a manual_rset with the queries kept together", {
  from_package("rsample", "manual_rset")
  analysis <- from_package("rsample", "analysis")
  assessment <- from_package("rsample", "assessment")
  data <- random_data(queries = 20, seed = 2)
  folds <- query_folds(data, 4, seed = 1)
  made <- as_rset(folds, data)
  expect_s3_class(made, c("manual_rset", "rset"), exact = FALSE)
  expect_identical(nrow(made), 4L)
  frame <- as.data.frame(data)
  for (f in 1:4) {
    of_fold <- split_parts(folds, data, f)
    split <- made$splits[[f]]
    expect_equal(assessment(split), frame[frame$query %in% of_fold$test$query_ids, ],
                 ignore_attr = "row.names")
    expect_length(intersect(analysis(split)$query, assessment(split)$query), 0)
    expect_identical(nrow(analysis(split)) + nrow(assessment(split)), nrow(data))
  }
  one <- as_rset(split_queries(data, 0.7, seed = 1), data, data.frame(row = seq_len(nrow(data))))
  expect_identical(nrow(one), 1L)
  expect_named(assessment(one$splits[[1]]), "row")
})

test_that("objects that are not splits, and splits of other data, are reported", {
  data <- random_data(queries = 20, seed = 2)
  folds <- query_folds(data, 4, seed = 1)
  expect_snapshot_error(as_rset(1, data), class = "rankmix_error_argument")
  expect_snapshot_error(as_rset(folds, data, data.frame(a = 1)), class = "rankmix_error_length")
  from_package("rsample", "manual_rset")
  expect_error(as_rset(folds, data[1:3]), class = "rankmix_error_query")
})
