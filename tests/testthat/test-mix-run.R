run_mixture <- function(checkpoint = NULL, ..., seed = 1) {
  tune_and_mix(example_part("train"), example_part("vali"),
               list(adaboost_mh(tree(4), rounds = 30, feature_share = 0.5),
                    adaboost_mh(stump(), rounds = 30), mcsvm_free()),
               list(naive(), rbc()), grid = member_grid(features = c("original", "standardized")),
               seed = seed, checkpoint = checkpoint, ...)
}
mcsvm_free <- function() adaboost_mh(product(2), rounds = 20)

test_that("a run directory gives the same mixture, and is gone on from", {
  folder <- local_folder()
  plain <- run_mixture()
  expect_identical(run_mixture(folder), plain)
  files <- list.files(folder, "^task-", full.names = TRUE)
  expect_length(files, 6L)
  # Two were not trained before the run was killed; one was being written.
  unlink(files[2:3])
  writeLines("half", file.path(folder, "x.partial"))
  times <- file.mtime(files[c(1, 4:6)])
  expect_identical(run_mixture(folder), plain)
  expect_identical(file.mtime(files[c(1, 4:6)]), times)
  # The seed of the run holds.
  expect_identical(run_mixture(folder, seed = NULL), plain)
})

test_that("a budget of models counts those of an earlier run", {
  folder <- local_folder()
  expect_length(run_mixture(folder, budget = mix_budget(2))$classifiers, 2L)
  expect_length(run_mixture(folder, budget = mix_budget(3))$classifiers, 3L)
  expect_identical(run_mixture(folder), run_mixture())
})

test_that("a share of the data is part of what a run is", {
  folder <- local_folder()
  by_share <- function(share, folder = NULL) {
    tune_and_mix(example_part("train"), classifiers = adaboost_mh(stump(), rounds = 3),
                 calibrators = naive(), hold_out = holding_out(share), seed = 1,
                 checkpoint = folder)
  }
  expect_identical(by_share(0.8, folder), by_share(0.8))
  expect_error(by_share(0.6, folder), class = "rankmix_error_run")
})

test_that("models that cannot be read are trained again, and one that cannot be written is kept", {
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
    tune_and_mix(train, example_part("vali"), adaboost_mh(stump(), rounds = 3), naive(),
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

test_that("a killed run goes on to the identical mixture", {
  skip_if_not_installed("callr")
  folder <- local_folder()
  spec <- function() {
    list(adaboost_mh(tree(8), rounds = 3000), adaboost_mh(stump(), rounds = 3000),
         adaboost_mh(tree(6), rounds = 3000, feature_share = 0.5))
  }
  run <- function(folder, spec) {
    train <- rankmix::read_letor(system.file("extdata", "train.txt.gz", package = "rankmix"))
    valid <- rankmix::read_letor(system.file("extdata", "vali.txt.gz", package = "rankmix"))
    rankmix::tune_and_mix(train, valid, spec, rankmix::naive(),
                          weigh = rankmix::weighing(rounds = c(100, 3000)),
                          seed = 1, threads = 1, checkpoint = folder)
  }
  process <- callr::r_bg(run, list(folder, spec()), libpath = .libPaths())
  deadline <- Sys.time() + 60
  while (length(list.files(folder, "^task-")) < 1L && Sys.time() < deadline) Sys.sleep(0.01)
  process$kill()
  trained <- length(list.files(folder, "^task-"))
  expect_gte(trained, 1L)
  expect_lt(trained, 3L)
  expect_identical(run(folder, spec()), run(NULL, spec()))
})

local_plan <- function(..., env = parent.frame()) {
  skip_if_not_installed("future")
  old <- future::plan(...)
  withr::defer(future::plan(old), envir = env)
}

test_that("workers give the same mixture, and read the data once", {
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
  expect_length(run_mixture(budget = mix_budget(3))$classifiers, 3L)
  # A worker that has read the data needs the file no more.
  reads <- future::value(future::future({
    folder <- tempfile("run")
    train <- rankmix::simulate_ranking(20, seed = 1)$data
    tasks <- rankmix:::grid_tasks(list(rankmix::adaboost_mh(rankmix::stump(), rounds = 2)),
                                  rankmix::member_grid(features = c("original", "standardized")),
                                  1)
    run <- rankmix:::open_run(folder, "tune_and_mix()", list(train = train), 1)
    work <- rankmix:::training_work(train)
    run$share("train", work$data)
    file <- run$data_file("train")
    first <- rankmix:::work_on_task(tasks[[1]], work, run$folder, file, 1L)
    unlink(file)
    c(first, rankmix:::work_on_task(tasks[[2]], work, run$folder, file, 1L))
  }, seed = NULL))
  expect_identical(reads, c("done", "done"))
})

test_that("errors of a training are those that it has without workers", {
  local_plan(future::multisession, workers = 2)
  missing <- example_part("train")
  missing$x[1, 1] <- NA
  expect_error(tune_and_mix(missing, example_part("vali"), mcsvm(missing = "error"),
                            naive(), seed = 1),
               class = "rankmix_error_missing")
})

# On workers its training kills the process, as the system does where memory runs out: once,
# if there is a file to say that it was done.
deadly <- function(spec, once = NULL) {
  row <- rankmix:::row_of(spec)
  train <- row$train
  here <- Sys.getpid()
  force(once)  # a file, and not another in each process
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
               list(adaboost_mh(stump(), rounds = 5), spec,
                    adaboost_mh(tree(3), rounds = 5)),
               naive(), seed = 1, checkpoint = folder)
}

test_that("what is lost with a worker is trained once more", {
  skip_on_os("windows")
  local_deadly_plan()
  spec <- deadly(adaboost_mh(tree(4), rounds = 5), once = withr::local_tempfile())
  mixture <- mix_deadly(spec, local_folder())
  expect_length(mixture$classifiers, 3L)
  expect_identical(mixture$skipped, character())
})

test_that("what is lost twice is reported, and the rest goes on", {
  skip_on_os("windows")
  local_deadly_plan()
  folder <- local_folder()
  expect_warning(mixture <- mix_deadly(deadly(adaboost_mh(tree(4), rounds = 5)), folder),
                 "lost twice", class = "rankmix_warning_worker")
  expect_identical(unique(mixture$members$classifier),
                   c("adaboost_mh(stump())", "adaboost_mh(tree(3))"))
  expect_identical(mixture$skipped, c(specification = "adaboost_mh(tree(4))"))
  expect_error(suppressWarnings(
    tune_and_mix(example_part("train"), example_part("vali"),
                 deadly(adaboost_mh(tree(4), rounds = 5)), naive(), seed = 1)
  ), class = "rankmix_error_worker")
})
