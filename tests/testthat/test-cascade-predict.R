simulated <- simulate_ranking(50, documents = 15, features = 6, seed = 5)$data
parts <- split_parts(split_queries(simulated, 0.6, seed = 1), simulated)
spec <- cascade(linear_ranker(penalty = 1), gbrt(15, num_leaves = 4), gbrt(15, num_leaves = 6), keep = c(8, 3))
model <- fit(spec, parts$train, seed = 2)

# Ranks the documents of each query stage by stage.
naive_cascade <- function(model, data) {
  stage <- integer(nrow(data))
  scores <- numeric(nrow(data))
  for (q in unique(data$query)) {
    left <- which(data$query == q)
    for (i in seq_along(model$stages)) {
      own <- predict(model$stages[[i]], data$x[left, , drop = FALSE])
      stage[left] <- i
      scores[left] <- own
      if (i <= length(model$keep)) left <- left[rank(-own, ties.method = "min") <= model$keep[i]]
    }
    for (i in rev(seq_along(model$keep))) {
      stopped <- which(data$query == q & stage == i)
      floor <- min(scores[data$query == q & stage > i])
      values <- sort(unique(scores[stopped]), decreasing = TRUE)
      scores[stopped] <- floor - match(scores[stopped], values)
    }
  }
  list(scores = scores, stage = stage)
}

test_that("scores and stages agree with ranking each query stage by stage", {
  slow <- naive_cascade(model, parts$test)
  expect_identical(predict(model, parts$test), slow$scores)
  expect_identical(predict(model, parts$test, type = "stage"), slow$stage)
  expect_setequal(slow$stage, 1:3)
  ranks <- predict(model, parts$test, type = "rank")
  for (q in unique(parts$test$query)) {
    rows <- which(parts$test$query == q)
    order <- order(-slow$stage[rows], -slow$scores[rows])
    expect_identical(ranks[rows][order], seq_along(rows))
  }
})

test_that("tied documents have tied scores, and all of them are kept", {
  tied <- parts$test
  tied$x <- round(tied$x)
  again <- ranking_data(tied$x[c(1:40, 1:40), ], tied$relevance[c(1:40, 1:40)], tied$query[c(1:40, 1:40)])
  scores <- predict(model, again)
  expect_identical(scores[1:40], scores[41:80])
  expect_identical(scores, naive_cascade(model, again)$scores)
  constant <- ranking_data(matrix(1, 30, ncol(tied$x)), rep(0:2, 10), rep(1, 30))
  expect_identical(predict(model, constant, type = "stage"), rep(3L, 30))
})

test_that("documents that stop early are below scores that are infinite or very large", {
  train <- parts$train
  feature <- replace(train$x[, 1], seq_len(nrow(train)) %% 3 > 0, NA)
  data <- ranking_data(cbind(feature), train$relevance, train$query)
  by_feature <- fit(best_feature(), data)
  order_within <- function(cascade, stage_scores) {
    stage <- predict(cascade, data, type = "stage")
    scores <- predict(cascade, data)
    expect_true(all(is.finite(scores[data$query %in% data$query[stage == 1]])))
    for (q in unique(data$query)) {
      rows <- which(data$query == q)
      # The order of stages, then of the scores in the stage. Ties stay tied.
      expected <- rank(stage[rows] * 1000 + ave(stage_scores(stage)[rows], stage[rows], FUN = rank))
      expect_identical(rank(scores[rows]), expected)
    }
    expect_true(any(stage == 1) && any(stage == 2))
  }
  last <- fit(cascade(gbrt(5, num_leaves = 4), by_feature, keep = 6), data, seed = 1)
  order_within(last, function(stage) {
    ifelse(stage == 2, predict(by_feature, data), predict(last$stages[[1L]], data))
  })
  first <- fit(cascade(by_feature, gbrt(5, num_leaves = 4), keep = 3), data, seed = 1)
  order_within(first, function(stage) {
    ifelse(stage == 2, predict(first$stages[[2L]], data), predict(by_feature, data))
  })
  large <- cascade_scores(list(scores = c(1e17, 2e17, 5, 4, 4, -Inf, -Inf), stage = c(2, 2, 1, 1, 1, 1, 1)),
                          rep(1L, 7))
  expect_identical(large[1:2], c(1e17, 2e17))
  expect_identical(rank(large), c(6, 7, 5, 3.5, 3.5, 1.5, 1.5))
})

test_that("a cascade that keeps all documents scores as its last stage", {
  expect_warning(expect_warning(wide <- fit(update(spec, keep = c(1000, 999)), parts$train, seed = 2),
                                "Stage 1 of the cascade drops no document", class = "rankmix_warning_keep"),
                 "Stage 2 of the cascade", class = "rankmix_warning_keep")
  expect_identical(predict(wide, parts$test), predict(wide$stages[[3L]], parts$test))
})

test_that("sources are refused, because their chunks can have parts of queries", {
  frame <- cbind(as.data.frame(parts$test$x), relevance = parts$test$relevance,
                 query = parts$test$query_ids[parts$test$query])
  source <- data_source(frame, relevance = "relevance", query = "query")
  for (type in c("score", "rank", "stage")) {
    expect_error(predict(model, source, type = type), "depend on the other documents", class = "rankmix_error_newdata")
  }
})

test_that("cascades are compared, mixed, calibrated and reported", {
  local_known_warnings("ties")
  expect_s3_class(compare_models(model, model$stages[[3L]], parts$test, seed = 1), "rankmix_model_change")
  mixed <- mix(list(cascade = model, last = model$stages[[3L]]), parts$test, seed = 1)
  expect_length(predict(mixed, parts$test), nrow(parts$test))
  sure <- calibrate(model, parts$test, calibrator_probability())
  expect_true(all(predict(sure, parts$test, type = "prob") > 0))
  expect_identical(glance(model)$stages, 3L)
  expect_snapshot(print(model), transform = function(lines) sub("[ ]+$", "", lines))
})

test_that("documents without queries, and explanations, are refused", {
  expect_snapshot(error = TRUE, {
    predict(model, parts$test$x)
    predict(model, data.frame(a = 1))
    predict(model, parts$test, type = "prob")
    explain(model, parts$test)
    write_model(model, tempfile(fileext = ".c"))
  })
})
