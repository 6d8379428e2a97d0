# Calls in a process of its own whose address space is limited, MB above what it has then: what
# each ended with.
calls_within <- function(megabytes, folder) {
  script <- file.path(folder, "script.R")
  writeLines(c(
    sprintf(".libPaths(%s)", deparse1(.libPaths())),
    "suppressMessages(library(rankmix))",
    "set.seed(1)",
    "n <- 40000",
    "x <- matrix(rnorm(n * 50), n)",
    "data <- ranking_data(x, rpois(n, 0.5), rep(1:800, each = 50))",
    "file <- file.path(dirname(commandArgs(TRUE)[1]), 'data.txt')",
    "write_letor(data[1:200], file)",
    "calls <- list(",
    "  gbrt = function() fit(gbrt(trees = 3), data, threads = 2, verbose = FALSE),",
    "  adaboost_mh = function() fit(adaboost_mh(tree(8), 3), data, threads = 2, verbose = FALSE),",
    "  network = function() fit(network(epochs = 1), data, threads = 2, verbose = FALSE),",
    "  linear = function() fit(linear(), data, threads = 2),",
    "  read_letor = function() read_letor(file, threads = 2),",
    "  evaluate = function() evaluate(rnorm(n), data, ndcg(10), threads = 2)",
    ")",
    "status <- function(field) {",
    "  line <- grep(field, readLines('/proc/self/status'), value = TRUE)",
    "  as.numeric(gsub('[^0-9]', '', line)) / 1024",
    "}",
    "limit <- function(bytes) {",
    "  system2('prlimit', c(paste0('--pid=', Sys.getpid()), paste0('--as=', bytes, ':')))",
    "}",
    "ends <- NULL",
    "for (above in as.numeric(commandArgs(TRUE)[-1])) {",
    "  for (name in names(calls)) {",
    "    invisible(gc())",
    "    limit(sprintf('%.0f', (status('VmSize') + above) * 2^20))",
    "    end <- tryCatch({",
    "      calls[[name]]()",
    "      'done'",
    "    }, error = function(e) c(class(e)[1], conditionMessage(e)))",
    "    limit('unlimited')",
    "    ends <- rbind(ends, data.frame(call = name, above, class = end[1],",
    "                                   message = end[length(end)], used = status('VmRSS')))",
    "  }",
    "}",
    "saveRDS(ends, commandArgs(TRUE)[1])"
  ), script)
  result <- file.path(folder, "ends.rds")
  # R's compiler of functions crashes where there is no memory left.
  status <- system2(file.path(R.home("bin"), "Rscript"), c(script, result, megabytes),
                    stdout = FALSE, stderr = file.path(folder, "errors"), env = "R_ENABLE_JIT=0")
  expect_identical(status, 0L, info = paste(readLines(file.path(folder, "errors")), collapse = "\n"))
  readRDS(result)
}

skip_without_limits <- function() {
  skip_on_cran()
  skip_if_not(Sys.info()[["sysname"]] == "Linux" && nzchar(Sys.which("prlimit")),
              "No limits of memory")
}

test_that("where memory runs out there is a classed error, and no crash", {
  skip_without_limits()
  folder <- withr::local_tempdir()
  ends <- calls_within(c(2, 4, 8, 12, 16, 24, 32, 512), folder)
  expect_identical(setdiff(ends$class, c("done", "rankmix_error_memory")), character(),
                   info = paste(ends$message[!ends$class %in% c("done", "rankmix_error_memory")],
                                collapse = "\n"))
  # There were such errors, of calls that go well where there is room.
  expect_true(all(c("gbrt", "adaboost_mh", "network") %in%
                    ends$call[ends$class == "rankmix_error_memory"]))
  expect_identical(unique(ends$class[ends$above == 512]), "done")
})

test_that("what failed for want of memory leaves nothing behind", {
  skip_without_limits()
  ends <- calls_within(c(512, rep(4, 12)), withr::local_tempdir())
  failed <- ends[ends$class == "rankmix_error_memory", ]
  expect_gt(nrow(failed), 20)
  # A fit of these data needs some 15 MB: a few that were kept would show.
  last <- tapply(ends$used, rep(0:12, each = 6L), max)
  expect_lt(last[["12"]] - last[["3"]], 15)
})

test_that("the error says what the system said", {
  error <- expect_error(
    rankmix:::naming_memory(stop("cannot allocate vector of size 7.5 Gb"), rlang::current_env()),
    class = "rankmix_error_memory"
  )
  expect_snapshot(cat(gsub("had [0-9]+ MB", "had <n> MB", conditionMessage(error))))
  expect_error(rankmix:::naming_memory(stop("something else")), "something else",
               class = "simpleError")
  expect_error(rankmix:::naming_memory(rankmix:::stop_input("file", "memory exhausted")),
               class = "rankmix_error_file")
  expect_identical(rankmix:::naming_memory(3), 3)
})
