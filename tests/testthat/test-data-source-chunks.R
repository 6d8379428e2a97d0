train_file <- system.file("extdata", "train.txt.gz", package = "rankmix")
test_file <- system.file("extdata", "test.txt.gz", package = "rankmix")

test_that("predictions of a source are those of the data", {
  train <- read_letor(train_file)
  test <- read_letor(test_file)
  models <- list(fit(gbrt(trees = 10), train, verbose = FALSE), fit(linear_ranker(), train),
                 fit(adaboost_mh(base_tree(4), rounds = 5), train, verbose = FALSE),
                 fit(cocr(gbrt(trees = 5)), train, verbose = FALSE),
                 fit(bagging(m5p(), times = 2), train, verbose = FALSE, seed = 1),
                 fit(mixture(gbrt(trees = 10), linear_ranker()), train, read_letor(system.file(
                   "extdata", "vali.txt.gz", package = "rankmix")), verbose = FALSE, seed = 1))
  for (model in models) {
    source <- data_source(test_file, chunk = 100)
    expect_equal(predict(model, source), predict(model, test), tolerance = 1e-12)
    expect_identical(predict(model, source, type = "rank"), predict(model, test, type = "rank"))
  }
  source <- data_source(test_file, chunk = 100)
  expect_identical(predict(models[[3L]], source, type = "prob"), predict(models[[3L]], test, type = "prob"))
  expect_identical(predict(models[[1L]], source, rounds = c(2, 5)), predict(models[[1L]], test, rounds = c(2, 5)))
})

test_that("metrics of a source are those of the data", {
  train <- read_letor(train_file)
  test <- read_letor(test_file)
  models <- list(trees = fit(gbrt(trees = 10), train, verbose = FALSE), line = fit(linear_ranker(), train))
  source <- data_source(test_file, chunk = 77)
  metrics <- c("ndcg@10", "map", "rbp@5")
  expect_equal(evaluate(models, source, metrics), evaluate(models, test, metrics))
  expect_equal(evaluate(models$trees, source, "ndcg", convention = "lightgbm"),
               evaluate(models$trees, test, "ndcg", convention = "lightgbm"))
  frame <- as.data.frame(test)
  of_frame <- data_source(frame, relevance = relevance, query = query)
  expect_equal(evaluate(models$trees, of_frame, "ndcg"), evaluate(models$trees, test, "ndcg"))
  expect_equal(evaluate(models$trees, data_source(test), "ndcg"), evaluate(models$trees, test, "ndcg"))
})

test_that("wrong calls with a source are refused", {
  source <- data_source(test_file)
  expect_error(evaluate(1:3, source, "ndcg"), class = "rankmix_error_argument")
  expect_error(evaluate(list(gbrt()), source, "ndcg"), class = "rankmix_error_argument")
  model <- fit(gbrt(trees = 2), read_letor(train_file), verbose = FALSE)
  unjudged <- data_source(as.data.frame(read_letor(test_file))[-2], query = query)
  expect_error(evaluate(model, unjudged, "ndcg"), class = "rankmix_error_unjudged")
  broken <- withr::local_tempfile(lines = c("1 qid:1 1:2", "1 qid:1 1:2", "1 qid:1 1:x"))
  expect_error(predict(model, data_source(broken, chunk = 2)), "line 3", class = "rankmix_error_parse")
})

test_that("a source is written as LETOR text, and its run", {
  test <- read_letor(test_file)
  frame <- as.data.frame(test)
  frame$document <- sprintf("d%d", seq_len(nrow(frame)))
  whole <- withr::local_tempfile(fileext = ".txt")
  write_letor(ranking_data(frame, relevance = relevance, query = query, document = document), whole)
  source <- function() data_source(frame, relevance = relevance, query = query, document = document)
  for (ending in c(".txt", ".txt.gz")) {
    parts <- withr::local_tempfile(fileext = ending)
    expect_identical(write_letor(source(), parts), parts)
    expect_identical(readLines(parts), readLines(whole))
  }
  again <- withr::local_tempfile(fileext = ".txt")
  write_letor(data_source(whole, chunk = 50), again)
  expect_identical(readLines(again), readLines(whole))
  model <- fit(gbrt(trees = 5), read_letor(train_file), seed = 1, verbose = FALSE)
  runs <- c(withr::local_tempfile(), withr::local_tempfile())
  data <- read_letor(whole)
  write_run(predict(model, data), runs[1L], data)
  write_run(model, runs[2L], data_source(whole, chunk = 50))
  expect_identical(readLines(runs[2L]), readLines(runs[1L]))
  expect_error(write_letor(source(), whole, groups = "x"), class = "rankmix_error_argument")
  broken <- withr::local_tempfile(lines = c("1 qid:1 1:2", "1 qid:1 1:x"))
  expect_error(write_letor(data_source(broken), again), "line 2", class = "rankmix_error_parse")
})
