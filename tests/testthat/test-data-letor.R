test_that("LETOR text becomes ranking data", {
  file <- local_letor(c("2 qid:10 1:0.5 3:-2e-1 #docid = GX-1", "",
                        "0 qid:9 2:NULL", "1 qid:10 1:7"))
  data <- suppressMessages(read_letor(file))
  expect_identical(data$x, cbind(f1 = c(0.5, 0, 7), f2 = c(0, NA, 0), f3 = c(-0.2, 0, 0)))
  expect_identical(data$relevance, c(2L, 0L, 1L))
  expect_identical(data$query_ids, c(10L, 9L))
  expect_identical(data$query, c(1L, 2L, 1L))
  expect_identical(data$features, c("f1", "f2", "f3"))
  # R distinguishes NA from NaN.
  expect_false(is.nan(data$x[2, 2]))
  wide <- suppressMessages(read_letor(file, features = 5))
  expect_identical(dim(wide), c(3L, 5L))
  expect_identical(wide$x[, 4:5], cbind(f4 = numeric(3), f5 = 0))
  expect_error(read_letor(file, features = 2), class = "rankmix_error_argument")
})

test_that("compressed text, CR LF, tabs and a missing last end of line are read", {
  lines <- c("1 qid:1 1:1 2:2", "0 qid:2 1:3 2:4")
  plain <- read_letor(local_letor(lines))
  connection <- gzfile("data.txt.gz", "wb")
  writeLines(lines, connection)
  close(connection)
  expect_equal(read_letor("data.txt.gz"), plain)
  writeBin(charToRaw("1\tqid:1 1:1\t2:2\r\n0 qid:2 1:3 2:4"), "crlf.txt")
  expect_equal(read_letor("crlf.txt"), plain)
})

test_that("a byte order mark is skipped and NUL bytes are refused", {
  local_letor("")
  writeBin(c(as.raw(c(0xEF, 0xBB, 0xBF)), charToRaw("1 qid:1 1:2\n")), "bom.txt")
  expect_identical(read_letor("bom.txt")$x[1, "f1"], c(f1 = 2))
  writeBin(c(charToRaw("1 qid:1"), as.raw(0), charToRaw("a 1:2\n")), "nul.txt")
  expect_snapshot_error(read_letor("nul.txt"), class = "rankmix_error_parse")
})

test_that("lines that end in a carriage return alone are refused, because a comment would hide all others", {
  local_letor("")
  writeBin(charToRaw("2 qid:1 1:0.5 #docid = a\r1 qid:1 1:3 #docid = b\r"), "cr.txt")
  expect_snapshot_error(read_letor("cr.txt"), class = "rankmix_error_parse")
  expect_error(read_letor("cr.txt", sparse = TRUE), "carriage return", class = "rankmix_error_parse")
  expect_error(binned_data("cr.txt"), "carriage return", class = "rankmix_error_parse")
})

test_that("files with more or fewer features meet a model by name", {
  narrow <- read_letor(local_letor(c("1 qid:1 1:1 2:5", "0 qid:1 1:2 2:4")))
  wide <- read_letor(local_letor(c("1 qid:2 1:1 3:9", "0 qid:2 1:2 2:4")))
  model <- fit(adaboost_mh(base_stump(), rounds = 2), narrow)
  expect_warning(scores <- predict(model, wide),
                 class = "rankmix_warning_newdata")
  expect_identical(scores, predict(model, wide$x[, 1:2]))
  expect_error(predict(fit(adaboost_mh(base_stump(), rounds = 2), wide), narrow),
               class = "rankmix_error_newdata")
})

test_that("ids that are not plain whole numbers stay strings", {
  ids <- function(...) {
    file <- local_letor(paste0("0 qid:", c(...), " 1:1"))
    read_letor(file)$query_ids
  }
  expect_identical(ids("7", "12"), c(7L, 12L))
  expect_identical(ids("7", "x"), c("7", "x"))
  expect_identical(ids("007", "8"), c("007", "8"))
  expect_identical(ids("12345678901"), "12345678901")
})

test_that("numbers round as R reads them", {
  set.seed(3)
  numbers <- c(formatC(rnorm(500) * 10^sample(-8:8, 500, TRUE), digits = 17),
               format(runif(500), digits = 6))
  numbers <- trimws(numbers)
  data <- read_letor(local_letor(paste0("0 qid:1 1:", numbers)))
  # R's own scanner is inexact by a few bits for long numbers. The shortest text that gives a double back is exact.
  expect_equal(data$x[, 1], as.numeric(numbers), tolerance = 1e-15)
  exact <- as.double(sample.int(2^30, 500)) / 2^sample(0:40, 500, TRUE)
  text <- trimws(formatC(exact, digits = 17, format = "g"))
  data <- read_letor(local_letor(paste0("0 qid:1 1:", text)))
  expect_identical(data$x[, 1], exact)
})

test_that("a line that does not parse is an error with its place and text", {
  refuse <- function(line, class = "rankmix_error_parse") {
    local_letor(c("1 qid:1 1:1", line))
    expect_snapshot_error(read_letor("data.txt"), class = class)
  }
  refuse("x qid:1 1:1")
  refuse("-1 qid:1 1:1")
  refuse("0.5 qid:1 1:1")
  refuse("1 1:1 2:2")
  refuse("1 qid: 1:1")
  refuse("1")
  refuse("1 qid:1 0:1")
  refuse("1 qid:1 2:1 1:1")
  refuse("1 qid:1 2:1 2:1")
  refuse("1 qid:1 1:Inf")
  refuse("1 qid:1 1:abc")
  refuse("1 qid:1 1:1 comment without its mark")
  refuse("1 qid:1 123456789:1")
})

test_that("the condition holds file, line and text", {
  local_letor(c("1 qid:1 1:1", "1 qid:1 0:1"))
  condition <- expect_error(read_letor("data.txt"), class = "rankmix_error_parse")
  expect_identical(condition$line, 2)
  expect_identical(condition$file, "data.txt")
  expect_identical(condition$found, "0:1")
})

test_that("files that are missing, empty or broken are errors", {
  local_letor(character(), "empty.txt")
  expect_snapshot_error(read_letor("empty.txt"), class = "rankmix_error_empty")
  writeLines(c("", "# only a comment"), "comment.txt")
  expect_error(read_letor("comment.txt"), class = "rankmix_error_empty")
  writeLines("1 qid:1", "bare.txt")
  expect_snapshot_error(read_letor("bare.txt"), class = "rankmix_error_feature")
  expect_snapshot_error(read_letor("nowhere.txt"), class = "rankmix_error_file")
  dir.create("folder")
  expect_snapshot_error(read_letor("folder"), class = "rankmix_error_file")
  expect_snapshot_error(read_letor(character()), class = "rankmix_error_argument")
  connection <- gzfile("whole.gz", "wb")
  writeLines(rep("1 qid:1 1:0.123", 5000), connection)
  close(connection)
  bytes <- readBin("whole.gz", "raw", 1e6)
  writeBin(bytes[seq_len(length(bytes) %/% 2)], "cut.gz")
  expect_snapshot_error(read_letor("cut.gz"), class = "rankmix_error_file")
})

test_that("a file of several pieces reads as one", {
  set.seed(1)
  lines <- sprintf("%d qid:%d 1:%f 2:%f", sample(0:2, 40000, TRUE),
                   rep(1:4000, each = 10), runif(40000), runif(40000))
  file <- local_letor(lines)
  expect_gt(file.size(file), 2^20)
  data <- read_letor(file)
  expect_identical(nrow(data$x), 40000L)
  expect_equal(data$x[[40000, 2]], as.numeric(sub(".* 2:", "", lines[40000])))
})

test_that("ids of documents are read from comments", {
  file <- local_letor(c("1 qid:1 1:1 #docid = GX1 inc = 1 prob = 0.5",
                        "0 qid:1 1:1 # mydocid_x docid=  b",
                        "0 qid:2 1:1 # docids = c", "2 qid:2 1:1"))
  expect_identical(read_letor(file)$document, c("GX1", "b", NA, NA))
  expect_null(read_letor(local_letor("1 qid:1 1:1 # no id"))$document)
})

test_that("features are named by their indexes, in the matrix too", {
  lines <- c("2 qid:1 1:0.5 3:2", "0 qid:1 2:3", "1 qid:2 1:7 3:1", "0 qid:2 1:1 3:1")
  data <- read_letor(local_letor(rep(lines, each = 5)))
  expect_identical(colnames(data$x), c("f1", "f2", "f3"))
  model <- fit(adaboost_mh(base_stump(), rounds = 3), data)
  scores <- predict(model, data)
  shuffled <- data$x[, c(3, 1, 2)]
  expect_identical(predict(model, shuffled), scores)
  expect_identical(predict(model, as.data.frame(shuffled)), scores)
  expect_identical(predict(model, unname(data$x)), scores)
  expect_identical(predict(model, read_letor("data.txt", features = 3)), scores)
  expect_error(predict(model, data$x[, 1:2]), class = "rankmix_error_newdata")
  # Models that were saved without feature names match features by position.
  old <- model
  old$named <- FALSE
  old$features <- c("x1", "x2", "x3")
  expect_identical(predict(old, data), scores)
  expect_identical(predict(old, unname(data$x)), scores)
  write_letor(data, "again.txt")
  expect_identical(read_letor("again.txt"), data)
  skip_if_not_installed("Matrix")
  sparse <- read_letor("data.txt", sparse = TRUE)
  expect_identical(colnames(sparse$x), c("f1", "f2", "f3"))
  expect_identical(predict(model, sparse$x[, c(2, 3, 1)]), scores)
})

test_that("missing arguments are named", {
  refuse <- function(code) {
    expect_snapshot_error(code, class = "rankmix_error_argument")
  }
  refuse(ranking_data())
  refuse(ranking_data(matrix(0, 1, 1), 1))
  refuse(read_letor())
  refuse(read_ranking())
  refuse(read_folds())
  refuse(read_run())
  refuse(read_qrels())
  refuse(read_scores())
  refuse(query_groups())
  refuse(write_letor())
})

test_that("the error for a large index names the limit, however many digits the index has", {
  for (index in c("2147483647", "4177197833204390623", strrep("9", 40))) {
    file <- local_letor(paste0("1 qid:1 1:1 ", index, ":1"), "hashed.txt")
    error <- tryCatch(read_letor(file, sparse = TRUE), error = identity)
    expect_s3_class(error, "rankmix_error_parse")
    expect_match(conditionMessage(error), "larger than 1000000")
  }
  expect_snapshot_error(read_letor("hashed.txt", sparse = TRUE))
})

test_that("any finite relevance is read with `graded = FALSE`", {
  lines <- c("-0.25 qid:1 1:1 2:5", "1e-3 qid:1 1:2 2:4", "300 qid:1 1:2 2:4.5")
  file <- local_letor(lines)
  expect_snapshot_error(read_letor(file), class = "rankmix_error_parse")
  data <- read_letor(file, graded = FALSE)
  expect_identical(data$relevance, c(-0.25, 1e-3, 300))
  expect_identical(data$x, cbind(f1 = c(1, 2, 2), f2 = c(5, 4, 4.5)))
  expect_identical(read_letor(file, sparse = TRUE, graded = FALSE)$relevance, data$relevance)
  write_letor(data, "again.txt")
  expect_identical(read_letor("again.txt", graded = FALSE), data)
  # Grades are still read as grades.
  grades <- local_letor(c("1 qid:1 1:1 2:2", "0 qid:1 1:3 2:4"))
  expect_identical(read_letor(grades, graded = FALSE), read_letor(grades))
  writeLines("inf qid:1 1:1", "endless.txt")
  expect_snapshot_error(read_letor("endless.txt", graded = FALSE), class = "rankmix_error_parse")
})

test_that("sources of LETOR text accept any relevance, too", {
  local_known_warnings("ties")
  set.seed(1)
  relevance <- round(rexp(40), 3)
  file <- local_letor(sprintf("%s qid:%d 1:%s 2:%d", relevance, rep(1:4, each = 10), rnorm(40), 1:40))
  data <- read_letor(file, graded = FALSE)
  source <- data_source(file, graded = FALSE, chunk = 7)
  bins <- binned_data(source, verbose = FALSE)
  expect_identical(bins$relevance, data$relevance)
  expect_identical(binned_data(file, graded = FALSE, verbose = FALSE)$digest, bins$digest)
  model <- fit(gbrt(trees = 5, min_data_in_leaf = 2), bins, seed = 1, verbose = FALSE)
  expect_identical(predict(model, source), predict(model, data))
  expect_identical(evaluate(model, source, "ndcg@5")$value, evaluate(model, data, "ndcg@5")$value)
  write_letor(source, "copy.txt")
  expect_identical(read_letor("copy.txt", graded = FALSE)$relevance, data$relevance)
  expect_error(binned_data(file, verbose = FALSE), class = "rankmix_error_parse")
  frame <- data.frame(g = 1:2, q = 1, x = 1:2)
  expect_snapshot_error(data_source(frame, g, q, graded = FALSE), class = "rankmix_error_argument")
  expect_error(binned_data(source, graded = FALSE), class = "rankmix_error_argument")
})
