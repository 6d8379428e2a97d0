# The pairs of a clicked and an unclicked document of each session, with the change of NDCG by a swap.
click_pairs <- function(f, data) {
  do.call(rbind, lapply(seq_along(data$query_ids), function(q) {
    rows <- which(data$query == q)
    ideal <- sum(data$relevance[rows][order(-data$relevance[rows])] / log2(1 + seq_along(rows)))
    discount <- 1 / log2(1 + rank(-f[rows], ties.method = "first"))
    pairs <- expand.grid(a = which(data$relevance[rows] == 1), b = which(data$relevance[rows] == 0))
    if (nrow(pairs) == 0) return(NULL)
    data.frame(a = rows[pairs$a], b = rows[pairs$b],
               change = abs(discount[pairs$a] - discount[pairs$b]) / ideal)
  }))
}

by_position <- function(values, positions, last) {
  as.vector(tapply(values, factor(positions, seq_len(last)), sum, default = 0))
}

# Gradients and hessians of weighted pairs.
pair_sums <- function(f, pairs, weight) {
  p <- plogis(f[pairs$b] - f[pairs$a])
  add <- function(values, at) as.vector(tapply(values, factor(at, seq_along(f)), sum, default = 0))
  list(gradient = add(weight * p, pairs$b) - add(weight * p, pairs$a),
       hessian = add(weight * p * (1 - p), pairs$a) + add(weight * p * (1 - p), pairs$b))
}

# Each session shows two documents at two of the first six positions. A swap changes NDCG by the same amount in both
# orders, so the order of tied documents does not matter.
two_shown <- function() {
  judged <- simulate_ranking(40, documents = 6, grades = c(0.5, 0.3, 0.2), seed = 1)$data
  withr::with_seed(1, {
    query <- sample(40, 300, replace = TRUE)
    rows <- as.vector(vapply(query, function(q) sample(which(judged$query == q), 2), integer(2)))
    position <- as.vector(replicate(300, sample(6, 2)))
    clicked <- runif(600) < c(0.2, 0.5, 0.9)[judged$relevance[rows] + 1] / sqrt(position)
  })
  ranking_data(judged$x[rows, ], as.integer(clicked), rep(1:300, each = 2), position = position)
}

clicked_data <- function() {
  judged <- simulate_ranking(40, documents = 8, grades = c(0.5, 0.3, 0.2), seed = 1)$data
  simulate_clicks(judged, sessions = 4, depth = 6, seed = 2)
}

fine_trees <- function(...) {
  lambdamart(metric_ndcg(10), trees = 4, num_leaves = 8, min_data_in_leaf = 1, lambda_l2 = 1, learning_rate = 0.5, ...)
}

expect_steps <- function(model, data, t, before, sums) {
  moved <- predict(model, data, rounds = t) - predict(model, data, rounds = t - 1)
  leaf <- match(round(moved, 12), unique(round(moved, 12)))
  newton <- -0.5 * (rowsum(sums$gradient, leaf) / (rowsum(sums$hessian, leaf) + 1))[leaf]
  expect_equal(moved, newton, tolerance = 1e-6)
}

test_that("factors of pairs are sums of losses by position, and trees use them", {
  data <- two_shown()
  for (l2 in c(0, 1)) {
    model <- fit(fine_trees(unbiased = "pairs", position_l2 = l2), data, seed = 1)
    bias <- model$position_bias
    expect_identical(dim(bias$clicked), c(4L, 6L))
    expect_true(all(bias$clicked[1, ] == 1 & bias$other[1, ] == 1))
    clicked <- other <- rep(1, 6)
    for (t in 2:4) {
      f <- predict(model, data, rounds = t - 1)
      pairs <- click_pairs(f, data)
      at <- data$position[pairs$a]
      below <- data$position[pairs$b]
      loss <- pairs$change * log1p(exp(f[pairs$b] - f[pairs$a]))
      new_clicked <- by_position(loss / other[below], at, 6)
      new_other <- by_position(loss / clicked[at], below, 6)
      clicked <- (new_clicked / new_clicked[1])^(1 / (1 + l2))
      other <- (new_other / new_other[1])^(1 / (1 + l2))
      expect_equal(bias$clicked[t, ], clicked, tolerance = 1e-8)
      expect_equal(bias$other[t, ], other, tolerance = 1e-8)
      expect_steps(model, data, t, f,
                   pair_sums(f, pairs, pairs$change / (clicked[at] * other[below])))
    }
  }
})

test_that("position effects move by a tenth of Newton's step", {
  data <- two_shown()
  for (l2 in c(0, 0.1)) {
    model <- fit(fine_trees(unbiased = "additive", position_l2 = l2), data, seed = 1)
    added <- numeric(6)
    for (t in 2:4) {
      f <- predict(model, data, rounds = t - 1)
      sums <- function() {
        with <- f + added[data$position]
        pairs <- click_pairs(with, data)
        pair_sums(with, pairs, pairs$change)
      }
      at <- sums()
      n <- tabulate(data$position, 6)
      added <- added - 0.1 * (by_position(at$gradient, data$position, 6) + l2 * n * added) /
        (by_position(at$hessian, data$position, 6) + l2 * n)
      expect_equal(model$position_bias$added[t, ], added, tolerance = 1e-8)
      expect_steps(model, data, t, f, sums())
    }
  }
})

test_that("clicks on a useless ranking teach the truth, and how far users look", {
  simulation <- simulate_ranking(150, documents = c(10, 20), seed = 1)
  test <- simulate_ranking(150, documents = c(10, 20), truth = simulation$truth, seed = 2)$data
  clicks <- simulate_clicks(simulation$data, 15, ranker = as.double(simulation$data$x[, "useless1"]),
                            noise = 0.3, seed = 3)
  model <- function(...) {
    fit(lambdamart(trees = 60, num_leaves = 8, truncation = 10, ...), clicks, seed = 1)
  }
  value <- function(model) evaluate(predict(model, test), test, metric_ndcg(10))$value
  naive <- value(model())
  for (method in c("pairs", "additive")) {
    unbiased <- model(unbiased = method)
    p <- t.test(value(unbiased), naive, paired = TRUE, alternative = "greater")$p.value
    expect_lt(p, 1e-4)
    bias <- unbiased$position_bias
    learned <- if (method == "pairs") log(bias$clicked[60, ]) else bias$added[60, ]
    expect_gt(cor(learned, log(1 / 1:10)), 0.95)
  }
})

test_that("no thread and no order of rows changes anything, and fits resume", {
  data <- clicked_data()
  rows <- rev(seq_len(nrow(data$x)))
  other <- ranking_data(data$x[rows, ], data$relevance[rows], data$query_ids[data$query[rows]],
                        position = data$position[rows])
  for (method in c("pairs", "additive")) {
    spec <- lambdamart(trees = 8, num_leaves = 6, min_data_in_leaf = 2, unbiased = method)
    model <- fit(spec, data, seed = 1, threads = 1)
    expect_identical(fit(spec, data, seed = 1, threads = 4), model)
    expect_identical(predict(fit(spec, other, seed = 1), data), predict(model, data))
    half <- fit(update(spec, trees = 3), data, seed = 1)
    expect_identical(fit(half, data, rounds = 8)$position_bias, model$position_bias)
  }
  expect_identical(fit(lambdamart(trees = 2, unbiased = TRUE), data, seed = 1),
                   fit(lambdamart(trees = 2, unbiased = "additive"), data, seed = 1))
  expect_identical(fit(lambdamart(trees = 2, unbiased = FALSE), data, seed = 1),
                   fit(lambdamart(trees = 2), data, seed = 1))
})

test_that("a query of weight 2 acts as two copies, and a query of weight 0 is absent", {
  data <- clicked_data()
  weight <- rep_len(c(1, 0, 2, 3), length(data$query_ids))[data$query]
  effects <- function(rows, query, method, ...) {
    clicks <- ranking_data(data$x[rows, ], data$relevance[rows], query, position = data$position[rows], ...)
    fit(lambdamart(trees = 3, num_leaves = 4, min_data_in_leaf = 2, unbiased = method, position_l2 = 0.5), clicks,
        seed = 1, threads = 1)$position_bias
  }
  rows <- rep(seq_along(weight), weight)
  used <- which(weight > 0)
  for (method in c("pairs", "additive")) {
    found <- effects(seq_along(weight), data$query, method, weight = weight)
    expect_equal(found, effects(rows, data$query[rows] + 1000 * sequence(weight), method), tolerance = 1e-8)
    expect_equal(found, effects(used, data$query[used], method, weight = weight[used]), tolerance = 1e-8)
  }
})

test_that("data without positions, other methods and networks are refused", {
  judged <- simulate_ranking(10, seed = 1)$data
  expect_snapshot_error(fit(lambdamart(unbiased = TRUE), judged), class = "rankmix_error_position")
  refuse <- function(code) expect_snapshot_error(code, class = "rankmix_error_argument")
  refuse(loss_lambda(unbiased = "both"))
  refuse(loss_lambda(unbiased = TRUE, position_l2 = -1))
  refuse(network_ranker(loss_lambda(unbiased = TRUE)))
  expect_snapshot(loss_lambda(unbiased = TRUE, position_l2 = 0.5))
})

test_that("the printed model names the field with the position bias", {
  clicks <- simulate_clicks(random_data(queries = 20, features = 2), sessions = 5, seed = 1)
  model <- fit(lambdamart(trees = 2, unbiased = TRUE), clicks)
  expect_match(capture.output(print(model)), "`$position_bias`", fixed = TRUE, all = FALSE)
})

test_that("known examination gives clicks the weight of their inverse propensity", {
  judged <- simulate_ranking(40, documents = 8, seed = 1)$data
  clicks <- simulate_clicks(judged, sessions = 10, depth = 6, examination = 1 / 1:6, seed = 2)
  spec <- lambdamart(trees = 3, num_leaves = 4, min_data_in_leaf = 2, examination = 0.5 / 1:6)
  model <- fit(spec, clicks, seed = 1)
  expect_identical(model$position_bias$clicked, matrix(1 / 1:6, 3, 6, byrow = TRUE))
  expect_true(all(model$position_bias$other == 1))
  # Only ratios to position 1 matter. For the first tree, learned propensities are 1.
  expect_identical(predict(fit(lambdamart(trees = 3, num_leaves = 4, min_data_in_leaf = 2, examination = 1 / 1:6),
                               clicks, seed = 1), judged), predict(model, judged))
  expect_identical(predict(fit(lambdamart(trees = 1, num_leaves = 4, examination = rep(1, 6)), clicks, seed = 1), judged),
                   predict(fit(lambdamart(trees = 1, num_leaves = 4, unbiased = "pairs"), clicks, seed = 1), judged))
  # A click model supplies its estimates.
  log <- simulate_clicks(judged, sessions = 10, depth = 6, examination = 1 / 1:6, seed = 2, output = "log")
  pbm <- click_model(log)
  expect_identical(loss_lambda(examination = pbm), loss_lambda(examination = pbm$position))
  expect_identical(loss_lambda(examination = examination(pbm)), loss_lambda(examination = pbm$position))
  expect_match(format(loss_lambda(examination = c(1, 0.5))), "examination = c(1, 0.5)", fixed = TRUE)
  refuse <- function(code, class = "argument") {
    expect_snapshot_error(code, class = paste0("rankmix_error_", class))
  }
  refuse(loss_lambda(examination = c(1, 0)))
  refuse(loss_lambda(examination = click_model(log, "dcm")))
  refuse(loss_lambda(unbiased = "additive", examination = c(1, 0.5)))
  refuse(fit(lambdamart(trees = 2, examination = c(1, 0.5)), clicks), "position")
})
