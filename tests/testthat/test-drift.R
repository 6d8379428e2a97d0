quick_drift <- function(..., permutations = 199, seed = 1) drift(..., permutations = permutations, seed = seed,
                                                                 threads = 1)
first_feature <- function(data) data$x[, 1]

test_that("the same data have no drift", {
  data <- example_part("vali")
  model <- fit(gbrt(trees = 5), example_part("train"), threads = 1, verbose = FALSE)
  found <- quick_drift(model, data, data, metric = metric_ndcg(10, ties = "average"), margin = 0.2)
  expect_identical(found$features$distance, numeric(20))
  expect_identical(found$features$p, rep(1, 20))
  expect_identical(found$scores$distance, c(0, 0))
  expect_identical(found$features$missing_new, found$features$missing_reference)
  expect_identical(found$features$outside, numeric(20))
  expect_identical(found$bins$new, found$bins$reference)
  expect_identical(found$metric$difference, 0)
  expect_identical(found$metric$verdict, "keep the model")
})

test_that("a feature that moved is found, and the others are not", {
  data <- example_part("test")
  moved <- data
  moved$x[, "f2"] <- moved$x[, "f2"] + 2
  moved$x[seq(1, nrow(data), 3), "f7"] <- NA
  found <- quick_drift(first_feature, moved, example_part("vali"), permutations = 999)
  expect_setequal(found$features$feature[found$features$p_adjusted <= 0.05], c("f2", "f7"))
  expect_identical(glance(found)$drifted, 2L)
  own <- found$features[found$features$feature == "f7", ]
  expect_gt(own$missing_new, 0.3)
  expect_lt(own$missing_reference, 0.1)
  expect_equal(own$p_adjusted, 20 / 1000)
})

test_that("infinite scores are missing within their query, and hide no drift of others", {
  moved <- example_part("test")
  moved$x[, "f1"] <- moved$x[, "f1"] * 5
  rows <- c(1, 2, 50)
  some <- function(data) replace(first_feature(data), rows, -Inf)
  within <- function(found) found$scores[found$scores$score == "scores within queries", ]
  all <- within(quick_drift(first_feature, moved, example_part("vali")))
  expect_lt(all$p, 0.01)
  found <- within(quick_drift(some, moved, example_part("vali")))
  expect_equal(found$p, all$p)
  expect_equal(found$distance, all$distance, tolerance = 0.1)
  expect_gt(found$missing_new, 0)
  # The mean of a query is of its finite scores.
  parts <- list(reference = example_part("vali"), new = moved)
  scores <- drift_scores(some, parts, 1L, NULL)[["scores within queries"]][-seq_len(nrow(parts$reference))]
  known <- setdiff(seq_len(nrow(moved)), rows)
  expect_equal(scores[known], ave(first_feature(moved)[known], moved$query[known], FUN = function(x) x - mean(x)))
  expect_true(all(is.na(scores[rows])))
})

test_that("a shift of whole queries changes scores, and not scores within queries", {
  data <- example_part("test")
  moved <- data
  moved$x[, "f1"] <- moved$x[, "f1"] + 3
  found <- quick_drift(first_feature, moved, example_part("vali"))$scores
  expect_lt(found$p[found$score == "scores"], 0.01)
  expect_gt(found$p[found$score == "scores within queries"], 0.05)
  # Differences of constant scores by rounding are no drift.
  constant <- quick_drift(function(data) 0.1 + 0 * data$x[, 1] + data$query / 3, data, example_part("vali"))
  own <- constant$scores[constant$scores$score == "scores within queries", ]
  expect_identical(c(own$distance, own$bins), c(0, 1))
})

test_that("changes within the bins of a model are no drift", {
  model <- fit(gbrt(trees = 3, num_leaves = 3), example_part("train"), threads = 1, verbose = FALSE)
  data <- example_part("test")
  cuts <- rankmix:::model_thresholds(model)
  expect_gt(length(cuts), 1L)
  moved <- data
  for (name in names(cuts)) {
    # Each value moves up to the next threshold, and stays in its bin.
    next_cut <- c(cuts[[name]], Inf)[findInterval(data$x[, name], cuts[[name]], left.open = TRUE) + 1L]
    moved$x[, name] <- ifelse(is.finite(next_cut), next_cut, data$x[, name])
  }
  expect_identical(predict(model, moved), predict(model, data))
  found <- quick_drift(model, moved, data)
  own <- found$features[found$features$feature %in% names(cuts), ]
  expect_identical(own$distance, numeric(length(cuts)))
  expect_identical(unique(own$cuts), "model")
  expect_identical(found$scores$distance, c(0, 0))
  by_quantiles <- quick_drift(first_feature, moved, data)$features
  expect_true(all(by_quantiles$distance[by_quantiles$feature %in% names(cuts)] > 0.1))
  expect_identical(unique(by_quantiles$cuts), "quantiles")
})

test_that("the order of rows and monotone transformations change nothing", {
  one <- random_data(queries = 10, distinct = 5, missing = 0.1, seed = 1)
  two <- random_data(queries = 14, distinct = 5, missing = 0.1, seed = 2)
  score <- function(data) ifelse(is.na(data$x[, 2]), 0, data$x[, 2])
  plain <- quick_drift(score, two, one)
  reversed <- ranking_data(two$x[rev(seq_len(nrow(two))), ], query = rev(two$query_ids[two$query]))
  same <- setdiff(names(plain$features), "feature")
  by_name <- function(found) found$features[order(found$features$feature), same]
  expect_equal(by_name(quick_drift(score, reversed, one)), by_name(plain))
  both <- lapply(list(one, two), function(data) {
    data$x <- exp(data$x)
    data
  })
  expect_equal(by_name(quick_drift(function(data) score(data) * 0, both[[2]], both[[1]])), by_name(plain))
})

test_that("a weight counts copies, and queries of weight 0 are absent", {
  one <- random_data(queries = 6, seed = 1)
  two <- random_data(queries = 6, seed = 2)
  again <- function(data, weight) {
    ranking_data(data$x, data$relevance, data$query_ids[data$query], weight = weight[data$query])
  }
  copies <- c(two, ranking_data(two[1:2]$x, two[1:2]$relevance, two[1:2]$query + 50))
  columns <- c("feature", "distance", "missing_new", "outside")
  weighted <- quick_drift(first_feature, again(two, c(2, 2, 1, 1, 1, 1)), one)
  expect_equal(weighted$features[columns], quick_drift(first_feature, copies, one)$features[columns])
  zero <- quick_drift(first_feature, again(two, c(0, 0, 1, 1, 1, 1)), one, metric = "ndcg@5")
  without <- quick_drift(first_feature, two[3:6], one, metric = "ndcg@5")
  expect_equal(zero$features, without$features)
  expect_equal(zero$metric$new, without$metric$new)
})

test_that("all kinds of models and sparse features are accepted", {
  train <- example_part("train")
  vali <- example_part("vali")
  test <- example_part("test")
  models <- list(
    adaboost = fit(adaboost_mh(base_tree(4), rounds = 4), train, threads = 1, verbose = FALSE),
    linear = fit(linear_ranker(penalty = 0.1, missing = "mean"), train, threads = 1, verbose = FALSE),
    rankboost = fit(rankboost(rounds = 5), train, threads = 1, verbose = FALSE)
  )
  models$calibrated <- calibrate(models$adaboost, vali, calibrator_naive())
  models$mix <- mix(models[c("adaboost", "linear")], vali, threads = 1)
  cuts <- c(adaboost = TRUE, linear = FALSE, rankboost = TRUE, calibrated = TRUE, mix = FALSE)
  for (name in names(models)) {
    found <- quick_drift(models[[name]], test, vali, permutations = 99)
    expect_identical("model" %in% found$features$cuts, cuts[[name]], label = name)
    expect_setequal(found$features$feature, train$features)
  }
  skip_if_not_installed("Matrix")
  data <- random_data(distinct = 3, seed = 1)
  other <- random_data(distinct = 3, seed = 2)
  sparse <- function(data) ranking_data(Matrix::Matrix(`colnames<-`(data$x, data$features), sparse = TRUE),
                                        data$relevance, data$query_ids[data$query])
  columns <- c("feature", "distance", "p", "outside")
  expect_equal(quick_drift(first_feature, sparse(other), sparse(data))$features[columns],
               quick_drift(first_feature, other, data)$features[columns])
})

test_that("factors have thresholds if trees split their levels", {
  frame <- function(seed) {
    set.seed(seed)
    n <- 400
    colour <- sample(c("red", "green", "blue", "pink"), n, TRUE)
    data.frame(q = rep(1:40, each = 10), colour = factor(colour), x = rnorm(n),
               y = pmin(3, pmax(0, round(2 * (colour %in% c("red", "pink")) + rnorm(n, 0.5, 0.5)))))
  }
  data <- ranking_data(frame(1), relevance = "y", query = "q")
  model <- fit(gbrt(trees = 5, categories = "subsets", min_data_per_group = 10), data, threads = 1,
               verbose = FALSE)
  expect_true(all(names(rankmix:::model_thresholds(model)) %in% "x"))
  new <- frame(2)
  new$colour[1:250] <- "red"
  found <- quick_drift(model, ranking_data(new, relevance = "y", query = "q"), data)
  expect_match(found$features$feature[1], "red")
  expect_lt(found$features$p[1], 0.01)
})

test_that("the number of permutations suffices for Holm", {
  count <- function(features, ...) rankmix:::drift_permutations(NULL, features, 0.05, NULL)
  expect_identical(count(20), 1999)
  expect_lte(136 / (count(136) + 1), 0.05 / 2)
  expect_identical(count(1e5), 19999)
})

test_that("the training data as reference are noted", {
  train <- example_part("train")
  model <- fit(lambdamart(trees = 3), train, threads = 1, verbose = FALSE)
  test <- example_part("test")
  metric <- metric_ndcg(10, ties = "average")
  expect_warning(found <- quick_drift(model, test, train, metric = metric), class = "rankmix_warning_overlap")
  expect_true(found$trained)
  expect_no_warning(quick_drift(model, test, train))
  expect_false(quick_drift(model, test, train[1:40])$trained)
})

test_that("bad input is refused", {
  data <- example_part("vali")
  bare <- ranking_data(data$x, query = data$query)
  fewer <- data[, data$features[-2]]
  expect_snapshot(error = TRUE, {
    drift()
    drift(first_feature)
    drift(first_feature, data)
    drift(first_feature, data, data$x)
    drift(first_feature, data[1], data)
    drift(first_feature, bare, data, metric = "ndcg@10")
    drift(first_feature, fewer, data)
    drift(first_feature, data, data, features = "f99")
    drift(first_feature, data, data, margin = -1)
    drift(first_feature, data, data, max_bin = 1)
    drift(first_feature, data, data, permutations = 10)
    drift(first_feature, data, data, bins = 4)
    tidy(quick_drift(first_feature, data, data), "metric")
  })
})

test_that("the features and the training data of a calibrated ranker are recognised", {
  data <- simulate_ranking(60, documents = 8, seed = 3)$data
  model <- fit(gbrt(20), data[1:30, 1:4], verbose = FALSE)
  sure <- calibrate(model, data[31:40], calibrator_probability())
  found <- drift(sure, data[41:60], reference = data[1:30, 1:4], seed = 1)
  expect_true(found$trained)
  expect_setequal(found$features$feature, data$features[1:4])
  plain <- drift(model, data[41:60], reference = data[1:30, 1:4], seed = 1)
  expect_identical(found$features, plain$features)
})
