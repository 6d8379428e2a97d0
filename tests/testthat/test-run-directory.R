test_that("a run directory gives the same mixture, and is resumed", {
  folder <- local_folder()
  plain <- run_mixture()
  expect_identical(run_mixture(folder), plain)
  files <- list.files(folder, "^task-", full.names = TRUE)
  expect_length(files, 6L)
  # The killed run had not trained two of the models. One file was incomplete.
  unlink(files[2:3])
  writeLines("half", file.path(folder, "x.partial"))
  times <- file.mtime(files[c(1, 4:6)])
  expect_identical(run_mixture(folder), plain)
  expect_identical(file.mtime(files[c(1, 4:6)]), times)
  # The seed of the run is used.
  expect_identical(run_mixture(folder, seed = NULL), plain)
})

test_that("a fraction of the data is part of the identity of a run", {
  folder <- local_folder()
  by_fraction <- function(fraction, folder = NULL) {
    tune_and_mix(example_part("train"), members = adaboost_mh(base_stump(), rounds = 3),
                 calibrators = calibrator_naive(), holdout = mix_holdout(fraction), seed = 1,
                 checkpoint = folder)
  }
  expect_identical(by_fraction(0.8, folder), by_fraction(0.8))
  expect_error(by_fraction(0.6, folder), class = "rankmix_error_run")
})

test_that("models that cannot be read are trained again, and a model that cannot be written is kept", {
  folder <- local_folder()
  plain <- run_mixture(folder)
  file <- list.files(folder, "^task-", full.names = TRUE)[1]
  writeBin(as.raw(1:10), file)
  expect_identical(run_mixture(folder), plain)
  unlink(file)
  dir.create(file)
  expect_warning(again <- run_mixture(folder), "cannot be written",
                 class = "rankmix_warning_run")
  expect_identical(again, plain)
})

test_that("directories of other runs are refused", {
  folder <- local_folder()
  small <- function(train = example_part("train"), seed = 1) {
    tune_and_mix(train, example_part("vali"), adaboost_mh(base_stump(), rounds = 3), calibrator_naive(),
                 checkpoint = folder, seed = seed)
  }
  small()
  expect_error(small(seed = NA), class = "rankmix_error_argument")
  refuse <- function(code, class = "rankmix_error_run") {
    error <- expect_error(code, class = class)
    version <- as.character(packageVersion("rankmix"))
    text <- gsub("'[^']*'", "'<folder>'", conditionMessage(error))
    expect_snapshot(cat(gsub(version, "<version>", text, fixed = TRUE)))
  }
  refuse(small(seed = 2))
  other <- example_part("train")
  other$x[1, 1] <- 100
  refuse(small(other))
  manifest <- file.path(folder, "run.rds")
  saved <- readRDS(manifest)
  saveRDS(modifyList(saved, list(version = 0L)), manifest)
  refuse(small())
  saveRDS("something", manifest)
  refuse(small())
  unlink(folder, recursive = TRUE)
  writeLines("a file", folder)
  refuse(small(), "rankmix_error_file")
})

test_that("a run that resumes reports how many results are there", {
  folder <- withr::local_tempfile()
  run <- function(...) {
    benchmark_rankers(list(a = best_feature()), query_folds(example_part("train"), 3, seed = 1),
                      data = example_part("train"), seed = 1, directory = folder, ...)
  }
  expect_no_message(run())
  expect_message(run(), "Resuming from 3 results in", class = "rankmix_message_resumed")
  expect_no_message(run(verbose = FALSE))
})
