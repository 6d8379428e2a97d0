plain_data <- function(seed, from = 0) {
  data <- simulate_ranking(20, features = 5, seed = seed)$data
  data$x[is.na(data$x)] <- 0
  ranking_data(unname(data$x), data$relevance, data$query + from)
}

few_stages <- smoothrank(metric_ndcg(10), start = linear_ranker(penalty = 0.1), schedule = c(4, 1),
                         penalty = c(0.01, 0.1, 10))

# Fractions and weights by the formulas of the help page. `weights` has a column for each candidate, and `scores` are
# the scores of the queries that choose.
naive_average <- function(weights, scores, data, metric) {
  spread <- apply(scores, 2L, function(f) {
    sqrt(mean((f - tapply(f, data$query, mean)[as.character(data$query)])^2))
  })
  per_query <- apply(scores, 2L, function(f) evaluate(f, data, choosing_metric(metric))$value)
  per_query <- per_query[!is.na(per_query[, 1L]), ]
  per_query[, spread == 0] <- -Inf
  best <- which.max(colMeans(per_query))
  fractions <- vapply(seq_len(ncol(scores)), function(i) {
    if (spread[i] == 0) return(0)
    behind <- per_query[, best] - per_query[, i]
    if (mean(behind) == 0) return(1)
    exp(-mean(behind) / (stats::sd(behind) / sqrt(length(behind))))
  }, 0)
  fractions <- fractions / sum(fractions)
  parts <- sweep(weights, 2L, ifelse(fractions > 0, fractions / spread, 0), `*`)
  list(fractions = fractions, weights = rowSums(parts) * sum(fractions * spread))
}

test_that("weights are averaged by how far behind the best they are", {
  data <- plain_data(1)
  valid <- plain_data(2, 1000)
  for (metric in list(metric_ndcg(10), metric_ndcg(3, empty = "drop"))) {
    model <- fit(few_stages, data, valid, metric = metric)
    weights <- cbind(vapply(model$path, `[[`, numeric(5), "weights"), model$start)
    naive <- naive_average(weights, valid$x %*% weights, valid, metric)
    expect_named(model$fractions, c("0.01", "0.1", "10", "start"))
    expect_equal(unname(model$fractions), naive$fractions)
    expect_gt(min(naive$fractions[naive$fractions > 0]), 0)
    expect_equal(model$weights, naive$weights)
    expect_equal(unname(coef(model)), naive$weights)
    expect_equal(predict(model, valid), drop(valid$x %*% naive$weights))
    expect_equal(model$value, mean(evaluate(predict(model, valid), valid, choosing_metric(metric))$value,
                                   na.rm = TRUE))
    expect_equal(unname(glance(model)$fraction), naive$fractions[1:3])
    expect_equal(predict(model, valid, stage = 0), drop(valid$x %*% model$start))
    expect_identical(predict(model, valid, stage = 2), predict(model, valid))
  }
})

test_that("without validation data each part is scored by models that were not trained on it", {
  data <- plain_data(3)
  model <- fit(few_stages, data)
  expect_equal(sum(model$fractions), 1)
  steps <- fit(update(few_stages, choose = "best"), data)
  expect_equal(glance(model)$value, glance(steps)$value)
  expect_identical(lapply(model$path, coef), lapply(steps$path, coef))
  # For each part, the start is also trained without the part.
  part <- rankmix:::query_parts(
    rankmix:::held_out(data, 1L), cbind(drop(data$x %*% model$path[[1L]]$weights))
  )
  scores <- matrix(0, nrow(data$x), 4L)
  for (k in seq_len(max(part))) {
    rest <- data[unique(data$query[part != k])]
    own <- suppressWarnings(fit(few_stages, rest, data), classes = "rankmix_warning")
    weights <- cbind(vapply(own$path, `[[`, numeric(5), "weights"), own$start)
    scores[part == k, ] <- (data$x %*% weights)[part == k, ]
  }
  weights <- cbind(vapply(model$path, `[[`, numeric(5), "weights"), model$start)
  naive <- naive_average(weights, scores, data, metric_ndcg(10))
  expect_equal(unname(model$fractions), naive$fractions, tolerance = 1e-6)
  expect_equal(model$weights, naive$weights, tolerance = 1e-6)
})

test_that("candidates by which all documents tie have no fraction", {
  local_known_warnings("constant")
  data <- plain_data(4)
  valid <- plain_data(5, 1000)
  model <- fit(update(few_stages, start = "zero", penalty = c(0.01, 0.1)), data, valid)
  expect_identical(model$fractions[["start"]], 0)
  expect_gt(min(model$fractions[1:2]), 0)
  held <- fit(update(few_stages, start = "zero", penalty = c(1e12, 1e13)), data, valid)
  expect_null(held$fractions)
  expect_error(predict(held, valid), class = "rankmix_error_path")
})

test_that("an average of the same ranker is that ranker", {
  data <- plain_data(6)
  model <- fit(update(few_stages, penalty = c(1e9, 1e10)), data, plain_data(7, 1000))
  expect_equal(model$weights, model$start, tolerance = 1e-6)
  expect_equal(unname(model$fractions), rep(1 / 3, 3))
})

test_that("stages of an average are sums, and tables and plots name the average", {
  data <- plain_data(8)
  valid <- plain_data(9, 1000)
  model <- fit(few_stages, data, valid)
  own <- lapply(model$path, `[[`, "stages")
  expect_identical(model$stages$steps, own[[1]]$steps + own[[2]]$steps + own[[3]]$steps)
  expect_identical(model$stages$sigma, c(4, 1))
  fractions <- model$fractions[1:3] / sum(model$fractions[1:3])
  expect_equal(model$stages$value,
               own[[1]]$value * fractions[[1]] + own[[2]]$value * fractions[[2]] +
                 own[[3]]$value * fractions[[3]])
  expect_snapshot({
    print(few_stages)
    model
  })
  expect_identical(summary(model), glance(model))
  expect_identical(tidy(model)$weight, unname(model$weights))
  skip_if_not_installed("ggplot2")
  expect_match(ggplot2::autoplot(model, "stages")$labels$subtitle, "average of 3 penalties")
  expect_s3_class(ggplot2::autoplot(model, "metric"), "ggplot")
  expect_s3_class(ggplot2::autoplot(model, "weights"), "ggplot")
})

test_that("averages have the same bits on any number of threads, and start others", {
  data <- plain_data(10)
  valid <- plain_data(11, 1000)
  one <- fit(few_stages, data, valid, threads = 1)
  expect_identical(fit(few_stages, data, valid, threads = 2), one)
  expect_identical(fit(smoothrank(start = one, penalty = 1, schedule = 1), data)$start,
                   one$weights)
  nested <- fit(smoothrank(start = few_stages, penalty = 1, schedule = 1), data, valid)
  expect_equal(nested$start, fit(few_stages, data, valid, metric = metric_ndcg(10))$weights)
})

test_that("missing values are filled before anything is averaged", {
  data <- plain_data(12)
  data$x[1:7, 2] <- NA
  valid <- plain_data(13, 1000)
  valid$x[3:5, 1:2] <- NA
  model <- fit(update(few_stages, missing = "indicator"), data, valid)
  expect_length(coef(model), 6L)
  expect_true(all(is.finite(predict(model, valid))))
})

test_that("an unknown method to choose is reported", {
  expect_snapshot_error(smoothrank(choose = "mean"), class = "rankmix_error_argument")
})
