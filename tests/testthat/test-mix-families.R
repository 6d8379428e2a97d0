train <- example_part("train")
valid <- example_part("vali")
mixed <- function(..., hold_out = holding_out(crossfit = 1)) {
  tune_and_mix(train, valid, list(adaboost_mh(tree(4), 10), adaboost_mh(stump(), 10),
                                  gbrt(10, leaves = 4), best_feature()),
               list(naive(), rbc()), weigh = weighing(...), hold_out = hold_out, seed = 1,
               verbose = FALSE)
}

test_that("a family is what one ranker gave, and adds what the others lack", {
  mixture <- mixed(c = c(0, 20), prior = "member", choose = "best")
  families <- attr(summary(mixture), "families")
  expect_setequal(families$family, c("adaboost_mh", "gbrt", "best_feature"))
  expect_identical(sum(families$members), nrow(mixture$members))
  expect_equal(sum(families$weight), 1)
  expect_false(is.unsorted(-families$weight))
  columns <- predict(mixture, valid, type = "member")
  whole <- slow_values(columns %*% mixture$members$weight, valid, ndcg(10))
  for (i in seq_len(nrow(families))) {
    others <- mixture$members$family != families$family[i]
    weights <- exp(mixture$c * mixture$members$value[others])
    without <- slow_values(columns[, others, drop = FALSE] %*% (weights / sum(weights)), valid,
                           ndcg(10))
    expect_equal(families$without[i], mean(without, na.rm = TRUE))
    expect_equal(families$adds[i], mean(whole - without, na.rm = TRUE))
    difference <- (whole - without)[!is.nan(whole)]
    expect_equal(c(families$lower[i], families$upper[i]),
                 unname(rankmix:::bootstrap_interval(difference, NULL, 0.95, 10000, 1, 1L)),
                 tolerance = 1e-6)
  }
  wide <- attr(summary(mixture, level = 0.5, resamples = 500), "families")
  expect_true(all(wide$upper - wide$lower <= families$upper - families$lower))
  expect_output(print(summary(mixture)), "What each family adds to the held-out ndcg@10")
  expect_null(attr(as.data.frame(summary(mixture)), "families"))
  # Nothing of the size of the documents is kept.
  expect_identical(dim(mixture$families$values), c(50L, 4L))
})

test_that("it is known for every way of weighing and of choosing", {
  for (weigh in list(list(method = "selection", repeats = 1, steps = c(0, 3)),
                     list(method = "ascent", repeats = 1),
                     list(choose = "one_se", repeats = 1), list(), list(repeats = 1))) {
    mixture <- do.call(mixed, weigh)
    families <- attr(summary(mixture), "families")
    columns <- predict(mixture, valid, type = "member")
    expect_equal(unname(mixture$families$values[, "mixture"]),
                 slow_values(columns %*% mixture$members$weight, valid, ndcg(10)))
    expect_true(all(is.finite(families$adds)))
    expect_true(all(families$lower <= families$adds & families$adds <= families$upper))
  }
})

test_that("families of one member, of nothing but one, and weights of queries", {
  single <- tune_and_mix(train, valid, adaboost_mh(stump(), 5), list(naive(), rbc()), seed = 1,
                         verbose = FALSE)
  expect_null(attr(summary(single), "families"))
  expect_output(print(summary(single)), "adaboost_mh|stump")
  # What nothing is left without.
  best <- mixed(members = "one_best")
  expect_identical(nrow(attr(summary(best), "families")), 3L)
  # Of members of mix(), models of one ranker are a family.
  weighted <- ranking_data(valid$x, valid$relevance, valid$query, weight = valid$query %% 3 + 1)
  model <- function(spec) fit(spec, train, seed = 1, verbose = FALSE)
  mixture <- mix(list(a = model(gbrt(5)), b = model(gbrt(9)), c = function(data) data$x[, 3],
                      d = valid$x[, 4]), weighted,
                 weigh = weighing(10, prior = "family"))
  families <- attr(summary(mixture), "families")
  expect_setequal(families$family, c("gbrt", "c", "d"))
  expect_identical(families$members[families$family == "gbrt"], 2L)
  columns <- predict(mixture, weighted, type = "member", scores = list(d = valid$x[, 4]))
  others <- c(1, 2, 4)
  weights <- c(0.5, 0.5, 1) * exp(10 * mixture$members$value[others])
  without <- columns[, others] %*% (weights / sum(weights))
  expect_equal(families$without[families$family == "c"],
               summary(evaluate(drop(without), weighted, ndcg(10)))$mean)
  above <- mix(list(a = function(data) data$relevance, b = function(data) -data$relevance), valid,
               c = 10, threshold = 0.9)
  alone <- attr(summary(above), "families")
  expect_identical(is.na(alone$adds), alone$family == "a")
  expect_output(print(summary(above)), "nothing else is left")
  expect_snapshot(error = TRUE, {
    summary(mixture, level = 2)
    summary(mixture, resamples = 3)
  })
})
