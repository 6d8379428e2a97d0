test_that("mixtures are also data frames", {
  valid <- example_part("vali")
  mixture <- tune_and_mix(example_part("train"), valid,
                          list(adaboost_mh(base_tree(4), 20), adaboost_mh(base_stump(), 20)),
                          list(calibrator_naive(), calibrator_cpc()), seed = 1)
  mixed <- mix(list(rule = function(data) data$x[, 1], scores = valid$x[, 2]), valid)
  expect_identical(tidy(mixture), as.data.frame(summary(mixture)))
  row <- glance(mixture)
  weights <- mixture$members$weight
  expect_identical(c(row$members, row$used, row$models), c(4L, sum(weights > 0), 2L))
  expect_equal(row$effective, 1 / sum(weights^2))
  expect_identical(c(row$c, row$value, row$best_member),
                   c(mixture$c, mixture$value, max(mixture$members$value)))
  expect_equal(sum(coef(mixture)), 1)
  expect_identical(names(coef(mixed)), c("rule", "scores"))
  expect_identical(unname(coef(mixed)), mixed$members$weight)
  expect_true(all(diff(tidy(mixed)$weight) <= 0))
  expect_identical(nrow(glance(mixed)), 1L)
})
