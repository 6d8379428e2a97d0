test_that("a point of the cube gives settings within the bounds", {
  space <- list(a = tuning_range(0.01, 1, log = TRUE), b = tuning_range(1, 9, integer = TRUE),
                c = list("x", "y", "z"), d = tuning_range(-1, 1))
  expect_equal(rankmix:::settings_at(space, c(0, 0, 0, 0)), list(a = 0.01, b = 1, c = "x", d = -1))
  expect_equal(rankmix:::settings_at(space, c(1, 1, 1, 1)), list(a = 1, b = 9, c = "z", d = 1))
  expect_equal(rankmix:::settings_at(space, c(0.5, 0.5, 0.5, 0.5)), list(a = 0.1, b = 5, c = "y", d = 0))
  # Each choice has an equal part of the unit interval.
  chosen <- vapply(seq(0, 0.999, length.out = 300), function(u) rankmix:::settings_at(space["c"], u)$c, "")
  expect_equal(as.vector(table(chosen)), c(100, 100, 100), tolerance = 0.02)
})

test_that("a Latin hypercube has one point in each interval of each coordinate", {
  points <- withr::with_seed(1, rankmix:::latin_points(7, 3))
  for (j in 1:3) expect_identical(sort(ceiling(points[, j] * 7)), as.double(1:7))
})

test_that("few choices are all tried once", {
  space <- list(a = list(1, 2), b = list("x", "y", "z"))
  points <- withr::with_seed(1, rankmix:::design_points(space, 10))
  expect_identical(nrow(points), 6L)
  found <- apply(points, 1, function(p) paste(unlist(rankmix:::settings_at(space, p)), collapse = ""))
  expect_setequal(found, c("1x", "1y", "1z", "2x", "2y", "2z"))
  expect_identical(dim(rankmix:::design_points(list(), 5)), c(0L, 0L))
})

test_that("usual spaces have values that the rankers allow, and no rounds or paths", {
  for (name in rankmix:::built_in_rankers()) {
    entry <- rankmix:::built_in_entry(name)
    for (setting in names(entry$parameters)) {
      range <- entry$parameters[[setting]]$range
      for (value in range[c("low", "high")]) {
        expect_no_error(entry$parameters[[setting]]$check(value, setting, NULL))
      }
    }
  }
  expect_named(tuning_space(lambdamart()), c("num_leaves", "learning_rate", "min_data_in_leaf", "feature_fraction",
                                             "bagging_fraction", "lambda_l2"))
  expect_identical(tuning_space(linear_ranker()), list(), ignore_attr = TRUE)
  expect_identical(tuning_space(adaboost_mh())$base[[1]], base_stump())
  expect_false("cost" %in% names(tuning_space(mcsvm())))
})

test_that("errors name wrong ranges and spaces", {
  expect_snapshot(error = TRUE, {
    tuning_range(2, 1)
    tuning_range(0, 1, log = TRUE)
    tuning_range(0.5, 3, integer = TRUE)
    tuning_space(3)
  })
  specs <- list(gbrt = gbrt())
  expect_snapshot(error = TRUE, {
    rankmix:::check_spaces(specs, 3, NULL)
    rankmix:::check_spaces(specs, list(leaves = 3), NULL)
    rankmix:::check_spaces(specs, list(trees = 3), NULL)
    rankmix:::check_spaces(specs, list(num_leaves = list()), NULL)
    rankmix:::check_spaces(specs, list(learning_rate = tuning_range(0.1, 2)), NULL)
    rankmix:::check_spaces(list(a = gbrt(), b = gbrt()), list(num_leaves = 3), NULL)
  })
  expect_output(print(tuning_range(4, 256, log = TRUE, integer = TRUE)), "4 to 256, whole numbers, logarithmic")
})
