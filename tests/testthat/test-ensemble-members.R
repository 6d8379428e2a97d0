# Members with one score for each document, compared with calibrators fitted by hand.

train <- example_part("train")
valid <- example_part("vali")
test <- example_part("test")
middle <- new_ranker("middle", traits = c("missing", "one_grade"),
                     train = function(spec, task) colMeans(task$data$x, na.rm = TRUE),
                     predict = function(model, x) {
                       rowMeans(abs(sweep(x, 2, model)), na.rm = TRUE)
                     })
one_score <- list(fit(gbrt(20, num_leaves = 5), train, seed = 1), fit(best_feature(), train),
                  fit(middle(), train))
regressions <- list(calibrator_rbc("linear"), calibrator_rbc("logistic"), calibrator_rbc("polynomial", degree = 3),
                    calibrator_rbc("network"), calibrator_rbc("gaussian_process"), calibrator_rbc("linear", normalize = TRUE))
plain_mix <- function(members, calibrators, ..., crossfit = 1) {
  tune_and_mix(train, valid, members, calibrators, holdout = holdout_of_parts(crossfit),
               seed = 1, verbose = FALSE, ...)
}

test_that("members of one score agree with regressions on this score alone", {
  # Each method has a separate mixture, because a mixture would not have both the linear and the logistic calibrator.
  mixtures <- lapply(regressions, function(method) {
    plain_mix(one_score, list(method), weights = paper_weighting())
  })
  mixture <- mixtures[[1L]]
  each <- lapply(mixtures, predict, test, type = "member")
  members <- do.call(cbind, lapply(1:3, function(i) {
    unname(do.call(cbind, lapply(each, function(members) members[, i])))
  }))
  z <- 2^valid$relevance - 1
  ideal <- vapply(split(z, valid$query), function(z) {
    sum(sort(z, decreasing = TRUE) / log2(seq_along(z) + 1))
  }, 0)[as.character(valid$query)]
  scores <- function(i, data) {
    own <- mixture$models[[1]]$own_rounds
    s <- if (i == 1L) predict(one_score[[1]], data, rounds = own) else {
      predict(one_score[[i]], data)
    }
    replace(s, s == -Inf, one_score[[2]]$lowest)
  }
  skip_if_not_installed("nnet")
  for (i in seq_along(one_score)) {
    s <- scores(i, valid)
    new <- data.frame(s = scores(i, test))
    own <- members[, 6L * (i - 1L) + 1:6]
    by_lm <- lm(z ~ s)
    expect_equal(own[, 1], unname(predict(by_lm, new)))
    by_glm <- suppressWarnings(glm(z / max(z) ~ s, family = quasibinomial()))
    expect_equal(own[, 2], unname(max(z) * predict(by_glm, new, type = "response")),
                 tolerance = 1e-6)
    clipped <- data.frame(s = pmin(pmax(new$s, min(s)), max(s)))
    expect_equal(own[, 3], unname(predict(lm(z ~ poly(s, 3)), clipped)), tolerance = 1e-6)
    # A network with one input, predicted by nnet.
    fitted <- mixtures[[4L]]$fitted[[i]]
    net <- nnet::nnet(scale(s), numeric(length(s)), size = 5, linout = TRUE, maxit = 0,
                      trace = FALSE, Wts = c(fitted$hidden, fitted$output))
    x <- cbind((new$s - mean(s)) / sd(s))
    expect_equal(own[, 4], max(z) * drop(predict(net, x)), tolerance = 1e-6)
    # The Gaussian process is exact up to rounding here.
    fitted <- mixtures[[5L]]$fitted[[i]]
    kernel <- function(a, b) exp(-outer(a, b, `-`)^2 / (2 * fitted$length^2 * var(s)))
    by_hand <- mean(z) + kernel(new$s, s) %*%
      solve(kernel(s, s) + diag(fitted$noise, length(s)), z - mean(z))
    expect_equal(own[, 5], as.vector(by_hand), tolerance = 1e-5)
    y <- unname(ifelse(ideal > 0, z / ideal, 0))
    expect_equal(own[, 6], unname(predict(lm(y ~ s), new)))
  }
  # Weights and the value follow from the metrics of the members.
  held <- predict(mixture, valid, type = "member")
  omega <- unname(summary(evaluate(as.data.frame(held), valid, metric_ndcg(10, ties = "average")))$mean)
  expect_equal(mixture$members$value, omega)
  weights <- exp(mixture$c * (omega - max(omega)))
  expect_equal(unname(predict(mixture, test)), drop(unname(each[[1L]]) %*% weights) / sum(weights))
})

test_that("calibrators that rank one score in the same way make one member", {
  count <- function(members, calibrators) {
    made <- plain_mix(members, calibrators)$members
    unname(split(made$calibrator, made$ranker))
  }
  spec <- gbrt(10, num_leaves = 4)
  given <- list(calibrator_naive(), calibrator_rbc("logistic"), calibrator_rbc("linear"), calibrator_rbc("linear", normalize = TRUE),
                calibrator_rbc("polynomial"), calibrator_rbc("isotonic"))
  expect_identical(count(list(spec), given)[[1L]], vapply(given[c(2, 5, 6)], format, ""))
  # Only the linear calibrator of a preset is used. A classifier has every calibrator.
  expect_identical(count(list(spec), NULL)[[1L]], "calibrator_rbc(\"linear\")")
  expect_length(count(list(adaboost_mh(base_stump(), 8)), given)[[1L]], length(given))
  expect_length(count(list(adaboost_mh(base_stump(), 8)), NULL)[[1L]], length(fast_calibrators()))
  # Linear and logistic calibrators rank alike.
  alike <- lapply(given[2:4], function(method) predict(plain_mix(list(spec), list(method)), test))
  order_of <- function(scores) rank(round(scores, 10))
  expect_identical(order_of(alike[[1L]]), order_of(alike[[2L]]))
  expect_identical(order_of(alike[[1L]]), order_of(alike[[3L]]))
})

test_that("each booster has the number of trees that ranks the validation queries best", {
  models <- list(one_score[[1]], fit(adaboost_mh(base_stump(), 8), train, seed = 1))
  grid <- c(3, 12, 20)
  mixture <- plain_mix(models, calibrator_rbc(), weights = mix_weights(c = 0, rounds = grid))
  alone <- vapply(grid, function(rounds) {
    summary(evaluate(predict(models[[1]], valid, rounds = rounds), valid, metric_ndcg(10, ties = "average")))$mean
  }, 0)
  own <- grid[which.max(alone)]
  expect_equal(summary(mixture)$rounds[summary(mixture)$classifier == format(models[[1]]$spec)], own)
  z <- 2^valid$relevance - 1
  s <- predict(models[[1]], valid, rounds = own)
  # T is chosen for the classifier.
  expect_identical(mixture$tuning$rounds, as.integer(grid))
  boosted <- predict(models[[2]], valid, type = "raw", rounds = min(mixture$rounds, 8))
  members <- unname(predict(mixture, valid, type = "member"))
  expect_equal(members, unname(cbind(fitted(lm(z ~ s)), fitted(lm(z ~ boosted)))))
  expect_equal(summary(evaluate(rowMeans(members), valid, metric_ndcg(10, ties = "average")))$mean, mixture$value)
  # Without classifiers, T is the largest number of rounds that a ranker uses.
  without <- plain_mix(models[1], calibrator_rbc(), weights = mix_weights(c = 0, rounds = grid))
  expect_equal(without$rounds, own)
  expect_equal(unique(without$tuning$rounds), own)
  expect_equal(unname(predict(without, valid, type = "member"))[, 1], unname(fitted(lm(z ~ s))))
  # The refitted ranker uses one of the same numbers of rounds.
  again <- fit(mixture(gbrt(20, num_leaves = 4), calibrators = list(calibrator_rbc()),
                       weights = mix_weights(c = 0, rounds = grid),
                       holdout = mix_holdout(refit = TRUE)), train, valid, metric_ndcg(10), seed = 1,
               verbose = FALSE)
  expect_true(summary(again)$rounds %in% grid)
})

test_that("calibrators that compare grades are left out for rankers of one score", {
  mixture <- plain_mix(c(one_score[1:2], list(adaboost_mh(base_stump(), 8))),
                       list(calibrator_naive(), calibrator_rbc(), calibrator_cpc(), calibrator_rbc("polynomial")), crossfit = 2)
  expect_identical(tabulate(mixture$members$model), c(2L, 2L, 4L))
  expect_setequal(mixture$members$calibrator[1:4], c("calibrator_rbc(\"linear\")",
                                                     "calibrator_rbc(\"polynomial\", degree = 2)"))
  expect_identical(mixture$skipped, character())
  expect_output(print(mixture), "3 rankers, 8 members")
  expect_equal(summary(evaluate(mixture, valid, metric_ndcg(10, ties = "average")))$mean > 0.5, TRUE)
  # A time budget leaves out expensive members. It always keeps members without an alternative.
  clock <- local_clock()
  short <- plain_mix(one_score, list(calibrator_rbc("network"), calibrator_naive(), calibrator_rbc()),
                     weights = mix_weights(rounds = c(3, 20)), budget = mix_budget(seconds = 1))
  expect_identical(nrow(short$members), 6L)
  expect_identical(short$skipped, character())
})

test_that("each grouping makes a member of each classifier that can group grades", {
  grid <- mix_grid(list("identity", c(0, 1, 1, 1)), c("original", "standardized"))
  specs <- list(gbrt(5, num_leaves = 4), adaboost_mh(base_stump(), 5))
  mixture <- plain_mix(specs, calibrator_rbc(), grid = grid)
  expect_identical(unique(mixture$members$classifier), c(
    "gbrt(trees = 5, num_leaves = 4, learning_rate = 0.1)", "adaboost_mh(base_stump())",
    "adaboost_mh(base_stump(), grouping = c(0, 1, 1, 1))",
    "gbrt(trees = 5, num_leaves = 4, learning_rate = 0.1) on standardized",
    "adaboost_mh(base_stump()) on standardized",
    "adaboost_mh(base_stump(), grouping = c(0, 1, 1, 1)) on standardized"
  ))
  skip_if_not_installed("ggplot2")
  for (type in c("members", "features", "grouping")) {
    expect_s3_class(ggplot2::autoplot(mixture, type = type), "ggplot")
  }
  # If all specifications are classifiers, the models stay the same.
  seeds <- rankmix:::classifier_seeds(1, 8L)
  tasks <- rankmix:::grid_tasks(specs, grid, 1)
  expect_identical(vapply(tasks, `[[`, 0, "seed"), as.numeric(seeds[c(1, 2, 4, 5, 6, 8)]))
})

test_that("a missing value of the best feature is as low as the lowest of training", {
  x <- cbind(c(3, 1, NA, 2, NA, 5))
  data <- ranking_data(x, c(2, 0, 0, 1, 0, 2), c(1, 1, 1, 2, 2, 2))
  model <- fit(best_feature(), data)
  expect_identical(model$lowest, 1)
  f <- rankmix:::calibrator_input(model, cbind(c(NA, -4, 2)), c(1L, 5L), 1L)
  expect_identical(f, array(c(1, -4, 2), c(3L, 1L, 2L)))
  expect_identical(predict(model, cbind(c(NA, -4, 2))), c(-Inf, -4, 2))
  lowest <- fit(best_feature(direction = "both"), ranking_data(-x, data$relevance, data$query))
  expect_identical(lowest$lowest, 1)
})

test_that("each step of a path is a member", {
  data <- simulate_ranking(40, features = 5, seed = 1)$data
  parts <- split_parts(split_queries(data, 0.6, seed = 1), data)
  spec <- mixture(linear_ranker(penalty = c(0.1, 10)), gbrt(10, num_leaves = 4), calibrators = calibrator_rbc(),
                  holdout = mix_holdout(method = "same"))
  mixture <- fit(spec, parts$train, parts$test, seed = 1, verbose = FALSE)
  expect_identical(mixture$members$classifier, c(
    "linear_ranker(penalty = 0.1)", "linear_ranker(penalty = 10)", "gbrt(trees = 10, num_leaves = 4, learning_rate = 0.1)"
  ))
  # No penalty is chosen, because a choice would need fits on parts of the data.
  expect_null(mixture$models[[1]]$metric)
  z <- 2^parts$test$relevance - 1
  path <- fit(linear_ranker(penalty = c(0.1, 10)), parts$train)$path
  for (i in 1:2) {
    by_lm <- unname(fitted(lm(z ~ predict(path[[i]], parts$test))))
    expect_equal(unname(predict(mixture, parts$test, type = "member")[, i]), by_lm)
  }
  # A path that is fitted already gives the same members.
  again <- mixture(fit(linear_ranker(penalty = c(0.1, 10)), parts$train), gbrt(10, num_leaves = 4),
                   calibrators = calibrator_rbc(), holdout = mix_holdout(method = "same"))
  again <- fit(again, parts$train, parts$test, seed = 1, verbose = FALSE)
  expect_equal(predict(again, parts$test), predict(mixture, parts$test))
  strict <- mixture(linear_ranker(penalty = 1, missing = "error"), gbrt(10), calibrators = calibrator_rbc())
  expect_error(fit(strict, train, valid, verbose = FALSE), "`linear_ranker\\(\\)` needs all values",
               class = "rankmix_error_missing")
})

test_that("grades that classifiers do not know do not matter to other members", {
  few <- train
  few$relevance <- pmin(train$relevance, 1L)
  mixture <- suppressWarnings(
    tune_and_mix(few, valid, list(gbrt(5, num_leaves = 4)), calibrator_rbc(), seed = 1, verbose = FALSE)
  )
  expect_true(all(is.finite(predict(mixture, test))))
})

test_that("a value that cannot be a member is refused with its position", {
  classifier <- adaboost_mh(base_stump(), 3)
  single <- tune_and_mix(train, valid, classifier, calibrator_naive(), seed = 1)
  calibrated <- calibrate(fit(classifier, train, seed = 1), valid, calibrator_naive())
  mixed <- mix(list(a = single, b = one_score[[2]]), valid)
  expect_snapshot(error = TRUE, {
    mixture()
    mixture(3)
    mixture(classifier, base_tree(3))
    mixture(classifier, single)
    mixture(calibrated)
    mixture(mixed)
    mixture(mixture(classifier))
    mixture(classifier, gbrt(50), calibrators = list(calibrator_naive(), calibrator_cpc()))
    mixture(one_score[[1]], calibrators = calibrator_cpc())
    mixture(best_feature(), weights = mix_weights(members = "cpc"))
  })
})

test_that("the name of a ranker in place of a ranker is an error that shows the call", {
  data <- random_data(queries = 6, features = 2)
  for (name in c("gbrt", "lambdamart", "ranknet")) {
    expect_error(tune_and_mix(data, NULL, name), sprintf("Write `%s()`.", name), fixed = TRUE,
                 class = "rankmix_error_argument")
  }
})
