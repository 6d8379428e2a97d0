test_that("an explanation has the names of features and documents", {
  train <- example_part("train")
  model <- fit(gbrt(20), train, threads = 1)
  shap <- explain(model, train)
  expect_identical(dimnames(shap$values), list(NULL, train$features))
  expect_identical(unname(shap$data), unname(train$x))
  expect_identical(shap$query, train$query_ids[train$query])
  expect_null(explain(model, train$x)$query)
  expect_equal(shap$base + rowSums(shap$values), predict(model, train), tolerance = 1e-12)
  expect_snapshot(shap)
  unused <- setdiff(train$features, tidy(model)$feature)
  expect_true(all(shap$values[, unused] == 0))
})

test_that("features may have another order", {
  train <- example_part("train")
  model <- fit(gbrt(20), train, threads = 1)
  turned <- train$x[, rev(seq_len(ncol(train$x)))]
  colnames(turned) <- rev(train$features)
  expect_identical(explain(model, turned)$values, explain(model, train)$values)
})

test_that("bad input is reported", {
  train <- example_part("train")
  model <- fit(gbrt(5), train, threads = 1)
  other <- train$x
  colnames(other) <- paste0("other", seq_len(ncol(other)))
  expect_snapshot_error(explain(gbrt(5), train), class = "rankmix_error_argument")
  expect_snapshot_error(explain(model), class = "rankmix_error_argument")
  expect_snapshot_error(explain(model, train$x[, 1:3]), class = "rankmix_error_newdata")
  expect_snapshot_error(explain(model, train, background = train$x[, 1:3]),
                        class = "rankmix_error_newdata")
  expect_snapshot_error(explain(model, train, background = train$x[0, ]),
                        class = "rankmix_error_argument")
  expect_snapshot_error(explain(model, train$x[0, ]), class = "rankmix_error_argument")
  expect_snapshot_error(explain(model, train, times = 0), class = "rankmix_error_argument")
  path <- fit(mcsvm(c(0.1, 1)), train)
  expect_error(explain(path, train), class = "rankmix_error_path")
})

# The contributions of every ranker must sum to its scores.
for (name in rankers_of_documents()) {
  test_that(sprintf("contributions to scores of %s sum to them", name), {
    part <- function(queries, seed) {
      data <- simulate_ranking(queries, features = 6, seed = seed)$data
      x <- round(data$x)
      x[is.na(x)] <- 0
      ranking_data(x, data$relevance, data$query)
    }
    data <- part(40, 4)
    model <- suppressWarnings(fit(do.call(name, small_arguments(name)), data,
                                  ranking_data(data$x, data$relevance, data$query + 1000),
                                  seed = 3, verbose = FALSE))
    few <- part(3, 6)
    shap <- explain(model, few, background = data, times = 2, seed = 1)
    expect_identical(dim(shap$values), dim(few$x))
    expect_lt(max(abs(shap$scores - predict(model, few))), 1e-10)
    expect_identical(all(shap$values == 0), FALSE)
    pair <- explain_pair(model, few, 1, 2, times = 1, seed = 1)
    expect_lt(max(abs(attr(pair, "scores") - predict(model, few)[1:2])), 1e-10)
  })
}

test_that("documents of the same query replace unknown features, query by query", {
  data <- random_data(queries = 12, features = 4, missing = 0.1)
  models <- list(trees = fit(gbrt(4, num_leaves = 5), data, seed = 1, verbose = FALSE),
                 line = fit(linear_ranker(penalty = 0.1), data, verbose = FALSE),
                 classifier = fit(adaboost_mh(base_tree(3), 3), data, seed = 1, verbose = FALSE))
  for (name in names(models)) {
    model <- models[[name]]
    shap <- explain(model, data, background = "query", times = 2, seed = 5)
    expect_equal(shap$scores, predict(model, data), tolerance = 1e-10, label = name)
    for (query in 1:3) {
      rows <- which(data$query == query)
      x <- data$x[rows, , drop = FALSE]
      own <- explain(model, x, background = x, times = 2, seed = 5)
      expect_identical(unname(shap$values[rows, , drop = FALSE]), unname(own$values), label = name)
      expect_identical(shap$base[rows], rep(own$base, length(rows)))
    }
    expect_identical(dim(shap$error), if (name == "classifier") dim(shap$values))
  }
  linear <- explain(models$classifier, data, background = "query", type = "linear")
  expect_lt(max(abs(linear$scores - linear_score(models$classifier, data$x))), 1e-10)
  expect_output(print(explain(models$line, data, background = "query")), "base by query")
  expect_snapshot(error = TRUE, explain(models$trees, data$x, background = "query"))
})

test_that("errors of models without their own features name a part that can be explained", {
  data <- random_data(queries = 12, features = 3)
  trees <- fit(gbrt(3, num_leaves = 3), data, verbose = FALSE)
  classes <- fit(adaboost_mh(base_stump(), 3), data, seed = 1, verbose = FALSE)
  models <- suppressWarnings(list(
    `model$ranker` = calibrate(trees, data, calibrator_probability()),
    `model$classifier` = calibrate(classes, data, calibrator_naive()),
    `model$rankers[[1]]` = mix(list(a = trees, b = classes), data)
  ))
  for (part in names(models)) {
    model <- models[[part]]
    expect_error(explain(model, data), sprintf("`explain(%s, data)`", part), fixed = TRUE,
                 class = "rankmix_error_argument", label = part)
    expect_s3_class(explain(eval(str2lang(part)), data, seed = 1), "rankmix_shap")
  }
})

test_that("scores that are not finite are not explained", {
  data <- ranking_data(cbind(a = c(1, NA, 3, 2, 5, 0), b = c(1, 2, 1, 2, 1, 2)), c(0, 0, 1, 1, 2, 0),
                       c(1, 1, 1, 2, 2, 2))
  model <- fit(best_feature(), data)
  expect_snapshot_error(explain(model, data, background = data, seed = 1), class = "rankmix_error_scores")
  expect_error(explain(model, data, background = "query", seed = 1), class = "rankmix_error_scores")
  expect_error(explain_pair(model, data, 2, 3, seed = 1), class = "rankmix_error_scores")
  present <- data$x[-2, ]
  shap <- explain(model, present, background = present, times = 1, seed = 1)
  expect_equal(shap$values[, "a"] + shap$base, present[, "a"])
})
