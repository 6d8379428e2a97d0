test_that("targets are grades or gains, as the learner has it where nothing is said", {
  grades <- c(0L, 1L, 3L)
  expect_identical(rankmix:::objective_targets(squared("grade"), grades, "gain"), c(0, 1, 3))
  expect_identical(rankmix:::objective_targets(squared("gain"), grades, "grade"), c(0, 1, 7))
  expect_identical(rankmix:::objective_targets(squared(), grades, "grade"), c(0, 1, 3))
  expect_identical(format(squared()), "squared()")
  expect_identical(format(squared("gain")), "squared(\"gain\")")
})
