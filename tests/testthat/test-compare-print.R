test_that("p-values at their floor are shown as bounds", {
  show_p <- rankmix:::show_p
  expect_identical(show_p(c(0.5, 0.25, 1e-5)), c("p = 0.5000", "p = 0.2500", "p < 0.0001"))
  # A p-value above a level is not rounded to the level, nor one below.
  expect_identical(show_p(c(0.05003, 0.05, 0.05 + 1e-15, 0.0499999, 0.0099996, 0.06, NA)),
                   c("p = 0.05003", "p = 0.0500", "p = 0.0500", "p = 0.0499999", "p = 0.0099996", "p = 0.0600", NA))
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

test_that("rankers with a star that are not shown are counted", {
  values <- many_rankers(12)
  # Differences of the first nine rankers are small, and the last three are far behind.
  values[, 1:9] <- values[, rep(1L, 9L)] + 0.01 * sin(outer(seq_len(nrow(values)), 1:9))
  compared <- compare_rankers(values, resamples = 500, seed = 1)
  stars <- sum(compared$rankers$best)
  expect_gt(stars, 5L)
  printed <- capture.output(print(compared))
  expect_identical(sum(grepl("^\\* ranker", printed)), 4L)
  expect_match(printed, sprintf("^  \\.\\.\\. and 8 more, %d of them \\*$", stars - 4L), all = FALSE)
  # If all stars are shown, none is counted.
  expect_output(print(compare_many(12)), "and 8 more$|and 8 more\n")
  skip_if_not_installed("ggplot2")
  expect_match(ggplot2::autoplot(compared, n = 3)$labels$caption,
               sprintf("%d rankers not drawn may be the best, too.", stars - 3L), fixed = TRUE)
})

test_that("long names stay different, and long notes leave space for them", {
  long <- paste("lambdamart with all features, tuned on fold 1, seed", 1:2)
  values <- cbind(many_rankers(2), 0.2)
  colnames(values) <- c(long, "bm25")
  compared <- compare_rankers(values, resamples = 200, seed = 1)
  lines <- function(x) capture.output(print(x))
  for (x in list(compared, equivalence(compared, margin = 0.1), query_report(compared, a = long[1L], b = long[2L]))) {
    printed <- lines(x)
    expect_true(any(grepl("seed 1", printed)) && any(grepl("seed 2", printed)))
    expect_lte(max(nchar(printed)), 80L)
  }
  expect_match(lines(risk(compared, "bm25")), "seed 2  URisk", all = FALSE)
  # The note of two queries would leave nine letters for names.
  few <- lines(compare_rankers(values[1:2, ], resamples = 200, seed = 1))
  expect_match(few, "^. lambdamart wit.*, seed 2  0", all = FALSE)
  expect_match(few, "^      p cannot be below 0.5$", all = FALSE)
  withr::local_options(width = 60)
  narrow <- lines(compare_rankers(values[1:2, ], resamples = 200, seed = 1))
  expect_lte(max(nchar(narrow)), 60L)
  expect_true(paste("*", long[2L]) %in% narrow)
  expect_match(narrow, "^      0\\.[0-9]{4}  [+-]", all = FALSE)
})
