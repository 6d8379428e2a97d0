first_feature <- function(data) replace(data$x[, 1], is.na(data$x[, 1]), 0)

test_that("functions are members, which calibrators see the scores of", {
  train <- example_part("train")
  valid <- example_part("vali")
  test <- example_part("test")
  spec <- mixture(adaboost_mh(base_stump(), 10), first = first_feature,
                  function(data) -first_feature(data),
                  calibrators = list(calibrator_rbc(), calibrator_rbc("polynomial", degree = 3)), metric = metric_ndcg(10))
  model <- fit(spec, train, valid, seed = 1, verbose = FALSE)
  expect_setequal(model$members$classifier, c("adaboost_mh(base_stump())", "first", "function 3"))
  expect_setequal(model$members$family, c("adaboost_mh", "function"))
  # The reference: regressions of gains on the scores.
  z <- 2^valid$relevance - 1
  s <- first_feature(valid)
  own <- predict(model, test, type = "member")
  fit <- lm(z ~ s)
  expect_equal(unname(own[, "first + calibrator_rbc(\"linear\")"]),
               unname(predict(fit, data.frame(s = first_feature(test)))))
  # The mixture can be saved and read again, like the function.
  file <- withr::local_tempfile()
  saveRDS(model, file)
  expect_identical(predict(readRDS(file), test), predict(model, test))
  expect_identical(predict(model, test[1:20]), predict(model, test)[test$query <= 20])
  # tune_and_mix() gives the same mixture.
  again <- tune_and_mix(train, valid, list(adaboost_mh(base_stump(), 10), first = first_feature,
                                           function(data) -first_feature(data)),
                        list(calibrator_rbc(), calibrator_rbc("polynomial", degree = 3)), seed = 1, verbose = FALSE)
  expect_identical(predict(again, test), predict(model, test))
})

test_that("results of functions are checked", {
  train <- example_part("train")
  valid <- example_part("vali")
  make <- function(f) {
    fit(mixture(mine = f, calibrators = list(calibrator_rbc())), train, valid, seed = 1, verbose = FALSE)
  }
  expect_snapshot(error = TRUE, {
    make(function(data) 1:3)
    make(function(data) replace(first_feature(data), 7, -Inf))
    mixture(gbrt)
    predict(make(first_feature), example_part("test")$x)
  })
})
