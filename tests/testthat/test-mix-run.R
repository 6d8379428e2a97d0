test_that("a budget of models counts those of an earlier run", {
  folder <- local_folder()
  expect_length(run_mixture(folder, budget = mix_budget(2))$classifiers, 2L)
  expect_length(run_mixture(folder, budget = mix_budget(3))$classifiers, 3L)
  expect_identical(run_mixture(folder), run_mixture())
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
