small_data <- function(...) random_data(queries = 12, features = 3, classes = 3, ...)

# The weights for standardised features.
scaled_weights_of <- function(model) model$weights * model$scale

with_weight <- function(data, weight) {
  ranking_data(data$x, data$relevance, data$query, weight = weight[data$query])
}

test_that("the objective agrees with all pairs, and no point is lower by more than the gap", {
  for (seed in 1:2) {
    data <- small_data(seed = seed)
    weight <- rep(c(1, 2, 0.5), length.out = 12)
    standard <- naive_standard(data$x, weight[data$query])
    for (pairs in c("query", "plain")) {
      listed <- naive_pairs(data, pairs, weight)
      for (loss in c("squared_hinge", "hinge")) {
        for (cost in c(1e-3, 0.1, 10)) {
          model <- fit(ranksvm(cost, loss, pairs), with_weight(data, weight))
          expect_identical(model$status, "converged")
          expect_equal(model$scale, standard$scale, tolerance = 1e-12)
          objective <- function(v) naive_rank_objective(v, standard$z, listed, cost, loss)
          v <- scaled_weights_of(model)
          expect_equal(objective(v), model$objective, tolerance = 1e-12)
          # A general optimiser, started from 0 and from the solution.
          best <- min(stats::optim(rep(0, 3), objective, method = "BFGS",
                                   control = list(maxit = 500, reltol = 1e-15))$value,
                      stats::optim(v, objective, control = list(maxit = 3000))$value)
          expect_gte(best, model$objective * (1 - model$gap) - 1e-12)
          expect_lte(model$gap, if (loss == "hinge") 1e-5 else 1e-6)
        }
      }
    }
  }
})

# data-raw/ranksvm-objectives.R writes fixtures/ranksvm-objectives.csv.
test_that("its objective is LIBLINEAR's on listed pairs", {
  data <- simulate_ranking(20, features = 5, seed = 5)$data
  data$x[is.na(data$x)] <- 0
  z <- naive_standard(data$x)$z
  pairs <- naive_pairs(data, "plain")
  theirs <- utils::read.csv(test_path("fixtures", "ranksvm-objectives.csv"))
  for (loss in c("squared_hinge", "hinge")) {
    rows <- theirs[theirs$loss == loss, ]
    path <- fit(ranksvm(rows$cost, loss, pairs = "plain"), data)
    for (i in seq_along(rows$cost)) {
      model <- path$path[[i]]
      ours <- naive_rank_objective(model$weights * model$scale, z, pairs, rows$cost[i], loss)
      # The minimum is at most LIBLINEAR's objective. It is also at least (1 - gap) times the objective of rankmix.
      expect_lte(ours * (1 - model$gap), rows$objective[i] * (1 + 1e-11))
      expect_equal(ours, rows$objective[i], tolerance = 1e-4)
    }
  }
})

test_that("a smaller tolerance gives a smaller gap", {
  data <- small_data()
  for (loss in c("squared_hinge", "hinge")) {
    gaps <- vapply(c(1e-1, 1e-4, 1e-7), function(tolerance) {
      glance(fit(ranksvm(1, loss, tolerance = tolerance), data))$gap
    }, 0)
    expect_true(all(gaps <= c(1e-1, 1e-4, 1e-7)))
    expect_lt(gaps[3], gaps[1])
  }
})

test_that("costs near 0 rank by the sums over pairs, and very large costs satisfy all margins", {
  data <- small_data()
  standard <- naive_standard(data$x)
  listed <- naive_pairs(data, "query")
  # With weights of 0, every pair lacks a margin of 1. This is the direction of the first descent step.
  gradient <- colSums(listed$weight * (standard$z[listed$upper, ] - standard$z[listed$lower, ]))
  for (loss in c("squared_hinge", "hinge")) {
    model <- fit(ranksvm(1e-9, loss), data)
    expect_equal(scaled_weights_of(model) / 1e-9, gradient * (if (loss == "hinge") 1 else 2),
                 tolerance = 1e-6)
  }
  # One feature determines the grades, so all margins can be met and no loss remains.
  separable <- ranking_data(cbind(data$relevance + data$x[, 2] / 100, data$x), data$relevance,
                            data$query)
  model <- fit(ranksvm(1e4, "hinge", tolerance = 1e-4), separable)
  f <- predict(model, separable)
  expect_gt(min(f[listed$upper] - f[listed$lower]), 1 - 1e-3)
})

test_that("a query of weight 2 acts as two copies, and a query of weight 0 is absent", {
  data <- small_data()
  for (pairs in c("query", "plain")) {
    spec <- ranksvm(0.3, pairs = pairs, tolerance = 1e-12)
    weight <- rep(1:2, length.out = 12)
    rows <- c(seq_along(data$query), which(weight[data$query] == 2))
    twice <- ranking_data(data$x[rows, ], data$relevance[rows],
                          c(data$query, data$query[weight[data$query] == 2] + 100))
    expect_equal(coef(fit(spec, with_weight(data, weight))), coef(fit(spec, twice)),
                 tolerance = 1e-6)
    some <- data[which(weight == 1)]
    expect_equal(coef(fit(spec, with_weight(data, as.numeric(weight == 1)))),
                 coef(fit(spec, some)), tolerance = 1e-6)
  }
})

test_that("models have the same bits on any number of threads", {
  data <- simulate_ranking(150, seed = 2)$data
  costs <- at_size(10^c(-3, -1), 10^c(-3, -1, 1))
  for (loss in c("squared_hinge", "hinge")) {
    spec <- ranksvm(costs, loss, tolerance = 1e-4)
    one <- fit(spec, data, threads = 1)
    expect_identical(fit(spec, data, threads = 2), one)
    expect_identical(fit(spec, data, threads = 4), one)
  }
})

test_that("sparse features give the model of dense features", {
  skip_if_not_installed("Matrix")
  data <- small_data()
  data$x[abs(data$x) < 0.5] <- 0
  sparse <- ranking_data(Matrix::Matrix(data$x, sparse = TRUE), data$relevance, data$query)
  spec <- ranksvm(1, tolerance = 1e-12)
  expect_equal(unname(coef(fit(spec, sparse))), unname(coef(fit(spec, data))), tolerance = 1e-6)
})

test_that("constant features get weight 0, and features constant within queries only rounding errors", {
  data <- small_data()
  data <- ranking_data(unname(cbind(data$x, 5, data$query)), data$relevance,
                       data$query)
  weights <- unname(coef(fit(ranksvm(1), data)))
  expect_identical(weights[4], 0)
  expect_lt(abs(weights[5]), 1e-10)
  expect_gt(min(abs(weights[1:3])), 1e-4)
})

test_that("validation data choose a cost, or parts of the training queries", {
  skip_if_quick()
  data <- random_data(queries = 60, features = 4, classes = 3, seed = 3)
  parts <- split_parts(split_queries(data, 0.7, seed = 1), data)
  costs <- 10^c(0, -4, -2)
  held <- fit(ranksvm(costs), parts$train, parts$test, metric_err())
  expect_identical(names(held$path), c("1", "1e-04", "0.01"))
  expect_identical(glance(held)$cost, costs)
  values <- vapply(held$path, function(m) summary(evaluate(m, parts$test, metric_err()))$mean, 0)
  expect_equal(glance(held)$value, unname(values))
  expect_identical(held$spec$cost, costs[which.max(values)])
  for (model in held$path) {
    alone <- fit(model$spec, parts$train)
    expect_equal(alone$objective, model$objective, tolerance = 2e-6)
  }
  # Computes out-of-fold scores of the queries by hand.
  alone <- fit(ranksvm(costs, tolerance = 1e-12), data, metric = metric_err())
  part <- rankmix:::query_parts(rankmix:::held_out(data, 1L), cbind(predict(alone$path[[1]], data)))
  scores <- matrix(0, nrow(data$x), 3)
  for (k in 1:5) {
    seen <- data[unique(data$query[part != k])]
    for (i in 1:3) {
      model <- fit(ranksvm(costs[i], tolerance = 1e-12), seen)
      scores[part == k, i] <- predict(model, data)[part == k]
    }
  }
  by_hand <- vapply(1:3, function(i) summary(evaluate(scores[, i], data, metric_err()))$mean, 0)
  expect_equal(glance(alone)$value, by_hand, tolerance = 1e-3)
  expect_identical(alone$chosen, which.max(by_hand))
})

test_that("ranksvm() is a member of a mixture", {
  data <- simulate_ranking(80, seed = 1)$data
  parts <- split_parts(split_queries(data, 0.6, seed = 1), data)
  mixed <- fit(mixture(ranksvm(10^(-2:0)), linear_ranker(penalty = 1)), parts$train, parts$test,
               seed = 1, verbose = FALSE)
  expect_true(all(is.finite(predict(mixed, parts$test))))
  expect_gt(summary(evaluate(mixed, parts$test, metric_ndcg(10)))$mean, 0.5)
})

test_that("ranksvm() prints its settings and its fit", {
  data <- small_data()
  model <- fit(ranksvm(0.1), data)
  expect_identical(names(coef(model)), data$features)
  expect_identical(tidy(model)$weight, unname(coef(model)))
  expect_equal(predict(model, data), drop(data$x %*% coef(model)), ignore_attr = TRUE)
  expect_identical(glance(model)$pairs, as.numeric(nrow(naive_pairs(data, "plain"))))
  expect_snapshot({
    ranksvm()
    ranksvm(c(0.1, 1), "hinge", pairs = "plain", tolerance = 1e-3)
    update(ranksvm(), cost = 3)
  })
  expect_output(print(model), "3 features, .* pairs; objective .*converged")
  expect_output(print(fit(ranksvm(c(0.1, 1)), data)), "<2 rankers> chosen: ranksvm")
})

test_that("bad settings and data are refused, and data without information are reported", {
  data <- small_data()
  expect_snapshot(error = TRUE, {
    ranksvm(0)
    ranksvm(-1)
    ranksvm(c(1, 1))
    ranksvm(loss = "logistic")
    ranksvm(pairs = "all")
    ranksvm(tolerance = 0)
    ranksvm(penalty = 1)
    fit(ranksvm(), ranking_data(data$x, rep(1, nrow(data$x)), data$query))
  })
  alone <- ranking_data(data$x, data$relevance, seq_len(nrow(data$x)))
  expect_snapshot(model <- fit(ranksvm(0.1), alone))
  expect_true(all(coef(model) == 0))
  expect_identical(glance(model)$pairs, 0)
  # All features are constant. There are pairs, but nothing distinguishes their documents.
  same <- ranking_data(0 * data$x + 7, data$relevance, data$query)
  expect_warning(constant <- fit(ranksvm(0.1), same), class = "rankmix_warning_constant")
  expect_true(all(coef(constant) == 0))
  expect_equal(constant$objective, 0.1 * sum(naive_pairs(data, "query")$weight))
  # Rounding errors do not allow this tolerance.
  expect_warning(fit(ranksvm(1, "hinge", tolerance = 1e-12), data),
                 class = "rankmix_warning_convergence")
  model <- list(spec = ranksvm(1), gap = 2e-3, steps = 500L, status = "limit")
  expect_snapshot(rankmix:::warn_limit(list(model)))
})

test_that("large costs converge on wide data, though rounding errors hide the decrease", {
  documents <- 300
  features <- 600
  set.seed(3)
  x <- Matrix::sparseMatrix(
    i = rep(seq_len(documents), each = 20), x = rexp(20 * documents), dims = c(documents, features),
    j = as.integer(replicate(documents, sample.int(features, 20)))
  )
  grades <- findInterval(rank(as.numeric(x %*% rnorm(features))), documents * c(0.5, 0.8, 0.93))
  data <- ranking_data(x, grades, rep(1:10, each = 30))
  path <- fit(ranksvm(10^c(2, 4, 6)), data, data, threads = 1)
  table <- glance(path)
  expect_identical(table$status, rep("converged", 3))
  # Nearly all margins can be met, so the objective rises to the objective of hard margins.
  expect_equal(table$objective[2], table$objective[3], tolerance = 1e-3)
  listed <- naive_pairs(data, "query")
  model <- path$path[[3]]
  z <- naive_standard(as.matrix(x))$z
  ours <- naive_rank_objective(scaled_weights_of(model), z, listed, 1e6, "squared_hinge")
  expect_equal(ours, model$objective, tolerance = 1e-6)
})
