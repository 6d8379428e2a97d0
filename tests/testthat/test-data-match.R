test_that("new data are matched by name, else by position", {
  data <- random_data(features = 3)
  frame <- stats::setNames(as.data.frame(data$x), c("a", "b", "c"))
  frame$grade <- data$relevance
  frame$q <- data$query
  model <- fit(adaboost_mh(tree(3), rounds = 5),
               ranking_data(frame, "grade", "q"))
  scores <- predict(model, ranking_data(frame, "grade", "q"))
  # The relevance and query columns of the training data are no surprise.
  expect_silent(predict(model, frame))
  expect_identical(predict(model, frame), scores)
  expect_identical(predict(model, frame[c("c", "a", "b")]), scores)
  expect_identical(predict(model, unname(data$x)), scores)
  expect_identical(predict(model, as.matrix(frame[c("b", "c", "a")])), scores)
  expect_snapshot_error(predict(model, frame[c("c", "a")]),
                        class = "rankmix_error_newdata")
  expect_snapshot_error(predict(model, unname(data$x[, 1:2])),
                        class = "rankmix_error_newdata")
  expect_snapshot_error(predict(model, unname(cbind(data$x, 1))),
                        class = "rankmix_error_newdata")
  frame$extra <- "ignored"
  expect_snapshot_warning(extra <- predict(model, frame),
                          class = "rankmix_warning_newdata")
  expect_identical(extra, scores)
  infinite <- data$x
  infinite[1, 2] <- Inf
  expect_error(predict(model, infinite), class = "rankmix_error_feature")
})
