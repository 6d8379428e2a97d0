test_that("R's generator is restored, and seeds decide all draws", {
  set.seed(5)
  before <- .Random.seed
  first <- rankmix:::with_seed(3, stats::runif(4))
  expect_identical(.Random.seed, before)
  expect_identical(rankmix:::with_seed(3, stats::runif(4)), first)
  expect_false(identical(rankmix:::with_seed(4, stats::runif(4)), first))
  # Other kinds of generators are also restored afterwards.
  RNGkind("Wichmann-Hill")
  withr::defer(RNGkind("default"))
  expect_identical(rankmix:::with_seed(3, stats::runif(4)), first)
  expect_identical(RNGkind()[1], "Wichmann-Hill")
  expect_error(rankmix:::with_seed(3, stop("out of it")), "out of it")
  expect_identical(RNGkind()[1], "Wichmann-Hill")
})
