local_plan <- function(..., env = parent.frame()) {
  skip_if_not_installed("future")
  old <- future::plan(...)
  withr::defer(future::plan(old), envir = env)
}

test_that("workers give the same mixture, and read the data once", {
  skip_if_quick()
  plain <- run_mixture()
  folder <- local_folder()
  local_plan(future::multisession, workers = 2)
  set.seed(5)
  drawn <- runif(1)
  set.seed(5)
  expect_identical(run_mixture(), plain)
  expect_identical(runif(1), drawn)  # a run with a seed leaves R's generator alone
  expect_identical(run_mixture(folder), plain)
  expect_identical(run_mixture(folder), plain)
  expect_length(run_mixture(budget = mix_budget(3))$models, 3L)
  # A worker that has read the data does not need the file any more.
  reads <- future::value(future::future({
    folder <- tempfile("run")
    train <- rankmix::simulate_ranking(20, seed = 1)$data
    tasks <- rankmix:::grid_tasks(list(rankmix::adaboost_mh(rankmix::base_stump(), rounds = 2)),
                                  rankmix::mix_grid(features = c("original", "standardized")),
                                  1)
    run <- rankmix:::open_run(folder, "tune_and_mix()", list(train = train), 1)
    work <- rankmix:::training_work(train)
    run$share_data("train", work$data)
    file <- run$data_file("train")
    first <- rankmix:::work_on_task(tasks[[1]], work, run[c("folder", "identity")], file, 1L)
    unlink(file)
    second <- rankmix:::work_on_task(tasks[[2]], work, run[c("folder", "identity")], file, 1L)
    run$close()
    c(first, second)
  }, seed = NULL))
  expect_identical(reads, c("done", "done"))
})

test_that("errors of a training are those that it has without workers", {
  local_plan(future::multisession, workers = 2)
  missing <- example_part("train")
  missing$x[1, 1] <- NA
  expect_error(tune_and_mix(missing, example_part("vali"), mcsvm(missing = "error"), calibrator_naive(),
                            seed = 1),
               class = "rankmix_error_missing")
})

# On a worker, the training kills its process, as the system does if memory runs out. If `once` names a file, only the
# first training kills its process.
deadly <- function(spec, once = NULL) {
  row <- rankmix:::entry_of(spec)
  train <- row$train
  here <- Sys.getpid()
  force(once)  # fixes one file name for all processes
  row$train <- function(spec, task) {
    if (Sys.getpid() != here && (is.null(once) || !file.exists(once))) {
      if (!is.null(once)) file.create(once)
      tools::pskill(Sys.getpid(), 9)
    }
    train(spec, task)
  }
  structure(spec, row = row)
}

local_deadly_plan <- function(env = parent.frame()) {
  local_plan(future::multisession, workers = 2, env = env)
}

mix_deadly <- function(spec, folder) {
  tune_and_mix(example_part("train"), example_part("vali"),
               list(adaboost_mh(base_stump(), rounds = 5), spec,
                    adaboost_mh(base_tree(3), rounds = 5)),
               calibrator_naive(), seed = 1, checkpoint = folder)
}

test_that("a training that is lost with its worker is done once more", {
  skip_if_quick()
  skip_on_os("windows")
  local_deadly_plan()
  spec <- deadly(adaboost_mh(base_tree(4), rounds = 5), once = withr::local_tempfile())
  mixture <- mix_deadly(spec, local_folder())
  expect_length(mixture$models, 3L)
  expect_identical(mixture$skipped, character())
})

# On a worker, the training begins after `file` exists, and takes some seconds.
busy <- function(spec, file) {
  row <- rankmix:::entry_of(spec)
  train <- row$train
  here <- Sys.getpid()
  force(file)
  row$train <- function(spec, task) {
    if (Sys.getpid() != here) {
      while (!file.exists(file)) Sys.sleep(0.01)
      Sys.sleep(3)
    }
    train(spec, task)
  }
  structure(spec, row = row)
}

test_that("a task that finds one worker dead and the others busy waits for them", {
  skip_if_quick()
  skip_on_os("windows")
  local_deadly_plan()
  dies <- withr::local_tempfile()
  specs <- list(busy(adaboost_mh(base_stump(), rounds = 5), dies),
                deadly(adaboost_mh(base_tree(4), rounds = 5), once = dies),
                adaboost_mh(base_tree(3), rounds = 5))
  mixture <- tune_and_mix(example_part("train"), example_part("vali"), specs, calibrator_naive(), seed = 1)
  expect_length(mixture$models, 3L)
  expect_identical(mixture$skipped, character())
})

test_that("a training that is lost twice is reported, and the others continue", {
  skip_if_quick()
  skip_on_os("windows")
  local_deadly_plan()
  folder <- local_folder()
  expect_warning(mixture <- mix_deadly(deadly(adaboost_mh(base_tree(4), rounds = 5)), folder),
                 "lost twice", class = "rankmix_warning_worker")
  expect_identical(unique(mixture$members$classifier),
                   c("adaboost_mh(base_stump())", "adaboost_mh(base_tree(3))"))
  expect_identical(mixture$skipped, c(specification = "adaboost_mh(base_tree(4))"))
  expect_error(suppressWarnings(
    tune_and_mix(example_part("train"), example_part("vali"),
                 deadly(adaboost_mh(base_tree(4), rounds = 5)), calibrator_naive(), seed = 1)
  ), class = "rankmix_error_worker")
})

test_that("the bar advances with each task, to the end", {
  work <- list(label = "Work", data = function(part) 1, prepare = function(data, threads) data,
               perform = function(task, shop, threads, progress) task,
               steps = function(task) 2)
  tasks <- lapply(1:3, function(i) list(key = i, part = "all"))
  run <- list(load = function(task) NULL, save = function(task, result) NULL)
  rlang::local_interactive()
  seen <- new.env()
  note <- function(set) seen$steps <- c(seen$steps, set)
  suppressMessages(trace("cli_progress_update", bquote(.(note)(set)), print = FALSE,
                         where = asNamespace("cli")))
  withr::defer(suppressMessages(untrace("cli_progress_update", where = asNamespace("cli"))))
  done <- rankmix:::run_tasks(tasks, work, run, rankmix:::new_budget(Inf, Inf), 1, TRUE)
  expect_identical(seen$steps, c(2, 4, 6))
  expect_identical(done[1:3], tasks)
})

test_that("results are saved before progress is reported", {
  order <- character()
  withr::local_options(rlang_interactive = TRUE)
  cli <- asNamespace("cli")
  note <- function(what) order <<- c(order, what)
  suppressMessages(trace("cli_progress_update", bquote(.(note)("reported")), print = FALSE,
                         where = cli))
  withr::defer(suppressMessages(untrace("cli_progress_update", where = cli)))
  work <- list(label = "Work", data = function(part) NULL,
               prepare = function(data, threads) NULL, steps = function(task) 1,
               perform = function(task, shop, threads, progress) task$key)
  run <- list(folder = NULL, load = function(task) NULL,
              save = function(task, result) note("saved"))
  tasks <- list(list(key = "a", part = "p"), list(key = "b", part = "p"))
  rankmix:::run_tasks(tasks, work, run, rankmix:::new_budget(Inf, Inf), 1, TRUE)
  expect_identical(order, c("saved", "reported", "saved", "reported"))
})

test_that("a failing progress report does not stop the computation", {
  work <- list(label = "Work", data = function(part) NULL,
               prepare = function(data, threads) NULL, steps = function(task) 1,
               perform = function(task, shop, threads, progress) task$key)
  run <- list(folder = NULL, load = function(task) NULL, save = function(task, result) NULL)
  done <- rankmix:::run_tasks(list(list(key = "a", part = "p")), work, run,
                              rankmix:::new_budget(Inf, Inf), 1, FALSE,
                              report = function() stop("no one listens"))
  expect_identical(done[[1L]], "a")
})

test_that("workers get bins that are in memory, also bins of parts of a file", {
  frame <- as.data.frame(simulate_ranking(30, documents = 8, features = 5, seed = 1)$data)
  file <- withr::local_tempfile(fileext = ".bins")
  for (data in list(binned_data(frame, relevance, query, verbose = FALSE),
                    binned_data(frame, relevance, query, file = file, verbose = FALSE))) {
    rankers <- list(few = gbrt(3, min_data_in_leaf = 3), many = gbrt(6, min_data_in_leaf = 3))
    folds <- query_folds(data, 3, seed = 1)
    results <- function() {
      benchmark <- benchmark_rankers(rankers, folds, metric_ndcg(5), data = data, seed = 1, threads = 1,
                                     verbose = FALSE)
      mixture <- tune_and_mix(data[1:24], members = rankers, seed = 1, threads = 1, verbose = FALSE)
      tuned <- tune_ranker(gbrt(min_data_in_leaf = 3), data, folds = 2, budget = 6, seed = 1, threads = 1,
                           verbose = FALSE)
      list(tidy(benchmark)$mean, predict(mixture, data), as.data.frame(tuned$table)$mean)
    }
    expected <- results()
    found <- local({
      local_plan(future::multisession, workers = 2)
      results()
    })
    expect_identical(found, expected)
  }
})

test_that("a run directory with bins can be moved", {
  folder <- local_folder()
  data <- binned_data(as.data.frame(random_data()), relevance, query, verbose = FALSE)
  dir.create(file.path(folder, "a"), recursive = TRUE)
  save_shared(list(train = data[1:6], valid = list(data[7:12]), rest = 1), file.path(folder, "a", "data-x.rds"))
  file.rename(file.path(folder, "a"), file.path(folder, "b"))
  read <- read_shared(file.path(folder, "b", "data-x.rds"))
  model <- fit(gbrt(3, min_data_in_leaf = 3), data, seed = 1, threads = 1)
  expect_identical(predict(model, read$train), predict(model, data[1:6]))
  expect_identical(predict(model, read$valid[[1]]), predict(model, data[7:12]))
  expect_identical(read$rest, 1)
})

test_that("workers get the functions that a ranker of new_ranker() calls", {
  skip_if_not_installed("future")
  assign("rankmix_test_helper", function(x) x, globalenv())
  withr::defer(rm("rankmix_test_helper", envir = globalenv()))
  train <- function(spec, task) rankmix_test_helper(1)
  score <- function(model, x) rankmix_test_helper(x[, 1])
  environment(train) <- environment(score) <- globalenv()
  own <- new_ranker("own", train, score, traits = c("regression", "weights"))
  for (spec in list(own(), bagging(own(), times = 2), mixture(own(), gbrt(2)))) {
    needs <- rankmix:::needs_of_functions(rankmix:::functions_in(list(key = "a", spec = spec)))
    expect_true("rankmix_test_helper" %in% names(needs$globals), info = format(spec))
  }
  expect_length(rankmix:::functions_in(list(spec = gbrt(2))), 0L)
})
