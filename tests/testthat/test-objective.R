# Gradients and hessians of objectives for given scores, by their formulas.
naive_gradients <- function(objective, f, data) {
  w <- if (is.null(data$weight)) rep(1, length(data$query_ids)) else data$weight
  g <- h <- numeric(length(f))
  for (q in seq_along(data$query_ids)) {
    rows <- which(data$query == q)
    grades <- data$relevance[rows]
    if (objective$name == "squared") {
      y <- if (identical(objective$target, "gain")) 2^grades - 1 else grades
      g[rows] <- w[q] * (f[rows] - y)
      h[rows] <- w[q]
    } else if (objective$name == "softmax") {
      gains <- 2^grades - 1
      if (sum(gains) > 0) {
        p <- exp(f[rows]) / sum(exp(f[rows]))
        g[rows] <- w[q] * (p - gains / sum(gains))
        h[rows] <- w[q] * p * (1 - p)
      }
    } else if (objective$name == "query_rmse") {
      e <- f[rows] - grades
      g[rows] <- w[q] * (e - mean(e))
      h[rows] <- w[q] * (1 - 1 / length(rows))
    } else if (objective$name == "ordinal") {
      if (q == 1) bounds <- naive_bounds(f, data, w)
      levels <- as.integer(names(bounds))
      for (i in rows) {
        above <- c(1, plogis(f[i] - bounds), 0)[sum(levels <= data$relevance[i]) + 1:2]
        g[i] <- w[q] * (sum(above) - 1)
        h[i] <- w[q] * sum(above * (1 - above))
      }
    } else if (objective$name == "list_mle") {
      for (i in rows[grades > min(grades)]) {
        left <- rows[grades <= data$relevance[i]]
        p <- exp(f[left]) / sum(exp(f[left]))
        g[i] <- g[i] - w[q]
        g[left] <- g[left] + w[q] * p
        h[left] <- h[left] + w[q] * p * (1 - p)
      }
    } else {
      for (i in rows) {
        for (j in rows[grades < data$relevance[i]]) {
          d <- f[i] - f[j]
          p <- 1 / (1 + exp(d))
          gradient <- switch(objective$loss, logistic = -p, hinge = -(d < 1),
                             squared_hinge = -2 * max(0, 1 - d))
          hessian <- switch(objective$loss, logistic = p * (1 - p), hinge = 1,
                            squared_hinge = 2 * (d < 1))
          g[c(i, j)] <- g[c(i, j)] + w[q] * c(gradient, -gradient)
          h[c(i, j)] <- h[c(i, j)] + w[q] * hessian
        }
      }
    }
  }
  list(g = g, h = h, counts = w[data$query] > 0)
}

# The thresholds that maximise the likelihood, by Newton's method with differences of the gradient.
naive_bounds <- function(f, data, w) {
  w <- w[data$query]
  grades <- sort(unique(data$relevance[w > 0]))
  class <- findInterval(data$relevance, grades)
  gradient <- function(bounds) {
    above <- cbind(1, plogis(outer(f, bounds, "-")), 0)
    steep <- above * (1 - above)
    rows <- seq_along(f)
    p <- above[cbind(rows, class)] - above[cbind(rows, class + 1L)]
    vapply(seq_along(bounds), function(k) {
      sum(w * steep[, k + 1L] * ((class == k) - (class == k + 1L)) / p)
    }, 0)
  }
  fractions <- vapply(grades, function(grade) sum(w[data$relevance == grade]), 0) / sum(w)
  bounds <- qlogis(cumsum(fractions)[-length(fractions)])
  for (s in 1:50) {
    jacobian <- vapply(seq_along(bounds), function(k) {
      moved <- replace(numeric(length(bounds)), k, 1e-5)
      (gradient(bounds + moved) - gradient(bounds - moved)) / 2e-5
    }, bounds)
    step <- -solve(jacobian, gradient(bounds))
    bounds <- bounds + step
    if (max(abs(step)) < 1e-12) break
  }
  setNames(bounds, grades[-1L])
}

# Newton's node score of rows that have the same value.
naive_node_score <- function(s, rows, l2) {
  h <- sum(s$h[rows]) + l2
  if (h > 0) sum(s$g[rows])^2 / h else 0
}

# Checks a model tree by tree. Returns the scores, and the largest shortfall of a split against the best split of its
# leaf. The shortfall is relative to the gain of the best split of the root.
replay_newton <- function(model, data, least) {
  x <- data$x
  spec <- model$spec
  forest <- model$forest
  f <- rep(model$start, nrow(x))
  thresholds <- lapply(seq_len(ncol(x)), function(j) naive_thresholds(x[, j]))
  shortfall <- 0
  for (t in seq_len(length(forest$node_begin) - 1L)) {
    s <- naive_gradients(spec$objective, f, data)
    l2 <- spec$lambda_l2
    node_score <- function(rows) naive_node_score(s, rows, l2)
    rows <- list("0" = seq_len(nrow(x)))
    values <- rep(NA_real_, nrow(x))
    for (k in seq_len(diff(forest$node_begin)[t]) - 1L) {
      node <- forest$node_begin[t] + k + 1L
      at <- rows[[as.character(k)]]
      best <- 0
      for (j in seq_len(ncol(x))) {
        tests <- naive_tests(x[at, j], thresholds[[j]])$left
        left <- crossprod(tests, cbind(s$g, s$h, s$counts)[at, , drop = FALSE])
        right <- crossprod(!tests, cbind(s$g, s$h, s$counts)[at, , drop = FALSE])
        score <- function(sums) ifelse(sums[, 2L] + l2 > 0, sums[, 1L]^2 / (sums[, 2L] + l2), 0)
        gains <- score(left) + score(right) - node_score(at)
        best <- max(best, gains[left[, 3L] >= least & right[, 3L] >= least])
      }
      own <- x[at, forest$feature[node] + 1L]
      left <- ifelse(is.na(own), forest$missing_left[node] == 1L, own <= forest$threshold[node])
      gain <- node_score(at[left]) + node_score(at[!left]) - node_score(at)
      shortfall <- max(shortfall, c(best - gain, abs(gain / 2 - forest$gain[node])) / sum(abs(s$g)))
      for (side in c("left", "right")) {
        child <- forest[[side]][node]
        inside <- if (side == "left") at[left] else at[!left]
        if (child >= 0L) {
          rows[[as.character(child)]] <- inside
        } else {
          h <- sum(s$h[inside]) + spec$lambda_l2
          values[inside] <- if (h > 0) -sum(s$g[inside]) / h else 0
        }
      }
    }
    f <- f + spec$learning_rate * values
  }
  list(shortfall = shortfall, f = f)
}

objectives <- list(loss_pairwise(), loss_pairwise("hinge"), loss_pairwise("squared_hinge"), loss_softmax(),
                   loss_squared(), loss_squared("gain"), loss_list_mle(), loss_query_rmse(), loss_ordinal())

test_that("trees of every objective are Newton steps, and every split is the best", {
  skip_if_quick()
  for (objective in objectives) {
    for (precision in c("single", "double")) {
      for (l2 in c(0.5, 3)) {
        data <- random_data(queries = 15, missing = 0.1, seed = if (l2 > 1) 3 else 4)
        if (l2 > 1) data$weight <- rep_len(c(1, 0, 2.5), length(data$query_ids))
        model <- fit(gbrt(4, num_leaves = 5, learning_rate = 0.5, min_data_in_leaf = 3, precision = precision,
                          objective = objective, lambda_l2 = l2), data, seed = 1)
        expect_identical(length(model$forest$round_begin), 5L)
        slow <- replay_newton(model, data, 3)
        # Gradients and hessians are rounded to 2^-30 of their sums over about 120 documents.
        expect_lte(slow$shortfall, 1e-6)
        expect_equal(predict(model, data), slow$f, tolerance = 1e-9)
      }
    }
  }
})

test_that("without l2 a leaf without hessian stays, and squared error is unchanged", {
  data <- random_data(queries = at_size(9, 15), missing = 0.1, seed = 5)
  for (objective in objectives[1:4]) {
    model <- fit(gbrt(4, num_leaves = 6, min_data_in_leaf = 1, objective = objective), data, seed = 1)
    expect_equal(predict(model, data), replay_newton(model, data, 1)$f, tolerance = 1e-9)
    expect_true(all(is.finite(model$forest$values)))
  }
  plain <- fit(gbrt(4, num_leaves = 6), data, seed = 1)
  expect_identical(fit(gbrt(4, num_leaves = 6, objective = loss_squared("grade")), data, seed = 1)$forest,
                   plain$forest)
  gains <- data
  gains$relevance <- as.integer(2^data$relevance - 1)
  expect_identical(fit(gbrt(4, num_leaves = 6, objective = loss_squared("gain")), data, seed = 1)$forest,
                   fit(gbrt(4, num_leaves = 6), gains, seed = 1)$forest)
})

test_that("objectives rank better than chance, equally on any threads and order of rows", {
  skip_if_quick()
  data <- simulate_ranking(120, seed = 2)$data
  parts <- split_parts(split_queries(data, 0.6, seed = 1), data)
  value <- function(scores) summary(evaluate(scores, parts$test, metric_ndcg(10)))$mean
  set.seed(1)
  chance <- value(runif(nrow(parts$test)))
  for (objective in c(objectives, list(loss_xendcg()))) {
    spec <- gbrt(60, num_leaves = 8, objective = objective, lambda_l2 = 1, feature_fraction = 0.8,
                 bagging_fraction = 0.8)
    model <- fit(spec, parts$train, seed = 1, threads = 1)
    expect_gt(value(predict(model, parts$test)), chance + 0.1)
    expect_identical(fit(spec, parts$train, seed = 1, threads = 4), model)
    whole <- update(spec, feature_fraction = 1, bagging_fraction = 1)
    rows <- rev(seq_len(nrow(parts$train)))
    other <- ranking_data(parts$train$x[rows, ], parts$train$relevance[rows],
                          parts$train$query[rows])
    expect_identical(predict(fit(whole, other, seed = 2), parts$test),
                     predict(fit(whole, parts$train, seed = 2), parts$test))
  }
})

test_that("a query of weight 2 acts as two copies, and a query of weight 0 is absent", {
  skip_if_quick()
  data <- random_data(queries = 20, missing = 0.1, seed = 6)
  copies <- c(data, {
    again <- data[seq(1, 20, 2)]
    again$query_ids <- again$query_ids + 1000
    again
  })
  data$weight <- rep_len(c(2, 1), 20)
  for (objective in objectives) {
    spec <- gbrt(6, num_leaves = 4, min_data_in_leaf = 1, objective = objective, lambda_l2 = 1)
    expect_equal(predict(fit(spec, data), data), predict(fit(spec, copies), data),
                 tolerance = 1e-6)
  }
})

test_that("models of objectives resume, stop early and print", {
  skip_if_quick()
  data <- random_data(queries = 40, classes = 4, missing = 0.1)
  valid <- random_data(queries = 20, classes = 4, missing = 0.1, seed = 2)
  valid <- ranking_data(valid$x, valid$relevance, valid$query + 1000)
  for (objective in objectives[c(1, 4)]) {
    spec <- gbrt(40, num_leaves = 5, min_data_in_leaf = 2, objective = objective, lambda_l2 = 0.5)
    whole <- fit(spec, data, valid, seed = 1, patience = 1000)
    # If the first number of rounds is the best, smaller numbers are tried, too.
    expect_identical(setdiff(whole$curve$rounds, 1:9), c(10L, 20L, 30L, 40L))
    half <- fit(update(spec, trees = 15), data, seed = 1)
    expect_identical(fit(half, data, valid, rounds = 40, patience = 1000), whole)
    scores <- predict(whole, valid, rounds = 20)
    expect_equal(summary(evaluate(scores, valid, metric_ndcg(10, ties = "average")))$mean,
                 whole$curve$value[whole$curve$rounds == 20L])
  }
  expect_snapshot({
    loss_pairwise()
    loss_softmax()
    loss_list_mle()
    gbrt(objective = loss_pairwise("hinge"), lambda_l2 = 2)
    gbrt(objective = loss_squared("gain"))
    gbrt(objective = loss_squared())
  })
  refuse <- function(code) expect_snapshot_error(code, class = "rankmix_error_argument")
  refuse(loss_pairwise("ranknet"))
  refuse(gbrt(objective = "pairwise"))
  refuse(gbrt(lambda_l2 = -1))
  refuse(linear_ranker(3))
})

test_that("pairs whose weights sum to one in each query make another model", {
  data <- random_data(queries = 30, features = 3)
  trees <- function(objective) {
    predict(fit(gbrt(5, num_leaves = 4, objective = objective), data, seed = 1), data)
  }
  expect_false(identical(trees(loss_pairwise("logistic", pairs = "query")), trees(loss_pairwise())))
  expect_identical(trees(loss_pairwise("logistic", pairs = "plain")), trees(loss_pairwise()))
  expect_identical(unclass(loss_pairwise())$pairs, NULL)
})

test_that("targets are grades or gains, by the default of the learner", {
  grades <- c(0L, 1L, 3L)
  expect_identical(rankmix:::objective_targets(loss_squared("grade"), grades, "gain"), c(0, 1, 3))
  expect_identical(rankmix:::objective_targets(loss_squared("gain"), grades, "grade"), c(0, 1, 7))
  expect_identical(rankmix:::objective_targets(loss_squared(), grades, "grade"), c(0, 1, 3))
  expect_identical(format(loss_squared()), "loss_squared()")
  expect_identical(format(loss_squared("gain")), "loss_squared(\"gain\")")
})
