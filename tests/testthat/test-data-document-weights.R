# Grades with weights of documents 0, 1, 2 and 3, in random order.
weighted_data <- function(weight = NULL, seed = 1, queries = 10, size = 8) {
  set.seed(seed)
  n <- queries * size
  query <- sample(rep(seq_len(queries), each = size))
  x <- matrix(stats::rnorm(3 * n), n)
  grade <- findInterval(x[, 1] + stats::rnorm(n), c(0, 1))
  own <- sample(0:3, n, TRUE)
  list(x = x, grade = grade, query = query, own = own,
       data = ranking_data(x, grade, query, document_weight = own, weight = weight[query]))
}

# Repeats each document as often as its weight.
copied_data <- function(parts, weight = NULL) {
  rows <- rep(seq_along(parts$own), parts$own)
  ranking_data(parts$x[rows, ], parts$grade[rows], parts$query[rows], weight = weight[parts$query[rows]])
}

test_that("all functions that select parts of data keep weights of documents", {
  parts <- weighted_data()
  data <- parts$data
  expect_identical(data$document_weight, as.double(parts$own))
  expect_output(print(data), "Weights of documents: 0 to 3")
  expect_identical(as.data.frame(data)$document_weight, data$document_weight)
  expect_identical(data[c(2, 5)]$document_weight, data$document_weight[data$query %in% c(2, 5)])
  expect_identical(data[, 2:3]$document_weight, data$document_weight)
  expect_identical(head(data, 3)$document_weight, data$document_weight[1:3])
  expect_identical(c(data[1:5], data[6:10])$document_weight,
                   c(data[1:5]$document_weight, data[6:10]$document_weight))
  without <- ranking_data(parts$x, parts$grade, parts$query + 100)
  expect_identical(c(data, without)$document_weight, c(data$document_weight, rep(1, nrow(without))))
  sorted <- data_by_content(data, 1L)
  key <- function(data) data[["x"]][, 1] + 1000 * data$document_weight
  expect_identical(sort(key(sorted)), sort(key(data)))
  frame <- data.frame(a = parts$x[, 1], grade = parts$grade, query = parts$query, trust = parts$own)
  named <- ranking_data(frame, grade, query, document_weight = trust)
  expect_identical(named$document_weight, data$document_weight)
  expect_identical(named$features, "a")
})

test_that("weights of documents are checked", {
  make <- function(weight) ranking_data(diag(2), c(0, 1), c(1, 1), document_weight = weight)
  for (weight in list(c(1, NA), c(1, -1), c(1, Inf), c("a", "b"), c(0, 0))) {
    expect_error(make(weight), class = "rankmix_error_weight")
  }
  expect_error(make(1), class = "rankmix_error_length")
})

test_that("the weight of a row is the product", {
  parts <- weighted_data(weight = c(5, rep(2, 9)))
  expect_identical(unscaled_weights(parts$data), parts$own * ifelse(parts$query == 1, 5, 2))
  expect_identical(unscaled_weights(list(weight = c(5, 2), query = c(1L, 2L, 1L))), c(5, 2, 5))
  expect_identical(unscaled_weights(list(document_weight = c(5, 2))), c(5, 2))
  expect_null(unscaled_weights(list(query = c(1L, 2L))))
})

test_that("interchangeable documents have the same number", {
  expect_null(content_ties(list()))
  expect_identical(content_ties(list(document_weight = c(2, 1))), c(2, 1))
  expect_identical(content_ties(list(document_weight = c(2, 1, 1, 2), position = rep(1L, 4))),
                   c(2, 1, 1, 2))
  expect_identical(content_ties(list(document_weight = c(2, 1, 1), position = c(1L, 3L, 2L))), c(1, 3, 2))
})

test_that("a document of weight 2 acts as two copies, and a document of weight 0 is absent", {
  exact <- list(gbrt(trees = 5, min_data_in_leaf = 2), gbrt(trees = 5, growth = "oblivious", max_depth = 2),
                adaboost_mh(base_tree(4), rounds = 5))
  close <- list(gbrt(trees = 5, min_data_in_leaf = 2, objective = loss_pairwise()),
                gbrt(trees = 5, min_data_in_leaf = 2, objective = loss_pairwise("squared_hinge")),
                linear_ranker(penalty = 0.1), linear_ranker(loss_pairwise(), penalty = 0.1),
                linear_ranker(loss_softmax(), penalty = 0.1), ranksvm(0.1, tolerance = 1e-12),
                mcsvm(0.1, tolerance = 1e-8), cocr(linear_ranker(penalty = 0.1)))
  for (weight in list(NULL, c(2, 0, rep(1, 8)))) {
    parts <- weighted_data(weight)
    copies <- copied_data(parts, weight)
    compare <- function(spec, check, ...) {
      scores <- lapply(list(parts$data, copies), function(data) {
        predict(fit(spec, data, seed = 1, threads = 1, verbose = FALSE), parts$x)
      })
      check(scores[[1]], scores[[2]], info = format(spec), ...)
    }
    for (spec in exact) compare(spec, expect_identical)
    for (spec in close) compare(spec, expect_equal, tolerance = 1e-5)
  }
})

test_that("the gradient of a document is the sum over its copies", {
  parts <- weighted_data()
  copies <- copied_data(parts)
  rows <- rep(seq_along(parts$own), parts$own)
  score <- parts$x[, 2]
  for (objective in list(loss_pairwise(), loss_pairwise("hinge"), loss_softmax(), loss_list_mle(),
                         loss_query_rmse(), loss_squared())) {
    gradient <- function(data, score) {
      documents <- objective_documents(data, objective_targets(objective, data$relevance, "gain"),
                                       data$document_weight, numeric())
      objective_gradients(settled_objective(objective, data), documents, score, 1L)$gradient
    }
    of_copies <- rowsum(gradient(copies, score[rows]), rows)
    own <- gradient(parts$data, score)
    expect_equal(own[parts$own > 0], of_copies[, 1], tolerance = 1e-12, ignore_attr = TRUE,
                 info = format(objective))
    expect_identical(own[parts$own == 0], rep(0, sum(parts$own == 0)))
  }
})

test_that("the weight multiplies the derivatives if each document has its own rank", {
  data <- weighted_data()$data
  score <- round(data$x[, 2], 1)
  for (objective in list(loss_lambda(), loss_lambda("map"), loss_xendcg())) {
    settled <- settled_objective(objective, data)
    derivatives <- function(weights) {
      documents <- objective_documents(data, objective_targets(objective, data$relevance, "gain"), weights,
                                       numeric(), settled)
      objective_gradients(settled, documents, score, 1L)
    }
    plain <- derivatives(numeric())
    weighted <- derivatives(data$document_weight)
    for (name in c("gradient", "hessian")) {
      expect_identical(weighted[[name]], plain[[name]] * data$document_weight, info = format(objective))
    }
  }
  model <- function(data) predict(fit(lambdamart(trees = 3), data, threads = 1, verbose = FALSE), data$x)
  equal <- data
  equal$document_weight <- NULL
  expect_false(identical(model(data), model(equal)))
})

test_that("models do not depend on the order of rows", {
  parts <- weighted_data()
  rows <- order(parts$x[, 3])
  moved <- ranking_data(parts$x[rows, ], parts$grade[rows], parts$query[rows],
                        document_weight = parts$own[rows] / 3)
  data <- ranking_data(parts$x, parts$grade, parts$query, document_weight = parts$own / 3)
  for (spec in list(gbrt(trees = 5), lambdamart(trees = 5), gbrt(trees = 5, bagging_fraction = 0.5),
                    adaboost_mh(base_tree(4), rounds = 5), network_ranker(hidden = 3, epochs = 2))) {
    expect_identical(predict(fit(spec, moved, seed = 1, threads = 2, verbose = FALSE), parts$x),
                     predict(fit(spec, data, seed = 1, threads = 1, verbose = FALSE), parts$x),
                     info = format(spec))
  }
})

test_that("a fit resumes only with the same weights", {
  data <- weighted_data()$data
  for (spec in list(gbrt(trees = 3), lambdamart(trees = 3))) {
    model <- fit(spec, data, seed = 1, threads = 1, verbose = FALSE)
    other <- data
    other$document_weight <- rev(data$document_weight)
    expect_error(fit(model, other, rounds = 5, threads = 1, verbose = FALSE), class = "rankmix_error")
    whole <- fit(update(spec, trees = 5), data, seed = 1, threads = 1, verbose = FALSE)
    expect_identical(predict(fit(model, data, rounds = 5, threads = 1, verbose = FALSE), data),
                     predict(whole, data))
  }
})

test_that("evaluation ignores weights of documents", {
  parts <- weighted_data()
  plain <- ranking_data(parts$x, parts$grade, parts$query)
  expect_identical(evaluate(parts$x[, 1], parts$data, "ndcg@5")$value,
                   evaluate(parts$x[, 1], plain, "ndcg@5")$value)
})

test_that("calibration weights the likelihood of each document", {
  parts <- weighted_data(queries = 40)
  copies <- copied_data(parts)
  model <- fit(adaboost_mh(base_tree(3), rounds = 4), copies, threads = 1, verbose = FALSE)
  for (method in list(calibrator_cpc("log_sigmoid"), calibrator_rbc(), calibrator_naive())) {
    scores <- lapply(list(parts$data, copies), function(data) {
      predict(calibrate(model, data, method, threads = 1), parts$x, threads = 1)
    })
    expect_equal(scores[[1]], scores[[2]], tolerance = 1e-4, info = format(method))
  }
  expect_error(calibrate(model, parts$data, calibrator_cpc("soft_ndcg")), class = "rankmix_error_weights")
})

test_that("rankers without weights of documents refuse them by name", {
  data <- weighted_data()$data
  for (spec in list(rankboost(), adarank(), coordinate_ascent(), smoothrank(), best_feature(), yetirank(),
                    gbrt(objective = loss_smooth()), gbrt(objective = loss_lambda(unbiased = TRUE)),
                    bagging(m5p(), by = "query"), mixture(gbrt()))) {
    error <- expect_error(fit(spec, data, verbose = FALSE), class = "rankmix_error_weights")
    expect_match(conditionMessage(error), "weights of documents")
  }
})
