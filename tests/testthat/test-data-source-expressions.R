expression_frame <- function() {
  data.frame(query = rep(sprintf("q%02d", 1:20), each = 4), number = rep(1:20, each = 4), grade = rep(0:1, 40),
             bm25 = (1:80 * 37) %% 80)
}

local_csv <- function(frame, env = parent.frame()) {
  skip_if_not_installed("data.table")
  file <- withr::local_tempfile(fileext = ".csv", .local_envir = env)
  utils::write.csv(frame, file, row.names = FALSE)
  file
}

test_that("chunks of one or two rows have strings as values, and names of columns", {
  frame <- expression_frame()[1:10, ]
  file <- local_csv(frame)
  ids <- unique(frame$query)
  expect_identical(binned_data(file, grade, query, features = "bm25", chunk = 9, verbose = FALSE)$query_ids, ids)
  both <- c("query", "number")
  found <- binned_data(file, grade, both, chunk = 8, verbose = FALSE)
  expect_identical(found$query_ids, paste0(ids, ":", 1:3))
  one <- ranking_data(frame[1, ], grade, query, document = paste0("d", bm25))
  expect_identical(one$query_ids, "q01")
  expect_identical(one$document, "d37")
})
