specs <- list(adaboost_mh(base_tree(5), rounds = 30),
              adaboost_mh(base_product(3), rounds = 30, feature_fraction = 0.6),
              adaboost_mh(base_hamming_tree(5), rounds = 30, weights = "uniform", max_bin = 7))

shorter <- function(spec, rounds) {
  spec$rounds <- rounds
  spec
}

test_that("a resumed fit equals an uninterrupted fit, bit for bit", {
  data <- random_data(queries = 40, classes = 4, missing = 0.1)
  for (spec in specs) {
    whole <- fit(spec, data, seed = 3)
    half <- fit(shorter(spec, 11), data, seed = 3)
    file <- withr::local_tempfile()
    saveRDS(half, file)
    expect_identical(fit(readRDS(file), data, rounds = 30), whole)
    expect_identical(fit(half, data, rounds = 11, threads = 2)$forest, half$forest)
  }
})

test_that("a fit resumes with sparse data, weights and validation as well", {
  skip_if_not_installed("Matrix")
  data <- random_data(queries = 40, classes = 4, distinct = 5)
  sparse <- ranking_data(methods::as(data$x, "CsparseMatrix"), data$relevance, data$query,
                         weight = (1 + data$query %% 3)[seq_along(data$query)])
  valid <- random_data(queries = 20, classes = 4, distinct = 5, seed = 2)[1:5]
  valid <- ranking_data(valid$x, valid$relevance, valid$query + 1000)
  spec <- specs[[1]]
  whole <- fit(spec, sparse, validation = valid, seed = 1)
  half <- fit(shorter(spec, 9), sparse, seed = 1)
  expect_identical(fit(half, sparse, validation = valid, rounds = 30), whole)
})

test_that("a model resumes with checkpoints and patience like an uninterrupted fit", {
  data <- random_data(queries = 40, classes = 4)
  valid <- random_data(queries = 20, classes = 4, seed = 2)
  valid <- ranking_data(valid$x, valid$relevance, valid$query + 1000)
  file <- withr::local_tempfile()
  spec <- shorter(specs[[1]], 60)
  half <- fit(shorter(spec, 13), data, seed = 3)
  go_on <- function(model, ...) {
    fit(model, data, validation = valid, rounds = 60, checkpoint = file, checkpoint_every = 4, ...)
  }
  patient <- fit(spec, data, validation = valid, seed = 3, patience = 20)
  expect_identical(patient$status, "stopped")
  expect_identical(go_on(half, patience = 20), patient)
  # The checkpoint has more rounds than the model that is resumed. The result must be the same.
  expect_gt(length(readRDS(file)$model$alpha), 13L)
  expect_identical(go_on(half), fit(spec, data, validation = valid, seed = 3))
  expect_error(fit(fit(spec, data, seed = 4), data, rounds = 70, checkpoint = file),
               class = "rankmix_error_checkpoint")
  expect_error(fit(half, valid, rounds = 60, checkpoint = "new.rds"),
               class = "rankmix_error_newdata")
  expect_error(fit(half, valid, rounds = 60, checkpoint = file),
               class = "rankmix_error_checkpoint")
  expect_error(fit(half, data, rounds = 60, patience = 10), class = "rankmix_error_argument")
})

test_that("a checkpoint refuses data that differ in a feature that no round used", {
  data <- random_data(queries = 40, classes = 3)
  unused <- ncol(data$x) + 1L
  wide <- function(column, grades = data$relevance) {
    ranking_data(cbind(data$x, column, deparse.level = 0), grades, data$query)
  }
  column <- rep_len(0:1, nrow(data$x))
  model <- fit(adaboost_mh(base_stump(), rounds = 2), wide(column), seed = 1)
  other <- replace(column, 5L, 1 - column[5L])
  expect_false(any(model$forest$feature == unused - 1L))
  expect_error(fit(model, wide(other), rounds = 3), class = "rankmix_error_newdata")
  expect_error(fit(model, wide(2 * column), rounds = 3), class = "rankmix_error_newdata")
  expect_error(fit(model, wide(replace(column, 5L, NA)), rounds = 3),
               class = "rankmix_error_newdata")
  expect_length(fit(model, wide(as.integer(column)), rounds = 3)$alpha, 3L)
  # Sparse data with the same values count as the same data.
  skip_if_not_installed("Matrix")
  sparse <- methods::as(wide(column)$x, "CsparseMatrix")
  sparse <- ranking_data(sparse, data$relevance, data$query)
  expect_length(fit(model, sparse, rounds = 3)$alpha, 3L)
})

test_that("a model with changed edges does not resume", {
  data <- random_data(queries = 40)
  model <- fit(specs[[1]], data, seed = 1)
  model$edge[2L] <- model$edge[2L] + 1e-9
  expect_error(fit(model, data, rounds = 40), "other thresholds or edges",
               class = "rankmix_error_newdata")
})

test_that("a model resumes with its own data only", {
  data <- random_data(queries = 40)
  model <- fit(specs[[1]], data, seed = 1)
  refuse <- function(code, class = "rankmix_error_newdata") {
    expect_snapshot_error(code, class = class)
  }
  refuse(fit(model, random_data(queries = 40, seed = 2), rounds = 40))
  relabelled <- ranking_data(data$x, rev(data$relevance), data$query)
  refuse(fit(model, relabelled, rounds = 40))
  heavier <- ranking_data(data$x, data$relevance, data$query, weight = 1 + data$query)
  expect_error(fit(model, heavier, rounds = 40), class = "rankmix_error_newdata")
  fewer <- ranking_data(data$x[, 1:2], data$relevance, data$query)
  expect_error(fit(model, fewer, rounds = 40), class = "rankmix_error_newdata")
  refuse(fit(model, data, rounds = 3), "rankmix_error_argument")
})

test_that("a killed fit resumes from its checkpoint to the same model", {
  data <- random_data(queries = 40, classes = 4)
  folder <- withr::local_tempdir()
  withr::local_dir(folder)
  for (spec in specs) {
    whole <- fit(spec, data, seed = 7)
    file <- "model.rds"
    # This is the checkpoint of a fit that was killed after 20 rounds.
    fit(shorter(spec, 20), data, seed = 7, checkpoint = file, checkpoint_every = 10)
    expect_identical(length(readRDS(file)$model$alpha), 20L)
    expect_identical(fit(spec, data, checkpoint = file, checkpoint_every = 7), whole)
    expect_identical(length(readRDS(file)$model$alpha), 30L)
    # A finished fit is read from its checkpoint.
    expect_identical(fit(spec, data, seed = 7, checkpoint = file), whole)
    unlink(file)
  }
  expect_identical(list.files(), character())
})

test_that("a process that is killed leaves a good checkpoint", {
  skip_on_cran()
  skip_on_os("windows")
  folder <- withr::local_tempdir()
  data <- random_data(queries = 200, classes = 4)
  saveRDS(data, file.path(folder, "data.rds"))
  script <- child_script(folder, c(
    "data <- readRDS('data.rds')",
    "fit(adaboost_mh(base_tree(8), rounds = 1e6), data, seed = 5, checkpoint = 'model.rds',",
    "    checkpoint_every = 20, threads = 1)"
  ))
  file <- file.path(folder, "model.rds")
  system2("sh", c("-c", shQuote(sprintf("%s %s >/dev/null 2>&1 & echo $! > %s",
                                        file.path(R.home("bin"), "Rscript"), script,
                                        file.path(folder, "pid")))))
  for (i in 1:300) {
    if (file.exists(file)) break
    Sys.sleep(0.1)
  }
  Sys.sleep(0.3)
  pid <- as.integer(readLines(file.path(folder, "pid")))
  tools::pskill(pid, tools::SIGKILL)
  # The killed process may still finish a write. Signal 0 only checks whether the process exists.
  for (i in 1:50) {
    if (!tools::pskill(pid, 0L)) break
    Sys.sleep(0.1)
  }
  saved <- readRDS(file)$model
  rounds <- length(saved$alpha)
  expect_gte(rounds, 20L)
  spec <- adaboost_mh(base_tree(8), rounds = 1e6)
  whole <- fit(shorter(spec, rounds + 10), data, seed = 5)
  resumed <- fit(shorter(spec, rounds + 10), data, checkpoint = file)
  expect_identical(resumed, whole)
})

test_that("files that are not this fit's checkpoint are refused", {
  data <- random_data(queries = 40)
  folder <- withr::local_tempdir()
  withr::local_dir(folder)
  fit(specs[[1]], data, seed = 1, checkpoint = "good.rds")
  refuse <- function(code, class = "rankmix_error_checkpoint") {
    expect_snapshot_error(code, class = class)
  }
  spec <- specs[[1]]
  writeLines("text", "text.rds")
  refuse(fit(spec, data, checkpoint = "text.rds"))
  saveRDS(1:3, "other.rds")
  refuse(fit(spec, data, checkpoint = "other.rds"))
  saved <- readRDS("good.rds")
  saved$version <- 99L
  saveRDS(saved, "version.rds")
  refuse(fit(spec, data, checkpoint = "version.rds"))
  refuse(fit(adaboost_mh(base_tree(6), rounds = 30), data, checkpoint = "good.rds"))
  refuse(fit(shorter(spec, 20), data, checkpoint = "good.rds"))
  refuse(fit(spec, data, seed = 2, checkpoint = "good.rds"))
  refuse(fit(spec, random_data(queries = 40, seed = 9), checkpoint = "good.rds"))
  # Data with the same features and fewer or more grades.
  fewer <- group_grades(data, "binary")
  refuse(fit(spec, fewer, seed = 1, checkpoint = "good.rds"))
  fit(spec, fewer, seed = 1, checkpoint = "fewer.rds")
  refuse(fit(spec, data, seed = 1, checkpoint = "fewer.rds"))
  # Data with the same documents and more features.
  wider <- ranking_data(cbind(data$x, 1), data$relevance, data$query)
  refuse(fit(spec, wider, seed = 1, checkpoint = "good.rds"))
  expect_error(fit(fit(spec, data), wider, rounds = 40), class = "rankmix_error_newdata")
  refuse(fit(spec, data, seed = NA, checkpoint = "good.rds"), "rankmix_error_argument")
  refuse(fit(spec, data, checkpoint = "no folder/x.rds"), "rankmix_error_file")
  refuse(fit(spec, data, checkpoint = 1), "rankmix_error_argument")
  refuse(fit(spec, data, checkpoint = "new.rds", checkpoint_every = 0),
         "rankmix_error_argument")
})

test_that("a specification with integers equals the specification with doubles", {
  data <- random_data(queries = 40)
  file <- withr::local_tempfile()
  whole <- fit(adaboost_mh(base_tree(4), rounds = 20, max_bin = 255L), data, seed = 1)
  fit(adaboost_mh(base_tree(4L), rounds = 10, max_bin = 255L), data, seed = 1, checkpoint = file)
  resumed <- fit(adaboost_mh(base_tree(4), rounds = 20, max_bin = 255), data, checkpoint = file)
  expect_equal(resumed$edge, whole$edge, tolerance = 0)
})

test_that("a full disk loses neither the model nor the last good checkpoint", {
  skip_on_cran()
  skip_if_not(file.exists("/dev/full") && nzchar(Sys.which("mount")), "no full disk here")
  folder <- withr::local_tempdir()
  full <- file.path(folder, "full")
  dir.create(full)
  mounted <- suppressWarnings(system2("mount", c("-t", "tmpfs", "-o", "size=128k", "tmpfs", full),
                                      stdout = FALSE, stderr = FALSE)) == 0L
  skip_if_not(mounted, "may not mount a small disk")
  withr::defer(system2("umount", c("-l", full)))
  file <- file.path(full, "model.rds")
  data <- random_data(queries = 60, classes = 4)
  spec <- adaboost_mh(base_tree(16), rounds = 400)
  open_before <- nrow(showConnections())
  expect_warning(model <- fit(spec, data, seed = 1, checkpoint = file, checkpoint_every = 20),
                 class = "rankmix_warning_checkpoint") |>
    suppressWarnings(classes = "rankmix_warning_checkpoint")
  expect_identical(model, fit(spec, data, seed = 1))
  last <- length(readRDS(file)$model$alpha)
  expect_true(last >= 20L && last < 400L)
  expect_identical(list.files(full), "model.rds")
  expect_identical(nrow(showConnections()), open_before)
})

test_that("a fit that resumes prints its first round, unless it is quiet", {
  file <- withr::local_tempfile()
  data <- example_part("train")
  fit(gbrt(4), data, checkpoint = file, verbose = FALSE, threads = 1)
  expect_message(fit(gbrt(6), data, checkpoint = file, threads = 1), "Resuming from round 4 of 6",
                 class = "rankmix_message_resumed")
  expect_no_message(fit(gbrt(6), data, checkpoint = file, verbose = FALSE, threads = 1))
})
