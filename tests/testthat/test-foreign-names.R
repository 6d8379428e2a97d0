data <- random_data(queries = 6, seed = 1)

test_that("names of other packages give errors with our names", {
  expect_snapshot(error = TRUE, {
    gbrt(step = 0.1)
    gbrt(eta = 0.1)
    gbrt(n_estimator = 100)
    gbrt(min.child.sample = 5)
    gbrt(max.leaves = 31)
    gbrt(min_documents = 5)
    gbrt(l2 = 1)
    loss_custom(slopes = identity)
    mix(list(a = data$x[, 1]), data, threshold = 0)
    tune_and_mix(data, data, hold_out = "same")
    tune_and_mix(data, data, classifiers = gbrt())
    gbrt(early_stopping_rounds = 10)
    adaboost_mh(nrounds = 10)
    mcsvm(C = 1)
    base_tree(max_leaves = 3)
    fit(gbrt(), data, early_stopping_rounds = 10)
    fit(gbrt(), data, nrounds = 10)
    fit(gbrt(), data, num_leaves = 31)
    fit(mcsvm(), data, nthread = 2)
    tune_and_mix(data, data, eval_metric = metric_ndcg(5))
    predict(fit(best_feature(), data), data, n_jobs = 2)
    best_feature(metric_err(), "higher", 3)
    gbrt(wheels = 4)
    fit(best_feature(), data, patience = 3)
  })
})

test_that("evaluate() gives errors for names of data and of other packages", {
  scores <- data$x[, 1]
  expect_snapshot(error = TRUE, {
    evaluate(scores, data, label = "y")
    evaluate(scores, data, metric_ndcg(10), nthread = 2)
    evaluate(scores, data, eval_metric = metric_ndcg(10))
    evaluate(object = scores, data = data, metrics = metric_ndcg(10))
    evaluate(scores, data, metric_ndcg(10), NULL, "error", FALSE, FALSE, NULL, 2, "more")
  })
  error <- tryCatch(evaluate(scores, data, label = "y"), error = identity)
  expect_identical(as.character(error$call[[1L]]), "evaluate")
  # Partial argument names still work.
  expect_identical(evaluate(scores, data, metric = metric_ndcg(10)), evaluate(scores, data, metric_ndcg(10)))
})

test_that("argument names of ranking_data() give errors in specifications and in fit()", {
  calls <- expression(gbrt(label = 1), adaboost_mh(label = 1), mcsvm(label = 1),
                      fit(gbrt(), data, label = 1), fit(adaboost_mh(), data, label = 1))
  for (one in as.list(calls)) {
    expect_error(eval(one), "It is `relevance` of `ranking_data()`", fixed = TRUE)
    names(one)[names(one) == "label"] <- "qid"
    expect_error(eval(one), "It is `query` of `ranking_data()`", fixed = TRUE)
  }
})

test_that("objectives of other tools give errors with our objectives", {
  expect_snapshot(error = TRUE, {
    gbrt(objective = "rank:ndcg")
    gbrt(objective = "rank_xendcg")
    gbrt(objective = "nobody:knows")
    lambdamart(objective = "rank:ndcg")
    lambdamart(objective = "rank:pairwise")
    lambdamart(objective = loss_softmax())
    ranknet(objective = "lambdarank")
  })
  # Each suggested objective must be valid code.
  for (ours in names(rankmix:::foreign_objectives)) {
    expect_s3_class(gbrt(objective = eval(str2lang(ours))), "rankmix_gbrt")
  }
})

test_that("the error for rankers that are not in one list shows the list", {
  expect_snapshot(error = TRUE, {
    tune_and_mix(data, data, lambdamart(), gbrt())
    tune_and_mix(data, lambdamart(), gbrt())
    tune_and_mix(data, data, gbrt(), NULL, linear_ranker())
  })
})

test_that("several names of other packages give one error", {
  expect_snapshot(error = TRUE, {
    ranking_data(data$x, y = data$relevance, group = data$query)
    gbrt(bagging_freq = 1, gamma = 2, reg_alpha = 1, wheels = 3)
    gbrt(params = list(eta = 0.1))
    lambdamart(label_gain = c(0, 1, 3), sigmoid = 2)
    lambdamart(lambdarank_truncation_level = 10)
  })
  model <- fit(best_feature(), data)
  expect_error(permutation_importance(model, data, n_repeats = 3), "Did you mean `times`", fixed = TRUE)
  expect_error(explain(model, data, document = 3), "drop = FALSE", fixed = TRUE)
})

test_that("data in place of a setting belong to fit()", {
  calls <- expression(gbrt(data), lambdamart(data), adaboost_mh(data), ranksvm(data), linear_ranker(data),
                      bagging(data), best_feature(data))
  for (one in as.list(calls)) {
    expect_error(eval(one), "write `fit(spec, data)`", fixed = TRUE)
  }
})

test_that("LightGBM's names of the settings of LambdaMART give errors with our names", {
  expect_error(lambdamart(lambdarank_truncation_level = 30), "Did you mean `truncation`?", fixed = TRUE)
  expect_error(lambdamart(lambdarank_norm = TRUE), "Did you mean `normalize`?", fixed = TRUE)
  expect_error(lambdamart(sigmoid = 1), "Did you mean `sigma`?", fixed = TRUE)
})
