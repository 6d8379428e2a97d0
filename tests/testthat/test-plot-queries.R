test_that("the curve passes through the number that is needed", {
  skip_if_not_installed("ggplot2")
  plan <- queries_needed(0.02, sd = 0.1)
  curve <- rankmix:::planned_curve(plan)
  expect_equal(approx(curve$queries, curve$power, plan$queries)$y, plan$power, tolerance = 1e-3)
  expect_identical(ggplot2::autoplot(plan)$labels$title, "199 queries needed")
  expect_error(ggplot2::autoplot(plan, type = "bars"), class = "rankmix_error_argument")
  expect_no_error(ggplot2::ggplot_build(ggplot2::autoplot(queries_needed(0.02, sd = 0.1, test = "anova"))))
  expect_no_error(ggplot2::ggplot_build(ggplot2::autoplot(queries_needed(1, sd = 0.1))))
})

test_that("plans match their stored pictures", {
  skip_without_pictures()
  difference <- sakai_topics[, "A"] - sakai_topics[, "B"]
  plans <- list(t = queries_needed(0.02, sd = 0.1),
                interval = queries_needed(0.05, sd = 0.2, test = "interval"),
                simulate = queries_needed(0.05, pilot = difference, test = "simulate", draws = 500, seed = 1))
  for (name in names(plans)) {
    vdiffr::expect_doppelganger(paste("queries needed by", name), ggplot2::autoplot(plans[[name]]))
  }
})
