test_that("the confusion of an assessor agrees with Bayes' rule", {
  model <- dawid_skene(drawn_votes(200, 1)$votes)
  found <- assessor_confusion(model, "llm")
  joint <- model$prevalence * model$confusion[, , "llm"]
  expect_equal(found["1", ], joint[, "1"] / sum(joint[, "1"]), ignore_attr = TRUE)
  expect_equal(rowSums(found), rep(1, 3), ignore_attr = TRUE)
  of_grades <- assessor_confusion(model)
  expect_equal(of_grades["2", ], colMeans(model$probability[model$documents$grade == 2, ]))
  expect_error(assessor_confusion(model, "nobody"), class = "rankmix_error_argument")
  expect_error(assessor_confusion(found), "dawid_skene", class = "rankmix_error_argument")
})

test_that("a grade that never occurs counts as true, and yetirank() trains with the matrix", {
  model <- dawid_skene(drawn_votes(60, 1)$votes, grades = 4)
  confusion <- assessor_confusion(model)
  expect_identical(unname(confusion["3", ]), c(0, 0, 0, 1))
  data <- example_part("train")[1:10]
  data <- ranking_data(data$x, pmin(data$relevance, 3), data$query)
  expect_s3_class(fit(yetirank(setup = "yetirank", confusion = confusion, trees = 3), data, threads = 1, seed = 1),
                  "rankmix_ranker")
})

test_that("a missing model is reported", {
  expect_error(assessor_confusion(), "`model` is not given", class = "rankmix_error_argument")
})
