test_that("compare_models() prints in 80 columns", {
  withr::local_options(width = 80)
  data <- example_part("test")
  old <- data$x[, 1]
  new <- data$x[, 2]
  compared <- function(..., data = example_part("test")) {
    compare_models(old, ..., data = data, resamples = 200, seed = 1, threads = 1)
  }
  expect_snapshot({
    compared(new, margin = 0.05)
    compared(new, k = 3, level = 0.1)
    compared(old, margin = 0.05)
    compared(new, data = ranking_data(data$x, query = data$query))
  })
  long <- paste0("a_feature_with_a_long_name_", 1:20)
  named <- ranking_data(`colnames<-`(data$x, long), data$relevance, paste0("a_long_query_id_", data$query))
  lines <- capture.output(print(compared(new, data = named, margin = 0.05)))
  expect_lte(max(nchar(lines)), 80L)
})
