test_that("options print as they are typed, with the settings that differ from the defaults", {
  expect_identical(format(mix_weights()), "mix_weights()")
  expect_identical(format(mix_weights(c = c(50, 0), threshold = c(-Inf, 0.4), rounds = c(20, 5))),
                   "mix_weights(c = c(0, 50), threshold = c(-Inf, 0.4), rounds = c(5, 20))")
  expect_identical(format(mix_holdout(0.7)), "mix_holdout(fraction = 0.7)")
  expect_identical(format(mix_holdout(method = "same")), "mix_holdout(method = \"same\")")
  expect_identical(format(mix_weights(method = "ascent", shrinkage = c(0, 1), repeats = 0)),
                   "mix_weights(method = \"ascent\", shrinkage = c(1, 0), repeats = 0)")
  expect_identical(format(mix_budget(seconds = 60)), "mix_budget(seconds = 60)")
  grid <- mix_grid(list("identity", c(0, 1, 1)), c("original", "whitened"))
  expect_identical(
    format(grid),
    paste("mix_grid(groupings = list(\"identity\", c(0, 1, 1)),",
          "features = c(\"original\", \"whitened\"))")
  )
  for (option in list(mix_weights(c = 3, members = "rbc", standardize = TRUE), grid,
                      mix_grid("three"), mix_budget(2, 10), mix_holdout(0.5, 3),
                      mix_weights(method = "selection", steps = c(0, 3), start = 2, bags = 1,
                               choose = "one_se", folds = 3, standardize = "query"),
                      mix_holdout(method = "split", refit = TRUE))) {
    expect_identical(eval(parse(text = format(option))), option)
  }
  expect_output(print(grid), "mix_grid(", fixed = TRUE)
})

test_that("values that are not allowed are refused", {
  expect_snapshot(error = TRUE, {
    mix_weights(c = 201)
    mix_weights(threshold = Inf)
    mix_weights(rounds = 0.5)
    mix_weights(rounds = Inf)
    mix_weights(members = "best")
    mix_weights(standardize = 1)
    mix_holdout(fraction = 1.5)
    mix_holdout(parts = 0)
    mix_holdout(parts = 1)
    mix_holdout(method = "paper")
    mix_holdout(refit = "yes")
    mix_weights(method = "greedy")
    mix_weights(steps = -1)
    mix_weights(start = 0)
    mix_weights(bags = 0)
    mix_weights(shrinkage = 2)
    mix_weights(choose = "first")
    mix_weights(prior = "model")
    mix_weights(repeats = 0.5)
    mix_weights(folds = 1)
    mixture(gbrt(), holdout = "half")
    mixture(gbrt(), weights = "equal")
    mix_grid(groupings = 3)
    mix_grid(groupings = "coarse")
    mix_grid(features = "squared")
    mix_budget(models = 0)
    mix_budget(seconds = 0)
    mix_budget(max_seconds = 3)
  })
})

test_that("former arguments of tune_and_mix() give an error with the new place", {
  data <- example_part("vali")
  expect_snapshot(error = TRUE, {
    tune_and_mix(data, threshold = 0)
    tune_and_mix(data, rounds = 10)
    tune_and_mix(data, groupings = "three")
    tune_and_mix(data, features = "whitened")
    tune_and_mix(data, members = "cpc")
    tune_and_mix(data, standardize = TRUE)
    tune_and_mix(data, fraction = 0.7)
    tune_and_mix(data, max_models = 3)
    tune_and_mix(data, max_seconds = 3)
    tune_and_mix(data, directory = "run")
    tune_and_mix(data, members = gbrt(), calibrators = calibrator_rbc(), c = 3)
    mixture(gbrt(), c = 3)
    mixture(gbrt(), max_seconds = 3)
    mixture(trees = 100)
  })
})
