# Starts daemons by `mirai::daemons()` until the end of the test.
local_daemons <- function(n = 2, env = parent.frame()) {
  daemons <- from_package("mirai", "daemons")
  daemons(n)
  withr::defer(daemons(0), envir = env)
}

tasks_of <- function(n) lapply(seq_len(n), function(i) list(key = paste0("k", i), part = "all", i = i))

# Workers also have the functions of the package, so no function of the test is sent.
work_of <- function(perform) {
  list(label = "Work", data = function(part) 10, prepare = function(data, threads) data, perform = perform,
       steps = function(task) 1)
}

no_run <- list(folder = NULL, load = function(task) NULL, save = function(task, result) NULL)

run_here <- function(tasks, work, ..., report = function() NULL) {
  run_tasks(tasks, work, no_run, new_budget(Inf, Inf), 2L, FALSE, report)
}

test_that("without a plan or daemons there is no backend", {
  expect_null(worker_backend())
  expect_false(uses_workers())
  expect_identical(worker_count(), 1)
})

test_that("a plan has precedence over daemons", {
  local_function("uses_future", function() TRUE)
  local_function("uses_mirai", function() TRUE)
  expect_identical(worker_backend(), future_backend)
  local_function("uses_future", function() FALSE)
  expect_identical(worker_backend(), mirai_backend)
})

test_that("daemons are found, and give the results of this process", {
  work <- work_of(function(task, prepared, threads, progress) list(prepared * task$i, threads, Sys.getpid()))
  local_daemons()
  expect_identical(worker_backend(), mirai_backend)
  expect_equal(worker_count(), 2)
  reports <- 0L
  set.seed(4)
  drawn <- runif(1)
  set.seed(4)
  done <- run_here(tasks_of(5), work, report = function() reports <<- reports + 1L)
  expect_identical(runif(1), drawn)
  expect_identical(vapply(done, `[[`, 0, 1L), 10 * 1:5)
  expect_identical(unique(lapply(done, `[[`, 2L)), list(1))
  expect_false(Sys.getpid() %in% unlist(lapply(done, `[[`, 3L)))
  expect_identical(reports, 5L)
  expect_identical(attr(done, "lost"), logical(5))
})

test_that("errors of a task are raised, and other tasks end", {
  work <- work_of(function(task, prepared, threads, progress) {
    if (task$i == 2L) rlang::abort("Task two.", class = "my_error")
    if (task$i > 2L) Sys.sleep(30)
    task$i
  })
  local_daemons()
  seconds <- system.time(expect_error(run_here(tasks_of(4), work), "Task two", class = "my_error"))[["elapsed"]]
  expect_lt(seconds, 20)
  # The daemons can be used again.
  expect_identical(run_here(tasks_of(2), work_of(function(task, prepared, threads, progress) task$i))[1:2],
                   list(1L, 2L))
})

test_that("globals of the user's functions are sent, and leave nothing behind", {
  skip_if_not_installed("future")
  local_daemons(1)
  f <- function(x) x + rankmix_test_offset
  environment(f) <- globalenv()
  assign("rankmix_test_offset", 3, globalenv())
  withr::defer(rm("rankmix_test_offset", envir = globalenv()))
  tasks <- list(list(key = "a", part = "all", f = f))
  done <- run_here(tasks, work_of(function(task, prepared, threads, progress) task$f(prepared)))
  expect_identical(done[[1L]], 13)
  seen <- from_package("mirai", "mirai")(exists("rankmix_test_offset", globalenv()))
  expect_false(from_package("mirai", "call_mirai")(seen)$data)
})

test_that("a task whose daemon died is done once more, and twice lost is lost", {
  skip_on_os("windows")
  file <- withr::local_tempfile()
  work <- work_of(function(task, prepared, threads, progress) {
    dies <- task$always || !file.exists(task$file)
    if (task$i == 1L && dies) {
      file.create(task$file)
      tools::pskill(Sys.getpid(), 9)
    }
    task$i
  })
  tasks <- lapply(tasks_of(3), c, list(file = file, always = FALSE))
  local_daemons()
  done <- run_here(tasks, work)
  expect_identical(done[1:3], list(1L, 2L, 3L))
  expect_equal(worker_count(), 1)
  from_package("mirai", "daemons")(0)
  local_daemons(3)
  tasks[[1L]]$always <- TRUE
  done <- run_here(tasks, work)
  expect_identical(done[1:3], list(NULL, 2L, 3L))
  expect_identical(attr(done, "lost"), c(TRUE, FALSE, FALSE))
})

test_that("without any daemon left, tasks are lost and nothing waits for ever", {
  skip_on_os("windows")
  local_function("seconds_to_connect", 0.3)
  work <- work_of(function(task, prepared, threads, progress) tools::pskill(Sys.getpid(), 9))
  local_daemons(1)
  done <- run_here(tasks_of(3), work)
  expect_identical(attr(done, "lost"), rep(TRUE, 3))
})

test_that("daemons train the same mixture and benchmark, and tune to the same settings", {
  skip_if_quick()
  skip_if_not_installed("mirai")
  mixture <- run_mixture()
  benchmark <- run_benchmark()
  data <- simulate_ranking(60, documents = 8, seed = 1)$data
  tune <- function() {
    tune_ranker(gbrt(trees = 20), data, folds = 2, budget = 6, patience = 5, seed = 1, verbose = FALSE)
  }
  tuned <- tune()
  local_daemons()
  expect_identical(run_mixture(), mixture)
  expect_identical(table_of(run_benchmark()), table_of(benchmark))
  again <- tune()
  expect_identical(again$candidates, tuned$candidates)
  expect_identical(predict(again, data), predict(tuned, data))
})
