test_that("options print as they are typed, and only what differs", {
  expect_identical(format(weighing()), "weighing()")
  expect_identical(format(weighing(c = c(50, 0), threshold = c(-Inf, 0.4), rounds = c(20, 5))),
                   "weighing(c = c(0, 50), threshold = c(-Inf, 0.4), rounds = c(5, 20))")
  expect_identical(format(holding_out(0.7)), "holding_out(share = 0.7)")
  expect_identical(format(holding_out(crossfit = 1)), "holding_out(method = \"same\")")
  expect_identical(holding_out(crossfit = 1), holding_out(method = "same"))
  expect_identical(holding_out(crossfit = 4), holding_out(parts = 4))
  expect_identical(format(weighing(method = "ascent", shrinkage = c(0, 1), repeats = 0)),
                   "weighing(method = \"ascent\", shrinkage = c(1, 0), repeats = 0)")
  expect_identical(format(mix_budget(seconds = 60)), "mix_budget(seconds = 60)")
  grid <- member_grid(list("identity", c(0, 1, 1)), c("original", "whitened"))
  expect_identical(
    format(grid),
    paste("member_grid(groupings = list(\"identity\", c(0, 1, 1)),",
          "features = c(\"original\", \"whitened\"))")
  )
  for (option in list(weighing(c = 3, members = "rbc", standardize = TRUE), grid,
                      member_grid("three"), mix_budget(2, 10), holding_out(0.5, 3),
                      weighing(method = "selection", steps = c(0, 3), start = 2, bags = 1,
                               choose = "one_se", folds = 3, standardize = "query"),
                      holding_out(method = "split", refit = TRUE))) {
    expect_identical(eval(parse(text = format(option))), option)
  }
  expect_output(print(grid), "member_grid(", fixed = TRUE)
})

test_that("values that are not allowed are refused", {
  expect_snapshot(error = TRUE, {
    weighing(c = 201)
    weighing(threshold = Inf)
    weighing(rounds = 0.5)
    weighing(rounds = Inf)
    weighing(members = "best")
    weighing(standardize = 1)
    holding_out(share = 1.5)
    holding_out(crossfit = 0)
    holding_out(parts = 1)
    holding_out(method = "paper")
    holding_out(refit = "yes")
    weighing(method = "greedy")
    weighing(steps = -1)
    weighing(start = 0)
    weighing(bags = 0)
    weighing(shrinkage = 2)
    weighing(choose = "first")
    weighing(prior = "model")
    weighing(repeats = 0.5)
    weighing(folds = 1)
    mixture(gbrt(), hold_out = "half")
    mixture(gbrt(), weigh = "equal")
    member_grid(groupings = 3)
    member_grid(groupings = "coarse")
    member_grid(features = "squared")
    mix_budget(models = 0)
    mix_budget(seconds = 0)
    mix_budget(max_seconds = 3)
  })
})

test_that("arguments that tune_and_mix() had are answered with where they are", {
  data <- example_part("vali")
  expect_snapshot(error = TRUE, {
    tune_and_mix(data, threshold = 0)
    tune_and_mix(data, rounds = 10)
    tune_and_mix(data, groupings = "three")
    tune_and_mix(data, features = "whitened")
    tune_and_mix(data, members = "cpc")
    tune_and_mix(data, standardize = TRUE)
    tune_and_mix(data, crossfit = 1)
    tune_and_mix(data, share = 0.7)
    tune_and_mix(data, max_models = 3)
    tune_and_mix(data, max_seconds = 3)
    tune_and_mix(data, directory = "run")
    tune_and_mix(data, classifiers = gbrt(), calibrators = rbc(), c = 3)
    mixture(gbrt(), c = 3)
    mixture(gbrt(), max_seconds = 3)
    mixture(trees = 100)
  })
})
