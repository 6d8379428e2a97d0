selection_data <- function(queries = 120, seed = 1) simulate_ranking(queries, documents = 10, seed = seed)$data

select_small <- function(data, validation, ..., spec = gbrt(30)) {
  select_features(spec, data, validation, ..., patience = 10, seed = 1, threads = 1, verbose = FALSE)
}

test_that("each size is fit() of its features, and the losses are paired", {
  data <- selection_data()
  found <- select_small(data[1:80], data[81:120], drop = 0.4, margin = 0.05)
  metric <- metric_ndcg(10, ties = "average")
  values <- function(features) {
    model <- fit(gbrt(30), data[1:80, features], data[81:120, features], metric, patience = 10, seed = 1,
                 verbose = FALSE)
    evaluate(model, data[81:120, features], metric)$value
  }
  all <- values(data$features)
  for (i in seq_len(nrow(found$steps))) {
    row <- found$steps[i, ]
    left <- setdiff(data$features, head(found$order, length(data$features) - row$features))
    own <- values(left)
    expect_equal(row$value, mean(own))
    expect_equal(row$lost, mean(all - own))
    if (row$se > 0) {
      test <- t.test(all, own, paired = TRUE, mu = 0.05, alternative = "less")
      expect_equal(row$p_noninferior, test$p.value)
      expect_equal(c(row$lower, row$upper), as.vector(t.test(all, own, paired = TRUE, conf.level = 0.9)$conf.int))
    }
  }
  expect_identical(found$steps$features[1L], length(data$features))
  expect_identical(tail(found$steps$features, 1L), 1L)
  expect_setequal(found$order, data$features)
  expect_identical(predict(found, data), predict(found$model, data))
})

test_that("the sequence ends at the first size that is not shown", {
  data <- selection_data()
  sizes <- lapply(4:1, function(k) {
    list(features = letters[seq_len(k)], model = k, milliseconds = 1,
         values = switch(k, rep(0.5, 20) + rep(c(0.01, -0.01), 10), c(0, 1, rep(0.5, 18)), rep(c(0.51, 0.49), 10),
                         rep(0.5, 20)))
  })
  found <- rankmix:::new_selection(list(sizes = sizes, order = letters[4:1]), NULL, metric_ndcg(10), 0.02, 0.05)
  expect_identical(found$steps$enough, c(TRUE, TRUE, FALSE, FALSE))
  # The set of one feature would pass on its own.
  expect_lt(found$steps$p_noninferior[4L], 0.05)
  expect_identical(found$features, c("a", "b", "c"))
})

test_that("features of noise are removed first, and the level holds at the margin", {
  withr::local_seed(2)
  x <- matrix(rnorm(1500 * 6), ncol = 6, dimnames = list(NULL, c(paste0("noise", 1:4), "first", "second")))
  grade <- findInterval(x[, "first"] + x[, "second"] + rnorm(1500, sd = 0.5), c(0, 1.5))
  mixed <- ranking_data(x, grade, rep(1:150, each = 10))
  found <- select_small(mixed[1:100], mixed[101:150], drop = 0.3, margin = 0.03)
  expect_true(all(startsWith(head(found$order, 4L), "noise")))
  expect_setequal(found$features, c("first", "second"))
  # A loss of exactly the margin is accepted with a probability of at most the level.
  withr::local_seed(3)
  times <- repetitions(2000)
  errors <- mean(replicate(times, {
    d <- 0.02 + rnorm(40, sd = 0.1)
    rankmix:::loss_row(d, numeric(40), NULL, 0.02, 0.05)$p_noninferior < 0.05
  }))
  expect_lt(errors, 0.05 + 3 * sqrt(0.05 * 0.95 / times))
})

test_that("a factor is one feature, and weights of queries count", {
  data <- selection_data(60)
  withr::local_seed(1)
  frame <- data.frame(data$x[, 1:3], colour = factor(sample(c("red", "green", "blue"), nrow(data$x), TRUE)),
                      grade = data$relevance, query = data$query, weight = rep(rep_len(1:2, 60), each = 10))
  whole <- ranking_data(frame, grade, query, weight = weight)
  found <- select_small(whole[1:40], whole[41:60], drop = 0.25)
  expect_setequal(found$order, c("signal1", "signal2", "signal3", "colour"))
  expect_identical(found$steps$features, 4:1)
  expect_identical(rankmix:::loss_row(c(1, 0), c(0, 0), c(3, 1), 0.1, 0.05)$lost, 0.75)
})

test_that("a factor without information is removed first", {
  withr::local_seed(1)
  rows <- 40L * 10L
  frame <- data.frame(x = stats::rnorm(rows), query = rep(1:40, each = 10L),
                      colour = factor(sample(c("red", "green", "blue"), rows, TRUE)),
                      size = factor(sample(3L, rows, TRUE), ordered = TRUE))
  frame$grade <- as.integer(frame$x + 0.3 * stats::rnorm(rows) > 0.5)
  data <- ranking_data(grade ~ x + colour + size, frame, query = query)
  found <- select_small(data[1:30], data[31:40], drop = 0.25)
  expect_identical(found$order[3L], "x")
})

test_that("without validation a quarter of the queries is split off, and rankers without rounds work", {
  data <- selection_data(60)
  found <- select_small(data, NULL, spec = linear_ranker(), drop = 0.5)
  expect_identical(found$queries, 15L)
  withr::local_options(width = 80)
  printed <- utils::capture.output(print(found))
  expect_lte(max(nchar(printed)), 80L)
  expect_match(printed[1L], "<rankmix_selection> [0-9]+ of [0-9]+ features are enough, on 15 validation")
  expect_identical(glance(found)$features, length(found$features))
  expect_identical(tidy(found), found$steps)
})

test_that("errors name wrong arguments", {
  data <- selection_data(20)
  expect_snapshot(error = TRUE, {
    select_features(gbrt, data)
    select_features(gbrt(), 3)
    select_features(gbrt(), data, margin = 0)
    select_features(gbrt(), data, drop = 1)
    select_features(gbrt(), data, validation = 3)
    select_features(gbrt(), data, level = 2)
  })
})

test_that("the level and the shuffles are used", {
  data <- selection_data(60)
  data <- data[, data$features[1:8]]
  select <- function(...) select_small(data[1:40], data[41:60], ..., spec = gbrt(10))
  wide <- select(drop = 0.5)
  narrow <- select(drop = 0.5, level = 0.25)
  expect_identical(wide$steps$lost, narrow$steps$lost)
  expect_true(all(narrow$steps$upper[-1L] < wide$steps$upper[-1L]))
  expect_false(identical(select(drop = 0.1, times = 1)$order, select(drop = 0.1, times = 5)$order))
})
