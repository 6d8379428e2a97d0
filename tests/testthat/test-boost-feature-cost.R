test_that("trees with feature costs agree with trees of reduced gains until a feature is used", {
  skip_if_quick()
  for (seed in draws(3)) {
    data <- random_data(queries = 15, features = 5, missing = if (seed == 2) 0.1 else 0, seed = seed)
    costs <- c(0.3, 0.05, 0, 0.8, 0.1)
    spec <- gbrt(6, num_leaves = 6, learning_rate = 0.4, min_data_in_leaf = 2, feature_cost = costs)
    slow <- naive_monotone(data$x, data$relevance, numeric(5), 6, 6, 0.4, 2, costs = costs)
    model <- fit(spec, data)
    expect_equal(predict(model, data), slow$f, tolerance = 1e-8)
    expect_setequal(model$forest$feature + 1L, slow$features)
    free <- naive_monotone(data$x, data$relevance, numeric(5), 6, 6, 0.4, 2)
    expect_gt(max(abs(free$f - slow$f)), 1e-6)
  }
})

test_that("of two equal features the cheap one is used, and expensive features are left out", {
  set.seed(1)
  good <- rnorm(600)
  noise <- rnorm(600)
  x <- cbind(costly = good, cheap = good, noise = noise, free = rnorm(600))
  data <- ranking_data(x, as.integer(cut(good + 0.3 * noise, c(-Inf, 0, 1, Inf))) - 1L, rep(1:60, each = 10))
  for (spec in list(gbrt(40, num_leaves = 4), lambdamart(trees = 40, num_leaves = 4),
                    lambdamart(trees = 40, max_depth = 4, growth = "oblivious"), yetirank(40, max_depth = 4),
                    yetirank(40, max_depth = 4, setup = "lambdarank"))) {
    used <- function(...) tidy(fit(update(spec, ...), data, seed = 1))$feature
    expect_true("costly" %in% used())
    expect_false("costly" %in% used(feature_cost = c(costly = 0.02, cheap = 0.01)))
    expect_setequal(used(feature_cost = c(costly = 0.02, cheap = 0.01, noise = 2)), c("cheap", "free"))
    expect_identical(used(feature_cost = c(costly = 10, cheap = 10, noise = 10)), "free")
  }
  model <- fit(gbrt(40, num_leaves = 4, feature_cost = c(costly = 0.02, cheap = 0.01)), data)
  expect_equal(glance(model)$feature_cost, 0.01)
  expect_output(print(model), "2 used at a cost of 0.01", fixed = TRUE)
})

test_that("higher costs give fewer features on judged data", {
  local_known_warnings("constant")
  train <- example_part("train")
  counts <- vapply(c(0, 0.01, 0.1, 1), function(cost) {
    model <- fit(gbrt(60, num_leaves = 6, feature_cost = rep(cost, length(train$features))), train, seed = 1)
    glance(model)$features_used
  }, 0L)
  expect_true(all(diff(counts) <= 0L))
  expect_lt(counts[3], 0.6 * counts[1])
  # The unit of costs is the gain of the best first split. No split gains more than a cost of 1.
  expect_identical(counts[4], 0L)
})

test_that("costs of 0 change nothing, and importance counts whole gains", {
  data <- random_data(queries = 30, features = 4, seed = 2)
  spec <- gbrt(10, num_leaves = 6, min_data_in_leaf = 2)
  expect_identical(fit(update(spec, feature_cost = rep(0, 4)), data, seed = 1)$forest, fit(spec, data, seed = 1)$forest)
  # Equal costs of all features do not change the first split.
  first <- function(spec) fit(update(spec, trees = 1, num_leaves = 2), data, seed = 1)$forest
  expect_identical(first(update(spec, feature_cost = rep(0.5, 4))), first(spec))
})

test_that("costs keep models reproducible: threads, resumption, samples, copies, losses, files", {
  data <- random_data(queries = 40, features = 6, missing = 0.1, seed = 3)
  costs <- c(0.5, 0.02, 0.2, 0, 0.1, 0.05)
  for (spec in list(gbrt(12, num_leaves = 6, min_data_in_leaf = 2, feature_cost = costs),
                    gbrt(12, num_leaves = 6, min_data_in_leaf = 2, feature_cost = costs, bagging_fraction = 0.5),
                    gbrt(12, num_leaves = 6, min_data_in_leaf = 2, feature_cost = costs, objective = loss_pairwise()),
                    gbrt(12, num_leaves = 6, min_data_in_leaf = 2, feature_cost = costs, dropout = 0.3),
                    gbrt(12, num_leaves = 2, min_data_in_leaf = 2, feature_cost = c(2, costs[-1])))) {
    whole <- fit(spec, data, seed = 1)
    expect_identical(fit(spec, data, seed = 1, threads = 3), whole)
    short <- fit(update(spec, trees = 5), data, seed = 1)
    expect_identical(fit(short, data, rounds = 12)$forest, whole$forest)
    expect_false(identical(whole$forest, fit(update(spec, feature_cost = NULL), data, seed = 1)$forest))
  }
  file <- withr::local_tempfile(fileext = ".json")
  write_model(whole, file)
  expect_identical(glance(read_model(file))$feature_cost, glance(whole)$feature_cost)
})

test_that("the levels of a factor are paid for together", {
  set.seed(3)
  frame <- data.frame(query = rep(1:40, each = 8), site = factor(sample(letters[1:6], 320, TRUE)), a = runif(320))
  frame$relevance <- as.integer(frame$site %in% c("a", "b")) + as.integer(frame$site %in% c("a", "f"))
  data <- ranking_data(relevance ~ . - query, frame, query = query)
  for (categories in c("columns", "subsets")) {
    spec <- gbrt(20, num_leaves = 8, min_data_in_leaf = 2, categories = categories, min_data_per_group = 2,
                 cat_smooth = 0, cat_l2 = 0)
    model <- fit(update(spec, feature_cost = c(site = 0.3)), data)
    if (categories == "columns") expect_gt(sum(startsWith(tidy(model)$feature, "site")), 2L)
    expect_equal(glance(model)$feature_cost, 0.3)
    expect_identical(units_used(fit(update(spec, feature_cost = c(site = 3)), data)), "a")
  }
})

test_that("renewed rounds do not pay again", {
  data <- random_data(queries = 60, features = 4, seed = 8)
  parts <- split_parts(split_queries(data, 0.5, seed = 1), data)
  spec <- gbrt(5, num_leaves = 4, min_data_in_leaf = 2, feature_cost = rep(0.4, 4))
  model <- fit(spec, parts$train, seed = 1)
  left <- unpaid_costs(model)
  expect_true(any(left == 0) && any(left == 0.4))
  expect_identical(names(left)[left == 0], sort(units_used(model)))
  renewed <- renew(model, parts$test, "rounds", rounds = 5, seed = 1)
  expect_identical(renewed$spec$feature_cost, spec$feature_cost)
  expect_gt(rounds_used(renewed), 5L)
})

test_that("costs that make no sense are refused", {
  data <- random_data(queries = 10, features = 3)
  expect_snapshot(error = TRUE, {
    gbrt(feature_cost = -1)
    gbrt(feature_cost = c(a = 1, a = 2))
    gbrt(feature_cost = c(a = 1, 2))
    fit(gbrt(2, feature_cost = c(x11 = 1)), data)
    fit(gbrt(2, feature_cost = c(1, 2)), data)
    fit(gbrt(2, feature_cost = c(bm25 = 1)), data)
  })
})
