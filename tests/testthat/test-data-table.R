local_table <- function(lines, name = "data.csv", env = parent.frame()) {
  skip_if_not_installed("data.table")
  local_letor(lines, name, env)
}

table_lines <- c("grade,site,day,bm25,clicks,doc", "1,shop,007,1.5,3,a", "0,shop,007,NULL,,b",
                 "2,shop,7,NaN,12345678901234567890,c")

test_that("CSV is read with exact ids", {
  file <- local_table(table_lines)
  data <- read_ranking(file, grade, c(site, day), document = "doc")
  expect_identical(data$query_ids, c("shop:007", "shop:7"))
  expect_identical(data$document, c("a", "b", "c"))
  expect_identical(data$features, c("bm25", "clicks"))
  expect_equal(unname(data$x), cbind(c(1.5, NA, NA), c(3, NA, 12345678901234567890)))
  writeLines(c("grade,q,x", "0,12345678901234567890,1", "1,12345678901234567891,2"), file)
  expect_identical(read_ranking(file, grade, q)$query_ids,
                   c("12345678901234567890", "12345678901234567891"))
  writeLines(c("grade,q,x", "0,10,1", "1,9,2"), file)
  expect_identical(read_ranking(file, grade, q)$query_ids, c(10L, 9L))
  id <- "q"
  expect_identical(read_ranking(file, "grade", id)$query_ids, c(10L, 9L))
})

test_that("numbers of CSV are rounded as strtod() rounds them", {
  set.seed(1)
  x <- c(rnorm(500), 10^runif(501, -300, 300), 1 / 3, 5e-324, .Machine$double.xmax)
  file <- local_table(c("grade,q,x", sprintf("%d,%d,%.17g", 0:1, 1:1004, x)))
  expect_identical(unname(read_ranking(file, grade, q)$x[, 1]), x)
})

test_that("tabs, compressed files and group sizes are read, too", {
  file <- local_table(gsub(",", "\t", table_lines), "data.tsv")
  data <- read_ranking(file, grade, c(site, day), doc)
  connection <- gzfile("data.csv.gz")
  writeLines(table_lines, connection)
  close(connection)
  expect_identical(read_ranking("data.csv.gz", grade, c(site, day), doc), data)
  writeLines(c("grade,x", "0,1", "1,2", "0,3"), "data.csv")
  writeLines(c("1", "2"), "data.csv.query")
  expect_identical(
    read_ranking("data.csv", grade, query_groups("data.csv.query"))$query, c(1L, 2L, 2L))
})

test_that("quotes, byte order marks, line ends and encodings are read", {
  file <- local_table("")
  writeBin(c(as.raw(c(0xef, 0xbb, 0xbf)), charToRaw(paste0(
    "grade;q;x;caf\u00e9\r\n1;\"a\"\"b\";1,5;2\r\n0;\"a;b\";2;3\r\n"))), file)
  expect_error(read_ranking(file, grade, q), class = "rankmix_error_parse")
  writeBin(c(as.raw(c(0xef, 0xbb, 0xbf)), charToRaw(paste0(
    "grade;q;caf\u00e9\r\n1;\"a\"\"b\";2\r\n0;\"a;b\";3\r\n"))), file)
  data <- read_ranking(file, grade, q)
  expect_identical(data$query_ids, c("a\"b", "a;b"))
  expect_identical(data$features, "caf\u00e9")
  writeBin(c(charToRaw("grade,q,x\n1,caf"), as.raw(0xe9), charToRaw(",1\n0,b,2\n")), file)
  expect_identical(read_ranking(file, grade, q)$query_ids, c("caf\u00e9", "b"))
})

test_that("features may be named, and only those must be numbers", {
  file <- local_table(c("grade,q,url,day,x,y", "0,1,u,2026-01-02,1,2", "1,1,v,2026-01-03,2,3"))
  expect_identical(read_ranking(file, grade, q, features = c("y", "x"))$features, c("y", "x"))
  expect_identical(read_ranking(file, pmin(grade, 1), floor(q), features = "x")$features, "x")
  expect_error(read_ranking(file, grade, q, features = "z"), class = "rankmix_error_column")
  expect_error(read_ranking(file, grade, q, features = 1), class = "rankmix_error_argument")
  expect_identical(read_ranking(file, grade, q, features = "day", factors = TRUE)$features,
                   c("day=2026-01-02", "day=2026-01-03"))
})

test_that("strings become factors with `factors`", {
  file <- local_table(c("grade,q,colour,x", "0,1,red,1", "1,1,green,2"))
  expect_identical(read_ranking(file, grade, q, factors = TRUE)$features,
                   c("colour=green", "colour=red", "x"))
  expect_snapshot_error(read_ranking(file, grade, q), class = "rankmix_error_parse")
})

test_that("errors name the file and the line", {
  file <- local_table(table_lines)
  refuse <- function(lines, class = "rankmix_error_parse", query = quote(q)) {
    writeLines(lines, file, useBytes = TRUE)
    expect_snapshot_error(eval(bquote(read_ranking(file, grade, .(query)))), class = class)
  }
  head <- "grade,q,x"
  refuse(c(head, "1,1,0.5", "0,1,O.5"))
  refuse(c(head, "1,1,0.5", "0,1"))
  refuse(c(head, "1,1,0.5", "0,1,2,3", "0,1,2"))
  refuse(c("my table", head, "1,1,0.5"))
  refuse(c(head, "1,1", "1,1,0.5"))
  refuse(c("", head, "1,1,0.5"))
  refuse(c("# a comment, with commas", head, "1,1,0.5"))
  refuse(c("\"\",grade,q,x", "1,1,1,0.5"), "rankmix_error_feature")
  refuse(c("grade,q,x,", "1,1,0.5,"), "rankmix_error_feature")
  refuse(c(head, "1,1,0.5", "Inf,1,2"), "rankmix_error_grade")
  refuse(c(head, "1.5,1,0.5", ",1,2"), "rankmix_error_grade")
  refuse(c(head, "1,1,0.5", ",1,2"), "rankmix_error_grade")
  refuse(c(head, "1,1,0.5", "0,,2"), "rankmix_error_query")
  refuse(c(head, "1,1,0.5", "0,1,Inf"), "rankmix_error_feature")
  refuse(head, "rankmix_error_empty")
  refuse(c("grade,q,q", "1,1,0.5"), "rankmix_error_feature")
  refuse(c(head, "1,1,0.5"), "rankmix_error_column", quote(qid))
  error <- tryCatch(read_ranking(file, grade, qid), error = identity)
  writeLines(c(head, "1,1,0.5", "1,,2"), file)
  error <- tryCatch(read_ranking(file, grade, q), error = identity)
  expect_identical(error$line, 3)
  expect_identical(error$file, file)
})

test_that("files that are no tables are refused", {
  file <- local_table(table_lines)
  connection <- gzfile("data.csv.gz")
  writeLines(c(table_lines, rep("1,shop,1,2,3,d", 1e5)), connection)
  close(connection)
  bytes <- readBin("data.csv.gz", raw(), 1e6)
  writeBin(bytes[seq_len(length(bytes) %/% 2)], "data.csv.gz")
  refuse <- function(file, class) {
    expect_snapshot_error(read_ranking(file, grade, site), class = class)
  }
  refuse("data.csv.gz", "rankmix_error_file")
  writeBin(as.raw(c(utf8ToInt("a,b\n1"), 0, 10)), "data.csv")
  refuse("data.csv", "rankmix_error_parse")
  refuse("none.csv", "rankmix_error_file")
  refuse(".", "rankmix_error_file")
  writeLines(table_lines, "data.xls")
  refuse("data.xls", "rankmix_error_file")
})

test_that("Parquet is read, factors and all", {
  skip_if_not_installed("nanoparquet")
  withr::local_dir(withr::local_tempdir())
  frame <- data.frame(grade = c(0, 1, 2), q = c("b", "a", "b"), x = c(1.5, NA, 3),
                      colour = factor(c("red", "green", "red")))
  nanoparquet::write_parquet(frame, "data.parquet")
  expect_identical(read_ranking("data.parquet", grade, q), ranking_data(frame, grade, q))
  frame$grade[2] <- Inf
  nanoparquet::write_parquet(frame, "data.parquet")
  expect_snapshot_error(read_ranking("data.parquet", grade, q),
                        class = "rankmix_error_grade")
  writeLines("no", "data.parquet")
  expect_error(read_ranking("data.parquet", grade, q), class = "rankmix_error_file")
})

test_that("arguments of other packages and names that are no columns give an error with a remedy", {
  skip_if_not_installed("data.table")
  file <- withr::local_tempfile(fileext = ".csv")
  writeLines(c("grade,site,bm25", "1,a,1.5", "0,a,0.5"), file)
  refuse <- function(code, class) {
    expect_snapshot_error(code, class = class)
  }
  refuse(read_ranking(file, label = grade, qid = site), "rankmix_error_argument")
  refuse(read_ranking(file, grade, group_id = site), "rankmix_error_argument")
  refuse(read_ranking(file, grade, rank), "rankmix_error_column")
  refuse(read_ranking(file, grade, "sites"), "rankmix_error_column")
  expect_null(read_ranking(file, query = site, features = "bm25")$relevance)
})

test_that("decimal commas and ids of documents among the features get advice that helps", {
  file <- local_table(c("grade;q;x", "1;1;0,5", "0;1;1.234,5"))
  expect_snapshot_error(read_ranking(file, relevance = grade, query = q),
                        class = "rankmix_error_parse")
  frame <- read.csv2(text = c("grade;q;x", "1;1;0,5", "0;1;1,25"))
  expect_identical(ranking_data(frame, relevance = grade, query = q)$x[, "x"], c(0.5, 1.25))
  strings <- data.frame(x = c("0,5", "1,25"), q = 1)
  expect_snapshot_error(ranking_data(strings, query = q), class = "rankmix_error_feature")
  ids <- data.frame(x = 1:2, docid = c("a", "b"), q = 1)
  expect_snapshot_error(ranking_data(ids, query = q), class = "rankmix_error_feature")
  file <- local_table(c("q,x,docid", "1,2,GX01", "1,2,GX02"))
  expect_snapshot_error(read_ranking(file, query = q), class = "rankmix_error_parse")
})

test_that("LETOR text is not read as a table", {
  skip_if_not_installed("data.table")
  file <- withr::local_tempfile(fileext = ".txt", lines = c("2 qid:1 1:0.5", "0 qid:1 1:0.1"))
  expect_error(read_ranking(file, query = qid), "`read_letor()`", fixed = TRUE, class = "rankmix_error_file")
})

test_that("numbers with a leading zero are text", {
  file <- local_table(c("grade,q,zip,x", "01,1,0123,1", "00,1,123,2", "2,1,1e5,3", "1,1,,4"))
  expect_identical(read_ranking(file, grade, q, factors = TRUE)$features, c("zip=0123", "zip=123", "zip=1e5", "x"))
  expect_identical(read_ranking(file, grade, q, factors = "zip")$relevance, c(1L, 0L, 2L, 1L))
  error <- expect_error(read_ranking(file, grade, q), "leading zero are text", class = "rankmix_error_parse")
  expect_match(conditionMessage(error), "factors = \"zip\"", fixed = TRUE)
  expect_identical(read_ranking(file, grade, q, features = "x")$features, "x")
  writeLines(c("grade,q,x", "1,1,1e5", "0,1,100000", "0,1,-0.5"), file)
  expect_identical(unname(read_ranking(file, grade, q)$x[, 1]), c(1e5, 1e5, -0.5))
})

test_that("named factors are read as they are spelt", {
  file <- local_table(c("grade,q,code,x", "1,1,\"2E3\",1", "0,1,2000,2", "0,1,0.50,3", "1,1,NaN,4", "0,1,true,5"))
  expect_identical(read_ranking(file, grade, q, factors = "code")$features,
                   c("code=0.50", "code=2000", "code=2E3", "code=true", "x"))
  writeLines(c("grade,q,time", "1,1,2026-01-02T10:00:00Z", "0,1,2026-01-03T10:00:00Z"), file)
  for (factors in list(TRUE, "time")) {
    expect_identical(read_ranking(file, grade, q, factors = factors)$features,
                     c("time=2026-01-02T10:00:00Z", "time=2026-01-03T10:00:00Z"))
  }
})

test_that("expressions may use columns of text", {
  file <- local_table(c("grade,site,day,x", "good,a,07,1", "bad,a,7,2", "bad,b,12345678901234567890,3",
                        "bad,b,12345678901234567891,4"))
  data <- read_ranking(file, as.integer(grade == "good"), paste(site, day))
  expect_identical(data$relevance, c(1L, 0L, 0L, 0L))
  expect_identical(data$query_ids, c("a 07", "a 7", "b 12345678901234567890", "b 12345678901234567891"))
  expect_identical(data$features, "x")
})

test_that("empty files have no documents", {
  file <- local_table("")
  file.create(file)
  expect_error(read_ranking(file, grade, q), "contains no documents", class = "rankmix_error_empty")
  expect_error(binned_data(file, grade, q, verbose = FALSE), class = "rankmix_error_empty")
  connection <- gzfile("data.csv.gz", "wb")
  close(connection)
  expect_error(read_ranking("data.csv.gz", grade, q), class = "rankmix_error_empty")
})
