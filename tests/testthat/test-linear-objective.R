data <- random_data(queries = 15, features = 3, classes = 3)
weighted_data <- function(weight) {
  ranking_data(data$x, data$relevance, data$query, weight = weight[data$query])
}

test_that("linear_ranker() of pairs is ranksvm() by another cost, whatever the loss", {
  weight <- rep(1:3, length.out = 15)
  standard <- naive_standard(data$x, weight[data$query])
  for (pairs in c("plain", "query")) {
    listed <- naive_pairs(data, pairs, weight)
    total <- sum(listed$weight)
    for (loss in c("squared_hinge", "hinge", "logistic")) {
      penalty <- 0.03
      model <- fit(linear_ranker(loss_pairwise(loss, pairs), penalty), weighted_data(weight))
      cost <- 1 / (2 * penalty * total)
      objective <- function(v) {
        2 * penalty * naive_rank_objective(v, standard$z, listed, cost, loss)
      }
      v <- model$weights * model$scale
      expect_equal(objective(v), model$objective, tolerance = 1e-12)
      d <- drop(standard$z %*% v)
      d <- d[listed$upper] - d[listed$lower]
      expect_equal(sum(listed$weight * naive_pair_loss(d, loss)) / total + penalty * sum(v^2),
                   model$objective, tolerance = 1e-12)
      best <- stats::optim(v, objective, control = list(maxit = 3000))$value
      expect_gte(best, model$objective * (1 - model$gap) - 1e-12)
      if (loss != "logistic") {
        reference <- fit(ranksvm(cost, loss, pairs), weighted_data(weight))
        expect_equal(coef(model), coef(reference), tolerance = 1e-10)
      }
    }
  }
})

test_that("linear ListNet is the minimum of the cross-entropy", {
  standard <- naive_standard(data$x)
  queries <- sum(tapply(data$relevance, data$query, max) > 0)
  for (penalty in c(1e-3, 0.1)) {
    model <- fit(linear_ranker(loss_softmax(), penalty), data)
    objective <- function(v) naive_listnet(v, standard$z, data) / queries + penalty * sum(v^2)
    v <- model$weights * model$scale
    expect_equal(objective(v), model$objective, tolerance = 1e-12)
    best <- stats::optim(rep(0, 3), objective, method = "BFGS", control = list(reltol = 1e-14))
    expect_gte(best$value, model$objective * (1 - model$gap) - 1e-12)
    expect_equal(best$par, v, tolerance = 1e-3)
  }
})

test_that("a penalty means the same for any number of queries", {
  twice <- ranking_data(rbind(data$x, data$x), rep(data$relevance, 2),
                        c(data$query, data$query + 100))
  for (objective in list(loss_pairwise("squared_hinge"), loss_pairwise("logistic", "query"), loss_softmax())) {
    one <- fit(linear_ranker(objective, 0.1), data)
    other <- fit(linear_ranker(objective, 0.1), twice)
    expect_equal(coef(one), coef(other), tolerance = 1e-3)
    expect_equal(one$objective, other$objective, tolerance = 2e-6)
  }
})

test_that("without validation data parts of the queries choose, and progress is reported to its end", {
  reported <- numeric()
  task <- rankmix:::new_task(data, NULL, 1L, progress = function(done, total) {
    reported <<- c(reported, done / total)
  })
  path <- rankmix:::train_by_entry(linear_ranker(loss_softmax(), c(0.01, 1)), task)
  expect_length(path$path, 2L)
  expect_false(is.na(path$chosen))
  expect_equal(max(reported), 1)
  expect_false(is.unsorted(reported))
  expect_length(fit(linear_ranker(loss_softmax()), data)$path, length(rankmix:::default_penalties) - 1L)
})

test_that("weights of documents that differ within queries give pairs their product as weight", {
  weight <- rep(c(0.5, 1, 2, 0), length.out = nrow(data$x))
  task <- rankmix:::new_task(data, NULL, 1L, weights = weight)
  standard <- naive_standard(data$x, weight)
  for (pairs in c("plain", "query")) {
    listed <- naive_pairs(data, "plain")
    listed$weight <- weight[listed$upper] * weight[listed$lower]
    if (pairs == "query") {
      sums <- tapply(listed$weight, data$query[listed$upper], sum)
      sums <- sums[as.character(data$query[listed$upper])]
      listed$weight <- ifelse(sums > 0, listed$weight / sums, 0)
    }
    model <- rankmix:::train_by_entry(linear_ranker(loss_pairwise("squared_hinge", pairs), 0.1), task)
    cost <- 1 / (0.2 * sum(listed$weight))
    objective <- function(v) 0.2 * naive_rank_objective(v, standard$z, listed, cost, "squared_hinge")
    v <- model$weights * model$scale
    expect_equal(objective(v), model$objective, tolerance = 1e-12)
    expect_equal(stats::optim(v, objective, method = "BFGS")$value, model$objective,
                 tolerance = 1e-6)
  }
})

test_that("relevant documents and others have the same total weight with class_weight = \"balanced\"", {
  weight <- rep(1:3, length.out = 15)
  balanced <- fit(linear_ranker(loss_squared(class_weight = "balanced"), 0.1), weighted_data(weight))
  row_weight <- weight[data$query]
  relevant <- data$relevance > 0
  by_hand <- ifelse(relevant, row_weight / sum(row_weight[relevant]),
                    row_weight / sum(row_weight[!relevant]))
  reference <- rankmix:::linear_ridge_path(data$x, 2^data$relevance - 1, by_hand, 0.1, 1L)
  expect_equal(balanced$weights, reference$weights[, 1], tolerance = 1e-12)
  expect_false(isTRUE(all.equal(balanced$weights,
                                fit(linear_ranker(penalty = 0.1), weighted_data(weight))$weights)))
  # If all documents are of one kind, there is nothing to balance.
  positive <- ranking_data(data$x, data$relevance + 1L, data$query)
  expect_identical(fit(linear_ranker(loss_squared(class_weight = "balanced"), 0.1), positive)$weights,
                   fit(linear_ranker(loss_squared(), 0.1), positive)$weights)
  expect_length(fit(linear_ranker(loss_squared(class_weight = "balanced")), data)$path,
                length(rankmix:::default_penalties))
})

test_that("objectives and settings that do not fit are refused", {
  expect_snapshot(error = TRUE, {
    linear_ranker(loss_softmax(), penalty = c(0, 1))
    linear_ranker(loss_pairwise(), penalty = 0)
    gbrt(objective = loss_squared(class_weight = "balanced"))
    loss_squared(class_weight = "equal")
    loss_pairwise(pairs = "all")
  })
  expect_snapshot({
    linear_ranker(loss_pairwise("hinge", pairs = "query"), penalty = 0.1)
    linear_ranker(loss_squared("grade", class_weight = "balanced"))
  })
  nothing <- ranking_data(data$x, 0 * data$relevance, data$query)
  expect_snapshot(model <- fit(linear_ranker(loss_softmax(), 0.1), nothing))
  expect_identical(model$objective, 0)
})

test_that("weights of documents whose products overflow are refused", {
  data <- simulate_ranking(5, features = 5, seed = 3)$data
  x <- data$x
  x[is.na(x)] <- 0
  heavy <- ranking_data(x, data$relevance, data$query, document_weight = rep(2^890, nrow(x)))
  heavy$document_weight[1] <- 1
  expect_error(fit(linear_ranker(loss_pairwise(), penalty = 1), heavy), class = "rankmix_error_values")
})

test_that("the penalty of loss_query_rmse() is relative to the weight of documents in queries of two or more", {
  set.seed(4)
  query <- c(1, rep(2:13, each = 5))
  x <- matrix(rnorm(3 * length(query)), ncol = 3)
  grade <- sample(0:3, length(query), TRUE)
  weight <- runif(13, 0.2, 3)[query]
  own <- c(5, runif(length(query) - 1, 0.1, 2))
  data <- ranking_data(x, grade, query, weight = weight, document_weight = own)
  model <- fit(linear_ranker(loss_query_rmse("grade"), penalty = 0.05), data, threads = 1)
  w <- weight * own
  standard <- naive_standard(x, w)
  error <- predict(model, data) - grade
  centred <- error - ave(w * error, query, FUN = sum) / ave(w, query, FUN = sum)
  total <- sum(w[query > 1])
  gradient <- colSums(standard$z * w * centred) / total + 2 * 0.05 * coef(model) * standard$scale
  # The gap |G|^2 / 2 of ranksvm()'s objective is at most 1e-6 of it. This objective is 2 * 0.05 times as large.
  expect_lte(sqrt(sum(gradient^2)), sqrt(2 * 1e-6 * 2 * 0.05 * model$objective))
  expect_equal(model$objective, sum(w * centred^2) / 2 / total + 0.05 * sum((coef(model) * standard$scale)^2))
})
