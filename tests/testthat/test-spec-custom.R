# Rankers that users define in R.

data <- local({
  all <- simulate_ranking(40, features = 5, seed = 2)$data
  x <- all$x
  x[is.na(x)] <- 0
  ranking_data(x, all$relevance, all$query)
})
parts <- split_parts(split_queries(data, 0.6, seed = 1), data)

# Ridge regression on the grades by the normal equations.
ridge <- new_ranker("ridge",
  parameters = list(penalty = ranker_parameter(1, check = function(x) {
    if (is.numeric(x) && x > 0) TRUE else "It must be above 0."
  }, tune = c(0.1, 10, 1000)), shift = TRUE),
  train = function(spec, task) {
    x <- task$data$x
    weight <- if (is.null(task$weights)) rep(1, nrow(x)) else task$weights
    if (spec$shift) x <- cbind(1, x)
    beta <- solve(crossprod(x, weight * x) + diag(spec$penalty, ncol(x)),
                  crossprod(x, weight * task$data$relevance))
    list(beta = drop(beta), shift = spec$shift)
  },
  predict = function(model, x) {
    drop(if (model$shift) cbind(1, x) %*% model$beta else x %*% model$beta)
  },
  traits = "weights")

centroids <- new_ranker("centroids", traits = "classifier",
  train = function(spec, task) {
    grades <- seq_len(task$classes) - 1L
    t(vapply(grades, function(g) {
      colMeans(task$data$x[task$data$relevance == g, , drop = FALSE])
    }, numeric(ncol(task$data$x))))
  },
  predict = function(model, x) {
    model[is.na(model)] <- 0
    sweep(2 * x %*% t(model), 2, rowSums(model^2))
  })

by_hand <- function(penalty, train, new) {
  x <- cbind(1, train$x)
  beta <- solve(crossprod(x) + diag(penalty, ncol(x)), crossprod(x, train$relevance))
  drop(cbind(1, new$x) %*% beta)
}

test_that("a ranker of the user's is fitted, predicts and is evaluated", {
  model <- fit(ridge(penalty = 3), parts$train)
  expect_equal(predict(model, parts$test), by_hand(3, parts$train, parts$test), tolerance = 1e-10)
  expect_identical(predict(model, parts$test, type = "rank"),
                   rankmix:::rank_within_queries(predict(model, parts$test), parts$test))
  expect_identical(evaluate(model, parts$test, metric_ndcg(10))$value,
                   evaluate(predict(model, parts$test), parts$test, metric_ndcg(10))$value)
  expect_identical(augment(model, parts$test)$.score, predict(model, parts$test))
  expect_identical(glance(model)$ranker, "ridge(penalty = 3)")
  expect_false(identical(predict(fit(ridge(3, shift = FALSE), parts$train), parts$test),
                         predict(model, parts$test)))
  weighted <- ranking_data(parts$train$x, parts$train$relevance, parts$train$query,
                           weight = parts$train$query %% 3 + 1)
  expect_false(identical(predict(fit(ridge(3), weighted), parts$test),
                         predict(model, parts$test)))
  expect_snapshot({
    ridge(penalty = 3)
    print(model)
    summary(model)
    format(update(ridge(), penalty = 0.5))
  })
})

test_that("specifications are values", {
  expect_true(ridge() == ridge(1))
  expect_false(ridge() == ridge(2))
  expect_false(ridge() == centroids())
  expect_false(ridge() == gbrt())
  expect_identical(tuning_grid(ridge()), list(penalty = c(0.1, 10, 1000)))
})

test_that("a custom ranker is a row of a benchmark, tuned there, and of a learning curve", {
  folds <- query_folds(data, 3, seed = 1)
  made <- benchmark_rankers(list(ridge = ridge(), feature = best_feature()), folds, data = data,
                            tune = TRUE, seed = 1, verbose = FALSE)
  expect_identical(unique(made$runs$status), "done")
  for (fold in 1:3) {
    held <- split_parts(folds, data, fold)
    values <- vapply(c(0.1, 10, 1000), function(penalty) {
      summary(evaluate(by_hand(penalty, held$train, held$valid), held$valid, metric_ndcg(10)))$mean
    }, 0)
    chosen <- c("penalty = 0.1", "penalty = 10", "penalty = 1000")[which.max(values)]
    own <- made$runs[made$runs$ranker == "ridge", ]
    expect_identical(own$tuned[fold], chosen)
  }
  alone <- benchmark_rankers(list(ridge = ridge()), folds, data = data,
                             tune = list(ridge = TRUE), seed = 1, verbose = FALSE)
  expect_identical(alone$results$value, made$results$value[made$results$ranker == "ridge"])
  curve <- learning_curve(ridge(), parts, fractions = c(0.5, 1), seed = 1, verbose = FALSE)
  expect_length(unique(summary(curve)$mean), 2L)
})

test_that("a custom ranker is mixed, and a custom classifier is calibrated", {
  ranked <- list(ridge = fit(ridge(), parts$train), trees = fit(gbrt(10), parts$train, seed = 1))
  mixed <- mix(ranked, parts$test)
  expect_identical(coef(mixed)[["ridge"]] > 0, TRUE)
  model <- fit(centroids(), parts$train)
  expect_identical(dim(predict(model, parts$test, type = "raw")),
                   c(nrow(parts$test$x), max(parts$train$relevance) + 1L))
  expect_equal(rowSums(predict(model, parts$test, type = "prob")), rep(1, nrow(parts$test$x)))
  mixture <- suppressWarnings(tune_and_mix(parts$train, parts$test,
                                           list(centroids(), adaboost_mh(base_stump(), 5)),
                                           list(calibrator_naive(), calibrator_rbc()), seed = 1, verbose = FALSE))
  expect_setequal(mixture$members$classifier, c("centroids()", "adaboost_mh(base_stump())"))
  expect_true(all(is.finite(predict(mixture, parts$test))))
})

test_that("models and specifications work in another process", {
  skip_if_not_installed("callr")
  file <- withr::local_tempfile()
  model <- fit(ridge(3), parts$train)
  saveRDS(list(model = model, spec = ridge(3), train = parts$train, test = parts$test), file)
  there <- callr::r(function(file) {
    library(rankmix)
    saved <- readRDS(file)
    list(predict(saved$model, saved$test),
         predict(fit(saved$spec, saved$train), saved$test), format(saved$spec))
  }, list(file), libpath = .libPaths())
  expect_equal(there, list(predict(model, parts$test), predict(model, parts$test),
                           "ridge(penalty = 3)"), tolerance = 1e-12)
})

test_that("random draws are seeded, and R's generator is left as it was", {
  noise <- new_ranker("noise", train = function(spec, task) stats::rnorm(ncol(task$data$x)),
                      predict = function(model, x) drop(x %*% model), traits = "random")
  set.seed(1)
  before <- .Random.seed
  first <- fit(noise(), parts$train, seed = 4)
  expect_identical(.Random.seed, before)
  expect_identical(fit(noise(), parts$train, seed = 4)$fit, first$fit)
  expect_false(identical(fit(noise(), parts$train, seed = 5)$fit, first$fit))
})

test_that("each trait permits data that are refused without it", {
  local_known_warnings("constant")
  skip_if_not_installed("Matrix")
  seen <- NULL
  with_traits <- function(...) {
    new_ranker("counting", function(spec, task) {
      seen <<- task
      1
    }, function(model, x) numeric(nrow(x)), traits = as.character(c(...)))()
  }
  holes <- parts$train
  holes$x[3] <- NA
  thin <- ranking_data(Matrix::Matrix(parts$train$x, sparse = TRUE), parts$train$relevance,
                       parts$train$query)
  alike <- ranking_data(parts$train$x, rep(1, nrow(parts$train$x)), parts$train$query)
  heavy <- ranking_data(parts$train$x, parts$train$relevance, parts$train$query,
                        weight = parts$train$query %% 2 + 1)
  for (case in list(list("missing", holes), list("sparse", thin), list("one_grade", alike),
                    list("weights", heavy))) {
    expect_error(fit(with_traits(), case[[2L]]), class = paste0("rankmix_error_", case[[1L]]))
    expect_s3_class(fit(with_traits(case[[1L]]), case[[2L]]), "rankmix_custom_model")
  }
  fit(with_traits("weights"), heavy)
  expect_equal(seen$weights, (parts$train$query %% 2 + 1) / 2)
  fit(with_traits(), parts$train, parts$test, metric_err())
  expect_null(seen$x)
  fit(with_traits("validation"), parts$train, parts$test, metric_err())
  expect_identical(seen$x, parts$test$x)
  expect_identical(format(seen$metric), "err")
})

test_that("models of other packages are supported by their predict()", {
  linear <- new_ranker("linear_model", train = function(spec, task) {
    stats::ppr(task$data$x, task$data$relevance, nterms = 1)
  })
  model <- fit(linear(), parts$train)
  expect_equal(predict(model, parts$test), unname(predict(model$fit, parts$test$x)))
})

test_that("objects that cannot be rankers are refused", {
  skip_if_not_installed("Matrix")
  none <- function(spec, task) 1
  sparse <- ranking_data(Matrix::Matrix(parts$train$x, sparse = TRUE), parts$train$relevance,
                         parts$train$query)
  weighted <- ranking_data(parts$train$x, parts$train$relevance, parts$train$query,
                           weight = parts$train$query %% 2 + 1)
  holes <- parts$test
  holes$x[2] <- NA
  plain <- function(train, predict = NULL, ...) new_ranker("plain", train, predict, ...)()
  expect_snapshot(error = TRUE, {
    new_ranker("gbrt", none)
    new_ranker("my ranker", none)
    new_ranker(train = none)
    new_ranker("plain", 3)
    new_ranker("plain", function(x) 1)
    new_ranker("plain", none, function(model) 1)
    new_ranker("plain", none, parameters = list(1))
    new_ranker("plain", none, traits = "mising")
    new_ranker("plain", none, traits = 3)
    ranker_parameter()
    ridge(penalty = -1)
    ridge(penality = 1)
    fit(plain(none), parts$train)
    fit(plain(function(spec, task) stop("no memory")), parts$train)
    fit(plain(none, function(model, x) 1:2), parts$train)
    fit(plain(none, function(model, x) rep(NA_real_, nrow(x))), parts$train)
    fit(plain(none, function(model, x) numeric(nrow(x)), traits = "classifier"), parts$train)
    fit(ridge(), sparse)
    fit(centroids(), weighted)
    fit(ridge(), parts$train, patience = 3, validation = parts$test)
    fit(ridge(), parts$train, checkpoint = "file")
    predict(fit(ridge(), parts$train), holes)
    tuning_grid(3)
  })
})
