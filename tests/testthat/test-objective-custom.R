logistic_pairs <- function(scores, query) {
  gradient <- hessian <- numeric(length(scores))
  for (i in seq_along(scores)) {
    for (j in which(query$relevance < query$relevance[i])) {
      p <- plogis(scores[j] - scores[i])
      gradient[c(i, j)] <- gradient[c(i, j)] + c(-p, p)
      hessian[c(i, j)] <- hessian[c(i, j)] + p * (1 - p)
    }
  }
  list(gradient = gradient, hessian = hessian)
}

test_that("the package's own objective, written in R, gives the package's trees", {
  data <- random_data(queries = 30, classes = 4, missing = 0.1)
  data$weight <- rep_len(c(1, 0, 2.5), length(data$query_ids))
  spec <- function(objective) gbrt(8, num_leaves = 5, min_data_in_leaf = 2, objective = objective, lambda_l2 = 1)
  own <- fit(spec(loss_custom(logistic_pairs)), data, seed = 1)
  built_in <- fit(spec(loss_pairwise()), data, seed = 1)
  expect_equal(predict(own, data), predict(built_in, data), tolerance = 1e-9)
  expect_identical(fit(spec(loss_custom(logistic_pairs)), data, seed = 1, threads = 4)$forest,
                   own$forest)
  rows <- rev(seq_len(nrow(data$x)))
  other <- ranking_data(data$x[rows, ], data$relevance[rows], data$query[rows],
                        weight = data$weight[data$query[rows]])
  expect_identical(predict(fit(spec(loss_custom(logistic_pairs)), other, seed = 1), data),
                   predict(own, data))
  half <- fit(update(own$spec, trees = 3), data, seed = 1)
  expect_identical(fit(half, data, rounds = 8)$forest, own$forest)
})

test_that("the function receives the attributes of the documents", {
  data <- random_data(queries = 6, features = 2)
  data <- ranking_data(data$x, data$relevance, paste0("q", data$query),
                       weight = data$query)
  seen <- list()
  watch <- loss_custom(function(scores, query) {
    seen[[length(seen) + 1L]] <<- c(list(scores = scores), query)
    list(gradient = scores - query$relevance, hessian = rep(1, length(scores)))
  })
  fit(gbrt(2, num_leaves = 2, min_data_in_leaf = 1, objective = watch), data, threads = 1)
  expect_length(seen, 12L)
  for (at in seen) {
    expect_identical(at$relevance, data$relevance[at$rows])
    expect_identical(unique(data$query_ids[data$query[at$rows]]), at$query)
    expect_identical(at$weight, data$weight[match(at$query, data$query_ids)])
    expect_false(is.unsorted(-at$scores))
  }
})

test_that("functions with wrong arguments or results are refused", {
  data <- random_data(queries = 5, features = 2)
  refuse <- function(gradients) {
    spec <- gbrt(2, objective = loss_custom(gradients, name = "mine"))
    expect_snapshot_error(fit(spec, data, threads = 1), class = "rankmix_error_objective")
  }
  refuse(function(scores, query) stop("no luck"))
  refuse(function(scores, query) scores)
  refuse(function(scores, query) list(gradient = 1:2, hessian = scores))
  refuse(function(scores, query) list(gradient = scores, hessian = "1"))
  refuse(function(scores, query) list(gradient = scores, hessian = NaN * scores))
  refuse(function(scores, query) list(gradient = scores, hessian = scores - 1))
  refused <- function(code) expect_snapshot_error(code, class = "rankmix_error_argument")
  refused(loss_custom())
  refused(loss_custom(3))
  refused(loss_custom(function(scores) scores))
  refused(loss_custom(logistic_pairs, name = 2))
  refused(linear_ranker(loss_custom(logistic_pairs)))
  expect_snapshot(gbrt(objective = loss_custom(logistic_pairs, name = "mine")))
})

test_that("the error of a custom objective shows its call, and the names that it returned", {
  data <- random_data(queries = 3, features = 2)
  fails <- loss_custom(function(scores, grades) list(gradient = scores - grades, hessian = 1))
  expect_error(fit(gbrt(trees = 2, objective = fails), data), "the grades are `query$relevance`", fixed = TRUE)
  named <- loss_custom(function(scores, query) list(grad = scores, hess = scores))
  expect_error(fit(gbrt(trees = 2, objective = named), data), "a list of `grad`, `hess`", fixed = TRUE)
  expect_error(gbrt(objective = function(preds, train) preds), "`objective = loss_custom(f)`", fixed = TRUE)
})
