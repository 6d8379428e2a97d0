# Explanation and serving packages that only use predictions must accept a model without an adapter.

named_model <- function() {
  frame <- as.data.frame(random_data(queries = 25, features = 3, seed = 5))
  data <- ranking_data(frame, relevance = relevance, query = query)
  list(data = data, frame = frame[data$features],
       model = fit(gbrt(trees = 8, num_leaves = 5, min_data_in_leaf = 1), data, threads = 1))
}

test_that("a model predicts plain rows without a query, in any order", {
  made <- named_model()
  scores <- predict(made$model, made$data)
  expect_identical(predict(made$model, made$frame), scores)
  turned <- rev(seq_len(nrow(made$frame)))
  expect_identical(predict(made$model, made$frame[turned, 3:1]), scores[turned])
  expect_identical(predict(made$model, as.matrix(made$frame)), scores)
  skip_if_not_installed("tibble")
  expect_identical(predict(made$model, tibble::as_tibble(made$frame)), scores)
})

test_that("a row that was sent as JSON is scored", {
  skip_if_not_installed("jsonlite")
  made <- named_model()
  sent <- jsonlite::fromJSON(jsonlite::toJSON(made$frame[4:6, ], digits = NA))
  expect_equal(predict(made$model, sent), predict(made$model, made$data)[4:6], tolerance = 1e-12)
})

test_that("the loss is 1 less the mean over queries", {
  local_known_warnings("ties")
  made <- named_model()
  scores <- predict(made$model, made$data)
  loss <- query_loss("ndcg@3", made$data$query)
  expect_identical(loss(made$data$relevance, scores),
                   1 - summary(evaluate(scores, made$data, metric_ndcg(3)))$mean)
  expect_identical(attr(loss, "loss_name"), "1 - ndcg@3")
  # The number of scores must equal the number of documents.
  expect_error(loss(made$data$relevance[-1], scores[-1]), class = "rankmix_error_length")
  expect_error(query_loss(metric_ndcg(1:2), 1), class = "rankmix_error_argument")
})

test_that("of_package() reports a package that is not installed", {
  expect_error(of_package("rankmix.none", "nothing"), "rankmix.none")
  expect_identical(of_package("stats", "sd"), stats::sd)
})

test_that("DALEX explains a model, with a loss by query", {
  explain_by <- from_package("DALEX", "explain")
  made <- named_model()
  explainer <- explain_by(made$model, made$frame, made$data$relevance, verbose = FALSE,
                          predict_function = predict)
  expect_identical(unname(explainer$y_hat), predict(made$model, made$data))
  set.seed(1)
  parts <- from_package("DALEX", "model_parts")(
    explainer, N = NULL, B = 4, loss_function = query_loss(metric_ndcg(3), made$data$query)
  )
  full <- mean(parts$dropout_loss[parts$variable == "_full_model_"])
  expect_equal(full, 1 - summary(evaluate(made$model, made$data, metric_ndcg(3)))$mean)
  best <- parts$variable[parts$permutation == 0]
  best <- best[order(parts$dropout_loss[parts$permutation == 0])]
  best <- setdiff(best, c("_baseline_", "_full_model_"))
  expect_identical(best[3], permutation_importance(made$model, made$data, metric_ndcg(3), times = 4,
                                                   seed = 1)$feature[1])
})

test_that("kernelshap finds the values of explain() with the same background", {
  kernelshap <- from_package("kernelshap", "kernelshap")
  made <- named_model()
  background <- made$frame[11:25, ]
  found <- kernelshap(made$model, made$frame[1:5, ], bg_X = background, verbose = FALSE)
  ours <- explain(made$model, made$frame[1:5, ], background = background)
  expect_equal(unname(as.matrix(found$S)), unname(ours$values), tolerance = 1e-8)
  expect_equal(found$baseline, ours$base, tolerance = 1e-10)
})

test_that("pdp agrees with partial_dependence()", {
  partial <- from_package("pdp", "partial")
  made <- named_model()
  at <- c(-1, 0, 1)
  found <- partial(made$model, pred.var = "x1", pred.grid = data.frame(x1 = at),
                   type = "regression", train = made$frame,
                   pred.fun = function(object, newdata) mean(predict(object, newdata)))
  means <- vapply(at, function(value) {
    mean(predict(made$model, replace(made$frame, "x1", value)))
  }, 0)
  expect_equal(found$yhat, means, tolerance = 1e-12)
})

test_that("hstats finds that a sum of features has no interaction", {
  hstats <- from_package("hstats", "hstats")
  made <- named_model()
  line <- fit(linear_ranker(penalty = 0.1), made$data)
  set.seed(1)
  found <- hstats(line, X = made$frame, verbose = FALSE)
  expect_lt(max(abs(from_package("hstats", "h2")(found)$M)), 1e-10)
  trees <- hstats(made$model, X = made$frame, verbose = FALSE)
  expect_gt(max(from_package("hstats", "h2")(trees)$M), 1e-3)
})
