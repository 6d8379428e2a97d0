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

test_that("expressions that depend on other rows are refused", {
  file <- local_csv(expression_frame())
  refuse <- function(code, class = "rankmix_error_column", text = "another value if the chunk has other rows") {
    error <- expect_error(code, text, class = class)
    expect_match(conditionMessage(error), "chunk by chunk")
  }
  for (chunk in c(9, 1000)) {
    read <- function(relevance = grade, query = query, ...) {
      binned_data(file, {{ relevance }}, {{ query }}, ..., features = "bm25", chunk = chunk, verbose = FALSE)
    }
    refuse(read(query = as.integer(factor(query))), text = "`query = as.integer\\(factor\\(query\\)\\)`")
    refuse(read(query = match(number, unique(number))))
    refuse(read(relevance = as.integer(grade > mean(grade)), query = query))
    refuse(read(query = query, document = seq_along(query)))
    refuse(read(query = query, weight = max(number) + number * 0))
    refuse(read(query = query, labels = list(first = cumsum(grade))))
    refuse(read(query = query, document_weight = 1:3 + 0), "rankmix_error_length", "has 3 values, but the chunk has")
    expect_error(read(query = query_groups(rep(4, 20))), "read in chunks", class = "rankmix_error_query")
  }
  source <- data_source(file, relevance = grade, query = as.integer(factor(query)), features = "bm25", chunk = 9)
  model <- fit(linear_ranker(), ranking_data(expression_frame()[-2], grade, query), verbose = FALSE)
  refuse(predict(model, source))
  rows <- rep(1:20, each = 4)
  refuse(binned_data(file, grade, rep(1:20, each = 4), features = "bm25", chunk = 9, verbose = FALSE),
         "rankmix_error_length",
         "`query = rep\\(1:20, each = 4\\)` has 80 values, but the chunk has 9 rows")
  refuse(binned_data(file, grade, rows, features = "bm25", verbose = FALSE))
})

test_that("expressions that depend on their row only are computed in chunks", {
  frame <- expression_frame()
  file <- local_csv(frame)
  frame$made <- paste0(frame$query, ":", frame$number)
  expected <- binned_data(ranking_data(frame[c("made", "grade", "bm25")], grade, made), verbose = FALSE)
  for (chunk in c(7, 79, 1000)) {
    read <- function(relevance, query) {
      binned_data(file, {{ relevance }}, {{ query }}, features = "bm25", chunk = chunk, verbose = FALSE)
    }
    expect_identical(read(pmin(grade, 2), paste0(query, ":", number))$digest, expected$digest)
    expect_identical(read(.data$grade, paste0(.data[["query"]], ":", number))$digest, expected$digest)
    expect_identical(read(grade, c(query, number))$digest, expected$digest)
    both <- c("query", "number")
    expect_identical(read("grade", both)$digest, expected$digest)
    expect_length(read(grade, as.Date("2026-01-01") + number)$query_ids, 20)
    expect_length(read(grade, factor(query))$query_ids, 20)
  }
})

test_that("data of one chunk may have any expression", {
  frame <- expression_frame()
  found <- binned_data(frame, grade, as.integer(factor(query)), features = "bm25", verbose = FALSE)
  expect_length(found$query_ids, 20)
  expect_error(binned_data(frame, grade, query, weight = 1:3, verbose = FALSE),
               "has 3 values, but the data have 80 rows", class = "rankmix_error_length")
  skip_if_not_installed("nanoparquet")
  file <- withr::local_tempfile(fileext = ".parquet")
  nanoparquet::write_parquet(frame, file)
  expect_identical(binned_data(file, grade, as.integer(factor(query)), features = "bm25", verbose = FALSE)$digest,
                   found$digest)
})

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
