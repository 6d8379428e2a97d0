# The predictions of each model alone, and of each calibrator.
slow_member_scores <- function(mixture, x) {
  vapply(seq_len(nrow(mixture$members)), function(i) {
    model <- mixture$models[[mixture$members$model[i]]]
    f <- calibrator_input(model, match_features(x, model, 1L),
                          member_rounds(model, mixture$rounds), 1L)
    mixture$scale[i] * calibrated_scores(mixture$fitted[[i]], discriminant_slice(f, 1L), 1L)
  }, numeric(nrow(x)))
}

test_that("members with the same features predict together, with the same result as alone", {
  train <- example_part("train")
  valid <- example_part("vali")
  mixture <- tune_and_mix(
    train, valid,
    list(linear_ranker(penalty = c(0.1, 10)), mcsvm(0.1), mcsvm(0.1, scale = "standard"),
         ranksvm(0.1), gbrt(10, num_leaves = 4), gbrt(5, num_leaves = 9), rankboost(rounds = 5),
         adaboost_mh(base_tree(4), rounds = 5), cocr(gbrt(5, num_leaves = 4))),
    fast_calibrators(), seed = 1, threads = 1, verbose = FALSE
  )
  x <- valid$x
  expect_true(anyNA(x))
  x[is.na(x)] <- 0.5  # with missing values, each model predicts alone
  expect_identical(sum(vapply(mixture$models, function(m) is.null(shareable_part(m)), NA)), 1L)
  mixture$scale <- seq_len(nrow(mixture$members)) / 10
  alone <- slow_member_scores(mixture, x)
  expect_identical(unname(predict(mixture, x, type = "member")), alone)
  expect_identical(unname(predict(mixture, valid$x, type = "member")),
                   slow_member_scores(mixture, valid$x))
  weight <- mixture$members$weight
  expect_true(any(weight > 0))
  score <- double(nrow(x))
  for (i in which(weight > 0)) score <- score + weight[i] * alone[, i]
  expect_identical(predict(mixture, x), score)
  expect_identical(feature_groups(mixture$models), rep(1L, length(mixture$models)))
  other <- mixture$models
  other[[2L]]$features <- rev(other[[2L]]$features)
  expect_identical(feature_groups(other)[1:3], c(1L, 2L, 1L))
  other <- mixture$models[1:3]
  other[[2L]]["feature_set"] <- list(NULL)
  other[[3L]]$feature_set <- "query"
  expect_identical(feature_groups(other), c(1L, 1L, 3L))
})

test_that("linear members that fill in missing values are predicted one by one", {
  train <- example_part("train")
  train$x[cbind(1:20, 1:20)] <- NA
  valid <- example_part("vali")
  valid$x[cbind(1:9, 1:9)] <- NA
  filling <- lapply(c("mean", "zero", "indicator"),
                    function(how) linear_ranker(penalty = 1, missing = how))
  mixture <- tune_and_mix(train, valid, filling, fast_calibrators(), seed = 1, threads = 1,
                          verbose = FALSE)
  expect_identical(unname(predict(mixture, valid$x, type = "member")),
                   slow_member_scores(mixture, valid$x))
  valid$x[is.na(valid$x)] <- 0
  expect_identical(unname(predict(mixture, valid$x, type = "member")),
                   slow_member_scores(mixture, valid$x))
})

test_that("the trees of all subproblems of cocr() predict together as they do alone", {
  data <- example_part("train")
  model <- fit(cocr(gbrt(5, num_leaves = 4)), data, seed = 1, threads = 1, verbose = FALSE)
  x <- data$x
  x[is.na(x)] <- 0.5
  alone <- vapply(model$parts, part_values, numeric(nrow(x)), x, 4L, 1L)
  expect_identical(cocr_levels(model, x, 4L, 1L)[, , 1L], unname(alone))
})
