small_data <- function(seed = 1) simulate_ranking(25, features = 5, seed = seed)$data
no_holes <- function(data) {
  data$x[is.na(data$x)] <- 0
  ranking_data(unname(data$x), data$relevance, data$query)
}

# Formula (13) of the paper, for given scores of the documents.
naive_objective <- function(w, data, metric, sigma, penalty, centre) {
  penalty * sum((w - centre)^2) -
    sum(naive_smooth(loss_smooth(metric, sigma), drop(data$x %*% w), data))
}

# The Hessian from differences of the gradient, made symmetric.
hessian_of <- function(gradient, w, h = 1e-6) {
  columns <- vapply(seq_along(w), function(j) {
    step <- replace(numeric(length(w)), j, h)
    (gradient(w + step) - gradient(w - step)) / (2 * h)
  }, w)
  (columns + t(columns)) / 2
}

test_that("with scale = \"standard\" the penalty is of the weights of scaled features", {
  data <- no_holes(small_data(3))
  data <- ranking_data(sweep(data$x, 2L, c(1, 100, 0.01, 3, 20), `*`), data$relevance, data$query)
  spec <- smoothrank(metric_ndcg(10), start = linear_ranker(penalty = 0.1), schedule = c(4, 1), penalty = 2)
  sizes <- sqrt(colMeans(sweep(data$x, 2L, colMeans(data$x))^2))
  for (scale in c("none", "standard")) {
    model <- fit(update(spec, scale = scale), data)
    w <- model$weights
    times <- if (scale == "standard") sizes else 1
    expect_gt(max(abs(w - model$start)), 1e-5)
    expect_equal(model$stages$objective[2L],
                 naive_objective(w, data, metric_ndcg(10), 1, 0, 0) +
                   2 * sum((times * (w - model$start))^2), tolerance = 1e-8)
  }
})

test_that("average precision is smoothed by `form`", {
  data <- no_holes(small_data(5))
  for (form in c("places", "logistic")) {
    model <- fit(smoothrank(metric_average_precision(), start = linear_ranker(penalty = 0.1), schedule = c(4, 1),
                            penalty = 0.5, form = form), data)
    w <- model$weights
    smoothed <- naive_smooth(loss_smooth(metric_average_precision(), 1, form), drop(data$x %*% w), data)
    expect_equal(model$stages$objective[2L], 0.5 * sum((w - model$start)^2) - sum(smoothed),
                 tolerance = 1e-10)
  }
})

test_that("a stage has at most `iterations` steps", {
  data <- no_holes(small_data(4))
  spec <- smoothrank(metric_ndcg(10), start = linear_ranker(penalty = 0.1), schedule = c(4, 1), penalty = 0.01,
                     tolerance = 0)
  expect_gt(max(fit(spec, data)$stages$steps), 3)
  few <- fit(update(spec, iterations = 3), data)$stages
  expect_identical(max(few$steps), 3L)
  expect_identical(few$status[which.max(few$steps)], "limit")
})

test_that("each stage is a local minimum of the objective, reached from the stage before", {
  data <- no_holes(small_data())
  for (metric in list(metric_ndcg(10), metric_average_precision())) {
    schedule <- c(16, 4, 1, 0.25)
    model <- fit(smoothrank(metric, start = linear_ranker(penalty = 0.1), schedule = schedule,
                            penalty = 0.05, tolerance = 1e-12), data)
    start <- model$start
    counted <- sum(that_count(metric, data))
    expect_equal(start, unname(coef(fit(linear_ranker(penalty = 0.1), data))[1:5]))
    objective <- function(w, sigma) naive_objective(w, data, metric, sigma, 0.05, start)
    before <- start
    for (t in seq_along(schedule)) {
      w <- model$stage_weights[, t]
      value <- objective(w, schedule[t])
      expect_equal(model$stages$objective[t], value, tolerance = 1e-10)
      expect_lte(value, objective(before, schedule[t]) + 1e-12)
      gradient <- function(w) {
        gradient <- rankmix:::objective_value(loss_smooth(metric, schedule[t]), drop(data$x %*% w),
                                              data)$gradient
        0.1 * (w - start) + drop(crossprod(data$x, gradient))
      }
      # A stage can end at a corner, where documents tie. Otherwise it ends at a minimum, when five steps gain less
      # than the tolerance. Five steps of conjugate gradients reach the minimum of a quadratic function of five
      # weights. So the gain of a Newton step must be below the tolerance. The gradient has no such bound, because
      # second derivatives reach 1e4.
      if (model$stages$status[t] == "converged") {
        hessian <- hessian_of(gradient, w)
        expect_gt(min(eigen(hessian)$values), 0)
        expect_lt(sum(gradient(w) * solve(hessian, gradient(w))) / 2, 1e-12 * counted)
      }
      before <- w
    }
    expect_gte(sum(model$stages$status == "converged"), 3L)
    expect_equal(model$stages$value[4],
                 sum(naive_smooth(loss_smooth(metric, 0.25), predict(model, data), data)) / counted)
  }
})

test_that("an infinite sigma leaves weights at the centre, whatever the start", {
  data <- no_holes(small_data(2))
  for (start in list("zero", c(3, -1, 2, 0, 1), linear_ranker(penalty = 1))) {
    model <- fit(smoothrank(start = start, centre = c(1, 2, 0, -1, 0.5), schedule = 1e14,
                            penalty = 1, tolerance = 1e-14), data)
    expect_equal(model$weights, c(1, 2, 0, -1, 0.5), tolerance = 1e-5)
  }
  # A very large penalty has the same effect.
  model <- fit(smoothrank(start = "least_squares", penalty = 1e9), data)
  expect_equal(model$weights, model$start, tolerance = 1e-6)
})

test_that("with a centre of 0 penalty and sigma are one parameter (lemma 1)", {
  data <- no_holes(small_data(3))
  w <- c(0.5, 1, -0.5, 0.3, 0.2)
  for (c in c(4, 0.25)) {
    one <- fit(smoothrank(start = w, centre = "zero", schedule = c(4, 1), penalty = 0.1,
                          tolerance = 1e-13), data)
    other <- fit(smoothrank(start = w / sqrt(c), centre = "zero", schedule = c(4, 1) / c,
                            penalty = 0.1 * c, tolerance = 1e-13), data)
    expect_equal(one$weights, sqrt(c) * other$weights, tolerance = 1e-6)
  }
})

test_that("training leaves a start at weights of 0, unless the penalty is too large", {
  local_known_warnings("constant")
  data <- no_holes(small_data(4))
  model <- fit(smoothrank(metric_ndcg(10), start = "zero", penalty = 1e-3), data)
  expect_identical(model$centre, numeric(5))
  expect_gt(mean(evaluate(predict(model, data), data, metric_ndcg(10))$value),
            mean(evaluate(numeric(nrow(data$x)), data, metric_ndcg(10, ties = "average"))$value) + 0.1)
  held <- fit(smoothrank(metric_ndcg(10), start = "zero", penalty = 1e12), data)
  expect_identical(held$weights, numeric(5))
  expect_true(all(held$stages$status == "stalled"))
})

test_that("starts agree with rankers, and least squares has no intercept", {
  data <- no_holes(small_data(5))
  start <- function(start, ...) {
    fit(smoothrank(start = start, schedule = 1, penalty = 1, ...), data)$start
  }
  gains <- 2^data$relevance - 1
  expect_equal(start("least_squares"), unname(coef(stats::lm(gains ~ 0 + data$x))),
               tolerance = 1e-8)
  weight <- rep(c(1, 2), length.out = length(data$query_ids))
  weighted <- ranking_data(data$x, data$relevance, data$query, weight = weight[data$query])
  expect_equal(
    fit(smoothrank(start = "least_squares", schedule = 1, penalty = 1), weighted)$start,
    unname(coef(stats::lm(gains ~ 0 + data$x, weights = weight[data$query]))), tolerance = 1e-8
  )
  # The order of additions decides the last bit.
  by_content <- rankmix:::data_by_content(data, 1L)
  ridge <- fit(linear_ranker(), by_content)
  expect_identical(start("ridge"), ridge$weights)
  expect_identical(start(ridge), ridge$weights)
  svm <- fit(ranksvm(0.1), by_content)
  expect_identical(start(ranksvm(0.1)), svm$weights)
  # One column occurs twice, so the solution of least norm gives equal weights.
  twice <- ranking_data(cbind(data$x, data$x[, 1]), data$relevance, data$query)
  w <- fit(smoothrank(start = "least_squares", schedule = 1, penalty = 1), twice)$start
  expect_equal(w[1], w[6])
})

test_that("several penalties are a path, of which validation data or parts choose", {
  data <- no_holes(small_data(6))
  valid <- no_holes(small_data(7))
  valid <- ranking_data(valid$x, valid$relevance, valid$query + 1000)
  spec <- smoothrank(penalty = 10^(-3:1), choose = "best", schedule = c(4, 1))
  chosen <- fit(spec, data, valid)
  expect_named(chosen$path, c("0.001", "0.01", "0.1", "1", "10"))
  values <- vapply(chosen$path, function(step) {
    mean(evaluate(predict(step, valid), valid, metric_ndcg(10))$value)
  }, 0)
  expect_equal(glance(chosen)$value, unname(values))
  expect_identical(chosen$chosen, which.max(unname(values)))
  alone <- fit(smoothrank(penalty = 0.1, schedule = c(4, 1)), data, valid)
  expect_identical(chosen$path[["0.1"]]$stage_weights, alone$stage_weights)
  parts <- fit(spec, data)
  expect_false(is.na(parts$chosen))
  expect_identical(names(coef(parts)), data$features)
})

test_that("models have the same bits on any number of threads, small data and large", {
  data <- no_holes(small_data(8))
  spec <- smoothrank(penalty = 10^(-2:1), schedule = c(4, 1, 0.25))
  one <- fit(spec, data, threads = 1)
  expect_identical(fit(spec, data, threads = 2), one)
  expect_identical(fit(spec, data, threads = 4), one)
})

test_that("predictions can be made after each stage, and stage 0 is the start", {
  data <- no_holes(small_data(9))
  model <- fit(smoothrank(schedule = c(4, 1), penalty = 0.01), data)
  all <- predict(model, data, stage = 0:2)
  expect_identical(colnames(all), c("0", "1", "2"))
  expect_equal(unname(all[, "0"]), drop(data$x %*% model$start))
  expect_equal(unname(all[, "1"]), drop(data$x %*% model$stage_weights[, 1]))
  expect_identical(unname(all[, "2"]), predict(model, data))
  expect_identical(predict(model, data, "rank", stage = 1),
                   rankmix:::rank_within_queries(all[, "1"], data))
})

test_that("an adaptive schedule does not depend on the unit of scores", {
  data <- no_holes(small_data(10))
  start <- c(1, 0.5, -0.5, 0.2, 0)
  one <- fit(smoothrank(start = start, schedule = c(8, 1), penalty = 0.2, adaptive = TRUE,
                        tolerance = 1e-12), data)
  other <- fit(smoothrank(start = 10 * start, schedule = c(8, 1), penalty = 0.002,
                          adaptive = TRUE, tolerance = 1e-12), data)
  expect_equal(10 * one$weights, other$weights, tolerance = 1e-5)
  f <- drop(data$x %*% start)
  means <- tapply(f, data$query, mean)
  expect_equal(one$stages$sigma, c(8, 1) * mean((f - means[as.character(data$query)])^2))
})

test_that("queries without a relevant document have no part, weights multiply", {
  data <- no_holes(small_data(11))
  empty <- ranking_data(data$x, rep(0L, nrow(data$x)), data$query + 100)
  spec <- smoothrank(start = c(1, 0, 0, 0, 0), penalty = 0.1, schedule = c(4, 1),
                     tolerance = 1e-12)
  expect_equal(fit(spec, c(data, empty))$weights, fit(spec, data)$weights, tolerance = 1e-6)
  halves <- ranking_data(data$x, data$relevance, data$query, weight = rep(0.5, nrow(data$x)))
  expect_equal(fit(update(spec, penalty = 0.05), halves)$weights, fit(spec, data)$weights,
               tolerance = 1e-6)
  weight <- rep_len(1:3, length(data$query_ids))[data$query]
  weighted <- ranking_data(data$x, data$relevance, data$query, weight = weight)
  rows <- rep(seq_along(weight), weight)
  copies <- ranking_data(data$x[rows, ], data$relevance[rows], data$query[rows] + 100 * sequence(weight))
  expect_equal(fit(spec, weighted)$weights, fit(spec, copies)$weights, tolerance = 1e-6)
})

test_that("a sigma so small that no document is near another stalls", {
  data <- no_holes(small_data(12))
  model <- fit(smoothrank(start = c(1, 2, 3, 4, 5), schedule = 1e-60, penalty = 0.1), data)
  expect_identical(model$stages$status, "stalled")
  expect_identical(model$weights, c(1, 2, 3, 4, 5))
})

test_that("annealing reaches a lower objective than the last sigma alone", {
  data <- no_holes(simulate_ranking(60, features = 10, seed = 13)$data)
  start <- linear_ranker(penalty = 1)
  annealed <- fit(smoothrank(start = start, penalty = 1e-3), data)
  alone <- fit(smoothrank(start = start, penalty = 1e-3, schedule = 2^-6), data)
  expect_lt(annealed$stages$objective[13], alone$stages$objective)
  expect_gt(annealed$stages$value[13], annealed$stages$value[1])
})

test_that("on OHSUMED smoothrank() ranks its training queries better than its start", {
  local_known_warnings("ties")
  folder <- Sys.getenv("RANKMIX_DATA")
  file <- file.path(folder, "OHSUMED", "Fold1", "train.txt")
  skip_if_not(nzchar(folder) && file.exists(file))
  train <- read_letor(file)
  model <- fit(smoothrank(start = linear_ranker(penalty = 1), penalty = 1e-4), train)
  expect_gt(mean(evaluate(predict(model, train), train, metric_ndcg(50))$value),
            mean(evaluate(predict(model, train, stage = 0), train, metric_ndcg(50))$value))
  expect_gt(model$stages$value[13], model$stages$value[1])
})

test_that("weights of documents within a query are refused", {
  data <- no_holes(small_data(15))
  task <- rankmix:::new_task(data, 1, 1L, weights = seq_len(nrow(data$x)))
  expect_snapshot_error(rankmix:::train_by_entry(smoothrank(), task), class = "rankmix_error_option")
})

test_that("smoothrank() prints, and bad input is reported", {
  data <- no_holes(small_data(14))
  expect_snapshot({
    smoothrank()
    smoothrank(metric_average_precision(), start = ranksvm(), penalty = 1, form = "logistic")
    smoothrank("err@10", start = "zero", centre = "zero", schedule = c(4, 1), scale = "standard")
    fit(smoothrank(start = linear_ranker(penalty = 1), penalty = 0.1, schedule = c(4, 1)), data)
  })
  refuse <- function(code, class = "rankmix_error_argument") {
    expect_snapshot_error(code, class = class)
  }
  refuse(smoothrank(metric_bpref()), "rankmix_error_metric")
  refuse(smoothrank(metric_ndcg(10), form = "logistic"), "rankmix_error_metric")
  refuse(smoothrank(start = "svm"))
  refuse(smoothrank(start = TRUE))
  refuse(smoothrank(schedule = c(1, 0)))
  refuse(smoothrank(penalty = -1))
  refuse(smoothrank(centre = "start"))
  model <- fit(smoothrank(start = "zero", penalty = 1, schedule = 1), data)
  refuse(predict(model, data, stage = 2))
  one_grade <- ranking_data(data$x, rep(2L, nrow(data$x)), data$query)
  refuse(fit(smoothrank(), one_grade), "rankmix_error_one_grade")
  apart <- ranking_data(data$x, data$relevance, data$relevance)
  expect_warning(flat <- fit(smoothrank(start = c(1, 2, 3, 4, 5), penalty = 1), apart),
                 class = "rankmix_warning_constant")
  expect_identical(flat$weights, c(1, 2, 3, 4, 5))
})
