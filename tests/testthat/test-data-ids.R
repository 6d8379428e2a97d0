moments <- 1704448800.123456 + (0:3) * 1e-6

test_that("numbers have different texts exactly where they differ", {
  set.seed(1)
  x <- c(0, -1.5, 1e5, 123456789, 2^53, 1e22, 1e300, 0.1, 1 / 3, 1e-7, 5e-324, moments,
         rnorm(200) * 10^sample(-30:30, 200, replace = TRUE))
  text <- id_text(x)
  expect_identical(as.numeric(text), x)
  expect_false(any(grepl("e", text)))
  expect_identical(id_text(c(1e5, 0.5, 100000000)), c("100000", "0.5", "100000000"))
  # The text of a number does not depend on the numbers beside it.
  expect_identical(text, vapply(x, id_text, ""))
  expect_identical(id_text(-0), "0")
  expect_identical(id_text(3L), "3")
  expect_identical(id_text(c("007", "7")), c("007", "7"))
  expect_identical(id_text(factor(c("b", "a"))), c("b", "a"))
  expect_identical(id_text(c(Inf, NA, NaN)), c("Inf", "NA", "NaN"))
})

test_that("different dates and times have different texts", {
  expect_identical(id_text(as.Date(c("2024-01-31", "1969-12-31"))),
                   c("2024-01-31", "1969-12-31"))
  times <- as.POSIXct(c(0.25, -0.25, 1704448800, 1704448800.123456), origin = "1970-01-01",
                      tz = "Asia/Tokyo")
  expect_identical(id_text(times),
                   c("1970-01-01T00:00:00.25Z", "1969-12-31T23:59:59.75Z",
                     "2024-01-05T10:00:00Z", "2024-01-05T10:00:00.123456Z"))
  expect_identical(id_text(as.POSIXlt(times)), id_text(times))
})

# bit64 stores whole numbers of 64 bits in the bits of doubles.
integer64 <- function(hex) {
  bytes <- lapply(hex, function(h) {
    strtoi(substring(h, seq(1, 15, 2), seq(2, 16, 2)), 16L)
  })
  structure(readBin(as.raw(unlist(lapply(bytes, rev))), "double", length(hex), size = 8,
                    endian = "little"), class = "integer64")
}

test_that("whole numbers of 64 bits are read as such", {
  ids <- integer64(c("0000000000000001", "7fffffffffffffff", "7ffffffffffffffe",
                     "ffffffffffffffff"))
  text <- c("1", "9223372036854775807", "9223372036854775806", "-1")
  expect_identical(id_text(ids), text)
  data <- ranking_data(cbind(1:4), query = ids, document = ids)
  expect_identical(data$query_ids, text)
  expect_identical(data$document, text)
  expect_error(ranking_data(cbind(1), query = integer64("8000000000000000")),
               class = "rankmix_error_query")
  # As relevance, these values are refused.
  expect_error(ranking_data(cbind(1:4), relevance = ids, query = 1:4),
               class = "rankmix_error_grade")
})

test_that("ids that differ a little stay apart in data, files, splits and joins", {
  local_known_warnings("constant")
  query <- rep(moments, each = 2)
  data <- ranking_data(cbind(a = 1:8), relevance = rep(0:1, 4), query = query,
                       document = letters[1:8])
  expect_length(data$query_ids, 4L)
  parts <- split_parts(split_queries(data, 0.5, seed = 1), data)
  expect_identical(nrow(parts$train$x) + nrow(parts$test$x), 8L)
  folds <- query_folds(data, 4, seed = 1)
  expect_setequal(unlist(lapply(folds$folds, `[[`, "test")), id_text(moments))
  expect_identical(data[id_text(moments[3])]$document, c("e", "f"))
  file <- tempfile()
  write_run(8:1, file, data = data)
  expect_identical(unique(read_run(file)$query), id_text(moments))
  write_letor(data, file)
  expect_identical(read_letor(file)$query_ids, id_text(moments))
  qrels <- as_qrels(data.frame(query = query, document = letters[1:8],
                               relevance = rep(0:1, 4)))
  expect_identical(unique(qrels$query), id_text(moments))
  scored <- as_run(data.frame(query = query, document = letters[1:8], score = 8:1))
  expect_equal(evaluate(scored, qrels, "rr")$value, evaluate(8:1, data, "rr")$value)
  # Ids of several columns have the same texts. Bounds keep the ids that they receive.
  site <- ranking_data(data.frame(a = 1:8, site = "s", time = query), query = c(site, time))
  expect_identical(site$query_ids, paste0("s:", id_text(moments)))
  expect_identical(bound_err(rep(0:1, 4), 1:8, query)$query, moments)
  expect_warning(fit(gbrt(trees = 2), data, validation = data[2:3]),
                 class = "rankmix_warning_overlap")
})

test_that("dates and times are ids", {
  frame <- data.frame(a = 1:4, day = as.Date("2024-01-30") + c(0, 0, 1, 1))
  data <- ranking_data(frame, query = day)
  expect_identical(data$query_ids, c("2024-01-30", "2024-01-31"))
  expect_identical(data$features, "a")
  frame$day <- as.POSIXct(rep(moments[1:2], each = 2), origin = "1970-01-01")
  expect_length(unique(id_text(moments)), 4L)
  expect_length(ranking_data(frame, query = day)$query_ids, 2L)
})

test_that("ids that cannot be distinguished, and values that are no ids, are errors", {
  days <- structure(c(19752, 19752.25), class = "Date")
  expect_snapshot_error(ranking_data(cbind(1:2), query = days), class = "rankmix_error_query")
  expect_snapshot_error(ranking_data(cbind(1:2), query = list(1, 2, 3)[[1]] == 1:2),
                        class = "rankmix_error_query")
  bytes <- "a\xff"
  Encoding(bytes) <- "bytes"
  expect_snapshot_error(ranking_data(cbind(1:2), query = c("b", bytes)),
                        class = "rankmix_error_query")
})

test_that("doubles that may have lost digits are reported", {
  expect_snapshot(data <- ranking_data(cbind(1:2), query = c(1, 2^53)))
  expect_warning(as_qrels(data.frame(query = 1, document = c(9007199254740993, 5),
                                     relevance = 0)), class = "rankmix_warning_id")
  expect_silent(ranking_data(cbind(1:2), query = c(1, 2^53 - 1)))
})

test_that("a vector with one value per row is never read as names of columns", {
  frame <- data.frame(grade = c(0, 1, 1, 0), price = 1:4, size = 4:1)
  text <- c("price", "price", "size", "size")
  data <- ranking_data(frame, relevance = grade, query = text)
  expect_identical(data$query_ids, c("price", "size"))
  expect_identical(data$features, c("price", "size"))
  mixed <- c("price", "price", "mulch", "mulch")
  expect_identical(ranking_data(frame, relevance = grade, query = mixed)$query_ids,
                   c("price", "mulch"))
  expect_identical(ranking_data(frame, query = c("price", "price", "size", "size"))$query_ids,
                   c("price", "size"))
  # The number of names equals the number of rows, which must not matter.
  short <- data.frame(a = 1:2, site = "s", day = 1:2)
  expect_identical(ranking_data(short, query = c("site", "day"))$query_ids, c("s:1", "s:2"))
  file <- tempfile(fileext = ".csv")
  write.csv(frame, file, row.names = FALSE)
  skip_if_not_installed("data.table")
  expect_identical(read_ranking(file, relevance = grade, query = text)$query_ids,
                   c("price", "size"))
})

test_that("ids that are no ASCII are the same in the locale C", {
  bytes <- rawToChar(as.raw(c(0x63, 0x61, 0x66, 0xc3, 0xa9)))
  file <- withr::local_tempfile(lines = "1 qid:a 1:1", fileext = ".csv")
  withr::local_locale(c(LC_CTYPE = "C"))
  data <- ranking_data(cbind(1:2), relevance = 0:1, query = c(bytes, "z"), document = c(bytes, "e"))
  expect_identical(data$query_ids, c("caf\u00e9", "z"))
  write_letor(data, file)
  expect_identical(read_letor(file)$query_ids, c("caf\u00e9", "z"))
  write_run(2:1, file, data = data)
  expect_identical(read_run(file)$document, c("caf\u00e9", "e"))
  expect_identical(data["caf\u00e9"]$document, "caf\u00e9")
  skip_if_not_installed("data.table")
  writeBin(c(charToRaw("q,x\n"), charToRaw(bytes), charToRaw(",1\nz,2\n")), file)
  expect_identical(suppressWarnings(read_ranking(file, query = q))$query_ids, c("caf\u00e9", "z"))
})
