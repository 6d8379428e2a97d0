test_that("verdicts never contradict the comparison", {
  for (adjust in c("holm", "BH", "none")) {
    compared <- compare_topics(adjust = adjust, level = 0.2)
    found <- tidy(equivalence(compared, margin = 0.16))
    own <- compared$pairs
    p <- own$p_adjusted
    expect_identical(found$p_difference, p)
    expect_identical(grepl("^(better|worse)", found$verdict), p <= 0.2)
    expect_identical(found$difference, own$difference)
  }
  expect_identical(tidy(equivalence(compare_topics(c("A", "B")), 0.15))$verdict,
                   "better, but practically equivalent")
  expect_identical(tidy(equivalence(compare_topics(c("B", "A")), 0.15))$verdict,
                   "worse, but practically equivalent")
})

test_that("each metric has its pairs, and several ways to choose them", {
  data <- read_letor(system.file("extdata", "test.txt.gz", package = "rankmix"))
  compared <- compare_rankers(first = data$x[, 1], second = data$x[, 2], data = data,
                              metric = list("ndcg@10", "precision@5"), resamples = 200, seed = 1)
  all <- tidy(equivalence(compared, 0.05))
  expect_identical(all$metric, c("ndcg@10", "precision@5"))
  expect_identical(tidy(equivalence(compared, 0.05, metric = "precision@5"))$metric, "precision@5")
  expect_identical(tidy(equivalence(compared, 0.05, metric = metric_ndcg(10)))$metric, "ndcg@10")
  expect_identical(all$ties, compared$pairs$ties)
  expect_identical(all$note, c("", ""))
  # The margin of equivalence() is used, and not the margin of the comparison.
  compared$pairs$margin <- 1
  expect_identical(tidy(equivalence(compared, 0.05)), all)
})

test_that("equivalence() prints its verdicts, in 80 columns", {
  withr::local_options(width = 80)
  expect_snapshot({
    equivalence(compare_topics(), 0.15)
    equivalence(compare_topics(), 0.6, relative = TRUE, level = 0.1)
    equivalence(compare_topics(c("A", "B"), adjust = "none"), 0.15, method = "flips")
  })
  many <- lapply(stats::setNames(1:6, paste0("ranker_with_a_long_name_", 1:6)), function(i) {
    evaluation_of(sakai_topics[, 1L + i %% 3L])
  })
  compared <- do.call(compare_rankers, c(many, list(seed = 1, resamples = 100)))
  lines <- capture.output(print(equivalence(compared, 0.1)))
  expect_lte(max(nchar(lines)), 80L)
  expect_match(lines, "5 more pairs", all = FALSE)
})

test_that("few queries that differ are noted", {
  few <- equivalence(compare_values(c(rep(0.5, 38), 0.4, 0.6), rep(0.5, 40), resamples = 100), 0.1)
  expect_identical(few$pairs$note, "only 2 queries differ")
  expect_output(print(few), "equivalent (only 2 queries differ)", fixed = TRUE)
  expect_identical(tidy(equivalence(compare_values(0.5, 0.5, resamples = 100), 0.1))$note, "one query")
})

test_that("bad input is refused", {
  compared <- compare_topics(resamples = 100)
  expect_error(equivalence(), class = "rankmix_error_argument")
  expect_error(equivalence(sakai_topics, 0.1), class = "rankmix_error_argument")
  expect_error(equivalence(compared), "before you see the data", class = "rankmix_error_argument")
  for (margin in list(0, -1, NA_real_, Inf, "0.1", c(0.1, 0.2), NULL)) {
    expect_error(equivalence(compared, margin), class = "rankmix_error_argument")
  }
  expect_error(equivalence(compared, 1, relative = TRUE), class = "rankmix_error_argument")
  expect_error(equivalence(compared, 5, relative = TRUE), class = "rankmix_error_argument")
  expect_error(equivalence(compared, 0.1, relative = NA), class = "rankmix_error_argument")
  expect_error(equivalence(compared, 0.1, prior = "flat"), class = "rankmix_error_argument")
  expect_error(equivalence(compared, 0.1, metric = "err"), class = "rankmix_error_argument")
  expect_error(equivalence(compared, 0.1, method = "z"), class = "rankmix_error_argument")
  expect_error(equivalence(compared, 0.1, level = 0.7), class = "rankmix_error_argument")
  zero <- compare_values(c(0.1, 0.2, 0.3), c(0, 0, 0), resamples = 100)
  expect_error(equivalence(zero, 0.1, relative = TRUE), "`b`", class = "rankmix_error_values")
})
