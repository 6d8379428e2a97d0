plain_svm <- function(...) mcsvm(..., bias = FALSE, scale = "none")

small_data <- function(...) random_data(queries = 12, features = 3, classes = 3, ...)

test_that("a path has one classifier a cost, in the order of the costs", {
  data <- small_data()
  path <- fit(plain_svm(c(1, 0.01, 0.1)), data)
  expect_identical(names(path$path), c("1", "0.01", "0.1"))
  expect_identical(glance(path)$cost, c(1, 0.01, 0.1))
  for (model in path$path) {
    alone <- fit(plain_svm(model$spec$cost), data)
    expect_equal(model$primal, alone$primal, tolerance = 2e-4)
    expect_identical(model$spec, alone$spec)
  }
  valid <- small_data(seed = 9)
  valid$query_ids <- valid$query_ids + 100
  held_out <- fit(plain_svm(c(1, 0.1)), data, validation = valid, metric = metric_err())
  expect_equal(glance(held_out)$value,
               vapply(held_out$path, function(m) summary(evaluate(m, valid, metric_err(ties = "average")))$mean, 0),
               ignore_attr = TRUE)
  # The path uses its best classifier.
  best <- which.max(glance(held_out)$value)
  expect_identical(glance(held_out)$chosen, 1:2 == best)
  expect_identical(held_out$spec, held_out$path[[best]]$spec)
  expect_identical(predict(held_out, valid), predict(held_out$path[[best]], valid))
  expect_identical(coef(held_out), coef(held_out$path[[best]]))
  expect_snapshot(print(mcsvm(c(1, 0.01), scale = "maximum")))
  expect_output(print(path), "<3 classifiers> none is chosen", fixed = TRUE)
  expect_output(print(held_out), "<2 classifiers> chosen: mcsvm", fixed = TRUE)
  expect_snapshot(error = TRUE, {
    predict(path, data)
    coef(path)
  })
})

test_that("a path has the tables of the model that is chosen, or asks for a choice", {
  data <- simulate_ranking(40, seed = 1)$data
  parts <- split_parts(split_queries(data, 0.7, seed = 1), data)
  chosen <- fit(mcsvm(c(0.01, 1)), parts$train, parts$test)
  best <- chosen$path[[chosen$chosen]]
  expect_identical(tidy(chosen), tidy(best))
  expect_identical(summary(chosen), glance(chosen))
  expect_identical(augment(chosen, parts$test), augment(best, parts$test))
  open <- fit(mcsvm(c(0.01, 1)), parts$train)
  expect_identical(summary(open), glance(open))
  for (code in list(quote(tidy(open)), quote(predict(open, parts$test)),
                    quote(augment(open, parts$test)))) {
    expect_error(eval(code), "None of the 2 models", class = "rankmix_error_path")
  }
})
