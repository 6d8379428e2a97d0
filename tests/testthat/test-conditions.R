test_that("values are shown as a message needs them", {
  expect_identical(rankmix:::show_value(NULL), "NULL")
  expect_identical(rankmix:::show_value(1e5), "100000")
  expect_identical(rankmix:::show_value("a"), "\"a\"")
  expect_identical(rankmix:::show_value(1:3), "an integer vector of length 3")
  expect_identical(rankmix:::show_value(c(1, 2)), "a double vector of length 2")
  expect_identical(rankmix:::show_value(matrix(1, 2, 3)), "a 2 x 3 matrix")
  expect_identical(rankmix:::show_value(gbrt()), "an object of class rankmix_gbrt")
  expect_identical(rankmix:::show_value(factor("a")), "a factor")
  expect_identical(rankmix:::enumerate(c("a", "b", "c"), 2), "`a`, `b` and 1 more")
  expect_identical(rankmix:::enumerate("a"), "`a`")
})

test_that("conditions have classes, details and the error that caused them", {
  error <- tryCatch(rankmix:::stop_input("argument", "It is wrong.", "x is 3.", "Make it 4.",
                                         parent = simpleError("inner")), error = identity)
  expect_s3_class(error, c("rankmix_error_argument", "rankmix_error"), exact = FALSE)
  expect_match(conditionMessage(error), "It is wrong.\nx x is 3.\ni Make it 4.", fixed = TRUE)
  expect_identical(conditionMessage(error$parent), "inner")
  expect_warning(rankmix:::warn_input("scale", "Look out."), class = "rankmix_warning_scale")
})

test_that("messages about bytes that are no text can be printed in every locale", {
  bytes <- "x\xff"
  Encoding(bytes) <- "bytes"
  expect_identical(printable(c("a", "caf\u00e9", "caf\xe9", bytes)),
                   c("a", "caf\u00e9", "caf<e9>", "x<ff>"))
  expect_identical(printable(paste0("\u00e9", "\xff", "\u20ac")), "\u00e9<ff>\u20ac")
  expect_true(all(validUTF8(printable(c("a\xf5\x80\x80\x80", "\xe2\x82")))))
  file <- withr::local_tempfile()
  writeBin(c(charToRaw("1 qid:1 1:0.5\n0 qid:1 1:caf"), as.raw(c(0xf5, 0x80, 0x80, 0x80)),
             charToRaw("\n")), file)
  for (locale in c("C", "C.UTF-8", "en_US.UTF-8")) {
    withr::with_locale(c(LC_CTYPE = "C"), {
      suppressWarnings(Sys.setlocale("LC_CTYPE", locale))
      error <- tryCatch(read_letor(file), error = identity)
      expect_s3_class(error, "rankmix_error_parse")
      expect_identical(error$found, "1:caf<f5><80><80><80>")
      expect_match(paste(format(error), collapse = " "), "1:caf<f5><80><80><80>", fixed = TRUE)
      expect_output(print(error), "1:caf<f5><80><80><80>", fixed = TRUE)
    })
  }
  # A long text is not cut within a character.
  long <- paste0("1:", strrep("\u20ac", 30))
  writeLines(paste("1 qid:1", long), file, useBytes = TRUE)
  error <- tryCatch(read_letor(file), error = identity)
  expect_identical(error$found, paste0("1:", strrep("\u20ac", 12), "..."))
})

test_that("errors of values without arguments or names are reported", {
  expect_identical(rankmix:::printable(character()), character())
  expect_identical(rankmix:::enumerate(character()), "``")
})

test_that("errors of internal functions name the function that the user called", {
  data <- ranking_data(cbind(a = c(1, 3, 2, 5)), c(-1, 2, 0.5, 1), c(1, 1, 2, 2))
  called <- function(code) as.character(tryCatch(code, rankmix_error = identity)$call[[1L]])
  expect_identical(called(fit(gbrt(2), data, validation = data, verbose = FALSE)), "fit")
  expect_identical(called(lapply(list(data), function(data) fit(gbrt(2), data, validation = data, verbose = FALSE))),
                   "fit")
  expect_identical(called(compare_rankers(a = 1:4, b = 4:1, data = data)), "compare_rankers")
  expect_identical(called(permutation_importance(best_feature("a"), data)), "permutation_importance")
  # A function of the user that the package calls counts as the user's code, too.
  own <- function(data) predict(fit(gbrt(2), data, validation = data, verbose = FALSE), data)
  metric <- metric_ndcg(gain = function(x) pmax(x, 0))
  error <- tryCatch(compare_rankers(a = own, b = 4:1, data = data, metric = metric), rankmix_error = identity)
  expect_identical(as.character(error$parent$call[[1L]]), "fit")
})

test_that("repeated work warns once", {
  count <- 0
  withCallingHandlers(
    warning_once(for (i in c(1, 1, 2)) warn_input("test", sprintf("Problem %d.", i))),
    rankmix_warning_test = function(w) {
      count <<- count + 1
      rlang::cnd_muffle(w)
    }
  )
  expect_identical(count, 2)
})
