test_that("query_report() prints in 80 columns", {
  withr::local_options(width = 80)
  by <- data.frame(query = 1:20, kind = rep(c("short", "long"), 10), size = 1:20)
  expect_snapshot({
    query_report(sakai_topics, "A", "B", by = by, resamples = 200, seed = 1)
    query_report(sakai_topics[1:2, ], "A", "B", by = data.frame(query = 1:2, kind = "short"), resamples = 100)
    query_report(unname(sakai_topics[, c(1, 1)]), resamples = 100)
  })
  long <- sakai_topics
  rownames(long) <- paste0(strrep("a_long_name_of_a_query_", 4), 1:20)
  colnames(long) <- paste0(strrep("a_long_name_of_a_ranker_", 4), 1:3)
  lines <- capture.output(print(query_report(long, resamples = 100)))
  expect_lte(max(nchar(lines)), 80L)
})
