# The objective in plain R. A general optimiser finds its minimum.
naive_objective <- function(weights, x, grade, cost, documents = 1) {
  z <- x %*% weights
  margin <- z + 1
  own <- cbind(seq_along(grade), grade + 1)
  margin[own] <- z[own]
  sum(weights^2) / 2 + cost * sum(documents * (apply(margin, 1, max) - z[own]))
}

# The setting of the paper: unscaled features and no constant feature.
plain_svm <- function(..., bias = FALSE, scale = "none") {
  mcsvm(..., bias = bias, scale = scale)
}

# The example data with 0 instead of missing values.
complete_part <- function(name, ...) {
  data <- read_letor(system.file("extdata", paste0(name, ".txt.gz"), package = "rankmix"), ...)
  if (isS4(data$x)) {
    data$x@x[is.na(data$x@x)] <- 0
  } else {
    data$x[is.na(data$x)] <- 0
  }
  data
}

small_data <- function(...) random_data(queries = 12, features = 3, classes = 3, ...)

test_that("the reported objective is right and near the minimum", {
  local_known_warnings("constant")
  for (seed in seq_len(at_size(1, 3))) {
    data <- small_data(seed = seed)
    for (cost in c(1e-4, 0.01, 1, 100)) {
      model <- fit(plain_svm(cost), data)
      expect_identical(model$status, "converged")
      objective <- function(w) naive_objective(matrix(w, 3), data$x, data$relevance, cost)
      expect_equal(objective(model$weights), model$primal, tolerance = 1e-10)
      expect_lte(model$dual, model$primal)
      expect_lte(model$gap, 1e-3)
      # General optimisers start from 0 and from the solution. Both must stay above the lower bound.
      best <- min(
        stats::optim(rep(0, 9), objective, method = "BFGS", control = list(maxit = 500))$value,
        stats::optim(model$weights, objective, control = list(maxit = 5000))$value
      )
      expect_gte(best, model$dual)
      expect_gte(best, model$primal * (1 - 2e-4))
    }
  }
})

test_that("a smaller tolerance gives a smaller gap", {
  data <- small_data()
  loose <- fit(plain_svm(1, tolerance = 0.05), data)
  tight <- fit(plain_svm(1, tolerance = 1e-5), data)
  expect_lte(loose$gap, 0.05)
  expect_lte(tight$gap, 1e-5)
  expect_lt(tight$primal, loose$primal)
  expect_lt(loose$steps, tight$steps)
})

test_that("classifiers have the same bits on any number of threads", {
  data <- complete_part("train")
  spec <- plain_svm(10^(-3:0), scale = "standard", bias = TRUE)
  one <- fit(spec, data, threads = 1)
  expect_identical(fit(spec, data, threads = 2), one)
  expect_identical(fit(spec, data, threads = 4), one)
})

test_that("sparse data give the classifier of dense data", {
  skip_if_not_installed("Matrix")
  dense <- complete_part("train")
  sparse <- complete_part("train", sparse = TRUE)
  for (scale in c("none", "standard", "maximum")) {
    spec <- plain_svm(0.1, tolerance = 1e-6, scale = scale, bias = TRUE)
    a <- fit(spec, dense)
    b <- fit(spec, sparse)
    expect_equal(a$primal, b$primal, tolerance = 1e-6)
    expect_equal(coef(a), coef(b), tolerance = 1e-3)
    expect_equal(predict(a, sparse, type = "raw"), predict(a, dense, type = "raw"))
    expect_identical(a$zero_documents, b$zero_documents)
  }
})

test_that("scaling and bias agree with data that were transformed by hand", {
  data <- small_data()
  data$x[, 2] <- 100 * data$x[, 2] + 7
  by_hand <- function(x) {
    copy <- data
    copy$x <- x
    copy
  }
  spec <- function(...) plain_svm(0.5, tolerance = 1e-6, ...)
  sd <- function(v) sqrt(mean((v - mean(v))^2))
  standard <- apply(data$x, 2, function(v) (v - mean(v)) / sd(v))
  expect_equal(predict(fit(spec(scale = "standard"), data), data, type = "raw"),
               predict(fit(spec(), by_hand(standard)), by_hand(standard), type = "raw"),
               tolerance = 1e-4)
  largest <- apply(data$x, 2, function(v) v / max(abs(v)))
  expect_equal(predict(fit(spec(scale = "maximum"), data), data, type = "raw"),
               predict(fit(spec(), by_hand(largest)), by_hand(largest), type = "raw"),
               tolerance = 1e-4)
  constant <- ranking_data(cbind(standard, 1), data$relevance, data$query)
  biased <- fit(spec(bias = TRUE, scale = "standard"), data)
  expect_equal(biased$primal, fit(spec(), constant)$primal, tolerance = 1e-6)
  # coef() returns weights of the original features.
  f <- cbind(data$x, 1) %*% coef(biased)
  expect_equal(unname(f), unname(predict(biased, data, type = "raw")))
})

test_that("constant features get no weight by standard scaling", {
  data <- small_data()
  data$x[, 3] <- 5
  expect_true(all(coef(fit(plain_svm(scale = "standard"), data))[3, ] == 0))
})

test_that("weights of queries count as copies of their documents", {
  data <- small_data()
  weighted <- data
  weighted$weight <- ifelse(seq_along(data$query_ids) %% 2 == 0, 2, 1)
  twice <- data$query %% 2 == 0
  rows <- c(seq_along(data$query), which(twice))
  copied <- ranking_data(data$x[rows, ], data$relevance[rows], data$query[rows])
  tight <- function(cost) plain_svm(cost, tolerance = 1e-6)
  expect_equal(fit(tight(0.3), weighted)$primal, fit(tight(0.3), copied)$primal,
               tolerance = 1e-5)
})

test_that("documents of weight 0 have no effect", {
  data <- small_data()
  data$weight <- ifelse(seq_along(data$query_ids) <= 3, 0, 1)
  rows <- which(data$query > 3)
  present <- ranking_data(data$x[rows, ], data$relevance[rows], data$query[rows])
  expect_equal(fit(plain_svm(0.3, tolerance = 1e-6), data)$primal,
               fit(plain_svm(0.3, tolerance = 1e-6), present)$primal, tolerance = 1e-5)
})

test_that("many unknowns are solved by conjugate gradients", {
  set.seed(4)
  x <- matrix(rnorm(200 * 720), 200)
  data <- ranking_data(x, rep(0:2, length.out = 200), rep(1:20, each = 10))
  for (cost in c(1e-4, 0.01, 1)) {
    model <- fit(plain_svm(cost), data)
    expect_identical(model$status, "converged")
    expect_equal(naive_objective(model$weights, x, data$relevance, cost), model$primal,
                 tolerance = 1e-10)
  }
})

test_that("predictions are scores, labels and discriminants, and live in a file", {
  data <- small_data()
  model <- fit(plain_svm(0.1), data)
  raw <- predict(model, data, type = "raw")
  expect_identical(predict(model, data, type = "label"), unname(apply(raw, 1, which.max)) - 1L)
  expect_identical(dim(coef(model)), c(3L, 3L))
  expect_equal(unname(raw), unname(data$x %*% coef(model)))
  path <- withr::local_tempfile()
  saveRDS(model, path)
  expect_identical(predict(readRDS(path), data), predict(model, data))
  expect_identical(nrow(tidy(model)), 9L)
  for (method in all_calibrators()) {
    expect_length(predict(calibrate(model, data, method), data), nrow(data$x))
  }
})

test_that("support vector machines are mixed with boosted classifiers", {
  train <- complete_part("train")
  valid <- complete_part("vali")
  mixture <- tune_and_mix(train, valid, list(mcsvm(10^(-2:0)),
                                             adaboost_mh(base_tree(4), rounds = 20)),
                          list(calibrator_naive(), calibrator_cpc(), calibrator_rbc()), seed = 1)
  expect_identical(nrow(mixture$members), 12L)
  expect_identical(unique(mixture$members$classifier)[1:2],
                   c("mcsvm(cost = 0.01)", "mcsvm(cost = 0.1)"))
  expect_length(predict(mixture, valid), nrow(valid$x))
  alone <- tune_and_mix(train, valid, plain_svm(c(0.01, 1), scale = "standard"), calibrator_naive())
  expect_identical(alone$rounds, 1L)
})

test_that("documents without any feature are counted in a warning", {
  data <- small_data()
  data$x[data$query <= 3, ] <- 0
  model <- fit(plain_svm(), data)
  expect_identical(model$zero_documents, as.double(sum(data$query <= 3)))
  expect_output(print(model), "cannot be distinguished")
  expect_identical(unique(predict(model, data)[data$query <= 3]),
                   predict(model, data)[which(data$query == 1)[1]])
})

test_that("impossible fits are refused, and doubtful fits give a warning", {
  refuse <- function(code, class = "rankmix_error_argument") expect_error(code, class = class)
  for (cost in list(0, -1, Inf, NA_real_, "1", numeric(), c(1, 1))) refuse(plain_svm(cost))
  refuse(plain_svm(tolerance = 1e-9))
  refuse(plain_svm(bias = NA))
  refuse(plain_svm(scale = "unit"))
  data <- small_data()
  refuse(fit(plain_svm(), ranking_data(data$x, rep(1, nrow(data$x)), data$query)),
         "rankmix_error_one_grade")
  missing <- small_data(missing = 0.1)
  strict <- plain_svm(missing = "error")
  expect_snapshot_error(fit(strict, missing), class = "rankmix_error_missing")
  model <- fit(strict, data)
  refuse(predict(model, missing), "rankmix_error_missing")
  valid <- missing
  valid$query_ids <- valid$query_ids + 100
  refuse(fit(strict, data, validation = valid), "rankmix_error_missing")
  # The solver stopped after two steps.
  started <- rankmix:::mcsvm_start(data$x, data$relevance, numeric(), 3, "none", FALSE, 1L)
  solved <- rankmix:::mcsvm_solve(started, 10, 1e-3, 2L, 1L)
  expect_identical(solved$status, "limit")
  limited <- rankmix:::new_mcsvm(plain_svm(10), 1L, solved, data, 3, 0:2, 0)
  expect_gt(limited$gap, 1e-3)
  expect_warning(rankmix:::warn_limit(list(limited)), "after 2 steps",
                 class = "rankmix_warning_convergence")
})

test_that("features of very different ranges are warned of, and do no harm", {
  data <- small_data()
  data$x[, 1] <- 1e9 * data$x[, 1]
  for (cost in c(1e-6, 1, 100)) {
    model <- suppressWarnings(fit(plain_svm(cost), data))
    expect_true(all(is.finite(model$weights)) && model$dual <= model$primal)
    expect_equal(naive_objective(model$weights, data$x, data$relevance, cost), model$primal,
                 tolerance = 1e-6)
  }
  expect_warning(fit(plain_svm(1e-6), data), class = "rankmix_warning_scale")
  expect_no_warning(fit(plain_svm(1e-2, scale = "standard"), data))
})

test_that("grades can be grouped", {
  data <- random_data(queries = 30, classes = 4, seed = 5)
  grouping <- c(0, 1, 1, 2)
  model <- fit(plain_svm(0.1, grouping = grouping), data)
  plain <- fit(plain_svm(0.1), group_grades(data, grouping))
  expect_identical(model$weights, plain$weights)
  raw <- predict(model, data, type = "raw")
  expect_identical(unname(raw), unname(predict(plain, data, type = "raw")[, grouping + 1]))
  expect_identical(dim(coef(model)), c(4L, 3L))
  expect_output(print(model), "grouping = c\\(0, 1,\\s+1, 2\\)")
  expect_error(plain_svm(grouping = c(1, 2)), class = "rankmix_error_argument")
  expect_error(fit(plain_svm(grouping = c(0, 0, 0, 0)), data), class = "rankmix_error_one_grade")
})

test_that("features are standardised by default, with a bias", {
  expect_identical(mcsvm(), mcsvm(1, bias = TRUE, scale = "standard"))
  expect_identical(format(mcsvm(0.1)), "mcsvm(cost = 0.1)")
  expect_identical(format(plain_svm(0.1)), "mcsvm(cost = 0.1, bias = FALSE, scale = \"none\")")
  # The units of the features do not matter.
  data <- complete_part("train")
  scaled <- ranking_data(data$x %*% diag(10^seq(-3, 3, length.out = ncol(data$x))),
                         data$relevance, data$query)
  expect_equal(predict(fit(mcsvm(0.1, tolerance = 1e-6), scaled), scaled),
               predict(fit(mcsvm(0.1, tolerance = 1e-6), data), data), tolerance = 1e-2)
})

test_that("the default ranks MQ2008 as standardised features do", {
  folder <- file.path(Sys.getenv("RANKMIX_DATA"), "MQ2008", "Fold1")
  skip_if(!nzchar(Sys.getenv("RANKMIX_DATA")) || !dir.exists(folder), "no real data")
  train <- read_letor(file.path(folder, "train.txt"))
  valid <- read_letor(file.path(folder, "vali.txt"))
  value <- function(spec) {
    model <- suppressWarnings(fit(spec, train))
    summary(suppressWarnings(evaluate(model, valid, metric_ndcg(10))))$mean
  }
  expect_gt(value(mcsvm()), value(plain_svm()) + 0.05)
})
