test_that("a grouped classifier equals a classifier of grouped data, with its groups' discriminants", {
  data <- random_data(queries = 60, classes = 5)
  for (grouping in list("binary", "three", c(0, 0, 1, 2, 2))) {
    spec <- adaboost_mh(base_tree(5), rounds = 20, grouping = grouping)
    model <- fit(spec, data, seed = 1)
    grouped <- group_grades(data, grouping)
    plain <- fit(adaboost_mh(base_tree(5), rounds = 20), grouped, seed = 1)
    expect_identical(model$alpha, plain$alpha)
    groups <- rankmix:::grouping_grades(grouping)[1:5]
    f <- predict(plain, data, type = "raw")
    expect_identical(unname(predict(model, data, type = "raw")), unname(f[, groups + 1]))
    # The model predicts probabilities of all grades, which calibration needs.
    expect_identical(dim(predict(model, data, type = "prob")), c(nrow(data), 5L))
    calibrated <- calibrate(model, data, calibrator_rbc())
    expect_identical(length(calibrated$fitted$beta), 6L)
  }
})

test_that("groupings are members of a mixture like others", {
  mixture <- tune_and_mix(
    example_part("train"), example_part("vali"),
    list(adaboost_mh(base_tree(4), rounds = 20),
         adaboost_mh(base_tree(4), rounds = 20, grouping = "binary")),
    list(calibrator_naive(), calibrator_cpc(), calibrator_rbc()), seed = 1)
  expect_identical(nrow(mixture$members), 6L)
  expect_match(mixture$members$classifier[4], "grouping = \"binary\"", fixed = TRUE)
  expect_length(predict(mixture, example_part("test")), nrow(example_part("test")))
})

