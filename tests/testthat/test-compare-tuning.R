test_that("a grid is tuned on the validation part", {
  skip_if_quick()
  data <- benchmark_data()
  folds <- query_folds(data, 3, seed = 5)
  parts <- split_parts(folds, data, 1)
  grid <- list(base = list(base_stump(), base_tree(16)), rounds = c(3, 25))
  benchmark <- run_benchmark(list(boosted = adaboost_mh(), trees = gbrt(trees = 10)),
                             tune = list(boosted = grid, trees = list(max_depth = c(2, 8))))
  values <- expand.grid(base = 1:2, rounds = c(3, 25))
  held_out <- apply(values, 1, function(v) {
    model <- fit(adaboost_mh(grid$base[[v[["base"]]]], rounds = v[["rounds"]]), parts$train,
                 validation = parts$valid)
    summary(evaluate(model, parts$valid, "ndcg@10"))$mean
  })
  run <- benchmark$runs[benchmark$runs$fold == "fold1" & benchmark$runs$ranker == "boosted", ]
  expect_equal(run$validation, max(held_out))
  best <- values[which.max(held_out), ]
  expect_identical(run$tuned, sprintf("base = %s, rounds = %s",
                                      format(grid$base[[best$base]]), best$rounds))
  expect_match(benchmark$runs$tuned[benchmark$runs$ranker == "trees"], "^max_depth = [28]$")
  # If num_leaves is not given, it follows from max_depth.
  expect_identical(rankmix:::with_settings(gbrt(), list(max_depth = 3))$num_leaves, 8)
  expect_identical(rankmix:::with_settings(gbrt(max_depth = 5), list(max_depth = 3))$num_leaves, 8)
  expect_identical(rankmix:::with_settings(gbrt(num_leaves = 5), list(max_depth = 4)),
                   gbrt(num_leaves = 5, max_depth = 4))
  expect_identical(rankmix:::with_settings(gbrt(num_leaves = 5), list(learning_rate = 0.2)),
                   gbrt(num_leaves = 5, learning_rate = 0.2))
})

test_that("the validation part chooses one classifier of a path", {
  data <- simulate_ranking(60, seed = 1)$data
  folds <- query_folds(data, 3, seed = 1)
  benchmark <- benchmark_rankers(list(svm = mcsvm(10^(-5:0))), folds, data = data,
                                 verbose = FALSE)
  for (fold in 1:3) {
    parts <- split_parts(folds, data, fold)
    path <- fit(mcsvm(10^(-5:0)), parts$train, validation = parts$valid)
    best <- path$path[[which.max(vapply(path$path, `[[`, 0, "value"))]]
    expect_identical(benchmark$runs$tuned[fold], format(best$spec))
    expect_identical(benchmark$results$value[benchmark$results$fold == paste0("fold", fold)],
                     evaluate(best, parts$test, metric_ndcg(10))$value)
  }
})
