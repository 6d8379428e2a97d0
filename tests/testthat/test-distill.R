distill_data <- function(seed = 4, queries = 60) {
  simulate_ranking(queries, features = 6, seed = seed)$data
}

teacher <- function(data) {
  fit(gbrt(30, num_leaves = 8, min_data_in_leaf = 5), data, seed = 1, verbose = FALSE, threads = 1)
}

test_that("fit() trains the same student on the scores as grades", {
  local_known_warnings("ties")
  data <- distill_data()
  valid <- data[seq(41, 60)]
  train <- data[seq(1, 40)]
  grades <- function(data) as.double(data$relevance)
  for (into in list(gbrt(5, num_leaves = 4), linear_ranker(penalty = 0.1), m5p(min_data_in_split = 20))) {
    distilled <- distill(grades, train, into, valid, seed = 3, threads = 1, verbose = FALSE)
    own <- into
    if ("objective" %in% names(own)) own$objective <- loss_squared("grade")
    expected <- fit(own, train, seed = 3, threads = 1, verbose = FALSE)
    expect_identical(predict(distilled, valid), predict(expected, valid))
    expect_identical(predict(distilled$student, valid), predict(distilled, valid))
  }
})

test_that("the report agrees with the comparison", {
  local_known_warnings("ties")
  data <- distill_data()
  train <- data[seq(1, 40)]
  valid <- data[seq(41, 60)]
  model <- teacher(distill_data(5))
  metrics <- list(metric_ndcg(5), metric_err())
  distilled <- distill(model, train, gbrt(5, num_leaves = 4), valid, metrics, level = 0.9,
                       seed = 3, threads = 1, verbose = FALSE)
  report <- tidy(distilled)
  expect_identical(report$metric, c("ndcg@5", "err"))
  for (i in 1:2) {
    per_query <- function(ranker) evaluate(ranker, valid, metrics[[i]])$value
    own <- per_query(model)
    student <- per_query(distilled$student)
    expect_equal(report$model[i], mean(own), tolerance = 1e-14)
    expect_equal(report$student[i], mean(student), tolerance = 1e-14)
    # Differences are rounded to 12 digits.
    expect_equal(report$lost[i], mean(own - student), tolerance = 1e-10)
    expect_equal(report$p[i], stats::t.test(own - student)$p.value, tolerance = 1e-10)
    expect_identical(report$queries[i], 20L)
  }
  expect_true(all(report$lower <= report$lost & report$lost <= report$upper))
  # From the student's side, the interval has the opposite signs.
  compared <- compare_rankers(student = distilled$student, model = model, data = valid,
                              metric = metrics, level = 0.1, seed = 3)
  expect_equal(report$lower, -compared$pairs$upper, tolerance = 1e-12)
  by_query <- summary(distilled)
  expect_identical(nrow(by_query), 20L)
  expect_false(is.unsorted(-by_query$lost))
  expect_equal(mean(by_query$lost), report$lost[1], tolerance = 1e-10)
})

naive_order <- function(a, b, data) {
  fractions <- vapply(seq_along(data$query_ids), function(q) {
    rows <- which(data$query == q)
    kept <- 0
    all <- 0
    for (i in rows) {
      for (j in rows) {
        if (a[i] > a[j]) {
          all <- all + 1
          kept <- kept + (b[i] > b[j]) + (b[i] == b[j]) / 2
        }
      }
    }
    kept / all
  }, 0)
  weight <- if (is.null(data$weight)) rep(1, length(fractions)) else data$weight
  stats::weighted.mean(fractions[!is.nan(fractions)], weight[!is.nan(fractions)])
}

test_that("pairs in order are those that a loop counts", {
  data <- distill_data(queries = 12)
  shuffled <- withr::with_seed(1, sample(nrow(data)))
  mixed <- ranking_data(data$x[shuffled, ], data$relevance[shuffled], data$query[shuffled])
  weighted <- ranking_data(data$x, data$relevance, data$query, weight = data$query)
  for (own in list(data, mixed, weighted)) {
    a <- withr::with_seed(2, round(stats::rnorm(nrow(own)), 1))
    b <- withr::with_seed(3, round(a + stats::rnorm(nrow(own)), 1))
    # The model has equal scores for all documents of this query.
    a[own$query == 3L] <- 1
    expect_equal(same_order(a, b, own), naive_order(a, b, own), tolerance = 1e-14)
    expect_identical(same_order(a, 2 * a, own), 1)
    expect_identical(same_order(a, -a, own), 0)
    expect_equal(same_order(a, b, own, max_pairs = 50), naive_order(a, b, own), tolerance = 1e-14)
  }
  expect_identical(same_order(0 * a, b, data), NaN)
})

test_that("a fraction of the queries is held out, and grades teach nothing", {
  local_known_warnings("ties")
  data <- distill_data()
  model <- teacher(distill_data(5))
  distilled <- distill(model, data, gbrt(5, num_leaves = 4), fraction = 0.75, seed = 3,
                       threads = 1, verbose = FALSE)
  expect_identical(glance(distilled)$held_out, 15L)
  expect_identical(glance(distilled)$queries, 45L)
  parts <- split_parts(split_queries(data, 0.75, seed = 3), data)
  by_parts <- function(train) {
    distill(model, train, gbrt(5, num_leaves = 4), parts$test, seed = 3, threads = 1,
            verbose = FALSE)
  }
  again <- by_parts(parts$train)
  expect_identical(predict(again, data), predict(distilled, data))
  expect_identical(tidy(again), tidy(distilled))
  train <- parts$train
  unjudged <- by_parts(ranking_data(train$x, query = train$query_ids[train$query]))
  expect_identical(predict(unjudged, data), predict(distilled, data))
  expect_identical(tidy(unjudged), tidy(distilled))
})

test_that("a mixture is written to another format through a student", {
  local_known_warnings("ties")
  data <- distill_data()
  mixture <- fit(mixture(adaboost_mh(base_stump(), 5), linear_ranker(penalty = 0.1)), data[seq(1, 40)],
                 data[seq(41, 60)], seed = 1, threads = 1, verbose = FALSE)
  file <- withr::local_tempfile()
  error <- expect_error(write_model(mixture, file, "lightgbm"), class = "rankmix_error_format")
  expect_match(conditionMessage(error), "distill()", fixed = TRUE)
  distilled <- distill(mixture, data[seq(1, 40)], gbrt(20, num_leaves = 4), data[seq(41, 60)], seed = 1,
                       threads = 1, verbose = FALSE)
  expect_gt(distilled$same_order, 0.7)
  write_model(distilled, file, "lightgbm")
  other <- withr::local_tempfile()
  write_model(distilled$student, other, "lightgbm")
  expect_identical(readLines(file), readLines(other))
})

test_that("print() shows the result", {
  local_known_warnings("ties")
  data <- distill_data()
  model <- teacher(distill_data(5))
  distilled <- distill(model, data, linear_ranker(penalty = 0.1), metric = list(metric_ndcg(5), metric_err()), seed = 3,
                       threads = 1, verbose = FALSE)
  expect_snapshot({
    distilled
    glance(distilled)
    names(tidy(distilled))
    names(summary(distilled))
  })
})

test_that("bad input is an error with a remedy", {
  local_known_warnings("ties")
  data <- distill_data()
  model <- teacher(distill_data(5))
  flat <- ranking_data(data$x, rep(1, nrow(data)), data$query)
  train <- ranking_data(data$x, query = data$query)
  expect_snapshot(error = TRUE, {
    distill(model)
    distill(model, data, lambdamart())
    distill(model, data, model)
    distill(model, train)
    distill(model, flat, seed = 1)
    suppressWarnings(distill(model, data, validation = flat, seed = 1))
    distill(model, data, level = 0)
    distill(model, data, fraction = 1, seed = 1)
    distill(model, data, fraction = 2)
    distill(model, data, metrics = "err")
    distill(data$relevance, data, seed = 1)
    distill(function(data) data$x[, 1] / 0, data, seed = 1)
    distill(function(data) numeric(nrow(data)), data, seed = 1, verbose = FALSE)
    distill(function(data) 1, data, seed = 1)
    predict(distill(model, data, gbrt(2, num_leaves = 2), metric = metric_ndcg(10, ties = "average"),
                    seed = 1, verbose = FALSE))
  })
  expect_warning(distill(model, data, gbrt(2, num_leaves = 2), data, seed = 1,
                         verbose = FALSE), class = "rankmix_warning_overlap")
})
