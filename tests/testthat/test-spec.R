# Every setting of a registry entry is checked, printed if it is not the default, and set by update().
test_that("settings are shown as one would type them", {
  for (spec in list(gbrt(), gbrt(10, num_leaves = 5, learning_rate = 0.3, min_data_in_leaf = 3),
                    gbrt(10, max_depth = 3), adaboost_mh(base_stump(), weights = "uniform", max_bin = 15),
                    adaboost_mh(base_tree(4, "confidence"), grouping = c(0, 1, 1)),
                    mcsvm(c(0.1, 1e6), bias = FALSE), best_feature(metric_err(), "both"),
                    linear_ranker(loss_squared("grade"), penalty = c(0, 0.5)))) {
    typed <- eval(parse(text = format(spec)))
    # format() leaves out the number of rounds of adaboost_mh(), and print() shows it.
    if (!is.null(spec$rounds)) typed <- update(typed, rounds = spec$rounds)
    expect_true(typed == spec, label = format(spec))
  }
  expect_output(print(adaboost_mh(base_stump(), 12)), "<specification> adaboost_mh(base_stump()), 12 rounds",
                fixed = TRUE)
})

test_that("specifications compare by their values", {
  expect_true(gbrt(10, num_leaves = 8L) == gbrt(10, num_leaves = 8))
  expect_false(gbrt(10) == gbrt(11))
  expect_false(gbrt() == mcsvm())
  expect_false(adaboost_mh(base_stump()) == adaboost_mh(base_tree(2)))
})

test_that("traits and rounds come from the registry entry", {
  expect_true(rankmix:::has_trait(gbrt(), "rounds"))
  expect_true(rankmix:::has_trait(mcsvm(), "missing"))
  expect_false(rankmix:::has_trait(mcsvm(missing = "error"), "missing"))
  expect_identical(rankmix:::rounds_of(gbrt(17)), 17)
  expect_null(rankmix:::rounds_of(mcsvm()))
  expect_true(rankmix:::is_classifier(mcsvm()))
  expect_false(rankmix:::is_classifier(gbrt()))
})

test_that("specifications are updated", {
  expect_identical(update(adaboost_mh(base_tree(4), 100, max_bin = 15), rounds = 10),
                   adaboost_mh(base_tree(4), 10, max_bin = 15))
  expect_identical(update(gbrt(100, learning_rate = 0.2), trees = 10, max_depth = 3),
                   gbrt(10, learning_rate = 0.2, max_depth = 3))
  expect_identical(update(mcsvm(1, scale = "maximum"), cost = c(1, 10)),
                   mcsvm(c(1, 10), scale = "maximum"))
  expect_identical(update(best_feature(metric_err()), direction = "both"), best_feature(metric_err(), "both"))
  expect_identical(update(gbrt()), gbrt())
  spec <- gbrt()
  expect_snapshot(error = TRUE, {
    update(spec, rounds = 10)
    update(spec, trees = 0)
    update(spec, 10)
    update(spec, trees = 10, trees = 20)
    update(mcsvm(), costs = 1)
  })
})

test_that("an error for a ranker that was not called shows the call", {
  frame <- data.frame(x = 1:20, grade = 0:1, day = 1:20)
  for (given in list("ranknet", ranknet)) {
    expect_error(rank_frame(grade ~ ., frame, query = day, ranker = given), "Write `ranker = ranknet()`.",
                 fixed = TRUE, class = "rankmix_error_argument")
  }
  expect_error(tuning_space("trees"), "Write `spec = gbrt()`.", fixed = TRUE, class = "rankmix_error_argument")
  expect_error(tuning_space(NA_character_), "must be made by", fixed = TRUE, class = "rankmix_error_argument")
  expect_error(mixture(lambdamart), "Call it: `lambdamart()`.", fixed = TRUE, class = "rankmix_error_argument")
})
