# Data with all kinds of numbers, missing values, and queries whose rows are not adjacent.
written_case <- function() {
  set.seed(1)
  n <- 300
  x <- cbind(rnorm(n), sample(0:9, n, TRUE), 10^runif(n, -300, 300), rep(0, n),
             c(1 / 3, -0, 5e-324, .Machine$double.xmax, -1e15, 1e22, rnorm(n - 6)))
  x[sample(length(x), 60)] <- NA
  ranking_data(x, sample(0:4, n, TRUE), sample(c("q 1", "b", "zz"), n, TRUE) |>
                 gsub(pattern = " ", replacement = "_"))
}

# Compares bits, because identical() does not distinguish 0 from -0.
expect_same_bits <- function(a, b) {
  expect_identical(writeBin(as.vector(a), raw()), writeBin(as.vector(b), raw()))
}

test_that("written data are read back, bit for bit", {
  data <- written_case()
  for (name in c("data.txt", "data.txt.gz")) {
    file <- file.path(withr::local_tempdir(), name)
    expect_identical(write_letor(data, file), file)
    back <- suppressMessages(read_letor(file))
    expect_same_bits(back$x, data$x)
    expect_identical(back$relevance, data$relevance)
    expect_identical(back$query, data$query)
    expect_identical(back$query_ids, data$query_ids)
    expect_null(back$document)
    expect_identical(list.files(dirname(file)), name)
  }
})

test_that("document ids are written if there are any", {
  file <- withr::local_tempfile()
  data <- ranking_data(matrix(1:2, 2), 0:1, c(7, 7), document = c("a", "\u00e9"))
  write_letor(data, file)
  expect_identical(readLines(file, encoding = "UTF-8"),
                   c("0 qid:7 1:1 #docid = a", "1 qid:7 1:2 #docid = \u00e9"))
  expect_identical(read_letor(file)$document, data$document)
})

test_that("threads change nothing", {
  data <- written_case()
  one <- withr::local_tempfile()
  two <- withr::local_tempfile()
  write_letor(data, one, threads = 1)
  write_letor(data, two, threads = 4)
  expect_identical(readLines(one), readLines(two))
  read <- function(threads) suppressMessages(read_letor(one, threads = threads))
  expect_identical(read(1), read(4))
})

test_that("several files are written as one text", {
  folder <- withr::local_tempdir()
  withr::local_dir(folder)
  writeLines(c("1 qid:a 1:1 # c", "0 qid:b 1:2"), "one.txt")
  writeLines(c("2 qid:b 3:1", "0 qid:a 1:5"), "two.txt")
  expect_message(data <- read_letor(c("one.txt", "two.txt")), "scattered lines: 1",
                 class = "rankmix_message_scattered")
  expect_identical(data$query_ids, c("a", "b"))
  expect_identical(data$query, c(1L, 2L, 2L, 1L))
  expect_identical(data$x, cbind(f1 = c(1, 2, 0, 5), f2 = 0, f3 = c(0, 0, 1, 0)))
  writeLines(c("2 qid:b 3:1", "x"), "two.txt")
  expect_snapshot_error(read_letor(c("one.txt", "two.txt")),
                        class = "rankmix_error_parse")
  expect_error(read_letor(c("one.txt", "none.txt")), class = "rankmix_error_file")
})

test_that("ids that cannot be written are refused, and nothing is lost", {
  withr::local_dir(withr::local_tempdir())
  writeLines("before", "there.txt")
  blank <- ranking_data(matrix(0, 1), 1, "a b")
  expect_snapshot_error(write_letor(blank, "there.txt"),
                        class = "rankmix_error_argument")
  comment <- ranking_data(matrix(0, 1), 1, "a#b")
  expect_snapshot_error(write_letor(comment, "there.txt"),
                        class = "rankmix_error_argument")
  expect_snapshot_error(write_letor(1, "there.txt"), class = "rankmix_error_argument")
  good <- ranking_data(matrix(0, 1), 1, "a")
  expect_error(write_letor(good, file.path("no", "folder")),
               class = "rankmix_error_file")
  expect_identical(readLines("there.txt"), "before")
  expect_identical(list.files(), "there.txt")
})

test_that("files that are no text are refused", {
  withr::local_dir(withr::local_tempdir())
  set.seed(1)
  writeBin(as.raw(sample(0:255, 5000, TRUE)), "binary")
  expect_error(read_letor("binary"), class = "rankmix_error_parse")
  writeBin(c(charToRaw("1 qid:"), as.raw(0), charToRaw(" 1:1\n")), "nul")
  expect_error(read_letor("nul"), class = "rankmix_error_parse")
  expect_error(read_letor("."), class = "rankmix_error_file")
  writeLines("1 qid:1 2147483649:1", "index")
  expect_error(read_letor("index"), class = "rankmix_error_parse")
  writeLines("1 qid:1 1:1 1:2", "twice")
  expect_error(read_letor("twice"), class = "rankmix_error_parse")
})

test_that("a line of two gigabytes is refused before it fills the memory", {
  skip_on_cran()
  folder <- withr::local_tempdir()
  withr::local_dir(folder)
  part <- gzfile("part.gz", "wb")
  writeBin(rep(charToRaw("1"), 2^26), part)
  close(part)
  # A sequence of compressed texts is read as one text: 2.1 GB without an end of line.
  bytes <- readBin("part.gz", raw(), file.size("part.gz"))
  writeBin(rep(bytes, 33), "long.txt.gz")
  expect_snapshot_error(read_letor("long.txt.gz"), class = "rankmix_error_file")
})
