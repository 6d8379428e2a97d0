# Compares two models with given scores on the same data: feature 1, and feature 2 plus `noise`.
changed_models <- function(data = example_part("test"), ..., noise = 0) {
  compare_models(data$x[, 1], data$x[, 2] + noise, data, ..., resamples = 200, seed = 1, threads = 1)
}

test_that("the same model changes nothing", {
  data <- example_part("test")
  # Scores have ties, whose order could depend on the order of rows.
  scores <- round(2 * data$x[, 1])
  for (new in list(scores, 3 * scores - 1)) {
    same <- compare_models(scores, new, data, margin = 0.01, metric = metric_ndcg(10, ties = "average"),
                           resamples = 200, seed = 1, threads = 1)
    expect_identical(same$measures$estimate, c(0, 0, 1))
    expect_identical(c(same$measures$lower, same$measures$upper), c(0, 0, 1, 0, 0, 1))
    expect_true(all(is.na(same$features$correlation)))
    metric <- tidy(same, "metric")
    expect_identical(c(metric$difference, metric$lower, metric$upper), c(0, 0, 0))
    expect_identical(metric$verdict, "non-inferior")
    expect_identical(metric$old, metric$new)
    expect_true(all(tidy(same, "queries")$difference == 0))
  }
})

test_that("models, functions and scores give the same", {
  data <- example_part("test")
  model <- fit(gbrt(trees = 3), example_part("train"), threads = 1, verbose = FALSE)
  compared <- function(...) {
    compare_models(..., data, metric = metric_ndcg(10, ties = "average"), resamples = 100, seed = 1)
  }
  by_model <- compared(model, function(data) data$x[, 1])
  by_scores <- compared(predict(model, data), data$x[, 1], threads = 2)
  expect_identical(by_model, by_scores)
})

test_that("the metric and its test agree with compare_rankers() and equivalence()", {
  data <- example_part("test")
  found <- changed_models(data, margin = 0.02, metric = "ndcg@5")
  compared <- compare_rankers(new = data$x[, 2], old = data$x[, 1], data = data, metric = "ndcg@5", test = "t",
                              adjust = "none", seed = 1)
  tested <- tidy(equivalence(compared, 0.02))
  metric <- tidy(found, "metric")
  expect_identical(metric$difference, compared$pairs$difference)
  expect_identical(c(metric$lower, metric$upper), c(compared$pairs$lower, compared$pairs$upper))
  expect_identical(metric$p_noninferior, tested$p_noninferior)
  expect_equal(metric$new - metric$old, metric$difference)
  values <- evaluate(data$x[, 2], data, "ndcg@5")
  queries <- tidy(found, "queries")
  expect_equal(queries$value_new, values$value[match(queries$query, values$query)])
  expect_equal(mean(queries$difference), metric$difference)
  expect_identical(glance(found)$verdict, metric$verdict)
})

test_that("the verdict depends on the margin and on the direction", {
  verdict <- function(old, new, margin) {
    data <- example_part("test")
    y <- data$relevance
    noise <- sin(seq_along(y))
    compare_models(y + old * noise, y + new * noise, data, margin = margin, resamples = 100,
                   seed = 1)$metric$verdict
  }
  expect_identical(verdict(0, 20, 0.01), "inferior")
  expect_identical(verdict(0, 20, 1), "non-inferior")
  expect_identical(verdict(20, 0, 0.01), "non-inferior")
  expect_identical(verdict(20, 21, 1e-6), "undecided")
})

test_that("queries that do not count have no difference", {
  data <- random_data(queries = 8)
  data$relevance[data$query == 3] <- 0L
  found <- compare_models(data$x[, 1], data$x[, 2], data, metric = metric_ndcg(5, empty = "drop"), resamples = 100)
  queries <- tidy(found, "queries")
  irrelevant <- which(tabulate(data$query[data$relevance > 0], 8) == 0)
  expect_true(3L %in% irrelevant)
  expect_identical(which(is.na(queries$difference)), irrelevant)
  expect_identical(found$metric$queries, 8L - length(irrelevant))
  expect_identical(is.na(queries$changed), rep(FALSE, 8))
})

test_that("without relevance the rankings alone are compared", {
  data <- example_part("test")
  bare <- ranking_data(data$x, query = data$query)
  found <- compare_models(data$x[, 1], data$x[, 2], bare, resamples = 200, seed = 1, threads = 1)
  expect_identical(found$measures, changed_models(data)$measures)
  expect_null(found$metric)
  expect_null(found$queries$difference)
  expect_error(tidy(found, "metric"), "no relevance", class = "rankmix_error_argument")
  expect_identical(glance(found)$metric, NA_character_)
})

test_that("the order of rows changes nothing, and a weight counts copies", {
  data <- random_data(queries = 10, distinct = 4)
  frame <- data.frame(data$x, y = data$relevance, q = data$query)
  compared <- function(frame, weight = NULL) {
    x <- as.matrix(frame[1:4])
    data <- ranking_data(x, frame$y, frame$q, weight = weight)
    compare_models(x[, 1], x[, 2], data, metric = metric_ndcg(5, ties = "average"), resamples = 100, seed = 1)
  }
  plain <- compared(frame)
  mixed <- compared(frame[rev(seq_len(nrow(frame))), ])
  expect_equal(mixed$measures$estimate, plain$measures$estimate)
  expect_equal(mixed$features, plain$features)
  expect_equal(mixed$metric$difference, plain$metric$difference)
  twice <- rbind(frame, transform(frame[frame$q <= 3, ], q = q + 100))
  copies <- compared(twice)
  weighted <- compared(frame, weight = ifelse(frame$q <= 3, 2, 1))
  expect_equal(weighted$measures$estimate, copies$measures$estimate)
  expect_equal(weighted$features$correlation, copies$features$correlation)
  expect_equal(weighted$metric$difference, copies$metric$difference)
})

test_that("a single query has no intervals", {
  data <- random_data(queries = 9)
  one <- data[which.max(tabulate(data$query))]
  found <- compare_models(one$x[, 1], one$x[, 2], one, margin = 0.1, resamples = 100)
  expect_true(all(is.na(found$measures$lower)))
  expect_true(all(is.na(found$features$lower)))
  expect_identical(found$metric$verdict, "undecided")
  expect_output(print(found), "no interval")
  # Queries of weight 0 are left out.
  data$weight <- as.double(data$query_ids == one$query_ids)
  weighted <- compare_models(data$x[, 1], data$x[, 2], data, margin = 0.1, resamples = 100)
  expect_equal(weighted$measures, found$measures)
  expect_equal(weighted$metric, found$metric)
  expect_equal(weighted$features$correlation, found$features$correlation)
  expect_true(all(is.na(weighted$features$lower)))
})

test_that("bad input is refused", {
  data <- example_part("test")
  s <- data$x[, 1]
  expect_snapshot(error = TRUE, {
    compare_models()
    compare_models(s)
    compare_models(s, s)
    compare_models(s, s, data$x)
    compare_models(s, s[-1], data)
    compare_models(gbrt(), s, data)
    compare_models(s, s, data, k = 0)
    compare_models(s, s, data, metric = c("ndcg@5", "ndcg@10"))
    compare_models(s, s, data, margin = 0)
    compare_models(s, s, data, features = "f99")
    compare_models(s, s, data, level = 0.95)
    compare_models(s, s, data, cutoff = 5)
    tidy(changed_models(), "all")
  })
})
