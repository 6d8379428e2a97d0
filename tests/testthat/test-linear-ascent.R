small_data <- function(...) random_data(queries = 12, features = 3, classes = 3, ...)
mean_metric <- function(scores, data, metric) rankmix:::metric_means(metric, scores, data, 1L)

# The midpoints between neighbouring crossings, and points beyond all crossings.
middles <- function(rest, x, query) {
  at <- unlist(lapply(split(seq_along(x), query), function(rows) {
    outer(rest[rows], rest[rows], "-") / -outer(x[rows], x[rows], "-")
  }))
  at <- sort(unique(at[is.finite(at)]))
  wide <- diff(at) > 1e-7
  c((at[-1] + at[-length(at)])[wide] / 2, min(at) - 1, max(at) + 1)
}

test_that("the reported metric agrees with the scores, and rises from sweep to sweep", {
  data <- simulate_ranking(40, features = 6, seed = 1)$data
  parts <- split_parts(split_queries(data, 0.7, seed = 1), data)
  for (metric in list(metric_ndcg(5), metric_err(), metric_average_precision(relevant = 1), metric_precision(3),
                      metric_ndcg(5, ties = "average"), metric_reciprocal_rank(relevant = 2))) {
    model <- fit(coordinate_ascent(metric, restarts = 3), parts$train, parts$test, seed = 1)
    chosen <- glance(model)[glance(model)$chosen, ]
    expect_equal(mean_metric(predict(model, parts$train), parts$train, metric), chosen$training)
    expect_equal(mean_metric(predict(model, parts$test), parts$test, metric), chosen$value)
    expect_equal(chosen$value, max(glance(model)$value))
    expect_equal(summary(evaluate(model, parts$train, metric))$mean, chosen$training)
    for (rises in split(model$curve$value, model$curve$restart)) {
      expect_false(is.unsorted(rises))
    }
    expect_true(all(glance(model)$status %in% c("converged", "stalled")))
  }
})

test_that("no value of a single weight is better, on a dense grid or between any crossings", {
  for (seed in 1:3) {
    data <- small_data(seed = seed)
    for (metric in list(metric_ndcg(5), metric_average_precision(relevant = 1))) {
      model <- fit(coordinate_ascent(metric, restarts = 1), data, seed = seed)
      weights <- coef(model)
      best <- glance(model)$training
      for (j in 1:3) {
        rest <- as.vector(data$x[, -j] %*% weights[-j])
        x <- data$x[, j]
        tries <- c(seq(-5, 5, length.out = 201), middles(rest, x, data$query))
        scores <- outer(x, tries) + rest
        expect_lte(max(mean_metric(scores, data, metric)), best + 1e-9)
      }
    }
  }
})

test_that("only the first start depends on `scale`, and scaled weights sum to 1", {
  data <- small_data()
  sizes <- function(scale) {
    model <- fit(coordinate_ascent(restarts = 1, scale = scale), data, seed = 1)
    s <- switch(scale, none = rep(1, 3), maximum = apply(abs(data$x), 2, max),
                standard = apply(data$x, 2, function(x) sqrt(mean((x - mean(x))^2))))
    sum(abs(coef(model)) * s)
  }
  for (scale in c("none", "maximum", "standard")) expect_equal(sizes(scale), 1)
  # Other units of the features give the same model up to rounding.
  other <- ranking_data(data$x %*% diag(c(1000, 1, 0.01)), data$relevance, data$query)
  one <- fit(coordinate_ascent(restarts = 3), data, seed = 4)
  two <- fit(coordinate_ascent(restarts = 3), other, seed = 4)
  expect_equal(coef(two) * c(1000, 1, 0.01), coef(one), tolerance = 1e-6, ignore_attr = TRUE)
})

test_that("queries of weight 0, or without a value of the metric, have no effect", {
  data <- small_data()
  weight <- rep(c(1, 2, 0), length.out = 12)
  weighted <- ranking_data(data$x, data$relevance, data$query, weight = weight[data$query])
  model <- fit(coordinate_ascent(restarts = 2), weighted, seed = 1)
  scores <- predict(model, weighted)
  expect_equal(max(glance(model)$training), mean_metric(scores, weighted, metric_ndcg(10)))
  none <- data$relevance * (data$query > 3)
  some <- ranking_data(data$x, none, data$query)
  drop <- metric_ndcg(10, empty = "drop")
  dropped <- fit(coordinate_ascent(drop, restarts = 2), some, seed = 1)
  counting <- some[some$query_ids[4:12]]
  expect_equal(max(glance(dropped)$training),
               mean_metric(predict(dropped, counting), counting, drop))
})

test_that("RankLib's steps are another search, with its own settings", {
  data <- small_data(seed = 2)
  model <- fit(coordinate_ascent(restarts = 5, iterations = 25, search = "ranklib",
                                 scale = "none"), data, seed = 1)
  expect_equal(max(glance(model)$training), mean_metric(predict(model, data), data, metric_ndcg(10)))
  expect_gte(max(glance(model)$training), glance(model)$start[1])
  held <- fit(coordinate_ascent(restarts = 1, search = "ranklib", slack = 100), data, seed = 1)
  sizes <- coef(held) * apply(data$x, 2, function(x) sqrt(mean((x - mean(x))^2)))
  expect_equal(unname(sizes), rep(1 / 3, 3), tolerance = 0.05)
  exact <- fit(coordinate_ascent(restarts = 5), data, seed = 1)
  expect_gte(max(glance(exact)$training), max(glance(model)$training))
})

test_that("iterations and a tolerance end a restart early", {
  data <- simulate_ranking(40, features = 8, seed = 3)$data
  short <- fit(coordinate_ascent(restarts = 2, iterations = 1), data, seed = 1)
  expect_identical(glance(short)$sweeps, c(1L, 1L))
  expect_true("limit" %in% glance(short)$status)
  long <- fit(coordinate_ascent(restarts = 2), data, seed = 1)
  loose <- fit(coordinate_ascent(restarts = 2, tolerance = 1), data, seed = 1)
  expect_identical(glance(loose)$sweeps, c(1L, 1L))
  expect_true(all(glance(long)$training >= glance(loose)$training))
})

test_that("coordinate_ascent() is a member of a mixture", {
  data <- simulate_ranking(60, features = 6, seed = 1)$data
  parts <- split_parts(split_queries(data, 0.7, seed = 1), data)
  mixed <- fit(mixture(coordinate_ascent(restarts = 2), linear_ranker(penalty = 0.1),
                       calibrators = calibrator_rbc()), parts$train, parts$test, seed = 1,
               verbose = FALSE)
  expect_true(all(is.finite(predict(mixed, parts$test))))
})

test_that("features and grades without information, and impossible settings, are reported", {
  local_known_warnings("constant")
  data <- small_data()
  constant <- ranking_data(matrix(1, nrow(data$x), 2), data$relevance, data$query)
  model <- fit(coordinate_ascent(restarts = 2), constant, seed = 1)
  expect_identical(unname(coef(model)), c(0, 0))
  expect_identical(glance(model)$status, rep("stalled", 2))
  # All orders have the same recall.
  deep <- fit(coordinate_ascent(metric_recall(1000), restarts = 2), data, seed = 1)
  expect_identical(glance(deep)$status, rep("stalled", 2))
  expect_snapshot(print(deep))
  refused <- function(expr, class) expect_snapshot_error({{ expr }}, class = class)
  refused(fit(coordinate_ascent(metric_precision(5, relevant = 9, empty = "drop")), data),
          "rankmix_error_metric")
  refused(fit(coordinate_ascent(), ranking_data(data$x, 0 * data$relevance, data$query)),
          "rankmix_error_one_grade")
  refused(fit(coordinate_ascent(metric_ndcg(5, ties = "document")), data), "rankmix_error_document")
  custom <- metric_custom("first", function(relevance) relevance[1])
  refused(coordinate_ascent(custom), "rankmix_error_metric")
  refused(coordinate_ascent(slack = 0.1), "rankmix_error_argument")
  refused(coordinate_ascent(restarts = 0), "rankmix_error_argument")
  refused(coordinate_ascent(search = "grid"), "rankmix_error_argument")
  refused(coordinate_ascent(tolerance = -1), "rankmix_error_argument")
})

test_that("a model prints its restarts", {
  parts <- split_parts(split_queries(small_data(), 0.6, seed = 1), small_data())
  expect_snapshot(print(fit(coordinate_ascent(restarts = 3), parts$train, parts$test, seed = 1)))
  expect_snapshot(print(coordinate_ascent(metric_err(), restarts = 5)))
})
