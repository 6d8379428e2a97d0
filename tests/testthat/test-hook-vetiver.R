# A data frame with a column of each type, and a model trained on it.
served_frame <- function() {
  withr::local_seed(3)
  rows <- 120
  frame <- data.frame(price = rnorm(rows), stock = sample(9L, rows, TRUE), new = sample(c(TRUE, FALSE), rows, TRUE),
                      brand = factor(sample(c("a", "b", "c"), rows, TRUE)),
                      size = factor(sample(c("s", "m", "l"), rows, TRUE), c("s", "m", "l"), ordered = TRUE),
                      listed = as.Date("2026-01-01") + sample(90, rows, TRUE),
                      seen = as.POSIXct("2026-03-01", tz = "UTC") + sample(1e6, rows),
                      query = rep(1:12, each = 10))
  frame$price[4] <- NA
  frame$grade <- pmax(0, pmin(2, round(frame$price + (frame$brand == "a") + frame$stock / 9)))
  frame$grade[is.na(frame$grade)] <- 0
  frame
}

served_model <- function(frame = served_frame()) {
  fit(gbrt(10, num_leaves = 6, min_data_in_leaf = 1), ranking_data(frame, relevance = grade, query = query),
      seed = 1, threads = 1)
}

features_of <- function(frame) frame[setdiff(names(frame), c("query", "grade"))]

# The data that a server receives from the JSON of a request.
as_request <- function(frame, ...) {
  skip_if_not_installed("jsonlite")
  list(body = jsonlite::fromJSON(jsonlite::toJSON(frame, digits = NA, ...)))
}

answer <- function(model, body) answer_request(model, body, request_columns(model), list())

test_that("a request of each type of column has the scores of predict(), in its order", {
  frame <- served_frame()
  model <- served_model(frame)
  rows <- c(31:40, 4)
  scores <- predict(model, features_of(frame)[rows, ])
  body <- as_request(features_of(frame)[rows, ])$body
  expect_type(body$listed, "character")
  found <- answer(model, body)
  expect_identical(names(found), c(".score", ".rank"))
  expect_equal(found$.score, scores, tolerance = 1e-14)
  expect_identical(found$.rank, rank(-scores, ties.method = "first"))
  # Additional columns and another column order make no difference.
  body$title <- "x"
  expect_identical(answer(model, body[rev(names(body))]), found)
})

test_that("missing values are null, NA or absent", {
  frame <- features_of(served_frame())[1:3, ]
  model <- served_model()
  frame$price[2] <- NA
  frame$brand[3] <- NA
  scores <- predict(model, frame)
  for (na in c("null", "string")) {
    expect_equal(answer(model, as_request(frame, na = na)$body)$.score, scores, tolerance = 1e-14)
  }
  skip_if_not_installed("jsonlite")
  texts <- vapply(1:3, function(i) {
    sub("]$", "", sub("^\\[", "", jsonlite::toJSON(frame[i, !is.na(frame[i, ])], digits = NA)))
  }, "")
  body <- jsonlite::fromJSON(sprintf("[%s]", paste(texts, collapse = ",")))
  expect_equal(answer(model, body)$.score, scores, tolerance = 1e-14)
})

test_that("times have an offset from UTC, and each value has its own form", {
  column <- as.POSIXct(character(), tz = "UTC")
  times <- function(text) request_column(text, column, "seen")
  expected <- as.POSIXct("2026-03-01 23:30:00", tz = "UTC")
  for (text in c("2026-03-01T23:30:00Z", "2026-03-01T23:30Z", "2026-03-01 23:30:00.000", "2026-03-02T01:30:00+02:00",
                 "2026-03-01T18:00:00-05:30", "2026-03-01T21:30-0200", "2026-03-02T00:30:00+01")) {
    expect_equal(times(text), expected, label = text)
  }
  midnight <- as.POSIXct("2026-03-01", tz = "UTC")
  expect_equal(times(c("2026-03-01", NA, "2026-03-01T23:30:00Z")), midnight + c(0, NA, 84600))
  expect_length(times(character()), 0L)
  dates <- function(text) request_column(text, as.Date(character()), "listed")
  expect_equal(dates(c("2026-03-01", NA, "2026-03-01T23:30:00Z")), as.Date("2026-03-01") + c(0, NA, 0))
  for (text in c("01-03-2026", "2026-03-01x", "2026-02-30", "2026/03/01")) {
    expect_error(dates(text), "`listed` of document 1 cannot be read", class = "rankmix_error_newdata", label = text)
  }
  for (text in c("2026-03-01T23", "2026-03-01T23:30:00 CET", "2026-03-01T25:00:00Z", "23:30:00")) {
    expect_error(times(text), "`seen` of document 1 cannot be read", class = "rankmix_error_newdata", label = text)
  }
})

test_that("a level named NA, or of no letters, is not missing", {
  data <- expand.grid(query = 1:15, country = c("NA", "US", "", "DE"), KEEP.OUT.ATTRS = FALSE)
  data$grade <- c(2, 0, 1, 0)[data$country]
  model <- fit(gbrt(10, num_leaves = 4, min_data_in_leaf = 2), ranking_data(data, relevance = grade, query = query),
               seed = 1, threads = 1)
  rows <- data["country"][data$query == 1, , drop = FALSE]
  scores <- predict(model, rows)
  expect_false(anyDuplicated(round(scores[1:3], 6)) > 0L)
  expect_equal(answer(model, as_request(rows)$body)$.score, scores, tolerance = 1e-14)
})

test_that("requests with one document, an empty query and a new level get a response", {
  frame <- features_of(served_frame())
  model <- served_model()
  one <- as.list(as_request(frame[7, ])$body)
  one["stock"] <- list(NULL)
  expect_identical(answer(model, one), answer(model, within(as_request(frame[7, ])$body, stock <- NA)))
  expect_identical(nrow(answer(model, one)), 1L)
  expect_identical(answer(model, list()), data.frame(.score = numeric(), .rank = integer()))
  body <- as_request(frame[1:2, ])$body
  body$brand <- c("a", "zz")
  body$brand[2] <- NA
  expected <- answer(model, body)
  body$brand[2] <- "zz"
  expect_warning(found <- answer(model, body), class = "rankmix_warning_newdata")
  expect_identical(found, expected)
})

test_that("the error for a request that cannot be scored gives the reason", {
  frame <- features_of(served_frame())[1:2, ]
  model <- served_model()
  body <- as_request(frame)$body
  expect_snapshot(error = TRUE, {
    answer(model, body[setdiff(names(body), "price")])
    answer(model, within(body, price <- c("1", "cheap")))
    answer(model, within(body, listed <- c("2026-01-31", "31 January")))
    answer(model, within(body, stock <- I(list(1, 2:3))))
    answer(model, 1:3)
    answer(model, data.frame(title = "x"))
  })
  expect_snapshot_error(answer_request(model, body, request_columns(model), list(rounds = 1:2)),
                        class = "rankmix_error_argument")
})

test_that("a request has the columns of the training data", {
  frame <- served_frame()
  ptype <- vetiver_ptype.rankmix_ranker(served_model(frame))
  expected <- features_of(frame)[0, ]
  expected[c("stock", "new")] <- list(double(), double())
  expect_identical(ptype, expected, ignore_attr = "row.names")
  data <- random_data(queries = 12, features = 3)
  mixed <- suppressWarnings(tune_and_mix(data, data, list(gbrt(5), adaboost_mh(base_stump(), 5)), seed = 1,
                                         verbose = FALSE))
  expect_named(vetiver_ptype.rankmix_ranker(mixed), data$features)
  named <- stats::setNames(as.data.frame(data$x), data$features)
  expect_identical(answer(mixed, named)$.score, predict(mixed, data))
  calibrated <- suppressWarnings(calibrate(fit(gbrt(5), data), data, calibrator_probability()))
  expect_named(vetiver_ptype.rankmix_ranker(calibrated), data$features)
  classes <- suppressWarnings(calibrate(fit(adaboost_mh(base_stump(), 5), data), data, calibrator_naive()))
  expect_identical(answer(classes, named)$.score, predict(classes, data))
  feature <- fit(best_feature(), data)
  expect_identical(answer(feature, named)$.score, predict(feature, data))
})

test_that("a path without a chosen model, and unknown features, are reported", {
  data <- random_data(queries = 12, features = 3)
  path <- fit(mcsvm(c(0.01, 1)), data)
  expect_error(vetiver_prepare_model.rankmix_ranker(path), class = "rankmix_error_path")
  expect_snapshot_error(vetiver_ptype.rankmix_ranker(structure(list(), class = "rankmix_ranker")),
                        class = "rankmix_error_newdata")
})

# Runs `plumber.R` of a folder in another process, and returns the server's address.
local_server <- function(folder, env = parent.frame()) {
  port <- from_package("httpuv", "randomPort")()
  server <- callr::r_bg(function(folder, port) {
    setwd(folder)
    plumber <- asNamespace("plumber")
    plumber$pr_run(plumber$plumb("plumber.R"), host = "127.0.0.1", port = port, docs = FALSE, quiet = TRUE)
  }, list(folder, port), stderr = file.path(folder, "log"), libpath = .libPaths())
  withr::defer(server$kill(), envir = env)
  address <- sprintf("http://127.0.0.1:%d", port)
  for (i in 1:200) {
    there <- suppressWarnings(tryCatch(readLines(paste0(address, "/ping"), warn = FALSE), error = function(e) NULL))
    if (!is.null(there)) return(address)
    if (!server$is_alive()) stop(paste(readLines(file.path(folder, "log")), collapse = "\n"))
    Sys.sleep(0.1)
  }
  stop("The server does not answer.")
}

test_that("vetiver's files serve a pinned model over HTTP", {
  vetiver_model <- from_package("vetiver", "vetiver_model")
  for (package in c("plumber", "httpuv", "pins", "httr2", "callr", "jsonlite")) skip_if_not_installed(package)
  frame <- served_frame()
  model <- served_model(frame)
  made <- vetiver_model(model, "search")
  expect_match(made$description, "A ranker of query-document pairs (gbrt(trees = 10", fixed = TRUE)
  expect_identical(made$metadata$required_pkgs, "rankmix")
  expect_identical(predict(made, features_of(frame)), predict(model, features_of(frame)))
  folder <- withr::local_tempdir()
  board <- from_package("pins", "board_folder")(file.path(folder, "models"))
  suppressMessages(from_package("vetiver", "vetiver_pin_write")(board, made))
  from_package("vetiver", "vetiver_write_plumber")(board, "search", file = file.path(folder, "plumber.R"))
  expect_match(paste(readLines(file.path(folder, "plumber.R")), collapse = "\n"), "library(rankmix)", fixed = TRUE)
  address <- local_server(folder)
  post <- function(body) {
    request <- getExportedValue("httr2", "request")(paste0(address, "/predict"))
    request <- getExportedValue("httr2", "req_body_raw")(request, body, "application/json")
    request <- getExportedValue("httr2", "req_error")(request, is_error = function(response) FALSE)
    response <- getExportedValue("httr2", "req_perform")(request)
    list(status = getExportedValue("httr2", "resp_status")(response),
         body = jsonlite::fromJSON(getExportedValue("httr2", "resp_body_string")(response)))
  }
  for (query in c(1, 5)) {
    rows <- features_of(frame)[frame$query == query, ]
    found <- post(jsonlite::toJSON(rows, digits = NA))
    scores <- predict(model, rows)
    expect_identical(found$status, 200L)
    expect_equal(found$body$.score, scores, tolerance = 1e-13)
    expect_identical(found$body$.rank, rank(-scores, ties.method = "first"))
  }
  expect_identical(post("[]")$body, list())
  wrong <- post(jsonlite::toJSON(rows[-1]))
  expect_identical(wrong$status, 400L)
  expect_match(wrong$body$message, "Missing: `price`")
  skip_if_not_installed("httr")
  # vetiver's client rounds numbers to four decimals.
  short <- within(rows, price <- round(price, 4))
  endpoint <- from_package("vetiver", "vetiver_endpoint")(paste0(address, "/predict"))
  expect_equal(predict(endpoint, short)$.score, predict(model, short), tolerance = 1e-13)
})

test_that("the container file installs the packages of the server file, and copies its files", {
  folder <- system.file("vetiver", package = "rankmix")
  file <- readLines(file.path(folder, "Dockerfile"))
  server <- readLines(file.path(folder, "plumber.R"))
  attached <- sub("^library\\((.*)\\)$", "\\1", grep("^library", server, value = TRUE))
  installed <- paste(grep("install", file, value = TRUE), collapse = " ")
  for (package in setdiff(attached, "rankmix")) expect_match(installed, sprintf("r-cran-%s|\"%s\"", package, package))
  expect_match(installed, "rankmix_*.tar.gz", fixed = TRUE)
  copied <- unlist(strsplit(sub("^COPY +", "", grep("^COPY", file, value = TRUE)), " +"))
  expect_true(all(c("plumber.R", "models", "rankmix_*.tar.gz") %in% copied))
})

test_that("the server file of the container serves a model of its folder", {
  for (package in c("vetiver", "plumber", "httpuv", "pins", "callr", "jsonlite")) skip_if_not_installed(package)
  skip_if_not_installed("httr")
  folder <- withr::local_tempdir()
  file.copy(system.file("vetiver", "plumber.R", package = "rankmix"), folder)
  frame <- served_frame()
  model <- served_model(frame)
  board <- from_package("pins", "board_folder")(file.path(folder, "models"))
  suppressMessages(from_package("vetiver", "vetiver_pin_write")(board, from_package("vetiver", "vetiver_model")(
    model, "ranker"
  )))
  rows <- within(features_of(frame)[frame$query == 3, ], price <- round(price, 4))
  endpoint <- from_package("vetiver", "vetiver_endpoint")(paste0(local_server(folder), "/predict"))
  expect_equal(predict(endpoint, rows)$.score, predict(model, rows), tolerance = 1e-13)
})

test_that("a ranker that scores documents together gets the request as a query", {
  frame <- served_frame()
  data <- ranking_data(frame, relevance = grade, query = query)
  cheap <- gbrt(5, num_leaves = 4, min_data_in_leaf = 1)
  staged <- fit(cascade(cheap, gbrt(10, num_leaves = 6, min_data_in_leaf = 1), keep = 4), data, seed = 1)
  mixed <- mix(list(staged = staged, cheap = fit(cheap, data)), data, seed = 1)
  sure <- suppressWarnings(calibrate(staged, data, calibrator_probability()))
  for (model in list(staged, mixed, sure)) {
    expect_named(vetiver_ptype.rankmix_ranker(model), setdiff(names(frame), c("query", "grade")))
    rows <- which(frame$query == 3)
    found <- answer(model, as_request(features_of(frame)[rows, ])$body)
    expect_equal(found$.score, predict(model, data)[data$query == 3], tolerance = 1e-14)
  }
})

test_that("a mixture of features or scores standardized by query gets the request as a query", {
  frame <- served_frame()
  frame$price[is.na(frame$price)] <- 0
  data <- ranking_data(frame, relevance = grade, query = query)
  mixed <- function(...) {
    tune_and_mix(data, NULL, list(gbrt(5, num_leaves = 4, min_data_in_leaf = 1), linear_ranker(penalty = 1)), ...,
                 seed = 1, verbose = FALSE)
  }
  rows <- which(frame$query == 3)
  for (model in list(mixed(grid = mix_grid(features = "standardized")), mixed(weights = mix_weights(standardize = "query")))) {
    found <- answer(model, as_request(features_of(frame)[rows, ])$body)
    expect_equal(found$.score, predict(model, data)[data$query == 3], tolerance = 1e-12)
  }
})
