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
