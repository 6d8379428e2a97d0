test_that("the heat map has the p-values that decide", {
  skip_if_not_installed("ggplot2")
  for (adjust in c("holm", "BH", "none")) {
    compared <- plotted_comparison(adjust = adjust)
    pairs <- compared$pairs
    wanted <- pairs[[c(holm = "p_holm", BH = "p_bh", none = "p_randomization")[[adjust]]]]
    expect_identical(pairs$p_adjusted, wanted)
    shown <- ggplot2::autoplot(compared, "p_values")$data
    at <- match(paste(pairs$a, pairs$b), paste(shown$a, shown$b))
    expect_identical(shown$p[at], wanted)
  }
})

test_that("p-values fit their cells", {
  expect_identical(rankmix:::p_labels(c(NA, 0, 0.0009, 0.0231, 0.5, 0.9994, 0.9996, 1)),
                   c("", "<.001", "<.001", ".023", ".500", ".999", "1", "1"))
})

test_that("tiles have the direction of each pair, and rows are ordered by means", {
  skip_if_not_installed("ggplot2")
  compared <- plotted_comparison()
  drawn <- ggplot2::autoplot(compared, "p_values")
  tiles <- drawn$data
  means <- compared$rankers$mean[match(levels(tiles$b), compared$rankers$ranker)]
  expect_false(is.unsorted(-means))
  expect_identical(levels(tiles$a), rev(levels(tiles$b)))
  mean_of <- function(ranker) compared$rankers$mean[match(ranker, compared$rankers$ranker)]
  expect_equal(tiles$difference[!is.na(tiles$p)], (mean_of(tiles$a) - mean_of(tiles$b))[!is.na(tiles$p)],
               tolerance = 1e-10)
  expect_identical(sum(is.na(tiles$p)), 4L)
  known <- !is.na(tiles$p)
  expect_identical(sign(tiles$shade[known]), sign(tiles$difference[known]) * (tiles$p[known] < 1))
  expect_identical(substr(tiles$label[known], 1, 1), c("-", "=", "+")[2 + sign(tiles$difference[known])])
  expect_match(drawn$labels$caption, "does not show that two rankers are equal")
})

test_that("tiles of many rankers have a sign for decided pairs only", {
  skip_if_not_installed("ggplot2")
  compared <- compare_many(20)
  tiles <- ggplot2::autoplot(compared, "p_values")$data
  decided <- !is.na(tiles$p) & tiles$p <= 0.05
  expect_identical(tiles$label != "", decided)
  expect_true(any(decided) && !all(decided[!is.na(tiles$p)]))
})

test_that("with a control the heat map has one column", {
  skip_if_not_installed("ggplot2")
  tiles <- ggplot2::autoplot(plotted_comparison(control = "linear"), "p_values")$data
  expect_identical(unique(as.character(tiles$b)), "linear")
  expect_identical(nrow(tiles), 3L)
  expect_false(anyNA(tiles$p))
})
