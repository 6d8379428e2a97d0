test_that("an interrupted write does not change the file, and leaves no other file", {
  folder <- withr::local_tempdir()
  file <- file.path(folder, "there.txt")
  rankmix:::write_text("before", file)
  broken <- list(function(path) stop("broken off"),
                 function(path) {
                   writeLines("half", path)
                   "not all bytes were written"
                 },
                 function(path) {
                   writeLines("half", path)
                   rankmix:::writing(warning("disk full"))
                 })
  for (write in broken) {
    expect_error(rankmix:::write_beside(file, write), class = "rankmix_error_file")
    expect_identical(readLines(file), "before")
    expect_identical(list.files(folder, all.files = TRUE, no.. = TRUE), "there.txt")
  }
  expect_error(tryCatch(rankmix:::write_beside(file, function(path) {
    writeLines("half", path)
    rlang::interrupt()
  }), interrupt = function(e) stop("stopped")), "stopped")
  expect_identical(list.files(folder, all.files = TRUE, no.. = TRUE), "there.txt")
  # An error in the lines is not reported as an error of the file.
  expect_error(rankmix:::write_text(stop("no lines"), file), "^no lines$")
  rankmix:::write_text(c("after", "\u00e9"), file)
  expect_identical(readLines(file, encoding = "UTF-8"), c("after", "\u00e9"))
})

test_that("bytes are written whole, or the write is an error", {
  file <- withr::local_tempfile()
  bytes <- as.raw(c(0:255, 10, 13, 0))
  expect_null(rankmix:::write_bytes(bytes, file))
  expect_identical(readBin(file, "raw", 1000), bytes)
  skip_if_not(file.exists("/dev/full"), "no full disk here")
  open_before <- nrow(showConnections())
  expect_identical(suppressWarnings(rankmix:::write_bytes(raw(1e5), "/dev/full")),
                   "not all bytes were written")
  expect_identical(nrow(showConnections()), open_before)
})

test_that("a temporary file is written whole, or is an error", {
  skip_if_not(file.exists("/dev/full"), "no full disk here")
  for (lines in list("a", rep("a", 1e5))) {
    expect_error(rankmix:::write_part(lines, "/dev/full", NULL), "temporary file", class = "rankmix_error_file")
  }
  file <- withr::local_tempfile()
  rankmix:::write_part(c("a", "\u00e4\r", ""), file, NULL)
  expect_identical(readBin(file, "raw", 10), charToRaw("a\n\u00e4\r\n\n"))
})

test_that("text that is not UTF-8 is latin1, and numbers keep all their bits", {
  latin <- "caf\xe9"
  expect_identical(rankmix:::as_utf8(c("caf\u00e9", latin)), c("caf\u00e9", "caf\u00e9"))
  expect_identical(rankmix:::as_utf8(1:2), 1:2)
  numbers <- c(0.1, 1 / 3, pi * 10^(-300:300), 5e-324, .Machine$double.xmax, -0)
  expect_identical(as.numeric(rankmix:::exact_text(numbers)), numbers)
})

test_that("a file without permission is refused", {
  skip_on_os("windows")
  folder <- withr::local_tempdir(tmpdir = "/tmp")  # other users can read it, unlike R's own folder
  Sys.chmod(folder, "755")
  file <- file.path(folder, "closed.txt")
  writeLines("1 qid:1 1:1", file)
  Sys.chmod(file, "000")
  if (file.access(file, 4L) != 0L) {
    expect_error(read_letor(file), class = "rankmix_error_file")
  } else {
    # Root can read every file, so another user has to try.
    skip_if(!nzchar(Sys.which("runuser")), "nobody to try it as")
    writeLines(c("error <- tryCatch(rankmix::read_letor(commandArgs(TRUE)[1]), error = identity)",
                 "writeLines(class(error)[1])"), file.path(folder, "script.R"))
    said <- suppressWarnings(system2(
      "runuser", c("-u", "nobody", "--", "env",
                   paste0("R_LIBS=", shQuote(paste(.libPaths(), collapse = ":"))),
                   file.path(R.home("bin"), "Rscript"), file.path(folder, "script.R"), file),
      stdout = TRUE, stderr = FALSE
    ))
    skip_if(!is.null(attr(said, "status")) || identical(said, "packageNotFoundError"),
            "the packages are closed to others")
    expect_identical(said, "rankmix_error_file")
  }
})

test_that("a file that changes while another package reads it is an error", {
  file <- withr::local_tempfile(lines = "a,b")
  expect_identical(read_unchanged(file, readLines(file)), "a,b")
  withr::local_dir(withr::local_tempdir())
  writeLines("a", "there.txt")
  expect_snapshot_error(read_unchanged("there.txt", {
    writeLines(c("a", "b"), "there.txt")
    1
  }), class = "rankmix_error_file")
})

test_that("files do not depend on the decimal mark of the session", {
  data <- ranking_data(cbind(a = c(0.5, 1.5, 2.25, 0.75)), relevance = c(0, 1, 2, 0),
                       query = c(1.5, 1.5, 2.5, 2.5), document = letters[1:4])
  model <- fit(gbrt(trees = 2, num_leaves = 2, min_data_in_leaf = 1), data, threads = 1)
  folder <- withr::local_tempdir()
  written <- function() {
    path <- function(name) file.path(folder, name)
    write_run(c(0.1, 1.5, 2, 1e-300), path("run"), data = data)
    write_scores(c(0.5, -1e300), path("scores"))
    write_letor(data, path("letor"))
    for (format in c("json", "c", "lightgbm", "ranklib", "onnx")) {
      write_model(model, path(format), format = format)
    }
    read <- list(read_run(path("run")), read_scores(path("scores")),
                 read_letor(path("letor"))$x, predict(read_model(path("json")), data),
                 as_metric("rbp(persistence = 0.8)"), id_text(data$query_ids))
    texts <- vapply(list.files(folder, full.names = TRUE), function(file) {
      paste(as.character(readBin(file, "raw", 1e6)), collapse = "")
    }, "")
    list(read, texts, format(metric_rbp(persistence = 0.8)), format(gbrt(learning_rate = 0.05)))
  }
  expected <- written()
  withr::with_options(list(OutDec = ","), expect_identical(written(), expected))
  local_country("LC_NUMERIC", "de_DE")
  expect_identical(sprintf("%.1f", 0.5), "0,5")
  expect_identical(written(), expected)
  # The locale of the session is unchanged.
  expect_match(Sys.getlocale("LC_NUMERIC"), "de_DE")
})

test_that("the error for a wrong path suggests the similar file or folder", {
  folder <- withr::local_tempdir()
  file.create(file.path(folder, c("train.txt.gz", "notes.md")))
  expect_error(read_letor(file.path(folder, "train.txt")), "train.txt.gz'?", fixed = TRUE)
  expect_error(read_letor(folder), "`read_folds()`", fixed = TRUE)
  unlink(file.path(folder, "train.txt.gz"))
  expect_error(read_letor(folder), "The folder has `notes.md`", fixed = TRUE)
})

test_that("warnings of a source are not problems of the file", {
  frame <- data.frame(x = c(1, 2), q = 1, r = 0:1)
  chunks <- function() {
    left <- 1
    function() {
      left <<- left - 1
      warning("of the source")
      if (left == 0) frame
    }
  }
  for (ending in c(".txt", ".txt.gz")) {
    file <- withr::local_tempfile(fileext = ending)
    expect_warning(expect_warning(
      write_letor(data_source(chunks(), r, q, verbose = FALSE), file), "of the source"), "of the source")
    expect_length(readLines(file), 2)
  }
  # A warning while the file is written is a problem of the file.
  expect_error(write_beside(file, function(partial) writing(warning("no space"))), "reports: no space",
               class = "rankmix_error_file")
})

test_that("latin1 text of a source gives no warnings", {
  skip_if_not_installed("data.table")
  file <- withr::local_tempfile(fileext = ".csv")
  lines <- sprintf("%d,1,\"caf\xe9\n%d\",%d", c(0, 1, 0, 1), c(1, 1, 2, 2), 1:4)
  writeLines(c("r,q,c,x", lines), file, useBytes = TRUE)
  expected <- read_ranking(file, r, q, factors = "c")
  expect_no_warning(found <- binned_data(file, r, q, factors = "c", chunk = 1, verbose = FALSE))
  expect_identical(found$features, expected$features)
  out <- withr::local_tempfile(fileext = ".txt")
  expect_no_warning(write_letor(data_source(file, r, q, factors = "c", verbose = FALSE), out))
  expect_length(readLines(out), 4)
})
