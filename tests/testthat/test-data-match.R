test_that("new data are matched by name, else by position", {
  data <- random_data(features = 3)
  frame <- stats::setNames(as.data.frame(data$x), c("a", "b", "c"))
  frame$grade <- data$relevance
  frame$q <- data$query
  model <- fit(adaboost_mh(base_tree(3), rounds = 5),
               ranking_data(frame, "grade", "q"))
  scores <- predict(model, ranking_data(frame, "grade", "q"))
  # The relevance and query columns of the training data are no unexpected columns.
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

# The test covers several classes of data frames and several types of columns.
test_that("data frames of any kind give the same as a matrix of their numbers", {
  data <- random_data(features = 3)
  x <- round(4 * data$x)
  colnames(x) <- c("a", "b", "c")
  named <- fit(adaboost_mh(base_tree(3), rounds = 5), ranking_data(x, data$relevance, data$query))
  plain <- fit(adaboost_mh(base_tree(3), rounds = 5),
               ranking_data(unname(x), data$relevance, data$query))
  scores <- predict(named, x)
  frame <- as.data.frame(x)
  kinds <- list(
    frame, frame[c("b", "c", "a")],
    transform(frame, a = as.integer(a)),
    transform(frame, b = structure(b, units = "m")),
    transform(frame, c = structure(c, class = "of_nobody")),
    structure(frame, class = c("tbl_df", "data.frame")),
    `[[<-`(frame, "a", value = as.matrix(frame$a)[, 1L])
  )
  for (kind in kinds) {
    expect_identical(predict(named, kind), scores)
  }
  # The model has no feature names, so features are matched by position.
  expect_identical(predict(plain, frame), scores)
  expect_identical(predict(plain, stats::setNames(frame, c("c", "b", "a"))), scores)
  # NA is a missing value in every type of column.
  frame$a[3] <- NA
  x[3, "a"] <- NA
  expect_identical(predict(named, transform(frame, a = as.integer(a))), predict(named, x))
  frame$a <- frame$a > 0
  x[, "a"] <- x[, "a"] > 0
  expect_identical(predict(named, frame), predict(named, x))
})

test_that("errors for data frames that cannot be matched give the reason, with extra columns and without", {
  data <- random_data(features = 2)
  frame <- stats::setNames(as.data.frame(data$x), c("a", "b"))
  frame$grade <- data$relevance
  frame$q <- data$query
  model <- fit(adaboost_mh(base_tree(3), rounds = 5), ranking_data(frame, "grade", "q"))
  scores <- predict(model, frame)
  # New data may have both, one or none of the grade and query columns, with any content.
  expect_silent(expect_identical(predict(model, frame[c("q", "b", "a")]), scores))
  frame$grade <- "unknown"
  expect_silent(expect_identical(predict(model, frame), scores))
  twice <- frame
  names(twice) <- c("a", "b", "q", "q")
  expect_error(predict(model, twice), class = "rankmix_error_feature")
  names(twice) <- c("a", "b", "", "q")
  expect_error(predict(model, twice), class = "rankmix_error_feature")
  names(twice) <- c("a", "a", "grade", "q")
  expect_error(predict(model, twice), class = "rankmix_error_feature")
  expect_error(predict(model, transform(frame, b = as.character(b))),
               class = "rankmix_error_feature")
  expect_error(predict(model, transform(frame, b = factor(b))),
               class = "rankmix_error_newdata")
  expect_error(predict(model, frame["a"]), class = "rankmix_error_newdata")
  expect_error(predict(model, frame[0L]), class = "rankmix_error")
  frame$b[4] <- -Inf
  expect_error(predict(model, frame), "Row 4 has -Inf", class = "rankmix_error_feature")
})

test_that("infinite values of new data are found like infinite values of training data", {
  x <- matrix(c(1, NaN, NA, 2, 3, 4), 3)
  expect_length(find_infinite(x, 1L), 0L)
  expect_length(find_infinite(x[0L, ], 1L), 0L)
  x[c(3, 5, 6)] <- c(Inf, -Inf, Inf)
  for (threads in 1:2) {
    expect_identical(find_infinite(x, threads), scan_features(x, threads)$infinite)
  }
  x[3] <- 0
  expect_identical(find_infinite(x, 1L), c(2L, 2L))
  skip_if_not_installed("Matrix")
  sparse <- Matrix::Matrix(x, sparse = TRUE)
  expect_identical(find_infinite(sparse, 1L), scan_features(sparse, 1L)$infinite)
})

# Otherwise each call would copy the state of the generator. A session without random numbers would get a state.
test_that("predictions do not change R's generator", {
  data <- simulate_ranking(30, seed = 1)$data
  parts <- split_parts(split_queries(data, 0.7, seed = 1), data)
  train <- parts$train
  valid <- parts$test
  models <- list(
    fit(gbrt(5), train, seed = 1, threads = 1, verbose = FALSE),
    fit(mcsvm(0.1, scale = "standard"), train, threads = 1, verbose = FALSE),
    tune_and_mix(train, valid, adaboost_mh(base_tree(3), 5), seed = 1, threads = 1, verbose = FALSE)
  )
  frame <- as.data.frame(valid$x)
  withr::local_preserve_seed()
  rm(".Random.seed", envir = globalenv())
  for (model in models) {
    predict(model, valid, threads = 1)
    predict(model, valid, type = "rank", threads = 1)
    predict(model, unname(as.matrix(frame)), threads = 1)
    predict(model, frame, threads = 1)
  }
  expect_false(exists(".Random.seed", envir = globalenv()))
})

test_that("the error for a new column of text advises numbers, not a document id", {
  data <- random_data(queries = 9, features = 2)
  frame <- as.data.frame(data$x)
  names(frame) <- data$features
  model <- fit(gbrt(trees = 2), data)
  frame[[1]] <- as.character(frame[[1]])
  error <- expect_error(predict(model, frame), "as.numeric()", fixed = TRUE, class = "rankmix_error_feature")
  expect_no_match(conditionMessage(error), "document =", fixed = TRUE)
  expect_error(predict(model, c(1, 2)), "`x[1, , drop = FALSE]`", fixed = TRUE)
})

test_that("codes of levels are no levels", {
  frame <- colour_frame()
  model <- fit(gbrt(3, min_data_in_leaf = 3), ranking_data(frame, grade, query = query), seed = 1, threads = 1)
  frame$colour <- as.integer(frame$colour)
  file <- withr::local_tempfile(fileext = ".csv")
  write.csv(frame[c("query", "x", "colour")], file, row.names = FALSE)
  expect_snapshot_error(predict(model, data_source(file, query = query, factors = TRUE)),
                        class = "rankmix_error_newdata")
  coded <- ranking_data(frame[c("query", "x", "colour")], query = query)
  expect_error(predict(model, coded), "`colour` is a factor in the model, and a number in the new data.",
               class = "rankmix_error_newdata", fixed = TRUE)
})

test_that("the error for lacking features names read_letor() only for its features", {
  message_for <- function(names) {
    data <- random_data(queries = 4, features = 3)
    colnames(data$x) <- names
    data <- ranking_data(data$x, data$relevance, data$query)
    model <- fit(best_feature("ndcg"), data, verbose = FALSE)
    tryCatch(predict(model, data$x[, 1:2]), rankmix_error_newdata = conditionMessage)
  }
  expect_match(message_for(c("f1", "f2", "f3")), "read_letor(features = )", fixed = TRUE)
  expect_no_match(message_for(c("bm25", "length", "price")), "read_letor", fixed = TRUE)
})
