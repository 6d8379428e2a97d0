smooth_value <- function(objective, f, data) -rankmix:::objective_value(objective, f, data)$value
smooth_gradient <- function(objective, f, data) -rankmix:::objective_value(objective, f, data)$gradient

# Queries with several documents, with one document, without a relevant document, and with a single grade.
list_data <- function(seed = 1, classes = 4) {
  withr::with_seed(seed, {
    sizes <- c(6, 1, 5, 9, 17, 3, 30, 4)
    query <- rep(seq_along(sizes), sizes)
    grades <- sample(0:(classes - 1L), sum(sizes), replace = TRUE)
    grades[query == 3] <- 0L
    grades[query == 6] <- 1L
    ranking_data(cbind(seq_along(query)), grades, query)
  })
}
# The scores are multiples of 0.05, all different or with ties.
list_scores <- function(data, seed = 1, tied = FALSE) {
  withr::with_seed(seed, {
    n <- nrow(data$x)
    if (tied) sample(8, n, replace = TRUE) / 5 else sample(2 * n, n) / 20
  })
}

metrics_of_all_rules <- list(
  metric_ndcg(), metric_ndcg(5), metric_dcg(3), metric_mean_ndcg(), metric_mean_ndcg(7), metric_precision(4), metric_precision(), metric_recall(6),
  metric_average_precision(), metric_average_precision(5), metric_reciprocal_rank(), metric_reciprocal_rank(3), metric_err(),
  metric_err(4), metric_success(2)
)

test_that("smooth metrics are their formulas, with ties and without", {
  data <- list_data()
  for (metric in metrics_of_all_rules) {
    for (sigma in c(64, 1, 0.1, 0.01)) {
      for (tied in c(FALSE, TRUE)) {
        f <- list_scores(data, tied = tied)
        objective <- loss_smooth(metric, sigma)
        naive <- naive_smooth(objective, f, data)
        expect_equal(smooth_value(objective, f, data), naive, tolerance = 1e-13,
                     label = paste(format(objective), tied))
      }
    }
  }
  objective <- loss_smooth(metric_average_precision(), 0.3, form = "logistic")
  f <- list_scores(data, tied = TRUE)
  naive <- naive_smooth(objective, f, data)
  expect_equal(smooth_value(objective, f, data), naive, tolerance = 1e-13)
})

test_that("gradients of sums agree with the paper's formula, document by document", {
  data <- list_data(2)
  f <- list_scores(data, 2)
  for (k in c(3, Inf)) {
    for (sigma in c(64, 1, 0.1)) {
      gradients <- smooth_gradient(loss_smooth(metric_dcg(k), sigma), f, data)
      for (q in c(1, 4, 5, 7, 8)) {
        rows <- which(data$query == q)
        c <- 1 / log2(1 + seq_len(min(k, length(rows))))
        expect_equal(gradients[rows],
                     naive_smooth_gradient(2^data$relevance[rows] - 1, c, f[rows], sigma),
                     tolerance = 1e-10)
      }
    }
  }
})

test_that("gradients are finite differences of values, of all metrics and both forms", {
  data <- list_data(3)
  f <- list_scores(data, 3)
  objectives <- c(
    unlist(lapply(metrics_of_all_rules, function(metric) {
      lapply(c(64, 1, 0.1, 0.01), function(sigma) loss_smooth(metric, sigma))
    }), recursive = FALSE),
    lapply(c(64, 1, 0.1, 0.01), function(sigma) loss_smooth(metric_average_precision(), sigma, "logistic"))
  )
  for (objective in objectives) {
    # Each derivative has a factor of about 2 / sqrt(sigma), or of 1 / sigma. The step must not change the order of
    # documents, which are 0.05 apart.
    width <- if (is.null(objective$form)) sqrt(objective$sigma) else objective$sigma
    h <- min(0.01, 1e-4 * width)
    differences <- vapply(seq_along(f), function(i) {
      step <- replace(numeric(length(f)), i, h)
      sum(smooth_value(objective, f + step, data) - smooth_value(objective, f - step, data)) /
        (2 * h)
    }, 0)
    scale <- max(1, data$relevance) * 15 / width
    expect_lt(max(abs(smooth_gradient(objective, f, data) - differences)), 1e-7 * scale,
              label = format(objective))
  }
})

test_that("with ties the gradient is the mean over their orders, and every order has the same value", {
  data <- ranking_data(cbind(1:5), c(2L, 0L, 1L, 0L, 1L), rep(1, 5))
  f <- c(0.3, 0.3, 0.1, 0.3, 0.5)
  for (metric in list(metric_ndcg(2), metric_average_precision(), metric_err(3))) {
    objective <- loss_smooth(metric, 0.1)
    # The three tied documents get tiny differences, in all six orders.
    orders <- rbind(c(1, 2, 3), c(1, 3, 2), c(2, 1, 3), c(2, 3, 1), c(3, 1, 2), c(3, 2, 1))
    apart <- apply(orders, 1, function(order) {
      near <- f
      near[c(1, 2, 4)] <- near[c(1, 2, 4)] + order * 1e-9
      expect_equal(smooth_value(objective, near, data), smooth_value(objective, f, data),
                   tolerance = 1e-6)
      smooth_gradient(objective, near, data)
    })
    expect_equal(smooth_gradient(objective, f, data), rowMeans(apart), tolerance = 1e-6)
  }
})

test_that("a small sigma gives the metric, with averaged ties; a large sigma gives the mean", {
  data <- list_data(4)
  for (tied in c(FALSE, TRUE)) {
    f <- list_scores(data, 4, tied)
    for (metric in list(metric_ndcg(ties = "average"), metric_ndcg(5, ties = "average"),
                        metric_precision(4, ties = "average"), metric_recall(3, ties = "average"))) {
      limit <- that_count(metric, data) * evaluate(f, data, metric)$value
      expect_equal(smooth_value(loss_smooth(metric, 1e-5), f, data), limit, tolerance = 1e-12)
    }
  }
  f <- list_scores(data, 4)
  for (metric in list(metric_err(), metric_err(3), metric_reciprocal_rank(), metric_average_precision(), metric_success(3),
                      metric_mean_ndcg())) {
    limit <- that_count(metric, data) * evaluate(f, data, metric)$value
    expect_equal(smooth_value(loss_smooth(metric, 1e-5), f, data), limit, tolerance = 1e-12)
  }
  limit <- that_count(metric_average_precision(), data) *
    evaluate(f, data, metric_average_precision())$value
  expect_equal(smooth_value(loss_smooth(metric_average_precision(), 1e-4, "logistic"), f, data), limit,
               tolerance = 1e-12)
  # With a very large sigma, each document has the same weight at each rank.
  value <- smooth_value(loss_smooth(metric_dcg(4), 1e12), f, data)
  rows <- data$query == 4
  expect_equal(value[4], mean(2^data$relevance[rows] - 1) * sum(1 / log2(2:5)),
               tolerance = 1e-9)
})

test_that("smooth average precision converges to average precision, by both forms", {
  data <- ranking_data(cbind(1:7), c(1L, 0L, 1L, 0L, 1L, 0L, 0L), rep(1, 7))
  f <- 7:1
  exact <- (1 + 2 / 3 + 3 / 5) / 3
  expect_equal(smooth_value(loss_smooth(metric_average_precision(), 1e-3), f, data), exact)
  expect_equal(smooth_value(loss_smooth(metric_average_precision(), 1e-3, "logistic"), f, data), exact)
  one <- ranking_data(cbind(1:3), c(1L, 0L, 0L), rep(1, 3))
  expect_equal(smooth_value(loss_smooth(metric_average_precision(), 1e-3, "logistic"), 3:1, one), 1)
})

test_that("scores plus a constant, and scores times a with sigma times a^2, have the same values", {
  data <- list_data(5)
  f <- list_scores(data, 5)
  for (metric in list(metric_ndcg(5), metric_average_precision(), metric_err())) {
    objective <- loss_smooth(metric, 0.5)
    value <- smooth_value(objective, f, data)
    expect_equal(smooth_value(objective, f + 32, data), value, tolerance = 1e-12)
    expect_equal(smooth_value(loss_smooth(metric, 0.5 * 9), 3 * f, data), value, tolerance = 1e-12)
    expect_equal(as.vector(rowsum(smooth_gradient(objective, f, data), data$query)), rep(0, 8),
                 tolerance = 1e-12)
  }
  expect_equal(smooth_value(loss_smooth(metric_average_precision(), 1.5, "logistic"), 3 * f, data),
               smooth_value(loss_smooth(metric_average_precision(), 0.5, "logistic"), f, data))
})

test_that("the order of rows and the number of threads do not matter, weights multiply", {
  data <- list_data(6)
  f <- list_scores(data, 6, tied = TRUE)
  order <- withr::with_seed(1, sample(nrow(data$x)))
  other <- ranking_data(data$x[order, , drop = FALSE], data$relevance[order], data$query[order])
  weight <- c(2, 0, 1, 0.5, 3, 1, 0, 1)
  weighted <- ranking_data(data$x, data$relevance, data$query, weight = weight[data$query])
  for (objective in list(loss_smooth(metric_ndcg(5), 0.1), loss_smooth(metric_err(), 0.1))) {
    one <- rankmix:::objective_value(objective, f, data)
    two <- rankmix:::objective_value(objective, f[order], other)
    at <- match(data$query_ids, other$query_ids)
    expect_identical(two$value[at], one$value)
    expect_identical(two$gradient, one$gradient[order])
    expect_identical(rankmix:::objective_value(objective, f, data, threads = 2), one)
    times <- rankmix:::objective_value(objective, f, weighted)
    expect_equal(times$value, one$value * weight)
    expect_equal(times$gradient, one$gradient * weight[data$query])
  }
})

test_that("trees and networks learn a smooth metric", {
  local_known_warnings("ties")
  data <- simulate_ranking(80, features = 6, seed = 3)$data
  gains <- function(spec, metric) {
    model <- fit(spec, data, seed = 1, verbose = FALSE)
    rounds <- c(1, rankmix:::rounds_used(model))
    values <- apply(predict(model, data, rounds = rounds), 2, function(f) {
      mean(evaluate(f, data, metric)$value)
    })
    diff(values)
  }
  for (metric in list(metric_ndcg(10), metric_err(), metric_average_precision())) {
    expect_gt(gains(gbrt(60, num_leaves = 8, objective = loss_smooth(metric, 0.1, warmup = 20)),
                    metric), 0.05)
    expect_gt(gains(network_ranker(loss_smooth(metric, 0.3, warmup = 20), hidden = 12, epochs = 60,
                            learning_rate = 0.01), metric), 0.05)
  }
  logistic <- loss_smooth(metric_average_precision(), 0.1, "logistic", warmup = 20)
  expect_gt(gains(gbrt(60, num_leaves = 8, objective = logistic), metric_average_precision()), 0.05)
})

test_that("rounds of the warm-up learn gains for each metric, and later rounds learn the metric", {
  data <- simulate_ranking(30, features = 6, seed = 4)$data
  scores <- function(spec, rounds) {
    predict(fit(spec, data, seed = 1, threads = 1, verbose = FALSE), data, rounds = rounds)
  }
  of_trees <- function(k) gbrt(12, num_leaves = 8, objective = loss_smooth(metric_ndcg(k), 1, warmup = 9))
  of_network <- function(k) {
    network_ranker(loss_smooth(metric_ndcg(k), 1, warmup = 9), hidden = 4, epochs = 12, learning_rate = 0.02)
  }
  for (spec in list(of_trees, of_network)) {
    first <- scores(spec(1), c(9, 12))
    last <- scores(spec(Inf), c(9, 12))
    expect_equal(first[, 1], last[, 1], tolerance = 1e-5)
    expect_gt(max(abs(first[, 2] - last[, 2])), 1e-6)
  }
})

test_that("smooth metrics print, and metrics without a smooth form are refused", {
  expect_snapshot({
    loss_smooth()
    loss_smooth(metric_average_precision(), 0.25, form = "logistic")
    gbrt(objective = loss_smooth("ndcg@10", 0.1))
    loss_smooth("ndcg@10", 0.1, warmup = 0)
  })
  refuse <- function(code, class = "rankmix_error_argument") {
    expect_snapshot_error(code, class = class)
  }
  refuse(loss_smooth(metric_bpref()), "rankmix_error_metric")
  refuse(loss_smooth(metric_custom("mine", function(grades, k) 0)), "rankmix_error_metric")
  refuse(loss_smooth(metric_ndcg(), form = "logistic"), "rankmix_error_metric")
  refuse(loss_smooth(metric_average_precision(5), form = "logistic"), "rankmix_error_metric")
  refuse(loss_smooth(metric_ndcg(), 0))
  refuse(loss_smooth(metric_ndcg(), -1))
  refuse(loss_smooth(metric_ndcg(), form = "product"))
  refuse(loss_smooth(metric_ndcg(), warmup = -1))
  refuse(linear_ranker(loss_smooth()))
})
