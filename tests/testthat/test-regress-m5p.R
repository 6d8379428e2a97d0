# Trains a tree for any targets, by the task that cocr() and bagging() use.
grow <- function(x, y, ..., weights = NULL, threads = 1L, bins = Inf, missing = "mean") {
  data <- ranking_data(x, rep(0:1, length.out = nrow(x)), rep(1L, nrow(x)))
  task <- rankmix:::new_task(data, NULL, threads, targets = y, weights = weights)
  rankmix:::train_by_entry(m5p(..., max_bin = bins, missing = missing), task)
}
predicted <- function(model, x) {
  rankmix:::discriminants(model, x, 1L, 1L)[, 1L, 1L]
}
# The splits from the root down, left before right, in the order of the core.
splits_of <- function(model) {
  unname(cbind(model$forest$feature + 1, model$forest$threshold))
}
some_numbers <- function(rows, features, levels = Inf) {
  x <- matrix(stats::rnorm(rows * features), rows)
  if (is.finite(levels)) x[] <- round(levels * stats::pnorm(x))
  x
}
some_targets <- function(x) {
  drop(ifelse(x[, 1L] > stats::median(x[, 1L]), x[, 2L], 2 - x[, ncol(x)])) +
    0.3 * stats::rnorm(nrow(x))
}

# If a side can have a single target, Weka takes the fifth root of rounding errors. These runs are skipped.
rounds_errors <- function(case, run) case %in% c("mtcars", "quakes") && run == 2L

test_that("trees agree with Weka's M5P", {
  weka <- readRDS(test_path("fixtures", "m5p-weka.rds"))
  cases <- m5p_cases()
  for (name in names(cases)) {
    y <- cases[[name]][, 1L]
    x <- unname(cases[[name]][, -1L])
    rows <- seq(1L, nrow(x), length.out = 60L)
    for (run in seq_along(m5p_runs)) {
      if (rounds_errors(name, run)) next
      expected <- weka[[name]][[run]]
      model <- do.call(grow, c(list(x, y), m5p_runs[[run]]$given))
      label <- paste(name, m5p_runs[[run]]$weka)
      expect_identical(as.integer(splits_of(model)[, 1L]), expected$feature, label = label)
      # Weka prints thresholds with three decimals.
      expect_lte(max(0, abs(splits_of(model)[, 2L] - expected$threshold)), 5.001e-4, label = label)
      expect_lte(max(abs(predicted(model, x)[rows] - expected$predictions)), 1e-6, label = label)
      expect_equal(length(model$forest$values), length(expected$models), label = label)
      # One feature is twice another feature, so rounding decides which of the two is dropped.
      if (name == "steps") next
      weights <- coef(model)
      off <- vapply(seq_along(expected$models), function(leaf) {
        own <- expected$models[[leaf]]
        in_order <- weights[leaf, ifelse(own$feature == 0L, ncol(weights), own$feature)]
        max(abs(in_order - own$weight))
      }, 0)
      expect_lte(max(off), 5.001e-5, label = label)
      expect_equal(as.vector(rowSums(weights != 0)), vapply(expected$models, nrow, 0L), label = label)
    }
  }
})

test_that("trees agree with the definition, with weights and without", {
  withr::local_seed(4)
  for (draw in draws(100)) {
    rows <- sample(c(8, 30, 70, 150), 1L)
    x <- some_numbers(rows, sample(2:4, 1L), sample(c(6, Inf), 1L))
    y <- some_targets(x)
    w <- if (draw %% 2 == 0) stats::runif(rows, 0.2, 3)
    given <- list(min_data_in_split = sample(c(4, 12), 1L), prune = draw %% 3 > 0,
                  smooth = draw %% 4 > 0)
    reference <- do.call(naive_m5p, c(list(x, y, if (is.null(w)) rep(1, rows) else w / mean(w)),
                                      given))
    model <- do.call(grow, c(list(x, y, weights = w), given))
    expect_equal(splits_of(model), rbind(naive_m5p_splits(reference), matrix(0, 0L, 2L)),
                 tolerance = 1e-12)
    expect_equal(predicted(model, x), apply(x, 1L, function(row) naive_m5p_predict(reference, row)),
                 tolerance = 1e-7)
  }
})

test_that("bins find the cuts of all values if each value has one bin", {
  withr::local_seed(5)
  for (draw in draws(40)) {
    x <- some_numbers(300, 4, 9)
    # Without bins, thresholds are halfway between values of the node. With bins, they are halfway between values of
    # all documents. Feature values are whole numbers.
    whole <- draw %% 2 == 0
    y <- if (whole) rank(some_targets(x)) %/% 40 else some_targets(x)
    w <- if (draw %% 3 == 0) stats::runif(300, 0.5, 2)
    exact <- grow(x, y, weights = w, min_data_in_split = 20)
    binned <- grow(x, y, weights = w, min_data_in_split = 20, bins = 255)
    expect_identical(binned$forest[c("feature", "left", "right", "leaf_documents")],
                     exact$forest[c("feature", "left", "right", "leaf_documents")])
    expect_lt(max(abs(binned$forest$threshold - exact$forest$threshold)), 5)
    expect_equal(predicted(binned, x), predicted(exact, x), tolerance = 1e-10)
  }
})

test_that("neither threads nor the order of rows change a bit, whatever the weights of documents", {
  withr::local_seed(6)
  # There is more than one block of documents, so that threads share the work.
  x <- some_numbers(9000, 5, 40)
  y <- some_targets(x)
  order <- sample(9000)
  for (bins in c(31, Inf)) {
    for (w in list(NULL, stats::runif(9000))) {
      one <- grow(x, y, weights = w, bins = bins, min_data_in_split = 500)
      expect_identical(grow(x, y, weights = w, bins = bins, min_data_in_split = 500, threads = 3L), one)
      other <- grow(x[order, ], y[order], weights = w[order], bins = bins, min_data_in_split = 500)
      expect_identical(predicted(other, x), predicted(one, x))
    }
  }
})

test_that("documents without weight are as good as absent, scales of weights change nothing", {
  withr::local_seed(7)
  x <- some_numbers(200, 3)
  y <- some_targets(x)
  w <- rep(c(0, 1, 2), length.out = 200)
  there <- w > 0
  model <- grow(x, y, weights = w)
  expect_identical(predicted(grow(x[there, ], y[there], weights = w[there]), x),
                   predicted(model, x))
  expect_equal(predicted(grow(x, y, weights = 1e-6 * w), x), predicted(model, x))
  expect_identical(predicted(grow(x, y, weights = rep(0.3, 200)), x), predicted(grow(x, y), x))
})

test_that("targets shift and scale trees with them", {
  withr::local_seed(8)
  x <- some_numbers(150, 3)
  y <- some_targets(x)
  expect_equal(predicted(grow(x, 1000 + y), x), 1000 + predicted(grow(x, y), x), tolerance = 1e-9)
  # Scaled features give the same splits.
  expect_equal(predicted(grow(100 * x, y), 100 * x), predicted(grow(x, y), x), tolerance = 1e-7)
})

test_that("a node that cannot be split is a leaf", {
  x <- cbind(1:3, c(2, 1, 2))
  expect_equal(predicted(grow(x, c(1, 4, 4)), x), rep(3, 3))
  # Equal targets, a constant feature, and too few documents.
  x <- cbind(1:20, 5)
  expect_equal(predicted(grow(x, rep(7, 20)), x), rep(7, 20))
  x[, 1L] <- 5
  expect_equal(predicted(grow(x, 1:20), x), rep(10.5, 20))
  model <- grow(x, 1:20)
  expect_length(model$forest$feature, 0L)
  expect_identical(coef(model), matrix(c(0, 0, 10.5), 1L,
                                       dimnames = list("1", c("x1", "x2", "(Intercept)"))))
  expect_identical(nrow(tidy(model)), 0L)
})

test_that("a linear relation is found by one model, and a step by one split", {
  x <- cbind(1:100, rep(1:4, 25))
  model <- grow(x, 3 + 2 * x[, 1L])
  expect_identical(glance(model)$leaves, 1L)
  expect_equal(unname(coef(model)[1L, ]), c(2, 0, 3), tolerance = 1e-8)
  x <- cbind(stats::qnorm(ppoints(80)), rep(0:1, each = 40))
  step <- grow(x[, 2L, drop = FALSE], 10 * x[, 2L], smooth = FALSE, prune = FALSE)
  expect_equal(predicted(step, x[, 2L, drop = FALSE]), 10 * x[, 2L])
  expect_equal(step$forest$threshold, 0.5)
})

test_that("grades or gains are regressed, with a model for each of several sizes", {
  data <- simulate_ranking(60, features = 6, seed = 1)$data
  parts <- split_parts(split_queries(data, 0.6, seed = 1), data)
  model <- fit(m5p(100), parts$train, verbose = FALSE)
  expect_equal(predict(model, data), predicted(model, data$x))
  gains <- fit(m5p(100, target = "gain"), parts$train, verbose = FALSE)
  task <- rankmix:::new_task(parts$train, NULL, 1L, targets = 2^parts$train$relevance - 1)
  expect_identical(predict(gains, data),
                   predict(rankmix:::train_by_entry(m5p(100, target = "gain"), task), data))
  sizes <- c(20, 400)
  path <- fit(m5p(sizes), parts$train, parts$test, verbose = FALSE)
  values <- vapply(sizes, function(size) {
    one <- fit(m5p(size), parts$train, verbose = FALSE)
    summary(evaluate(one, parts$test, metric_ndcg(10)))$mean
  }, 0)
  expect_equal(glance(path)$value, values)
  expect_identical(path$chosen, which.max(values))
  expect_identical(names(path$path), c("20", "400"))
  expect_error(predict(fit(m5p(sizes), parts$train, verbose = FALSE), data),
               class = "rankmix_error_path")
})

test_that("sparse features train the same tree", {
  skip_if_not_installed("Matrix")
  withr::local_seed(9)
  x <- some_numbers(500, 6)
  x[abs(x) < 0.6] <- 0
  y <- some_targets(x)
  sparse <- Matrix::Matrix(x, sparse = TRUE)
  for (bins in c(255, Inf)) {
    dense <- grow(x, y, bins = bins, min_data_in_split = 30)
    model <- grow(sparse, y, bins = bins, min_data_in_split = 30)
    expect_equal(model$forest$feature, dense$forest$feature)
    expect_identical(predicted(model, sparse), predicted(model, x))
    expect_equal(predicted(model, x), predicted(dense, x), tolerance = 1e-10)
  }
})

test_that("a tree prints its splits and models", {
  withr::local_options(width = 80, cli.width = 80)
  x <- cbind(age = 1:60, size = rep(c(2.5, 4, 8), 20))
  y <- ifelse(x[, 1L] <= 30, x[, 2L], 20 - 0.5 * x[, 2L]) + 0.1 * rep(c(-1, 1, 1, -1), 15)
  expect_snapshot(print(grow(x, y)))
  expect_snapshot(print(grow(x, rep(1:2, 30))))
  data <- simulate_ranking(100, features = 8, seed = 1)$data
  many <- fit(m5p(4, prune = FALSE), data, verbose = FALSE)
  expect_match(utils::tail(utils::capture.output(print(many)), 1L), "more lines, see `coef\\(\\)`")
  expect_identical(nrow(coef(many)), glance(many)$leaves)
  expect_equal(sum(tidy(many)$fraction), 1)
  expect_output(print(summary(many)), "fraction")
})

test_that("errors name the bad setting", {
  expect_snapshot(error = TRUE, {
    m5p(0)
    m5p(c(4, 4))
    m5p(max_bin = 1)
    m5p(prune = NA)
    m5p(target = "rank")
    m5p(leaves = 3)
  })
})

test_that("close values differ, unlike in Weka", {
  i <- seq_len(60)
  y <- ifelse(i <= 30, 0, 10) + 0.1 * ((i * 7) %% 5)
  for (unit in c(1, 1e-9)) {
    x <- cbind(unit * i)
    expect_equal(splits_of(grow(x, y))[1L, 2L] / unit, 30.5)
    expect_equal(splits_of(grow(x, y, bins = 255))[1L, 2L] / unit, 30.5)
  }
})

test_that("features of extremely large or small values stay in the models of the leaves", {
  data <- simulate_ranking(20, features = 5, seed = 3)$data
  data$x[is.na(data$x)] <- 0
  scores <- predict(fit(m5p(), data), data)
  for (unit in 2^c(-600, 600)) {
    some <- data
    some$x[, 1:2] <- data$x[, 1:2] * unit
    expect_equal(predict(fit(m5p(), some), some), scores, tolerance = 1e-12)
  }
})
