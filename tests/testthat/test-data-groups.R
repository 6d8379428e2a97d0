test_that("groupings are checked and printed", {
  expect_identical(format(adaboost_mh(base_tree(4), grouping = c(0, 1, 1))),
                   "adaboost_mh(base_tree(4), grouping = c(0, 1, 1))")
  data <- random_data(classes = 5)
  refuse <- function(code, class) expect_snapshot_error(code, class = class)
  refuse(adaboost_mh(grouping = "all"), "rankmix_error_argument")
  refuse(adaboost_mh(grouping = c(1, 2)), "rankmix_error_argument")
  refuse(fit(adaboost_mh(grouping = c(0, 1)), data), "rankmix_error_grade")
  refuse(fit(adaboost_mh(grouping = c(0, 0, 0, 0, 0)), data), "rankmix_error_one_grade")
})
