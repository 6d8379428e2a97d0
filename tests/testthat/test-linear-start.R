data <- simulate_ranking(20, features = 5, seed = 1)$data
data <- ranking_data(ifelse(is.na(unname(data$x)), 0, data$x), data$relevance, data$query)

test_that("a start that is no linear ranker, or not of these features, is reported", {
  refuse <- function(code) expect_snapshot_error(code, class = "rankmix_error_start")
  refuse(smoothrank(start = gbrt()))
  refuse(smoothrank(start = fit(gbrt(2), data)))
  refuse(smoothrank(centre = linear_ranker()))
  refuse(fit(smoothrank(start = 1:3), data))
  refuse(fit(smoothrank(centre = 1:6), data))
  other <- ranking_data(data$x[, 1:3], data$relevance, data$query)
  refuse(fit(smoothrank(start = fit(linear_ranker(penalty = 1), other)), data))
})

test_that("a ranker as start is trained on the given part of the queries", {
  task <- rankmix:::new_task(data, 1, 1L)
  start_of <- rankmix:::start_weights(linear_ranker(penalty = 0.5), task)
  all <- start_of(data)
  expect_identical(all, fit(linear_ranker(penalty = 0.5), data)$weights)
  half <- data[data$query_ids[data$query_ids %% 2 == 0]]
  expect_identical(start_of(half), fit(linear_ranker(penalty = 0.5), half)$weights)
  fixed <- rankmix:::start_weights(c(1, 2, 3, 4, 5), task)
  expect_identical(fixed(half), c(1, 2, 3, 4, 5))
})

test_that("models of any linear ranker are starts by their weights", {
  for (spec in list(linear_ranker(penalty = c(0.1, 1)), ranksvm(0.1),
                    coordinate_ascent(restarts = 1, iterations = 2),
                    smoothrank(penalty = 1, schedule = 1))) {
    model <- fit(spec, data, seed = 1, verbose = FALSE)
    started <- fit(smoothrank(start = model, penalty = 1, schedule = 1), data)
    expect_identical(started$start, as.double(model$weights))
  }
})
