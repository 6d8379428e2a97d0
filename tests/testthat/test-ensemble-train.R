test_that("a budget of models also counts the models of an earlier run", {
  folder <- local_folder()
  expect_length(run_mixture(folder, budget = mix_budget(2))$models, 2L)
  expect_length(run_mixture(folder, budget = mix_budget(3))$models, 3L)
  expect_identical(run_mixture(folder), run_mixture())
})

test_that("a killed run resumes to the identical mixture", {
  skip_if_not_installed("callr")
  folder <- local_folder()
  spec <- function() {
    list(adaboost_mh(base_tree(8), rounds = 300), adaboost_mh(base_stump(), rounds = 300),
         adaboost_mh(base_tree(6), rounds = 300, feature_fraction = 0.5))
  }
  run <- function(folder, spec) {
    train <- rankmix::read_letor(system.file("extdata", "train.txt.gz", package = "rankmix"))
    valid <- rankmix::read_letor(system.file("extdata", "vali.txt.gz", package = "rankmix"))
    rankmix::tune_and_mix(train, valid, spec, rankmix::calibrator_naive(),
                          weights = rankmix::mix_weights(rounds = c(100, 300)),
                          seed = 1, threads = 1, checkpoint = folder)
  }
  process <- stopped_process(run, list(folder, spec()), folder)
  process$kill()
  expect_length(list.files(folder, "^task-"), 1L)
  expect_identical(run(folder, spec()), run(NULL, spec()))
})

test_that("a training that fails is named, and the others are mixed", {
  train <- example_part("train")
  valid <- example_part("vali")
  folder <- local_folder()
  train$x[1, 1] <- NA
  broken <- new_ranker("broken", function(spec, task) stop("out of luck"),
                       function(model, x) x[, 1], traits = "missing")
  mix_both <- function(...) {
    tune_and_mix(train, valid, list(adaboost_mh(base_stump(), 5), ...), list(calibrator_rbc()), seed = 1,
                 checkpoint = folder, verbose = FALSE)
  }
  expect_snapshot(mixture <- mix_both(broken()))
  expect_warning(mix_both(broken()), class = "rankmix_warning_member")
  expect_identical(mixture$skipped, c(specification = "broken()"))
  expect_identical(mixture$members$classifier, "adaboost_mh(base_stump())")
  expect_output(print(mixture), "Not trained: `broken")
  # Nothing of the failed training was kept, so the ranker is trained again.
  again <- expect_no_warning(mix_both(linear_ranker(penalty = 1)))
  expect_length(again$models, 2L)
  # If there is no other ranker, the error of the training is raised.
  expect_error(tune_and_mix(train, valid, broken(), list(calibrator_rbc()), seed = 1, verbose = FALSE),
               "out of luck")
})

test_that("if only refitting fails, the failure is reported and the first model stays", {
  fails_again <- function(spec) {
    entry <- rankmix:::entry_of(spec)
    train <- entry$train
    all <- length(example_part("train")$query_ids) + length(example_part("vali")$query_ids)
    entry$train <- function(spec, task) {
      if (length(task$data$query_ids) == all) stop("boom")
      train(spec, task)
    }
    structure(spec, row = entry)
  }
  refit <- function(members) {
    tune_and_mix(example_part("train"), example_part("vali"), members, list(calibrator_rbc("linear")),
                 holdout = mix_holdout(refit = TRUE), seed = 1, verbose = FALSE)
  }
  failing <- fails_again(linear_ranker(penalty = 1))
  expect_warning(alone <- refit(list(failing)), "1 of 1 trainings failed", class = "rankmix_warning_member")
  expect_identical(names(alone$skipped), "refit")
  warning <- tryCatch(refit(list(failing, gbrt(5))), rankmix_warning_member = function(w) conditionMessage(w))
  expect_match(warning, "boom", fixed = TRUE)
  expect_match(warning, "The mixture keeps the models of the training queries.", fixed = TRUE)
})
