small_trees <- function(spec, data, ...) fit(spec, data, seed = 1, threads = 1, verbose = FALSE, ...)
leaf_specs <- list(
  squared = gbrt(trees = 8, num_leaves = 6), shrunk = gbrt(trees = 8, lambda_l2 = 3),
  lambdamart = lambdamart(trees = 8, num_leaves = 6), gap = lambdamart("ndcg@5", trees = 8, normalize = "both"),
  pairwise = gbrt(trees = 8, objective = loss_pairwise()), softmax = gbrt(trees = 8, objective = loss_softmax()),
  list_mle = gbrt(trees = 8, objective = loss_list_mle()), rmse = gbrt(trees = 8, objective = loss_query_rmse()),
  oblivious = lambdamart(trees = 8, growth = "oblivious", max_depth = 3),
  bagged = lambdamart(trees = 8, bagging_fraction = 0.5, feature_fraction = 0.5)
)

test_that("on the training data the model is the same again", {
  data <- example_part("train")
  for (name in names(leaf_specs)) {
    model <- small_trees(leaf_specs[[name]], data)
    new <- renew(model, data, threads = 1)
    # The search for squared error is in single precision.
    tolerance <- if (name == "squared") 1e-6 else 1e-12
    size <- max(abs(model$forest$values))
    # A leaf keeps its value if too few of the sampled documents reach it.
    expect_lt(max(abs(new$forest$values - model$forest$values)), tolerance * size, label = name)
    expect_equal(new$start, model$start, tolerance = 1e-12)
    expect_identical(new$forest[names(new$forest) != "values"], model$forest[names(model$forest) != "values"])
    if (name != "bagged") expect_identical(new$renewed$kept, 0)
    expect_identical(renew(model, data, threads = 2)$forest, new$forest)
  }
})

# The leaf of a document in a tree, by a walk from the root.
naive_leaf <- function(forest, t, row) {
  nodes <- forest$node_begin[t]
  if (forest$node_begin[t + 1] == nodes) return(1L)
  at <- 0L
  while (at >= 0L) {
    i <- nodes + at + 1L
    x <- row[forest$feature[i] + 1L]
    left <- if (is.na(x)) forest$missing_left[i] == 1L else x <= forest$threshold[i]
    at <- if (left) forest$left[i] else forest$right[i]
  }
  -at
}

test_that("leaves of squared error are the means of residuals", {
  model <- small_trees(gbrt(trees = 4, num_leaves = 5, min_data_in_leaf = 10), example_part("train"))
  data <- example_part("vali")
  data$weight <- rep(c(1, 2, 0.5, 0, 3), 10)
  weight <- data$weight[data$query]
  for (decay in c(0, 0.3)) {
    new <- renew(model, data, decay_rate = decay, threads = 1)
    start <- decay * model$start + (1 - decay) * weighted.mean(data$relevance, weight)
    expect_equal(new$start, start)
    scores <- rep(start, nrow(data))
    kept <- 0
    for (t in 1:4) {
      leaf <- apply(data$x, 1, naive_leaf, forest = model$forest, t = t)
      old <- model$forest$values[model$forest$leaf_begin[t] + seq_len(max(leaf))]
      values <- vapply(seq_along(old), function(l) {
        own <- leaf == l
        if (sum(own & weight > 0) < 10) return(old[l])
        decay * old[l] + (1 - decay) * weighted.mean((data$relevance - scores)[own], weight[own])
      }, 0)
      expect_equal(new$forest$values[model$forest$leaf_begin[t] + seq_along(values)], values)
      kept <- kept + sum(values == old)
      scores <- scores + 0.1 * values[leaf]
    }
    expect_equal(predict(new, data), scores)
    expect_equal(new$renewed$kept, kept / length(new$forest$values))
    expect_gt(kept, 0)
  }
})

test_that("losses fall on the new data", {
  data <- example_part("vali")
  for (objective in list(loss_squared(), loss_pairwise(), loss_softmax())) {
    model <- small_trees(gbrt(trees = 10, num_leaves = 6, objective = objective), example_part("train"))
    # The grades are reversed, so that losses can fall much.
    data$relevance <- 3L - example_part("vali")$relevance
    value <- function(model) sum(rankmix:::objective_value(objective, predict(model, data), data)$value)
    losses <- vapply(c(0, 0.5, 0.9), function(decay) value(renew(model, data, decay_rate = decay, threads = 1)), 0)
    expect_false(is.unsorted(c(losses, value(model))))
  }
})

test_that("whole-number weights count copies, and the order of rows and features does not matter", {
  train <- example_part("train")
  vali <- example_part("vali")
  for (spec in leaf_specs[c("squared", "lambdamart")]) {
    model <- small_trees(spec, train)
    weighted <- vali
    weighted$weight <- rep(c(2, 1), c(20, 30))
    first <- vali[1:20]
    copies <- c(vali, ranking_data(first$x, first$relevance, paste0("copy", first$query)))
    expect_equal(renew(model, weighted, threads = 1)$forest$values,
                 renew(model, copies, threads = 1)$forest$values)
    rows <- rev(seq_len(nrow(vali)))
    columns <- rev(vali$features)
    mixed <- ranking_data(`colnames<-`(vali$x, vali$features)[rows, columns], vali$relevance[rows],
                          vali$query[rows])
    named <- small_trees(spec, ranking_data(`colnames<-`(train$x, train$features), train$relevance, train$query))
    expect_equal(predict(renew(named, mixed, threads = 1), mixed)[rows],
                 predict(renew(named, vali, threads = 1), vali))
  }
})

test_that("factors that are split by subsets also have renewed leaves", {
  set.seed(1)
  n <- 600
  colour <- sample(letters[1:6], n, TRUE)
  frame <- data.frame(q = rep(1:60, each = 10), colour = factor(colour), x = rnorm(n),
                      y = pmin(3, pmax(0, round(2 * (colour %in% c("a", "d")) + rnorm(n, 0.5, 0.5)))))
  data <- ranking_data(frame, relevance = "y", query = "q")
  model <- small_trees(gbrt(trees = 5, categories = "subsets", min_data_per_group = 10), data)
  expect_false(is.null(model$categories))
  new <- renew(model, data, threads = 1)
  expect_equal(predict(new, data), predict(model, data), tolerance = 1e-6)
})

test_that("leaves without enough documents keep their value", {
  model <- small_trees(gbrt(trees = 3, num_leaves = 4, min_data_in_leaf = 50), example_part("train"))
  few <- example_part("vali")[1:2]
  new <- renew(model, few, threads = 1)
  expect_identical(new$forest$values, model$forest$values)
  expect_identical(new$renewed$kept, 1)
  expect_equal(new$start, mean(few$relevance))
})

test_that("validation curves and digests are of the old model alone", {
  model <- small_trees(gbrt(trees = 20), example_part("train"), validation = example_part("vali"),
                       metric = "ndcg@10", patience = 20, eval_every = 5)
  new <- renew(model, example_part("test"), threads = 1)
  expect_identical(new$best_rounds, model$best_rounds)
  expect_null(new$curve)
  expect_null(new$digest)
})
