# Follows each row through the unified format by the rules of its documentation.
naive_unified_scores <- function(nodes, x) {
  roots <- which(nodes$Node == 0)
  apply(x, 1, function(row) {
    sum(vapply(roots, function(at) {
      while (!is.na(nodes$Feature[at])) {
        value <- row[[nodes$Feature[at]]]
        at <- if (is.na(value)) nodes$Missing[at] else {
          if (value <= nodes$Split[at]) nodes$Yes[at] else nodes$No[at]
        }
      }
      nodes$Prediction[at]
    }, 0))
  })
}

test_that("the unified format gives the scores", {
  local_known_warnings("constant")
  data <- random_data(queries = 25, features = 4, missing = 0.15)
  x <- data$x
  colnames(x) <- data$features
  models <- list(
    fit(gbrt(trees = 6, num_leaves = 6, min_data_in_leaf = 1), data),
    fit(gbrt(trees = 4, max_depth = 2, min_data_in_leaf = 1, growth = "oblivious"), data),
    fit(rankboost(5), data),
    fit(gbrt(trees = 3, num_leaves = 3, min_data_in_leaf = 1000), data)
  )
  for (model in models) {
    unified <- unify.rankmix_ranker(model, data)
    nodes <- unified$model
    expect_equal(naive_unified_scores(nodes, x), predict(model, data), tolerance = 1e-12)
    expect_identical(sum(nodes$Node == 0), max(nodes$Tree) + 1L)
    # A node counts the documents of its children, and a root counts the training documents.
    inner <- !is.na(nodes$Feature)
    expect_identical(nodes$Cover[inner],
                     nodes$Cover[nodes$Yes[inner]] + nodes$Cover[nodes$No[inner]])
    expect_identical(unified$feature_names, data$features)
    expect_identical(dim(unified$data), dim(data))
  }
})

test_that("models that are not sums of trees are refused", {
  data <- random_data()
  expect_snapshot_error(unify.rankmix_ranker(fit(linear_ranker(penalty = 1), data), data),
                        class = "rankmix_error_format")
})

test_that("treeshap has the values of explain()", {
  unify <- from_package("treeshap", "unify")
  treeshap <- from_package("treeshap", "treeshap")
  data <- random_data(queries = 25, features = 4, missing = 0.1)
  frame <- stats::setNames(as.data.frame(data$x), data$features)
  for (model in list(fit(gbrt(trees = 8, num_leaves = 6, min_data_in_leaf = 1), data),
                     fit(rankboost(5), data))) {
    unified <- unify(model, data)
    expect_true(from_package("treeshap", "is.model_unified")(unified))
    found <- treeshap(unified, frame, verbose = FALSE)
    expect_equal(unname(as.matrix(found$shaps)), unname(explain(model, data)$values),
                 tolerance = 1e-8)
    again <- unify(model, data, recalculate = TRUE)
    expect_equal(again$model$Cover, unified$model$Cover)
  }
  # unify() counts the documents of product trees anew.
  model <- fit(adaboost_mh(base_product(2), rounds = 5), data, seed = 1)
  expect_message(unified <- unify(model, data), class = "rankmix_message_export")
  expect_equal(max(unified$model$Cover), nrow(data))
})
