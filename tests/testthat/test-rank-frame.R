sessions <- function(queries = 60, seed = 1) {
  data <- simulate_ranking(queries, documents = 8, seed = seed)$data
  data.frame(data$x[, 1:6], grade = data$relevance, session = paste0("s", data$query), day = data$query %/% 5)
}

frame_result <- function(frame, ..., ranker = gbrt(20)) {
  rank_frame(grade ~ ., frame, query = session, ..., ranker = ranker, seed = 3, threads = 1, verbose = FALSE)
}

test_that("the call is the same as its steps", {
  frame <- sessions()
  found <- frame_result(frame[setdiff(names(frame), "day")])
  data <- ranking_data(grade ~ ., frame[setdiff(names(frame), "day")], query = session)
  ids <- lapply(found[c("train", "validation", "held_out")], function(part) part$query_ids)
  expect_identical(lengths(ids), c(train = 36L, validation = 9L, held_out = 15L))
  expect_setequal(unlist(ids), unique(frame$session))
  metric <- metric_ndcg(10, ties = "average")
  model <- fit(gbrt(20), data[ids$train], data[ids$validation], metric, seed = found$model$seed, verbose = FALSE)
  expect_identical(found$model, model)
  own <- summary(evaluate(model, data[ids$held_out], metric))
  row <- found$test[found$test$ranker == "model", ]
  expect_equal(unlist(row[c("mean", "se", "lower", "upper")]), unlist(own[c("mean", "se", "lower", "upper")]))
  expect_identical(predict(found, data), predict(model, data))
  scored <- augment(found, frame[setdiff(names(frame), "day")])
  expect_equal(scored$.score, predict(model, data))
  expect_equal(scored$.rank, ave(-scored$.score, frame$session, FUN = function(s) rank(s, ties.method = "first")))
})

test_that("a data frame that is sorted by grade gives the same value", {
  frame <- sessions()
  frame$signal1 <- round(frame$signal1)
  sorted <- frame[order(-frame$grade), ]
  found <- list(frame_result(frame, time = day), frame_result(sorted, time = day))
  expect_equal(found[[1L]]$test, found[[2L]]$test)
  expect_equal(found[[1L]]$test$mean[2L], found[[2L]]$test$mean[2L])
})

test_that("with a time, the test queries are the latest, validation queries come before, and the time is no feature", {
  frame <- sessions()
  frame <- frame[sample.int(nrow(frame)), ]
  found <- frame_result(frame, time = day)
  expect_false("day" %in% found$train$features)
  days <- function(part) frame$day[frame$session %in% part$query_ids]
  expect_lt(max(days(found$train)), min(days(found$validation)))
  expect_lt(max(days(found$validation)), min(days(found$held_out)))
  expect_lte(length(found$held_out$query_ids), 15L)
  expect_no_warning(predict(found, frame))
  # The time may be a date or an expression of the column, with the same split.
  dated <- frame
  dated$day <- as.Date("2024-01-01") + frame$day
  expect_identical(frame_result(dated, time = day)$held_out$query_ids, found$held_out$query_ids)
  expect_identical(frame_result(dated, time = as.Date(day))$held_out$query_ids, found$held_out$query_ids)
  # The time may be the query itself.
  by_day <- rank_frame(grade ~ . - session, frame, query = day, time = day, ranker = gbrt(10), seed = 1,
                       threads = 1, verbose = FALSE)
  expect_lt(max(by_day$train$query_ids), min(by_day$held_out$query_ids))
})

test_that("a relevance that is not graded is ranked", {
  frame <- sessions()
  frame$grade <- frame$grade + round(runif(nrow(frame)), 3) / 10
  found <- rank_frame(grade ~ . - day, frame, query = session, seed = 1, threads = 1, verbose = FALSE)
  expect_identical(found$model$spec$objective$name, "pairwise")
  expect_gt(found$test$mean[found$test$ranker == "model"], 0.5)
})

test_that("rankers without choices train on all queries that do not test", {
  none <- new_ranker("first_column", train = function(spec, task) 1, predict = function(model, x) x[, 1])
  found <- frame_result(sessions(), ranker = none())
  expect_null(found$validation)
  expect_length(found$train$query_ids, 45L)
})

test_that("the default is a mixture of the default members", {
  skip_on_cran()
  found <- rank_frame(grade ~ . - day, sessions(40), query = session, seed = 1, threads = 2, verbose = FALSE)
  expect_s3_class(found$model, "rankmix_mixture")
  expect_output(print(found), "Mixture: 0[.]")
})

test_that("print and glance show the test", {
  found <- frame_result(sessions(), time = day)
  withr::local_options(width = 80)
  expect_snapshot(print(found))
  row <- glance(found)
  expect_equal(row$mean, found$test$mean[found$test$ranker == "model"])
  expect_equal(row$difference, row$mean - found$test$mean[found$test$ranker == "best feature"])
  expect_true(row$difference_lower < row$difference && row$difference < row$difference_upper)
  expect_identical(tidy(found), found$test)
  verdict_of <- function(differences) {
    values <- cbind(model = 0.5 + differences, `best feature` = 0.5)
    rankmix:::frame_verdict(compare_rankers(values, metric = "ndcg@10", control = "best feature", seed = 1))
  }
  expect_match(verdict_of(c(-2, 1, 3, -1, 2, -3, 1, -1) / 10), "do not show")
  expect_match(verdict_of((1:8) / 20), "The model ranks better.")
  expect_match(verdict_of(-(1:8) / 20), "The best feature ranks better.")
  expect_match(verdict_of(1:5 / 20), "Difference: +0.1500, no interval. The test queries do not show", fixed = TRUE)
})

test_that("the interval of the difference belongs to the test of the verdict", {
  # Many small losses and a large one: the sign flips find a difference, and the t interval contains 0.
  comparison <- compare_rankers(cbind(model = 0.5 - c(1:13, 0, 90) / 1000, `best feature` = 0.5), metric = "ndcg@10",
                                control = "best feature", seed = 1)
  pair <- comparison$pairs
  expect_gt(pair$upper, 0)
  expect_identical(pair$verdict, "worse")
  text <- rankmix:::frame_verdict(comparison)
  expect_match(text, sprintf("interval %+.4f to %+.4f. The best feature ranks better.", pair$sim_lower, pair$sim_upper),
               fixed = TRUE)
  expect_lt(pair$sim_upper, 0)
  found <- frame_result(sessions(), time = day)
  expect_identical(unlist(glance(found)[c("difference_lower", "difference_upper")], use.names = FALSE),
                   unlist(found$comparison$pairs[c("sim_lower", "sim_upper")], use.names = FALSE))
})

test_that("errors name wrong arguments", {
  frame <- sessions(12)
  frame$flat <- 1
  expect_snapshot(error = TRUE, {
    rank_frame(~., frame, query = session)
    rank_frame(grade ~ ., as.matrix(frame), query = session)
    rank_frame(grade ~ ., frame)
    rank_frame(grade ~ ., frame, query = sesion)
    rank_frame(grade ~ ., frame, query = session, test = 2)
    rank_frame(grade ~ ., frame, query = session, ranker = gbrt)
    rank_frame(grade ~ ., frame, query = session, time = flat)
    rank_frame(grade ~ ., frame, query = session, time = session)
    rank_frame(grade ~ ., frame[frame$day == 0, ], query = session)
  })
})

test_that("the fraction that tests, the metric and the report are used", {
  frame <- sessions(40)
  found <- frame_result(frame, test = 0.5, metric = "precision@3")
  expect_length(found$held_out$query_ids, 20L)
  expect_match(found$test$metric[1L], "precision@3")
  expect_identical(found$difference[c("a", "b")], data.frame(a = "model", b = "best feature"))
  skip_if_not(rlang::is_installed(c("rmarkdown", "ggplot2")) && rmarkdown::pandoc_available("1.12.3"))
  skip_on_cran()
  page <- withr::local_tempfile(fileext = ".html")
  frame_result(frame, report = page)
  expect_true(any(grepl("Test of a ranker", readLines(page, warn = FALSE), fixed = TRUE)))
})

test_that("ten queries suffice, and too few that can choose are an error of rank_frame()", {
  for (queries in 10:13) {
    frame <- sessions(queries, seed = 2)
    found <- frame_result(frame[setdiff(names(frame), "day")], ranker = gbrt(3, min_data_in_leaf = 2))
    expect_gte(length(found$validation$query_ids), 2L)
    expect_identical(length(found$train$query_ids) + length(found$validation$query_ids) +
                       length(found$held_out$query_ids), queries)
  }
  frame$grade <- as.integer(frame$session == "s1" & seq_along(frame$session) %% 2 == 0)
  expect_error(frame_result(frame[setdiff(names(frame), "day")]), "validation queries cannot choose",
               class = "rankmix_error_argument")
})
