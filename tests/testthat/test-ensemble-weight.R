test_that("groups have equal prior weights, and so have the members of a group", {
  prior <- rankmix:::prior_weights
  groups <- rankmix:::prior_groups
  family <- c("a", "b", "a", "a", "c")
  origin <- c(1, 2, 1, 3, 4)
  expect_equal(prior(groups("family", origin, family)), c(1, 3, 1, 1, 3) / 9)
  expect_equal(prior(groups("member", origin, family)), rep(0.2, 5))
  expect_equal(prior(groups("specification", origin, family)), c(1, 2, 1, 2, 2) / 8)
  expect_equal(rankmix:::exponential_weights(0, 1:5 / 5, prior = prior(family)), prior(family))
  weights <- c(1, 3, 1, 1, 3) * exp(4 * 1:5 / 5)
  expect_equal(rankmix:::exponential_weights(4, 1:5 / 5, prior = prior(family)),
               weights / sum(weights))
  # These are the weights of a mixture with c = 0, and of a mixture with full shrinkage.
  train <- example_part("train")
  valid <- example_part("vali")
  mixed <- function(...) {
    tune_and_mix(train, valid, list(gbrt(5), linear_ranker(penalty = c(0.1, 1, 10))), calibrator_rbc(),
                 weights = mix_weights(...), seed = 1, verbose = FALSE)$members$weight
  }
  expect_equal(mixed(c = 0), c(3, 1, 1, 1) / 6)
  expect_equal(mixed(method = "ascent", shrinkage = 1, repeats = 0), c(3, 1, 1, 1) / 6)
  expect_equal(mixed(c = 0, prior = "member"), rep(0.25, 4))
})

test_that("equal prior weights of specifications differ from those of families, and a path is one specification", {
  train <- example_part("train")
  valid <- example_part("vali")
  mixed <- function(members, prior = "specification", ...) {
    tune_and_mix(train, valid, members, calibrator_rbc(), weights = mix_weights(0, prior = prior), seed = 1,
                 verbose = FALSE, ...)
  }
  members <- list(gbrt(5), gbrt(5, num_leaves = 4), linear_ranker(penalty = c(0.1, 10)))
  mixture <- mixed(members)
  expect_equal(mixture$members$weight, c(2, 2, 1, 1) / 6)
  expect_equal(mixed(members, "family")$members$weight, rep(1, 4) / 4)
  # A specification with two sets of features counts once.
  twice <- mixed(members[c(1, 3)], grid = mix_grid(features = c("original", "standardized")))
  expect_equal(tapply(twice$members$weight, twice$members$family, sum),
               c(gbrt = 0.5, linear = 0.5), ignore_attr = TRUE)
  # Trained models count in the same way: the models of a fitted path, and the models of another mixture.
  path <- fit(linear_ranker(penalty = c(0.1, 10)), train)
  expect_equal(mixed(list(path, gbrt(5)))$members$weight, c(1, 1, 2) / 4)
  expect_equal(mixed(mixture$models)$members$weight, mixture$members$weight)
  # In mix(), each ranker counts once.
  model <- function(spec) fit(spec, train, seed = 1, verbose = FALSE)
  rankers <- list(a = model(gbrt(5)), b = model(gbrt(9)), c = function(data) data$relevance)
  expect_equal(mix(rankers, valid, weights = mix_weights(0))$members$weight, rep(1, 3) / 3)
  expect_equal(mix(rankers, valid, weights = mix_weights(0, prior = "family"))$members$weight,
               c(1, 1, 2) / 4)
})

test_that("weights, c and threshold follow their definitions", {
  valid <- complete_example("vali")
  scores <- vapply(rankers_of_example(), function(f) f(valid), numeric(nrow(valid$x)))
  omega <- summary(evaluate(scores, valid, metric_err(ties = "average")))$mean
  mixture <- mix(rankers_of_example(), valid, metric_err(),
                 mix_weights(c(0, 3, 100, Inf), c(-Inf, sort(omega)[1]), standardize = FALSE))
  expect_equal(mixture$members$value, omega)
  for (i in seq_len(nrow(mixture$tuning))) {
    row <- mixture$tuning[i, ]
    weights <- if (row$c == Inf) as.numeric(omega == max(omega)) else exp(row$c * (omega - max(omega)))
    weights <- weights * (omega > row$threshold)
    mixed <- drop(scores %*% weights) / sum(weights)
    expect_equal(row$value, summary(evaluate(mixed, valid, metric_err(ties = "average")))$mean)
  }
  first <- which.max(mixture$tuning$value)
  expect_identical(mixture$c, mixture$tuning$c[first])
  expect_identical(mixture$threshold, mixture$tuning$threshold[first])
  expect_equal(predict(mixture, valid), drop(scores %*% mixture$members$weight))
  expect_equal(unname(predict(mixture, valid, type = "member")), unname(scores))
  expect_equal(summary(evaluate(mixture, valid, metric_err(ties = "average")))$mean, mixture$value)
  expect_output(print(mixture), "3 rankers")
  skip_if_not_installed("ggplot2")
  expect_s3_class(ggplot2::autoplot(mixture), "ggplot")
  expect_s3_class(ggplot2::autoplot(mixture, type = "tuning"), "ggplot")
})

test_that("c = 0 gives equal weights and a large c does not overflow", {
  equal <- small_mixture(c = 0, rounds = 10)
  expect_equal(equal$members$weight, rep(1 / 6, 6))
  weights <- rankmix:::exponential_weights(200, c(1e6, 0))
  expect_identical(weights, c(1, 0))
})

test_that("thresholds leave out members, and the grid has the given values", {
  omega <- small_mixture(c = 0, rounds = 10)$members$value
  least <- sort(omega)[3]
  mixture <- small_mixture(c = c(0, 20), rounds = 10, threshold = c(-Inf, least, 2))
  expect_identical(nrow(mixture$tuning), 6L)
  expect_true(all(is.na(mixture$tuning$value[mixture$tuning$threshold == 2])))
  valid <- example_part("vali")
  members <- predict(mixture, valid, type = "member")
  for (i in which(mixture$tuning$threshold < 2)) {
    row <- mixture$tuning[i, ]
    weights <- exp(row$c * omega) * (omega > row$threshold)
    mixed <- drop(members %*% weights) / sum(weights)
    expect_equal(summary(evaluate(mixed, valid, metric_ndcg(10, ties = "average")))$mean, row$value)
  }
  only <- small_mixture(c = 0, rounds = 10, threshold = least)
  expect_equal(only$members$weight, (omega > least) / sum(omega > least))
  expect_output(print(only), "threshold")
})

test_that("standardised scores of members are divided by their standard deviation", {
  valid <- example_part("vali")
  mixture <- small_mixture(c = 0, rounds = 10, standardize = TRUE)
  plain <- small_mixture(c = 0, rounds = 10)
  spread <- apply(predict(plain, valid, type = "member"), 2, sd)
  expect_equal(predict(mixture, valid, type = "member"),
               sweep(predict(plain, valid, type = "member"), 2, spread, `/`))
  expect_equal(summary(evaluate(mixture, valid, metric_ndcg(10, ties = "average")))$mean, mixture$value)
})

test_that("scores are standardised query by query, on new data too", {
  valid <- example_part("vali")
  test <- example_part("test")
  rankers <- list(first = function(data) replace(data$x[, 1], is.na(data$x[, 1]), 0) * 100,
                  second = function(data) rowSums(data$x[, 2:3], na.rm = TRUE),
                  constant = function(data) rep(3, nrow(data$x)))
  by_hand <- function(scores, data) {
    stats::ave(scores, data$query, FUN = function(x) {
      if (length(x) < 2L || stats::sd(x) == 0) 0 * x else (x - mean(x)) / stats::sd(x)
    })
  }
  mixture <- mix(rankers, valid, weights = mix_weights(c(0, 20), standardize = "query"))
  columns <- vapply(rankers, function(f) by_hand(f(test), test), numeric(nrow(test)))
  expect_equal(predict(mixture, test, type = "member"), columns)
  expect_equal(predict(mixture, test), drop(columns %*% mixture$members$weight))
  expect_equal(summary(evaluate(mixture, valid, metric_ndcg(10, ties = "average")))$mean, mixture$value)
  expect_identical(mix(rankers, valid, weights = mix_weights(c(0, 20), standardize = "query")), mixture)

  train <- example_part("train")
  boosted <- tune_and_mix(train, valid, list(adaboost_mh(base_tree(4), 10), gbrt(10)),
                          list(calibrator_naive(), calibrator_rbc()), weights = mix_weights(standardize = "query"),
                          holdout = "same", seed = 1, verbose = FALSE)
  plain <- tune_and_mix(train, valid, boosted$models, list(calibrator_naive(), calibrator_rbc()),
                        weights = mix_weights(rounds = boosted$rounds), holdout = "same", seed = 1,
                        verbose = FALSE)
  expect_equal(predict(boosted, test, type = "member"),
               apply(predict(plain, test, type = "member"), 2L, by_hand, test))
  expect_equal(summary(evaluate(boosted, valid, metric_ndcg(10, ties = "average")))$mean, boosted$value)
  expect_snapshot(error = TRUE, predict(boosted, test$x))
})

test_that("members that are all worse than chance, or all equal, are mixed", {
  valid <- example_part("vali")
  worse <- list(a = function(data) -data$relevance, b = function(data) -2 * data$relevance)
  chance <- mean(vapply(1:20, function(seed) {
    set.seed(seed)
    summary(evaluate(runif(nrow(valid)), valid, metric_ndcg(10, ties = "average")))$mean
  }, 0))
  for (method in c("exponential", "selection", "ascent")) {
    mixture <- mix(worse, valid, weights = method, seed = 1)
    expect_lt(mixture$value, chance)
    expect_equal(sum(mixture$members$weight), 1)
    equal <- mix(list(a = function(data) rep(1, nrow(data)), b = function(data) rep(1, nrow(data))),
                 valid, weights = method, seed = 1)
    expect_equal(sum(equal$members$weight), 1)
    expect_identical(unique(equal$members$value),
                     summary(evaluate(rep(1, nrow(valid)), valid, metric_ndcg(10, ties = "average")))$mean)
  }
})

test_that("the scale of scores changes no mixture, even if their squares overflow or vanish", {
  data <- simulate_ranking(20, features = 5, seed = 3)$data
  data$x[is.na(data$x)] <- 0
  rankers <- list(one = fit(best_feature(), data), other = fit(linear_ranker(penalty = 0.1), data))
  expected <- predict(mix(rankers, data), data)
  for (unit in 2^c(-600, 600)) {
    scaled <- rankers
    scaled$other$weights <- rankers$other$weights * unit
    scaled$other$intercept <- rankers$other$intercept * unit
    expect_equal(predict(mix(scaled, data), data), expected)
  }
})
