compare_values <- function(a, b, ..., fold = NULL, seed = 1) {
  compare_rankers(a = evaluation_of(a, fold = fold), b = evaluation_of(b, fold = fold), ...,
                  seed = seed)
}

test_that("a comparison prints in ten lines", {
  set.seed(8)
  base <- runif(60)
  values <- lapply(stats::setNames(1:8, letters[1:8]), function(i) {
    evaluation_of(base - i / 20 + rnorm(60, 0, 0.1), fold = rep(1:3, 20))
  })
  compared <- do.call(compare_rankers, c(values, list(seed = 1)))
  expect_snapshot(compared)
  expect_lte(length(capture.output(print(compared))), 10L)
  expect_snapshot(compare_rankers(a = values$a, b = values$a, seed = 1))
})

