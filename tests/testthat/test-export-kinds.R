skip_if_not_installed("jsonlite")

# The error of a model after `change`.
refused <- function(model, change) {
  model <- change(model)
  file <- withr::local_tempfile()
  write_model(model, file)
  expect_error(read_model(file), class = "rankmix_error_model_file")
}
set_in <- function(...) {
  path <- c(...)
  function(value) function(model) {
    model[[path]] <- value
    model
  }
}

test_that("damaged trees are refused", {
  model <- fit(gbrt(4, num_leaves = 4, min_data_in_leaf = 5), export_data(), seed = 1, verbose = FALSE)
  f <- model$forest
  changed <- function(field, at, value) {
    function(model) {
      model$forest[[field]][at] <- value
      model
    }
  }
  refused(model, changed("feature", 1L, 6L))
  refused(model, changed("feature", 1L, -1L))
  refused(model, changed("left", 1L, 0L))       # a cycle
  refused(model, changed("left", 1L, 100L))
  refused(model, changed("right", 2L, -5L))     # a leaf that does not exist
  refused(model, changed("left", which(f$left < 0L)[1L], NA_integer_))
  refused(model, changed("threshold", 1L, NaN))
  refused(model, changed("missing_left", 1L, 2L))
  refused(model, changed("node_begin", 2L, 7L))
  refused(model, changed("leaf_begin", 2L, 3L))
  refused(model, changed("round_begin", 2L, 0L))
  refused(model, changed("values", 1L, NA))
  refused(model, changed("outputs", 1L, 2L))
  refused(model, changed("gain", 1:12 + 12L, 1))
  refused(model, function(model) {
    model$forest$values <- model$forest$values[-1L]
    model
  })
  # This node has two parents.
  leaf <- which(f$left < 0L & f$right < 0L)[1L]
  refused(model, changed("left", leaf, f$right[leaf]))
  refused(model, set_in("best_rounds")(9L))
  refused(model, function(model) {
    model$best_rounds <- NULL
    model
  })
  refused(model, set_in("start")("a"))
  refused(model, set_in("features")(model$features[1L]))
})

test_that("numbers that do not fit the features are refused", {
  data <- export_data()
  line <- fit(linear_ranker(penalty = 0.1, missing = "indicator"), data, verbose = FALSE)
  refused(line, set_in("weights")(line$weights[-1L]))
  refused(line, set_in("filling", "marked")(99L))
  refused(line, set_in("filling", "numbers")(1))
  refused(line, set_in("features")(character()))
  refused(line, set_in("named")(NA))
  refused(line, set_in("encoding")(list(1)))
  svm <- fit(mcsvm(0.1), data, verbose = FALSE)
  refused(svm, set_in("groups")(0:5))
  refused(svm, set_in("weights")(svm$weights[, -1L]))
  booster <- fit(adaboost_mh(base_tree(3), 3), data, seed = 1, verbose = FALSE)
  refused(booster, set_in("alpha")(1))
  refused(booster, set_in("classes")(9L))
  net <- fit(network_ranker(hidden = 3, epochs = 2), data, seed = 1, verbose = FALSE)
  refused(net, set_in("weights")(net$weights[-1L, ]))
  refused(net, set_in("center")(0))
  refused(net, set_in("best_rounds")(3L))
  regression <- fit(m5p(min_data_in_split = 40), data, verbose = FALSE)
  refused(regression, set_in("models", "feature")(regression$models$feature + 3L))
  refused(regression, set_in("models", "begin")(0L))
  bag <- fit(bagging(m5p(min_data_in_split = 40), times = 2), data, seed = 1, verbose = FALSE)
  refused(bag, set_in("members")(list()))
  refused(bag, function(model) {
    model$members[[1L]]$seen <- 1:2
    model
  })
  levels <- fit(cocr(linear_ranker(penalty = 0.1)), data, verbose = FALSE)
  refused(levels, set_in("intercept")(1))
  boosted <- fit(adarank(rounds = 3, repeats = 1), data, seed = 1, verbose = FALSE)
  refused(boosted, set_in("chosen", "feature")(boosted$chosen$feature + 6L))
  best <- fit(best_feature(), data, verbose = FALSE)
  refused(best, set_in("feature")("none"))
  path <- fit(ranksvm(c(0.1, 1)), data, seed = 1, verbose = FALSE)
  smooth <- fit(smoothrank(start = linear_ranker(penalty = 0.1), schedule = c(8, 1), penalty = 0.1), data,
                seed = 1, verbose = FALSE)
  refused(smooth, set_in("stage_weights")(1))
  refused(smooth, set_in("start")("a"))
  refused(path, set_in("chosen")(5L))
  # Fields that are reported only, and a path with an invalid value.
  refused(boosted, set_in("curve")("a"))
  refused(svm, set_in("steps")("a"))
  refused(line, set_in("path")(list(1)))
  refused(path, set_in("path")(list(1, 2)))
})

test_that("models that lack a field are not written", {
  data <- export_data()
  file <- withr::local_tempfile()
  train <- function(spec) fit(spec, data, seed = 1, verbose = FALSE)
  votes <- train(adaboost_mh(base_stump(), 3))
  trees <- train(gbrt(3, num_leaves = 4))
  line <- train(linear_ranker(penalty = 0.1))
  first <- train(best_feature())
  without <- function(model, field) {
    model[field] <- NULL
    model
  }
  no_sides <- trees
  no_sides$forest$missing_left <- NULL
  expect_snapshot(error = TRUE, {
    write_model(no_sides, file, "lightgbm")
    write_model(no_sides, file, "onnx")
    write_model(without(trees, "best_rounds"), file, "c")
    write_model(without(trees, "start"), file, "solr")
    write_model(without(votes, "alpha"), file, "ranklib")
    write_model(without(line, "weights"), file, "elasticsearch")
    write_model(without(first, "lowest"), file, "onnx")
    write_model(without(trees, "features"), file, "c")
  })
  expect_false(file.exists(file))
})

test_that("predict() reports a model whose fields were changed as damaged", {
  skip_if_quick()
  data <- simulate_ranking(20, seed = 1)$data
  models <- list(fit(gbrt(5), data, threads = 1, verbose = FALSE),
                 fit(adaboost_mh(base_stump(), 5), data, threads = 1, verbose = FALSE),
                 fit(linear_ranker(penalty = 1), data, threads = 1),
                 fit(bagging(m5p(), times = 2), data, threads = 1, verbose = FALSE))
  messages <- character()
  for (model in models) {
    for (field in names(model)) {
      for (value in list(NULL, "x", list(), NA, -1, 1:3)) {
        changed <- model
        changed[field] <- list(value)
        # Some fields are not needed for prediction.
        error <- tryCatch({
          suppressWarnings(predict(changed, data, threads = 1))
          NULL
        }, error = identity)
        if (!is.null(error)) {
          expect_s3_class(error, "rankmix_error")
          messages <- c(messages, conditionMessage(error))
        }
      }
    }
  }
  expect_gt(sum(grepl("damaged", messages)), 30)
  changed <- models[[1L]]
  changed$forest$values <- changed$forest$values[-1L]
  expect_snapshot(error = TRUE, predict(changed, data))
  changed <- models[[1L]]
  changed$features <- changed$features[1:2]
  expect_snapshot(error = TRUE, predict(changed, data))
})

test_that("fields that only describe the model are checked when it is read", {
  data <- random_data(queries = 12, features = 3)
  file <- withr::local_tempfile()
  damaged <- function(model, from, to) {
    write_model(model, file)
    text <- readLines(file)
    writeLines(sub(from, to, text), file)
    expect_false(identical(readLines(file), text))
    expect_error(read_model(file), class = "rankmix_error_model_file")
  }
  damaged(fit(best_feature(), data), "\"value\":[^,}]+", "\"value\":null")
  damaged(fit(mcsvm(0.1), data), "\"documents\":\\{\"integer\":\\[[0-9]+", "\"documents\":{\"integer\":[")
})
