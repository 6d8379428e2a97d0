valid <- example_part("vali")
members <- as.data.frame(random_members(valid, 5, 1, levels = 1e9))
tuned <- function(..., choose = "best", seed = 1, threads = 2, data = valid,
                  metric = metric_ndcg(10)) {
  mix(members, data, metric, weights = mix_weights(..., choose = choose, standardize = FALSE), seed = seed,
      threads = threads)
}

# The metric of each query by weights from the other folds. Rows are queries and columns are settings.
naive_crossed <- function(repeats, folds, settings, weights_on) {
  package <- asNamespace("rankmix")
  count <- length(valid$query_ids)
  all <- lapply(seq_len(repeats), function(again) {
    drawn <- package$with_seed(package$derived_seed(1, "weigh", again), sample.int(count))
    fold <- integer(count)
    fold[drawn] <- rep_len(seq_len(folds), count)
    values <- matrix(NaN, count, settings)
    for (k in seq_len(folds)) {
      weights <- weights_on(which(fold != k))
      for (s in seq_len(settings)) {
        mixed <- drop(as.matrix(members) %*% weights[, s])
        values[fold == k, s] <- slow_values(mixed, valid, metric_ndcg(10))[fold == k]
      }
    }
    values
  })
  Reduce(`+`, all) / repeats
}

test_that("cross-validation evaluates queries by weights found without them", {
  c <- base::c(0, 5, 50)
  omega_on <- function(queries) {
    apply(as.matrix(members), 2L, slow_mean, valid, metric_ndcg(10), queries)
  }
  by_hand <- naive_crossed(2, 4, 3, function(queries) {
    vapply(c, function(c) {
      weights <- exp(c * omega_on(queries))
      weights / sum(weights)
    }, numeric(5))
  })
  mixture <- tuned(c = c, repeats = 2, folds = 4)
  expect_equal(mixture$tuning$value, colMeans(by_hand, na.rm = TRUE))
  expect_identical(mixture$value, max(mixture$tuning$value))
  # The final weights use all queries.
  weights <- exp(mixture$c * omega_on(seq_along(valid$query_ids)))
  expect_equal(mixture$members$weight, unname(weights / sum(weights)))

  selected <- tuned(method = "selection", steps = base::c(0, 3), bags = 1, start = 2, repeats = 1,
                    folds = 3)
  by_hand <- naive_crossed(1, 3, 2, function(queries) {
    naive_selection(as.matrix(members), valid, metric_ndcg(10), 2, base::c(0, 3), queries)
  })
  expect_equal(selected$tuning$value, colMeans(by_hand, na.rm = TRUE))
  expect_identical(names(selected$tuning), base::c("steps", "value"))
  expect_identical(selected$setting$steps, selected$tuning$steps[which.max(selected$tuning$value)])
})

test_that("the simplest within a standard error is chosen", {
  c <- base::c(seq(0, 8, 0.5), 100)
  plain <- tuned(c = c)
  careful <- tuned(c = c, choose = "one_se")
  expect_identical(careful$tuning[names(plain$tuning)], plain$tuning)
  per_query <- vapply(c, function(c) {
    weights <- exp(c * (plain$members$value - max(plain$members$value)))
    slow_values(as.matrix(members) %*% weights, valid, metric_ndcg(10))
  }, numeric(50))
  difference <- per_query[, which.max(plain$tuning$value)] - per_query
  counted <- difference[!is.nan(difference[, 1]), ]
  expect_equal(careful$tuning$behind, colMeans(counted))
  expect_equal(careful$tuning$se, apply(counted, 2L, sd) / sqrt(nrow(counted)))
  near <- which(careful$tuning$behind <= careful$tuning$se)
  expect_identical(careful$c, c[near[1]])
  # Here this rule does not choose the c with the largest value.
  expect_lt(careful$c, plain$c)
  expect_identical(careful$value, careful$tuning$value[near[1]])
})

test_that("averaged settings have fractions by how far they are behind the best", {
  c <- base::c(0, 3, 20, 80)
  threshold <- base::c(-Inf, sort(tuned(c = 1)$members$value)[2])
  for (repeats in 0:1) {
    best <- tuned(c = c, threshold = threshold, repeats = repeats, folds = 3)
    careful <- tuned(c = c, threshold = threshold, repeats = repeats, folds = 3, choose = "one_se")
    averaged <- tuned(c = c, threshold = threshold, repeats = repeats, folds = 3,
                      choose = "averaged")
    behind <- careful$tuning$behind / careful$tuning$se
    fraction <- exp(-ifelse(careful$tuning$behind == 0, 0, behind))
    fraction <- fraction / sum(fraction)
    expect_equal(averaged$tuning$fraction, fraction)
    expect_identical(averaged$tuning[names(careful$tuning)], careful$tuning)
    expect_identical(averaged$setting, best$setting)
    each <- mapply(function(c, threshold) {
      tuned(c = c, threshold = threshold)$members$weight
    }, averaged$tuning$c, averaged$tuning$threshold)
    expect_equal(averaged$members$weight, drop(each %*% fraction))
    mixed <- drop(as.matrix(members) %*% averaged$members$weight)
    if (repeats == 0) {
      expect_equal(averaged$value, slow_mean(mixed, valid, metric_ndcg(10)))
      expect_output(print(averaged), sprintf("c = %s (weight %.2f in the average)", format(averaged$c),
                                             max(fraction)), fixed = TRUE)
    }
  }
  # A single setting has the fraction 1. A setting without members has the fraction 0.
  one <- tuned(c = 20)
  expect_equal(tuned(c = 20, choose = "averaged")$members$weight, one$members$weight)
  high <- base::c(-Inf, max(one$members$value))
  some <- tuned(c = 20, threshold = high, choose = "averaged")
  expect_identical(some$tuning$fraction, base::c(1, 0))
  expect_equal(some$members$weight, one$members$weight)
})

test_that("with many queries that agree, averaging gives the best setting", {
  sure <- data.frame(good = valid$relevance, bad = -valid$relevance)
  mixture <- mix(sure, valid, weights = mix_weights(c = base::c(0, 20)))
  expect_gt(mixture$tuning$fraction[2], 0.999)
})

test_that("averages hold for other weighting methods, and for T", {
  for (method in base::c("selection", "ascent")) {
    averaged <- tuned(method = method, repeats = 1, choose = "averaged")
    expect_equal(sum(averaged$tuning$fraction), 1)
    expect_equal(sum(averaged$members$weight), 1)
  }
  models <- list(fit(adaboost_mh(base_tree(4), rounds = 20), example_part("train"), seed = 1))
  mixture <- tune_and_mix(example_part("train"), valid, models, list(calibrator_naive(), calibrator_cpc()),
                          weights = mix_weights(rounds = base::c(2, 20)), holdout = "same", seed = 1,
                          verbose = FALSE)
  expect_true(all(mixture$tuning$fraction[mixture$tuning$rounds != mixture$rounds] == 0))
  expect_equal(sum(mixture$tuning$fraction), 1)
  members <- predict(mixture, valid, type = "member")
  expect_equal(predict(mixture, valid), drop(members %*% mixture$members$weight))
  expect_equal(mixture$value, slow_mean(predict(mixture, valid), valid, metric_ndcg(10)))
})

test_that("`one_se` chooses the largest shrinkage within a standard error of the best", {
  ascent <- tuned(method = "ascent", choose = "one_se", repeats = 1)
  expect_identical(ascent$tuning$shrinkage, rev(sort(ascent$tuning$shrinkage)))
  near <- which(ascent$tuning$behind <= ascent$tuning$se)
  expect_identical(ascent$setting$shrinkage, ascent$tuning$shrinkage[near[1]])
  expect_equal(sum(ascent$members$weight), 1)
  none <- tuned(method = "ascent", shrinkage = 1)
  expect_equal(none$members$weight, rep(0.2, 5))
})

test_that("the number of threads changes nothing, and the seed decides the repeats", {
  for (method in base::c("exponential", "selection", "ascent")) {
    one <- tuned(method = method, repeats = 2, threads = 1)
    expect_identical(tuned(method = method, repeats = 2, threads = 4), one)
    expect_false(identical(tuned(method = method, repeats = 2, seed = 2)$tuning, one$tuning))
  }
  set.seed(3)
  drawn <- tuned(method = "selection", seed = NULL)
  set.seed(3)
  expect_identical(tuned(method = "selection", seed = NULL), drawn)
  # Random numbers are used only if there is a choice.
  set.seed(3)
  mix(members, valid)
  after <- runif(1)
  set.seed(3)
  expect_identical(runif(1), after)
})

test_that("mixtures of any weighting method predict, print and plot", {
  for (weighting in list(mix_weights(method = "selection", repeats = 1), mix_weights(method = "ascent",
                                                                          repeats = 1))) {
    mixture <- tune_and_mix(example_part("train"), valid,
                            list(adaboost_mh(base_tree(4), rounds = 20), gbrt(10, num_leaves = 4)),
                            list(calibrator_naive(), calibrator_rbc()), weights = weighting, seed = 1, verbose = FALSE)
    columns <- predict(mixture, valid, type = "member")
    expect_equal(predict(mixture, valid), drop(columns %*% mixture$members$weight))
    expect_equal(sum(mixture$members$weight), 1)
    expect_output(print(mixture), if (weighting$method == "ascent") "shrinkage" else "of selection")
    expect_identical(glance(mixture)$c, NA_real_)
    skip_if_not_installed("ggplot2")
    expect_s3_class(ggplot2::autoplot(mixture, type = "tuning"), "ggplot")
    expect_s3_class(ggplot2::autoplot(mixture), "ggplot")
  }
})

test_that("T is chosen with the other settings, and calibrators belong to the chosen T", {
  models <- list(fit(adaboost_mh(base_tree(4), rounds = 20), example_part("train"), seed = 1),
                 fit(adaboost_mh(base_stump(), rounds = 20), example_part("train"), seed = 1))
  mixed <- function(..., rounds = base::c(2, 10, 14, 17, 20)) {
    tune_and_mix(example_part("train"), valid, models, list(calibrator_naive(), calibrator_cpc()),
                 weights = mix_weights(..., rounds = rounds), holdout = "same", seed = 1,
                 verbose = FALSE)
  }
  careful <- mixed(choose = "one_se", repeats = 1)
  expect_identical(nrow(careful$tuning), 50L)
  near <- which(careful$tuning$behind <= careful$tuning$se)
  expect_identical(careful$rounds, careful$tuning$rounds[near[1]])
  expect_lt(careful$rounds, mixed(choose = "best")$rounds)
  alone <- mixed(c = careful$c, repeats = 0, rounds = careful$rounds)
  expect_identical(alone$fitted, careful$fitted)
  expect_identical(predict(alone, valid), predict(careful, valid))
})

test_that("a weighting that does not fit is refused", {
  expect_snapshot(error = TRUE, {
    mix(members, valid, c = 3, weights = mix_weights())
    mix(members, valid, weights = mix_weights(rounds = 3))
    mix(members, valid, weights = mix_weights(members = "cpc"))
    mix(members, valid, weights = "best")
    mix(members, valid, seed = 1,
        weights = mix_weights(repeats = 3, threshold = max(mix(members, valid)$members$value) - 1e-6))
    mix(list(a = function(data) data$x[, 1]), valid[1], weights = "selection")
  })
  # Two folds have one query each.
  two <- valid[1:2]
  some <- as.data.frame(random_members(two, 3, 1))
  expect_identical(nrow(mix(some, two, weights = mix_weights(repeats = 2), seed = 1)$members), 3L)
})

test_that("a rounding error in a difference to the best setting does not decide", {
  behind <- data.frame(behind = c(0, -1e-17, 0.1, NA), se = c(0, 1e-160, 0.1, NA))
  expect_equal(setting_fractions(behind), c(1, 1, exp(-1), 0) / (2 + exp(-1)))
})
