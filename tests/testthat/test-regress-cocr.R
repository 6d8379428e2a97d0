data <- complete_simulation(60, 3)
parts <- split_parts(split_queries(data, 0.7, seed = 1), data)
query_weight <- rep(1:3, length.out = length(parts$train$query_ids))
weighted <- ranking_data(parts$train$x, parts$train$relevance, parts$train$query,
                         weight = query_weight[parts$train$query])

test_that("predictions are weighted least squares, for all costs", {
  for (cost in rankmix:::cost_names) {
    for (train in list(parts$train, weighted)) {
      model <- fit(cocr(linear_ranker(penalty = 0), cost), train, verbose = FALSE)
      w <- naive_subproblem_weights(naive_cost(cost, 4), train$relevance)
      if (!is.null(train$weight)) w <- w * query_weight[train$query]
      for (k in 1:4) {
        frame <- data.frame(y = as.numeric(train$relevance >= k), train$x)
        line <- lm(y ~ ., frame, weights = w[, k])
        expect_equal(unname(coef(model)[, k]), unname(c(coef(line)[-1], coef(line)[1])),
                     tolerance = 1e-10)
        expect_equal(predict(model, parts$test, "level")[, k],
                     unname(predict(line, data.frame(parts$test$x))), tolerance = 1e-10)
      }
    }
  }
})

test_that("one pass agrees with a ridge for each subproblem", {
  base <- linear_ranker(penalty = c(0.01, 1, 30))
  for (cost in rankmix:::cost_names) {
    model <- fit(cocr(base, cost), weighted, verbose = FALSE)
    reference <- naive_cocr_parts(base, weighted, naive_cost(cost, 4), query_weight[weighted$query])
    for (i in 1:3) {
      for (k in 1:4) {
        expect_equal(model$path[[i]]$weights[, k], reference[[k]]$path[[i]]$weights, tolerance = 1e-9)
        expect_equal(model$path[[i]]$intercept[k], reference[[k]]$path[[i]]$intercept,
                     tolerance = 1e-9)
        expect_equal(model$path[[i]]$freedom[k], reference[[k]]$path[[i]]$freedom, tolerance = 1e-9)
      }
    }
  }
})

test_that("with absolute costs and least squares cocr() is direct regression of the grade", {
  for (train in list(parts$train, weighted)) {
    for (penalty in c(0, 0.1, 10)) {
      ordinal <- fit(cocr(linear_ranker(penalty = penalty), "absolute"), train, verbose = FALSE)
      direct <- fit(linear_ranker(loss_squared("grade"), penalty = penalty), train, verbose = FALSE)
      expect_equal(predict(ordinal, parts$test), predict(direct, parts$test), tolerance = 1e-12)
    }
  }
})

test_that("the soft score is the sum of the predictions, the hard score their number", {
  for (cost in rankmix:::cost_names) {
    soft <- fit(cocr(linear_ranker(penalty = 0.1), cost), parts$train, verbose = FALSE)
    hard <- fit(cocr(linear_ranker(penalty = 0.1), cost, "hard"), parts$train, verbose = FALSE)
    h <- predict(soft, parts$test, "level")
    expect_equal(predict(soft, parts$test), rowSums(h), tolerance = 1e-14)
    expect_identical(predict(hard, parts$test), rowSums(h >= 0.5))
    expect_identical(predict(hard, parts$test, "label"), as.integer(rowSums(h >= 0.5)))
    expect_gt(length(unique(predict(hard, parts$test))), 1L)
    # The prediction is not clipped.
    expect_true(any(h < 0))
  }
})

test_that("validation data choose the cost and the penalty", {
  penalties <- c(0.01, 1, 100)
  costs <- c("squared", "oerr")
  model <- fit(cocr(linear_ranker(penalty = penalties), costs), parts$train, parts$test, metric_ndcg(5),
               verbose = FALSE)
  expect_named(model$path, c("squared, 0.01", "squared, 1", "squared, 100", "oerr, 0.01",
                             "oerr, 1", "oerr, 100"))
  values <- unlist(lapply(costs, function(cost) {
    lapply(penalties, function(penalty) {
      one <- fit(cocr(linear_ranker(penalty = penalty), cost), parts$train, verbose = FALSE)
      summary(evaluate(one, parts$test, metric_ndcg(5)))$mean
    })
  }))
  expect_equal(glance(model)$value, values, tolerance = 1e-12)
  expect_identical(model$chosen, which.max(glance(model)$value))
  expect_identical(model$spec, model$path[[model$chosen]]$spec)
})

test_that("without validation data parts of the training queries choose", {
  base <- linear_ranker(penalty = c(0.01, 1, 100))
  for (ranker in c("soft", "hard")) {
    for (train in list(parts$train, weighted)) {
      spec <- cocr(base, "squared", ranker)
      model <- fit(spec, train, verbose = FALSE)
      task <- rankmix:::new_task(train, 1, 1)
      reference <- rankmix:::train_cocr_parts(spec, task, rankmix:::cost_subproblems("squared", task))
      expect_identical(model$chosen, reference$chosen)
      expect_equal(glance(model)$value, glance(reference)$value, tolerance = 1e-10)
    }
  }
  # Computes the choice by hand, for the same parts.
  model <- fit(cocr(base, "squared"), parts$train, verbose = FALSE)
  first <- predict(fit(cocr(linear_ranker(penalty = 0.01), "squared"), parts$train, verbose = FALSE),
                   parts$train)
  part <- rankmix:::query_parts(rankmix:::held_out(parts$train, 1), cbind(first))
  scores <- matrix(0, length(part), 3)
  for (k in seq_len(max(part))) {
    without <- parts$train[seq_along(parts$train$query_ids) %in% parts$train$query[part != k]]
    for (i in 1:3) {
      one <- fit(cocr(linear_ranker(penalty = c(0.01, 1, 100)[i]), "squared"), without, verbose = FALSE)
      scores[part == k, i] <- predict(one, parts$train)[part == k]
    }
  }
  by_hand <- summary(evaluate(as.data.frame(scores), parts$train, metric_ndcg(10)))$mean
  expect_equal(glance(model)$value, by_hand, tolerance = 1e-12)
})

test_that("a subproblem whose documents have one target predicts this target", {
  lifted <- ranking_data(parts$train$x, pmin(parts$train$relevance + 1, 3), parts$train$query)
  functions <- function(x, y, weights) {
    stopifnot(length(unique(y)) == 2)
    line <- lm.wfit(cbind(1, x), y, weights)$coefficients
    function(x) drop(cbind(1, x) %*% line)
  }
  for (base in list(linear_ranker(penalty = 0), gbrt(5, num_leaves = 4), functions)) {
    model <- fit(cocr(base, "squared"), lifted, verbose = FALSE)
    expect_equal(predict(model, parts$test, "level")[, 1], rep(1, nrow(parts$test$x)),
                 tolerance = 1e-12)
    expect_output(print(model), "the grades 1 to 3: other subproblems have one target")
  }
  # No training document has grade 1 or 2.
  gap <- ranking_data(parts$train$x, ifelse(parts$train$relevance > 1, 3, 0), parts$train$query)
  levels <- predict(fit(cocr(linear_ranker(penalty = 0), "absolute"), gap, verbose = FALSE), gap, "level")
  expect_equal(levels[, 1], levels[, 3], tolerance = 1e-12)
  alike <- ranking_data(parts$train$x, rep(2, nrow(parts$train$x)), parts$train$query)
  expect_error(fit(cocr(), alike), class = "rankmix_error_one_grade")
})

test_that("a function regresses as the package's own does", {
  seen <- list()
  own <- function(x, y, weights) {
    seen[[length(seen) + 1]] <<- list(y = y, weights = weights)
    line <- lm.wfit(cbind(1, x), y, weights)$coefficients
    function(x) drop(cbind(1, x) %*% line)
  }
  ours <- fit(cocr(linear_ranker(penalty = 0), "oerr"), weighted, verbose = FALSE)
  theirs <- fit(cocr(own, "oerr"), weighted, verbose = FALSE)
  expect_equal(predict(theirs, parts$test), predict(ours, parts$test), tolerance = 1e-10)
  for (k in 1:4) {
    w <- naive_subproblem_weights(naive_cost("oerr", 4), weighted$relevance)[, k] *
      query_weight[weighted$query]
    expect_identical(seen[[k]]$y, as.numeric(weighted$relevance >= k))
    expect_equal(seen[[k]]$weights, w / mean(w), tolerance = 1e-12)
  }
  # Without query weights, absolute costs give weights of 1.
  seen <- list()
  fit(cocr(own, "absolute"), parts$train, verbose = FALSE)
  expect_true(all(vapply(seen, function(one) all(one$weights == 1), NA)))
  several <- fit(cocr(own, c("oerr", "absolute")), parts$train, parts$test, verbose = FALSE)
  expect_named(several$path, c("oerr", "absolute"))
  expect_equal(predict(several$path$absolute, parts$test),
               predict(fit(cocr(own, "absolute"), parts$train, verbose = FALSE), parts$test))
})

test_that("a base draws by the seed of fit()", {
  own <- function(x, y, weights) {
    shift <- runif(1)
    function(x) x[, 1] + shift
  }
  one <- fit(cocr(own), parts$train, seed = 4, verbose = FALSE)
  expect_identical(predict(fit(cocr(own), parts$train, seed = 4, verbose = FALSE), parts$test),
                   predict(one, parts$test))
  expect_false(identical(predict(fit(cocr(own), parts$train, seed = 5, verbose = FALSE),
                                 parts$test), predict(one, parts$test)))
})

test_that("rankers of the user's are bases by their trait", {
  regression <- function(traits) {
    new_ranker("own_regression", traits = traits, train = function(spec, task) {
      weights <- if (is.null(task$weights)) rep(1, length(task$targets)) else task$weights
      lm.wfit(cbind(1, task$data$x), task$targets, weights)$coefficients
    }, predict = function(model, x) drop(cbind(1, x) %*% model))
  }
  own <- regression(c("regression", "weights"))()
  expect_equal(predict(fit(cocr(own), weighted, verbose = FALSE), parts$test),
               predict(fit(cocr(linear_ranker(penalty = 0)), weighted, verbose = FALSE), parts$test),
               tolerance = 1e-10)
  plain <- regression("regression")()
  expect_equal(predict(fit(cocr(plain, "absolute"), parts$train, verbose = FALSE), parts$test),
               predict(fit(linear_ranker(loss_squared("grade"), 0), parts$train, verbose = FALSE),
                       parts$test), tolerance = 1e-10)
  none <- regression(character())()
  expect_snapshot(error = TRUE, {
    fit(cocr(plain, "squared"), parts$train)
    fit(cocr(plain, "absolute"), weighted)
    cocr(none)
  })
})

test_that("rankers that cannot be a base are refused", {
  failing <- function(x, y, weights) stop("no memory")
  number <- function(x, y, weights) 3
  short <- function(x, y, weights) function(x) 1
  expect_snapshot(error = TRUE, {
    cocr(adaboost_mh())
    cocr(gbrt(10, objective = loss_softmax()))
    cocr(3)
    cocr(function(x, y) 1)
    cocr(linear_ranker(loss_squared(class_weight = "balanced")))
    cocr(gbrt(10), c("oerr", "squared"))
    cocr(ranker = "firm")
    cocr(tau = 3)
    fit(cocr(failing), parts$train)
    fit(cocr(number), parts$train)
    fit(cocr(short), parts$train)
  })
})

test_that("missing values are filled as the base does, once", {
  holed <- parts$train
  x <- holed$x
  x[seq(1, length(x), 5)] <- NA
  holed <- ranking_data(x, holed$relevance, holed$query)
  for (method in c("mean", "zero", "indicator")) {
    model <- fit(cocr(linear_ranker(penalty = 0.1, missing = method), "absolute"), holed, verbose = FALSE)
    direct <- fit(linear_ranker(loss_squared("grade"), 0.1, missing = method), holed, verbose = FALSE)
    expect_equal(predict(model, holed), predict(direct, holed), tolerance = 1e-11)
  }
  expect_error(fit(cocr(linear_ranker(penalty = 1, missing = "error")), holed),
               "`linear_ranker\\(\\)` needs all values", class = "rankmix_error_missing")
})
