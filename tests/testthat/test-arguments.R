data <- random_data(queries = 6, seed = 1)

test_that("names of other packages are answered with ours", {
  expect_snapshot(error = TRUE, {
    gbrt(learning_rate = 0.1)
    gbrt(num.leaves = 31)
    gbrt(early_stopping_rounds = 10)
    adaboost_mh(nrounds = 10)
    mcsvm(C = 1)
    tree(max_leaves = 3)
    fit(gbrt(), data, early_stopping_rounds = 10)
    fit(gbrt(), data, nrounds = 10)
    fit(gbrt(), data, num_leaves = 31)
    fit(mcsvm(), data, nthread = 2)
    tune_and_mix(data, data, eval_metric = ndcg(5))
    predict(fit(best_feature(), data), data, n_jobs = 2)
    best_feature(err(), "higher", 3)
    gbrt(wheels = 4)
    fit(best_feature(), data, patience = 3)
  })
})

test_that("data that come first are told to be second", {
  expect_snapshot(error = TRUE, {
    fit(data, gbrt())
  })
})

test_that("every function says which argument is missing, in its own name", {
  # What generics exports is theirs.
  names <- setdiff(getNamespaceExports("rankmix"), c("fit", "tidy", "glance", "augment"))
  asked <- 0L
  for (name in names) {
    arguments <- formals(get(name, asNamespace("rankmix")))
    needed <- names(arguments)[vapply(arguments, rlang::is_missing, NA)]
    if (length(setdiff(needed, "...")) == 0L) next
    asked <- asked + 1L
    error <- tryCatch(eval(call(name)), error = identity)
    expect_s3_class(error, "rankmix_error_argument")
    expect_match(conditionMessage(error), "^`[a-z]+` is not given", info = name)
    expect_identical(as.character(error$call[[1L]]), name)
  }
  expect_gt(asked, 35L)
})

test_that("methods of fit(), predict() and calibrate() say it too", {
  specs <- list(adaboost_mh(stump(), 3), gbrt(3), mcsvm(), best_feature())
  models <- lapply(specs, fit, data)
  models[[5L]] <- mix(list(a = models[[2L]], b = models[[4L]]), data, threads = 1)
  models[[6L]] <- calibrate(models[[1L]], data, naive())
  for (spec in specs) {
    expect_error(fit(spec), "`data` is not given", class = "rankmix_error_argument")
  }
  for (model in models) {
    expect_error(predict(model), "`newdata` is not given", class = "rankmix_error_argument")
  }
  expect_error(fit(models[[1L]], data), "`rounds` is not given", class = "rankmix_error_argument")
  expect_error(calibrate(models[[1L]], data), "`method` is not given",
               class = "rankmix_error_argument")
})

test_that("errors of elements of lists are those of the user's call", {
  calls <- expression(
    evaluate(list(a = 1), data, "ndcg"),
    evaluate(data$x[, 1], data, list("ndcg", "ndgc")),
    benchmark_rankers(list(a = 1), data),
    benchmark_rankers(list(a = gbrt()), data, tune = list(a = list(steps = 1))),
    tune_and_mix(data, data, list(adaboost_mh(), 3)),
    tune_and_mix(data, data, calibrators = list(cpc(), 3)),
    mix(list(a = data$x[, 1], b = 1), data),
    aggregate_ranks(list(a = data$x[, 1], b = 1), data),
    compare_rankers(a = 1, b = 2, data = data),
    convention_report(list(a = 1), data)
  )
  for (one in as.list(calls)) {
    error <- tryCatch(eval(one), error = identity)
    expect_s3_class(error, "rankmix_error")
    expect_identical(as.character(error$call[[1L]]), as.character(one[[1L]]))
  }
})

test_that("specifications are updated", {
  expect_identical(update(adaboost_mh(tree(4), 100, bins = 15), rounds = 10),
                   adaboost_mh(tree(4), 10, bins = 15))
  expect_identical(update(gbrt(100, step = 0.2), trees = 10, depth = 3),
                   gbrt(10, step = 0.2, depth = 3))
  expect_identical(update(mcsvm(1, scale = "maximum"), cost = c(1, 10)),
                   mcsvm(c(1, 10), scale = "maximum"))
  expect_identical(update(best_feature(err()), direction = "both"), best_feature(err(), "both"))
  expect_identical(update(gbrt()), gbrt())
  spec <- gbrt()
  expect_snapshot(error = TRUE, {
    update(spec, rounds = 10)
    update(spec, trees = 0)
    update(spec, 10)
    update(spec, trees = 10, trees = 20)
    update(mcsvm(), costs = 1)
  })
})

test_that("what is trained first is answered whatever it is", {
  expect_snapshot(error = TRUE, {
    fit(as.data.frame(data), gbrt())
    fit(gbrt, data)
    fit(function(x) x, data)
    fit(list()$model, data)
    fit()
  })
})

test_that("names of data are answered where rankers are made and trained", {
  calls <- expression(gbrt(label = 1), adaboost_mh(label = 1), mcsvm(label = 1),
                      fit(gbrt(), data, label = 1), fit(adaboost_mh(), data, label = 1))
  for (one in as.list(calls)) {
    expect_error(eval(one), "It is `relevance` of `ranking_data()`", fixed = TRUE)
    names(one)[names(one) == "label"] <- "qid"
    expect_error(eval(one), "It is `query` of `ranking_data()`", fixed = TRUE)
  }
})
