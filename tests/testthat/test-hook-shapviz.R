# If shapviz is not installed, a stand-in package has shapviz's documented method for matrices.

test_that("shapviz() of an explanation agrees with its matrix", {
  found <- with_stand_in("shapviz", list(
    shapviz = function(object, ...) UseMethod("shapviz"),
    shapviz.matrix = function(object, X, baseline = 0, ...) { # nolint: their name
      structure(list(S = object, X = as.data.frame(X)[colnames(object)], baseline = baseline,
                     others = list(...)), class = "shapviz")
    }
  ), function() {
    data <- rankmix::simulate_ranking(20, features = 5, seed = 1)$data
    shap <- rankmix::explain(rankmix::fit(rankmix::gbrt(5), data, threads = 1), data)
    shapviz <- getExportedValue("shapviz", "shapviz")
    list(shap = shap, ours = shapviz(shap), shown = shapviz(shap, X = round(shap$data), more = 1))
  })
  shap <- found$shap
  expect_s3_class(found$ours, "shapviz")
  expect_identical(found$ours$S, shap$values)
  expect_identical(found$ours$baseline, shap$base)
  expect_identical(found$ours$X, as.data.frame(shap$data))
  expect_identical(names(found$ours$X), colnames(shap$values))
  expect_identical(found$shown$X, as.data.frame(round(shap$data)))
  expect_identical(found$shown$others, list(more = 1))
})

test_that("an explanation of several bases is refused", {
  data <- random_data(queries = 20, features = 3)
  shap <- explain(fit(gbrt(trees = 5, num_leaves = 4, min_data_in_leaf = 1), data), data,
                  background = "query")
  expect_snapshot(shapviz.rankmix_shap(shap), error = TRUE)
})

test_that("shapviz accepts an explanation", {
  shapviz <- from_package("shapviz", "shapviz")
  data <- random_data(queries = 20, features = 3)
  shap <- explain(fit(gbrt(trees = 5, num_leaves = 4, min_data_in_leaf = 1), data), data)
  found <- shapviz(shap)
  expect_s3_class(found, "shapviz")
  expect_identical(found$S, shap$values)
  expect_identical(found$baseline, shap$base)
  expect_identical(names(found$X), data$features)
})
