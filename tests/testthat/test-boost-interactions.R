# For each path from a root, the features that are tested together on the path.
features_of_paths <- function(model) {
  forest <- model$forest
  paths <- list()
  follow <- function(first, node, tested) {
    tested <- c(tested, forest$feature[first + node] + 1L)
    for (child in c(forest$left[first + node], forest$right[first + node])) {
      if (child < 0L) paths <<- c(paths, list(sort(unique(tested)))) else follow(first, child + 0L, tested)
    }
  }
  for (t in seq_len(length(forest$node_begin) - 1L)) {
    if (forest$node_begin[t + 1L] > forest$node_begin[t]) follow(forest$node_begin[t] + 1L, 0L, integer())
  }
  unique(paths)
}

in_a_group <- function(paths, groups) {
  all(vapply(paths, function(path) any(vapply(groups, function(group) all(path %in% group), NA)), NA))
}

test_that("trees with groups of features agree with trying every allowed split", {
  skip_if_quick()
  groups <- list(c("f1", "f2"), c("f2", "f3"))
  for (seed in draws(3)) {
    data <- random_data(queries = 15, features = 4, missing = if (seed == 2) 0.1 else 0, seed = seed)
    data$features <- colnames(data$x) <- paste0("f", 1:4)
    for (signs in list(NULL, c(1, -1, 0, 1))) {
      spec <- gbrt(6, num_leaves = 6, learning_rate = 0.4, min_data_in_leaf = 2, monotone_constraints = signs,
                   interaction_constraints = groups)
      slow <- naive_monotone(data$x, data$relevance, if (is.null(signs)) numeric(4) else signs, 6, 6, 0.4, 2,
                             list(1:2, 2:3, 4L))
      expect_equal(predict(fit(spec, data), data), slow$f, tolerance = 1e-8)
    }
  }
})

test_that("no path of any booster has features without a common group", {
  data <- random_data(queries = 40, features = 6, missing = 0.1, seed = 4)
  groups <- list(c(1, 3), c(2, 4), c(5, 6))
  named <- lapply(groups, function(group) data$features[group])
  free <- list(num_leaves = 12, min_data_in_leaf = 2, seed = 1)
  check <- function(spec, data) {
    model <- fit(spec, data, seed = 1)
    expect_true(in_a_group(features_of_paths(model), groups))
    expect_false(in_a_group(features_of_paths(fit(update(spec, interaction_constraints = NULL), data, seed = 1)),
                            groups))
    model
  }
  spec <- gbrt(8, num_leaves = 12, min_data_in_leaf = 2, interaction_constraints = named)
  model <- check(spec, data)
  expect_identical(fit(spec, data, seed = 1, threads = 3), model)
  check(update(spec, bagging_fraction = 0.6, feature_fraction = 0.7), data)
  check(update(spec, objective = loss_pairwise(), precision = "double"), data)
  check(update(spec, dropout = 0.3), data)
  check(lambdamart(trees = 8, num_leaves = 12, min_data_in_leaf = 2, interaction_constraints = named), data)
  sparse <- data
  sparse$x[is.na(sparse$x)] <- 0
  skip_if_not_installed("Matrix")
  wide <- ranking_data(Matrix::Matrix(sparse$x, sparse = TRUE), sparse$relevance, sparse$query)
  dense <- ranking_data(sparse$x, sparse$relevance, sparse$query)
  named <- lapply(groups, function(group) dense$features[group])
  spec <- update(spec, interaction_constraints = named)
  expect_identical(predict(fit(spec, wide, seed = 1), wide), predict(fit(spec, dense, seed = 1), dense))
})

test_that("a group for each feature gives a sum of functions of single features", {
  data <- random_data(queries = 40, features = 4, seed = 5)
  model <- fit(gbrt(30, num_leaves = 6, min_data_in_leaf = 2, interaction_constraints = as.list(data$features)), data)
  expect_true(all(lengths(features_of_paths(model)) == 1L))
  x <- data$x[1:2, ]
  mixed <- x[c(1, 2, 1, 2), ]
  mixed[3, 1] <- x[2, 1]
  mixed[4, 1] <- x[1, 1]
  scores <- predict(model, mixed)
  expect_equal(scores[1] + scores[2], scores[3] + scores[4])
  expect_gt(abs(scores[1] - scores[3]), 1e-6)
})

test_that("a factor is in a group with all its levels, split as columns or as subsets", {
  set.seed(3)
  frame <- data.frame(query = rep(1:30, each = 8), site = factor(sample(letters[1:6], 240, TRUE)),
                      a = runif(240), b = runif(240))
  frame$relevance <- as.integer(frame$a * (frame$site %in% c("a", "b")) + frame$b > 0.8)
  data <- ranking_data(relevance ~ . - query, frame, query = query)
  for (categories in c("columns", "subsets")) {
    spec <- gbrt(20, num_leaves = 8, min_data_in_leaf = 2, categories = categories, min_data_per_group = 2,
                 interaction_constraints = list(c("site", "a"), "b"))
    model <- fit(spec, data)
    names <- lapply(features_of_paths(model), function(path) {
      sort(unique(source_columns(features_of_trees(model)[path], model$encoding)))
    })
    expect_true(any(vapply(names, identical, NA, c("a", "site"))))
    expect_true(all(vapply(names, function(path) all(path %in% c("a", "site")) || identical(path, "b"), NA)))
  }
})

test_that("models with groups resume, and are written and read", {
  data <- random_data(queries = 30, features = 4, seed = 6)
  spec <- gbrt(10, num_leaves = 6, min_data_in_leaf = 2,
               interaction_constraints = list(data$features[1:2], data$features[2:3]))
  whole <- fit(spec, data, seed = 1)
  short <- fit(update(spec, trees = 4), data, seed = 1)
  expect_identical(fit(short, data, rounds = 10)$forest, whole$forest)
  file <- withr::local_tempfile(fileext = ".json")
  write_model(whole, file)
  back <- read_model(file)
  expect_identical(predict(back, data), predict(whole, data))
  expect_identical(format(back$spec), format(whole$spec))
  expect_identical(format(gbrt(interaction_constraints = list(c("a", "b"), "c"))),
                   paste0("gbrt(trees = 500, num_leaves = 31, learning_rate = 0.1, ",
                          "interaction_constraints = list(c(\"a\", \"b\"), \"c\"))"))
})

test_that("groups that make no sense are refused", {
  data <- random_data(queries = 10, features = 3)
  expect_snapshot(error = TRUE, {
    gbrt(interaction_constraints = c("a", "b"))
    gbrt(interaction_constraints = list())
    gbrt(interaction_constraints = list(c("a", "a")))
    fit(gbrt(2, interaction_constraints = list("bm25", c("f1", "length"))), data)
  })
})
