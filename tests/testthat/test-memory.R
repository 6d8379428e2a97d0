# Runs each call `times` times in a separate process. The address space of the process is limited to `above` MB more
# than it has at first. Returns the outcome of each call and the memory in use after the call.
calls_within <- function(above, times = 1, prepare = usual_data, calls = usual_calls) {
  folder <- withr::local_tempdir()
  script <- child_script(folder, c(
    prepare,
    "calls <- list(",
    paste(sprintf("  %s = function() %s", names(calls), calls), collapse = ",\n"),
    ")",
    "outcomes <- file('outcomes', 'w')",
    "pages <- function(field) scan('/proc/self/statm', quiet = TRUE)[field]",
    "open <- function() length(list.files('/proc/self/fd'))",
    "invisible(gc())",
    sprintf("bytes <- pages(1) * %s + %s * 2^20", page_size(), above),
    "system2('prlimit', sprintf('--pid=%d --as=%.0f:', Sys.getpid(), bytes))",
    sprintf("for (time in seq_len(%d)) for (name in names(calls)) {", times),
    "  before <- open()",
    "  end <- tryCatch({",
    "    calls[[name]]()",
    "    'done'",
    "  }, error = function(e) c(class(e)[1], conditionMessage(e)))",
    "  invisible(gc())",
    "  cat(time, name, end[1], pages(2), open() - before, gsub('[\\n\\t]', ' ', end[length(end)]),",
    "      file = outcomes, sep = '\\t')",
    "  cat('\\n', file = outcomes)",
    "  flush(outcomes)",
    "}"
  ))
  # R's compiler of functions crashes without memory, so it is turned off.
  status <- system2(file.path(R.home("bin"), "Rscript"), script, stdout = FALSE,
                    stderr = file.path(folder, "errors"), env = "R_ENABLE_JIT=0")
  expect_identical(status, 0L,
                   info = paste(readLines(file.path(folder, "errors")), collapse = "\n"))
  outcomes <- utils::read.delim(file.path(folder, "outcomes"), header = FALSE, quote = "",
                                col.names = c("time", "call", "class", "megabytes", "descriptors",
                                              "message"))
  outcomes$megabytes <- outcomes$megabytes * page_size() / 2^20
  outcomes
}

usual_data <- c(
  "set.seed(1)",
  "n <- 100000",
  "x <- matrix(rnorm(n * 50), n)",
  "data <- ranking_data(x, rpois(n, 0.5), rep(1:2000, each = 50))",
  "scores <- list(a = rnorm(n), b = rnorm(n))",
  "write_letor(data[1:200], 'data.txt')"
)

usual_calls <- c(
  gbrt = "fit(gbrt(trees = 3), data, threads = 2, verbose = FALSE)",
  adaboost_mh = "fit(adaboost_mh(base_tree(8), 3), data, threads = 2, verbose = FALSE)",
  network = "fit(network_ranker(epochs = 1), data, threads = 2, verbose = FALSE)",
  linear = "fit(linear_ranker(), data, threads = 2)",
  read_letor = "read_letor('data.txt', threads = 2)",
  evaluate = "evaluate(rnorm(n), data, metric_ndcg(10), threads = 2)",
  compare_rankers = paste("compare_rankers(a = scores[[1]], b = scores[[2]], data = data, metric = 'ndcg@10',",
                          "test = 'randomization', resamples = 1000, seed = 1, threads = 2)"),
  mix = "mix(scores, data, threads = 2)",
  ranking_data = "ranking_data(x, rep(0:4, n / 5), rep(1:2000, each = 50))"
)

page_size <- function() as.numeric(system2("getconf", "PAGESIZE", stdout = TRUE))

skip_without_limits <- function() {
  skip_on_cran()
  skip_if_not(Sys.info()[["sysname"]] == "Linux" && nzchar(Sys.which("prlimit")),
              "No limits of memory")
}

# Data of 30 MB whose file is small, and models that were trained on a few of the documents.
wide_data <- c(
  "set.seed(1)",
  "n <- 100000",
  "x <- matrix(rnorm(n * 40), n)",
  "data <- ranking_data(x, rpois(n, 0.5), rep(1:2000, each = 50))",
  "frame <- as.data.frame(x)",
  "writeLines(rep(c('0 qid:1 60:1', '1 qid:1 60:2'), n / 2), 'letor.txt')",
  "writeLines(sprintf('%d Q0 document%d 1 %d tag', rep(1:2000, each = 50), 1:n, 1:n), 'run.txt')",
  "few <- data[1:100]",
  "ridge <- fit(linear_ranker(missing = 'mean'), few, threads = 2)",
  "mixture <- suppressWarnings(tune_and_mix(few, few, list(gbrt(5), linear_ranker()), fast_calibrators(),",
  "                                         seed = 1, threads = 2, verbose = FALSE))",
  "x[1] <- NA"
)

wide_calls <- c(
  letor = "read_letor('letor.txt', threads = 2)",
  run = "read_run('run.txt')",
  frame = "ranking_data(frame, query = rep(1:2000, each = 50))",
  standardize = "standardize_queries(data, threads = 2)",
  gbrt = "fit(gbrt(3), data, threads = 2, verbose = FALSE)",
  network = "fit(network_ranker(epochs = 1), data, threads = 2, verbose = FALSE)",
  tune = "tune_and_mix(data, data[1:50], list(gbrt(3)), seed = 1, threads = 2, verbose = FALSE)",
  filled = "predict(ridge, x, threads = 2)",
  members = "predict(mixture, data, 'member', threads = 2)",
  explain = "explain(ridge, data, threads = 2)",
  subset = "data[1:1999]",
  user = "evaluate(function(data) rowSums(data$x + 1), data, 'ndcg@10', threads = 2)"
)

test_that("readers, fits and predictions without memory give one error, and close their files", {
  skip_without_limits()
  outcomes <- calls_within(4, prepare = wide_data, calls = wide_calls)
  expect_identical(outcomes$call, names(wide_calls))
  expect_identical(outcomes$class, rep("rankmix_error_memory", nrow(outcomes)))
  expect_identical(outcomes$descriptors, rep(0L, nrow(outcomes)))
  # Each message reports a size: the requested memory, or the size of the data.
  expect_match(outcomes$message, "(size|allocate|features,|has) [0-9.]+ ?[KMG][bB]")
  expect_match(outcomes$message[outcomes$call == "network"],
               "`data` has 100000 documents x 40 features, 30.5 MB.", fixed = TRUE)
})

# Files of some MB. Reading and writing them needs more memory than the small data.
large_files <- c(
  "data <- simulate_ranking(2000, documents = 100, features = 40, seed = 1)$data",
  "write_binned_data(binned_data(data, threads = 2, verbose = FALSE), 'data.bins')",
  "few <- data[1:10]",
  "rm(data)",
  "network <- fit(network_ranker(hidden = c(600, 400), epochs = 1), few, threads = 2, verbose = FALSE)",
  "write_model(network, 'network.json')"
)

large_calls <- c(
  bins = "read_binned_data('data.bins', threads = 2)",
  write = "write_model(network, 'other.json')",
  read = "read_model('network.json')",
  left = "if (!file.exists('other.json')) stop('no file is left')"
)

test_that("a file of a model or of bins that does not fit into memory is no damaged file", {
  skip_without_limits()
  outcomes <- calls_within(1, prepare = large_files, calls = large_calls)
  messages <- stats::setNames(outcomes$message, outcomes$call)
  expect_identical(outcomes$class, c(rep("rankmix_error_memory", 3L), "simpleError"))
  expect_identical(messages[["left"]], "no file is left")
  expect_match(messages[["bins"]], "`file` has [0-9.]+ MB of text")
  expect_match(messages[["write"]], "`model` has [0-9.]+ MB")
})

test_that("running out of memory is a classed error, and no crash", {
  skip_if_quick()
  skip_without_limits()
  failed <- character()
  for (above in at_size(c(0, 8, 1000), c(0, 2, 4, 8, 16, 1000))) {
    outcomes <- calls_within(above)
    odd <- !outcomes$class %in% c("done", "rankmix_error_memory")
    expect_false(any(odd), info = paste(above, outcomes$call, outcomes$message)[odd])
    expect_identical(nrow(outcomes), 9L)
    expect_true(all(outcomes$descriptors == 0L))
    failed <- union(failed, outcomes$call[outcomes$class == "rankmix_error_memory"])
  }
  # All calls succeeded with enough memory.
  expect_identical(unique(outcomes$class), "done")
  expect_true(all(c("gbrt", "linear") %in% failed))
})

test_that("a call that runs out of memory leaves no files behind", {
  skip_if_quick()
  skip_without_limits()
  times <- at_size(6, 8)
  outcomes <- calls_within(2, times = times)
  expect_gt(sum(outcomes$class == "rankmix_error_memory"), 6)
  # The bins of these data need 5 MB, and the features 40 MB. A copy that stays would be visible.
  expect_lt(max(outcomes$megabytes[outcomes$time == times]) - max(outcomes$megabytes[outcomes$time == 3]), 3)
})

test_that("the error has the message of the system", {
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

# The peak of the memory that each call adds, in units of the features. The unit is 128 MB, a matrix with new names.
peaks_of <- function(calls) {
  folder <- withr::local_tempdir()
  script <- child_script(folder, c(
    "status <- function(field) {",
    "  line <- grep(paste0('^', field, ':'), readLines('/proc/self/status'), value = TRUE)",
    "  1024 * as.numeric(gsub('[^0-9]', '', line))",
    "}",
    "n <- 2^18",
    "set.seed(1)",
    "y <- rpois(n, 0.5)",
    "q <- rep(seq_len(n / 64), each = 64)",
    "few <- matrix(rnorm(6400 * 64), 6400, dimnames = list(NULL, paste0('f', 1:64)))",
    "small <- ranking_data(few, y[1:6400], q[1:6400], threads = 2)",
    "trees <- fit(gbrt(3, num_leaves = 8), small, threads = 2, verbose = FALSE)",
    "ridge <- fit(linear_ranker(missing = 'mean'), small, threads = 2)",
    "x <- matrix(rnorm(n), n, 64)",
    "x[1, 1] <- NA",
    "colnames(x) <- colnames(few)",
    "data <- ranking_data(x, y, q, threads = 2)",
    "invisible(explain(trees, small[1:2], threads = 2))",
    "outcomes <- file('outcomes', 'w')",
    "added <- function(name, code) {",
    "  invisible(gc())",
    "  before <- status('VmRSS')",
    "  writeLines('5', '/proc/self/clear_refs')",  # resets the peak
    "  force(code)",
    "  cat(name, (status('VmHWM') - before) / (8 * length(x)), '\\n', file = outcomes)",
    "}",
    sprintf("added('%s', %s)", names(calls), calls),
    "close(outcomes)"
  ))
  status <- system2(file.path(R.home("bin"), "Rscript"), script, stdout = FALSE,
                    stderr = file.path(folder, "errors"))
  expect_identical(status, 0L, info = paste(readLines(file.path(folder, "errors")), collapse = "\n"))
  outcomes <- utils::read.table(file.path(folder, "outcomes"))
  stats::setNames(outcomes[[2L]], outcomes[[1L]])
}

test_that("features are copied neither to train, to predict nor to explain", {
  skip_without_limits()
  skip_if_not(file.access("/proc/self/clear_refs", 2L) == 0L, "The peak of memory cannot be reset")
  peaks <- peaks_of(c(
    data = "ranking_data(x, y, q, threads = 2)",
    trees = "predict(trees, x, threads = 2)",
    filled = "predict(ridge, x, threads = 2)",
    evaluate = "evaluate(trees, data, 'ndcg@10', threads = 2)",
    # Bins need one byte for each number.
    fit = "fit(gbrt(2), data, threads = 2, verbose = FALSE)",
    # The result is as large as the features.
    explain = "explain(trees, data, threads = 2)",
    # One copy of the features is changed in place.
    importance = paste("permutation_importance(trees, data, times = 2, features = c('f1', 'f2'), seed = 1,",
                       "threads = 2, verbose = FALSE)")
  ))
  expect_lt(max(peaks[c("data", "trees", "evaluate")]), 0.3)
  expect_lt(peaks[["filled"]], 0.7)
  expect_lt(peaks[["fit"]], 0.5)
  expect_lt(max(peaks[c("explain", "importance")]), 1.5)
})
