test_that("benchmarks look as they did", {
  skip_without_pictures()
  benchmark <- fixed_benchmark()
  vdiffr::expect_doppelganger("benchmark folds", ggplot2::autoplot(benchmark))
  vdiffr::expect_doppelganger("benchmark time", ggplot2::autoplot(benchmark, "time"))
  vdiffr::expect_doppelganger("benchmark folds by err",
                              ggplot2::autoplot(benchmark, metric = "err"))
})
