# Gradients and hessians of the package for given scores.
lambdas <- function(objective, f, data, threads = 1L) {
  rankmix:::objective_value(objective, f, data, threads)[c("gradient", "hessian")]
}

# Sums over all pairs in every order of the tied documents. The metric after each swap is computed from its definition.
# Orders of the same grades have the same value, which is computed once. `top`: at least one document of a pair is among
# the first `top` documents.
naive_lambdas <- function(f, data, name, ..., top = Inf, sigma = 1, normalize = "none") {
  gradient <- hessian <- numeric(length(f))
  for (q in seq_along(data$query_ids)) {
    rows <- which(data$query == q)
    s <- f[rows]
    grades <- data$relevance[rows]
    set <- list(...)
    set <- set[names(set) %in% c("gain", "relevant")]
    if (do.call(naive_empty, c(list(name, grades), set))) next
    values <- new.env()
    value <- function(order) {
      key <- paste(grades[order], collapse = " ")
      if (is.null(values[[key]])) values[[key]] <- naive_metrics[[name]](grades[order], grades, ...)
      values[[key]]
    }
    g <- h <- numeric(length(rows))
    sum_of_lambdas <- 0
    orders <- naive_orders(s)
    for (order in orders) {
      now <- value(order)
      for (i in seq_along(order)) {
        for (j in seq_along(order)) {
          if (i >= j || i > top) next
          swapped <- replace(order, c(i, j), order[c(j, i)])
          lost <- now - value(swapped)
          if (abs(lost) < 1e-15) next
          a <- if (lost > 0) order[i] else order[j]
          b <- if (lost > 0) order[j] else order[i]
          weight <- abs(lost) / length(orders)
          if (normalize %in% c("gap", "both") && length(unique(s)) > 1) {
            weight <- weight / (0.01 + abs(s[a] - s[b]))
          }
          p <- 1 / (1 + exp(sigma * (s[a] - s[b])))
          g[a] <- g[a] - sigma * weight * p
          g[b] <- g[b] + sigma * weight * p
          h[c(a, b)] <- h[c(a, b)] + sigma^2 * weight * p * (1 - p)
          sum_of_lambdas <- sum_of_lambdas + 2 * sigma * weight * p
        }
      }
    }
    times <- if (normalize %in% c("query", "both") && sum_of_lambdas > 0) {
      log2(1 + sum_of_lambdas) / sum_of_lambdas
    } else {
      1
    }
    w <- if (is.null(data$weight)) 1 else data$weight[q]
    gradient[rows] <- w * times * g
    hessian[rows] <- w * times * h
  }
  list(gradient = gradient, hessian = hessian)
}

# Queries with several documents, with one document, without a relevant document, and with a single grade.
judged_lists <- function(sizes = c(6, 1, 5, 9, 13, 3, 4), seed = 1) {
  withr::with_seed(seed, {
    query <- rep(seq_along(sizes), sizes)
    grades <- sample(0:4, sum(sizes), replace = TRUE)
    grades[query == 3] <- 0L
    grades[query == 6] <- 1L
    ranking_data(cbind(seq_along(query)), grades, query)
  })
}
scores_apart <- function(data, seed = 1) {
  withr::with_seed(seed, sample(4 * nrow(data$x), nrow(data$x)) / 20)
}

# Metrics, with the parameters of their reference implementations.
known <- list(
  list(metric_ndcg(), "ndcg"), list(metric_ndcg(3), "ndcg", k = 3), list(metric_dcg(4), "dcg", k = 4),
  list(metric_ndcg(5, gain = "linear"), "ndcg", k = 5, gain = "linear"),
  list(metric_ndcg(gain = c(0, 3, 1, 1, 7), discount = function(r) 1 / r), "ndcg",
       gain = c(0, 3, 1, 1, 7), discount = "reciprocal"),
  list(metric_dcg(5, discount = c(0.1, 0.7, 0.2, 0.9, 0.3)), "dcg", k = 5,
       discount = c(0.1, 0.7, 0.2, 0.9, 0.3)),
  list(metric_mean_ndcg(4), "mean_ndcg", k = 4),
  list(metric_err(), "err"), list(metric_err(3), "err", k = 3),
  list(metric_average_precision(relevant = 2), "average_precision", relevant = 2),
  list(metric_average_precision(4), "average_precision", k = 4),
  list(metric_reciprocal_rank(relevant = 2), "reciprocal_rank", relevant = 2),
  list(metric_reciprocal_rank(2), "reciprocal_rank", k = 2),
  list(metric_precision(4), "precision", k = 4), list(metric_recall(3, relevant = 2), "recall", k = 3, relevant = 2),
  list(metric_r_precision(), "r_precision"), list(metric_rbp(persistence = 0.7), "rbp", persistence = 0.7),
  list(metric_f_measure(3), "f_measure", k = 3)
)
expect_lambdas <- function(f, data, row, ..., top = Inf) {
  objective <- if (is.finite(top)) loss_lambda(row[[1L]], truncation = top, ...) else {
    loss_lambda(row[[1L]], pairs = "all", ...)
  }
  slow <- do.call(naive_lambdas, c(list(f, data), row[-1L], list(top = top, ...)))
  fast <- lambdas(objective, f, data)
  expect_gt(max(abs(slow$gradient)), 1e-3)
  # The tolerance allows sums of some hundred terms, of about the size of the largest value.
  expect_lt(max(abs(fast$gradient - slow$gradient)), 1e-12 * max(abs(slow$gradient)),
            label = format(objective))
  expect_lt(max(abs(fast$hessian - slow$hessian)), 1e-12 * max(slow$hessian),
            label = format(objective))
}

test_that("lambdas agree with the sum over every pair of the change of the metric by a swap", {
  skip_if_quick()
  data <- judged_lists()
  f <- scores_apart(data)
  for (row in known) {
    expect_lambdas(f, data, row)
    expect_lambdas(f, data, row, top = 2)
    expect_lambdas(f, data, row, sigma = 2.5)
  }
  for (row in known[c(1, 2, 8, 10)]) {
    for (normalize in c("gap", "query", "both")) {
      expect_lambdas(f, data, row, normalize = normalize, sigma = 0.5)
    }
  }
})

test_that("with ties, lambdas are the mean over all orders, exactly for metrics that are sums over ranks", {
  skip_if_quick()
  data <- judged_lists(c(5, 1, 4, 6, 4, 3, 4), seed = 2)
  rounded <- withr::with_seed(3, sample(3, nrow(data$x), replace = TRUE) / 2)
  for (f in list(rounded, numeric(nrow(data$x)))) {
    for (row in known[vapply(known, function(row) {
      row[[2L]] %in% c("ndcg", "mean_ndcg", "precision", "recall", "r_precision", "rbp")
    }, NA)]) {
      expect_lambdas(f, data, row)
      expect_lambdas(f, data, row, top = 2)
      expect_lambdas(f, data, row, normalize = "both")
    }
  }
})

test_that("leaves agree with LightGBM's lambdarank from the same scores", {
  table <- utils::read.csv(test_path("fixtures", "lambdas-lightgbm.csv"))
  data <- ranking_data(cbind(cell = table$cell), table$grade, table$query)
  steps <- function(...) {
    found <- lambdas(loss_lambda(metric_ndcg(), ...), table$score, data)
    -(rowsum(found$gradient, table$cell) / rowsum(found$hessian, table$cell))[table$cell, 1L]
  }
  # LightGBM has gradients in single precision and a table of the logistic function.
  expect_equal(unname(steps()), table$plain, tolerance = 1e-4)
  expect_equal(unname(steps(sigma = 2.5)), table$steep, tolerance = 1e-4)
  expect_equal(unname(steps(normalize = "both")), table$normalised, tolerance = 1e-4)
  # `normalize` changes the leaf values.
  expect_gt(max(abs(steps() - steps(normalize = "both"))), 0.01)
})

test_that("a perfect order has lambdas, which fall with the differences of its scores", {
  data <- ranking_data(cbind(1:5), c(4, 3, 1, 1, 0), rep(1, 5))
  f <- c(5, 4, 3, 2, 1)
  for (metric in list(metric_ndcg(), metric_err(), metric_average_precision(relevant = 2))) {
    size <- vapply(c(0.1, 1, 10, 100), function(times) {
      max(abs(lambdas(loss_lambda(metric), times * f, data)$gradient))
    }, 0)
    expect_true(all(diff(size) < 0))
    expect_gt(size[2L], 1e-3)
    # Each of at most ten pairs has a lambda of at most exp(-10) or exp(-100), times a change of at most 1.
    expect_lt(size[3L], 10 * exp(-10))
    expect_lt(size[4L], 10 * exp(-100))
  }
  # Lambdas still push the best document up and the worst document down.
  gradients <- lambdas(loss_lambda(metric_ndcg()), f, data)$gradient
  expect_lt(gradients[1L], 0)
  expect_gt(gradients[5L], 0)
})

test_that("gradients of a query add up to nothing, and queries count by their weights", {
  data <- judged_lists(seed = 5)
  f <- scores_apart(data, 2)
  weighted <- data
  weighted$weight <- c(2, 1, 1, 0.5, 3, 1, 0)
  for (pairs in list("all", 2)) {
    for (metric in list(metric_ndcg(5), metric_err(), metric_reciprocal_rank())) {
      found <- lambdas(loss_lambda(metric, pairs = pairs), f, data)
      sums <- rowsum(found$gradient, data$query)
      expect_lt(max(abs(sums)), 1e-14)
      expect_gt(max(abs(found$gradient)), 1e-3)
      expect_true(all(found$gradient[data$query %in% c(2, 3, 6)] == 0))
      expect_equal(lambdas(loss_lambda(metric, pairs = pairs), f, weighted)$gradient,
                   weighted$weight[data$query] * found$gradient, tolerance = 1e-15)
    }
  }
})

test_that("a truncation at the cut-off drops no pair, and the truncation of whole lists is 30", {
  data <- judged_lists(c(40, 6, 35), seed = 6)
  f <- scores_apart(data, 3)
  expect_identical(lambdas(loss_lambda(metric_ndcg(5)), f, data), lambdas(loss_lambda(metric_ndcg(5), pairs = "all"), f, data))
  expect_identical(lambdas(loss_lambda(metric_ndcg()), f, data),
                   lambdas(loss_lambda(metric_ndcg(), truncation = 30), f, data))
  expect_identical(lambdas(loss_lambda(metric_r_precision()), f, data),
                   lambdas(loss_lambda(metric_r_precision(), truncation = 30), f, data))
  expect_gt(max(abs(lambdas(loss_lambda(metric_ndcg()), f, data)$gradient -
                      lambdas(loss_lambda(metric_ndcg(), pairs = "all"), f, data)$gradient)), 1e-4)
})
