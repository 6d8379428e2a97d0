test_that("staged discriminants equal discriminants of shorter fits", {
  data <- random_data(queries = 40)
  long <- fit(adaboost_mh(base_tree(4), rounds = 30), data)
  for (rounds in c(1, 7, 30)) {
    short <- fit(adaboost_mh(base_tree(4), rounds = rounds), data)
    expect_identical(predict(long, data, type = "raw", rounds = rounds),
                     predict(short, data, type = "raw"))
  }
  expect_identical(unname(predict(long, data, type = "raw", rounds = 0)),
                   matrix(0, nrow(data$x), 3))
  staged <- predict(long, data, type = "raw", rounds = c(30, 1, 7))
  expect_identical(dim(staged), c(nrow(data$x), 3L, 3L))
  expect_identical(staged[, , "7"],
                   predict(long, data, type = "raw", rounds = 7))
  expect_identical(staged[, , 1], predict(long, data, type = "raw"))
  expect_error(predict(long, data, type = "raw", rounds = c(1, 31)),
               class = "rankmix_error_argument")
  expect_error(predict(long, data, rounds = 31), class = "rankmix_error_argument")
})

test_that("missing values filled block by block give the same scores, bit for bit", {
  named <- function(data) {
    ranking_data(`colnames<-`(data$x, letters[1:6]), data$relevance, data$query)
  }
  train <- named(random_data(40, features = 6, missing = 0.1, seed = 3))
  new <- named(random_data(600, features = 6, missing = 0.1, seed = 4))
  expect_gt(nrow(new$x), 3 * 1024)
  models <- suppressWarnings(lapply(
    list(linear_ranker(missing = "mean"), linear_ranker(missing = "indicator"), mcsvm(missing = "mean")),
    fit, train, seed = 1, threads = 1
  ))
  whole <- lapply(models, predict, new, threads = 1)
  local_function("max_block_bytes", 1)
  expect_identical(lapply(models, predict, new, threads = 1), whole)
})
