# One ranker of each kind.
kept_rankers <- function() {
  list(trees = gbrt(trees = 5, bagging_fraction = 0.5),
       given = fit(best_feature(), example_part("test"), seed = 1, threads = 1),
       trained = function(train, valid) fit(gbrt(trees = 3), train, seed = 3, threads = 1),
       scores = function(train, valid) function(data) data$x[, 1], first = function(data) data$x[, 2])
}

expect_kept <- function(benchmark, rankers, scores = benchmark$scores) {
  data <- benchmark_data()
  folds <- query_folds(data, 3, seed = 5)
  expect_named(benchmark$models, paste0("fold", 1:3))
  for (fold in 1:3) {
    models <- benchmark$models[[fold]]
    expect_named(models, rankers)
    test <- split_parts(folds, data, fold)$test
    for (ranker in rankers) {
      # The kept model is the one of the first training, which is column 1.
      expect_identical(as.vector(predict(models[[ranker]], test)), as.matrix(scores[[fold]][[ranker]])[, 1L])
    }
  }
}

test_that("keep_models = TRUE keeps models, and changes no result", {
  plain <- run_benchmark(kept_rankers(), threads = 1)
  expect_null(plain$models)
  kept <- run_benchmark(kept_rankers(), threads = 1, keep_models = TRUE)
  expect_identical(table_of(kept), table_of(plain))
  expect_kept(kept, c("trees", "given", "trained"))
  # Each fold keeps its own models.
  expect_false(identical(kept$models$fold1$trees, kept$models$fold2$trees))
  expect_error(run_benchmark(kept_rankers(), keep_models = 1), "`keep_models`", class = "rankmix_error_argument")
})

test_that("with several trainings, the models of the first training are kept", {
  skip_if_quick()
  plain <- run_benchmark(kept_rankers(), threads = 1, keep_models = TRUE)
  several <- run_benchmark(kept_rankers(), threads = 1, keep_models = TRUE, repeats = 2)
  expect_kept(several, c("trees", "given", "trained"))
  expect_identical(several$models, plain$models)
})

test_that("failed rankers have no model, and tuned rankers have the chosen model", {
  skip_if_quick()
  rankers <- list(bad = function(train, valid) if (nrow(train) %% 2 == 0) stop("even") else fit(best_feature(), train),
                  trees = gbrt(trees = 5))
  kept <- suppressWarnings(run_benchmark(rankers, threads = 1, keep_models = TRUE,
                                         tune = list(trees = list(num_leaves = c(2, 8)))))
  done <- kept$runs$status[kept$runs$ranker == "bad"] == "done"
  expect_true(any(done) && !all(done))
  expect_identical(unname(vapply(kept$models, function(models) !is.null(models$bad), NA)), done)
  chosen <- kept$runs$tuned[kept$runs$ranker == "trees"]
  expect_identical(unname(vapply(kept$models, function(models) sprintf("num_leaves = %d", models$trees$spec$num_leaves),
                                 "")), chosen)
})

test_that("a directory keeps models, and rankers stored without a model are trained again", {
  skip_if_quick()
  folder <- local_folder()
  rankers <- kept_rankers()
  files <- function() {
    found <- list.files(folder, "^task-", full.names = TRUE)
    stats::setNames(file.mtime(found), basename(found))
  }
  plain <- run_benchmark(rankers, threads = 1, directory = folder)
  before <- files()
  Sys.sleep(0.05)
  kept <- run_benchmark(rankers, threads = 1, directory = folder, keep_models = TRUE)
  expect_identical(table_of(kept), table_of(plain))
  expect_kept(kept, c("trees", "given", "trained"))
  # Models that are stored are not trained again.
  after <- files()
  expect_identical(names(after), names(before))
  expect_identical(sum(after == before), 3L)
  again <- run_benchmark(rankers, threads = 1, directory = folder, keep_models = TRUE)
  expect_identical(files(), after)
  expect_identical(again$models, kept$models)
  # A call without models uses results that were stored with models.
  expect_null(run_benchmark(rankers, threads = 1, directory = folder)$models)
  expect_identical(files(), after)
})

test_that("workers keep the same models", {
  skip_if_quick()
  skip_if_not_installed("future")
  rankers <- kept_rankers()
  here <- run_benchmark(rankers, threads = 1, keep_models = TRUE)
  old <- future::plan("multisession", workers = 2)
  withr::defer(future::plan(old))
  there <- run_benchmark(rankers, threads = 1, keep_models = TRUE)
  expect_identical(table_of(there), table_of(here))
  expect_kept(there, c("trees", "given", "trained"))
})
