train <- example_part("train")
valid <- example_part("vali")
mixed <- function(..., holdout = mix_holdout(method = "same")) {
  tune_and_mix(train, valid, list(adaboost_mh(base_tree(4), 10), adaboost_mh(base_stump(), 10),
                                  gbrt(10, num_leaves = 4), best_feature()),
               list(calibrator_naive(), calibrator_rbc()), weights = mix_weights(...), holdout = holdout, seed = 1,
               verbose = FALSE)
}

test_that("a ranker adds what other rankers lack, and is also measured alone", {
  mixture <- mixed(c = c(0, 20), prior = "member", choose = "best")
  rankers <- attr(summary(mixture), "rankers")
  expect_setequal(rankers$ranker, c("adaboost_mh()", "adaboost_mh(base_stump())", "gbrt()", "best_feature()"))
  expect_identical(sum(rankers$members), nrow(mixture$members))
  expect_equal(sum(rankers$weight), 1)
  expect_false(is.unsorted(-rankers$weight))
  columns <- predict(mixture, valid, type = "member")
  whole <- slow_values(columns %*% mixture$members$weight, valid, metric_ndcg(10))
  mixed_of <- function(kept) {
    weights <- exp(mixture$c * mixture$members$value[kept])
    slow_values(columns[, kept, drop = FALSE] %*% (weights / sum(weights)), valid, metric_ndcg(10))
  }
  for (i in seq_len(nrow(rankers))) {
    own <- mixture$members$ranker == rankers$ranker[i]
    without <- mixed_of(!own)
    expect_equal(rankers$value[i], mean(mixed_of(own), na.rm = TRUE))
    expect_equal(rankers$without[i], mean(without, na.rm = TRUE))
    by_t <- stats::t.test(whole - without)
    expect_equal(rankers$adds[i], unname(by_t$estimate))
    expect_equal(c(rankers$lower[i], rankers$upper[i]), as.vector(by_t$conf.int))
  }
  narrow <- attr(summary(mixture, level = 0.5), "rankers")
  expect_true(all(narrow$upper - narrow$lower <= rankers$upper - rankers$lower))
  expect_output(print(summary(mixture)), "adds [95 % interval]", fixed = TRUE)
  expect_output(print(summary(mixture, level = 0.5)), "adds [50 % interval]", fixed = TRUE)
  expect_null(attr(as.data.frame(summary(mixture)), "rankers"))
  # The mixture keeps values of queries, and no value for each document.
  expect_identical(dim(mixture$contributions$without), c(50L, 4L))
})

test_that("contributions are known for every method of weighting and of choosing", {
  for (weighting in list(list(method = "selection", repeats = 1, steps = c(0, 3)),
                         list(method = "ascent", repeats = 1),
                         list(choose = "one_se", repeats = 1), list(), list(repeats = 1))) {
    mixture <- do.call(mixed, weighting)
    rankers <- attr(summary(mixture), "rankers")
    columns <- predict(mixture, valid, type = "member")
    expect_equal(unname(mixture$contributions$mixture),
                 slow_values(columns %*% mixture$members$weight, valid, metric_ndcg(10)))
    expect_true(all(is.finite(rankers$adds)))
    expect_true(all(rankers$lower <= rankers$adds & rankers$adds <= rankers$upper))
  }
})

test_that("contributions are defined for one ranker, for the only ranker with members, and with query weights", {
  single <- tune_and_mix(train, valid, adaboost_mh(base_stump(), 5), list(calibrator_naive(), calibrator_rbc()), seed = 1,
                         verbose = FALSE)
  expect_null(single$contributions)
  expect_identical(attr(summary(single), "rankers")$weight, 1)
  expect_true(is.na(attr(summary(single), "rankers")$adds))
  expect_output(print(summary(single)), "adaboost_mh|stump")
  expect_output(print(single), "best member alone")
  best <- mixed(members = "one_best")
  expect_identical(nrow(attr(summary(best), "rankers")), 4L)
  weighted <- ranking_data(valid$x, valid$relevance, valid$query, weight = valid$query %% 3 + 1)
  model <- function(spec) fit(spec, train, seed = 1, verbose = FALSE)
  mixture <- mix(list(a = model(gbrt(5)), b = model(gbrt(9)), c = function(data) data$x[, 3],
                      d = valid$x[, 4]), weighted,
                 weights = mix_weights(10, prior = "family", standardize = FALSE))
  rankers <- attr(summary(mixture), "rankers")
  expect_setequal(rankers$ranker, c("a", "b", "c", "d"))
  columns <- predict(mixture, weighted, type = "member", scores = list(d = valid$x[, 4]))
  others <- c(1, 2, 4)
  weights <- c(0.5, 0.5, 1) * exp(10 * mixture$members$value[others])
  without <- columns[, others] %*% (weights / sum(weights))
  expect_equal(rankers$without[rankers$ranker == "c"],
               summary(evaluate(drop(without), weighted, metric_ndcg(10, ties = "average")))$mean)
  above <- mix(list(a = function(data) data$relevance, b = function(data) -data$relevance), valid,
               weights = mix_weights(10, threshold = 0.9))
  alone <- attr(summary(above), "rankers")
  expect_identical(is.na(alone$adds), alone$ranker == "a")
  expect_output(print(summary(above)), "nothing else is left")
  expect_snapshot(error = TRUE, {
    summary(mixture, level = 2)
  })
})
