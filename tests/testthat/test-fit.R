test_that("one grade only is an error", {
  data <- ranking_data(matrix(1:4), rep(1, 4), c(1, 1, 2, 2))
  expect_snapshot_error(fit(adaboost_mh(), data),
                        class = "rankmix_error_one_grade")
})

test_that("arguments of fit() are checked", {
  data <- random_data()
  expect_error(fit(adaboost_mh(), data, valdation = data),
               class = "rankmix_error_argument")
  expect_error(predict(fit(adaboost_mh(stump(), rounds = 2), data), data,
                       nrounds = 1),
               class = "rankmix_error_argument")
  refuse <- function(code) {
    expect_snapshot_error(code, class = "rankmix_error_argument")
  }
  refuse(fit(adaboost_mh(), data$x))
  refuse(fit(adaboost_mh(), data, validation = 1))
  refuse(fit(adaboost_mh(), data, seed = -1))
  refuse(fit(adaboost_mh(), data, threads = 0))
  refuse(fit(adaboost_mh(), data, verbose = NA))
})

test_that("a progress bar reports and changes nothing", {
  data <- random_data()
  spec <- adaboost_mh(tree(3), rounds = 20)
  seen <- integer()
  local_mocked_bar <- function(done, total) seen <<- c(seen, done)
  bins <- rankmix:::bins_of(spec, data$x, 1L)
  quiet <- fit(spec, data, seed = 1)
  task <- rankmix:::new_task(data, 1, 1L, local_mocked_bar, bins = function(spec) bins)
  loud <- rankmix:::row_of(spec)$train(spec, task)
  expect_identical(loud$alpha, quiet$alpha)
  expect_identical(utils::tail(seen, 1), 20)
  expect_identical(suppressMessages(fit(spec, data, seed = 1, verbose = TRUE)),
                   quiet)
})

test_that("an interrupt returns within a second and leaves a working session", {
  skip_on_cran()
  skip_on_os("windows")
  folder <- tempfile("interrupt")
  dir.create(folder)
  withr::defer(unlink(folder, recursive = TRUE))
  script <- child_script(folder, c(
    "set.seed(1)",
    "x <- matrix(rnorm(60000 * 40), ncol = 40)",
    "data <- ranking_data(x, rpois(60000, 0.5), rep(1:3000, 20))",
    "writeLines(as.character(Sys.getpid()), 'started')",
    "end <- tryCatch({",
    "  fit(adaboost_mh(tree(16), rounds = 1e6), data, threads = 2)",
    "  'finished'",
    "}, interrupt = function(e) 'interrupted')",
    "back <- as.numeric(Sys.time())",
    "again <- fit(adaboost_mh(tree(4), rounds = 2), data, threads = 2)",
    "writeLines(c(end, length(again$alpha), sprintf('%.3f', back)), 'partial')",
    "file.rename('partial', 'ended')"
  ))
  wait_for <- function(name, seconds) {
    path <- file.path(folder, name)
    deadline <- Sys.time() + seconds
    while (!file.exists(path) && Sys.time() < deadline) Sys.sleep(0.01)
    file.exists(path)
  }
  system2(file.path(R.home("bin"), "Rscript"), script, wait = FALSE,
          stdout = FALSE, stderr = FALSE)
  expect_true(wait_for("started", 60))
  Sys.sleep(1)
  pid <- as.integer(readLines(file.path(folder, "started")))
  sent <- as.numeric(Sys.time())
  tools::pskill(pid, tools::SIGINT)
  expect_true(wait_for("ended", 30))
  ended <- trimws(readLines(file.path(folder, "ended")))
  expect_identical(ended[1:2], c("interrupted", "2"))
  expect_lt(as.numeric(ended[3]) - sent, 1)
})
