train_file <- system.file("extdata", "train.txt.gz", package = "rankmix")

# The lines of the example data in files of a new folder.
folder_of_parts <- function(env = parent.frame()) {
  folder <- withr::local_tempdir(.local_envir = env)
  lines <- readLines(train_file)
  part <- rep_len(1:3, length(lines))
  for (k in 1:3) writeLines(lines[part == k], file.path(folder, sprintf("part%d.txt", k)))
  folder
}

test_that("LETOR text, one or several files, gives the data of read_letor()", {
  data <- read_letor(train_file)
  model <- fit(gbrt(trees = 5), data, seed = 1, verbose = FALSE)
  expect_identical(fit(gbrt(trees = 5), binned_data(train_file, verbose = FALSE), seed = 1, verbose = FALSE), model)
  folder <- folder_of_parts()
  parts <- binned_data(folder, verbose = FALSE)
  expect_identical(parts$digest, binned_data(train_file, verbose = FALSE)$digest)
  expect_identical(parts$relevance, suppressMessages(read_letor(list.files(folder, full.names = TRUE)))$relevance)
  expect_identical(ncol(binned_data(train_file, features = 25, verbose = FALSE)), 25L)
})

test_that("CSV, with quoted line breaks, gives the data of read_ranking()", {
  skip_if_not_installed("data.table")
  frame <- as.data.frame(simulate_ranking(12, features = 5, seed = 1)$data)
  wanted <- names(frame)[3:5]
  frame$text <- "a \"word\",\nand a line"
  file <- withr::local_tempfile(fileext = ".csv")
  data.table::fwrite(frame, file)
  expected <- read_ranking(file, relevance = relevance, query = query, features = wanted)
  for (chunk in c(1, 7, 1e5)) {
    found <- binned_data(file, relevance = relevance, query = query, features = wanted, chunk = chunk,
                         verbose = FALSE)
    expect_identical(found$relevance, expected$relevance)
    expect_identical(found$query_ids, expected$query_ids)
    expect_identical(found$digest, binned_data(expected, verbose = FALSE)$digest)
  }
})

test_that("Parquet files of a folder are one source", {
  skip_if_not_installed("nanoparquet")
  frame <- as.data.frame(simulate_ranking(12, features = 5, seed = 1)$data)
  folder <- withr::local_tempdir()
  half <- seq_len(nrow(frame)) <= 50
  nanoparquet::write_parquet(frame[half, ], file.path(folder, "a.parquet"))
  nanoparquet::write_parquet(frame[!half, ], file.path(folder, "b.parquet"))
  found <- binned_data(folder, relevance = relevance, query = query, verbose = FALSE)
  expect_identical(found$digest, binned_data(frame, relevance = relevance, query = query, verbose = FALSE)$digest)
})

test_that("a query of a database is a source", {
  skip_if_not_installed("RSQLite")
  frame <- as.data.frame(simulate_ranking(12, features = 5, seed = 1)$data)
  connection <- DBI::dbConnect(RSQLite::SQLite(), ":memory:")
  withr::defer(DBI::dbDisconnect(connection))
  DBI::dbWriteTable(connection, "judged", frame)
  result <- DBI::dbSendQuery(connection, "SELECT * FROM judged WHERE query <> 3")
  withr::defer(DBI::dbClearResult(result), priority = "first")
  found <- binned_data(result, relevance = relevance, query = query, chunk = 40, verbose = FALSE)
  expected <- binned_data(frame[frame$query != 3, ], relevance = relevance, query = query, verbose = FALSE)
  expect_identical(found$digest, expected$digest)
})

test_that("an Arrow stream is a source", {
  skip_if_not_installed("nanoarrow")
  frame <- as.data.frame(simulate_ranking(12, features = 5, seed = 1)$data)
  half <- seq_len(nrow(frame)) <= 50
  stream <- nanoarrow::basic_array_stream(lapply(list(frame[half, ], frame[!half, ]), nanoarrow::as_nanoarrow_array))
  found <- binned_data(stream, relevance = relevance, query = query, verbose = FALSE)
  expect_identical(found$digest, binned_data(frame, relevance = relevance, query = query, verbose = FALSE)$digest)
})

test_that("errors name the file and the line", {
  folder <- folder_of_parts()
  second <- file.path(folder, "part2.txt")
  lines <- readLines(second)
  writeLines(replace(lines, 300L, "1 qid:x 1:abc"), second)
  error <- expect_error(binned_data(folder, verbose = FALSE), "part2.txt', line 300", class = "rankmix_error_parse")
  expect_identical(error$line, 300)
  wide <- withr::local_tempfile(lines = c("1 qid:1 10000:1", "1 qid:1 10001:1"))
  expect_error(binned_data(wide, verbose = FALSE), "line 2", class = "rankmix_error_parse")
  skip_if_not_installed("data.table")
  file <- withr::local_tempfile(fileext = ".csv")
  rows <- sprintf("%d,%d,%d", 0L, 1:50, 2:51)
  writeLines(c("grade,id,bm25", replace(rows, 33L, "0,33,word")), file)
  error <- expect_error(binned_data(file, relevance = grade, query = id, chunk = 10, verbose = FALSE),
                        class = "rankmix_error_parse")
  expect_identical(error$line, 34)
  writeLines(c("grade,id,bm25", replace(rows, 33L, "0,,5")), file)
  error <- expect_error(binned_data(file, relevance = grade, query = id, chunk = 10, verbose = FALSE),
                        "line 34", class = "rankmix_error_query")
  expect_identical(error$line, 34)
})

test_that("blank lines at the end of a CSV file, also as a chunk of their own, are no documents", {
  skip_if_not_installed("data.table")
  file <- withr::local_tempfile(fileext = ".csv")
  writeLines(c("grade,id,bm25", sprintf("%d,%d,%d", 0L, 1:50, 2:51), "", " "), file)
  rows <- function(chunk) {
    nrow(binned_data(file, relevance = grade, query = id, chunk = chunk, verbose = FALSE))
  }
  expect_identical(rows(10), 50L)
  expect_identical(rows(100), 50L)
})

# The bytes of a compressed file.
packed_bytes <- function(lines) {
  file <- withr::local_tempfile()
  to <- gzfile(file, "wb")
  writeLines(lines, to)
  close(to)
  readBin(file, "raw", file.size(file))
}

test_that("a compressed file that was cut off or damaged is an error, not fewer rows", {
  folder <- withr::local_tempdir()
  data <- simulate_ranking(40, documents = 5, features = 5, seed = 1)$data
  plain <- file.path(folder, "data.txt")
  write_letor(data, plain)
  model <- fit(gbrt(2, min_data_in_leaf = 3), read_letor(plain), seed = 1, threads = 1, verbose = FALSE)
  letor <- packed_bytes(readLines(plain))
  table <- packed_bytes(c("grade,id,f", sprintf("%d,%d,%d", 0:999 %% 2, 0:999 %/% 10, 0:999 * 7919 %% 1000)))
  damaged <- replace(letor, length(letor) - 6, xor(letor[length(letor) - 6], as.raw(1)))
  for (bytes in list(head(letor, -50), damaged)) {
    file <- withr::local_tempfile(fileext = ".txt.gz")
    writeBin(bytes, file)
    source <- data_source(file, chunk = 7, verbose = FALSE)
    expect_error(predict(model, source, threads = 1), "cannot be read to its end", class = "rankmix_error_file")
    expect_error(evaluate(model, source, "ndcg@5", threads = 1), class = "rankmix_error_file")
  }
  skip_if_not_installed("data.table")
  file <- file.path(folder, "table.csv.gz")
  writeBin(head(table, -50), file)
  expect_error(binned_data(file, relevance = grade, query = id, chunk = 7, verbose = FALSE),
               "cannot be read to its end", class = "rankmix_error_file")
  writeBin(table, file)
  expect_identical(nrow(binned_data(file, relevance = grade, query = id, chunk = 7, verbose = FALSE)), 1000L)
})

test_that("a NUL byte in a chunk is an error that names its line", {
  folder <- withr::local_tempdir()
  with_nul <- function(name, text) {
    file <- file.path(folder, name)
    bytes <- charToRaw(text)
    writeBin(replace(bytes, bytes == charToRaw("@"), as.raw(0)), file)
    file
  }
  letor <- with_nul("nul.txt", "1 qid:1 1:1\n0 qid:1 1:2\n@@@@@@\n0 qid:2 1:3\n")
  clean <- with_nul("clean.txt", "1 qid:1 1:1\n0 qid:1 1:2\n")
  model <- fit(linear_ranker(penalty = 1), read_letor(clean), seed = 1, threads = 1, verbose = FALSE)
  expect_error(predict(model, data_source(letor, chunk = 1, verbose = FALSE)), "line 3.*NUL byte",
               class = "rankmix_error_parse")
  skip_if_not_installed("data.table")
  table <- with_nul("nul.csv", "grade,id,f\n1,1,2\n0,1,3@4\n")
  expect_error(binned_data(table, relevance = grade, query = id, chunk = 1, verbose = FALSE), "line 3.*NUL byte",
               class = "rankmix_error_parse")
})

test_that("lines of any length, and more than one batch of text, are read in chunks", {
  file <- withr::local_tempfile()
  # Some lines are longer than a piece of 2^18 bytes, and the text is longer than a batch of 2^22 bytes.
  lines <- strrep("x", c(0, 3, 3e5, 1, 5e6, rep(100, 5e4), 2^18 - 1, 7))
  connection <- file(file, "wb")
  writeLines(lines, connection)
  cat("\r\nlast", file = connection)
  close(connection)
  for (count in c(1L, 4L, 49000L, 1e5L)) {
    reader <- rankmix:::line_file(file, NULL)
    taken <- list()
    # A small count reads the beginning only.
    while (length(chunk <- reader$take(count)) > 0L && length(taken) < 50L) taken[[length(taken) + 1L]] <- chunk
    reader$close()
    taken <- unlist(taken)
    expect_identical(taken, head(c(lines, "\r", "last"), length(taken)))
    if (count > 1000L) expect_length(taken, length(lines) + 2L)
  }
})

test_that("sources print, and wrong sources are refused", {
  withr::local_options(width = 80)
  frame <- data.frame(bm25 = 1, grade = 0, id = 1)
  expect_snapshot({
    data_source(train_file)
    data_source(frame, relevance = grade, query = id)
    data_source(function() NULL, query = c(site, day))
  })
  folder <- withr::local_tempdir()
  file.create(file.path(folder, c("a.csv", "b.parquet")))
  expect_error(data_source(folder, query = id), class = "rankmix_error_file")
  expect_error(data_source(withr::local_tempdir()), class = "rankmix_error_file")
  expect_error(data_source(tempfile()), class = "rankmix_error_file")
  expect_error(data_source(train_file, query = id), class = "rankmix_error_argument")
  expect_error(data_source(frame, relevance = grade), class = "rankmix_error_argument")
  expect_error(data_source(), class = "rankmix_error_argument")
  expect_error(data_source(frame, query = id, chunk = 0), class = "rankmix_error_argument")
})

test_that("a source is described once", {
  source <- data_source(train_file)
  expect_error(binned_data(source, chunk = 10, verbose = FALSE), "`chunk` is given", class = "rankmix_error_argument")
  expect_error(binned_data(source, query = id, verbose = FALSE), "`query` is given", class = "rankmix_error_argument")
  expect_error(data_source(source, features = 3), "`features` is given", class = "rankmix_error_argument")
  expect_error(data_source(read_letor(train_file), features = "f1"), class = "rankmix_error_argument")
  expect_error(data_source(train_file, features = "f1"), "whole number", class = "rankmix_error_argument")
  frame <- data.frame(bm25 = 1:2, grade = 0:1, id = 1)
  expect_error(data_source(frame, query = id, features = 3), "names of columns", class = "rankmix_error_argument")
})

test_that("objects and files that are no source give an error with a remedy", {
  expect_error(data_source(matrix(1:4, 2), query = 1), "ranking_data", class = "rankmix_error_argument")
  expect_error(data_source(structure(list(), class = "DBIConnection"), query = id), "dbSendQuery",
               class = "rankmix_error_argument")
  folder <- withr::local_tempdir()
  for (ending in c("bins", "rds", "xlsx")) {
    file <- file.path(folder, paste0("data.", ending))
    file.create(file)
    expect_error(data_source(file), "not LETOR text", class = "rankmix_error_file")
  }
  text <- withr::local_tempfile(fileext = ".txt", lines = "grade,id,bm25")
  expect_error(data_source(text, query = id), "must end in", class = "rankmix_error_argument")
})

test_that("columns of a chunk may be in another order, but not others", {
  frame <- as.data.frame(simulate_ranking(12, features = 5, seed = 1)$data)
  half <- seq_len(nrow(frame)) <= 50
  chunks_of <- function(...) {
    rest <- list(...)
    function() {
      one <- if (length(rest) > 0L) rest[[1L]]
      rest <<- rest[-1L]
      one
    }
  }
  bins <- function(...) binned_data(chunks_of(...), relevance = relevance, query = query, verbose = FALSE)
  expected <- bins(frame)$digest
  expect_identical(bins(frame[half, ], frame[!half, rev(names(frame))])$digest, expected)
  skip_if_not_installed("tibble")
  expect_identical(bins(tibble::as_tibble(frame[half, ]), frame[!half, ])$digest, expected)
  expect_error(bins(frame[half, ], frame[!half, -3]), "Missing: `signal1`", class = "rankmix_error_feature")
  expect_error(bins(frame[half, -3], frame[!half, ]), "Not in the first chunk: `signal1`",
               class = "rankmix_error_feature")
})

test_that("functions that fail, need arguments or never end are refused", {
  read <- function(f) binned_data(f, relevance = grade, query = id, verbose = FALSE)
  error <- expect_error(read(function() stop("no network")), "chunk 1", class = "rankmix_error_source")
  expect_match(conditionMessage(error$parent), "no network")
  expect_error(read(function(n) NULL), "argument `n`", class = "rankmix_error_argument")
  expect_error(read(function() data.frame()), "Return NULL", class = "rankmix_error_argument")
  frame <- data.frame(grade = 0, id = 1:3, bm25 = c(1, 2, Inf))
  expect_error(read(function() frame), "^Chunk 1, row 3: feature `bm25`.*\n. The row has Inf",
               class = "rankmix_error_feature")
})

test_that("a result of a database, or a stream, is read once", {
  skip_if_not_installed("RSQLite")
  connection <- DBI::dbConnect(RSQLite::SQLite(), ":memory:")
  withr::defer(DBI::dbDisconnect(connection))
  DBI::dbWriteTable(connection, "judged", data.frame(grade = 0:1, id = c("b\u00fccher", "\u4e2d"), bm25 = 1:2))
  result <- DBI::dbSendQuery(connection, "SELECT *, 9007199254740993 AS big FROM judged")
  read <- function(...) binned_data(result, relevance = grade, features = "bm25", verbose = FALSE, ...)
  expect_identical(read(query = c(id, big))$query_ids,
                   c("b\u00fccher:9007199254740993", "\u4e2d:9007199254740993"))
  expect_error(read(query = id), "read only once", class = "rankmix_error_empty")
  DBI::dbClearResult(result)
  expect_error(read(query = id), "dbClearResult", class = "rankmix_error_source")
  skip_if_not_installed("nanoarrow")
  array <- nanoarrow::as_nanoarrow_array(data.frame(grade = 0:1, id = 1, bm25 = 1:2))
  expect_identical(nrow(binned_data(array, relevance = grade, query = id, verbose = FALSE)), 2L)
  stream <- nanoarrow::basic_array_stream(list(array))
  stream$release()
  expect_error(binned_data(stream, relevance = grade, query = id, verbose = FALSE), class = "rankmix_error_source")
})

test_that("data frames are read as by ranking_data()", {
  frame <- data.frame(bm25 = 1:4, docid = 4:1, grade = c(0, 1, 0, 2), id = c(1, 1, 2, 2))
  ids <- frame$id
  expect_warning(data <- binned_data(frame, relevance = grade, query = ids, verbose = FALSE),
                 class = "rankmix_warning_document")
  expect_identical(data$features, c("bm25", "docid"))
})

test_that("a source needs a file", {
  expect_error(data_source(character(), relevance = grade, query = query), "No file", class = "rankmix_error_argument")
})
