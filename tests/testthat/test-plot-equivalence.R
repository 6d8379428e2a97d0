test_that("rows are differences to one ranker, with mirrored verdicts", {
  skip_if_not_installed("ggplot2")
  tested <- equivalence(compare_topics(adjust = "none", level = 0.1), 0.15)
  plot <- ggplot2::autoplot(tested)
  expect_identical(as.character(plot$data$ranker), c("B", "C"))
  expect_identical(as.character(plot$data$verdict), c("worse, but practically equivalent", "undecided"))
  expect_equal(plot$data$lower, -tested$pairs$tost_upper[1:2])
  other <- ggplot2::autoplot(tested, against = "B")$data
  expect_identical(as.character(other$verdict), c("better, but practically equivalent", "equivalent"))
  expect_equal(other$estimate, c(0.075, -0.025))
  verdicts <- rankmix:::margin_verdicts
  expect_identical(rankmix:::mirrored_verdict(rankmix:::mirrored_verdict(verdicts)), verdicts)
})

test_that("relative margins are drawn against the ranker that they are relative to", {
  skip_if_not_installed("ggplot2")
  tested <- equivalence(compare_topics(), 0.2, relative = TRUE)
  plot <- ggplot2::autoplot(tested)
  expect_identical(as.character(plot$data$ranker), c("A", "B"))
  expect_equal(plot$data$estimate, tested$pairs$relative_difference[2:3])
  expect_error(ggplot2::autoplot(tested, against = "A"), class = "rankmix_error_argument")
})

test_that("names stand alone if there are many rankers", {
  skip_if_not_installed("ggplot2")
  few <- equivalence(compare_topics(resamples = 100), 0.1)
  rows <- rankmix:::equivalence_rows(few$pairs, "C", few$settings)[rep(1:2, 8), ]
  rows$ranker <- paste0("s", seq_len(nrow(rows)))
  plot_of <- function(rows) rankmix:::plot_equivalence(rows, "C", "ndcg@10", few$settings)
  labels <- function(plot) ggplot2::layer_scales(plot)$y$get_labels()
  expect_false(any(grepl("p [=<]", labels(plot_of(rows)))))
  expect_match(labels(plot_of(rows[1:15, ])), "p [=<]")
  # Each ranker has its own p-value.
  few_labels <- labels(plot_of(rows[1:2, ]))
  own <- paste0(rows$ranker[1:2], "\n", vapply(rows$p[1:2], rankmix:::show_p, ""))
  expect_setequal(unname(unlist(few_labels)), own)
  expect_length(unique(sub(".*\n", "", own)), 2L)
  expect_error(ggplot2::autoplot(few, against = "D"), class = "rankmix_error_argument")
  expect_error(ggplot2::autoplot(few, metric = "err"), class = "rankmix_error_argument")
  expect_error(ggplot2::autoplot(few, type = "bars"), class = "rankmix_error_argument")
})

test_that("tests of equivalence match their stored pictures", {
  skip_without_pictures()
  compared <- compare_topics(adjust = "none", level = 0.1)
  vdiffr::expect_doppelganger("equivalence", ggplot2::autoplot(equivalence(compared, 0.15)))
  vdiffr::expect_doppelganger("relative equivalence", ggplot2::autoplot(
    equivalence(compared, 0.5, relative = TRUE)
  ))
})
