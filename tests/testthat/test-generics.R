data <- random_data(queries = 6, seed = 1)

test_that("data that come first are told to be second", {
  expect_snapshot(error = TRUE, {
    fit(data, gbrt())
  })
})

test_that("what is trained first is answered whatever it is", {
  expect_snapshot(error = TRUE, {
    fit(as.data.frame(data), gbrt())
    fit(gbrt, data)
    fit(function(x) x, data)
    fit(list()$model, data)
    fit()
  })
})
