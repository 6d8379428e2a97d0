train <- example_part("train")
valid <- example_part("vali")
test <- example_part("test")
small <- mixture(adaboost_mh(base_tree(4), 10), gbrt(10, num_leaves = 4), best_feature(),
                 calibrators = list(calibrator_naive(), calibrator_rbc()), weights = mix_weights(c = c(0, 20)))
fitted <- function(spec, ...) fit(spec, train, ..., seed = 1, verbose = FALSE)

test_that("a mixture prints as its call", {
  expect_identical(format(mixture(gbrt(50), stump_boost <- adaboost_mh(base_stump(), 10))),
                   "mixture(gbrt(trees = 50, num_leaves = 31, learning_rate = 0.1), adaboost_mh(base_stump()))")
  spec <- mixture(mcsvm(c(0.1, 1)), calibrators = list(calibrator_naive(), calibrator_rbc("polynomial", degree = 3)),
                  metric = "err", weights = mix_weights(threshold = 0.3), holdout = mix_holdout(0.7),
                  grid = mix_grid("three"), budget = mix_budget(models = 4))
  expect_identical(eval(parse(text = format(spec))), spec)
  model <- fit(gbrt(3), train, seed = 1)
  expect_identical(format(mixture(model)),
                   "mixture(<model of gbrt(trees = 3, num_leaves = 31, learning_rate = 0.1)>)")
  expect_output(print(small), "<specification> mixture(adaboost_mh(base_tree(4)),", fixed = TRUE)
  expect_true(small == update(small, budget = mix_budget()))
  expect_false(small == update(small, calibrators = calibrator_rbc()))
})

test_that("a mixture is updated like other specifications", {
  expect_identical(update(small, calibrators = calibrator_rbc())$calibrators, list(calibrator_rbc()))
  expect_identical(update(small, members = list(gbrt(3)))$members, list(gbrt(3)))
  expect_identical(update(small, members = gbrt(3))$members, list(gbrt(3)))
  expect_identical(update(small, metric = metric_err())$weights, small$weights)
  expect_error(update(small, members = list()), class = "rankmix_error_argument")
  expect_error(update(small, calibrators = calibrator_naive()), class = "rankmix_error_argument")
})

test_that("a mixture has the traits that all its members have", {
  traits <- function(...) rankmix:::traits_of(mixture(...))
  always <- c("resumable", "validation", "random")
  expect_setequal(traits(gbrt(), adaboost_mh()), c(always, "missing", "weights", "sparse", "bins", "distributed"))
  expect_setequal(traits(gbrt(), mcsvm()), c(always, "missing", "weights", "sparse"))
  expect_setequal(traits(gbrt(), mcsvm(missing = "error")), c(always, "weights", "sparse"))
  expect_setequal(traits(best_feature()), c(always, "missing", "weights", "sparse", "one_grade"))
  plain <- new_ranker("plain", function(spec, task) 1, function(model, x) x[, 1])
  expect_setequal(traits(plain(), gbrt()), always)
  # A trained member is not trained again, so it restricts neither bins nor distributed training.
  expect_setequal(traits(fit(mcsvm(), simulate_ranking(20, seed = 1)$data), gbrt()),
                  c(always, "missing", "weights", "sparse", "bins", "distributed"))
  # The error names the member that lacks a trait.
  expect_error(fitted(mixture(gbrt(5), mcsvm(missing = "error"))), "`mcsvm\\(\\)` needs all values",
               class = "rankmix_error_missing")
  expect_snapshot(error = TRUE, {
    fit(small, train, patience = 5)
    fit(small, train, directory = "run")
  })
})

test_that("fit() of a mixture is tune_and_mix()", {
  by_face <- tune_and_mix(train, valid, small$members, small$calibrators, metric_err(),
                          weights = small$weights, seed = 1, verbose = FALSE)
  expect_identical(fitted(small, valid, metric_err()), by_face)
  expect_identical(fitted(update(small, metric = metric_err()), valid, metric_ndcg(10)), by_face)
  parts <- split_parts(split_queries(train, 0.7, seed = 1), train)
  held_out <- update(small, holdout = mix_holdout(0.7))
  # One model keeps the documents of all data for explain(), and the other keeps those of its training part.
  plain <- function(model) model[setdiff(names(model), "background")]
  expect_identical(plain(fitted(held_out)),
                   plain(fit(small, parts$train, parts$test, seed = 1, verbose = FALSE)))
  set.seed(4)
  drawn <- fit(small, train, verbose = FALSE)
  set.seed(4)
  expect_identical(tune_and_mix(train, NULL, small$members, small$calibrators,
                                weights = small$weights, verbose = FALSE), drawn)
})

# The best metric of the four settings below on the validation part.
best_of_four <- function(spec, parts) {
  values <- vapply(list(list(calibrator_rbc()), list(calibrator_naive(), calibrator_rbc("polynomial"))), function(calibrators) {
    vapply(list(mix_weights(0), mix_weights(50)), function(weighting) {
      model <- fit(update(spec, calibrators = calibrators, weights = weighting), parts$train,
                   parts$valid, metric_ndcg(10), verbose = FALSE,
                   seed = rankmix:::derived_seed(1, "mix", "fold1"))
      summary(evaluate(model, parts$valid, metric_ndcg(10, ties = "average")))$mean
    }, 0)
  }, c(0, 0))
  max(values)
}

test_that("a mixture is a row of a benchmark, and is tuned", {
  skip_if_quick()
  data <- simulate_ranking(60, features = 5, seed = 1)$data
  spec <- mixture(adaboost_mh(base_stump(), 5), gbrt(5, num_leaves = 4), calibrators = calibrator_rbc(),
                  weights = mix_weights(c = c(0, 20)))
  rankers <- list(mix = spec, trees = gbrt(5, num_leaves = 4))
  folds <- query_folds(data, 3, seed = 1)
  result <- benchmark_rankers(rankers, folds, metric_ndcg(10), data = data, seed = 1, patience = 5,
                              verbose = FALSE)
  expect_identical(result$runs$status, rep("done", 6))
  # Fits one of the mixtures by hand.
  parts <- split_parts(folds, data, 1)
  model <- fit(spec, parts$train, parts$valid, metric_ndcg(10), verbose = FALSE,
               seed = rankmix:::derived_seed(1, "mix", "fold1"))
  expect_identical(result$scores$fold1$mix, predict(model, parts$test))
  tuned <- benchmark_rankers(
    list(mix = spec), folds, metric_ndcg(10), data = data, seed = 1, verbose = FALSE,
    tune = list(mix = list(calibrators = list(list(calibrator_rbc()), list(calibrator_naive(), calibrator_rbc("polynomial"))),
                           weights = list(mix_weights(0), mix_weights(50))))
  )
  expect_match(tuned$runs$tuned, "calibrators = list\\(calibrator_(rbc|naive).*, weights = mix_weights\\(c = ")
  expect_equal(tuned$runs$validation[1], best_of_four(spec, parts))
  curve <- learning_curve(list(mix = spec), parts, fractions = c(0.5, 1), seed = 1, verbose = FALSE)
  expect_identical(nrow(summary(curve)), 2L)
})

test_that("a mixture is a member of mix()", {
  mixed <- mix(list(mixture = fitted(small, valid), single = fit(best_feature(), train)), test)
  expect_identical(mixed$members$ranker, c("mixture", "single"))
  expect_true(all(is.finite(predict(mixed, test))))
})

test_that("a killed fit resumes to the same mixture, and a run belongs to its data", {
  skip_if_quick()
  skip_if_not_installed("callr")
  folder <- local_folder()
  spec <- mixture(gbrt(300), adaboost_mh(base_stump(), rounds = 300), gbrt(300, num_leaves = 7),
                  calibrators = list(calibrator_naive(), calibrator_rbc()), weights = mix_weights(rounds = c(50, 200)))
  run <- function(folder, spec) {
    read <- function(part) {
      rankmix::read_letor(system.file("extdata", paste0(part, ".txt.gz"), package = "rankmix"))
    }
    rankmix::fit(spec, read("train"), read("vali"), seed = 1, threads = 1, checkpoint = folder)
  }
  process <- stopped_process(run, list(folder, spec), folder)
  process$kill()
  done <- list.files(folder, "^task-", full.names = TRUE)
  expect_length(done, 1L)
  times <- file.mtime(done)
  expect_identical(run(folder, spec), run(NULL, spec))
  expect_identical(file.mtime(done), times)
  # The seed of the run is used. The folder belongs to these data and cannot be used for other data.
  expect_identical(fit(spec, train, valid, verbose = FALSE, checkpoint = folder)$seed, 1)
  expect_error(fit(spec, train, test, verbose = FALSE, checkpoint = folder),
               class = "rankmix_error_run")
})
