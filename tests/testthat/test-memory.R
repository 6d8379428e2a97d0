# Calls, each so many times, in a process of its own whose address space is limited, MB above what
# it has then: what each ended with, and the memory that the process had in use after it.
calls_within <- function(above, times = 1) {
  folder <- withr::local_tempdir()
  script <- child_script(folder, c(
    "set.seed(1)",
    "n <- 100000",
    "x <- matrix(rnorm(n * 50), n)",
    "data <- ranking_data(x, rpois(n, 0.5), rep(1:2000, each = 50))",
    "scores <- list(a = rnorm(n), b = rnorm(n))",
    "write_letor(data[1:200], 'data.txt')",
    "calls <- list(",
    "  gbrt = function() fit(gbrt(trees = 3), data, threads = 2, verbose = FALSE),",
    "  adaboost_mh = function() fit(adaboost_mh(base_tree(8), 3), data, threads = 2, verbose = FALSE),",
    "  network = function() fit(network_ranker(epochs = 1), data, threads = 2, verbose = FALSE),",
    "  linear = function() fit(linear_ranker(), data, threads = 2),",
    "  read_letor = function() read_letor('data.txt', threads = 2),",
    "  evaluate = function() evaluate(rnorm(n), data, metric_ndcg(10), threads = 2),",
    "  compare_rankers = function() compare_rankers(a = scores[[1]], b = scores[[2]], data = data,",
    "    metric = metric_ndcg(10), test = 'randomization', resamples = 1000, seed = 1, threads = 2),",
    "  mix = function() mix(scores, data, threads = 2),",
    "  ranking_data = function() ranking_data(x, rep(0:4, n / 5), rep(1:2000, each = 50))",
    ")",
    "outcomes <- file('outcomes', 'w')",
    "pages <- function(field) scan('/proc/self/statm', quiet = TRUE)[field]",
    sprintf("bytes <- pages(1) * %s + %s * 2^20", page_size(), above),
    "system2('prlimit', sprintf('--pid=%d --as=%.0f:', Sys.getpid(), bytes))",
    sprintf("for (time in seq_len(%d)) for (name in names(calls)) {", times),
    "  end <- tryCatch({",
    "    calls[[name]]()",
    "    'done'",
    "  }, error = function(e) c(class(e)[1], conditionMessage(e)))",
    "  invisible(gc())",
    "  cat(time, name, end[1], pages(2), gsub('[\\n\\t]', ' ', end[length(end)]), file = outcomes, sep = '\\t')",
    "  cat('\\n', file = outcomes)",
    "  flush(outcomes)",
    "}"
  ))
  # R's compiler of functions, which it would run here, crashes where there is no memory left.
  status <- system2(file.path(R.home("bin"), "Rscript"), script, stdout = FALSE,
                    stderr = file.path(folder, "errors"), env = "R_ENABLE_JIT=0")
  expect_identical(status, 0L,
                   info = paste(readLines(file.path(folder, "errors")), collapse = "\n"))
  outcomes <- utils::read.delim(file.path(folder, "outcomes"), header = FALSE, quote = "",
                                col.names = c("time", "call", "class", "megabytes", "message"))
  outcomes$megabytes <- outcomes$megabytes * page_size() / 2^20
  outcomes
}

page_size <- function() as.numeric(system2("getconf", "PAGESIZE", stdout = TRUE))

skip_without_limits <- function() {
  skip_on_cran()
  skip_if_not(Sys.info()[["sysname"]] == "Linux" && nzchar(Sys.which("prlimit")),
              "No limits of memory")
}

test_that("where memory runs out there is a classed error, and no crash", {
  skip_if_quick()
  skip_without_limits()
  failed <- character()
  for (above in c(0, 2, 4, 8, 16, 1000)) {
    outcomes <- calls_within(above)
    odd <- !outcomes$class %in% c("done", "rankmix_error_memory")
    expect_false(any(odd), info = paste(above, outcomes$call, outcomes$message)[odd])
    expect_identical(nrow(outcomes), 9L)
    failed <- union(failed, outcomes$call[outcomes$class == "rankmix_error_memory"])
  }
  # All went well with enough memory.
  expect_identical(unique(outcomes$class), "done")
  expect_true(all(c("gbrt", "linear") %in% failed))
})

test_that("what failed for want of memory leaves nothing behind", {
  skip_if_quick()
  skip_without_limits()
  outcomes <- calls_within(2, times = 8)
  expect_gt(sum(outcomes$class == "rankmix_error_memory"), 6)
  # The bins of these data take 5 MB, their features 40: some that were kept would show.
  expect_lt(max(outcomes$megabytes[outcomes$time == 8]) - max(outcomes$megabytes[outcomes$time == 3]), 3)
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
