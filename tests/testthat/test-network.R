small_data <- function(queries = 12, seed = 1, weights = FALSE) {
  data <- simulate_ranking(queries, features = 5, seed = seed)$data
  data$x[is.na(data$x)] <- 0
  if (weights) data$weight <- rep_len(c(1, 2.5, 0), length(data$query_ids))
  data
}

# The R object of a fit, with the parts that the reference implementations need.
started <- function(spec, data) {
  task <- rankmix:::new_task(data, seed = 5, threads = 1L)
  fit <- rankmix:::start_network(spec, task)
  list(fit = fit, numbers = rankmix:::net_model(fit, 0L)$weights[, 1L],
       z = naive_scaled(data, spec$log1p))
}
kept <- function(data) {
  if (is.null(data$weight)) seq_along(data$query) else which(data$weight[data$query] > 0)
}
# The objective of the reference implementation as a function of the parameters. Queries of weight 0 are in no batch.
reference_value <- function(spec, data, z) {
  rows <- kept(data)
  function(numbers) {
    f <- rep(0, nrow(z))
    f[rows] <- naive_network(numbers, z[rows, ], spec)
    naive_objective(spec$objective, f, data)
  }
}

kinds <- list(
  network_ranker(hidden = 6), network_ranker(hidden = c(5, 4), activation = "tanh"),
  network_ranker(loss_pairwise(), hidden = c(4, 3, 3), activation = "logistic"),
  network_ranker(loss_list_mle(), hidden = c(6, 3), normalize = "batch"),
  network_ranker(loss_pairwise("hinge"), hidden = 5, normalize = "layer", activation = "tanh"),
  network_ranker(loss_squared(), hidden = c(5, 3), normalize = "batch", activation = "tanh"),
  network_ranker(loss_softmax(), hidden = c(9, 3), normalize = "layer", log1p = TRUE)
)

test_that("value and gradient agree with the plain network, by differences", {
  for (spec in kinds) {
    for (weights in c(FALSE, TRUE)) {
      data <- small_data(weights = weights)
      spec$objective$loss[spec$objective$loss == "hinge"] <- "logistic"
      made <- started(spec, data)
      value <- reference_value(spec, data, made$z)
      found <- rankmix:::net_gradient(made$fit, 1L)
      trained <- length(found$derivatives)
      # Parameters and sums of some hundred terms are in single precision, with errors of 6e-8 each.
      expect_equal(found$value, value(made$numbers), tolerance = 1e-5)
      slow <- naive_gradient(value, made$numbers, trained)
      expect_lt(max(abs(found$derivatives - slow)), 2e-5 * max(abs(slow)), label = format(spec))
      expect_identical(rankmix:::net_gradient(made$fit, 2L), found)
    }
  }
})

test_that("epochs of one batch are Adam's steps", {
  data <- small_data()
  for (spec in kinds[c(2, 3, 6, 7)]) {
    spec <- update(spec, learning_rate = 0.01, weight_decay = 0.5, batch_size = 1000, epochs = 4)
    made <- started(spec, data)
    layers <- naive_layers(seq_along(made$numbers), ncol(data$x), spec)
    decays <- replace(numeric(layers$trained),
                      c(unlist(lapply(layers$hidden, `[[`, "weights")), layers$score), 0.5)
    value <- reference_value(spec, data, made$z)
    # In a loss within queries, the constant of the output has no effect and is fixed.
    fixed <- if (spec$objective$name != "squared") layers$trained
    slow <- naive_adam(value, made$numbers, layers$trained, decays, 0.01, 4L, fixed)
    grown <- rankmix:::net_run(made$fit, 4L, 4L, 1L, NULL)
    expect_identical(grown, list(rounds = 4L, status = "limit"))
    model <- rankmix:::net_model(made$fit, 0L)
    trained <- seq_len(layers$trained)
    # The parameters of a model are rounded to single precision. Gradients have errors of about 1e-6.
    expect_lt(max(abs(model$weights[trained, 5L] - slow[trained])), 1e-6, label = format(spec))
    expect_gt(max(abs(slow - made$numbers)[trained]), 0.02)
    # The value of an epoch is computed before the step of the epoch.
    expect_equal(model$values[1L], value(made$numbers), tolerance = 1e-5)
    expect_equal(model$values[2L], value(model$weights[, 2L]), tolerance = 1e-5)
  }
})

test_that("weights, scores and gradients agree with nnet", {
  skip_if_not_installed("nnet")
  data <- small_data(20)
  spec <- network_ranker(loss_squared(), hidden = 6, activation = "logistic", epochs = 3, batch_size = 1000)
  made <- started(spec, data)
  y <- data$relevance
  # nnet stores the parameters of a unit together, with the constant first.
  order <- c(rbind(30L + 1:6, matrix(1:30, 5L, byrow = TRUE)), 43L, 37:42)
  of_nnet <- function(numbers) {
    nnet::nnet(made$z, y, size = 6, linout = TRUE, maxit = 0, Wts = numbers[order],
               trace = FALSE)
  }
  model <- fit(spec, data, seed = 5)
  expect_identical(model$weights[, 1L], made$numbers)
  for (epochs in c(0L, 3L)) {
    theirs <- of_nnet(model$weights[, epochs + 1L])
    expect_equal(predict(model, data, rounds = epochs), theirs$fitted.values[, 1L],
                 tolerance = 1e-5)
  }
  expect_equal(model$values[1L], of_nnet(made$numbers)$value / (2 * length(y)),
               tolerance = 1e-5)
  slow <- naive_gradient(function(numbers) of_nnet(numbers)$value, made$numbers, 43L, 1e-4)
  found <- rankmix:::net_gradient(made$fit, 1L)$derivatives
  expect_lt(max(abs(found - slow / (2 * length(y)))), 2e-5 * max(abs(found)))
})

test_that("an epoch visits each query once, whatever the batches", {
  data <- small_data(30)
  for (spec in kinds[c(1, 3, 7)]) {
    # This learning rate is so small that steps change nothing.
    spec <- update(spec, learning_rate = 1e-30, weight_decay = 0, epochs = 2)
    whole <- fit(update(spec, batch_size = 1000), data, seed = 5)$values
    for (batch in c(1, 7, 30)) {
      expect_equal(fit(update(spec, batch_size = batch), data, seed = 5)$values, whole,
                   tolerance = 1e-6)
    }
  }
})

test_that("predictions take the running means of batches, and all units", {
  data <- small_data(25)
  spec <- network_ranker(hidden = c(5, 4), normalize = "batch", batch_size = 1000, epochs = 3, learning_rate = 0.1)
  model <- fit(spec, data, seed = 5)
  z <- naive_scaled(data)
  moments <- function(epochs) {
    first <- naive_layers(model$weights[, epochs + 1L], 5L, spec)$hidden[[1L]]$weights
    sums <- z %*% first
    c(colMeans(sums), colMeans(sums^2) - colMeans(sums)^2)
  }
  running <- function(epochs) {
    naive_layers(model$weights[, epochs + 1L], 5L, spec)$moments[1:10]
  }
  # The running moments are the means of the moments of the first epochs.
  expect_equal(running(1L), moments(0L), tolerance = 1e-5)
  expect_equal(running(3L), (moments(0L) + moments(1L) + moments(2L)) / 3, tolerance = 1e-5)
  expect_equal(predict(model, data[1:5]), predict(model, data)[data$query <= 5],
               tolerance = 0)

  for (spec in kinds) {
    spec <- update(spec, epochs = 3, batch_size = 8, learning_rate = 0.02, dropout = 0.2)
    model <- fit(spec, data, seed = 5)
    slow <- naive_network(model$weights[, 4L], naive_scaled(data, spec$log1p), spec, alone = TRUE)
    expect_lt(max(abs(predict(model, data) - slow)), 1e-5 * max(abs(slow)), label = format(spec))
  }
  dropped <- fit(network_ranker(hidden = 20, dropout = 0.5, epochs = 20), data, seed = 5)
  expect_equal(predict(dropped, data),
               naive_network(dropped$weights[, 21L], naive_scaled(data), dropped$spec),
               tolerance = 1e-5)
  expect_false(identical(dropped$values, fit(network_ranker(hidden = 20, epochs = 20), data,
                                             seed = 5)$values))
})

test_that("a network learns a relation that is not linear", {
  xor_data <- function(seed, queries) {
    withr::with_seed(seed, {
      x <- matrix(rnorm(2 * 20 * queries), ncol = 2)
      ranking_data(x, as.integer(x[, 1] * x[, 2] > 0), rep(seq_len(queries), each = 20))
    })
  }
  train <- xor_data(1, 60)
  test <- xor_data(2, 60)
  value <- function(model) summary(evaluate(model, test, metric_ndcg(10)))$mean
  flat <- value(fit(linear_ranker(), train))
  for (spec in list(ranknet(hidden = 10, learning_rate = 0.02, epochs = 60),
                    listnet(hidden = c(16, 8), learning_rate = 0.01, epochs = 60),
                    network_ranker(loss_list_mle(), hidden = 16, learning_rate = 0.02, epochs = 60),
                    network_ranker(loss_squared(), hidden = 16, learning_rate = 0.02, epochs = 60,
                            normalize = "layer"))) {
    expect_gt(value(fit(spec, train, seed = 1)), flat + 0.3, label = format(spec))
  }
})

test_that("validation data choose the epochs, and patience stops the training", {
  data <- small_data(40)
  valid <- small_data(20, seed = 2)
  valid <- ranking_data(valid$x, valid$relevance, valid$query + 1000)
  spec <- network_ranker(hidden = 12, epochs = 60, learning_rate = 0.02)
  model <- fit(spec, data, valid, seed = 1)
  expect_identical(model$curve$rounds, c(10L, 20L, 50L, 60L))
  expect_identical(predict(model, valid), predict(model, valid, rounds = model$best_rounds))
  several <- predict(model, valid, rounds = c(60, 0, 20))
  expect_identical(colnames(several), c("60", "0", "20"))
  expect_equal(summary(evaluate(several[, 3L], valid, metric_ndcg(10)))$mean, model$curve$value[2L])
  expect_error(predict(model, valid, rounds = 61), class = "rankmix_error_argument")
  patient <- fit(spec, data, valid, seed = 1, patience = 5, eval_every = 1)
  expect_identical(patient$status, "stopped")
  rounds <- length(patient$values)
  expect_lt(rounds, 60L)
  expect_identical(rounds - patient$best_rounds, 5L)
  expect_identical(patient$weights, model$weights[, seq_len(rounds + 1L)])
  expect_identical(patient$values, model$values[seq_len(rounds)])
})

test_that("every setting changes the fit, and sparse features give the fit of dense features", {
  data <- small_data(20)
  spec <- network_ranker(hidden = c(6, 4), epochs = 3, learning_rate = 0.01, batch_size = 8)
  model <- fit(spec, data, seed = 1)
  expect_false(identical(fit(spec, data, seed = 2)$weights, model$weights))
  changes <- list(objective = loss_pairwise(), hidden = c(4, 6), epochs = 4, batch_size = 5, learning_rate = 0.02,
                  weight_decay = 1, dropout = 0.5, normalize = "layer", activation = "tanh",
                  log1p = TRUE)
  for (name in names(changes)) {
    other <- do.call(update, c(list(spec), changes[name]))
    expect_false(identical(fit(other, data, seed = 1)$weights, model$weights), label = name)
  }
})

test_that("networks are members of a mixture", {
  data <- small_data(60)
  parts <- split_parts(split_queries(data, 0.6, seed = 1), data)
  mixed <- fit(mixture(network_ranker(hidden = 8, epochs = 20, learning_rate = 0.02), linear_ranker(penalty = 0.1),
                       calibrators = list(calibrator_rbc("linear"))), parts$train, parts$test, seed = 1,
               verbose = FALSE)
  expect_true(all(is.finite(predict(mixed, parts$test))))
  expect_true(any(grepl("network", tidy(mixed)$classifier)))
})

test_that("models print, and bad input is reported", {
  data <- small_data(30)
  valid <- small_data(20, seed = 2)
  valid <- ranking_data(valid$x, valid$relevance, valid$query + 1000)
  expect_snapshot({
    network_ranker()
    ranknet()
    listnet(hidden = 32, normalize = "batch", dropout = 0.1)
    ranknet(c(100, 100), epochs = 50, learning_rate = 0.01)
    fit(network_ranker(hidden = 6, epochs = 20), data, seed = 1)
  })
  model <- fit(network_ranker(hidden = 6, epochs = 20), data, valid, seed = 1)
  row <- glance(model)
  expect_identical(row[c("epochs", "weights", "features", "status")],
                   data.frame(epochs = 20L, weights = 43L, features = 5L, status = "limit"))
  expect_identical(row$objective, model$values[model$best_rounds])
  expect_identical(row$value, max(model$curve$value))
  first <- naive_layers(model$weights[, model$best_rounds + 1L], 5L, model$spec)$hidden[[1L]]
  sizes <- tidy(model)
  # The first layer ignores constant features.
  slow <- sqrt(rowSums(first$weights^2)) * (model$factor > 0)
  expect_equal(sizes$weight, slow[match(sizes$feature, model$features)])
  expect_false(is.unsorted(-sizes$weight))
  expect_output(print(summary(model)), sizes$feature[1L], fixed = TRUE)
  refuse <- function(code, class = "argument") {
    expect_snapshot_error(code, class = paste0("rankmix_error_", class))
  }
  refuse(network_ranker(hidden = 0))
  refuse(network_ranker(hidden = integer(0)))
  refuse(network_ranker(hidden = c(10, 0)))
  refuse(ranknet(hidden = "10"))
  refuse(network_ranker(hidden = rep(5, 9)))
  refuse(network_ranker(learning_rate = 0))
  refuse(network_ranker(dropout = 1))
  refuse(network_ranker(normalize = "group"))
  refuse(network_ranker(objective = "softmax"))
  refuse(ranknet(eta = 0.1))
  refuse(fit(network_ranker(hidden = c(8, 8), learning_rate = 1e30), data, seed = 1, verbose = FALSE),
         "diverged")
  same <- ranking_data(data$x, rep(1:2, 15)[data$query], data$query)
  refuse(fit(ranknet(), same, verbose = FALSE), "one_grade")
  constant <- ranking_data(cbind(a = rep(1, nrow(data)), b = 7), data$relevance, data$query)
  refuse(fit(network_ranker(), constant, verbose = FALSE), "constant")
  refuse(fit(network_ranker(), data, checkpoint = tempfile(), verbose = FALSE), "option")
})

test_that("a training whose objective is at its minimum stops, and reports it", {
  data <- ranking_data(cbind(1:4, c(2, 1, 4, 3)), c(0, 1, 2, 1), 1:4)
  model <- fit(listnet(hidden = 3), data, seed = 1, verbose = FALSE)
  expect_identical(model$status, "stalled")
  expect_length(model$values, 1L)
  expect_true(all(is.finite(predict(model, data))))
})

test_that("an epoch on few queries has ten batches, so that 100 epochs learn", {
  set.seed(1)
  a <- rnorm(300)
  grade <- pmin(3, pmax(0, round(a + rnorm(300, sd = 0.4))))
  data <- ranking_data(cbind(a = a), grade, rep(1:30, each = 10))
  metric <- metric_ndcg(10, ties = "average")
  feature <- summary(evaluate(a, data, metric))$mean
  for (seed in 1:5) {
    model <- fit(ranknet(), data, seed = seed, threads = 1, verbose = FALSE)
    expect_identical(model$spec$batch_size, 3)
    expect_gt(summary(evaluate(model, data, metric))$mean, feature - 0.01)
  }
  expect_identical(settled_batch(NULL, list(query_ids = 1:9)), 1)
  expect_identical(settled_batch(NULL, list(query_ids = 1:5000)), 32)
  expect_identical(settled_batch(64, list(query_ids = 1:9)), 64)
})

test_that("queries of weight 0 do not change the default size of a batch", {
  data <- random_data(queries = 40, seed = 1)
  more <- random_data(queries = 10, seed = 2)
  both <- ranking_data(rbind(data$x, more$x), c(data$relevance, more$relevance), c(data$query, 40 + more$query),
                       weight = rep(1:0, c(nrow(data), nrow(more))))
  expect_identical(settled_batch(NULL, both), settled_batch(NULL, data))
  expect_identical(settled_batch(NULL, data), 4)
})

test_that("features of extremely large or small values are scaled like others", {
  data <- small_data()
  for (unit in 2^c(-600, 600)) {
    some <- data
    some$x[, 2] <- data$x[, 2] * unit
    model <- fit(network_ranker(hidden = 3, epochs = 1), data, seed = 1)
    other <- fit(network_ranker(hidden = 3, epochs = 1), some, seed = 1)
    expect_equal(other$factor[2] * unit, model$factor[2])
    expect_equal(other$center[2] / unit, model$center[2])
  }
})
