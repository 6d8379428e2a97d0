test_that("patience stops fits early", {
  skip_if_quick()
  rounds <- function(patience) {
    trained <- NULL
    local_function("check_chosen", function(model, call) {
      trained <<- c(trained, max(model$curve$rounds))
      model
    })
    run_benchmark(list(trees = gbrt(trees = 500, num_leaves = 8)), patience = patience,
                  metrics = "ndcg@10")
    trained
  }
  expect_identical(rounds(NULL), rep(500L, 3L))
  expect_true(all(rounds(10) < 250L))
})

test_that("a ranker does not depend on the others, on threads or on workers", {
  skip_if_quick()
  all <- run_benchmark()
  alone <- run_benchmark(small_rankers()[2])
  own <- all$results[all$results$ranker == "trees", ]
  rownames(own) <- NULL
  expect_identical(own, alone$results)
  expect_identical(table_of(run_benchmark(threads = 1)), table_of(all))
  expect_false(identical(run_benchmark(seed = 2)$results, all$results))
  expect_identical(run_benchmark(seed = 1L)$results, all$results)
  skip_if_not_installed("future")
  old <- future::plan("multisession", workers = 2)
  withr::defer(future::plan(old))
  column <- 1L
  double <- function(x) 2 * x
  rankers <- small_rankers()
  # A ranker function may use objects of its environment.
  rankers$first <- function(data) double(data$x[, column]) / 2
  expect_identical(table_of(run_benchmark(rankers)), table_of(all))
  # A metric, a helper called like an internal function, and the predict() method of another class may use such
  # objects, too.
  assign("f", function(x) x, globalenv())
  assign("predict.of_nobody", function(object, data) f(data$x[, object$column]), globalenv())
  withr::defer(rm(f, predict.of_nobody, envir = globalenv()))
  helped <- metric_custom("first", function(grades) f(as.numeric(grades[1])))
  environment(helped$value) <- globalenv()
  reads <- function(data) f(data$x[, 1])
  environment(reads) <- globalenv()
  model <- structure(list(column = 1), class = "of_nobody")
  on_workers <- run_benchmark(list(reads = reads, model = model), metrics = list(helped))
  expect_true(all(on_workers$runs$status == "done"))
  future::plan("sequential")
  expect_identical(table_of(run_benchmark(list(reads = reads, model = model),
                                          metrics = list(helped))), table_of(on_workers))
})

test_that("memory is the peak of the process", {
  skip_if_quick()
  skip_if_not(file.exists("/proc/self/clear_refs") && file.access("/proc/self/clear_refs", 2) == 0)
  local_function("collect_vectors", collect_vectors)
  benchmark <- run_benchmark(list(heavy = function(data) {
    x <- numeric(4e7)
    x[] <- 1
    data$x[, 1] * x[1]
  }, light = function(data) data$x[, 1]))
  peak <- tapply(benchmark$runs$memory_mb, benchmark$runs$ranker, min)
  expect_gt(peak[["heavy"]], 250)
  expect_lt(peak[["light"]], 100)
})

test_that("vectors without references are freed, also those that survived a collection", {
  # A finalizer runs after a collection, and what it holds is freed by the next one.
  for (i in 1:2) gc(FALSE)
  collect_vectors()
  used <- gc(FALSE)[2L, 2L]
  # 30 MB. Other objects of the session may be freed meanwhile.
  old <- numeric(4e6)
  # Two partial collections move the vector into the oldest generation.
  for (i in 1:3) gc(FALSE, full = FALSE)
  rm(old)
  expect_gt(gc(FALSE, full = FALSE)[2L, 2L], used + 15)
  collect_vectors()
  expect_lt(gc(FALSE, full = FALSE)[2L, 2L], used + 5)
})

test_that("progress is signalled to progressr", {
  skip_if_quick()
  skip_if_not_installed("progressr")
  withr::local_options(progressr.enable = TRUE)
  steps <- 0
  withCallingHandlers(run_benchmark(small_rankers()["first"]), progression = function(p) {
    if (inherits(p, "progression") && identical(p$type, "update")) steps <<- steps + p$amount
  })
  expect_identical(steps, 3)
})
