test_that("arguments are checked", {
  model <- fit(linear_ranker(penalty = 0.1), export_data(), verbose = FALSE)
  file <- withr::local_tempfile()
  expect_snapshot(error = TRUE, {
    write_model(1, "file")
    write_model(model, file, "pmml")
    write_model(model, file, name = "")
    write_model(model, file, missing = "mean")
    write_model(model, "nowhere/at/all.json")
    write_model(model)
    read_model("nowhere.json")
  })
  expect_identical(withVisible(write_model(model, file)), list(value = file, visible = FALSE))
})

test_that("models that a format cannot express are an error with a remedy", {
  data <- export_data()
  file <- withr::local_tempfile()
  net <- fit(network_ranker(hidden = 3, epochs = 2, normalize = "layer"), data, seed = 1, verbose = FALSE)
  line <- fit(linear_ranker(penalty = 0.1), data, verbose = FALSE)
  marked <- fit(linear_ranker(penalty = 0.1, missing = "indicator"), data, verbose = FALSE)
  trees <- fit(gbrt(3, num_leaves = 4), data, seed = 1, verbose = FALSE)
  best <- fit(best_feature(), data, verbose = FALSE)
  mixed <- structure(list(), class = c("rankmix_mixture", "rankmix_ranker"))
  path <- fit(ranksvm(c(0.1, 1)), data, verbose = FALSE)
  path["chosen"] <- list(NA_integer_)
  expect_snapshot(error = TRUE, {
    write_model(net, file, "solr")
    write_model(net, file, "elasticsearch")
    write_model(line, file, "lightgbm")
    write_model(line, file, "solr")
    write_model(marked, file, "ranklib")
    write_model(trees, file, "ranklib")
    write_model(best, file, "elasticsearch")
    write_model(mixed, file, "solr")
    write_model(path, file, "c")
  })
  expect_false(file.exists(file))
})

test_that("engines need names of features, others do not", {
  data <- export_data(FALSE)
  unnamed <- ranking_data(unname(data$x), data$relevance, data$query)
  trees <- fit(gbrt(3, num_leaves = 4), unnamed, seed = 1, verbose = FALSE)
  line <- fit(linear_ranker(penalty = 0.1), unnamed, verbose = FALSE)
  file <- withr::local_tempfile()
  expect_snapshot(error = TRUE, {
    write_model(trees, file, "solr")
    write_model(line, file, "solr")
    write_model(line, file, "elasticsearch")
  })
  for (format in c("json", "c", "lightgbm", "ranklib", "xgboost", "onnx")) {
    write_model(trees, file, format, missing = "zero")
  }
})

test_that("parts that are left out are named", {
  data <- export_data(FALSE)
  file <- withr::local_tempfile()
  expect_snapshot({
    write_model(fit(linear_ranker(penalty = 0.1), data, verbose = FALSE), file, "solr", missing = "zero")
    write_model(fit(mcsvm(0.1), data, verbose = FALSE), file, "ranklib", missing = "zero")
    write_model(fit(adaboost_mh(base_stump(), 3), data, seed = 1, verbose = FALSE), file, "lightgbm")
  }, transform = function(lines) sub("-?[0-9.]+ is left", "<number> is left", lines))
})

test_that("the ending of a file is the ending of its format", {
  model <- fit(linear_ranker(penalty = 0.1), export_data(FALSE), verbose = FALSE)
  folder <- local_folder()
  dir.create(folder)
  at <- function(name) file.path(folder, name)
  first <- function(name, ...) {
    write_model(model, at(name), ...)
    readBin(at(name), "raw", 20)
  }
  expect_identical(first("a.json"), first("b", "json"))
  expect_identical(first("c"), first("b", "json"))
  expect_identical(first("a.onnx"), first("b", "onnx"))
  expect_identical(first("a.c"), first("b", "c"))
  expect_identical(first("d.xml", missing = "zero"), first("b", "ranklib", missing = "zero"))
  # Unknown file endings can be used with any format.
  expect_identical(first("a.model"), first("b", "json"))
  expect_identical(first("b.model", "onnx"), first("b", "onnx"))
  expect_identical(first("s.json", "solr", missing = "zero"), first("b", "solr", missing = "zero"))
  withr::local_dir(folder)
  expect_snapshot(error = TRUE, {
    write_model(model, "x.onnx", "json")
    write_model(model, "x.json", "lightgbm")
    write_model(model, "x.txt")
    write_model(model, "x.rds")
  })
  expect_false(any(startsWith(list.files(), "x")))
})

test_that("a file in place of the model, and files that cannot be read, give an error with a remedy", {
  local_known_warnings("constant")
  data <- random_data(queries = 5, features = 2)
  model <- fit(gbrt(trees = 2), data)
  expect_error(write_model("model.json", model), "`write_model(model, \"model.json\")`", fixed = TRUE)
  file <- withr::local_tempfile(fileext = ".c")
  write_model(model, file)
  expect_error(read_model(file), "reads the format \"json\" of `write_model()`", fixed = TRUE)
})

test_that("a result that holds a model names the model to write", {
  data <- random_data(queries = 12, features = 3)
  tuned <- suppressWarnings(tune_ranker(gbrt(2, min_data_in_leaf = 1), data, data, budget = 2, seed = 1,
                                        verbose = FALSE))
  expect_error(write_model(tuned, tempfile()), "`tuned$model`", fixed = TRUE, class = "rankmix_error_argument")
  expect_identical(predict(written_and_read(tuned$model), data), predict(tuned, data))
})

test_that("names of features that are not text are refused where the file has names", {
  data <- random_data(queries = 12, features = 2)
  x <- data$x
  colnames(x) <- c("caf\xe9", "b")
  Encoding(colnames(x)) <- "unknown"
  model <- fit(linear_ranker(penalty = 1), ranking_data(x, data$relevance, data$query))
  for (format in c("json", "sql", "solr", "elasticsearch", "onnx")) {
    expect_error(write_model(model, tempfile(), format), "bytes that are not text", class = "rankmix_error_features")
  }
  expect_length(written(model, "ranklib", missing = "zero"), 3L)
})
