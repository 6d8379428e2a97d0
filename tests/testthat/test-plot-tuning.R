test_that("the plot has a panel for each setting and marks the best", {
  skip_if_not_installed("ggplot2")
  data <- simulate_ranking(50, documents = 6, seed = 4)$data
  found <- tune_ranker(list(a = gbrt(5), b = adaboost_mh(rounds = 5)), data[1:30], data[31:50], budget = 8, seed = 2,
                       threads = 1, verbose = FALSE,
                       space = list(a = list(learning_rate = tuning_range(0.01, 0.3, log = TRUE)),
                                    b = list(base = list(base_stump(), base_tree(8)))))
  rows <- rankmix:::tuning_plot_rows(found)
  expect_setequal(unique(rows$setting), c("learning_rate\n(log10)", "base\n1: base_stump()\n2: base_tree(8)"))
  learning <- rows[rows$setting == "learning_rate\n(log10)", ]
  expect_equal(learning$x, log10(found$candidates$learning_rate[learning$candidate]))
  plot <- ggplot2::autoplot(found)
  expect_s3_class(plot, "ggplot")
  expect_no_error(ggplot2::ggplot_build(plot))
})
