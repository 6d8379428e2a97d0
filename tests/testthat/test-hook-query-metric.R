scored_frame <- function(env = parent.frame()) {
  withr::local_envvar(TZ = "UTC", .local_envir = env)  # a package asks the system for the time zone
  data <- random_data(queries = 20, seed = 6)
  list(data = data, frame = data.frame(grade = data$relevance, score = round(data$x[, 1], 1), day = data$query))
}

test_that("a metric set has the means of evaluate()", {
  made <- scored_frame()
  from_package("yardstick", "metric_set")
  expected <- suppressWarnings(summary(evaluate(made$frame$score, made$data, c("ndcg@3", "ndcg@5", "err"))))
  metrics <- query_metrics(metric_ndcg(c(3, 5)), "err", query = "day")
  found <- metrics(made$frame, grade, score)
  expect_identical(found$.metric, c("ndcg@3", "ndcg@5", "err"))
  expect_identical(found$.estimate, expected$mean)
  expect_identical(unique(found$.estimator), "standard")
  # A truth with its queries needs no query column, and rows may have any order.
  rows <- with_seed(1, sample(nrow(made$frame)))
  frame <- data.frame(truth = query_truth(made$frame$grade, made$frame$day), score = made$frame$score)
  expect_identical(query_metrics("ndcg@3", "err")(frame, truth, score)$.estimate, expected$mean[c(1, 3)])
  untied <- transform(frame, score = made$data$x[, 1])
  expect_equal(query_metrics("err")(untied[rows, ], "truth", "score")$.estimate,
               query_metrics("err")(untied, truth, score)$.estimate, tolerance = 1e-14)
})

test_that("groups, weights, missing scores and other metrics of yardstick are used", {
  made <- scored_frame()
  metric_set <- from_package("yardstick", "metric_set")
  frame <- transform(made$frame, score = made$data$x[, 1], half = day %% 2, weight = day / 10)
  grouped <- query_metrics("ndcg@3", query = "day")(from_package("dplyr", "group_by")(frame, half), grade, score)
  for (half in 0:1) {
    part <- made$data[which(seq_along(made$data$query_ids) %% 2 == half)]
    expect_identical(grouped$.estimate[grouped$half == half],
                     summary(evaluate(frame$score[frame$half == half], part, "ndcg@3"))$mean)
  }
  weighted <- query_metric("ndcg@3", query = "day")(frame, grade, score, case_weights = weight)
  expect_equal(weighted$.estimate, metric_vec("ndcg@3", frame$grade, frame$score, frame$day,
                                               case_weights = frame$weight))
  frame$score[5] <- NA
  expect_identical(query_metric("err", "day")(frame, grade, score)$.estimate,
                   metric_vec("err", frame$grade, frame$score, frame$day, na_rm = TRUE))
  expect_identical(query_metric("err", "day")(frame, grade, score, na_rm = FALSE)$.estimate, NA_real_)
  frame <- made$frame
  frame$grade <- query_truth(frame$grade, frame$day)
  ndcg_3 <- query_metric("ndcg@3", name = "ndcg_3")
  rmse <- from_package("yardstick", "rmse")
  found <- metric_set(ndcg_3, rmse)(frame, grade, score)
  expect_identical(found$.metric, c("ndcg_3", "rmse"))
  expect_equal(found$.estimate[2], sqrt(mean((made$frame$grade - frame$score)^2)))
})

test_that("predictions without queries, and values that are no metric, are reported", {
  frame <- scored_frame()$frame
  from_package("yardstick", "metric_set")
  expect_snapshot(error = TRUE, {
    query_metric("ndcg@10")(frame, grade, score)
    query_metric("ndcg@10", query = "dya")(frame, grade, score)
    query_metric(metric_ndcg(1:2))
    query_metric("ndcg@10", query = 3)
    query_metric()
    query_metrics()
    query_metrics("ndcg@3", "ndcg@3")
  })
})
