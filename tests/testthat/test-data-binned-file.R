test_that("binned data are read as they were written", {
  frame <- as.data.frame(simulate_ranking(15, features = 5, seed = 1)$data)
  frame[3, 4] <- NA
  frame$query <- paste0("frage \u00e4", frame$query)
  frame$document <- paste0("d", seq_len(nrow(frame)))
  frame$weight <- 1.5
  binned <- binned_data(frame, relevance = relevance, query = query, document = document, weight = weight,
                        verbose = FALSE)
  file <- withr::local_tempfile(fileext = ".bins")
  expect_identical(write_binned_data(binned, file), file)
  found <- read_binned_data(file)
  same <- setdiff(names(binned), "x")
  expect_identical(unclass(found)[same], unclass(binned)[same])
  expect_identical(found$x$content, binned$x$content)
  expect_identical(found$x$background, binned$x$background)
  model <- fit(lambdamart(trees = 5), binned, seed = 1, verbose = FALSE)
  expect_identical(fit(lambdamart(trees = 5), found, seed = 1, verbose = FALSE), model)
  expect_identical(predict(model, found), predict(model, binned))

  direct <- withr::local_tempfile(fileext = ".bins")
  binned_data(frame, relevance = relevance, query = query, document = document, weight = weight, file = direct,
              verbose = FALSE)
  expect_identical(unname(tools::md5sum(direct)), unname(tools::md5sum(file)))
})

test_that("factors of ranking data keep their levels in the file", {
  frame <- data.frame(colour = factor(c("red", "blue", "red", "green")), size = ordered(c("s", "m", "l", "m")),
                      bm25 = 1:4, grade = c(0, 1, 0, 2), id = c(1, 1, 2, 2))
  data <- ranking_data(frame, relevance = grade, query = id)
  file <- withr::local_tempfile(fileext = ".bins")
  found <- binned_data(data, file = file, verbose = FALSE)
  expect_identical(found$encoding, data$encoding)
  expect_identical(found$columns, data$columns)
})

test_that("damaged files are refused", {
  data <- simulate_ranking(10, features = 5, seed = 1)$data
  file <- withr::local_tempfile(fileext = ".bins")
  binned_data(data, file = file, verbose = FALSE)
  bytes <- readBin(file, "raw", file.size(file))
  refused <- function(bytes) {
    broken <- withr::local_tempfile()
    writeBin(bytes, broken)
    expect_error(read_binned_data(broken), class = "rankmix_error_file")
  }
  refused(raw())
  refused(charToRaw("no file of bins"))
  refused(bytes[seq_len(length(bytes) - 1L)])
  refused(replace(bytes, 17L, as.raw(99)))
  refused(replace(bytes, length(bytes) - 5L, xor(bytes[length(bytes) - 5L], as.raw(1))))
  # A bin that its feature does not have.
  refused(replace(bytes, 4097L, as.raw(255)))
  expect_error(read_binned_data(tempfile()), class = "rankmix_error_file")
  expect_error(write_binned_data(data, file), class = "rankmix_error_argument")
})

# Writes data with other sections than their own and reads the file.
read_changed <- function(data, change) {
  file <- withr::local_tempfile(fileext = ".bins")
  sections <- c(file_sections(data, data$x$max_bin, data$x$background), list(content = data$x$content))
  bins_write(data$x$bins, file, change(sections))
  read_binned_data(file, threads = 1)
}

full_data <- function() {
  set.seed(1)
  frame <- data.frame(a = rnorm(24), b = rnorm(24), colour = factor(rep(c("red", "blue"), 12)),
                      day = as.Date("2024-01-01") + 1:24, grade = rep(0:2, 8), revenue = (1:24) / 2,
                      clicks = rep(c(0, 0, 1), each = 8), query = rep(c("p", "q", "r"), each = 8), id = paste0("d", 1:24), rank = rep(1:8, 3), sure = 0.5,
                      weight = rep(1:3, each = 8))
  binned_data(ranking_data(frame, relevance = grade, query = query, document = id, weight = weight, position = rank,
                           document_weight = sure, labels = c("revenue", "clicks")), verbose = FALSE)
}

test_that("files whose sections have wrong values are refused", {
  data <- full_data()
  found <- read_changed(data, identity)
  same <- setdiff(names(data), "x")
  expect_identical(unclass(found)[same], unclass(data)[same])
  set <- function(...) function(sections) utils::modifyList(sections, list(...))
  rows <- nrow(data)
  features <- ncol(data)
  wrong <- list(
    set(names = c(data$features, "other")), set(names = data$features[-1L]), set(names = rep("a", features)),
    set(names = replace(data$features, 1L, NA)), set(names = as.double(seq_len(features))),
    # Longer than the bins, but consistent with each other.
    set(names = paste0("f", 1:5002), constant = integer(5002), missing = double(5002), background = double(5002)),
    set(constant = integer(1)), set(constant = rep(2L, features)), set(missing = rep(-1, features)),
    set(missing = rep(1e9, features)), set(missing = rep(NaN, features)), set(missing = double()),
    set(max_bin = 300L), set(max_bin = 2L), set(max_bin = NA_integer_), set(max_bin = c(255L, 255L)),
    set(max_bin = 255), set(named = 2L), set(named = integer()), set(column_roles = "a"),
    set(columns = NA_character_, column_roles = ""), set(background = double(features + 1L)),
    set(background = rep(Inf, features)), set(background = "a"),
    set(relevance = rep(-5L, rows)), set(relevance = rep(200L, rows)), set(relevance = rep(1000000000L, rows)),
    set(relevance = rep(NA_integer_, rows)), set(relevance = rep(Inf, rows)), set(relevance = rep(NaN, rows)),
    set(relevance = rep("1", rows)), set(relevance = 1L), set(relevance = NULL),
    set(query = replace(data$query, 1L, 0L)), set(query = replace(data$query, 1L, 4L)),
    set(query = replace(data$query, 1L, NA)), set(query = data$query[-1L]), set(query = as.double(data$query)),
    set(query = rep(c(1L, 3L), 12)), set(query_ids = letters), set(query_ids = c("p", "p", "q")),
    set(query_ids = c("p", NA, "q")), set(query_ids = c(1, NaN, 2)), set(query_ids = character()),
    set(document = "d"), set(document = replace(data$document, 1L, NA)), set(document = as.double(1:24)),
    set(position = rep(1e300, rows)), set(position = rep(-5, rows)), set(position = rep(2000000000L, rows)),
    set(position = rep(1.5, rows)), set(position = rep(NA_integer_, rows)), set(position = 1L),
    set(weight = 1), set(weight = rep(1, 100)), set(weight = c(1, -1, 1)), set(weight = c(1, Inf, 1)),
    set(weight = c(1, NaN, 1)), set(weight = c("1", "1", "1")),
    set(document_weight = rep(Inf, rows)), set(document_weight = rep(-1, rows)),
    set(document_weight = rep(NaN, rows)), set(document_weight = 1),
    set(content = 1), set(content = rep("a", rows)), set(content = seq_len(rows)),
    set(labels = rep(NaN, 2L * rows)), set(labels = rep(1e300, 2L * rows)), set(labels = 1),
    set(label_names = c("a", "a")), set(label_names = "a"), set(label_names = NULL), set(label_graded = 0L),
    set(label_graded = c(0L, NA)), set(factor_columns = "a"), set(factor_ordered = c(0L, 2L)),
    set(factor_sizes = c(5L, 0L)), set(factor_sizes = c(3L, -1L)), set(factor_sizes = c(NA, 2L)),
    set(factor_levels = "red"), set(factor_classes = c("", "data.frame")), set(factor_classes = "")
  )
  for (k in seq_along(wrong)) {
    expect_error(read_changed(data, wrong[[!!k]]), class = "rankmix_error_file")
  }
  # Two sections of one name
  expect_error(read_changed(data, function(sections) c(sections, sections["query"])), class = "rankmix_error_file")
})

test_that("the error for a wrong section names the cause", {
  data <- full_data()
  error <- expect_error(read_changed(data, function(s) replace(s, "position", list(rep(-5L, 24)))),
                        class = "rankmix_error_file")
  expect_s3_class(error$parent, "rankmix_error_position")
  expect_identical(as.character(error$call[[1L]]), "read_binned_data")
})

test_that("weights of documents are not taken for ids of documents", {
  data <- full_data()
  data$document <- NULL
  data["document"] <- list(NULL)
  expect_null(read_changed(data, identity)$document)
})

test_that("relevance keeps its type in the file", {
  data <- full_data()
  part <- use_label(data, "revenue")
  part <- part[part$query_ids == "p"]
  part$relevance <- rep(c(0, 1), 4)
  found <- read_changed(part, identity)
  expect_identical(found$relevance, part$relevance)
  expect_identical(found$labels, part$labels)
})

test_that("many sections are read in linear time", {
  data <- full_data()
  empty <- stats::setNames(rep(list(integer()), 16000), paste0("s", 1:16000))
  time <- system.time(found <- read_changed(data, function(sections) c(sections, empty)))[["user.self"]]
  expect_identical(found$query, data$query)
  expect_lt(time, 3)
})

test_that("only the file that data were read from can be opened again", {
  file <- withr::local_tempfile(fileext = ".bins")
  data <- simulate_ranking(10, features = 5, seed = 1)$data
  saved <- withr::local_tempfile(fileext = ".rds")
  saveRDS(binned_data(data, file = file, verbose = FALSE), saved)
  found <- readRDS(saved)
  expect_identical(opened_bins(found$x)$content, found$x$content)
  binned_data(data[1:5], file = file, verbose = FALSE)
  expect_error(fit(gbrt(trees = 2), found, verbose = FALSE), class = "rankmix_error_bins")
})

test_that("parts of bins have only rows and features of the bins", {
  x <- full_data()$x
  expect_error(bins_take(x$bins, 25L, 1L, 1L), "row")
  expect_error(bins_take(x$bins, c(1L, 0L), 1L, 1L), "row")
  expect_error(bins_take(x$bins, NA_integer_, 1L, 1L), "row")
  for (feature in list(0L, ncol(x) + 1L, NA_integer_)) {
    expect_error(bins_take(x$bins, 1L, feature, 1L), "feature")
    expect_error(bins_levels(x$bins, feature, TRUE, 1L), "feature")
    expect_error(bins_with_levels(x$bins, feature, integer(), list(), integer(), 1L), "feature")
  }
  expect_error(bins_with_levels(x$bins, 1L, 2L, list(rep(1L, 24)), 1L, 1L), "levels")
  expect_error(bins_with_levels(x$bins, 1L, 1L, list(1L), 1L, 1L), "levels")
  expect_error(bins_levels(x$bins, 1:2, TRUE, 1L), "column")
})

test_that("missing values are counted by several threads", {
  frame <- as.data.frame(replicate(20, replace(rnorm(300), sample(300, 30), NA)))
  frame$query <- rep(1:3, 100)
  data <- binned_data(frame, query = query, verbose = FALSE)
  expect_identical(bins_missing(data$x$bins, 2L), rep(30, 20))
})

test_that("a file of a rank may have only weights of 0, which are no data to train on", {
  for (change in list(c(weight = 3L), c(document_weight = 24L))) {
    found <- read_changed(full_data(), function(sections) {
      sections[[names(change)]] <- double(change)
      sections
    })
    expect_identical(found[[names(change)]], double(change))
    expect_error(fit(gbrt(trees = 2), found, verbose = FALSE), class = "rankmix_error_weight")
  }
})
