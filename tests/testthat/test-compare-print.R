test_that("p-values at their floor are shown as bounds", {
  show_p <- rankmix:::show_p
  expect_identical(show_p(c(0.5, 0.25, 1e-5)), c("p = 0.5000", "p = 0.2500", "p < 0.0001"))
  expect_identical(show_p(c(0.5, 1e-5, 1 / 101), c(FALSE, FALSE, TRUE)),
                   c("p = 0.5000", "p < 0.0001", "p <= 0.0099"))
})

test_that("settings are described in words", {
  describe <- function(...) {
    settings <- rankmix:::comparison_settings(
      test = "randomization", combine = "pool", adjust = NULL, alternative = "two.sided", level = 0.05,
      interval = NULL, resamples = 1000, variance = "queries"
    )
    changed <- list(...)
    settings[names(changed)] <- changed
    rankmix:::describe_settings(settings, 1L)
  }
  expect_identical(describe(), "joint sign flips, p adjusted by step-down maxT")
  expect_identical(describe(alternative = "less"),
                   "joint sign flips, one-sided (less), p adjusted by step-down maxT")
  expect_identical(describe(test = "t", adjust = "none"), "paired t tests, p not adjusted")
  expect_identical(describe(test = "t", adjust = "tukey"),
                   "two-way analysis of variance, p adjusted by Tukey's HSD")
  expect_identical(describe(test = "t", adjust = "holm", variance = "queries+training"),
                   "paired t tests over queries and trainings, p adjusted by Holm")
  expect_identical(describe(adjust = "tukey"), "permutations within queries, p adjusted by Tukey's HSD")
})

test_that("verdicts are short, so that lines fit into 80 columns", {
  values <- cbind(first = rep(c(0.51, 0.52), 20), second = 0.5)
  compared <- compare_rankers(values, margin = 0.1, resamples = 200, seed = 1)
  expect_identical(compared$pairs$verdict, "better, but practically equivalent")
  printed <- capture.output(print(compared))
  expect_match(printed, ": worse, but equivalent$", all = FALSE)
  expect_lte(max(nchar(printed)), 80L)
})
