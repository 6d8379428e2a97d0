# A small run on the example data in a separate process. Without `seed`, the process draws a seed.
small_run <- function(folder, seed = NULL, rounds = 5) {
  train <- rankmix::read_letor(system.file("extdata", "train.txt.gz", package = "rankmix"))
  valid <- rankmix::read_letor(system.file("extdata", "vali.txt.gz", package = "rankmix"))
  rankmix::tune_and_mix(train, valid,
                        lapply(rounds + 0:3, function(n) {
                          rankmix::adaboost_mh(rankmix::base_tree(6), rounds = n, feature_fraction = 0.5)
                        }),
                        rankmix::calibrator_naive(), seed = seed, threads = 1, checkpoint = folder,
                        verbose = FALSE)
}

test_that("of two processes that begin at the same time, one gets the folder", {
  skip_if_quick()
  skip_on_cran()
  skip_if_not_installed("callr")
  # Returns the mixture or the message of the error. Both processes begin when the signal file exists.
  begin <- function(folder, ready, signal, run) {
    loadNamespace("rankmix")
    file.create(ready)
    while (!file.exists(signal)) Sys.sleep(0.001)
    tryCatch(run(folder, seed = NULL), rankmix_error_run = function(e) conditionMessage(e))
  }
  environment(small_run) <- globalenv()
  for (trial in 1:3) {
    folder <- local_folder()
    signal <- withr::local_tempfile()
    ready <- paste0(signal, 1:2)
    withr::defer(unlink(ready))
    both <- lapply(ready, function(file) {
      callr::r_bg(begin, list(folder, file, signal, small_run), libpath = .libPaths())
    })
    while (!all(file.exists(ready)) && all(vapply(both, function(p) p$is_alive(), NA))) Sys.sleep(0.01)
    file.create(signal)
    ends <- lapply(both, function(process) {
      process$wait(900000)
      process$get_result()
    })
    refused <- vapply(ends, is.character, NA)
    expect_true(any(!refused))
    # On a busy machine one process may end before the other begins. Then no process is refused.
    for (message in ends[refused]) expect_match(message, "Another run uses")
    # A process that was not refused resumed the same run. This call resumes the run, too.
    for (mixture in ends[!refused]) expect_identical(small_run(folder), mixture)
  }
})

test_that("a live run keeps its folder, and a killed run is resumed at once", {
  skip_if_quick()
  skip_on_cran()
  skip_on_os("windows")
  skip_if_not_installed("callr")
  environment(small_run) <- globalenv()
  folder <- local_folder()
  holder <- stopped_process(small_run, list(folder, 1), folder)
  error <- expect_error(small_run(folder, 1), class = "rankmix_error_run")
  shown <- gsub("'[^']*'", "'<folder>'", conditionMessage(error))
  shown <- gsub("process [0-9]+ on [^ ]+[.]", "process <id> on <host>.", shown)
  expect_snapshot(cat(shown))
  expect_match(conditionMessage(error), sprintf("process %d on ", holder$get_pid()))
  holder$signal(9L)
  holder$wait(900000)
  expect_length(list.files(folder, "^task-"), 1L)
  expect_identical(small_run(folder, 1), small_run(NULL, 1))
})

test_that("a process cannot have the lock twice, and its children do not keep it", {
  skip_on_os("windows")
  folder <- local_folder()
  dir.create(folder, showWarnings = FALSE)
  folder <- normalizePath(folder)
  release <- rankmix:::lock_run(folder)
  expect_error(rankmix:::lock_run(folder), "of this R session", class = "rankmix_error_run")
  release()
  expect_true(is.function(release <- rankmix:::lock_run(folder)))
  release()

  skip_if_not_installed("callr")
  # A forked worker outlives the process that has the lock.
  forked <- file.path(folder, "forked")
  holder <- callr::r_bg(function(folder, forked) {
    release <- rankmix:::lock_run(folder)
    parallel::mcparallel({
      cat(Sys.getpid(), "\n", file = forked)
      Sys.sleep(3600)
    })
    Sys.sleep(3600)
  }, list(folder, forked), libpath = .libPaths())
  deadline <- Sys.time() + 900
  while (!any(file.size(forked) > 0, na.rm = TRUE) && Sys.time() < deadline) Sys.sleep(0.01)
  child <- scan(forked, quiet = TRUE)
  withr::defer(tools::pskill(child, 9L))
  expect_error(rankmix:::lock_run(folder), class = "rankmix_error_run")
  holder$signal(9L)
  holder$wait(900000)
  expect_true(tools::pskill(child, 0L))
  expect_true(is.function(release <- rankmix:::lock_run(folder)))
  release()
})

test_that("an error gives the lock back", {
  folder <- local_folder()
  small_run(folder, 1)
  expect_error(small_run(folder, 2), "another seed", class = "rankmix_error_run")
  expect_identical(small_run(folder, 1), small_run(NULL, 1))
})

test_that("results of other runs, and changed results, are not used", {
  folder <- local_folder()
  other <- local_folder()
  plain <- small_run(folder, 1)
  small_run(other, 2)
  files <- list.files(folder, "^task-", full.names = TRUE)
  strangers <- list.files(other, "^task-", full.names = TRUE)
  # This file is from another run, like a file that a worker of an earlier run left.
  file.copy(strangers[1L], files[1L], overwrite = TRUE)
  # One bit of a number is changed, and the file can still be read.
  bytes <- readBin(files[2L], "raw", file.size(files[2L]))
  at <- length(bytes) - 100L
  bytes[at] <- xor(bytes[at], as.raw(1))
  writeBin(bytes, files[2L])
  # The file is truncated.
  writeBin(utils::head(bytes, 500L), files[3L])
  expect_identical(small_run(folder, 1), plain)
})

test_that("a folder that cannot be locked is used with a warning", {
  local_function("lock_file", function(path, owner) {
    list(state = "unknown", reason = "No locks available")
  })
  folder <- local_folder()
  expect_snapshot(mixture <- small_run(folder, 1),
                  transform = function(lines) gsub("'[^']*'", "'<folder>'", lines))
  expect_s3_class(mixture, "rankmix_mixture")
})
