train_file <- system.file("extdata", "train.txt.gz", package = "rankmix")
test_file <- system.file("extdata", "test.txt.gz", package = "rankmix")

test_that("predictions of a source equal predictions of the data", {
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

test_that("metrics of a source equal metrics of the data", {
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

test_that("a source without rows is an error", {
  model <- fit(gbrt(trees = 2), read_letor(train_file), verbose = FALSE)
  empty <- data_source(function() NULL, relevance = grade, query = id)
  expect_error(predict(model, empty), "no rows", class = "rankmix_error_empty")
  expect_error(evaluate(model, empty, "ndcg"), "no rows", class = "rankmix_error_empty")
  expect_error(predict(model, test_file), "data_source", class = "rankmix_error_feature")
  expect_error(evaluate(gbrt(), data_source(test_file), "ndcg"), "by `fit\\(\\)`",
               class = "rankmix_error_argument")
})

test_that("rankers are compared on a source as on its data", {
  train <- read_letor(train_file)
  test <- read_letor(test_file)
  models <- list(trees = fit(gbrt(trees = 10), train, verbose = FALSE), line = fit(linear_ranker(), train))
  compare <- function(...) compare_rankers(..., metric = "rbp@5", seed = 1, resamples = 200)
  of_data <- compare(models, data = test)
  source <- data_source(test_file, chunk = 100)
  expect_equal(compare(models, data = source), of_data)
  # This function can be read only once.
  left <- 1
  once <- data_source(function() {
    left <<- left - 1
    if (left == 0) as.data.frame(test)
  }, relevance = relevance, query = query)
  done <- evaluate(models$trees, test, "rbp@5")
  expect_equal(tidy(compare(trees = done, line = models$line, data = once)),
               tidy(compare(trees = done, line = models$line, data = test)))
  expect_error(compare_rankers(models, source, "rbp@5"), "by name", class = "rankmix_error_argument")
  expect_error(fit(gbrt(), source), "binned_data", class = "rankmix_error_argument")
})

test_that("mixtures are predicted in chunks, unless they need whole queries", {
  train <- read_letor(train_file)
  test <- read_letor(test_file)
  source <- data_source(test_file, chunk = 77)
  models <- list(trees = fit(gbrt(trees = 5), train, verbose = FALSE), line = fit(linear_ranker(), train))
  mixed <- mix(models, train, metric = "ndcg@10")
  for (type in c("score", "rank", "member")) {
    expect_equal(predict(mixed, source, type = type), predict(mixed, test, type = type), tolerance = 1e-12)
  }
  by_query <- mix(models, train, metric = "ndcg@10", weights = mix_weights(standardize = "query"))
  expect_error(predict(by_query, source), "other documents", class = "rankmix_error_newdata")
  expect_error(evaluate(by_query, source, "rbp@5"), "other documents", class = "rankmix_error_newdata")
  sets <- tune_and_mix(train, NULL, list(gbrt(trees = 3)), grid = mix_grid(features = "standardized"),
                       seed = 1, verbose = FALSE)
  expect_error(evaluate(list(sets = sets), source, "rbp@5"), "other documents", class = "rankmix_error_newdata")
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

# The values of the progress bar while `code` runs.
chunk_progress <- function(code) {
  seen <- NULL
  local_function("progress_bar", function(label, total, verbose) {
    list(report = if (verbose) function(done, total) {
      seen <<- rbind(seen, data.frame(label = label, done = done, total = total))
    }, close = function() NULL)
  })
  force(code)
  seen
}

test_that("predictions and metrics of a source show progress", {
  folder <- local_folder()
  dir.create(folder)
  train <- example_part("train")
  model <- fit(gbrt(3), train, threads = 1, verbose = FALSE)
  plain <- file.path(folder, "plain.txt")
  write_letor(train, plain)
  lines <- readLines(plain)
  other <- file.path(folder, "other.txt")
  writeLines(lines, other)
  # The bar counts the bytes of all lines read so far, chunk by chunk.
  last <- unique(c(seq(500, length(lines), by = 500), length(lines)))
  ends <- cumsum(nchar(lines, "bytes") + 1)[last]
  source <- data_source(c(plain, other), chunk = 500)
  both <- c(ends, file.size(plain) + ends)
  expected <- data.frame(label = "Predicting", done = both, total = 2 * file.size(plain))
  expect_equal(chunk_progress(predict(model, source, threads = 1)), expected)
  expect_equal(chunk_progress(evaluate(model, data_source(plain, chunk = 500), metric_ndcg(10, ties = "average"),
                                       threads = 1)),
               data.frame(label = "Predicting", done = ends, total = file.size(plain)))
  expect_identical(unique(chunk_progress(write_letor(source, file.path(folder, "again.txt")))$label), "Writing")
  expect_null(chunk_progress(predict(model, data_source(plain, verbose = FALSE), threads = 1)))
  # data_source() of a source keeps `verbose`, unless `verbose` is given.
  quiet <- data_source(plain, verbose = FALSE)
  expect_false(data_source(quiet)$verbose)
  expect_true(data_source(quiet, verbose = TRUE)$verbose)
  expect_error(data_source(plain, verbose = 1), "`verbose`", class = "rankmix_error_argument")
})

test_that("the size of compressed files and of tables is not known", {
  folder <- local_folder()
  dir.create(folder)
  train <- example_part("train")
  model <- fit(gbrt(3), train, threads = 1, verbose = FALSE)
  packed <- file.path(folder, "packed.txt.gz")
  write_letor(train, packed)
  seen <- chunk_progress(predict(model, data_source(packed, chunk = 1000), threads = 1))
  expect_equal(seen$done, unique(c(seq(1000, nrow(train), by = 1000), nrow(train))))
  expect_true(all(is.na(seen$total)))
  frame <- data.frame(train$x, grade = train$relevance, id = train$query)
  expect_equal(chunk_progress(predict(model, data_source(frame, relevance = grade, query = id), threads = 1))$done,
               nrow(train))
  skip_if_not_installed("data.table")
  table <- file.path(folder, "table.csv")
  utils::write.csv(frame, table, row.names = FALSE, quote = FALSE)
  seen <- chunk_progress(predict(model, data_source(table, relevance = grade, query = id, chunk = 700), threads = 1))
  expect_identical(unique(seen$total), as.double(file.size(table)))
  # The bar does not count the header.
  header <- nchar(readLines(table, 1L), "bytes") + 1
  expect_identical(max(seen$done), file.size(table) - header)
  packed <- file.path(folder, "packed.gz")
  to <- gzfile(packed, "w")
  writeLines("1 qid:1 1:1", to)
  close(to)
  expect_true(rankmix:::is_compressed(packed))
  expect_false(rankmix:::is_compressed(table))
  expect_false(rankmix:::is_compressed(file.path(folder, "nothing")))
})

test_that("models whose scores depend on the query are refused, also inside other models", {
  parts <- list(train = simulate_ranking(30, documents = 8, features = 5, seed = 1)$data,
                valid = simulate_ranking(20, documents = 8, features = 5, seed = 2)$data)
  parts$valid <- ranking_data(parts$valid$x, parts$valid$relevance, paste0("v", parts$valid$query))
  quiet <- function(spec) fit(spec, parts$train, seed = 1, threads = 1, verbose = FALSE)
  linear <- quiet(linear_ranker(penalty = 1))
  staged <- quiet(cascade(linear_ranker(penalty = 1), gbrt(3, min_data_in_leaf = 3), keep = 3))
  by_query <- mix(list(a = linear, b = quiet(gbrt(3, min_data_in_leaf = 3))), parts$valid,
                  weights = mix_weights(standardize = "query"), threads = 1)
  frame <- as.data.frame(parts$valid)
  source <- function() data_source(frame, relevance = relevance, query = query, chunk = 7, verbose = FALSE)
  dependent <- list(staged, by_query, mix(list(a = staged, b = linear), parts$valid, threads = 1),
                    mix(list(a = by_query, b = linear), parts$valid, threads = 1),
                    calibrate(staged, parts$valid, calibrator_probability(), threads = 1))
  for (model in dependent) {
    expect_error(predict(model, source()), "depend on the other documents", class = "rankmix_error_newdata")
    expect_error(evaluate(model, source(), "ndcg@5"), "depend on the other documents", class = "rankmix_error_newdata")
  }
  # Results with one model inside are scored as the model.
  front <- structure(list(model = linear), class = "rankmix_front")
  expect_equal(evaluate(front, source(), "ndcg@5")$value, evaluate(linear, source(), "ndcg@5")$value)
  expect_error(augment(linear, source()), "in memory", class = "rankmix_error_argument")
  expect_error(explain(linear, source()), "in memory", class = "rankmix_error_argument")
})
