simulated <- simulate_ranking(60, documents = 20, features = 8, seed = 4)$data
parts <- split_parts(split_queries(simulated, 0.6, seed = 1), simulated)
small_trees <- gbrt(10, num_leaves = 4)

# The documents with the k best scores of each query, and all documents that are tied with them.
naive_kept <- function(scores, query, keep) {
  kept <- logical(length(scores))
  for (q in unique(query)) {
    rows <- which(query == q)
    kept[rows] <- rank(-scores[rows], ties.method = "min") <= keep
  }
  kept
}

test_that("the best documents are kept, and those that are tied with the last", {
  for (seed in draws(20)) {
    set.seed(seed)
    query <- sample(6, 40, TRUE)
    scores <- sample(5, 40, TRUE) / 4
    for (keep in c(1, 3, 100)) {
      expect_identical(rankmix:::best_documents(scores, query, keep), naive_kept(scores, query, keep))
    }
  }
})

test_that("each stage is trained on the documents that the stages before it keep", {
  spec <- cascade(linear_ranker(penalty = 1), small_trees, gbrt(10, num_leaves = 6), keep = c(8, 4), folds = 1)
  model <- fit(spec, parts$train, seed = 3)
  data <- parts$train
  for (i in 1:3) {
    alone <- fit(spec$stages[[i]], data, seed = model$stages[[i]]$seed)
    expect_identical(predict(alone, parts$test), predict(model$stages[[i]], parts$test))
    expect_equal(tidy(model)$documents[i], nrow(data) / length(data$query_ids))
    expect_equal(tidy(model)$relevant[i], sum(data$relevance > 0) / sum(parts$train$relevance > 0))
    if (i < 3) {
      rows <- which(naive_kept(predict(alone, data), data$query, spec$keep[i]))
      data <- ranking_data(data$x[rows, ], data$relevance[rows], data$query[rows])
    }
  }
})

test_that("names of stages are labels", {
  model <- fit(cascade(cheap = linear_ranker(penalty = 1), small_trees, keep = 5), parts$train, seed = 3)
  expect_identical(tidy(model)$ranker, c("cheap", format(small_trees)))
  expect_identical(names(model$stages), c("cheap", ""))
})

test_that("queries of weight 0 train nothing, and are scored by the whole model", {
  weighted <- parts$train
  weighted$weight <- as.double(seq_along(weighted$query_ids) > 6)
  fold <- rankmix:::folds_of_queries(weighted, 3, 1)
  expect_identical(which(fold == 0L), 1:6)
  task <- rankmix:::new_task(weighted, 3, 1)
  spec <- cascade(gbrt(20, num_leaves = 8), small_trees, keep = 5, folds = 3)
  model <- fit(spec$stages[[1L]], weighted)
  scores <- rankmix:::unseen_scores(spec, list(data = weighted), model, task, 1L)
  whole <- predict(model, weighted)
  expect_identical(scores[weighted$query <= 6], whole[weighted$query <= 6])
  expect_false(any(scores[weighted$query > 6] == whole[weighted$query > 6]))
})

test_that("with folds, models without the query select the kept documents", {
  spec <- cascade(gbrt(30, num_leaves = 16), small_trees, keep = 5, folds = 4)
  model <- fit(spec, parts$train, seed = 3)
  data <- parts$train
  fold <- rankmix:::folds_of_queries(data, 4, rankmix:::derived_seed(3, "folds"))
  expect_setequal(fold, 1:4)
  expect_lte(diff(range(table(fold))), 1L)
  scores <- numeric(nrow(data))
  for (k in 1:4) {
    rows <- fold[data$query] == k
    others <- ranking_data(data$x[!rows, ], data$relevance[!rows], data$query[!rows])
    scores[rows] <- predict(fit(gbrt(30, num_leaves = 16), others), data$x[rows, ])
  }
  kept <- which(naive_kept(scores, data$query, 5))
  alone <- fit(small_trees, ranking_data(data$x[kept, ], data$relevance[kept], data$query[kept]))
  expect_identical(predict(alone, parts$test), predict(model$stages[[2L]], parts$test))
})

test_that("folds make training documents resemble documents of new queries", {
  # The first stage overfits its training queries.
  spec <- function(folds) cascade(gbrt(200, num_leaves = 31, min_data_in_leaf = 1), small_trees, keep = 5, folds = folds)
  reached <- function(folds, validation = NULL) {
    tidy(fit(spec(folds), parts$train, validation, seed = 1))$relevant[2L]
  }
  of_new <- reached(1, parts$test)
  expect_gt(reached(1) - of_new, 0.15)
  expect_lt(abs(reached(5) - of_new), 0.1)
})

test_that("validation data choose the rounds of each stage on the documents that reach it", {
  spec <- cascade(linear_ranker(penalty = c(0.1, 1, 10)), gbrt(40, num_leaves = 8), keep = 6, folds = 1)
  model <- fit(spec, parts$train, parts$test, metric_ndcg(5), seed = 1)
  first <- fit(spec$stages[[1L]], parts$train, parts$test, metric_ndcg(5))
  cut <- function(data) {
    rows <- which(naive_kept(predict(first, data), data$query, 6))
    ranking_data(data$x[rows, ], data$relevance[rows], data$query_ids[data$query[rows]])
  }
  second <- fit(spec$stages[[2L]], cut(parts$train), cut(parts$test), metric_ndcg(5))
  expect_identical(model$stages[[2L]]$curve, second$curve)
  expect_equal(tidy(model)$documents[2L], mean(table(cut(parts$test)$query)))
})

test_that("stages may be trained models, mixtures and calibrated rankers, which stay as they are", {
  first <- fit(linear_ranker(penalty = 1), parts$train)
  mixed <- mix(list(a = first, b = fit(small_trees, parts$train)), parts$test, seed = 1)
  sure <- calibrate(fit(small_trees, parts$train), parts$test, calibrator_probability())
  model <- fit(cascade(first, mixed, sure, keep = c(8, 3)), parts$train, seed = 1)
  expect_identical(model$stages[[1L]], first)
  expect_identical(model$stages[[2L]], mixed)
  expect_length(predict(model, parts$test), nrow(parts$test))
  last <- fit(cascade(first, mixture(linear_ranker(penalty = 1), small_trees), keep = 10), parts$train, seed = 1)
  expect_s3_class(last$stages[[2L]], "rankmix_mixture")
})

test_that("an error of a stage names the stage", {
  one <- ranking_data(cbind(a = c(3, 2, 1, 3, 2, 1)), c(1, 0, 0, 1, 0, 0), c(1, 1, 1, 2, 2, 2))
  expect_snapshot(error = TRUE, {
    fit(cascade(linear_ranker(penalty = 1), gbrt(), keep = 1, folds = 1), one)
  })
})
