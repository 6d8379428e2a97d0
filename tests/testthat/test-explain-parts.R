# Models with sums of trees as scores, on small data.
explained_forests <- function(data) {
  list(gbrt = fit(gbrt(trees = 6, num_leaves = 8, min_data_in_leaf = 1), data, seed = 1),
       listwise = fit(gbrt(trees = 4, num_leaves = 6, min_data_in_leaf = 1, objective = loss_softmax()), data,
                      seed = 1),
       deep = fit(gbrt(trees = 2, num_leaves = 30, min_data_in_leaf = 1), data, seed = 1),
       rankboost = fit(rankboost(rounds = 12), data, seed = 1))
}

leaf_values <- function(model) {
  model$forest$values * rep(round_weights(model), diff(model$forest$leaf_begin))
}

test_that("explanations of forests by covers agree with all subsets of the features", {
  data <- random_data(queries = 30, features = 4, missing = 0.15)
  rows <- 1:12
  for (model in explained_forests(data)) {
    shap <- explain(model, data$x[rows, ])
    naive <- naive_by_cover(model$forest, leaf_values(model), data$x[rows, ])
    expect_identical(shap$method, "cover")
    expect_equal(unname(shap$values), naive$values, tolerance = 1e-12)
    start <- if (is.null(model$start)) 0 else model$start
    expect_equal(shap$base, start + naive$base, tolerance = 1e-12)
    expect_lt(max(abs(shap$scores - predict(model, data$x[rows, ]))), 1e-12)
  }
})

test_that("explanations of forests by a background agree with all subsets of the features", {
  data <- random_data(queries = 30, features = 4, missing = 0.15)
  rows <- 1:12
  background <- data$x[20:45, ]
  for (model in explained_forests(data)) {
    shap <- explain(model, data$x[rows, ], background = background)
    naive <- naive_by_background(function(x) predict(model, x), data$x[rows, ], background)
    expect_identical(shap$method, "background")
    expect_equal(unname(shap$values), naive, tolerance = 1e-12)
    expect_equal(shap$base, mean(predict(model, background)), tolerance = 1e-12)
    expect_lt(max(abs(shap$scores - predict(model, data$x[rows, ]))), 1e-12)
  }
})

# A chain of nodes, each with its own feature. There are more features than one pass of the quadrature can hold.
chain_model <- function(features, data) {
  model <- fit(gbrt(trees = 1, num_leaves = 2, min_data_in_leaf = 1), data, seed = 1)
  nodes <- seq_len(features) - 1L
  model$forest <- list(
    outputs = 1L, round_begin = 0:1, node_begin = c(0L, features),
    leaf_begin = c(0L, features + 1L), feature = nodes, threshold = rep(0, features),
    missing_left = rep(1L, features), left = c(nodes[-1], -features - 1L), right = -nodes - 1L,
    values = sin(1:(features + 1)), gain = rep(1, features),
    node_documents = rev(nodes) + 2L, leaf_documents = rep(1L, features + 1L)
  )
  model
}

test_that("values are exact for long paths of a tree", {
  data <- random_data(queries = 20, features = 11)
  model <- chain_model(11L, data)
  x <- data$x[1:3, ]
  shap <- explain(model, x)
  naive <- naive_by_cover(model$forest, leaf_values(model), x)
  expect_equal(unname(shap$values), naive$values, tolerance = 1e-12)
  wide <- random_data(queries = 20, features = 80)
  model <- chain_model(80L, wide)
  shap <- explain(model, wide)
  expect_lt(max(abs(shap$scores - predict(model, wide))), 1e-12)
  expect_snapshot_error(explain(model, wide, background = wide), class = "rankmix_error_argument")
})

test_that("threads and rows change no bit, sparse data no value", {
  data <- random_data(queries = 300, features = 12, missing = 0.1)
  model <- fit(gbrt(trees = 150, num_leaves = 16, min_data_in_leaf = 1), data, seed = 1)
  back <- data$x[1:100, ]
  one <- explain(model, data, threads = 1)
  expect_identical(explain(model, data, threads = 3)$values, one$values)
  backed <- explain(model, data, background = back, threads = 1)
  expect_identical(explain(model, data, background = back, threads = 3)$values, backed$values)
  mixed <- withr::with_seed(1, sample(nrow(data$x)))
  expect_identical(explain(model, data$x[mixed, ])$values, one$values[mixed, ])
  expect_identical(explain(model, data$x[mixed, ], background = back)$values,
                   backed$values[mixed, ])
  skip_if_not_installed("Matrix")
  sparse <- methods::as(data$x, "CsparseMatrix")
  expect_identical(explain(model, sparse)$values, one$values)
})

test_that("only the rounds that are used count, and a tree may be a leaf", {
  data <- random_data(queries = 30)
  model <- fit(gbrt(trees = 10, num_leaves = 4, min_data_in_leaf = 1), data, seed = 1)
  model$best_rounds <- 3L
  expect_lt(max(abs(explain(model, data)$scores - predict(model, data))), 1e-12)
  model$best_rounds <- 0L
  expect_identical(unique(as.vector(explain(model, data)$values)), 0)
  expect_equal(explain(model, data)$base, model$start)
})

test_that("linear models are explained exactly, including filled values", {
  data <- random_data(queries = 30, features = 3, missing = 0.2)
  full <- random_data(queries = 30, features = 3)
  models <- list(fit(linear_ranker(penalty = 0.1), data),
                 fit(linear_ranker(penalty = 0.1, missing = "indicator"), data), fit(ranksvm(1), data),
                 fit(linear_ranker(loss_softmax(), penalty = 0.1), data))
  models <- c(models, list(fit(adarank(rounds = 5, repeats = 1), full),
                           fit(coordinate_ascent(), full, seed = 1)))
  for (model in models) {
    of <- if (inherits(model, c("rankmix_adarank_model", "rankmix_ascent_model"))) full else data
    shap <- explain(model, of, background = of$x[1:40, ])
    naive <- naive_by_background(function(x) predict(model, x), of$x[1:5, ], of$x[1:40, ])
    expect_identical(shap$method, "linear")
    expect_equal(unname(shap$values[1:5, ]), naive, tolerance = 1e-8)
    expect_lt(max(abs(shap$scores - predict(model, of))), 1e-10)
  }
})

test_that("explanations of linear scores of classifiers agree with all subsets of the features", {
  data <- random_data(queries = 30, features = 4, missing = 0.15)
  x <- data$x[1:8, ]
  background <- data$x[20:45, ]
  train <- function(spec) fit(spec, data, seed = 1, verbose = FALSE)
  models <- list(
    tree = train(adaboost_mh(base_tree(4), 4)),
    grouped = train(adaboost_mh(base_stump(), 5, grouping = "binary")),
    hamming = train(adaboost_mh(base_hamming_tree(4, "confidence"), 3)),
    product = train(adaboost_mh(base_product(2), 3)), line = train(mcsvm(0.1)),
    marked = train(mcsvm(0.1, missing = "indicator", grouping = "binary"))
  )
  models$chosen <- models$tree
  models$chosen$best_rounds <- 2L
  for (name in names(models)) {
    model <- models[[name]]
    score <- function(x) linear_score(model, x)
    shap <- explain(model, x, background = background, type = "linear")
    expect_equal(unname(shap$values), naive_by_background(score, x, background),
                 tolerance = 1e-10, label = name)
    expect_equal(shap$base, mean(score(background)), tolerance = 1e-10)
    expect_lt(max(abs(shap$scores - score(x))), 1e-10)
    own <- explain(model, x, type = "linear")
    expect_lt(max(abs(own$scores - score(x))), 1e-10)
    if (name %in% c("product", "line", "marked")) {
      known <- if (name == "product") model$background$documents else data$x
      expect_equal(own$values, explain(model, x, background = known, type = "linear")$values,
                   tolerance = 1e-12)
    } else {
      expect_identical(own$method, "cover")
      used <- rankmix:::first_rounds(model, model$best_rounds)
      gains <- rankmix:::group_gains(model)
      values <- as.vector(gains %*% matrix(used$forest$values, used$forest$outputs)) *
        rep(used$alpha, diff(used$forest$leaf_begin))
      naive <- naive_by_cover(used$forest, values, x)
      expect_equal(unname(own$values), naive$values, tolerance = 1e-10, label = name)
      expect_equal(own$base, naive$base, tolerance = 1e-10)
    }
    pair <- explain_pair(model, x, 1, 2, type = "linear")
    expect_lt(abs(sum(pair$contribution) - diff(rev(score(x[1:2, ])))), 1e-10)
  }
  expect_snapshot(error = TRUE, {
    explain(fit(gbrt(2), data, seed = 1, verbose = FALSE), data, type = "linear")
    explain(models$tree, data, type = "raw")
  })
})
