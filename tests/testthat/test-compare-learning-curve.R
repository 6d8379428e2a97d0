example_fold <- function() {
  list(train = example_part("train"), valid = example_part("vali"), test = example_part("test"))
}

curve_rankers <- function() {
  list(boosted = adaboost_mh(base_tree(4), rounds = 10), feature = best_feature())
}

test_that("each fraction trains on the first queries of its order", {
  fold <- example_fold()
  seen <- new.env()
  seen$queries <- list()
  watcher <- function(train, valid) {
    seen$queries <- c(seen$queries, list(train$query_ids))
    function(data) data$x[, 1]
  }
  curve <- learning_curve(list(watcher = watcher), fold, fractions = c(1, 0.2, 0.5),
                          order = c("random", "easy_first", "hard_first"), seed = 3)
  n <- length(fold$train$query_ids)
  expect_identical(lengths(seen$queries), rep(as.integer(round(c(0.2, 0.5, 1) * n)), 3))
  for (i in c(0, 3, 6)) {
    expect_true(all(seen$queries[[i + 1]] %in% seen$queries[[i + 2]]))
    expect_setequal(seen$queries[[i + 3]], fold$train$query_ids)
  }
  feature <- fit(best_feature(), fold$train)
  ease <- evaluate(feature, fold$train, metric_ndcg(10))
  easy <- ease$query %in% seen$queries[[4]]
  expect_gte(min(ease$value[easy]), max(ease$value[!easy]))
  hard <- ease$query %in% seen$queries[[7]]
  expect_lte(max(ease$value[hard]), min(ease$value[!hard]))
  expect_false(setequal(seen$queries[[1]], fold$train$query_ids[seq_len(sum(easy))]))
})

test_that("the whole fraction is a benchmark, and repeats are averaged by query", {
  skip_if_quick()
  fold <- example_fold()
  curve <- learning_curve(curve_rankers(), fold, fractions = c(0.3, 1), repeats = 2, seed = 1)
  table <- summary(curve)
  whole <- evaluate(fit(best_feature(), fold$train), fold$test, metric_ndcg(10))
  row <- table[table$ranker == "feature" & table$fraction == 1, ]
  expect_equal(row$mean, mean(whole$value))
  expect_equal(row$se, sd(whole$value) / sqrt(nrow(whole)))
  part <- curve$results[curve$results$ranker == "boosted" & curve$results$fraction == 0.3, ]
  by_query <- tapply(part$value, part$query, mean)
  expect_equal(table$mean[table$ranker == "boosted" & table$fraction == 0.3], mean(by_query))
  expect_equal(table$se[table$ranker == "boosted" & table$fraction == 0.3],
               sd(by_query) / sqrt(length(by_query)))
  wider <- summary(curve, level = 0.99)
  expect_error(summary(curve, level = 95), class = "rankmix_error_argument")
  expect_error(summary(curve, levl = 0.9), class = "rankmix_error_argument")
  expect_true(all(wider$lower < table$lower & wider$upper > table$upper))
  expect_false(identical(part$value[part$repetition == 1], part$value[part$repetition == 2]))
  expect_identical(table$train_queries[table$fraction == 0.3],
                   rep(round(0.3 * length(fold$train$query_ids)), 2))
  # Orders by difficulty are not random, so they are not repeated.
  hard <- learning_curve(curve_rankers()["feature"], fold, fractions = 1, order = "hard_first",
                         repeats = 3, seed = 1)
  expect_identical(unique(hard$results$repetition), 1L)
})

test_that("orders by difficulty agree with the metric, on workers too", {
  skip_if_quick()
  skip_if_not_installed("future")
  fold <- example_fold()
  folder <- local_folder()
  run <- function(metric, directory = NULL) {
    learning_curve(list(trees = gbrt(trees = 5)), fold, fractions = 0.2, order = "hard_first",
                   metric = metric, seed = 1, directory = directory)$results
  }
  here <- list(run("ndcg@10"), run(metric_precision(3)))
  old <- future::plan("multisession", workers = 2)
  withr::defer(future::plan(old))
  expect_identical(run("ndcg@10", folder), here[[1]])
  expect_identical(run(metric_precision(3), folder), here[[2]])
  # The data of a fold are stored once.
  expect_length(list.files(folder, "^data-"), 1L)
})

test_that("points in which a ranker failed are left out", {
  fold <- example_fold()
  fails <- function(train, valid) {
    if (length(train$query_ids) < 50) stop("too few")
    function(data) data$x[, 1]
  }
  curve <- suppressWarnings(learning_curve(list(fails = fails), fold, fractions = c(0.2, 1), seed = 1))
  expect_identical(summary(curve)$fraction, 1)
  none <- suppressWarnings(learning_curve(list(fails = fails), fold, fractions = 0.1, seed = 1))
  expect_identical(nrow(summary(none)), 0L)
  expect_output(print(none), "learning_curve")
  skip_if_not_installed("ggplot2")
  expect_error(ggplot2::autoplot(none), class = "rankmix_error_argument")
})

test_that("a learning curve resumes in a directory, and prints", {
  skip_if_quick()
  fold <- example_fold()
  folder <- local_folder()
  run <- function(...) {
    learning_curve(curve_rankers(), fold, fractions = c(0.3, 1), ..., seed = 1)
  }
  plain <- run()
  expect_identical(run(directory = folder)$results, plain$results)
  file <- list.files(folder, "^task-", full.names = TRUE)
  expect_length(file, 4L)
  unlink(file[2])
  times <- file.mtime(file[-2])
  expect_identical(run(directory = folder)$results, plain$results)
  expect_identical(file.mtime(file[-2]), times)
  # An additional fraction trains only the models of this fraction.
  more <- learning_curve(curve_rankers(), fold, fractions = c(0.3, 0.7, 1), seed = 1,
                         directory = folder)
  expect_identical(summary(more)[c(1, 3), ]$mean, summary(plain)[1:2, ]$mean)
  expect_length(list.files(folder, "^task-"), 6L)
  expect_identical(file.mtime(file[-2]), times)
  fold$test <- fold$test[1:40]
  expect_error(run(directory = folder), class = "rankmix_error_run")
  fold <- example_fold()
  expect_snapshot(plain)
  expect_snapshot(error = TRUE, {
    learning_curve(curve_rankers(), fold, fractions = c(0, 1))
    learning_curve(curve_rankers(), fold, order = "best_first")
    learning_curve(curve_rankers(), fold, order = character())
    learning_curve(curve_rankers(), fold, repeats = 0)
  })
})

test_that("fractions outside (0, 1] are refused", {
  data <- random_data(queries = 6)
  for (fractions in list(2, 0, "a", numeric(), NA_real_)) {
    expect_error(learning_curve(best_feature(), list(train = data[1:3], test = data[4:6]), fractions = fractions),
                 "`fractions` must be", class = "rankmix_error_argument")
  }
})
