factor_frame <- function(n = 60, seed = 1) {
  set.seed(seed)
  size <- factor(sample(c("s", "m", "l"), n, TRUE), c("s", "m", "l"), ordered = TRUE)
  colour <- factor(sample(c("red", "green", "blue"), n, TRUE))
  colour[c(3, 9)] <- NA
  bm25 <- rnorm(n)
  grade <- pmin(2, pmax(0, round((size == "l") + (colour %in% "red") + bm25 / 2)))
  data.frame(grade, query = rep(1:6, length.out = n), size, bm25, colour)
}

test_that("ordered factors become integers, and other factors one feature for each level", {
  data <- ranking_data(factor_frame(), grade, query)
  frame <- factor_frame()
  expect_identical(data$features,
                   c("size", "bm25", "colour=blue", "colour=green", "colour=red"))
  expect_identical(data$x[, "size"], as.double(as.integer(frame$size)))
  expect_identical(data$x[, "colour=red"], as.double(frame$colour == "red"))
  expect_identical(data$missing, 6)
  # Levels that do not occur are features too.
  levels(frame$colour) <- c(levels(frame$colour), "black")
  expect_true("colour=black" %in% ranking_data(frame, grade, query)$features)
})

test_that("new data are coded by the names of the levels", {
  frame <- factor_frame()
  data <- ranking_data(frame, grade, query)
  model <- fit(adaboost_mh(base_tree(6), rounds = 20), data)
  scores <- predict(model, data)
  expect_identical(predict(model, frame), scores)
  # The values are the same, but the levels have another order, and there are fewer of them.
  other <- frame
  other$size <- factor(as.character(frame$size), c("l", "s", "m"), ordered = TRUE)
  other$colour <- factor(as.character(frame$colour), c("red", "green", "blue", "pink"))
  expect_identical(predict(model, other), scores)
  expect_identical(predict(model, ranking_data(other, grade, query)), scores)
  few <- frame[frame$colour %in% "red" & frame$size != "m", ]
  few$colour <- droplevels(few$colour)
  few$size <- droplevels(few$size)
  rows <- which(frame$colour %in% "red" & frame$size != "m")
  expect_identical(predict(model, few), scores[rows])
  expect_identical(predict(model, ranking_data(few, grade, query)), scores[rows])
  # Strings match levels by name, too.
  few$colour <- as.character(few$colour)
  expect_identical(predict(model, few), scores[rows])
  # A matrix of the encoded features gives the same scores.
  expect_identical(predict(model, data$x), scores)
})

test_that("a level that the model does not have is missing", {
  frame <- factor_frame()
  model <- fit(adaboost_mh(base_tree(6), rounds = 20), ranking_data(frame, grade, query))
  gap <- frame
  gap$colour[1] <- NA
  new <- frame
  new$colour <- as.character(new$colour)
  new$colour[1] <- "pink"
  expect_snapshot_warning(scores <- predict(model, new),
                          class = "rankmix_warning_newdata")
  expect_identical(scores, predict(model, gap))
  new$colour <- factor(new$colour)
  expect_warning(
    expect_identical(predict(model, ranking_data(new, grade, query)), scores),
    class = "rankmix_warning_newdata"
  )
})

test_that("factors that cannot be coded in the same way are refused", {
  frame <- factor_frame()
  data <- ranking_data(frame, grade, query)
  model <- fit(adaboost_mh(base_tree(6), rounds = 5), data)
  refuse <- function(code, class = "rankmix_error_newdata") {
    expect_snapshot_error(code, class = class)
  }
  numbers <- frame
  numbers$size <- as.integer(numbers$size)
  refuse(predict(model, numbers))
  factors <- frame
  factors$bm25 <- factor(factors$bm25)
  refuse(predict(model, factors))
  refuse(predict(model, frame[names(frame) != "colour"]))
  unordered <- frame
  unordered$size <- factor(as.character(unordered$size))
  refuse(predict(model, ranking_data(unordered, grade, query)))
  fewer <- frame[frame$size != "m", ]
  fewer$size <- droplevels(fewer$size)
  standard <- standardize_queries(data)
  model <- fit(adaboost_mh(base_tree(6), rounds = 5), standard)
  expect_identical(predict(model, standardize_queries(ranking_data(frame, grade, query))),
                   predict(model, standard))
  refuse(predict(model, standardize_queries(ranking_data(fewer, grade, query))))
  refuse(c(data, ranking_data(fewer, grade, rep("x", nrow(fewer)))),
         "rankmix_error_feature")
  strings <- data.frame(grade = 0:1, q = 1, text = c("a", "b"))
  refuse(ranking_data(strings, grade, q), "rankmix_error_feature")
  ids <- data.frame(grade = 0:1, q = 1, hash = as.raw(1:2))
  refuse(ranking_data(ids, grade, q), "rankmix_error_feature")
})

test_that("codes survive saving, splitting and joining", {
  frame <- factor_frame()
  data <- ranking_data(frame, grade, query)
  file <- withr::local_tempfile()
  saveRDS(fit(adaboost_mh(base_stump(), rounds = 5), data), file)
  part <- c(data[1:2], data[3:6])
  expect_identical(predict(readRDS(file), part), predict(readRDS(file), frame)[
    order(!data$query %in% 1:2)])
  expect_identical(part$encoding, data$encoding)
})

test_that("a data frame of the data predicts as the data do", {
  frame <- factor_frame()
  data <- ranking_data(frame, grade, query)
  model <- fit(adaboost_mh(base_tree(6), rounds = 10), data)
  back <- as.data.frame(data)
  expect_identical(back$colour, frame$colour)
  expect_identical(back$size, frame$size)
  expect_identical(predict(model, back[names(back) %in% names(frame)]), predict(model, data))
})

test_that("transformed data do not go with a model of plain data, nor the other way", {
  data <- ranking_data(factor_frame(), grade, query)
  standard <- standardize_queries(data)
  plain_model <- fit(adaboost_mh(base_stump(), rounds = 3), data)
  standard_model <- fit(adaboost_mh(base_stump(), rounds = 3), standard)
  expect_snapshot_error(predict(plain_model, standard), class = "rankmix_error_newdata")
  expect_snapshot_error(predict(standard_model, data), class = "rankmix_error_newdata")
  expect_identical(standardize_queries(standard)$encoding, standard$encoding)
})

test_that("a factor of missing values alone is no feature", {
  frame <- data.frame(a = factor(rep(NA, 4)), b = c(5, 3, 1, 2), g = 0:1, q = 1)
  data <- ranking_data(frame, g, q)
  expect_identical(data$features, "b")
  expect_identical(data$x[, "b"], c(5, 3, 1, 2))
})

# A factor of more than 1,000 levels, of which some are missing.
wide_frame <- function() {
  set.seed(1)
  brand <- sample(c(sprintf("b%04d", 1:1200), NA), 2400, TRUE)
  data.frame(g = rep_len(0:2, 2400), q = rep(1:100, each = 24), x = rnorm(2400),
             brand = factor(brand, sprintf("b%04d", 1:1200)))
}

test_that("a factor of more than 1,000 levels becomes one feature of level numbers", {
  frame <- wide_frame()
  data <- ranking_data(frame, g, q)
  expect_identical(data$features, c("x", "brand"))
  expect_identical(data$x[, "brand"], as.double(as.integer(frame$brand)))
  expect_identical(as.data.frame(data)$brand, frame$brand)
  expect_identical(as.data.frame(data[5:6])$brand, frame$brand[97:144])
  expect_identical(data[, "x"]$features, "x")
  # A factor of 1,000 levels has one feature for each level.
  narrow <- transform(frame, brand = factor(pmin(as.integer(brand), 1000L), 1:1000))
  expect_length(ranking_data(narrow, g, q)$features, 1001L)
})

test_that("level numbers are refused where features are used as numbers", {
  data <- ranking_data(wide_frame(), g, q)
  file <- withr::local_tempfile()
  expect_snapshot_error(fit(gbrt(trees = 2), data), class = "rankmix_error_feature")
  for (use in list(function() tune_and_mix(data, members = list(gbrt(trees = 2)), verbose = FALSE),
                   function() standardize_queries(data), function() whiten_queries(data),
                   function() kernel_features(data), function() binned_data(data),
                   function() write_letor(data, file))) {
    expect_error(use(), class = "rankmix_error_feature", regexp = "1,200 levels")
  }
  expect_false(file.exists(file))
  expect_no_error(fit(gbrt(trees = 2), data[, "x"]))
})

test_that("logical values are 0 and 1, dates days, times seconds", {
  frame <- data.frame(g = c(0, 1, 2, 0), q = 1, new = c(TRUE, FALSE, NA, TRUE),
                      day = as.Date("1970-01-11") + c(0, 5, NA, 1),
                      time = .POSIXct(c(1.5, 0, 86400, NA), "Asia/Tokyo"))
  data <- ranking_data(frame, g, q)
  expect_identical(data$features, c("new", "day", "time"))
  expect_identical(unname(data$x), cbind(c(1, 0, NA, 1), c(10, 15, NA, 11), c(1.5, 0, 86400, NA)))
  back <- as.data.frame(data)
  expect_identical(back$day, frame$day)
  expect_identical(as.double(back$time), as.double(frame$time))
  frame$time <- as.POSIXlt(frame$time)
  expect_identical(ranking_data(frame, g, q)$x, data$x)
})

test_that("a model of dates accepts dates, and refuses times and numbers", {
  set.seed(4)
  frame <- data.frame(g = rep(0:2, 20), q = rep(1:6, each = 10),
                      day = as.Date("2020-01-01") + sample(900, 60, TRUE), x = rnorm(60))
  data <- ranking_data(frame, g, q)
  model <- fit(adaboost_mh(base_tree(4), rounds = 5), data)
  expect_identical(predict(model, frame), predict(model, data))
  file <- withr::local_tempfile(fileext = ".json")
  write_model(model, file)
  expect_identical(predict(read_model(file), frame), predict(model, data))
  times <- frame
  times$day <- as.POSIXct(frame$day)
  expect_snapshot_error(predict(model, times), class = "rankmix_error_newdata")
  expect_snapshot_error(predict(model, ranking_data(times, g, q)), class = "rankmix_error_newdata")
  numbers <- frame
  numbers$day <- as.double(frame$day)
  expect_snapshot_error(predict(model, numbers), class = "rankmix_error_newdata")
  of_numbers <- fit(adaboost_mh(base_tree(4), rounds = 5), ranking_data(numbers, g, q))
  expect_snapshot_error(predict(of_numbers, frame), class = "rankmix_error_newdata")
})

test_that("features of levels have the same names in every encoding and locale", {
  green <- "gr\u00fcn"
  frame <- function(level) {
    data.frame(g = c(1, 0, 0, 1), q = c(1, 1, 2, 2), colour = factor(c(level, "rot", "rot", level), c(level, "rot")))
  }
  latin1 <- frame(iconv(green, "UTF-8", "latin1"))
  features <- ranking_data(frame(green), g, q)$features
  expect_identical(features, c("colour=gr\u00fcn", "colour=rot"))
  withr::local_locale(c(LC_CTYPE = "C"))
  data <- ranking_data(latin1, g, q)
  expect_identical(charToRaw(data$features[1L]), charToRaw(features[1L]))
  model <- fit(gbrt(trees = 2, min_data_in_leaf = 1), data, threads = 1, verbose = FALSE)
  expect_identical(predict(model, latin1), predict(model, frame(green)))
})
