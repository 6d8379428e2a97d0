# Missing values, for rankers that need a number for each feature.

holed <- random_data(queries = 30, features = 5, missing = 0.2, seed = 3)
new <- random_data(queries = 10, features = 5, missing = 0.2, seed = 4)
weight <- rep(c(1, 0, 2, 0.5, 3), length.out = 30)
weighted <- ranking_data(holed$x, holed$relevance, holed$query, weight = weight[holed$query])
methods <- c("mean", "zero", "indicator")
with_features <- function(data, x) ranking_data(x, data$relevance, data$query)
sparse_of <- function(x) {
  x[!is.na(x) & abs(x) < 0.7] <- 0
  Matrix::Matrix(x, sparse = TRUE)
}

test_that("known values have the means of a loop, in any order of the rows", {
  means <- function(x, weight) {
    diag(naive_fill(x, list(matrix(NA_real_, ncol(x), ncol(x))), "mean", weight)[[1L]])
  }
  for (w in list(rep(1, nrow(holed$x)), weight[holed$query])) {
    x <- cbind(holed$x, NA, 0.1, replace(holed$x[, 1], 3:9, NA) * 1e300)
    known <- known_values(x, w, 1L)
    expect_equal(known$mean, means(x, w), tolerance = 1e-14)
    expect_identical(known$missing, as.double(colSums(is.na(x[w > 0, ]))))
    expect_identical(known$mean[6:7], c(0, 0.1))
    mixed <- withr::with_seed(1, sample(nrow(x)))
    expect_identical(known_values(x[mixed, ], w[mixed], 2L), known)
    skip_if_not_installed("Matrix")
    thin <- sparse_of(x)
    expect_identical(known_values(thin, w, 2L), known_values(as.matrix(thin), w, 1L))
    expect_equal(known_values(thin, w, 1L)$mean, means(as.matrix(thin), w), tolerance = 1e-14)
  }
  expect_identical(known_values(x, numeric(), 1L), known_values(x, rep(1, nrow(x)), 1L))
  # The sum of these values overflows.
  huge <- matrix(rep(1.7e308, 4))
  expect_identical(known_values(huge, c(1, 1, 1, 2), 1L)$mean, 1.7e308)
})

test_that("linear models train and predict as on data filled by hand", {
  for (spec in list(linear_ranker(penalty = 0.1), mcsvm(0.1, tolerance = 1e-8))) {
    for (method in methods) {
      spec <- update(spec, missing = method)
      model <- fit(spec, weighted, threads = 1)
      filled <- naive_fill(weighted$x, list(weighted$x, new$x), method, weight[weighted$query])
      reference <- fit(spec, ranking_data(filled[[1L]], weighted$relevance, weighted$query,
                                          weight = weight[weighted$query]), threads = 1)
      expect_equal(predict(model, new), predict(reference, filled[[2L]]), tolerance = 1e-6)
      expect_equal(unname(model$weights), unname(reference$weights), tolerance = 1e-6)
      expect_identical(model$features, weighted$features)
      # New data without missing values have indicators of 0.
      whole <- naive_fill(new$x, list(new$x), "zero")[[1L]]
      marks <- matrix(0, nrow(whole), length(model$filling$marked))
      expect_equal(predict(model, whole), predict(reference, cbind(whole, marks)), tolerance = 1e-6)
    }
  }
  predicted <- lapply(methods, function(method) {
    predict(fit(linear_ranker(penalty = 0.1, missing = method), holed, threads = 1), new)
  })
  expect_length(unique(predicted), 3L)
})

test_that("sparse features are filled among their entries", {
  skip_if_not_installed("Matrix")
  thin <- sparse_of(holed$x)
  names <- paste0("f", 1:5)
  colnames(thin) <- names
  fresh <- sparse_of(new$x)
  colnames(fresh) <- names
  for (method in methods) {
    filling <- rankmix:::learn_filling(linear_ranker(missing = method),
                                       list(data = list(x = thin), threads = 1L))
    dense <- rankmix:::fill_features(filling, as.matrix(fresh), 2L)
    filled <- rankmix:::fill_features(filling, fresh, 1L)
    expect_s4_class(filled, "dgCMatrix")
    expect_true(methods::validObject(filled))
    expect_identical(as.matrix(filled), dense)
    expect_false(any(filled@x == 0))
    expect_identical(colnames(filled), c(names, if (method == "indicator") {
      paste0("is.na(f", 1:5, ")")
    }))
    model <- fit(linear_ranker(penalty = 0.1, missing = method), with_features(holed, thin), threads = 1)
    reference <- fit(linear_ranker(penalty = 0.1, missing = method), with_features(holed, as.matrix(thin)),
                     threads = 1)
    expect_equal(predict(model, fresh), predict(reference, as.matrix(fresh)), tolerance = 1e-9)
    expect_equal(predict(model, as.matrix(fresh)), predict(model, fresh), tolerance = 1e-12)
  }
})

test_that("a feature without missing values is not copied, and is filled in new data", {
  whole <- random_data(features = 5, seed = 6)
  for (method in methods) {
    task <- rankmix:::new_task(whole, 1, 1L, x = whole$x)
    filling <- rankmix:::learn_filling(linear_ranker(missing = method), task)
    same <- rankmix:::filled_task(task, filling)
    expect_identical(rlang::obj_address(same$data$x), rlang::obj_address(whole$x))
    expect_identical(rlang::obj_address(same$x), rlang::obj_address(whole$x))
    model <- fit(linear_ranker(penalty = 0.1, missing = method), whole, threads = 1)
    expect_identical(coef(model), coef(fit(linear_ranker(penalty = 0.1, missing = "error"), whole,
                                           threads = 1)))
    numbers <- if (method == "zero") numeric(5) else colMeans(whole$x)
    expect_equal(predict(model, matrix(NA_real_, 1, 5)),
                 sum(numbers * model$weights) + model$intercept)
    expect_false(any(grepl("missing values", capture.output(print(model)))))
  }
})

test_that("a feature without any value is 0", {
  empty <- holed
  empty$x[, 2] <- NA
  for (method in methods) {
    model <- fit(linear_ranker(penalty = 0.1, missing = method), empty, threads = 1)
    expect_identical(model$filling$numbers[2], 0)
    expect_identical(model$weights[2], 0)
    expect_true(all(is.finite(predict(model, new))))
  }
})

test_that("a step of a path is chosen on validation data with missing values", {
  new$query_ids <- new$query_ids + 100
  for (spec in list(linear_ranker(penalty = c(0.01, 1, 100), missing = "indicator"),
                    mcsvm(c(0.01, 0.1), missing = "indicator"))) {
    path <- fit(spec, holed, new, metric_ndcg(5), threads = 1)
    values <- vapply(path$path, function(step) {
      summary(evaluate(predict(step, new), new, metric_ndcg(5)))$mean
    }, 0)
    expect_equal(glance(path)$value, unname(values))
    for (step in path$path) expect_identical(step$filling, path$filling)
    filled <- naive_fill(holed$x, list(holed$x, new$x), "indicator")
    there <- with_features(new, filled[[2L]])
    there$query_ids <- new$query_ids
    reference <- fit(update(spec, missing = "error"), with_features(holed, filled[[1L]]), there,
                     metric_ndcg(5), threads = 1)
    expect_equal(glance(path)$value, glance(reference)$value)
    # Without validation data, parts of the training queries choose the step.
    alone <- fit(spec, holed, threads = 1)
    expect_identical(alone$filling, path$filling)
    expect_length(alone$path, length(path$path))
  }
})

test_that("marks are reported, tidied and drawn", {
  named <- with_features(holed, `colnames<-`(holed$x, letters[1:5]))
  ridge <- fit(linear_ranker(penalty = 0.1, missing = "indicator"), named, threads = 1)
  svm <- fit(mcsvm(0.1, missing = "indicator"), named, threads = 1)
  inputs <- c(letters[1:5], sprintf("is.na(%s)", letters[1:5]))
  expect_identical(names(coef(ridge)), c(inputs, "(Intercept)"))
  expect_identical(rownames(coef(svm)), c(inputs, "(Intercept)"))
  expect_identical(tidy(ridge)$feature, c(inputs, "(Intercept)"))
  expect_setequal(tidy(svm)$feature, c(inputs, "(Intercept)"))
  expect_identical(glance(ridge)$features, 5L)
  expect_identical(augment(ridge, named)$.score, predict(ridge, named))
  expect_identical(predict(ridge, as.data.frame(named$x)[5:1]), predict(ridge, named))
  expect_output(print(summary(ridge)), "is.na(", fixed = TRUE)
  skip_if_not_installed("ggplot2")
  for (model in list(ridge, svm)) {
    expect_setequal(as.character(ggplot2::autoplot(model)$data$feature), inputs)
  }
})

test_that("print() shows how many values were filled", {
  one <- random_data(features = 3, seed = 1)
  one$x[2, 2] <- NA
  mean <- fit(linear_ranker(penalty = 1), holed, threads = 1)
  expect_identical(sum(mean$filling$missing), as.double(sum(is.na(holed$x))))
  expect_snapshot({
    mean
    fit(linear_ranker(penalty = 1, missing = "zero"), one, threads = 1)
    fit(linear_ranker(penalty = c(1, 2), missing = "indicator"), weighted, threads = 1)
    fit(mcsvm(0.1), holed, threads = 1)
    mcsvm(missing = "indicator")
  })
})

test_that("the example data train every ranker, and mixtures fill by member", {
  train <- example_part("train")
  valid <- example_part("vali")
  expect_gt(train$missing, 0)
  for (name in rankmix:::built_in_rankers()) {
    spec <- do.call(name, small_arguments(name))
    model <- fit(spec, train, valid, seed = 1, verbose = FALSE)
    expect_true(all(is.finite(predict(model, valid))) || name == "best_feature", label = name)
  }
  mixture <- fit(mixture(mcsvm(0.1), linear_ranker(penalty = 1, missing = "indicator"), gbrt(5),
                         calibrators = list(calibrator_rbc()),
                         grid = mix_grid(features = c("original", "standardized"))),
                 train, valid, seed = 1, verbose = FALSE)
  expect_true(all(is.finite(predict(mixture, example_part("test")))))
  linear_models <- Filter(function(model) inherits(model, "rankmix_linear_model"),
                          mixture$models)
  expect_gt(length(linear_models), 0L)
  for (model in linear_models) expect_gt(length(model$filling$marked), 0L)
})

test_that("a ranker of the user is filled if it has the trait \"filled\"", {
  seen <- list()
  asks <- new_ranker("asks", traits = "filled",
                     train = function(spec, task) {
                       seen <<- c(seen, list(task$data$x))
                       colMeans(task$data$x)
                     },
                     predict = function(model, x) drop(x %*% model))
  model <- fit(asks(), holed)
  filled <- naive_fill(holed$x, list(holed$x, new$x), "indicator")
  expect_equal(seen[[1L]], naive_fill(holed$x, list(holed$x), "mean")[[1L]])
  expect_output(print(model), "filled by the mean", fixed = TRUE)
  marked <- fit(asks(missing = "indicator"), holed)
  expect_equal(predict(marked, new), drop(filled[[2L]] %*% colMeans(filled[[1L]])))
  whole <- filled[[2L]][, 1:5]
  expect_equal(predict(marked, whole), drop(cbind(whole, 0 * whole) %*% colMeans(filled[[1L]])))
  expect_identical(format(asks(missing = "zero")), "asks(missing = \"zero\")")
  expect_error(fit(asks(missing = "error"), holed), class = "rankmix_error_missing")
  none <- function(spec, task) 1
  expect_snapshot(error = TRUE, {
    linear_ranker(missing = "median")
    fit(linear_ranker(missing = "error"), holed)
    fit(asks(missing = "error"), holed)
    fit(mixture(gbrt(5), linear_ranker(missing = "error"), calibrators = list(calibrator_rbc())), holed)
    new_ranker("asks", none, traits = c("missing", "filled"))
    new_ranker("asks", none, parameters = list(missing = 1), traits = "filled")
  })
})
