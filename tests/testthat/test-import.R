test_that("the format of a file is recognised by its content, or is given", {
  lightgbm <- read_model(imported_file("lightgbm-nan.txt"))
  expect_identical(read_model(imported_file("lightgbm-nan.txt"), "lightgbm"), lightgbm)
  skip_if_not_installed("jsonlite")
  xgboost <- read_model(imported_file("xgboost-ndcg.json"))
  expect_identical(read_model(imported_file("xgboost-ndcg.json"), format = "xgboost"), xgboost)
  expect_snapshot(print(lightgbm))
  expect_snapshot(error = TRUE, {
    read_model(imported_file("lightgbm-nan.txt"), "json")
    read_model(imported_file("lightgbm-nan.txt"), "treelite")
    read_model(imported_file("xgboost-ndcg.json"), "json")
    read_model(imported_file("xgboost-ndcg.json"), "lightgbm")
  })
})

test_that("other files of the tools are refused by name", {
  skip_if_not_installed("jsonlite")
  refused <- function(text) {
    file <- withr::local_tempfile(fileext = ".json")
    writeLines(text, file)
    expect_error(read_model(file), class = "rankmix_error_model_file")
  }
  expect_match(conditionMessage(refused("[{\"nodeid\":0,\"leaf\":1}]")), "dump of XGBoost")
  expect_match(conditionMessage(refused("{\"name\":\"tree\",\"tree_info\":[]}")), "dump of LightGBM")
  expect_match(conditionMessage(refused("{L\001")), "binary file of XGBoost")
  for (text in c("1", "\"a\"", "null", "[]", "{}", "[[1]]", "tree", "tree\n")) refused(text)
})

test_that("an imported model is a ranker like others", {
  skip_if_not_installed("jsonlite")
  data <- imported_data()
  models <- list(lightgbm = read_model(imported_file("lightgbm-nan.txt")),
                 xgboost = read_model(imported_file("xgboost-ndcg.json")))
  own <- fit(gbrt(5, num_leaves = 4), data, threads = 1, verbose = FALSE)
  compared <- compare_rankers(imported = models$lightgbm, own = own, data = data,
                              metric = metric_ndcg(5, ties = "average"))
  expect_s3_class(compared, "rankmix_comparison")
  mixed <- mix(c(models, list(own = own)), data)
  expect_length(predict(mixed, data), nrow(data$x))
  for (model in models) {
    expect_equal(explain(model, data)$scores, predict(model, data))
    expect_setequal(names(tidy(model)), c("feature", "gain", "fraction", "used"))
    expect_identical(glance(model)$trees, 6L)
    expect_identical(predict(model, data, rounds = c(2, 6))[, 2L], predict(model, data))
    for (format in c("json", "c", "onnx", "solr", "ranklib", "elasticsearch", "sql", "lightgbm", "xgboost")) {
      file <- withr::local_tempfile()
      suppressWarnings(write_model(model, file, format, missing = "zero"), classes = "rankmix_warning")
    }
    write_model(model, file, "json")
    expect_identical(read_model(file), model)
  }
  expect_error(fit(models$xgboost$spec, data), class = "rankmix_error_option")
  expect_error(fit(models$xgboost, data, rounds = 10), class = "rankmix_error_argument")
  damaged <- models$lightgbm
  damaged$forest$left[1L] <- 0L
  expect_error(write_model(damaged, file, "c"), class = "rankmix_error_model")
})

test_that("contributions equal the contributions of the tools", {
  skip_if_not_installed("jsonlite")
  data <- imported_data()
  wanted <- imported_table("contributions.csv")
  few <- seq_len(nrow(wanted))
  for (tool in c("lightgbm", "xgboost")) {
    model <- read_model(imported_file(c(lightgbm = "lightgbm-nan.txt", xgboost = "xgboost-ndcg.json")[[tool]]))
    columns <- unname(as.matrix(wanted[startsWith(names(wanted), tool)]))
    found <- explain(model, data)
    # XGBoost computes in floats. The covers in its file are whole numbers in the same proportions.
    tolerance <- if (tool == "lightgbm") 1e-12 else 1e-6
    expect_equal(unname(found$values[few, ]), columns[, 1:5], tolerance = tolerance)
    expect_equal(found$base, columns[1L, 6L], tolerance = tolerance)
  }
})

test_that("nodes of trees are put in order, and circles and shared leaves are refused", {
  tree <- list(feature = 0:2, threshold = c(0.5, 1, 2), missing_left = c(1L, 0L, 1L), left = c(2L, -1L, 1L),
               right = c(-4L, -2L, -3L), gain = 1:3 + 0, values = c(10, 20, 30, 40), documents = c(1, 2, 3, 4))
  found <- ordered_tree(tree, "Tree 0")
  expect_identical(found$feature, c(0L, 2L, 1L))
  expect_identical(found$left, c(1L, 2L, -1L))
  expect_identical(found$right, c(-4L, -3L, -2L))
  expect_identical(found$values, tree$values)
  expect_identical(found$node_documents, c(10, 6, 3))
  changed <- function(side, at, value) {
    tree[[side]][at] <- value
    ordered_tree(tree, "Tree 7")
  }
  expect_error(changed("left", 2L, 0L), "Tree 7 goes round in a circle")
  expect_error(changed("right", 2L, -1L), "Tree 7 leads to a leaf on two ways")
  expect_error(changed("right", 3L, 1L), "Tree 7 .*(circle|two ways)")
})

test_that("covers are whole numbers in proportion", {
  expect_identical(whole_covers(c(3, 4)), c(3, 4))
  covers <- c(0.25, 1e-9, 7.5)
  expect_equal(whole_covers(covers)[c(1, 3)] / sum(whole_covers(covers)), covers[c(1, 3)] / sum(covers),
               tolerance = 1e-8)
  expect_true(all(whole_covers(covers) >= 1) && sum(whole_covers(covers)) < 2^31)
  expect_identical(whole_covers(c(0, 1)), c(0, 0))
  expect_identical(whole_covers(c(NaN, 1)), c(0, 0))
})

test_that("a model without covers needs a background to be explained", {
  file <- withr::local_tempfile()
  lines <- readLines(imported_file("lightgbm-nan.txt"))
  writeLines(lines[!grepl("^leaf_count=", lines)], file)
  model <- read_model(file)
  data <- imported_data()
  expect_output(print(model), "background")
  expect_error(explain(model, data), class = "rankmix_error_argument")
  found <- explain(model, data, background = data)
  expect_equal(found$scores, predict(model, data))
})

test_that("changed files of the tools are errors of a class or models", {
  skip_if_not_installed("jsonlite")
  data <- imported_data()
  changed <- texts_of_tools(imported_file("."))
  file <- withr::local_tempfile()
  found <- character()
  for (draw in utils::head(draws(60), at_size(3, 60))) {
    for (i in seq_along(changed$texts)) {
      for (kind in changed$kinds[[i]]) {
        seed <- 1000 * draw + i
        text <- withr::with_seed(seed, mutated_text(changed$texts[[i]], kind))
        writeBin(charToRaw(text), file)
        outcome <- tryCatch(outcome_of_file(file, data), error = identity)
        if (!is.character(outcome)) fail(paste(names(changed$texts)[i], kind, seed, conditionMessage(outcome)))
        found <- c(found, outcome[is.character(outcome)])
      }
    }
  }
  # Both outcomes must occur, or the test would cover one outcome only.
  expect_gt(min(table(factor(found, c("error", "model")))), 10)
})
