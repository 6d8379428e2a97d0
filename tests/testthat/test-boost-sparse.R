# In small leaves of sparse data, the search skips features with too few values other than 0. Dense data use all
# features, and are the reference.
skip_if_not_installed("Matrix")

# Word features of very different frequency. Some words occur in nearly all documents.
wide_case <- function(n = 1200, features = 400, seed = 1, missing = 0) {
  set.seed(seed)
  share <- pmin(0.95, 3 / seq_len(features))[sample(features)]
  x <- matrix(rbinom(n * features, 2, rep(share, each = n)), n) * sample(c(-1, 1, 0.5), features, TRUE)
  x[sample(length(x), missing * length(x))] <- NA
  frequent <- order(-share)[1:20]
  utility <- replace(x, is.na(x), 1)[, frequent] %*% rnorm(20) + rnorm(n) / 2
  list(x = x, relevance = findInterval(utility, quantile(utility, c(0.5, 0.8, 0.95))),
       query = rep(seq_len(n / 20), each = 20))
}

expect_as_dense <- function(case, spec, weight = NULL) {
  forms <- lapply(list(case$x, Matrix::Matrix(case$x, sparse = TRUE)), function(x) {
    data <- if (is.null(weight)) {
      ranking_data(x, case$relevance, case$query)
    } else {
      ranking_data(x, case$relevance, case$query, weight = weight[case$query])
    }
    fit(spec, data, seed = 1, threads = 2)
  })
  expect_gt(length(forms[[1L]]$forest$feature), 20L)
  expect_identical(forms[[2L]]$forest, forms[[1L]]$forest)
}

test_that("sparse trees agree with trees of dense data, however many documents a leaf needs", {
  case <- wide_case()
  for (least in c(1, 2, 20, 60)) {
    expect_as_dense(case, gbrt(trees = 6, min_data_in_leaf = least))
    expect_as_dense(case, lambdamart(trees = 6, min_data_in_leaf = least))
  }
})

test_that("settings of sparse trees change no tree", {
  case <- wide_case(seed = 2, missing = 0.02)
  expect_as_dense(case, gbrt(trees = 6))
  expect_as_dense(case, gbrt(trees = 6, precision = "double"))
  expect_as_dense(case, gbrt(trees = 6, objective = loss_softmax(), precision = "double"))
  expect_as_dense(case, gbrt(trees = 6, feature_fraction = 0.5, bagging_fraction = 0.5))
  expect_as_dense(case, gbrt(trees = 6, max_bin = 2, num_leaves = 60, min_data_in_leaf = 5))
  expect_as_dense(case, gbrt(trees = 6, monotone_constraints = rep(1:-1, length.out = 400)))
  expect_as_dense(case, lambdamart(trees = 6, lambda_l2 = 1))
})

test_that("weights of sparse trees count documents", {
  case <- wide_case(seed = 3)
  expect_as_dense(case, gbrt(trees = 6), weight = rep(0:2, 20))
  expect_as_dense(case, gbrt(trees = 6), weight = rep(c(0.5, 1.25, 3), 20))
  expect_as_dense(case, lambdamart(trees = 6), weight = rep(0:2, 20))
})
